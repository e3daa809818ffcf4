"""Load the real process: how long people wait for it, and how much memory it takes.

The bot is `python bot.py` with 10,000 running games and 1,000,000 finished ones. Discord is the stand-in, which allows
50 requests a second, and 5 messages in 5 seconds for each channel. First one turn a second is typed, which is the idle
run. Then come 24 a second for a minute. Then the limits of Discord and the bot's own pace are lifted, and short runs
raise the rate until the acknowledgement takes more than a second. They also show how many boards the bot posts when it
is fed more.
"""

import asyncio
import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import NamedTuple

from gipfbot.service.kit.loaded_games import game_name
from tests.bench.figures import quantile
from tests.bench.yardstick import yard_seconds
from tests.standin import Interaction, StandIn
from tests.standin.rates import Rates
from tests.support.paths import HOUSE

from .crowd import SAMPLES, RunningGame, add_crowd, player
from .running import Bot

RUNNING, ENDED = 10_000, 1_000_000
RATE, SECONDS = 24, 60.0
RAISED = 32, 128, 256, 512, 768  # turns a second, each for a twelfth of the time
YARDS = 20  # measured after each run
TOO_LATE = 1.0  # seconds until the acknowledgement: where the raising ends
MOST_BEHIND = 120.0  # seconds of patience for the boards after a run
# What starts the bot without its own pace.
UNPACED = """
import sys
from gipfbot.ui.kit import request_watch
request_watch.MOST_A_SECOND = 1_000_000
from gipfbot.__main__ import main
sys.exit(main())
"""
TICKS = os.sysconf("SC_CLK_TCK")


class Sent(NamedTuple):
    """A turn that was typed, and the boards that its channel had before."""

    game: RunningGame
    interaction: Interaction
    at: float
    boards: int


@dataclass
class Run:
    """How a run went. Times are in seconds; `cores` is the processor time of the bot for each second."""

    rate: float
    acknowledged: list[float]
    behind: list[float]
    unanswered: int
    missing: int
    cores: float
    loop: float  # the same of the thread with the event loop
    turn: float  # processor time of the bot for a turn and its board
    boards_a_second: float  # from the first turn to the last board
    yard: float  # the time of a yard, see `tests.bench.yardstick`

    @property
    def p99(self) -> float:
        """The time to acknowledge that 99 % do not exceed."""
        return quantile(self.acknowledged, 0.99)

    @property
    def is_too_much(self) -> bool:
        """Whether people wait too long for the acknowledgement, or boards are missing."""
        return self.p99 > TOO_LATE or self.missing > 0

    def line(self) -> str:
        """Return the run as one line."""
        p50, p99, last = (1000 * quantile(self.acknowledged, share) for share in (0.5, 0.99, 1))
        return (
            f"{self.rate:3.0f} turns/s: acknowledged after {p50:.0f} ms, p99 {p99:.0f}, last {last:.0f}; "
            f"boards behind {quantile(self.behind, 0.5):.2f} s, at most {max(self.behind):.2f}; "
            f"{self.unanswered} unanswered, {self.missing} boards missing; "
            f"bot {100 * self.cores:.0f} % of a core, its event loop {100 * self.loop:.0f} %; "
            f"{1000 * self.turn:.1f} ms of the processor a turn, {self.boards_a_second:.1f} boards/s"
        )


class Load:
    """People who type turns at a given rate, each in a game of their own."""

    def __init__(self, bot: Bot, discord: StandIn, games: list[RunningGame]) -> None:
        self.bot, self.discord, self._games = bot, discord, iter(games)

    async def run(self, rate: float, seconds: float) -> Run:
        """Type so many turns a second for some seconds, and wait for the last boards."""
        sent, processor, begun = list[Sent](), self._processor_seconds(), perf_counter()
        for number in range(max(1, int(rate * seconds))):
            await asyncio.sleep(max(0.0, begun + number / rate - perf_counter()))
            sent.append(await self._type(next(self._games)))
        lasted = perf_counter() - begun
        cores, loop = (
            (after - before) / lasted for before, after in zip(processor, self._processor_seconds(), strict=True)
        )
        await self._wait_for_boards(sent)
        turn, boards = (self._processor_seconds()[0] - processor[0]) / len(sent), len(sent) / (perf_counter() - begun)
        waits = [*map(_wait, sent)], [*_delays(sent)], _unanswered(sent), _missing(sent)
        return Run(rate, *waits, cores, loop, turn, boards, median(yard_seconds() for _ in range(YARDS)))

    async def _type(self, game: RunningGame) -> Sent:
        boards, who = len(game.channel.messages), player(self.discord, game.user)
        at = time()
        typed = await self.discord.slash(who, game.channel, "move", notation=game.text, game=game_name(game.id))
        return Sent(game, typed, at, boards)

    async def _wait_for_boards(self, sent: list[Sent]) -> None:
        end = perf_counter() + MOST_BEHIND
        await self.discord.wait_for(
            lambda: perf_counter() > end or not (_missing(sent) or _unanswered(sent)), what="the last boards"
        )

    def _processor_seconds(self) -> tuple[float, float]:
        """Return the processor time of the bot, and of its first thread, which runs the event loop."""
        pid = self.bot.pid
        return read_seconds(f"/proc/{pid}/stat"), read_seconds(f"/proc/{pid}/task/{pid}/stat")


def read_seconds(path: str) -> float:
    """Return the processor time of a process or a thread, by the path of its `stat`."""
    fields = Path(path).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _wait(sent: Sent) -> float:
    return (sent.interaction.answered_at or perf_counter()) - sent.interaction.sent_at


def _unanswered(sent: list[Sent]) -> int:
    return sum(not each.interaction.complete for each in sent)


def _delays(sent: list[Sent]) -> Iterator[float]:
    """Yield how long each turn waited for its board. A board that is missing counts as if it came now."""
    for each in sent:
        new = each.game.channel.messages[each.boards :]
        yield (new[0].posted_at if new else time()) - each.at


def _missing(sent: list[Sent]) -> int:
    return sum(len(each.game.channel.messages) <= each.boards for each in sent)


def _memory(bot: Bot) -> float:
    """Return the resident memory of the bot in MiB."""
    (line,) = [row for row in Path(f"/proc/{bot.pid}/status").read_text().splitlines() if row.startswith("VmRSS:")]
    return int(line.split()[1]) / 1024


async def _start(bot: Bot, discord: StandIn, asker: RunningGame) -> float:
    """Start the process; return the seconds until the first command is answered."""
    begun = perf_counter()
    await bot.start()
    asked = await discord.slash(player(discord, asker.user), asker.channel, "gipf help")
    await asked.answered()
    return perf_counter() - begun


async def measure(folder: Path, running: int, ended: int, seconds: float) -> dict[str, float]:
    """Measure, and return the figures by name. Print the runs meanwhile."""
    async with StandIn() as discord:
        bot = Bot(folder, discord)
        bot.settings.pop("GIPFBOT_INTERACTION_BURST")
        games = await add_crowd(bot, discord, running, ended)
        await bot.start()  # once before, for the commands
        await discord.wait_for(lambda: discord.world.commands, what="the commands")
        await bot.end()
        first_answer, load = await _start(bot, discord, games[0]), Load(bot, discord, games)
        discord.rates = Rates()
        idle = await load.run(1, seconds / 3)
        say(idle.line())
        begin = _memory(bot)
        busy = await load.run(RATE, seconds)
        memory = _memory(bot)
        say(busy.line(), f"memory {begin:.0f} MiB, then {memory:.0f}; {discord.rates.refused} requests refused")
        refused, discord.rates = discord.rates.refused, None
        await bot.end()
        bot.command, bot.settings["PYTHONPATH"] = [sys.executable, "-c", UNPACED], str(HOUSE)
        await bot.start()
        raised = [run async for run in _raise_rate(load, seconds / 12)]
        await bot.end()
        say(*bot.complaints, *discord.violations)
    return {
        "start": first_answer,
        "acknowledged_p99": 1000 * busy.p99,
        "acknowledged_of_idle": busy.p99 / idle.p99,
        "behind": max(busy.behind),
        "lost": busy.missing + busy.unanswered,
        "refused": refused,
        "memory": memory,
        "memory_of_start": memory / begin,
        "turn": busy.turn / busy.yard,
        "saturated": max(run.boards_a_second * run.yard for run in raised),
        "most_rate": max((run.rate for run in raised if not run.is_too_much), default=RATE),
    }


async def _raise_rate(load: Load, seconds: float) -> AsyncIterator[Run]:
    """Raise the rate until it is too much, and yield each run."""
    for rate in RAISED:
        run = await load.run(rate, seconds)
        say(run.line())
        yield run
        if run.is_too_much:
            return


def say(*lines: str) -> None:
    """Write lines to the standard error at once."""
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    sys.stderr.flush()


def main() -> int:
    """Measure, and print the figures as JSON."""
    parser = ArgumentParser("python -m tests.process.load", description="Load the bot with turns.")
    parser.add_argument("--running", type=int, default=RUNNING, help=f"running games, a multiple of {SAMPLES}")
    parser.add_argument("--ended", type=int, default=ENDED, help="finished games")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the load lasts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), options.running, options.ended, options.seconds))
    sys.stdout.write(f"{json.dumps(found)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
