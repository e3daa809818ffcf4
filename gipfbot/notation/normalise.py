"""Read the characters of a typed turn, in any notation, without checking that the turn is legal."""

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Kind
from gipfbot.rules.geometry import DOTS, SPOTS
from gipfbot.rules.powers import POWERS

from .errors import ParseError
from .signs import says_black, trim_turn


class WrittenPiece(NamedTuple):
    """A piece named in a removal, with its letter and `*`. `at` is its offset in the text.

    The case of the letter is forgiven, so a used potential has the kind of a loaded piece.
    """

    spot: str
    kind: Kind
    star: bool
    at: int


class WrittenRemoval(NamedTuple):
    """One written removal: a list `x…` in official notation, or a group `X…` in Julio974's.

    Both may name pieces; a group may also name the code of a row. A bare `x` or `X` names neither. `begun` says that
    some of its pieces are gone already, and are no longer among `pieces`.
    """

    pieces: tuple[WrittenPiece, ...]
    at: int
    row: str | None = None
    begun: bool = False

    @property
    def says_something(self) -> bool:
        """Whether the removal names a row or a piece."""
        return bool(self.row or self.pieces)

    @property
    def place(self) -> int:
        """The offset of the first named piece, or else of the `x` or `X`."""
        return self.pieces[0].at if self.pieces else self.at


class WrittenPush(NamedTuple):
    """A push as written. Without a dot, `spot` is the vacant spot that the piece is pushed to.

    With a dot, `spot` or `star` gives the direction.
    """

    kind: Kind
    dot: str | None
    spot: str | None
    at: int
    star: bool = False


class WrittenUse(NamedTuple):
    """The use of a potential as written. `put` is None if it does not say how many basic pieces are put down."""

    kind: Kind
    spot: str
    target: str
    put: int | None
    at: int


WrittenAct: TypeAlias = WrittenPush | WrittenUse


class WrittenTurn(NamedTuple):
    """A turn as written, or the rest of a turn.

    `exact` is false if a letter was in the wrong case. `warnings` holds a sentence for each other fault that was
    ignored. `black` says that a number such as `1...` stands in front, so that Black must be to move.
    """

    before: tuple[WrittenRemoval, ...]
    push: WrittenAct | None
    after: tuple[WrittenRemoval, ...]
    reserve: int | None
    exact: bool
    warnings: tuple[str, ...] = ()
    black: bool = False
    word: str = ""  # in Overboard: `pass` in place of a push, or the answer `-`


_COLUMNS = {*"abcdefghi"}
_POINTS = {*DOTS, *SPOTS}
_BARE_PUSH = re.compile(rf"({'|'.join(DOTS)})(?=[a-i])")


def normalise_typed(text: str) -> str:
    """Return the turn in a text in lower case, without blanks, and with a hyphen for each dash or missing hyphen."""
    return _BARE_PUSH.sub(r"\1-", "".join(trim_turn(text).split()).lower())


class Scanner:
    """A reader of a typed turn, character by character. Skips blanks, but knows each character's offset in the text.

    Ignores the case of letters, and everything around the turn that `trim_turn` removes. `exact` says that all letters
    so far were in the right case. A reserve in brackets at the end is cut off and stored in `reserve`.
    """

    def __init__(self, text: str) -> None:
        self.original = text
        trimmed = trim_turn(text)
        self.places = [at for at, char in enumerate(trimmed) if not char.isspace()]
        self.typed = "".join(trimmed[at] for at in self.places)
        self.chars = "".join(char.lower() if char.isascii() else char for char in self.typed)
        self.index, self.exact = 0, True
        self.reserve = self._cut_reserve()

    def _cut_reserve(self) -> int | None:
        start = self.chars.rfind("(")
        digits = self.chars[start + 1 :].removesuffix(")")
        if start < 0 or not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
            return None
        self.chars = self.chars[:start]
        return int(digits)

    @property
    def at_end(self) -> bool:
        """Whether all characters have been read."""
        return self.index == len(self.chars)

    @property
    def place(self) -> int:
        """The offset of the next character in the original text."""
        return self._place(self.index)

    @property
    def place_of_last(self) -> int:
        """The offset of the last read character in the original text."""
        return self._place(self.index - 1)

    def _place(self, index: int) -> int:
        return self.places[index] if index < len(self.places) else len(self.original)

    def expected_error(self, expected: str, back: int = 0, sentence: str = "") -> ParseError:
        """Return an error which says that `expected` belongs at the next character, or `back` characters before it."""
        return ParseError(expected, self.original, self._place(self.index - back), sentence=sentence)

    def peek(self, ahead: int = 0) -> str:
        """Return the character `ahead` places after the next one, in lower case. Empty at the end of the text."""
        return self.chars[self.index + ahead : self.index + ahead + 1]

    def take(self, char: str) -> bool:
        """Read `char` if it is the next character, in either case. Return whether it was read."""
        if self.peek() != char.lower():
            return False
        self.exact &= self.typed[self.index] == char
        self.index += 1
        return True

    def take_kind(self) -> Kind:
        """Read the letter of a kind of piece if a column letter follows it, and return the kind.

        A `g` before a digit is itself a column letter.
        """
        letters = (letter for letter in (Kind.GIPF.value, *POWERS) if self.peek(1) in _COLUMNS and self.take(letter))
        return Kind(next(letters, ""))

    def take_point(self, expected: str) -> str:
        """Read a dot or spot, and return its name.

        Raises ParseError, which says `expected`, if neither comes next.
        """
        column, number = self.peek(), self.peek(1)
        if column.upper() in POWERS and number.isdigit():
            raise self.expected_error(f"a spot or dot behind {column.upper()}, such as {column.upper()}c2")
        if column not in _COLUMNS or number not in {*"123456789"}:
            raise self.expected_error(expected)
        if column + number not in _POINTS:
            sentence = f"There is no {column}{number} on the board."
            raise self.expected_error(expected, sentence=sentence)
        self.take(column)
        self.index += 1
        return column + number

    def take_spot(self, expected: str) -> str:
        """Read a spot, and return its name.

        Raises ParseError, which says `expected`, if no point comes next or if it is a dot.
        """
        point = self.take_point(expected)
        if point in DOTS:
            sentence = f"{point} is a dot on the edge. Name a spot inside the board, such as e4."
            raise self.expected_error(expected, 2, sentence)
        return point

    def take_act(self, sign: str, example: str) -> WrittenAct:
        """Read a use, or the beginning of a push: its kind, and its dot or spot. All notations write these alike.

        After a dot, each notation reads the rest itself, which may begin with `sign`. `example` is a push that contains
        `sign`; errors quote it. Raises ParseError if no dot or spot comes next, or if `sign` follows a spot.
        """
        at = self.place
        kind = self.take_kind()
        point = self.take_point(f"a push such as e2 or {example}")
        if point in DOTS:
            return WrittenPush(kind, point, None, at)
        if kind.loaded and self.take(">"):
            target = self.take_spot("the spot that the potential jumps to, such as c6")
            return WrittenUse(kind, point, target, self._take_put(), at)
        if self.peek() == sign:
            sentence = f"{point} is inside the board. A push begins at a dot on the edge, as in {example}."
            raise self.expected_error(f"a dot in front of the {sign}", 2, sentence)
        return WrittenPush(kind, None, point, at)

    def _take_put(self) -> int | None:
        """Read how many basic pieces a use puts down. None if it does not say."""
        if not self.take("+"):
            return None
        if self.peek() not in {"1", "2"}:
            raise self.expected_error("+1 or +2, the basic pieces that are put down")
        self.index += 1
        return int(self.chars[self.index - 1])

    def finish(
        self,
        before: Sequence[WrittenRemoval],
        push: WrittenAct | None,
        after: Sequence[WrittenRemoval],
        warnings: tuple[str, ...] = (),
    ) -> WrittenTurn:
        """Return the written turn made of the given parts and the reserve that was read."""
        black = says_black(self.original)
        return WrittenTurn(tuple(before), push, tuple(after), self.reserve, self.exact, warnings, black)
