"""What a player could do in one turn, were it their turn: make rows, take pieces in, win (R4, R6).

Everything is found by trying turns with the rules. Where there are too many turns to try, the answer is None: unknown.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

from .actions import Push
from .changes import moves
from .engine import can_go_on, play
from .full_turns import distinct_acts, removal_ways, turns
from .geometry import BIT, LINES, NAME, each_bit
from .pieces import Colour
from .position import Position
from .rows import Row, has_row, open_rows
from .rulesets import OFFICIAL_COURSE

RowName: TypeAlias = tuple[int, tuple[str, ...]]  # the number of its line, and its spots
MOST_TRIED = 1000  # turns of one position; few positions of real games have more


class ReachedRow(NamedTuple):
    """A row that a player could make or remove in one turn, and what its removal takes in of the opponent's pieces.

    There may be several ways to make the row: `taken` and `gipf` belong together, `most` and `in_reach` to all ways.
    """

    line: int
    spots: tuple[str, ...]  # of the row itself, along its line, as it would stand
    taken: int  # pieces that it takes in, without those that may stay
    gipf: tuple[str, ...]  # the spots, as they are now, of the GIPF-pieces that it may take in
    most: int  # the most pieces that it can take in
    in_reach: frozenset[str]  # the GIPF-pieces that it may take in, in one way or another

    def together(self, other: "ReachedRow") -> "ReachedRow":
        """Return this row with another way to make it."""
        better = max(self, other, key=lambda row: (len(row.gipf), row.taken))
        return better._replace(most=max(self.most, other.most), in_reach=self.in_reach | other.in_reach)


def to_move(position: Position, colour: Colour) -> Position | None:
    """Return the same position with this player at the start of a turn.

    None if they could do nothing, if the game is over, and in Overboard, whose rows take nothing in.
    """
    if position.result is not None or position.rules.course != OFFICIAL_COURSE:
        return None
    turned = position._replace(mover=colour, pushed=False, dealt=0)
    return turned if can_go_on(turned) or open_rows(turned) else None


def reached_rows(position: Position, colour: Colour) -> dict[RowName, ReachedRow] | None:
    """Return the rows that a player could have in one turn, by line and spots.

    They stand now, or after one push or use of a potential. None if there are too many turns to try.
    """
    begun = to_move(position, colour)
    found = dict[RowName, ReachedRow]()
    if begun is None:
        return found
    tried = list(islice(_acts(begun), MOST_TRIED + 1))
    if len(tried) > MOST_TRIED or (begun.left and has_row(begun.owned[colour])):
        return None  # with potentials a removal may free pieces, so spots alone do not say which piece is taken
    standing = [_reached(begun, row, {}) for row in open_rows(begun)]
    for row in (*standing, *(row for ready, act, acted in tried for row in _rows_made(ready, act, acted))):
        known = found.get((row.line, row.spots), row)
        found[row.line, row.spots] = known.together(row)
    return found


def can_win_at_once(position: Position, colour: Colour) -> bool | None:
    """Return whether a player could win with one turn, were it theirs. None if there are too many turns to try."""
    begun = to_move(position, colour)
    if begun is None:
        return False
    tried = 0
    for _, end in islice(turns(begun), MOST_TRIED + 1):
        tried += 1
        if end.result is not None and end.result.winner is colour:
            return True
    return None if tried > MOST_TRIED else False


def _acts(begun: Position) -> Iterator[tuple[Position, Push | None, Position]]:
    """Yield the position before each push or use, the push, and the position after it, in which a row stands."""
    for ready in removal_ways(begun):
        if ready.mover is not begun.mover or ready.result is not None or not can_go_on(ready):
            continue
        for act in distinct_acts(ready):
            acted = play(ready, act)
            yield ready, act if isinstance(act, Push) else None, acted


def _rows_made(ready: Position, push: Push | None, acted: Position) -> Iterator[ReachedRow]:
    if acted.mover is ready.mover and acted.pushed and acted.result is None:
        came_from = {to: spot for spot, to in moves(ready, push)} if push else {}
        yield from (_reached(acted, row, came_from) for row in open_rows(acted))


def _reached(position: Position, row: Row, came_from: dict[str, str]) -> ReachedRow:
    theirs = position.owned[position.mover.other]
    now = tuple(sorted(came_from.get(NAME[bit], NAME[bit]) for bit in each_bit(row.may & theirs & position.gipf)))
    spots = tuple(spot for spot in LINES[row.line.number].spots if BIT[spot] & row.core)
    taken, most = (row.must & theirs).bit_count(), (row.stretch & theirs).bit_count()
    return ReachedRow(row.line.number, spots, taken, now, most, frozenset(now))
