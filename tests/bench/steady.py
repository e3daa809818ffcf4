"""Measure whether drawing many pictures makes the memory grow, and how late the event loop is during bursts.

A burst is a demand for many pictures at once. Memory is the peak of a new process that only draws.
"""

import asyncio
import resource
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from random import Random
from string import ascii_letters

from gipfbot.ui.board.public_board import game_picture
from gipfbot.ui.kit.pictures import Painter
from render import Picture, png

from .figures import Counts, Figure
from .loop_delay import LoopProbe
from .samples import random_match

MIB = 1 << 20
GROWN = 4  # MiB at most, over the second half of all pictures; the first half fills the caches
BURSTS = 10  # one after the other, so that the loop is probed often enough


def steady_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the memory used by drawing, its growth, and how late the loop is during bursts.

    The growth is measured over the second half of the pictures.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        half, every = fresh.submit(_measure_memory, counts.drawn).result()
    yield Figure("steady.memory", every / MIB, "MiB")
    yield Figure("steady.memory_growth", (every - half) / MIB, "MiB", at_most=GROWN)
    yield from asyncio.run(_probe_bursts(counts)).figures("steady")


def _measure_memory(count: int) -> tuple[int, int]:
    """Return the peak memory in bytes after half of the pictures, and after all of them."""
    drawing = _random_pictures(Random(6))
    for picture in islice(drawing, count // 2):
        png(picture)
    half = _peak_memory()
    for picture in islice(drawing, count - count // 2):
        png(picture)
    return half, _peak_memory()


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _random_pictures(rng: Random) -> Iterator[Picture]:
    """Yield without end the boards of random games. The players of each game have new names."""
    while True:
        names = "".join(rng.choices(ascii_letters, k=12)), "".join(rng.choices(ascii_letters, k=12))
        yield from (replace(game_picture(game), players=names) for game in random_match(rng))


async def _probe_bursts(counts: Counts) -> LoopProbe:
    painter, probe = Painter(), LoopProbe()
    pictures = [list(islice(_random_pictures(Random(seed)), counts.burst)) for seed in range(BURSTS)]
    async with probe.running():
        for burst in pictures:
            await asyncio.gather(*map(painter.png, burst))
            await probe.run_beside_yardstick(counts.beside / BURSTS)
    painter.close()
    return probe
