"""Split the text of a game record into its parts, in either notation (notation.md sections 2 and 5).

This module knows headers, comments, move numbers, marks and results, and where one turn ends and the next begins. It
does not know what a turn means: `records` plays the turns.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from gipfbot.rules import PRESETS

from .errors import ParseError, excerpt

LARGEST_RECORD = 64 * 1024  # bytes, in UTF-8
MOST_TURNS = 2_000
HEADER_KEYS = ("Event", "Site", "Date", "White", "Black", "Rules", "Time", "Result", "Termination")
UNFINISHED = "*"


class SheetTurn(NamedTuple):
    """A turn of a record's text, without blanks, with its mark (`!`, `?!`, …) and the comments after it."""

    text: str
    mark: str = ""
    comments: tuple[str, ...] = ()


class Sheet(NamedTuple):
    """The parts of a record's text, in order. `comments` holds the comments before the first turn.

    `rules` and `result` may be named in several places of the text; each is None if the text does not name it.
    `warnings` says what was guessed, left out or contradictory.
    """

    turns: tuple[SheetTurn, ...]
    headers: tuple[tuple[str, str], ...] = ()
    rules: str | None = None
    result: str | None = None
    comments: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_sheet(text: str) -> Sheet:
    """Return the parts of a record's text. Does not check the turns.

    Blanks and line ends separate turns, except next to `;` `,` `-` and before `(`. A `;` at the start of a line begins
    a comment. In a text of only one line, a `;` begins a comment if it stands after a blank and before the first `1.`;
    otherwise it belongs to a turn.

    Under the heading `Black-White`, Black moves first. Our first player is always White, so the names in the headers
    are swapped. After the result, everything but comments is ignored, with a warning. Chess evaluation marks (`+/-`,
    `+-`, `±`, `=` and others) are ignored everywhere, even directly after a turn.

    Raises ParseError for a text over 64 KiB or 2,000 turns, for a broken comment, header or mark, and for an unknown
    rule set.
    """
    text = _break_heading_lines(_check_size(text))
    reader, at = _SheetReader(text), 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise _sheet_error(_EXPECTED.get(text[at], "one of the marks ! !! ? ?? !? ?!"), text, at)
        reader.take(found)
        at = found.end()
    return reader.sheet()


def _sheet_error(expected: str, text: str, at: int) -> ParseError:
    """Return an error which says that `expected` belongs at the offset `at`.

    The error quotes only the line with that offset.
    """
    start = text.rfind("\n", 0, at) + 1
    return ParseError(expected, text[start:].partition("\n")[0], at - start)


# ── Characters ──

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ROUND = str.maketrans("{}", "()")


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


def _check_size(text: str) -> str:
    if len(text.encode("utf-8", "replace")) > LARGEST_RECORD:
        raise _sheet_error(f"a text of at most {LARGEST_RECORD // 1024} KiB", text, 0)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


_BEGINNING = re.compile(r"(?!\s*1\s*[.…])(.*?)\s(?=1[.…])", re.DOTALL)


def _break_heading_lines(text: str) -> str:
    """Start a new line at each header and `;` comment before the first turn, and at the first turn itself.

    The first turn begins at `1.`. A text that already has several lines is returned unchanged.
    """
    beginning = None if "\n" in text.strip() else _BEGINNING.match(text)
    if not beginning:
        return text
    above = beginning[1].replace(" ;", "\n;").replace(" [", "\n[")
    return f"{above}\n{text[beginning.end() :]}"


# ── Tokens ──

_EXPECTED = {"{": "} at the end of the comment", "[": 'a header such as [White "Ann"]'}
_EVALUATION = "\\+/[-–\u2212=]|[-–\u2212=]/\\+|\\+[-–\u2212=]|[-–\u2212=]\\+|[=±∓∞⩲⩱]"
_RESULT = r"1 ?[-–] ?0|0 ?[-–] ?1|1/2 ?[-–] ?1/2|½ ?[-–] ?½|(?ai:void)|\*"
_TOKEN = re.compile(
    "|".join(
        (
            r"^[^\S\n]*;(?P<aside>[^\n]*)",
            r"(?P<blank>[^\S\n]+|\n)",
            r'(?P<header>\[\s*(?P<key>\w+)\s*(?:"\s*+(?P<value>(?:[^"\\]|\\.)*+)"|“\s*+(?P<curly>[^”]*)”)\s*\])',
            r"\{(?P<comment>[^}]*)\}",
            r"(?P<number>[0-9]+[.…]+)",
            rf"(?P<result>{_RESULT})(?![^\s{{])",
            r"(?P<mark>[!?]{1,2})(?![!?])",
            rf"(?P<evaluation>{_EVALUATION})",
            r"(?P<order>(?ai:white ?[-– ] ?black|black ?[-– ] ?white))(?!\S)",
            rf"(?P<version>(?ai:{'|'.join(PRESETS)}|short-?cut))(?!\S)",
            rf"(?P<word>(?:(?!{_EVALUATION})[^\s{{\[!?])+)",
        )
    ),
    re.MULTILINE,
)
_JOINS_LAST = ";,-–("  # a word that begins with one of these continues the turn before it
_JOINS_NEXT = ";,-–"  # after a word that ends with one of these, the next word continues the turn
# A comment that begins with `rules:` must name a known rule set. Elsewhere `rules` may be ordinary prose (“by the rules
# of chess”), and counts only if a rule set follows.
_NAMED = re.compile(r"rules *: *\"?([\w-]+)", re.IGNORECASE)
_MENTIONED = re.compile(r"\brules\W+(\w+)", re.IGNORECASE)
_SPELT = {key.lower(): key for key in HEADER_KEYS}


@dataclass
class _TurnDraft:
    words: list[str]
    mark: str = ""
    comments: list[str] = field(default_factory=list)


class _SheetReader:
    """A reader that collects the parts of a text, token by token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.turns: list[_TurnDraft] = []
        self.headers: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.warnings: dict[str, None] = {}
        self.names: dict[str, str] = {}  # player headers to swap
        self.rules: dict[str, str] = {}  # the rule set that each place names: header, heading
        self.end: str | None = None  # the result written after the turns
        self.apart = True  # the next word begins a turn
        self.counted = True  # whether all move numbers so far were right
        self.takers: dict[str, Callable[[re.Match[str]], None]] = {
            "aside": self._comment,
            "comment": self._comment,
            "header": self._header,
            "number": self._number,
            "result": self._result,
            "mark": self._mark,
            "order": self._order,
            "version": self._version,
            "word": self._word,
        }

    def take(self, found: re.Match[str]) -> None:
        """Read the next token. Ignores blanks and evaluation marks.

        After the result, ignores everything but comments, with a warning.
        """
        kind = found.lastgroup or ""
        take = self.takers.get(kind)
        if take and (self.end is None or kind in ("aside", "comment")):
            take(found)
        elif take:
            self._warn(f"The text after the result {self.end} was ignored.")

    def _warn(self, sentence: str) -> None:
        self.warnings[sentence] = None

    def _comment(self, found: re.Match[str]) -> None:
        text = plain_comment(found[found.lastgroup or 0])
        if text:
            (self.turns[-1].comments if self.turns else self.comments).append(text)

    def _preset(self, name: str, text: str, at: int) -> str:
        """Return the key of the rule set called `name`. If there is none, raises ParseError, which quotes `text`.

        `at` is the offset of the name in `text`.
        """
        if name.lower() in ("short-cut", "shortcut"):
            self._warn("“Short-cut” is read as Standard.")
            return "standard"
        if name.lower() not in PRESETS:
            raise ParseError(f"a rule set ({', '.join(PRESETS)})", text, at, at + len(name))
        return name.lower()

    def _header(self, found: re.Match[str]) -> None:
        key = _SPELT.get(found["key"].lower(), found["key"])
        quotes = "value" if found["curly"] is None else "curly"
        value = plain_header(found["curly"] or re.sub(r"\\(.)", r"\1", found["value"] or ""))
        self.headers.append((key, value))
        if key == "Rules":
            at = found.start(quotes) - found.start()
            self.rules.setdefault("header", self._preset(value, found[0], at))

    def _version(self, found: re.Match[str]) -> None:
        self.rules.setdefault("heading", self._preset(found[0], found[0], 0))

    def _order(self, found: re.Match[str]) -> None:
        if found[0].lower().startswith("black"):
            self._warn("“Black-White”: Black moves first and is called White here.")
            self.names = {"White": "Black", "Black": "White"}

    def _number(self, found: re.Match[str]) -> None:
        due, number = len(self.turns) // 2 + 1, found[0].rstrip(".…")
        if self.counted and number.lstrip("0") != str(due):
            self._warn(f"Move number {excerpt(number)} where {due} was expected: is a turn missing?")
            self.counted = False
        self.apart = True

    def _result(self, found: re.Match[str]) -> None:
        self.end = _normalise_score(found[0])

    def _mark(self, found: re.Match[str]) -> None:
        if not self.turns or self.turns[-1].mark:
            raise _sheet_error("a turn in front of the mark", self.text, found.start())
        self.turns[-1].mark = found[0]

    def _word(self, found: re.Match[str]) -> None:
        word = found[0]
        if self.turns and not self.apart and (word[0] in _JOINS_LAST or self.turns[-1].words[-1][-1] in _JOINS_NEXT):
            self.turns[-1].words.append(word)
            return
        if len(self.turns) == MOST_TURNS:
            raise _sheet_error(f"no more than {MOST_TURNS:,} turns", self.text, found.start())
        self.turns.append(_TurnDraft([word]))
        self.apart = False

    def sheet(self) -> Sheet:
        """Return everything collected so far as a sheet."""
        entries = tuple(SheetTurn("".join(turn.words), turn.mark, tuple(turn.comments)) for turn in self.turns)
        rules = self.rules.get("header") or self.rules.get("heading") or self._rules_in_comments()
        headers = tuple((self.names.get(key, key), value) for key, value in self.headers)
        return Sheet(entries, headers, rules, self._outcome(), tuple(self.comments), tuple(self.warnings))

    def _rules_in_comments(self) -> str | None:
        """Return the rule set that a comment before the first turn names. None if no comment names one.

        Raises ParseError if a comment begins with `Rules:` and an unknown name follows.
        """
        for comment in self.comments:
            named, found = _NAMED.match(comment), _MENTIONED.search(comment)
            if named:
                return self._preset(named[1], comment, named.start(1))
            if found and found[1].lower() in PRESETS:
                return found[1].lower()
        return None

    def _outcome(self) -> str | None:
        """Return the result at the end of the text, or else the result in the headers.

        None if the game is unfinished.
        """
        header = next((value for key, value in self.headers if key == "Result"), "")
        headed = _normalise_score(header) if re.fullmatch(_RESULT, header) else None
        if None not in (headed, self.end) and headed != self.end:
            self._warn(f"The result is {headed} in the header, but {self.end} at the end of the text.")
        result = self.end or headed
        return None if result == UNFINISHED else result


def _normalise_score(result: str) -> str:
    """Return a result in its canonical spelling."""
    return result.lower().replace("–", "-").replace("½", "1/2").replace(" ", "")
