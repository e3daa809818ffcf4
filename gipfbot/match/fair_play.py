"""Fair play: which positions tell a player something about a game of theirs that goes on elsewhere. Pure.

What is good in a position is good in each of its images: the twelve symmetries of the board, and the exchange of the
colours. So all of them count as one position here. Whose colour it is makes no difference.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from gipfbot.rules import (
    STANDARD,
    TOURNAMENT,
    ByColour,
    Colour,
    Piece,
    Position,
    distinct_acts,
    play,
    removal_ways,
)
from gipfbot.rules.images import Image
from gipfbot.rules.position import Left, OddPieces, covered_spots
from gipfbot.rules.symmetries import SYMMETRIES

GUARDED_FROM = 6  # turns of both players: before that, many games stand alike by chance

T = TypeVar("T")
_Board: TypeAlias = tuple[ByColour[int], int, OddPieces]
_IMAGES = tuple(map(Image, SYMMETRIES))


class _Counts(NamedTuple):
    """What is the same in all images of a position, but for the colours. Compared first, because that is quick."""

    rules: str
    reserve: ByColour[int]
    captured: ByColour[int]
    opening: ByColour[bool]
    left: Left
    gipf_pieces: int


class Positions:
    """Positions at the start of a turn, in which any other is looked up. A result of the game makes no difference."""

    def __init__(self, positions: Iterable[Position]) -> None:
        self._by_counts = defaultdict[_Counts, list[Position]](list)
        for position in positions:
            turned = _with_mover(position, Colour.BLACK)
            self._by_counts[_counts(turned)].append(turned)
        self._boards = dict[_Counts, frozenset[_Board]]()  # of all images, made when they are first needed

    def has(self, position: Position) -> bool:
        """Return whether one of the positions is an image of this one."""
        turned = _with_mover(position, Colour.BLACK)
        return (counts := _counts(turned)) in self._by_counts and _board(turned) in self._boards_with(counts)

    def has_next(self, position: Position) -> bool:
        """Return whether one of the positions is an image of one that follows this one by one whole turn."""
        before = _with_mover(position, Colour.WHITE)
        counts = _counts(before)
        sought = [each for each in self._by_counts if _may_follow(counts, each)]
        return bool(sought) and any(map(self.has, self._next_positions(before, sought)))

    def _next_positions(self, before: Position, sought: Sequence[_Counts]) -> Iterator[Position]:
        """Yield the positions after each turn. Leave out turns whose removals cannot lead to the counts sought.

        A crowded position may have a million turns. Most of them differ only in what is removed after the push.
        """
        for ready in removal_ways(before):
            if ready.mover is not before.mover:
                yield ready
                continue
            for act in distinct_acts(ready):
                acted = play(ready, act)
                if acted.mover is not before.mover:
                    yield acted
                elif self._may_remain(acted, sought):
                    yield from removal_ways(acted)

    def _may_remain(self, acted: Position, sought: Sequence[_Counts]) -> bool:
        """Return whether removals alone may lead to a board with these counts: its pieces stand there already."""
        boards = (board for counts in sought for board in self._boards_with(counts))
        return any(_is_part(owned, gipf, acted) for owned, gipf, _ in boards)

    def _boards_with(self, counts: _Counts) -> frozenset[_Board]:
        if counts not in self._boards:
            found = self._by_counts[counts]
            self._boards[counts] = frozenset(_board(image.of_position(each)) for each in found for image in _IMAGES)
        return self._boards[counts]


def _counts(position: Position) -> _Counts:
    """Return the counts of a position. Tournament is played as Standard once its opening is over (R5)."""
    rules = position.rules.name.replace(TOURNAMENT.name, STANDARD.name)
    of_players = position.reserve, position.captured, position.opening, position.left
    return _Counts(rules, *of_players, position.gipf.bit_count())


def _may_follow(before: _Counts, after: _Counts) -> bool:
    """Return whether counts may be those after one turn: what was captured never comes back."""
    return before.rules == after.rules and all(map(int.__le__, before.captured, after.captured))


def _is_part(owned: ByColour[int], gipf: int, position: Position) -> bool:
    """Return whether a position has these pieces on their spots, whatever stands elsewhere.

    Spots with stacks are left out: the removal of the top shows what lies under it (R7.8).
    """
    spots = (owned[0] | owned[1]) & ~covered_spots(position)
    (white, black), tops = position.owned, position.gipf
    return (owned[0] ^ white) & spots == (owned[1] ^ black) & spots == (gipf ^ tops) & spots == 0


def _board(position: Position) -> _Board:
    return position.owned, position.gipf, position.odd


def _with_mover(position: Position, mover: Colour) -> Position:
    """Return a position as it is seen with this player to move: if it is the other's turn, with colours exchanged."""
    if position.mover is mover:
        return position
    return position._replace(
        mover=mover,
        owned=_swapped(position.owned),
        reserve=_swapped(position.reserve),
        captured=_swapped(position.captured),
        opening=_swapped(position.opening),
        odd=tuple((spot, _swapped_piece(piece)) for spot, piece in position.odd),
        left=_swapped(position.left) if position.left else (),
    )


def _swapped(pair: ByColour[T]) -> ByColour[T]:
    return pair[1], pair[0]


def _swapped_piece(piece: Piece) -> Piece:
    return Piece(piece.owner.other, piece.kind, tuple(map(_swapped_piece, piece.under)))
