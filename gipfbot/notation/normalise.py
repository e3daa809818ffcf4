"""Read the characters of a typed turn, in any notation, without checking that the turn is legal.

The first functions find the text around a turn, and give each sign its one form. Most of them return a text of the same
length, so an offset in it is also an offset in the original text. The scanner reads such a text into a `WrittenTurn`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Kind
from gipfbot.rules.geometry import DOTS, SPOTS
from gipfbot.rules.powers import POWERS
from gipfbot.rules.sentences import Sentence

from .errors import ParseError

NONE_SIGN = "-"  # the answer "none" of a player who is asked inside the other's turn (R8.4)
# The letter of a piece that is not a plain basic one, in any case. Letters of columns and x are none.
PIECE_LETTER = "[gj-wyz]"
HIDDEN = "\u200b"  # replaces every invisible character
EVALUATION = r"\+/[-=]|[-=]/\+|\+[-=]|[-=]\+|[=±∓∞⩲⩱]"
NAG = r"\$[0-9]{1,3}"
QUOTE = r"^[^\S\n]*(?:>[^\S\n]*)++"  # `> ` at the start of a line
FENCE = r"```[a-z]*(?=\n)|`+"
# A brace on a later line belongs to another comment, so the first one is unclosed. The possessive quantifier prevents
# backtracking.
COMMENT = r"\{[^}\n]*+(?:\n[^{}]*+)?\}"
RESERVE = r"\(\s*([0-9]{1,2})\s*(?:\)|(?=\n|\Z))"  # its second bracket may be missing at the end of the line

# All of Unicode's dashes and minus signs, and its characters without a width (categories Pd and Cf).
_DASHES = [
    *(0x58A, 0x5BE, 0x1400, 0x1806, *range(0x2010, 0x2016), 0x2043, 0x2212, 0x2E17, 0x2E1A, 0x2E3A, 0x2E3B, 0x2E40),
    *(0x2E5D, 0x301C, 0x3030, 0x30A0, 0xFE31, 0xFE32, 0xFE58, 0xFE63, 0xFF0D, 0x10EAD),
]
_UNSEEN = [0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFE0F, 0xFEFF]
_TIMES, _STARS = [0xD7, 0x2715, 0x2716], [0x204E, 0x2217, 0xFF0A]
_FOLDED = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_UNSEEN, HIDDEN),
    **dict.fromkeys(_TIMES, "x"),
    **dict.fromkeys(_STARS, "*"),
}
_STAR = re.compile(r"\\(?=\*)")
_COLUMNS = {*"abcdefghi"}
_POINTS = {*DOTS, *SPOTS}
# An arrow or several dashes from a dot to a spot (`i3>h3`, `i3 -> h3`, `i3--h3`), a colon before a removal
# (`f8-f3:xGf3`), and the `n` that some write for a basic piece (`na1-c3`).
_DOT, _SPOT = "|".join(DOTS), "|".join(SPOTS)
_ARROW = re.compile(rf"((?:{_DOT})[^\S\n]*)(-*[>→]+|-{{2,}})(?=[^\S\n]*(?:{_SPOT}))", re.IGNORECASE)
_COLON = re.compile(r"([1-9*][^\S\n]*):(?=\s*x)", re.IGNORECASE)
_BASIC = re.compile(rf"(?<![a-z0-9])n(?=(?:{_DOT}|{_SPOT}))", re.IGNORECASE)
_BARE_PUSH = re.compile(rf"({'|'.join(DOTS)})(?=[a-i])")
_ASIDE = re.compile(rf"{COMMENT}|\{{[^\n]*|[!?]+|{NAG}|{EVALUATION}|{FENCE}|{QUOTE}|{HIDDEN}", re.MULTILINE)
_RESERVE = re.compile(RESERVE)
_BRACKET = re.compile(rf"{COMMENT}|\{{[^\n]*|[()]")
_NUMBER = re.compile(
    r"\A\s*+(?:\((?P<round>[0-9]{1,4})\)|(?P<number>[0-9]{1,4})\s*(?:(?P<black>\.?\s*(?:…|\.{2,}))|[.)]|(?=\s))"
    r"|(?P<dots>…|\.{2,}))(?=\s*[A-Za-z])"
)
_FULL_STOP = re.compile(r"(?<=[\w*)])\s*+[.…]+(?=\s*\Z)")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ROUND = str.maketrans("{}", "()")


# ── Signs around a turn, and several ways to write one sign ──


def fold_signs(text: str) -> str:
    """Return a text with `-` for each kind of dash, `x` for `×`, and `*` for its lookalikes.

    An arrow from a dot to a spot also becomes `-`, and a colon before a removal becomes `;`. HIDDEN replaces a
    backslash before a star, an `n` before a dot or spot, and every character without a width.
    """
    return _ARROW.sub(_fold_arrow, _fold_characters(text))


def _fold_characters(text: str) -> str:
    """Do what `fold_signs` does, except for arrows."""
    plain = _BASIC.sub(HIDDEN, _STAR.sub(HIDDEN, text.translate(_FOLDED)))
    return _COLON.sub(r"\1;", plain)


def _fold_arrow(found: re.Match[str]) -> str:
    return f"{found[1]}-{HIDDEN * (len(found[2]) - 1)}"


def trim_turn(text: str) -> str:
    """Return a typed turn with blanks for everything that is not part of it.

    Blanks replace a move number, marks, comments, remarks in brackets, quote signs, code fences, and full stops at the
    end. A reserve stays.
    """
    plain = _blank_remarks(_ASIDE.sub(_blank, fold_signs(text)))
    return _FULL_STOP.sub(_blank, _NUMBER.sub(_blank, plain, count=1))


def plain_turns(text: str) -> str:
    """Return the text of several turns, with blanks for marks, comments, remarks in brackets, quotes and code fences.

    Characters without a width are left out, so offsets change. Reserves, move numbers and arrows stay.
    """
    plain = _blank_remarks(_ASIDE.sub(_blank, _fold_characters(text).replace(HIDDEN, "")))
    return _BASIC.sub("", plain)  # again, for an `n` right behind what was blanked


def normalise_typed(text: str) -> str:
    """Return the turn in a text in lower case, without blanks, and with a hyphen for each dash or missing hyphen."""
    return _BARE_PUSH.sub(r"\1-", "".join(trim_turn(text).split()).lower())


def _blank_remarks(plain: str) -> str:
    """Return a text with blanks for everything in round brackets except reserves."""
    parts, over = list[str](), 0
    for start, end in bracket_spans(plain):
        if not _RESERVE.fullmatch(plain, start, end):
            parts += plain[over:start], " " * (end - start)
            over = end
    return "".join([*parts, plain[over:]])


def says_black(text: str) -> bool:
    """Return whether a typed turn begins with `1...` or `...`, which says that Black is to move."""
    found = _find_number(text)
    return bool(found and (found["black"] or found["dots"]))


def turn_number_in(text: str) -> int | None:
    """Return the move number that a typed turn begins with. None if it begins with none."""
    found = _find_number(text)
    return int(found["number"] or found["round"]) if found and not found["dots"] else None


def _find_number(text: str) -> re.Match[str] | None:
    return _NUMBER.match(_ASIDE.sub(_blank, fold_signs(text)))


def bracket_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each part in round brackets, outermost brackets only.

    An unclosed bracket ends with its line. Brackets inside a comment do not count.
    """
    closed, opened = dict[int, int](), list[int]()
    for found in _BRACKET.finditer(text):
        if found[0] == "(":
            opened.append(found.start())
        elif found[0] == ")" and opened:
            closed[opened.pop()] = found.end()
    over = 0
    for start in sorted([*closed, *opened]):
        if start >= over:
            line_end = text.find("\n", start)
            over = closed.get(start) or (len(text) if line_end < 0 else line_end)
            yield start, over


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def plain_header(text: str) -> str:
    """Return a text fit for a header.

    Puts it on one line, replaces runs of blanks by one blank, and replaces control characters.
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))


def plain_comment(text: str) -> str:
    """Return a text fit for a comment.

    Cleans it like `plain_header`, and replaces braces by round brackets.
    """
    return plain_header(text).translate(_ROUND)


# ── What a text says ──


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
    warnings: tuple[Sentence, ...] = ()
    black: bool = False
    word: str = ""  # in Overboard: `pass` in place of a push, or the answer `-`


# ── Reading a turn character by character ──


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

    def expected_error(self, expected: Sentence, back: int = 0, sentence: Sentence | None = None) -> ParseError:
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

    def take_point(self, expected: Sentence) -> str:
        """Read a dot or spot, and return its name.

        Raises ParseError, which says `expected`, if neither comes next.
        """
        column, number = self.peek(), self.peek(1)
        if column.upper() in POWERS and number.isdigit():
            behind = Sentence("a spot or dot behind {letter}, such as {letter}c2", letter=column.upper())
            raise self.expected_error(behind)
        if column not in _COLUMNS or number not in {*"123456789"}:
            raise self.expected_error(expected)
        if column + number not in _POINTS:
            sentence = Sentence("There is no {point} on the board.", point=column + number)
            raise self.expected_error(expected, sentence=sentence)
        self.take(column)
        self.index += 1
        return column + number

    def take_spot(self, expected: Sentence) -> str:
        """Read a spot, and return its name.

        Raises ParseError, which says `expected`, if no point comes next or if it is a dot.
        """
        point = self.take_point(expected)
        if point in DOTS:
            sentence = Sentence("{dot} is a dot on the edge. Name a spot inside the board, such as e4.", dot=point)
            raise self.expected_error(expected, 2, sentence)
        return point

    def take_act(self, sign: str, example: str) -> WrittenAct:
        """Read a use, or the beginning of a push: its kind, and its dot or spot. All notations write these alike.

        After a dot, each notation reads the rest itself, which may begin with `sign`. `example` is a push that contains
        `sign`; errors quote it. Raises ParseError if no dot or spot comes next, or if `sign` follows a spot.
        """
        at = self.place
        kind = self.take_kind()
        point = self.take_point(Sentence("a push such as e2 or {example}", example=example))
        if point in DOTS:
            return WrittenPush(kind, point, None, at)
        if kind.loaded and self.take(">"):
            target = self.take_spot(Sentence("the spot that the potential jumps to, such as c6"))
            return WrittenUse(kind, point, target, self._take_put(), at)
        if self.peek() == sign:
            sentence = Sentence(
                "{spot} is inside the board. A push begins at a dot on the edge, as in {example}.",
                spot=point,
                example=example,
            )
            raise self.expected_error(Sentence("a dot in front of the {sign}", sign=sign), 2, sentence)
        return WrittenPush(kind, None, point, at)

    def _take_put(self) -> int | None:
        """Read how many basic pieces a use puts down. None if it does not say."""
        if not self.take("+"):
            return None
        if self.peek() not in {"1", "2"}:
            raise self.expected_error(Sentence("+1 or +2, the basic pieces that are put down"))
        self.index += 1
        return int(self.chars[self.index - 1])

    def take_dashed_push(self) -> WrittenAct:
        """Read a push or a use. In a push, the hyphen between dot and spot may be missing."""
        act = self.take_act("-", "e1-e4")
        if isinstance(act, WrittenUse) or not act.dot:
            return act
        if not self.take("-") and self.peek() not in _COLUMNS:
            sentence = Sentence("{dot} is only the dot. Add “-” and where the push ends, as in e1-e4.", dot=act.dot)
            raise self.expected_error(Sentence("- and a spot"), sentence=sentence)
        return act._replace(spot=self.take_spot(Sentence("the last spot that the push fills, such as e4")))

    def take_removal_list(self, named: set[str]) -> WrittenRemoval:
        """Read the list after an `x`, and return it. Raises ParseError if it repeats a spot.

        `named` holds the spots of the earlier lists on the same side of the act. The new spots are added to `named`. A
        piece that was freed in such a list always has a letter, so only such a piece may be named again (R7.8).
        """
        at, listed = self.place_of_last, set[str]()
        pieces: list[WrittenPiece] = []
        if self.peek() in ("", ";"):
            return WrittenRemoval((), at)
        while not pieces or self.take(","):
            place = self.place
            kind = self.take_kind()
            spot = self.take_spot(Sentence("a spot such as c2"))
            if spot in listed or (spot in named and kind is Kind.BASIC):
                raise self.expected_error(Sentence("each spot once ({spot} is named twice)", spot=spot), 2)
            listed.add(spot)
            pieces.append(WrittenPiece(spot, kind, self.take("*"), place))
        named |= listed
        return WrittenRemoval(tuple(pieces), at)

    def finish(
        self,
        before: Sequence[WrittenRemoval],
        push: WrittenAct | None,
        after: Sequence[WrittenRemoval],
        warnings: tuple[Sentence, ...] = (),
    ) -> WrittenTurn:
        """Return the written turn made of the given parts and the reserve that was read."""
        black = says_black(self.original)
        return WrittenTurn(tuple(before), push, tuple(after), self.reserve, self.exact, warnings, black)
