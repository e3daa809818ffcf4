"""`make flood`: one person floods the real process, and the others' waits are compared with those of an idle run.

The bot is `python bot.py`, and Discord the stand-in. Ann and Bob play a game, and Cara looks around. Mallory, who has
many games, sends one kind of request as fast as they can. Each kind is measured by itself, beside an idle run of the
same minute. At last they send every kind at once; see `flood_at_once`.
"""

import asyncio
import os
import re
import sqlite3
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter

from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD, play, start
from gipfbot.service.kit.loaded_games import game_name
from tests.bench.figures import quantile
from tests.bench.samples import lasting_game
from tests.standin import Interaction, StandIn

from .bot_games import page_of_bot, press_once_shown
from .flood_at_once import ACKNOWLEDGED, POSTED, TIMES_IDLE, measure_at_once
from .flood_kinds import KINDS, Mallory, prepare_games, say, use_real_limits
from .posted import mixed_messages
from .running import Bot
from .table import Table

IDLE_SECONDS = FLOOD_SECONDS = 20.0
PAUSE = 0.2
LATEST, STORED = 2.0, 2.0  # seconds at most
ALONE = ("replays", "records", "suggestions", "settings")  # measured by themselves unless others are named
ROUNDS, REQUESTS = 200, {"suggestions": 300}
MOST_TURNS = 250  # of the others' game
TURNS_PLAYED = "SELECT turn_number FROM games WHERE id = ?"
THOUGHT = "SELECT count(*) FROM due WHERE kind = 'house' AND done_at IS NULL"


@dataclass
class Waits:
    """How long people waited, in seconds."""

    acknowledged: list[float] = field(default_factory=list)
    stored: list[float] = field(default_factory=list)
    posted: list[float] = field(default_factory=list)

    def worst(self, idle: "Waits") -> list[str]:
        """Return the limits that are missed, compared with the idle run."""
        p99, most = quantile(self.acknowledged, 0.99), max(ACKNOWLEDGED, TIMES_IDLE * quantile(idle.acknowledged, 0.99))
        limits = {
            "acknowledged, p99": (p99, most),
            "acknowledged, last": (max(self.acknowledged), LATEST),
            "turn stored": (max(self.stored), STORED),
            "board posted": (max(self.posted), POSTED),
        }
        return [f"{name} {value:.2f} s, limit {limit:.2f}" for name, (value, limit) in limits.items() if value > limit]

    def line(self) -> str:
        """Return the waits in ms."""
        p50, p99, last = (1000 * quantile(self.acknowledged, share) for share in (0.5, 0.99, 1))
        return (
            f"{len(self.acknowledged):4} actions, acknowledged after {p50:.0f} ms, p99 {p99:.0f}, last {last:.0f}; "
            f"turn stored {1000 * max(self.stored):.0f}, board posted {1000 * max(self.posted):.0f}"
        )


class Others:
    """Ann and Bob, who play a long game, and Cara, who looks around."""

    def __init__(self, table: Table, bot: Bot, texts: Sequence[str]) -> None:
        self.table, self.bot, self.discord, self.played = table, bot, table.discord, 0
        self._texts = texts
        self._database = sqlite3.connect(bot.database)
        (self._id,) = bot.rows("SELECT max(id) FROM games")
        self.game = game_name(self._id)

    async def act(self, until: Callable[[], bool]) -> Waits:
        """Let them act one after the other until this is so; return their waits."""
        waits = Waits()
        while not until():
            await self._play(waits)
            for command in ("gipf help", "gipf games", "gipf board"):
                who = (self.table.ann, self.table.bob, self.table.cara)[self.played % 3]
                options = {"game": self.game} if command == "gipf board" else {}
                sent = await self._acknowledged(waits, self.discord.slash(who, self.table.channel, command, **options))
                await sent.answered()
                await asyncio.sleep(PAUSE)
        return waits

    async def _play(self, waits: Waits) -> None:
        player, text = (self.table.ann, self.table.bob)[self.played % 2], self._texts[self.played]
        boards, begun = self._boards(), perf_counter()
        self.played += 1
        move = self.discord.slash(player, self.table.channel, "move", notation=text, game=self.game)
        sent = await self._acknowledged(waits, move)
        await self.discord.wait_for(self._is_stored, f"turn {self.played}")
        waits.stored.append(perf_counter() - begun)
        await self.discord.wait_for(lambda: self._boards() > boards, f"the board of turn {self.played}")
        waits.posted.append(perf_counter() - begun)
        await sent.answered()

    def _is_stored(self) -> bool:
        return bool(self._database.execute(TURNS_PLAYED, (self._id,)).fetchone()[0] >= self.played)

    def _boards(self) -> int:
        return sum(bool(re.search(rf"{self.game}\b", board.content)) for board in self.table.boards())

    async def _acknowledged(self, waits: Waits, act: Awaitable[Interaction]) -> Interaction:
        """Wait until a request is acknowledged, note how long that took, and return the request."""
        begun, interaction = perf_counter(), await act
        await interaction.acknowledged()
        waits.acknowledged.append(perf_counter() - begun)
        return interaction


def turn_texts(number: int) -> list[str]:
    """Return the turns of a Standard game that goes on for long."""
    position, texts = start(STANDARD), []
    for actions in islice(lasting_game(Random(5)), number):
        texts.append(turn_text(position, actions))
        for action in actions:
            position = play(position, action)
    return texts


async def flood(mallory: Mallory, kind: str) -> None:
    """Send all requests of a kind at once. Return after FLOOD_SECONDS, whether or not they are answered."""
    requests = (_send(mallory, kind, number) for number in range(REQUESTS.get(kind, ROUNDS)))
    sending = asyncio.gather(*requests)
    await asyncio.sleep(FLOOD_SECONDS)
    sending.cancel()


async def _send(mallory: Mallory, kind: str, number: int) -> None:
    with suppress(LookupError, ValueError, TimeoutError):
        await KINDS[kind].send(mallory, number)


async def let_think(table: Table, number: int) -> None:
    """Let so many people begin games in which the bot has to think for long, in a channel of their own."""
    channel = table.discord.world.add_channel(table.discord.guild, "thinking")
    for each in range(number):
        thinker = table.discord.user(f"thinker{each}")
        page = await page_of_bot(table.discord, thinker, channel, colour="black", rules="standard")
        await press_once_shown(table.discord, thinker, page, "begin_bot_game:5:")


def hold_to_one_core(bot: Bot) -> None:
    """Hold the bot to one core, with the engine that it will start."""
    core = min(os.sched_getaffinity(0))
    for thread in Path(f"/proc/{bot.pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {core})


async def measure(
    folder: Path, number: int, kinds: Sequence[str], *, unlimited: bool, thinking: int = 0, one_core: bool = False
) -> bool:
    """Measure these kinds of floods, and print the waits. Return whether all limits are met.

    Meanwhile the bot thinks about so many games of its own. With `one_core`, it has one core for all this.
    """
    texts = turn_texts(MOST_TURNS)
    async with StandIn() as discord:
        bot, table = Bot(folder, discord), Table(discord)
        use_real_limits(bot, unlimited=unlimited)
        prepared = await prepare_games(bot, discord.user("mallory"), table.channel, number)
        mallory = Mallory(bot, discord, table.channel, prepared, paced=False)
        table.bob.locale, table.cara.locale = "de", "fr"
        await bot.start()
        await discord.wait_for(lambda: discord.world.commands, what="the commands")
        if one_core:
            hold_to_one_core(bot)
        await let_think(table, thinking)
        await table.begin(colour="white", rules="standard")
        others, met = Others(table, bot, texts), True
        for kind in kinds:
            begun = perf_counter()
            idle = await others.act(lambda: perf_counter() - begun > IDLE_SECONDS)  # noqa: B023  (called at once)
            flooding = asyncio.create_task(flood(mallory, kind))
            waits = await others.act(flooding.done)
            await flooding
            missed = waits.worst(idle)
            met &= not missed
            say(
                f"{kind}, idle:  {idle.line()}",
                f"{kind}, flood: {waits.line()}",
                *(f"  NOT MET: {each}" for each in missed),
            )
        if thinking:
            say(f"The bot still has to decide in {bot.rows(THOUGHT)[0]} of {thinking} games.")
        await bot.end()
        mixed = mixed_messages(discord)
        say(*bot.complaints, *mixed)
        return met and not bot.complaints and not mixed


def main() -> int:
    """Measure, and return 0 if all limits are met."""
    parser = ArgumentParser("python -m tests.process.flood", description="Let one person flood the bot.")
    parser.add_argument("--games", type=int, default=100, help="how many games they have in the floods of one kind")
    parser.add_argument(
        "--kinds", nargs="*", choices=KINDS, help="what they send, each kind by itself, and nothing else"
    )
    parser.add_argument("--at-once", action="store_true", help="measure only the flood of all kinds at once")
    parser.add_argument("--unlimited", action="store_true", help="without the limits per person")
    parser.add_argument("--thinking", type=int, default=0, help="about how many games the bot thinks meanwhile")
    parser.add_argument("--one-core", action="store_true", help="hold the bot and its engine to one core")
    options = parser.parse_args()
    met = True
    if not options.at_once:
        wanted = {"unlimited": options.unlimited, "thinking": options.thinking, "one_core": options.one_core}
        with tempfile.TemporaryDirectory() as folder:
            met &= asyncio.run(measure(Path(folder), options.games, options.kinds or ALONE, **wanted))
    if not options.kinds:
        with tempfile.TemporaryDirectory() as folder:
            met &= asyncio.run(measure_at_once(Path(folder), unlimited=options.unlimited))
    say("All limits are met." if met else "Not all limits are met.")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
