"""Colours, pieces and results: the values that code outside the engine uses."""

from enum import IntEnum, StrEnum
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")
ByColour: TypeAlias = tuple[T, T]  # one value for each player, indexed by Colour


class Colour(IntEnum):
    """A player. The value is an integer that indexes a `ByColour`."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> "Colour":
        """The opponent."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE

    @property
    def letter(self) -> str:
        """The letter of the colour in position lines: w or b."""
        return "wb"[self]

    def __str__(self) -> str:
        return "White" if self is Colour.WHITE else "Black"


class Kind(StrEnum):
    """The kind of a piece. The value is its letter in the notation."""

    BASIC = ""
    GIPF = "G"


WORTH = {Kind.BASIC: 1, Kind.GIPF: 2}  # the number of basic pieces in a piece (R2.1)


class Piece(NamedTuple):
    """The top piece on a spot, which owns the spot, and the pieces under it from top to bottom (R7.8)."""

    owner: Colour
    kind: Kind
    under: tuple["Piece", ...] = ()


class Reason(StrEnum):
    """The reason why a game ended. The value is its word in position lines."""

    GIPF = "gipf"  # R6.2
    RESERVE = "reserve"  # R6.1
    TIME = "time"  # R6.4
    RESIGN = "resign"  # R6.5
    REPETITION = "repetition"  # R6.3
    AGREEMENT = "agreement"


class Result(NamedTuple):
    """How a game ended. Without a winner the game is void (R6.3), or drawn if `by` is AGREEMENT."""

    winner: Colour | None
    by: Reason

    @property
    def score(self) -> str:
        """The result as records write it: 1-0, 0-1, 1/2-1/2 or void."""
        if self.winner is None:
            return "1/2-1/2" if self.by is Reason.AGREEMENT else "void"
        return ("1-0", "0-1")[self.winner]
