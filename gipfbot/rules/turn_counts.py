"""Counts of full turns, the usual check of a rules engine (rules.md section 9)."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .actions import Push
from .engine import legal, play
from .full_turns import removal_ways
from .position import Position


class Count(NamedTuple):
    """The counts for sequences of `depth` turns."""

    depth: int
    entries: int  # A: sequences of (dot, direction, kind), with what is removed before and after
    turns: int  # D: sequences of turns as the official notation tells them apart
    positions: int  # C: distinct positions


def successors(position: Position) -> Iterator[tuple[Position, bool]]:
    """Yield the position after each full turn, once for each dot that leads to a vacant first spot.

    The flag is True for the first of such equal entries. `position` must stand at the start of a turn.
    """
    for ready in removal_ways(position):
        if ready.mover is not position.mover:
            yield ready, True
            continue
        occupied, seen = ready.owned[0] | ready.owned[1], set()
        for action in legal(ready):
            if type(action) is Push:
                first = (action.entry.first, action.kind)
                new = action.entry.first & occupied != 0 or first not in seen
                seen.add(first)
                pushed = play(ready, action)
                if pushed.mover is not position.mover:
                    yield pushed, new
                else:
                    yield from ((end, new) for end in removal_ways(pushed))


def perft(position: Position, depth: int) -> Iterator[Count]:
    """Yield the counts for 1, 2, … `depth` turns from a position at the start of a turn.

    Equal positions are followed once and weighted, so a count needs far fewer turns than it reports.
    """
    entries, turns = Counter({position: 1}), Counter({position: 1})
    for number in range(1, depth + 1):
        next_entries: Counter[Position] = Counter()
        next_turns: Counter[Position] = Counter()
        for before, weight in entries.items():
            for after, new in successors(before):
                next_entries[after] += weight
                if new:
                    next_turns[after] += turns[before]
        entries, turns = next_entries, next_turns
        yield Count(number, entries.total(), turns.total(), len(entries))
