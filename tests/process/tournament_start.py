"""`python -m tests.process.tournament_start`: how long boards wait while a Swiss tournament of 64 starts.

Two people play in the tournament's channel, and two in another one, with Discord's limits on. The longest wait for a
board while the tournament begins its games is compared with the median of those before.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.standin import StandIn
from tests.standin.rates import IN_CHANNEL, WINDOW, Rates

from .cups import Cups
from .flood_at_once import Figure, Pair, Waits, live
from .flood_kinds import say
from .running import Bot
from .stored_courses import read_rows, require

PLAYERS = 64
IN_ANOTHER, IN_ITS_OWN = 1.0, 6.0  # seconds at most
BEFORE = 60  # seconds from the opening to the start
AFTER = PLAYERS / 2 / IN_CHANNEL * WINDOW + 10  # seconds in which all first boards can be posted
BEGUN = "SELECT count(*) FROM tournament_pairings WHERE game IS NOT NULL"


async def measure_start(folder: Path) -> list[Figure]:
    """Return the delays of boards in both channels."""
    async with StandIn() as discord:
        bot = Bot(folder, discord)
        bot.settings["GIPFBOT_INTERACTIONS_PER_MINUTE"] = "100000"
        await bot.start()
        await discord.wait_for(lambda: discord.world.commands, what="the commands")
        await bot.end()
        people = [discord.user(f"player{number}") for number in range(PLAYERS)]
        cups = Cups(bot.settings["GIPFBOT_DATABASE_URL"], bot.database, discord.general, people)
        cups.sizes, cups.soon = {"swiss": PLAYERS}, BEFORE
        starts_at = time.time() + BEFORE
        await cups.keep_going()
        await bot.start()
        places = discord.general, discord.world.add_channel(discord.guild, "elsewhere")
        pairs = [Pair(bot, discord, place, f"pair {place.name}") for place in places]
        for pair in pairs:
            await pair.begin()
        discord.rates = Rates()
        before = await _all_live(pairs, starts_at - time.time())
        after = await _all_live(pairs, AFTER)
        require(read_rows(bot.database, BEGUN) == [PLAYERS // 2], "the tournament has not begun:", bot.log[-2000:])
        await bot.kill()
    say(*(f"{name}: {waits}" for name, each in (("before", before), ("after", after)) for waits in each))
    names = ("a board in its own channel", IN_ITS_OWN), ("a board in another channel", IN_ANOTHER)
    delays = [max(late.posted) - median(usual.posted) for usual, late in zip(before, after, strict=True)]
    return [Figure(name, delay, limit) for (name, limit), delay in zip(names, delays, strict=True)]


async def _all_live(pairs: list[Pair], seconds: float) -> list[Waits]:
    return [*await asyncio.gather(*(live([pair], seconds) for pair in pairs))]


def main() -> int:
    """Measure, and print the figures. Return 0 if the limits are met."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure_start(Path(folder)))
    say(*figures)
    return 0 if all(figure.is_met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
