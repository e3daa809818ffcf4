"""Find ways through one removal step: those that clear given spots, and those that a text leaves open.

A step can have thousands of ways, so no function lists them all. Some follow only ways that clear the wanted spots; the
others are generators. All notations read and write removals with these functions.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Action, Position, Remove, Row, legal, open_rows, play
from gipfbot.rules.engine import removals


class Way(NamedTuple):
    """A sequence of actions through a removal step or a part of it, and the position it ends in."""

    actions: tuple[Action, ...]
    end: Position

    def then(self, action: Action) -> "Way":
        """Return the way with one more action."""
        return Way((*self.actions, action), play(self.end, action))


def play_along(position: Position, actions: Iterable[Action]) -> Way:
    """Return these actions as a way from `position`. Does not check that they are legal."""
    way = Way((), position)
    for action in actions:
        way = way.then(action)
    return way


def join_ways(way: Way, more: Way) -> Way:
    """Join two ways into one. Does not check that the second begins where the first ends."""
    return Way((*way.actions, *more.actions), more.end)


_ClearingEnds = dict[Position, tuple[str, tuple[Action, ...]]]
RemovalSpelling: TypeAlias = Callable[[Position, Remove], str]


def clearing_ways(position: Position, wanted: int, spell: RemovalSpelling, joint: str) -> list[Way]:
    """Return the ways that clear exactly the spots `wanted` (bits), one for each end position.

    If several ways lead to a position, the one whose text sorts first by code point is returned. `spell` writes one
    removal, and `joint` goes between two. The end positions differ in the lines dealt with, and so in the offers still
    open. Due rows may remain.
    """
    return [Way(actions, end) for end, (_, actions) in _clearing_ends(position, wanted, spell, joint, {}).items()]


def _clearing_ends(
    position: Position, wanted: int, spell: RemovalSpelling, joint: str, known: dict[Position, _ClearingEnds]
) -> _ClearingEnds:
    if not wanted:
        return {position: ("", ())}
    if position in known:
        return known[position]
    ends: _ClearingEnds = {}
    for action in _useful_removals(position, wanted):
        (after, first), missing = _removal_effect(position, action, spell), wanted & ~action.taken
        if missing and after.mover is not position.mover:
            continue
        for end, (rest, way) in _clearing_ends(after, missing, spell, joint, known).items():
            text = joint.join(filter(None, (first, rest)))
            if end not in ends or text < ends[end][0]:
                ends[end] = (text, (action, *way))
    known[position] = ends
    return ends


def clearing_text(
    position: Position, wanted: int, spell: RemovalSpelling, joint: str, fits: Callable[[Position], bool]
) -> str | None:
    """Return the text that sorts first among the ways that clear exactly the spots `wanted` (bits).

    Only ways whose end position `fits` accepts count; None if there is none. `spell` and `joint` are as in
    `clearing_ways`. Faster than listing all ways: a way is given up once its text sorts after the best one found.
    """

    def best(here: Position, wanted: int) -> str | None:
        if not wanted:
            return "" if fits(here) else None
        if here not in known:
            known[here] = searched(here, wanted)
        return known[here]

    def searched(here: Position, wanted: int) -> str | None:
        found: str | None = None
        steps = (
            (*_removal_effect(here, action, spell), wanted & ~action.taken) for action in _useful_removals(here, wanted)
        )
        for after, first, missing in sorted(steps, key=itemgetter(1)):
            if found is not None and first > found:
                break
            if missing and after.mover is not here.mover:
                continue
            if (rest := best(after, missing)) is not None:
                text = joint.join(filter(None, (first, rest)))
                found = text if found is None else min(found, text)
        return found

    known: dict[Position, str | None] = {}
    return best(position, wanted)


@lru_cache(maxsize=512)
def _removal_effect(position: Position, action: Remove, spell: RemovalSpelling) -> tuple[Position, str]:
    """Return the position after a removal, and its text. Cached, since compared ways share most removals."""
    return play(position, action), spell(position, action)


def _useful_removals(position: Position, wanted: int) -> Iterator[Remove]:
    """Yield the removals that clear no unwanted spot, and leave no wanted spot that only their row can clear.

    Asks the rules row by row, since a crowded position has hundreds of other removals.
    """
    rows = _rows_with_own_spots(position)
    if wanted & ~_union_of_stretches(row for row, _ in rows):
        return
    for row, alone in rows:
        must = row.must | alone & wanted
        if not must & ~wanted:
            yield from removals(row._replace(must=must, may=row.may & wanted & ~must))


@lru_cache(maxsize=512)
def _rows_with_own_spots(position: Position) -> tuple[tuple[Row, int], ...]:
    """Return the open rows, each with the spots (bits) that no other open row includes."""
    rows = open_rows(position)
    return tuple((row, row.stretch & ~_union_of_stretches(other for other in rows if other is not row)) for row in rows)


def _union_of_stretches(rows: Iterable[Row]) -> int:
    spots = 0
    for row in rows:
        spots |= row.stretch
    return spots


def way_by_lists(position: Position, lists: Iterable[int]) -> Way | None:
    """Return the way that removes one row for each set of spots (bits), in order. None if that is not legal."""
    way = Way((), position)
    for taken in lists:
        action = next((a for a in legal(way.end) if isinstance(a, Remove) and a.taken == taken), None)
        if action is None or way.end.mover is not position.mover:
            return None
        way = way.then(action)
    return way


def open_ways(position: Position, *, keep: bool = False) -> Iterator[Way]:
    """Yield the ways that remove all due rows and take nothing from offers, one for each resulting board (R4.7).

    With `keep`, only ways that take no GIPF-piece. A player who must push with an empty reserve has to remove something
    from an offer first (R6.1).
    """
    boards = set()
    for way in _compulsory_ways(Way((), position), {position}, keep):
        board = way.end._replace(dealt=0)
        if board not in boards:
            boards.add(board)
            yield way


def _compulsory_ways(way: Way, seen: set[Position], keep: bool) -> Iterator[Way]:
    rows = open_rows(way.end)
    lines, spared = {row.line.number for row in rows if row.due}, way.end.gipf if keep else 0
    if not lines and not way.end.pushed and not way.end.reserve[way.end.mover]:
        lines, spared = {row.line.number for row in rows}, 0
    if not lines:
        yield way
    for action in legal(way.end) if lines else ():
        if isinstance(action, Remove) and action.line in lines and not action.taken & spared:
            after = way.then(action)
            if after.end not in seen:
                seen.add(after.end)
                yield from [after] if after.end.mover is not way.end.mover else _compulsory_ways(after, seen, keep)


def only_way(position: Position) -> Way | None:
    """Return the way that a bare `x` means: it removes all due rows. None if different boards can result."""
    ways = open_ways(position)
    only = next(ways, None)
    return only if next(ways, None) is None else None
