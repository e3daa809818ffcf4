"""`make year`: run the simulated year in its full size, and print its figures."""

import asyncio
import sys
import tempfile
from argparse import ArgumentParser
from itertools import zip_longest
from pathlib import Path
from time import perf_counter, process_time

import simcord

from gipfbot.app import create_bot
from gipfbot.store import Store
from gipfbot.ui.lobby.welcome import greet_new_servers
from gipfbot.values import NO_LIMITS

from .again import both, by_game
from .course import Plan
from .living import live
from .tournaments import TournamentPlan, live_tournaments
from .year import Year

PAGE = 4096


def resident() -> float:
    """Return the memory that this process uses, in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


async def compare(year: Year, folder: Path) -> tuple[int, int]:
    """Repeat the recorded club in SimCord; return the numbers of games and messages. Fail if any message differs."""
    store = await Store.open_database(f"sqlite+aiosqlite:///{folder}/again.sqlite3")
    bot = create_bot(store, limits=NO_LIMITS)
    try:
        async with simcord.run(bot, settle_timeout=60) as env:
            guild = env.create_guild("Club")
            await env.settle()
            await greet_new_servers(bot, bot.guilds)  # before there is a channel for a welcome
            await bot.close()
            club, now, then = await both(year, env, store, guild, guild.create_text_channel("gipf"))
            await club.bot.close()
        found, wanted = by_game(now), by_game(then)
        assert found.keys() == wanted.keys(), found.keys() ^ wanted.keys()
        for game, messages in wanted.items():
            differ = [pair for pair in zip_longest(found[game], messages) if pair[0] != pair[1]]
            assert not differ, (game, differ[0])
        return len(club.games), len(now)
    finally:
        await store.close()


def main() -> None:
    """Run a year and print its figures."""
    parser = ArgumentParser("python -m tests.year", description="Live through a year of many people's games.")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--clubs", type=int, default=50)
    parser.add_argument("--tournaments", type=int, default=TournamentPlan.tournaments)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    memory = dict[int, float]()

    def note(game: int) -> None:
        if game % 1000 == 0 or game == 100:
            memory[game] = resident()
            sys.stdout.write(f"{game:6,} games, {memory[game]:.1f} MiB, {process_time():.0f} s\n")
            sys.stdout.flush()

    begun, used = perf_counter(), process_time()
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None) as folder:
        plan = Plan(options.games, options.players, options.clubs, options.seed, club=0)
        year = asyncio.run(live(plan, Path(folder), note))
        same = asyncio.run(compare(year, Path(folder)))
        cups = TournamentPlan(options.tournaments, seed=options.seed)
        held = asyncio.run(live_tournaments(cups, Path(folder) / "tournaments.sqlite3"))
    for name, number in (*sorted(year.watch.counts.items()), *sorted(held.counts.items())):
        sys.stdout.write(f"{name:20}{number:10,}\n")
    sys.stdout.write(f"{perf_counter() - begun:.0f} s, of which {process_time() - used:.0f} s in the processor\n")
    sys.stdout.write(f"{same[0]} games repeated in SimCord: all {same[1]:,} messages are the same\n")
    if 1000 in memory:
        last = max(memory)
        sys.stdout.write(f"memory from game 1,000 to {last:,}: {memory[last] - memory[1000]:+.1f} MiB\n")


if __name__ == "__main__":
    main()
