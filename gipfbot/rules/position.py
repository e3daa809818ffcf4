"""A position: immutable, hashable data, and the same in plain words."""

from typing import NamedTuple

from .geometry import BIT, bits
from .pieces import WORTH, ByColour, Colour, Kind, Piece, Result
from .rulesets import Ruleset


class Position(NamedTuple):
    """Everything the rules need to know of a game between two actions.

    Sets of spots are bits (`geometry`). `owned` are the spots each player's colour occupies, `gipf` those of them whose
    top piece is a GIPF-piece. `odd` has room for whatever else may stand on a spot (loaded pieces, used potentials,
    stacks: section 7), by bit; it is empty in the official versions, and the engine only carries it. `dealt` are the
    lines dealt with in this removal step, bit n being `LINES[n]` (R4.6). Nothing here checks that the position can
    arise: `notation.parse_position` does.
    """

    rules: Ruleset
    mover: Colour
    owned: ByColour[int]
    gipf: int
    reserve: ByColour[int]
    captured: ByColour[int]  # the basic pieces each player has lost
    opening: ByColour[bool]  # who has not yet brought in a basic piece in a game where GIPF-pieces enter (R5.2)
    pushed: bool = False  # whether the push of this turn is done
    dealt: int = 0
    odd: tuple[tuple[int, Piece], ...] = ()
    result: Result | None = None

    @property
    def decider(self) -> Colour:
        """The player whose decision is pending. In the official versions it is always the mover."""
        return self.mover

    def pieces(self) -> dict[str, Piece]:
        """Return what stands on each occupied spot, by the spot's name."""
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
    """Return the position at the start of a turn with these pieces on these spots; the rest is in reserve.

    Raises KeyError for a name that is not a spot. Does not check that a spot is named once or that the totals add up.
    """
    white, black = (bits(spot for _, spot in side) for side in pieces)
    gipf = bits(spot for side in pieces for kind, spot in side if kind is Kind.GIPF)
    on_board = [sum(WORTH[kind] for kind, _ in side) for side in pieces]
    reserve = (rules.pieces - on_board[0] - captured[0], rules.pieces - on_board[1] - captured[1])
    return Position(rules, mover, (white, black), gipf, reserve, captured, opening)


def start(rules: Ruleset) -> Position:
    """Return the position a game begins with (section 2; White begins)."""
    white, black = (tuple((Kind(piece[:-2]), piece[-2:]) for piece in side) for side in rules.setup)
    return build(rules, Colour.WHITE, (white, black), opening=(rules.gipf_enters, rules.gipf_enters))


def worth(position: Position, spots: int) -> int:
    """Return how many basic pieces the spots (bits) hold, a GIPF-piece counting two (R2.1)."""
    return spots.bit_count() + (spots & position.gipf).bit_count()


def kind_at(position: Position, bit: int) -> Kind:
    """Return the kind of the top piece on a spot (one bit). Does not check that the spot is occupied."""
    return Kind.GIPF if position.gipf & bit else Kind.BASIC
