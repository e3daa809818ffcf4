"""Compare sides that are measured in turn, as ratios: a machine that becomes slower slows all sides alike."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from statistics import median

from .figures import Figure

FIRST = "first"  # the side that the others are compared with
Measure = Callable[[], Awaitable[float]]


async def alternate_sides(rounds: int, sides: Mapping[str, Measure]) -> dict[str, list[float]]:
    """Return the seconds of each side, measured in turn. Every second round goes the other way."""
    found: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(rounds):
        for name in list(sides) if number % 2 else list(sides)[::-1]:
            found[name].append(await sides[name]())
    return found


def ratio_figures(first: str, prefix: str, sides: Mapping[str, list[float]], most: float) -> Iterator[Figure]:
    """Yield the median of the side FIRST in ms, and the median ratio of each other side to it.

    `first` is the name of the first figure. The others are named by their side, after the prefix.
    """
    base = sides[FIRST]
    yield Figure(first, 1000 * median(base), "ms")
    for name, seconds in sides.items():
        if name != FIRST:
            ratio = median(second / one for one, second in zip(base, seconds, strict=True))
            yield Figure(f"{prefix}{name}", ratio, "times", at_most=most)
