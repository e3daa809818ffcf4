"""Whole turns, found lazily: the removals before the push, the push, the removals after it (R3).

Never list all full turns of a position: their number is before x push x after. Two turns are the same if they remove
the same pieces in each step and make the same push. A vacant spot is one push, whichever dot leads there.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .actions import PASS, Action, Push, Remove
from .engine import legal, play, pushes
from .position import Position

Naming = Callable[[Position, Remove], str]


class Turn(NamedTuple):
    """A complete turn. `after` ends with PASS where offers were left standing (R4.7)."""

    before: tuple[Remove, ...]
    act: Push | None  # None when the removal before the push ended the game
    after: tuple[Action, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the turn, in order."""
        return (*self.before, *((self.act,) if self.act else ()), *self.after)


def _unnamed(position: Position, remove: Remove) -> str:
    return ""


def removal_ways(position: Position, name: Naming = _unnamed) -> dict[Position, tuple[Action, ...]]:
    """Return one way through the pending removal step for each position it can end in.

    Of several ways to one board it is the one whose names, joined by `;`, sort first by code point. Before the push
    `dealt` is cleared in the positions returned, as the push clears it. Without a row the step is over.
    """
    ends = _removal_ends(position, name, {})
    return {end: way for end, (_, way) in ends.items()}


_Ends = dict[Position, tuple[str, tuple[Action, ...]]]


def _removal_ends(position: Position, name: Naming, known: dict[Position, _Ends]) -> _Ends:
    if position in known:
        return known[position]
    ends: _Ends = {}
    for action in legal(position):
        if type(action) is not Remove:
            if action is PASS:
                ends[play(position, PASS)] = ("", (PASS,))
            else:
                ends[position._replace(dealt=0)] = ("", ())
            continue
        after = play(position, action)
        rests = (
            _removal_ends(after, name, known)
            if after.mover is position.mover and not after.result
            else {after: ("", ())}
        )
        first = name(position, action)
        for end, (rest, way) in rests.items():
            text = f"{first};{rest}" if rest else first
            if end not in ends or text < ends[end][0]:
                ends[end] = (text, (action, *way))
    known[position] = ends
    return ends


def distinct_pushes(position: Position) -> Iterator[Push]:
    """Yield the legal pushes, a vacant spot only once whatever the dot.

    Does not check that no row is due, that the player has a piece in reserve, or that the game goes on.
    """
    occupied, seen = position.owned[0] | position.owned[1], set()
    for push in pushes(position):
        if not occupied & push.entry.first:
            key = push.spot, push.kind
            if key in seen:
                continue
            seen.add(key)
        yield push


def turns(position: Position, name: Naming = _unnamed) -> Iterator[tuple[Turn, Position]]:
    """Yield every full turn with the position it leads to; `position` must stand at the start of a turn.

    `name` chooses among equal ways of a removal step, as in `removal_ways`.
    """
    for ready, before in removal_ways(position, name).items():
        removals = tuple(action for action in before if type(action) is Remove)
        if ready.mover is not position.mover:
            yield Turn(removals, None, ()), ready
            continue
        for push in distinct_pushes(ready):
            pushed = play(ready, push)
            if pushed.mover is not position.mover:
                yield Turn(removals, push, ()), pushed
                continue
            for end, after in removal_ways(pushed, name).items():
                yield Turn(removals, push, after), end
