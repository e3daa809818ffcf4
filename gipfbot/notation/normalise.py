"""Read the characters of a typed turn: what it says in any notation, before its legality is asked."""

from collections.abc import Sequence
from typing import NamedTuple

from gipfbot.rules import Kind
from gipfbot.rules.geometry import DOTS, SPOTS

from .errors import ParseError


class WrittenPiece(NamedTuple):
    """A piece in a removal list of official notation."""

    spot: str
    gipf: bool
    star: bool
    at: int


class WrittenRemoval(NamedTuple):
    """One `x` list or `X` group: the pieces named, perhaps the row's code. Without both it is bare."""

    pieces: tuple[WrittenPiece, ...]
    at: int
    row: str | None = None

    @property
    def says_something(self) -> bool:
        """Whether it names something."""
        return bool(self.row or self.pieces)

    @property
    def place(self) -> int:
        """The place of its first piece, else of its `x` or `X`."""
        return self.pieces[0].at if self.pieces else self.at


class WrittenPush(NamedTuple):
    """A push. Without a dot the spot is vacant. With a dot, the spot or `star` tells the direction."""

    kind: Kind
    dot: str | None
    spot: str | None
    at: int
    star: bool = False


class WrittenTurn(NamedTuple):
    """A turn, or the remaining part of one, as written.

    `exact` tells that no letter's case had to be forgiven. `warnings` are sentences on what else was forgiven.
    """

    before: tuple[WrittenRemoval, ...]
    push: WrittenPush | None
    after: tuple[WrittenRemoval, ...]
    reserve: int | None
    exact: bool
    warnings: tuple[str, ...] = ()


_COLUMNS = {*"abcdefghi"}
_POINTS = {*DOTS, *SPOTS}
_DASHES = str.maketrans("–", "-")


def normalise_typed(text: str) -> str:
    """Return a text without what readers forgive: blanks, case, kinds of dashes."""
    return "".join(text.split()).replace("–", "-").lower()


class Scanner:
    """The characters of a typed turn without blanks, each with its place in the original.

    Forgives the case of letters and an en dash. `exact` tells that no letter's case had to be forgiven. A reserve in
    brackets at the end is cut off into `reserve`.
    """

    def __init__(self, text: str) -> None:
        self.original = text
        self.places = [at for at, char in enumerate(text) if not char.isspace()]
        self.typed = "".join(text[at] for at in self.places).translate(_DASHES)
        self.chars = "".join(char.lower() if char.isascii() else char for char in self.typed)
        self.index, self.exact = 0, True
        self.reserve = self._cut_reserve()

    def _cut_reserve(self) -> int | None:
        start = self.chars.rfind("(")
        digits = self.chars[start + 1 : -1]
        if start < 0 or not (self.chars.endswith(")") and digits.isascii() and digits.isdigit() and len(digits) <= 2):
            return None
        self.chars = self.chars[:start]
        return int(digits)

    @property
    def at_end(self) -> bool:
        """Whether everything has been read."""
        return self.index == len(self.chars)

    @property
    def place(self) -> int:
        """The place of the next character in the original text."""
        return self._place(self.index)

    @property
    def place_of_last(self) -> int:
        """The place of the last character read in the original text."""
        return self._place(self.index - 1)

    def _place(self, index: int) -> int:
        return self.places[index] if index < len(self.places) else len(self.original)

    def expected_error(self, expected: str, back: int = 0, sentence: str = "") -> ParseError:
        """Return the error that something else was expected here, or `back` characters before."""
        return ParseError(expected, self.original, self._place(self.index - back), sentence=sentence)

    def peek(self, ahead: int = 0) -> str:
        """Return a coming character in lower case, or an empty text."""
        return self.chars[self.index + ahead : self.index + ahead + 1]

    def take(self, char: str) -> bool:
        """Read this character if it comes next, in either case."""
        if self.peek() != char.lower():
            return False
        self.exact &= self.typed[self.index] == char
        self.index += 1
        return True

    def take_gipf(self) -> bool:
        """Take a G if a letter follows. A g before a digit is the column."""
        return self.peek(1) in _COLUMNS and self.take("G")

    def take_point(self, expected: str) -> str:
        """Return the dot or spot that comes next. Raises ParseError."""
        column, number = self.peek(), self.peek(1)
        if column not in _COLUMNS or number not in {*"123456789"}:
            raise self.expected_error(expected)
        if column + number not in _POINTS:
            raise self.expected_error(f"{expected} ({column}{number} is not on the board)")
        self.take(column)
        self.index += 1
        return column + number

    def take_spot(self, expected: str) -> str:
        """Return the spot that comes next. Raises ParseError, also for a dot."""
        point = self.take_point(expected)
        if point in DOTS:
            raise self.expected_error(f"{expected} ({point} is a dot)", 2)
        return point

    def take_push(self, sign: str, example: str) -> WrittenPush:
        """Return the push that comes next, as far as the notations agree. After a dot one continues with `sign`.

        Raises ParseError, also for a spot followed by this sign. `example` is a push with it.
        """
        at = self.place
        kind = Kind.GIPF if self.take_gipf() else Kind.BASIC
        point = self.take_point(f"a push such as e2 or {example}")
        if point in DOTS:
            return WrittenPush(kind, point, None, at)
        if self.peek() == sign:
            sentence = f"{point} is a spot: a push begins at a dot, as in {example}."
            raise self.expected_error(f"a dot in front of the {sign}", 2, sentence)
        return WrittenPush(kind, None, point, at)

    def finish(
        self,
        before: Sequence[WrittenRemoval],
        push: WrittenPush | None,
        after: Sequence[WrittenRemoval],
        warnings: tuple[str, ...] = (),
    ) -> WrittenTurn:
        """Return the turn as read."""
        return WrittenTurn(tuple(before), push, tuple(after), self.reserve, self.exact, warnings)
