"""Generate full turns one by one: removals before the act, the push or use, removals after it (R3, R7.3).

Never build a list of all full turns: their number is a product (removals before × acts × removals after). Two turns
are equal if they remove the same pieces in each step and have the same act. Pushes of the same kind of piece to the
same vacant spot are the same push, whatever dot they come from. In Overboard they are not, since a push moves the whole
line; there, all that is removed is removed after the push, and the opponent's answers are part of the turn (R8).
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .actions import PASS, Act, Action, Push, Remove
from .engine import legal, play, pushes
from .loaded_games import uses
from .position import Position
from .rulesets import OFFICIAL_COURSE, Ruleset

Naming = Callable[[Position, Remove], str]


class Turn(NamedTuple):
    """A complete turn. `after` ends with PASS if a row that may stay is kept (R4.7), or if there is no act (R8.5)."""

    before: tuple[Remove, ...]
    act: Act | None  # None if a removal before the act ended the game, or if the player passes
    after: tuple[Action, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the turn, in order."""
        return (*self.before, *((self.act,) if self.act else ()), *self.after)


def _unnamed(position: Position, remove: Remove) -> str:
    return ""


def removal_ways(position: Position, name: Naming = _unnamed) -> dict[Position, tuple[Action, ...]]:
    """Return every position in which the pending removal step can end, with a sequence of actions that leads to it.

    If several sequences lead to a position, the sequence whose text sorts first by code point is returned. `name` gives
    the text of one removal, and `;` joins the texts. If there is no row, the step ends at once. If a push comes next,
    `dealt` is cleared in the returned position, as the push would clear it.
    """
    ends = _removal_ends(position, name, {})
    return {end: way for end, (_, way) in ends.items()}


_Ends = dict[Position, tuple[str, tuple[Action, ...]]]


def _removal_ends(position: Position, name: Naming, known: dict[Position, _Ends]) -> _Ends:
    if position in known:
        return known[position]
    ends: _Ends = {}
    acts_next = False
    for action in legal(position):
        if action is PASS:
            ends[play(position, PASS)] = ("", (PASS,))
            continue
        if type(action) is not Remove:
            acts_next = True
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
    if acts_next:
        ends[position._replace(dealt=0)] = ("", ())
    known[position] = ends
    return ends


def same_to_vacancies(rules: Ruleset) -> bool:
    """Return whether pushes of the same kind of piece to the same vacant spot are one move, whatever dot they use."""
    return rules.course == OFFICIAL_COURSE


def distinct_pushes(position: Position) -> Iterator[Push]:
    """Yield the legal pushes. If several push the same kind of piece to the same vacant spot, yield only one of them.

    In Overboard, yield all of them. Assumes that no row is due, that the player has a piece in reserve, and that the
    game is not over.
    """
    if not same_to_vacancies(position.rules):
        yield from (action for action in legal(position) if type(action) is Push)
        return
    occupied, seen = position.owned[0] | position.owned[1], set()
    for push in pushes(position):
        if not occupied & push.entry.first:
            key = push.spot, push.kind
            if key in seen:
                continue
            seen.add(key)
        yield push


def distinct_acts(position: Position) -> Iterator[Act]:
    """Yield the distinct pushes, and then the uses of potentials (R7.3). Assumes the same as `distinct_pushes`."""
    yield from distinct_pushes(position)
    yield from uses(position) if position.left else ()


def turns(position: Position, name: Naming = _unnamed) -> Iterator[tuple[Turn, Position]]:
    """Yield every full turn and the position after it. `position` must be at the start of a turn; this is not checked.

    If several sequences of removals lead to a position, `name` chooses one, as in `removal_ways`.
    """
    for ready, before in removal_ways(position, name).items():
        removals = tuple(action for action in before if type(action) is Remove)
        if ready.mover is not position.mover:
            yield Turn(removals, None, before[len(removals) :]), ready
            continue
        for act in distinct_acts(ready):
            acted = play(ready, act)
            if acted.mover is not position.mover:
                yield Turn(removals, act, ()), acted
                continue
            for end, after in removal_ways(acted, name).items():
                yield Turn(removals, act, after), end
