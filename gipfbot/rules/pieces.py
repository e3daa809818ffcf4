"""Colours, pieces and results: the words used everywhere outside the engine."""

from enum import IntEnum, StrEnum
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")
ByColour: TypeAlias = tuple[T, T]  # one value for each player: index it with a Colour


class Colour(IntEnum):
    """A player. An integer, so that it indexes a ByColor."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> "Colour":
        """The opponent."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE

    @property
    def letter(self) -> str:
        """The letter of the position line: w or b."""
        return "wb"[self]

    def __str__(self) -> str:
        return "White" if self is Colour.WHITE else "Black"


class Kind(StrEnum):
    """What a piece is; the value is its letter in the notation."""

    BASIC = ""
    GIPF = "G"


WORTH = {Kind.BASIC: 1, Kind.GIPF: 2}  # basic pieces that a piece is made of (R2.1)


class Piece(NamedTuple):
    """What stands on a spot: the top piece, which owns the spot, and the pieces under it, from top to bottom (R7.8)."""

    owner: Colour
    kind: Kind
    under: tuple["Piece", ...] = ()


class Reason(StrEnum):
    """Why a game ended; the value is the word of the position line."""

    GIPF = "gipf"  # R6.2
    RESERVE = "reserve"  # R6.1
    TIME = "time"  # R6.4
    RESIGN = "resign"  # R6.5
    REPETITION = "repetition"  # R6.3
    AGREEMENT = "agreement"


class Result(NamedTuple):
    """How a game ended. Without a winner it was void (R6.3) or, by agreement, drawn."""

    winner: Colour | None
    by: Reason

    @property
    def score(self) -> str:
        """The result as records write it: 1-0, 0-1, 1/2-1/2 or void."""
        if self.winner is None:
            return "1/2-1/2" if self.by is Reason.AGREEMENT else "void"
        return ("1-0", "0-1")[self.winner]
