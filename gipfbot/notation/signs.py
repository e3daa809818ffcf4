"""Replace the signs that people write around turns, without moving any other character (notation.md section 2).

Most functions return a text of the same length, so that an offset in it is an offset in the original text.
"""

import re
from collections.abc import Iterator

from gipfbot.rules.geometry import DOTS, SPOTS

# The letter of a piece that is not a plain basic one, in any case. Letters of columns and x are none.
PIECE_LETTER = "[gj-wyz]"
HIDDEN = "\u200b"  # stands for every character that nobody sees
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
# An arrow or several dashes from a dot to a spot (`i3>h3`, `i3 -> h3`, `i3--h3`), a colon before a removal
# (`f8-f3:xGf3`), and the `n` that some write for a basic piece (`na1-c3`).
_DOT, _SPOT = "|".join(DOTS), "|".join(SPOTS)
_ARROW = re.compile(rf"((?:{_DOT})[^\S\n]*)(-*[>→]+|-{{2,}})(?=[^\S\n]*(?:{_SPOT}))", re.IGNORECASE)
_COLON = re.compile(r"([1-9*][^\S\n]*):(?=\s*x)", re.IGNORECASE)
_BASIC = re.compile(rf"(?<![a-z0-9])n(?=(?:{_DOT}|{_SPOT}))", re.IGNORECASE)
_ASIDE = re.compile(rf"{COMMENT}|\{{[^\n]*|[!?]+|{NAG}|{EVALUATION}|{FENCE}|{QUOTE}|{HIDDEN}", re.MULTILINE)
_RESERVE = re.compile(RESERVE)
_BRACKET = re.compile(rf"{COMMENT}|\{{[^\n]*|[()]")
_NUMBER = re.compile(
    r"\A\s*+(?:\((?P<round>[0-9]{1,4})\)|(?P<number>[0-9]{1,4})\s*(?:(?P<black>\.?\s*(?:…|\.{2,}))|[.)]|(?=\s))"
    r"|(?P<dots>…|\.{2,}))(?=\s*[A-Za-z])"
)
_FULL_STOP = re.compile(r"(?<=[\w*)])\s*+[.…]+(?=\s*\Z)")


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

    That is a move number, marks, comments, remarks in brackets, quote signs, code fences, and full stops at the end. A
    reserve stays.
    """
    plain = _blank_remarks(_ASIDE.sub(_blank, fold_signs(text)))
    return _FULL_STOP.sub(_blank, _NUMBER.sub(_blank, plain, count=1))


def plain_turns(text: str) -> str:
    """Return the text of several turns, with blanks for marks, comments, remarks in brackets, quotes and code fences.

    Characters without a width are left out, so offsets change. Reserves, move numbers and arrows stay.
    """
    plain = _blank_remarks(_ASIDE.sub(_blank, _fold_characters(text).replace(HIDDEN, "")))
    return _BASIC.sub("", plain)  # again, for an `n` right behind what was blanked


def _blank_remarks(plain: str) -> str:
    """Return a text with blanks for everything in round brackets that is no reserve."""
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


# ── Signs that a header or a comment cannot hold ──

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
