"""Split the text of a game record into its parts, in either notation (notation.md sections 2 and 5).

The parts are headers, comments, move numbers, marks, results and turns. The meaning of a turn is not known here:
`records` plays the turns.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from gipfbot.rules import RULESETS, ruleset_named
from gipfbot.rules.geometry import DOTS
from gipfbot.rules.ruleset_names import WrongRuleset
from gipfbot.rules.sentences import Sentence

from .errors import EXCERPT, ParseError, excerpt
from .normalise import (
    COMMENT,
    EVALUATION,
    FENCE,
    HIDDEN,
    NAG,
    PIECE_LETTER,
    QUOTE,
    RESERVE,
    bracket_spans,
    fold_signs,
    plain_comment,
    plain_header,
)

LARGEST_RECORD = 64 * 1024  # bytes, in UTF-8
MOST_TURNS = 2_000
HEADER_KEYS = ("Event", "Site", "Date", "White", "Black", "Rules", "Position", "Time", "Result", "Termination")
UNFINISHED, DRAWN = "*", "1/2-1/2"
RESIGNED = "resigns"  # a result that does not say who: the player to move

_SCORE = r"1 ?[-:] ?0|0 ?[-:] ?1|1/2(?: ?- ?1/2)?|½(?: ?- ?½)?"
# Words that may also stand in a remark count only if nothing follows that looks like one.
_NO_REMARK = r"(?=[*_.,!]*(?:[^\S\n]+(?:on|by|in|after|agreed|[01])\b|[^\S\n]*(?:[\n{(;]|\Z)))"
_LOSES = rf"(?:loses|lost|forfeit(?:s|ed)|gives up|gave up|timed out){_NO_REMARK}"
RESULT = (
    rf"[*_]{{0,3}}(?ai:(?:result|score)[:=]? )?(?:{_SCORE}|(?ai:void|(?:drawn?|resign(?:s|ed)?){_NO_REMARK}|"
    rf"(?:white|black) (?:wins|won|resign(?:s|ed)|{_LOSES})))[*_.,!]*+|\*"
)
_COLOUR_AND_VERB, _TWO_DIGITS = re.compile(r"(white|black) (\w+)"), re.compile("([01])-([01])")
# A sign before an item of a list, at the start of a line. A star counts only before a turn: alone it is a result. A
# hyphen counts only before a number: before a spot it may belong to a push.
_ITEM = rf"\*(?=[^\S\n]+(?:[0-9]+[.…)\s]+)?(?:x|{PIECE_LETTER}?[a-i][1-9]))|-(?=[^\S\n]+[0-9]+[.…)])|[•◦‣▪]"
BULLET = rf"^[^\S\n]*+(?:>[^\S\n]*+)*+{HIDDEN}?(?ai:{_ITEM})[^\S\n]+"
TOKEN = re.compile(
    "|".join(
        (
            rf"(?P<blank>{BULLET}|[^\S\n]+|\n|{HIDDEN}+|{FENCE}|{QUOTE}|{NAG}|(?!{EVALUATION}|{RESULT})[/|])",
            r'(?P<header>\[\s*(?P<key>\w+)\s*(?:"\s*+(?P<value>(?:[^"\\]|\\.)*+)"|“\s*+(?P<curly>[^”]*)”)\s*\])',
            rf"(?P<comment>{COMMENT})",
            r"(?P<open>\{[^\n]*)",
            r"(?P<square>\[[^\]\n]*+\]?)",
            rf"(?P<reserve>{RESERVE})",
            r"(?P<round>\()",
            r"(?P<semicolon>;)",
            rf"(?P<result>{RESULT})(?![^\s{{{HIDDEN}])",
            r"(?P<number>[0-9]+(?:\.?\s*+(?:…|\.{2,})|[.)]+|(?=\s))|(?:…|\.{2,})(?=\s*[A-Za-z]))",
            r"(?P<mark>[!?]+)",
            rf"(?P<evaluation>{EVALUATION})",
            r"(?P<order>(?ai:white ?[- ] ?black|black ?[- ] ?white))(?!\S)",
            rf"(?P<version>(?ai:(?:{'|'.join(RULESETS)})(?:\+[a-z0-9]*)?|short-?cut))(?!\S)",
            rf"(?P<word>(?:(?!{EVALUATION})[^\s{{\[(!?;`$/|])+|[^\s])",
        )
    ),
    re.MULTILINE,
)
_PIECE = rf"{PIECE_LETTER}?[a-i][1-9]"
# The text after a `;` that belongs to a turn: a removal, or after a removal also a push.
REMOVAL_NEXT = re.compile(rf"\s*x(?=\s*(?:{_PIECE}|[1-8a-h]\*?(?![a-z])|[;x(){{!?$]|\Z|\n|{_PIECE}))", re.IGNORECASE)
PUSH_NEXT = re.compile(rf"\s*{_PIECE}", re.IGNORECASE)
TURN_IN_LINE = re.compile(r"[^\S\n]*[a-z]", re.IGNORECASE)
_WAY = r"[->][a-i][1-9](?:\+[12])?|\*"
ONLY_TURNS = re.compile(rf"\s*+(?:(?:[0-9]++[.…)\s]++)?{_PIECE}(?:{_WAY})?[!?]*+(?=[\s;,]|\Z)[\s;,]*+)+", re.IGNORECASE)
DOT_AND_HYPHEN = re.compile(rf"{PIECE_LETTER}?(?:{'|'.join(DOTS)})-?", re.IGNORECASE)

_LONGEST_MARK = 4
_BEGINNING = re.compile(r"(?!\s*1\s*[.…])(.*?)\s(?=1[.…])", re.DOTALL)
# A comment that begins with `rules:` must name a known rule set. Elsewhere `rules` may be ordinary prose (“by the rules
# of chess”), and counts only if a rule set follows.
_NAMED = re.compile(r"rules *: *\"?([\w+-]+)", re.IGNORECASE)
_MENTIONED = re.compile(r"\brules\W+(\w+)", re.IGNORECASE)
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f]")  # signs that a text in an old encoding does not have
_SPELT = {key.lower(): key for key in (*HEADER_KEYS, "FEN")}


class SheetTurn(NamedTuple):
    """A turn of a record's text, without blanks, with its mark (`!`, `?!`, …) and the comments after it.

    `number` is the move number in front of it, with its dots.
    """

    text: str
    mark: str = ""
    comments: tuple[str, ...] = ()
    number: str = ""


class Sheet(NamedTuple):
    """The parts of a record's text, in order. `comments` holds the comments before the first turn.

    `rules` and `result` may be named in several places of the text; each is None if the text does not name it. The
    result is RESIGNED if it does not say who.
    `warnings` says what was guessed, left out or contradictory.
    """

    turns: tuple[SheetTurn, ...]
    headers: tuple[tuple[str, str], ...] = ()
    rules: str | None = None
    result: str | None = None
    comments: tuple[str, ...] = ()
    warnings: tuple[Sentence, ...] = ()


def decode_record(data: bytes) -> str:
    """Return the text of a file: in UTF-8, or else in UTF-16 or Windows-1252, in which old programs write.

    Zeros at the end of a file that has none before them only fill it up. Raises UnicodeError for a file that is no
    text.
    """
    if b"\0" not in (filled := data.rstrip(b"\0")):
        data = filled
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16")
    elif b"\0" in data:  # in UTF-16 a plain sign has a zero byte, as its first or second
        text = data.decode("utf-16-le" if data[::2].count(0) < data[1::2].count(0) else "utf-16-be")
    else:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252")
    if _NO_TEXT.search(text):
        raise UnicodeError("a file that is no text")
    return text


def read_sheet(text: str) -> Sheet:
    """Return the parts of a record's text. Does not check the turns.

    Blanks, line ends, `/` and `|` separate turns. Blanks and line ends may also stand inside a turn: next to `;`, next
    to a `,` in a removal list, next to the `-` of a push, and before a reserve. A `,` or `-` between two turns is
    dropped.

    A `;` begins a comment, to the end of the line. It does not if a removal follows it, or if a removal stands before
    it and a push follows. If the comment holds only turns, there is a warning. In a text of only one line, a comment
    before the first `1.` ends at the next ` ;` or ` [`.

    Under the heading `Black-White`, Black moves first. Our first player is always White, so the names in the headers
    are swapped. A result may stand before the first turn, as in a heading. After a result behind the turns, everything
    but comments is ignored, with a warning, and so is a second game. Marks of chess such as `+/-` and `$1` are ignored
    everywhere, and so are the signs before the items of a list. Anything else in brackets is skipped with a warning. A
    comment that is not closed ends with its line, with a warning.

    Raises ParseError for a text over 64 KiB or 2,000 turns, for a header FEN, and for an unknown rule set.
    """
    text = _break_heading_lines(_check_size(text))
    reader, at = _SheetReader(text), 0
    while at < len(text):
        at = reader.read_token(at)
    return reader.sheet()


def _check_size(text: str) -> str:
    if len(text.encode("utf-8", "replace")) > LARGEST_RECORD:
        raise _sheet_error(Sentence("a text of at most {count} KiB", count=LARGEST_RECORD // 1024), text, 0)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _break_heading_lines(text: str) -> str:
    """Start a new line at each header and `;` comment before the first turn, and at the first turn itself.

    The first turn begins at `1.`. A text that already has several lines is returned unchanged.
    """
    beginning = None if "\n" in text.strip() else _BEGINNING.match(text)
    if not beginning:
        return text
    above = beginning[1].replace(" ;", "\n;").replace(" [", "\n[")
    return f"{above}\n{text[beginning.end() :]}"


def normalise_score(result: str) -> str:
    """Return a result in its canonical spelling. The result of `White wins` and `Black resigns` is `1-0`."""
    text = fold_signs(result).lower().replace(":", "-").replace(" -", "-").replace("- ", "-")
    if named := _COLOUR_AND_VERB.search(text):
        return "1-0" if (named[1] == "white") is (named[2] in ("wins", "won")) else "0-1"
    if score := _TWO_DIGITS.search(text):
        return score[0]
    if any(sign in text for sign in ("1/2", "½", "draw")):
        return DRAWN
    return RESIGNED if "resign" in text else text.strip("*_.,! ") or UNFINISHED


def _sheet_error(expected: Sentence, text: str, at: int) -> ParseError:
    """Return an error which says that `expected` belongs at the offset `at`.

    The error quotes only the line with that offset.
    """
    start = text.rfind("\n", 0, at) + 1
    return ParseError(expected, text[start:].partition("\n")[0], at - start)


# ── Reading token by token ──


@dataclass
class _TurnDraft:
    """A turn that is being read. `acted` says that its push is among the words.

    `step` holds the words since the last `;`: a removal list, or a push.
    """

    words: list[str]
    number: str = ""
    mark: str = ""
    comments: list[str] = field(default_factory=list)
    acted: bool = False
    step: list[str] = field(default_factory=list)

    def add(self, word: str) -> None:
        """Add a word, without hidden characters."""
        if not self.words or self.words[-1][-1] == ";":
            self.acted, self.step = self.acted or not _begins_list(word), []
        self.words.append(word)
        self.step.append(word)

    def goes_on_with(self, word: str) -> bool:
        """Return whether the next word belongs to this turn, because of a sign between them.

        That is a comma in a removal list, a hyphen after a dot, or a semicolon. Other commas and hyphens stand between
        two turns.
        """
        last = self.words[-1][-1]
        if "," in (word[0], last):
            return _begins_list(self.step[0])
        if "-" in (word[0], last):
            return len(self.step) < 3 and DOT_AND_HYPHEN.fullmatch("".join(self.step)) is not None
        return last == ";"


def _begins_list(word: str) -> bool:
    return word[0] in "xX"


class _SheetReader:
    """A reader that collects the parts of a text, token by token."""

    def __init__(self, text: str) -> None:
        self.text, self.plain = text, fold_signs(text)
        self.remarks = dict(bracket_spans(self.plain))  # where each part in round brackets ends
        self.turns: list[_TurnDraft] = []
        self.headers: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.warnings: dict[Sentence, None] = {}
        self.names: dict[str, str] = {}  # player headers to swap
        self.rules: dict[str, str] = {}  # the rule set that each place names: header, heading
        self.headed: str | None = None  # the result written before the turns
        self.end: str | None = None  # the result written after them
        self.second = False  # a second game has begun
        self.apart = True  # the next word begins a turn
        self.counted = ""  # the move number before the next turn
        self.takers: dict[str, Callable[[re.Match[str]], int | None]] = {
            "comment": self._comment,
            "open": self._open_comment,
            "header": self._header,
            "square": self._skip,
            "round": self._remark,
            "reserve": self._reserve,
            "semicolon": self._semicolon,
            "number": self._number,
            "result": self._result,
            "mark": self._mark,
            "order": self._order,
            "version": self._version,
            "word": self._word,
        }

    def read_token(self, at: int) -> int:
        """Read the token at the offset `at`, and return the offset behind it. Ignores blanks and evaluation marks.

        After the result, ignores everything but comments, with a warning.
        """
        found = TOKEN.match(self.plain, at)
        assert found  # a word may be any character
        kind = found.lastgroup or ""
        take = self.takers.get(kind)
        goes_on = self.end is None or (self.end, kind) == (RESIGNED, "result")
        if take and not self.second and (goes_on or kind in ("comment", "open", "semicolon", "header")):
            return take(found) or found.end()
        if take and not self.second and kind not in ("mark", "square", "round"):
            self._begin_second(kind)
        return found.end()

    def _begin_second(self, kind: str) -> None:
        """Leave out the rest of the text, after the result or from the header of a second game."""
        self.second = kind in ("number", "header")
        if self.second:
            self._warn(Sentence("A second game begins after the first one. Only the first was read."))
        else:
            self._warn(Sentence("The text after the result {result} was ignored.", result=self.end or ""))

    def _warn(self, sentence: Sentence) -> None:
        self.warnings[sentence] = None

    def _comment(self, found: re.Match[str]) -> None:
        self._add_comment(self.text[found.start() + 1 : found.end() - 1])

    def _open_comment(self, found: re.Match[str]) -> None:
        self._add_comment(self.text[found.start() + 1 : found.end()])
        said = excerpt(found[0], length=EXCERPT)
        self._warn(Sentence("The comment “{text}” is not closed. It was read to the end of its line.", text=said))

    def _add_comment(self, words: str) -> None:
        if text := plain_comment(words):
            (self.turns[-1].comments if self.turns else self.comments).append(text)

    def _skip(self, found: re.Match[str]) -> None:
        self._warn(_skipped_sentence(found[0]))

    def _remark(self, found: re.Match[str]) -> int:
        """Skip a remark or variation, and return the offset behind it."""
        end = self.remarks.get(found.start(), found.end())
        self._warn(_skipped_sentence(self.text[found.start() : end]))
        return end

    def _reserve(self, found: re.Match[str]) -> int | None:
        if not self.turns:
            self._number(found)
            return None
        self.turns[-1].words.append("".join(found[0].split()))
        self.apart = True
        return None

    def _semicolon(self, found: re.Match[str]) -> int | None:
        """Join what follows to the turn if it can belong to it. Otherwise read a comment, and return its end."""
        last = None if self.apart or not self.turns else self.turns[-1]
        end = found.end()
        if (
            last
            and self.end is None
            and (REMOVAL_NEXT.match(self.plain, end) or (not last.acted and PUSH_NEXT.match(self.plain, end)))
        ):
            last.words.append(";")
            return None
        line_end = self.plain.find("\n", end)
        over = len(self.plain) if line_end < 0 else line_end
        self._add_comment(self.text[end:over])
        if ONLY_TURNS.fullmatch(self.plain, end, over):
            said = excerpt(self.text[end:over].strip(), length=EXCERPT)
            self._warn(Sentence("“{text}” follows a semicolon and was read as a comment.", text=said))
        return over

    def _preset(self, name: str, text: str, at: int) -> str:
        """Return the key of the rule set called `name`. If there is none, raises ParseError, which quotes `text`.

        `at` is the offset of the name in `text`.
        """
        if name.lower() in ("short-cut", "shortcut"):
            self._warn(Sentence("“Short-cut” is read as Standard."))
            return "standard"
        plain, plus, potentials = name.partition("+")
        if plain.lower() not in RULESETS:
            known = Sentence("a rule set ({known})", known=", ".join(RULESETS))
            raise ParseError(known, text, at, at + len(name))
        try:
            return ruleset_named(plain.lower() + plus + potentials.upper()).name
        except WrongRuleset as fault:
            raise ParseError(Sentence("a rule set"), text, at, at + len(name), fault.sentence) from None

    def _header(self, found: re.Match[str]) -> None:
        if self.turns or self.end or (self.headed and self.headers):
            self._begin_second("header")
            return
        key = _SPELT.get(found["key"].lower(), found["key"])
        quotes = "value" if found["curly"] is None else "curly"
        value = plain_header(re.sub(r"\\(.)", r"\1", self.text[found.start(quotes) : found.end(quotes)]))
        if key == "FEN":
            raise _sheet_error(Sentence("a header [Position] in place of [FEN]"), self.text, found.start())
        self.headers.append((key, value))
        if key == "Rules":
            at = found.start(quotes) - found.start()
            self.rules.setdefault("header", self._preset(value, found[0], at))

    def _version(self, found: re.Match[str]) -> None:
        self.rules.setdefault("heading", self._preset(found[0], found[0], 0))

    def _order(self, found: re.Match[str]) -> None:
        if found[0].lower().startswith("black"):
            self._warn(Sentence("“Black-White”: Black moves first and is called White here."))
            self.names = {"White": "Black", "Black": "White"}

    def _number(self, found: re.Match[str]) -> None:
        number = "".join(found[0].split())
        for_black = number.endswith(("..", "…"))
        self.counted, self.apart = f"{number.rstrip('.…')}..." if for_black else number, True

    def _result(self, found: re.Match[str]) -> None:
        score = normalise_score(found[0])
        if self.names and _COLOUR_AND_VERB.search(found[0].lower()):
            score = {"1-0": "0-1", "0-1": "1-0"}[score]
        if score == RESIGNED and self.counted.endswith("..."):
            score = "1-0"  # Black, also if a turn of White is missing
        if self.turns:
            self.end = score
        else:
            self.headed = score

    def _mark(self, found: re.Match[str]) -> None:
        if not self.turns:
            self._skip(found)
        else:
            self.turns[-1].mark = (self.turns[-1].mark + found[0])[:_LONGEST_MARK]

    def _word(self, found: re.Match[str]) -> None:
        word = found[0].replace(HIDDEN, "")
        word = word.rstrip(".…") or word
        last = self.turns[-1] if self.turns and not self.apart else None
        if last and last.goes_on_with(word):
            last.add(word)
            return
        if last and last.words[-1].strip("-"):
            last.words[-1] = last.words[-1].rstrip("-")
        if not word.strip(",-") and not self.counted and TURN_IN_LINE.match(self.plain, found.end()):
            self.apart = True
            return
        if len(self.turns) == MOST_TURNS:
            raise _sheet_error(Sentence("no more than {count} turns", count=MOST_TURNS), self.text, found.start())
        self.turns.append(_TurnDraft([], self.counted))
        self.turns[-1].add(_without_signs_between(word))
        self.apart, self.counted = False, ""

    def sheet(self) -> Sheet:
        """Return everything collected so far as a sheet."""
        entries = tuple(
            SheetTurn("".join(turn.words), turn.mark, tuple(turn.comments), turn.number) for turn in self.turns
        )
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
            if found and found[1].lower() in RULESETS:
                return found[1].lower()
        return None

    def _outcome(self) -> str | None:
        """Return the result at the end of the text, or else the result in the headers or before the first turn.

        None if the game is unfinished.
        """
        header = next((value for key, value in self.headers if key == "Result"), "")
        headed = normalise_score(header) if re.fullmatch(RESULT, fold_signs(header)) else self.headed
        end = headed if self.end == RESIGNED and headed not in (None, UNFINISHED) else self.end
        if None not in (headed, end) and headed != end:
            self._warn(
                Sentence(
                    "The result is {result} in the header, but {other} at the end of the text.",
                    result=headed or "",
                    other=end or "",
                )
            )
        result = end or headed
        return None if result == UNFINISHED else result


def _skipped_sentence(text: str) -> Sentence:
    return Sentence("“{text}” was skipped.", text=excerpt(text, length=EXCERPT))


def _without_signs_between(word: str) -> str:
    """Return the first word of a turn without the commas and hyphens that stand between turns."""
    return word.lstrip(",-").rstrip("" if _begins_list(word) else ",") or word
