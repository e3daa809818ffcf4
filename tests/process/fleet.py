"""Several processes of the bot on one database of PostgreSQL, each with some of 8 shards, and people on 8 servers."""

import asyncio
import time
from contextlib import suppress
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Any

from sqlalchemy.exc import DBAPIError

from gipfbot.service.kit.loaded_games import game_name
from gipfbot.values import Shards, Unreachable
from tests.standin import Interaction, StandIn
from tests.standin.places import Guild
from tests.standin.rates import Rates

from .account import Account, Act
from .killing import NO_KILL, OUTSIDE, Kill, Kills
from .players import Gone, Players, Running
from .running import Bot
from .stored_courses import require

SHARDS = 8
MOMENT_SECONDS = 60.0  # after which a kill from outside takes the place of one whose moment has not come
IDENTIFY_AT_ONCE = 4  # how many of them may identify at once: each two that may not belong to different processes
PACES = None, "1", "saving"
# The processes that were asked for something in the present act, and how often each had died before.
ASKED: ContextVar[dict[int, int]] = ContextVar("asked")


class ShardingStandIn(StandIn):
    """Discord with a server on each shard. It wants shards to identify one after another, and has its limits."""

    def __init__(self) -> None:
        super().__init__()
        self.deaths: dict[int, int] = dict.fromkeys(range(SHARDS), 0)  # of the processes, by shard
        self.world.shards, self.world.identify_at_once = SHARDS, IDENTIFY_AT_ONCE
        self.gateway.is_strict, self.rates = True, Rates()
        for shard in range(SHARDS):
            if (self.guild.id >> 22) % SHARDS != shard:
                self.world.add_channel(self._add_guild(shard), "general")

    def _add_guild(self, shard: int) -> Guild:
        number = self.world.ids.new()
        while (number >> 22) % SHARDS != shard:  # an id holds its milliseconds
            time.sleep(0.0005)
            number = self.world.ids.new()
        guild = Guild(number, f"Club {shard}", self.world.bot, self.world.ids.new(), self.world.ids.new())
        self.world.guilds[guild.id] = guild
        return guild

    async def _interact(self, *given: Any, **named: Any) -> Interaction:
        """Raises Gone if nobody is connected on the shard: people then see that the bot does not answer.

        If its process dies meanwhile, it may have handled what was sent.
        """
        guild = given[3].guild
        shard = (guild.id >> 22) % SHARDS if guild else 0
        if not self.gateway.is_live(shard):
            raise Gone
        ASKED.get().setdefault(shard, self.deaths[shard])
        sent = await super()._interact(*given, **named)
        if not sent.sockets:
            ASKED.get()[shard] = -1
        return sent


class Fleet:
    """The processes. Each is started again as soon as it has died."""

    def __init__(self, folder: Path, discord: ShardingStandIn, fork_server: Path, processes: int) -> None:
        self.folder, self.discord, self.database = folder, discord, folder / "gipf.sqlite3"
        self.bots = [Bot(self._folder(number), discord, fork_server) for number in range(processes)]
        for bot, shards in zip(self.bots, split_shards(processes), strict=True):
            bot.settings |= {
                "GIPFBOT_DATABASE_URL": self.bots[0].settings["GIPFBOT_DATABASE_URL"],
                "GIPFBOT_SHARDS": str(shards),
                "GIPFBOT_INTERACTIONS_PER_MINUTE": "100000",
            }
            bot.database = self.bots[0].database
        self.database = self.bots[0].database
        self.kills, self.is_stopped, self.is_hurried = Kills(), False, True
        self.is_cut, self.vain_starts = False, 0  # whether the database was ever away; starts that failed by that

    def _folder(self, number: int) -> Path:
        folder = self.folder / f"process{number}"
        folder.mkdir()
        return folder

    @property
    def exit_code(self) -> int | None:
        """0 once all processes are stopped; None while they run."""
        return 0 if self.is_stopped else None

    @property
    def complaints(self) -> list[str]:
        """The lines of all logs with errors."""
        return [line for bot in self.bots for line in bot.complaints]

    async def killed(self, total: int) -> None:
        """Wait until processes were killed so often."""
        while self.kills.total() < total:  # noqa: ASYNC110 - it takes minutes
            await asyncio.sleep(0.1)

    async def keep_running(self, number: int, kills: "asyncio.Queue[Kill]") -> None:
        """Start a process, carry out the next kill, and begin again, until there are no more kills."""
        bot = self.bots[number]
        while not self.is_stopped:
            kill = NO_KILL if kills.empty() else kills.get_nowait()
            ended = await self._run(bot, kill)
            for shard in split_shards(len(self.bots))[number].ids:
                self.discord.deaths[shard] += 1
            if ended == Unreachable.exit_code and self.is_cut:  # the host's system starts it again
                self.vain_starts += 1
                kills.put_nowait(kill)
                continue
            require(ended == -SIGKILL, "process", number, "has ended by itself:", ended, bot.log[-3000:])
            if not self.is_stopped:
                self.kills.note(bot.folder)

    async def _run(self, bot: Bot, kill: Kill) -> int:
        """Run a process until it dies, by a kill at the latest. Return its exit code."""
        process = await bot.launch(kill.changes() if self.is_hurried else "")
        await self._kill_if_stopped(bot)
        seconds = {NO_KILL.moment: None, OUTSIDE: kill.seconds}.get(kill.moment, MOMENT_SECONDS)
        try:
            async with asyncio.timeout(seconds):
                return await process.wait()
        except TimeoutError:
            await self._kill(bot)
            return -SIGKILL

    async def kill_each(self, seconds: float, kills: int, chance: Random) -> None:
        """Kill any process so often, each time after so many seconds."""
        for _ in range(kills):
            await asyncio.sleep(seconds)
            await self._kill(chance.choice(self.bots))

    async def _kill_if_stopped(self, bot: Bot) -> None:
        if self.is_stopped:
            await self._kill(bot)

    async def _kill(self, bot: Bot) -> None:
        if bot.process and bot.process.returncode is None:
            bot.process.send_signal(SIGKILL)
            await bot.process.wait()

    async def stop(self) -> None:
        """Kill all processes at once, and start none again."""
        self.is_stopped = True
        await asyncio.gather(*map(self._kill, self.bots))

    async def are_live(self) -> None:
        """Wait until all shards are connected."""
        live = self.discord.gateway.is_live
        await self.discord.wait_for(lambda: all(map(live, range(SHARDS))), "all shards")


class FleetPlayers(Players):
    """People who play, each from a server of their own. What a process that died had begun, they leave.

    `rest` is for how many seconds they do nothing after an act. In games that are `abandoned`, nobody plays.
    """

    def __init__(self, fleet: Fleet, discord: ShardingStandIn, account: Account, chance: Random) -> None:
        super().__init__(fleet.bots[0], discord, account, chance)
        self.fleet, self.deaths = fleet, discord.deaths
        self.rest, self.abandoned = 0.01, set[int]()
        guilds = [*discord.world.guilds.values()]
        self.channels = [channel for guild in guilds for channel in guild.channels.values()]
        homes = {user.id: guilds[number % len(guilds)] for number, user in enumerate(self.people)}
        self.homes = {user: next(iter(guild.channels.values())) for user, guild in homes.items()}

    async def _act_on(self) -> None:
        while not self.fleet.is_stopped:
            ASKED.set({})
            with suppress(Gone, LookupError, ValueError):
                await self._any_act()()
            await asyncio.sleep(self.chance.uniform(0, 2 * self.rest))

    def running(self) -> list[Running]:
        """Return the running games, without those that are abandoned."""
        return [game for game in super().running() if game.id not in self.abandoned]

    def is_gone(self) -> bool:
        """Return whether a process has died that should answer in the present act."""
        return self.fleet.is_stopped or any(self.deaths[shard] > seen for shard, seen in ASKED.get().items())

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            return super()._rows(query, *values)
        except (DBAPIError, OSError) as error:  # the database is being started again
            raise Gone from error

    async def _changed(self, act: Act) -> None:
        """Leave an act whose process has died. What the message shows later is the answer to somebody else."""
        try:
            await super()._changed(act)
        except Gone:
            act.left = True
            raise

    async def send_turn(self, game: Running) -> Act:
        """Let the player to move type a turn on their own server, so often in another process than the game's."""
        user, text = self._user(game.waiting), self._turn_to_type(game)
        sent = await self.discord.slash(user, self.homes[user.id], "move", notation=text, game=game_name(game.id))
        return self.account.note(Act("turn", user.id, game.id, sent))

    def _terms(self) -> dict[str, object]:
        """Return the terms of a challenge: most games have a clock."""
        pace = self.chance.choice(PACES)
        return super()._terms() | ({"pace": pace} if pace else {})

    def games_across(self) -> int:
        """Return in how many games both players have typed turns, each over another process."""
        courses = self.account.courses.values()
        return sum(
            len({self._process(turn.by) for turn in course.played if turn.how == "typed"}) > 1 for course in courses
        )

    def _process(self, user: int) -> int:
        """Return the number of the process that has the server of a person."""
        guild = self.homes[user].guild
        assert guild
        return next(
            number for number, shards in enumerate(split_shards(len(self.fleet.bots))) if shards.has_server(guild.id)
        )


def split_shards(processes: int) -> list[Shards]:
    """Return the shards of each of so many processes."""
    ends = [SHARDS * number // processes for number in range(processes + 1)]
    return [Shards(first, after - 1, SHARDS) for first, after in pairwise(ends)]
