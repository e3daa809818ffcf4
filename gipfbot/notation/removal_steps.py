"""Find ways to clear given spots in one step, or to remove all due rows.

A step is the removals before the push, or the removals after it. It can have thousands of ways. So some functions
follow only the ways that clear the wanted spots. `open_ways` is a generator, so its callers can stop early.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, reduce
from itertools import combinations
from operator import itemgetter, or_
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Action, Position, Remove, Row, legal, open_rows, play
from gipfbot.rules.engine import can_go_on, clear_row, removals, settle
from gipfbot.rules.geometry import ALL_SPOTS, LINES, each_bit
from gipfbot.rules.position import covered_spots
from gipfbot.rules.rows import loaded_spots

_new = tuple.__new__  # faster than the constructor of a named tuple
# A set of wanted spots can hold a spot twice, if a piece goes with its top. Each repetition has its own level of bits.
_LEVEL = 64
_ClearingEnds = dict[Position, tuple[str, tuple[Action, ...]]]
RemovalSpelling: TypeAlias = Callable[[Position, Remove], str]


class Way(NamedTuple):
    """A sequence of actions, most often the removals of a step, and the position after them."""

    actions: tuple[Action, ...]
    end: Position

    def then(self, action: Action) -> "Way":
        """Return the way with one more action."""
        return Way((*self.actions, action), play_cached(self.end, action))


def play_cached(position: Position, action: Action) -> Position:
    """Return the position after an action, like `play`. Removals are remembered, since turns of a list share them."""
    return _after_removal(position, action) if type(action) is Remove else play(position, action)


@lru_cache(maxsize=512)
def _after_removal(position: Position, action: Remove) -> Position:
    if position.notes_rows:
        return play(position, action)
    cleared = clear_row(position, action)
    return settle(cleared, cached_rows(cleared))  # most often the rows that the next step of the search needs


def play_along(position: Position, actions: Iterable[Action]) -> Way:
    """Play the actions from `position`, and return them as a way. Does not check that they are legal."""
    way = Way((), position)
    for action in actions:
        way = way.then(action)
    return way


def join_ways(way: Way, more: Way) -> Way:
    """Join two ways into one. Does not check that the second begins where the first ends."""
    return Way((*way.actions, *more.actions), more.end)


def add_spots(*sets: int) -> int:
    """Return all spots of these sets (bits). A spot that stands in several of them is counted each time."""
    wanted = 0
    for spots in sets:
        wanted = _add_once(wanted, spots)
    return wanted


def _add_once(wanted: int, spots: int) -> int:
    twice = wanted & spots
    return wanted | spots if not twice else (wanted | spots) | _add_once(wanted >> _LEVEL, twice) << _LEVEL


def subtract_spots(wanted: int, gone: int) -> int:
    """Return the wanted spots without those in `gone`. A spot is taken away as often as it occurs there."""
    while gone:
        wanted, gone = _take_spots(wanted, gone & (1 << _LEVEL) - 1), gone >> _LEVEL
    return wanted


def _take_spots(wanted: int, taken: int) -> int:
    """Return wanted spots without the taken ones, each counted once less."""
    if not wanted >> _LEVEL:
        return wanted & ~taken
    higher = wanted >> _LEVEL
    twice = taken & higher
    lowest = (wanted & (1 << _LEVEL) - 1) & ~(taken & ~twice)
    return lowest | _take_spots(higher, twice) << _LEVEL


def clearing_ways(
    position: Position, wanted: int, spell: RemovalSpelling, joint: str, lists: tuple[int, ...] = ()
) -> list[Way]:
    """Return ways to clear exactly the spots `wanted` (bits), one for each position that can result.

    These positions differ in the lines dealt with. Due rows may remain. If several ways lead to one position, the way
    whose text sorts first by code point is returned. In that text, `spell` writes each removal, and `joint` stands
    between two of them. If `lists` is given, each removal must lie within one of these sets of spots (bits).
    """
    ends = _clearing_ends(position, wanted, spell, joint, {}, lists or (wanted,))
    return [Way(actions, end) for end, (_, actions) in ends.items()]


def played_removals(position: Position, actions: Iterable[Action], spell: RemovalSpelling) -> Iterator[str]:
    """Yield the text of each removal in `actions`, played from `position`. `spell` writes a removal."""
    for action in actions:
        if isinstance(action, Remove):
            yield spell(position, action)
        position = play_cached(position, action)


def _clearing_ends(
    position: Position,
    wanted: int,
    spell: RemovalSpelling,
    joint: str,
    known: dict[Position, _ClearingEnds],
    lists: tuple[int, ...],
) -> _ClearingEnds:
    if not wanted:
        return {position: ("", ())}
    if position in known:
        return known[position]
    ends: _ClearingEnds = {}
    for action in _useful_removals(position, wanted):
        if all(action.taken & ~spots for spots in lists):
            continue
        first, after = spell(position, action), play_cached(position, action)
        missing = _take_spots(wanted, action.taken)
        if missing and after.mover is not position.mover:
            continue
        for end, (rest, way) in _clearing_ends(after, missing, spell, joint, known, lists).items():
            text = joint.join(filter(None, (first, rest)))
            if end not in ends or text < ends[end][0]:
                ends[end] = (text, (action, *way))
    known[position] = ends
    return ends


def clearing_text(
    position: Position, played: Way, spell: RemovalSpelling, joint: str, fits: Callable[[Position], bool]
) -> str | None:
    """Return the text of a way to clear the same spots as `played`: the text that sorts first by code point.

    `played` begins at `position`, and consists of removals. A way counts only if `fits` accepts the position at its
    end. None if no way counts. `spell` and `joint` are as in `clearing_ways`. Faster than listing all ways: a way is
    given up once its text sorts after the best text found.
    """

    def best(here: Position, wanted: int) -> str | None:
        state = wanted, here.dealt  # these two tell apart all positions on the way
        if state in known:
            return known[state]
        found: str | None = None
        steps = [(spell(here, action), action) for action in _useful_removals(here, wanted)]
        for first, action in sorted(steps, key=itemgetter(0)):
            if found is not None and first > found:
                break
            missing = _take_spots(wanted, action.taken)
            if (rest := rest_text(here, action, missing)) is not None:
                text = f"{first}{joint}{rest}" if first and rest else first or rest
                found = text if found is None or text < found else found
        known[state] = found
        return found

    def rest_text(here: Position, action: Remove, missing: int) -> str | None:
        if not missing and here.dealt | 1 << action.line == dealt:
            return ""  # no need to play it: the same lines are dealt with and the same spots cleared, as in `played`
        after = play_cached(here, action)
        if missing:
            return best(after, missing) if after.mover is here.mover else None
        return "" if fits(after) else None

    known: dict[tuple[int, int], str | None] = {}
    removed = [action for action in played.actions if isinstance(action, Remove)]
    if len(removed) == 1 and len(cached_rows(position)) == 1 and not position.odd and fits(played.end):
        return spell(position, removed[0])  # there is no other way
    wanted = add_spots(*(action.taken for action in removed))
    dealt = 0 if _reopened_spots(position, wanted) else _dealt_by(position, removed)
    return best(position, wanted)


def are_apart(position: Position, removed: Iterable[Remove]) -> bool:
    """Return whether these removals can be made in any order, and are the only way to clear their spots.

    Assumes that they are legal in some order, and that none ends the game before the last. False with odd pieces.
    """
    taken = {action.line: action.taken for action in removed}
    wanted = sum(taken.values())
    for row in cached_rows(position):
        own = taken.get(row.line.number, 0)
        if row.stretch & wanted & ~own and (own or not row.must & ~wanted):
            return False
    return not position.odd


def _dealt_by(position: Position, removed: Iterable[Remove]) -> int:
    """Return the numbers (bits) of the lines dealt with after these removals, if none of them frees a piece."""
    return reduce(or_, (1 << action.line for action in removed), position.dealt)


def _reopened_spots(position: Position, wanted: int) -> int:
    """Return the spots (bits) in line with a piece that clearing `wanted` frees. New rows can open only there."""
    return _spots_in_line(covered_spots(position) & wanted) if position.odd else 0


@lru_cache(maxsize=512)
def _spots_in_line(spots: int) -> int:
    """Return all spots (bits) of the lines on which one of these spots is."""
    return reduce(or_, (line.mask for line in LINES if line.mask & spots), 0)


def _useful_removals(position: Position, wanted: int) -> list[Remove]:
    """Return every removal that can begin a way to clear exactly the spots `wanted` (bits).

    Such a removal clears no unwanted spot. It clears every wanted spot of its row that no other row includes, open or
    opened later. The rules are asked row by row, since a crowded position has hundreds of other removals.
    """
    rows, union = cached_rows(position), _reopened_spots(position, wanted)
    shared = union
    for row in rows:
        shared |= union & row.stretch
        union |= row.stretch
    found = list[Remove]()
    for row in rows if not wanted & ALL_SPOTS & ~union else ():
        if row.must & ~wanted:
            continue
        own = row.stretch & wanted & ~shared
        if row.loss or row.may & wanted & ~own:
            found += removals_smallest_first(row, own, wanted)
        elif row.must | own:
            found.append(_new(Remove, (row.line.number, row.must | own)))
    return found


def removals_smallest_first(row: Row, named: int, within: int) -> Iterator[Remove]:
    """Yield every removal of `row` that clears the spots `named` (bits), the smallest removal first.

    Other GIPF-pieces and loaded pieces go only if their spots are in `within`.
    """
    if named & ~row.stretch:
        return
    line, least = row.line.number, row.must | named
    for more in _subsets_smallest_first(row.may & within & ~named):
        taken = least | more
        if taken & row.loss if row.loss else taken:
            yield _new(Remove, (line, taken))


@cache
def _subsets_smallest_first(spots: int) -> tuple[int, ...]:
    """Return all sets of these spots of one line (bits), the smallest first."""
    single = [*each_bit(spots)]
    return tuple(sum(some) for count in range(len(single) + 1) for some in combinations(single, count))


@lru_cache(maxsize=512)
def cached_rows(position: Position) -> tuple[Row, ...]:
    """Return the open rows of a position. They are remembered, since turns of a list share them."""
    return open_rows(position)


def way_by_lists(position: Position, lists: Iterable[int]) -> Way | None:
    """Return the way that removes one row for each item of `lists`, in order. None if that is not legal.

    Each item is a set of spots (bits), and its removal clears exactly that set.
    """
    way = Way((), position)
    for taken in lists:
        action = next((a for a in legal(way.end) if isinstance(a, Remove) and a.taken == taken), None)
        if action is None or way.end.mover is not position.mover:
            return None
        way = way.then(action)
    return way


def open_ways(position: Position, *, keep: bool = False) -> Iterator[Way]:
    """Yield one way to remove all due rows for each board that can result (R4.7).

    Rows that may stay are not removed. With `keep`, no GIPF-piece is taken. Both limits are lifted when no row is due,
    the player must push next and their reserve is empty (R6.1).
    """
    boards = set()
    for way in _compulsory_ways(Way((), position), {position}, keep):
        board = way.end._replace(dealt=0)
        if board not in boards:
            boards.add(board)
            yield way


def _spared_spots(position: Position, rows: Iterable[Row]) -> int:
    """Return the pieces (bits) that stay unless the text names them. None stays in a row that must lose one (R7.4)."""
    asked = sum({row.loss for row in rows if row.loss})
    return position.gipf | loaded_spots(position) if not asked else 0


def _compulsory_ways(way: Way, seen: set[Position], keep: bool) -> Iterator[Way]:
    rows = open_rows(way.end)
    lines, spared = {row.line.number for row in rows if row.due}, _spared_spots(way.end, rows) if keep else 0
    if not lines and not way.end.pushed and not can_go_on(way.end):
        lines, spared = {row.line.number for row in rows}, 0
    if not lines:
        yield way
    for action in legal(way.end) if lines else ():
        if isinstance(action, Remove) and action.line in lines and not action.taken & spared:
            after = way.then(action)
            if after.end not in seen:
                seen.add(after.end)
                yield from [after] if after.end.mover is not way.end.mover else _compulsory_ways(after, seen, keep)


def ways_taking_gipf(position: Position, wanted: int) -> Iterator[Way]:
    """Yield one way to take the GIPF-pieces `wanted` (bits) with their rows, for each board that can result.

    Removes only due rows that contain one of these pieces. Their other GIPF-pieces stay.
    """
    boards = set()
    for way in _ways_taking(Way((), position), wanted):
        board = way.end._replace(dealt=0)
        if board not in boards:
            boards.add(board)
            yield way


def _ways_taking(way: Way, wanted: int) -> Iterator[Way]:
    left = wanted & (way.end.owned[0] | way.end.owned[1])
    if not left:
        yield way
    for row in open_rows(way.end) if left and way.end.result is None else ():
        for action in removals(row._replace(may=row.may & left)) if row.due else ():
            if action.taken & left:
                yield from _ways_taking(way.then(action), wanted)


def only_way(position: Position) -> Way | None:
    """Return a way to remove all due rows if every way leads to the same board, otherwise None.

    A bare `x` stands for this way.
    """
    ways = open_ways(position)
    only = next(ways, None)
    return only if next(ways, None) is None else None
