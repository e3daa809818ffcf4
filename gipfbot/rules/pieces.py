"""Colours, pieces and results: the values that code outside the engine uses."""

from enum import IntEnum, StrEnum
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar, cast

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
    """The kind of a piece. The value is its letter in the notation.

    Any other capital letter is a basic piece loaded with the potential of this letter (R7.1). The small letter is that
    potential after its use (R7.5). Such kinds are made when they are first asked for: `Kind("Z")`.
    """

    BASIC = ""
    GIPF = "G"

    @classmethod
    def _missing_(cls, value: object) -> "Kind | None":
        """Return the kind of a loaded piece or of a used potential. None if the value is no single letter."""
        if not isinstance(value, str) or len(value) != 1 or not (value.isascii() and value.isalpha()):
            return None
        kind = str.__new__(cls, value)
        kind._name_, kind._value_ = value, value
        return cast("Kind", cls._value2member_map_.setdefault(value, kind))

    @cached_property
    def loaded(self) -> bool:
        """Whether this is a basic piece with a potential on it (R7.1)."""
        return self is not Kind.GIPF and self.isupper()

    @cached_property
    def used(self) -> bool:
        """Whether this is a used potential (R7.5)."""
        return self.islower()

    @cached_property
    def worth(self) -> int:
        """The number of basic pieces in a piece of this kind. A used potential is none (R7.5)."""
        return 2 if self is Kind.GIPF else 0 if self.used else 1


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
