"""A position: immutable, hashable data. `build` and `pieces()` translate it from and to spot names."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from .geometry import BIT, bits
from .pieces import ByColour, Colour, Kind, Piece, Result
from .rulesets import OFFICIAL_COURSE, Ruleset


class Stage(StrEnum):
    """What is asked about the row in work, in Overboard (R8.3). The value is its word in position lines."""

    ENDS = "ends"  # which runs of pieces at its ends go home; the mover answers
    GIPF = "gipf"  # which GIPF-pieces its owner gives up


class NotedRow(NamedTuple):
    """A row that was noted after the push and is not resolved yet, in Overboard (R8.3)."""

    owner: Colour
    line: int
    spots: int  # its spots when it was noted, as bits; pieces on them may be gone


class Resolving(NamedTuple):
    """How far the rows of a turn are resolved, in Overboard (R8.3).

    `noted` holds the rows that are not resolved yet, the mover's first. `stage` says what is asked about the first of
    them. Without a stage, the mover chooses the next row.
    """

    noted: tuple[NotedRow, ...] = ()
    stage: Stage | None = None


OddPieces: TypeAlias = tuple[tuple[int, Piece], ...]
Left: TypeAlias = ByColour[tuple[int, ...]] | tuple[()]


class Position(NamedTuple):
    """All that the rules need to know about a game between two actions.

    Sets of spots are bits (see `geometry`). `owned` holds the spots that each player occupies. `gipf` holds the spots
    whose top piece is a GIPF-piece. `odd` holds all other pieces, with the bits of their spots and sorted by them:
    loaded pieces, used potentials and stacks (section 7). Without potentials there are none. `dealt` holds the lines
    dealt with in this removal step; bit n stands for `LINES[n]` (R4.6). `left` counts each player's potentials that may
    still come in, in the order of `rules.potentials`; it is empty without potentials. `resolving` belongs to Overboard,
    and is None elsewhere: so the engine knows the official course without asking the rule set, which would be slower.
    Nothing here checks that the position is possible: `notation.parse_position` does.
    """

    rules: Ruleset
    mover: Colour
    owned: ByColour[int]
    gipf: int
    reserve: ByColour[int]
    captured: ByColour[int]  # the number of basic pieces that each player has lost
    opening: ByColour[bool]  # whether each player may still bring in GIPF-pieces (R5.2)
    pushed: bool = False  # whether the mover has already pushed or used a potential in this turn
    dealt: int = 0
    odd: OddPieces = ()
    result: Result | None = None
    left: Left = ()
    resolving: Resolving | None = None

    @property
    def notes_rows(self) -> bool:
        """Whether rows are noted after the push and resolved then, as in Overboard (R8.3)."""
        return self.resolving is not None

    @property
    def noted(self) -> tuple[NotedRow, ...]:
        """The rows that are not resolved yet, in Overboard (R8.3)."""
        return self.resolving.noted if self.resolving else ()

    @property
    def stage(self) -> Stage | None:
        """What is asked about the first of these rows; None if the mover chooses the next one."""
        return self.resolving.stage if self.resolving else None

    @property
    def decider(self) -> Colour:
        """The player whose decision is pending.

        It is the mover, unless the opponent is asked which GIPF-pieces of a row they give up (R8.4).
        """
        return self.noted[0].owner if self.stage is Stage.GIPF else self.mover

    def pieces(self) -> dict[str, Piece]:
        """Return the piece on each occupied spot, by the name of the spot."""
        odd = dict(self.odd)
        return {
            spot: odd.get(bit) or Piece(colour, Kind.GIPF if self.gipf & bit else Kind.BASIC)
            for spot, bit in BIT.items()
            for colour in Colour
            if self.owned[colour] & bit
        }


def build(
    rules: Ruleset,
    mover: Colour,
    pieces: ByColour[tuple[tuple[Kind, str], ...]],
    captured: ByColour[int] = (0, 0),
    opening: ByColour[bool] = (False, False),
    left: Left = (),
) -> Position:
    """Return the position at the start of a turn with these pieces on the board. All other pieces are in reserve.

    Loaded pieces and used potentials are pieces like any other. `with_stacks` puts pieces under them. Raises KeyError
    if a name belongs to no spot. Does not check that each spot is named once, or that the totals add up.
    """
    white, black = (bits(spot for _, spot in side) for side in pieces)
    gipf = bits(spot for side in pieces for kind, spot in side if kind is Kind.GIPF)
    on_board = [sum(_cost(rules, kind) for kind, _ in side) for side in pieces]
    reserve = (rules.pieces - on_board[0] - captured[0], rules.pieces - on_board[1] - captured[1])
    odd = tuple(
        (BIT[spot], Piece(colour, kind))
        for colour, side in zip(Colour, pieces, strict=True)
        for kind, spot in side
        if kind.loaded or kind.used
    )
    resolving = None if rules.course == OFFICIAL_COURSE else Resolving()
    sets = (white, black), gipf, reserve, captured, opening
    return Position(rules, mover, *sets, odd=tuple(sorted(odd)), left=left, resolving=resolving)


def _cost(rules: Ruleset, kind: Kind) -> int:
    """Return how many of a player's basic pieces are in a piece on the board."""
    return 0 if rules.gipf_apart and kind is Kind.GIPF else kind.worth


def with_stacks(position: Position, under: Mapping[str, tuple[Piece, ...]]) -> Position:
    """Return a built position with pieces under those that stand on the named spots, from top to bottom (R7.8).

    The reserves become smaller by these pieces. Raises KeyError if a spot is vacant. Does not check the totals.
    """
    standing, odd, reserve = position.pieces(), dict(position.odd), [*position.reserve]
    for spot, pieces in under.items():
        odd[BIT[spot]] = standing[spot]._replace(under=pieces)
        for piece in pieces:
            reserve[piece.owner] -= piece.kind.worth
    return position._replace(odd=tuple(sorted(odd.items())), reserve=(reserve[0], reserve[1]))


@lru_cache(maxsize=64)  # each game is replayed from its start, and few games have rules of their own
def start(rules: Ruleset) -> Position:
    """Return the start position of a game (section 2). White moves first."""
    white, black = (tuple((Kind(piece[:-2]), piece[-2:]) for piece in side) for side in rules.setup)
    opening, left = (rules.gipf_enters, rules.gipf_enters), tuple(number for _, number in rules.potentials)
    return build(rules, Colour.WHITE, (white, black), opening=opening, left=(left, left) if left else ())


def worth(position: Position, spots: int) -> int:
    """Return the number of basic pieces on top of these spots (bits). A GIPF-piece counts as two (R2.1).

    Does not know used potentials, which count as none.
    """
    return spots.bit_count() + (spots & position.gipf).bit_count()


def kind_at(position: Position, bit: int) -> Kind:
    """Return the kind of the top piece on a spot (one bit). Does not check that the spot is occupied."""
    if position.gipf & bit:
        return Kind.GIPF
    for spot, piece in position.odd:
        if spot == bit:
            return piece.kind
    return Kind.BASIC


def piece_at(position: Position, bit: int) -> Piece:
    """Return the piece on a spot (one bit), with what lies under it. Does not check that the spot is occupied."""
    for spot, piece in position.odd:
        if spot == bit:
            return piece
    owner = Colour.WHITE if position.owned[Colour.WHITE] & bit else Colour.BLACK
    return Piece(owner, Kind.GIPF if position.gipf & bit else Kind.BASIC)


def covered_spots(position: Position) -> int:
    """Return the spots (bits) on which a piece lies under another one (R7.8)."""
    return sum(bit for bit, piece in position.odd if piece.under)
