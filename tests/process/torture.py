"""`make torture`: kill the real process hundreds of times while people play, and miss nothing.

The bot is `bot.py`, forked for each start, and Discord the stand-in. `killing` says when the bot is killed, `players`
what people do, and `account` what must hold after each kill. The first fault ends the run. The seed decides the kills
and what people try. What they meet depends on the machine, too.
"""

import asyncio
import shutil
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random, SystemRandom
from signal import SIGKILL

from tests.standin import StandIn
from tests.support import stores
from tests.support.times import HANGS

from .account import Account
from .fork_server import run_server
from .house_checks import THINKS
from .killing import NO_KILL, OUTSIDE, Kill, Kills, plan_kills
from .players import Players, Running
from .posted import mixed_messages
from .running import OWED, Bot
from .seekers import let_seeks_mention
from .stored_courses import Fault, read_rows, require

LEAST = 50  # kills at each moment inside that a run of the usual length needs
USUAL_KILLS = 500
MOMENT_SECONDS = 2 * HANGS  # after which a kill from outside takes the place of one whose moment has not come
NONCE_LIFE = 301  # seconds; both Discord and the bot take a nonce as forgotten after as many
INTERACTIONS_KEPT = 500
REPORTED = 25  # kills between two lines of the report


class Torture:
    """A bot that is killed again and again, and the people who play on."""

    def __init__(self, folder: Path, discord: StandIn, fork_server: Path, seed: int) -> None:
        self.chance, self.discord, self.bot = Random(seed), discord, Bot(folder, discord, fork_server)
        self.bot.settings["GIPFBOT_INTERACTIONS_PER_MINUTE"] = "100000"
        discord.world.old_edits_allowed = 10**9  # messages grow old very fast here
        self.account = Account(self.bot.database, discord)
        self.players = Players(self.bot, discord, self.account, self.chance)
        self.kills, self.at_start, self.lapses = Kills(), 0, 0

    async def begin(self) -> None:
        """Start the bot for the first time, so that people have its commands."""
        await self.bot.start()
        await self.discord.wait_for(lambda: self.discord.world.commands, what="the commands")
        await self.bot.end()
        await let_seeks_mention(self.bot, self.discord.guild)

    async def endure(self, kill: Kill) -> None:
        """Let people play until the bot is killed, and check what is left."""
        await self.players.cups.keep_going()
        process, connections = await self.bot.launch(kill.changes()), self.discord.gateway.identified
        ended, living = asyncio.create_task(process.wait()), asyncio.create_task(self.players.live())
        seconds = kill.seconds if kill.moment == OUTSIDE else MOMENT_SECONDS
        await asyncio.wait({living, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        await self.bot.kill()
        await living
        require(await ended == -SIGKILL, "the bot has ended by itself:", await ended)
        self.kills.note(self.bot.folder)
        self.at_start += self.discord.gateway.identified == connections
        await self._look_through(kill)

    async def _look_through(self, kill: Kill) -> None:
        """Check everything while the bot is dead. Then let Discord forget what nobody needs, and perhaps nonces."""
        await self.discord.forget_sessions()
        self.account.check()
        self._check_words()
        self.discord.calls.clear()
        self.discord.world.files.clear()
        interactions = self.discord.world.interactions
        for token in [*islice(interactions, max(0, len(interactions) - INTERACTIONS_KEPT))]:
            del interactions[token]
        if kill.lapses:
            self.lapses += 1
            self.discord.age_messages(NONCE_LIFE)
            self.bot.change("UPDATE outbox SET first_tried_at = first_tried_at - ? WHERE done_at IS NULL", NONCE_LIFE)

    def _check_words(self, *, public: bool = False) -> None:
        """Check that Discord has refused nothing, that the log has no errors, and that no message mixes languages.

        Those in channels are many, and count only with `public`.
        """
        require(self.discord.violations == [], "Discord does not take this:", self.discord.violations)
        require(not self.bot.complaints, "the log says:", *self.bot.complaints)
        mixed = mixed_messages(self.discord, public=public)
        require(not mixed, "in two languages:", *mixed)

    async def finish(self) -> None:
        """Let every game go on once more in peace, and check that nothing is owed, and that the bot has played."""
        await self.bot.start(NO_KILL.changes())
        await self._nothing_owed()
        for game in self.players.running():
            await self._play_on(game)
        await self._nothing_owed()
        require(await self.bot.end() == 0, "the bot does not end")
        self.account.check_end()
        self._check_words(public=True)

    async def _nothing_owed(self) -> None:
        done = [0], [0]
        await self.players.until(lambda: self._left() == done, "the delivery of all that is owed, and the bot's turns")

    def _left(self) -> tuple[list[int], list[int]]:
        """Return how many messages are owed, and how many games wait for the bot."""
        database = self.bot.database
        return read_rows(database, OWED), read_rows(database, THINKS, self.account.bot)

    async def _play_on(self, game: Running) -> None:
        """Let a player play a turn, and wait for it. A turn that they have begun is finished by pressing."""
        begun = "SELECT count(*) FROM draft WHERE game = ?"
        if read_rows(self.bot.database, begun, game.id) == [0]:
            act = await self.players.send_turn(game)
            await self.players.until(lambda: act.answer, f"the answer to {act.interaction}")
            require(act.told, "game", game.id, "does not go on:", act.answer)
        hung = time.monotonic() + HANGS
        while game in self.players.running():
            require(time.monotonic() < hung, "game", game.id, "is stuck in a turn")
            with suppress(LookupError, ValueError):  # the desk asks for nothing more
                await self.players.press_turn(game)

    def report(self) -> str:
        """Return what has happened so far."""
        kills = f"{self.kills.total()} kills ({self.kills}; {self.at_start} of them at the start), {self.lapses} lapses"
        return f"{kills}, {self.account}"


async def torture(folder: Path, fork_server: Path, plan: Iterable[Kill], seed: int) -> Kills:
    """Let people play and carry out these kills. Return how often the bot was killed at which moment.

    Raises Fault, with all that is needed to try it again, as soon as anything is lost, doubled or stuck.
    """
    async with StandIn() as discord:
        tortured, kill = Torture(folder, discord, fork_server, seed), NO_KILL
        try:
            await tortured.begin()
            for kill in plan:
                await tortured.endure(kill)
                if kill.number % REPORTED == 0:
                    write_line(tortured.report())
            await tortured.finish()
        except* Fault as faults:
            raise Fault(f"{first_error(faults)}\nseed {seed}, {kill}\n{tortured.report()}") from faults
        finally:
            await tortured.bot.kill()
        write_line(tortured.report())
    return tortured.kills


def _planned(kills: int, seconds: float, seed: int) -> Iterator[Kill]:
    """Yield so many kills, and more until the seconds are over."""
    ends = time.monotonic() + seconds
    for kill in plan_kills(Random(seed)):
        if kill.number > kills and time.monotonic() > ends:
            return
        yield kill


def first_error(error: BaseException) -> BaseException:
    """Return the first error of a group."""
    return first_error(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def write_line(line: str) -> None:
    """Show a line of the report at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Torture the bot. Return 0 if nothing was lost, and if it was killed at each moment often enough."""
    parser = ArgumentParser("python -m tests.process.torture", description="Kill the bot again and again.")
    parser.add_argument("--kills", type=int, default=USUAL_KILLS, help="how often at least")
    parser.add_argument("--seconds", type=float, default=0, help="for how long at least")
    parser.add_argument("--seed", type=int, default=None, help="what decides the kills (default: any)")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite", help="what keeps the games")
    options = parser.parse_args()
    stores.POSTGRES = options.database == "postgres"
    seed = SystemRandom().randrange(10**6) if options.seed is None else options.seed
    folder = Path(tempfile.mkdtemp())
    write_line(f"seed {seed}")
    try:
        with run_server(folder / "socket") as address:
            plan = _planned(options.kills, options.seconds, seed)
            done = asyncio.run(torture(folder, address, plan, seed))
    except Fault as fault:
        write_line(f"FAULT: {fault}\nThe database and the log are left in {folder}.")
        return 1
    shutil.rmtree(folder)
    rare = done.rare(LEAST) if done.total() >= USUAL_KILLS else []
    write_line(f"Too few kills {', '.join(rare)}." if rare else "Nothing was lost, and nothing came twice.")
    return 1 if rare else 0


if __name__ == "__main__":
    sys.exit(main())
