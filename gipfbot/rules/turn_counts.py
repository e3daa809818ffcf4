"""Counts of full turns: the usual test of a rules engine (rules.md section 9)."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .actions import Act, Push, Use
from .engine import legal, play
from .full_turns import removal_ways, same_to_vacancies
from .position import Position


class Count(NamedTuple):
    """The number of sequences of `depth` turns, counted in three ways."""

    depth: int
    entries: int  # A: sequences of (dot, direction, kind) and removals
    turns: int  # D: sequences of turns that official notation writes differently
    positions: int  # C: distinct positions at the end


def successors(position: Position) -> Iterator[tuple[Position, bool]]:
    """Yield (position after the turn, is new) for each full turn.

    Pushes from different dots to one vacant spot are yielded separately. Only the first of them is new, if official
    notation writes them alike. `position` must be at the start of a turn; this is not checked.
    """
    alike = same_to_vacancies(position.rules)
    for ready in removal_ways(position):
        if ready.mover is not position.mover:
            yield ready, True
            continue
        occupied, seen = ready.owned[0] | ready.owned[1], set()
        for action in legal(ready):
            if type(action) is Use:
                yield from _ends_of_act(ready, action, True)
            elif type(action) is Push:
                first = (action.entry.first, action.kind)
                new = not alike or action.entry.first & occupied != 0 or first not in seen
                seen.add(first)
                yield from _ends_of_act(ready, action, new)


def _ends_of_act(position: Position, act: Act, new: bool) -> Iterator[tuple[Position, bool]]:
    acted = play(position, act)
    if acted.mover is not position.mover:
        yield acted, new
    else:
        yield from ((end, new) for end in removal_ways(acted))


def perft(position: Position, depth: int) -> Iterator[Count]:
    """Yield the counts for 1, 2, … `depth` turns. `position` must be at the start of a turn; this is not checked.

    Positions reached in several ways are followed once, with a weight. This visits far fewer turns than it counts.
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
