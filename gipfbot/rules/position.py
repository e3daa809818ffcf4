"""A position: immutable, hashable data. `build` and `pieces()` translate it from and to spot names."""

from typing import NamedTuple

from .geometry import BIT, bits
from .pieces import WORTH, ByColour, Colour, Kind, Piece, Result
from .rulesets import Ruleset


class Position(NamedTuple):
    """All that the rules need to know about a game between two actions.

    Sets of spots are bits (see `geometry`). `owned` holds the spots that each player occupies. `gipf` holds the spots
    whose top piece is a GIPF-piece. `odd` can hold any other piece, with the bit of its spot: loaded pieces, used
    potentials and stacks (section 7). The official versions have none, and the engine only copies `odd`. `dealt` holds
    the lines dealt with in this removal step; bit n stands for `LINES[n]` (R4.6). Nothing here checks that the position
    is possible: `notation.parse_position` does.
    """

    rules: Ruleset
    mover: Colour
    owned: ByColour[int]
    gipf: int
    reserve: ByColour[int]
    captured: ByColour[int]  # the number of basic pieces that each player has lost
    opening: ByColour[bool]  # whether each player may still bring in GIPF-pieces (R5.2)
    pushed: bool = False  # whether the mover has already pushed in this turn
    dealt: int = 0
    odd: tuple[tuple[int, Piece], ...] = ()
    result: Result | None = None

    @property
    def decider(self) -> Colour:
        """The player whose decision is pending. In the official versions it is always the mover."""
        return self.mover

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
) -> Position:
    """Return the position at the start of a turn with these pieces on the board. All other pieces are in reserve.

    Raises KeyError if a name belongs to no spot. Does not check that each spot is named once, or that the totals add
    up.
    """
    white, black = (bits(spot for _, spot in side) for side in pieces)
    gipf = bits(spot for side in pieces for kind, spot in side if kind is Kind.GIPF)
    on_board = [sum(WORTH[kind] for kind, _ in side) for side in pieces]
    reserve = (rules.pieces - on_board[0] - captured[0], rules.pieces - on_board[1] - captured[1])
    return Position(rules, mover, (white, black), gipf, reserve, captured, opening)


def start(rules: Ruleset) -> Position:
    """Return the start position of a game (section 2). White moves first."""
    white, black = (tuple((Kind(piece[:-2]), piece[-2:]) for piece in side) for side in rules.setup)
    return build(rules, Colour.WHITE, (white, black), opening=(rules.gipf_enters, rules.gipf_enters))


def worth(position: Position, spots: int) -> int:
    """Return the number of basic pieces on these spots (bits). A GIPF-piece counts as two (R2.1)."""
    return spots.bit_count() + (spots & position.gipf).bit_count()


def kind_at(position: Position, bit: int) -> Kind:
    """Return the kind of the top piece on a spot (one bit). Does not check that the spot is occupied."""
    return Kind.GIPF if position.gipf & bit else Kind.BASIC
