"""Write a game record as the text of a `.gipf` file (notation.md section 5). The inverse of `read_record`."""

import re
from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap

from .notations import OFFICIAL, Notation
from .positions import position_text
from .records import OWN_HEADERS, Record, RecordedTurn
from .sheets import HEADER_KEYS, UNFINISHED
from .signs import plain_comment, plain_header
from .write_turn import turn_text

LINE_WIDTH = 80


def record_text(record: Record, notation: Notation = OFFICIAL, *, reserve: bool = False) -> str:
    """Return a record as text that `read_record` reads back.

    The text holds turns, marks, comments, headers, rule set and result. Each numbered pair of turns begins a new line.
    Lines are wrapped at 80 characters, at a space, or after a `;` in a turn longer than a line. If `reserve` is true,
    the mover's reserve is added after each turn.

    Characters that a record cannot hold are replaced. A line break or a run of blanks becomes one blank. Control
    characters become a replacement character. In comments, braces become round brackets. In the key of a header, `_`
    replaces everything but letters, digits and `_`.

    A broken record is written up to its first fault, as an unfinished game. Does not check that the turns are legal,
    nor that the text is below the 64 KiB that `read_sheet` accepts.
    """
    result = record.result or UNFINISHED
    headers = [(key, value) for key, value in record.headers if key not in OWN_HEADERS]
    own = [("Rules", record.rules.title), ("Result", result)]
    if record.start_position:
        own.insert(1, ("Position", position_text(record.start_position)))
    for key, value in own:
        headers.insert(_header_index(key, headers), (key, value))
    lines = [*_record_lines(record, notation, reserve), result]
    lines[-2:] = [" ".join(lines[-2:])]
    shown = [f'[{_header_key(key)} "{_escape_header(value)}"]' for key, value in headers]
    body = [part for line in lines for part in wrap(line, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)]
    return "\n".join([*shown, "", *body, ""])


def _header_index(key: str, headers: list[tuple[str, str]]) -> int:
    """Return the index at which to insert the header `key`: before the first header that usually follows it."""
    behind = HEADER_KEYS[HEADER_KEYS.index(key) + 1 :]
    return next((at for at, (other, _) in enumerate(headers) if other in behind), len(headers))


def _header_key(key: str) -> str:
    return re.sub(r"\W", "_", key) or "_"


def _escape_header(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", plain_header(value))


def _record_lines(record: Record, notation: Notation, reserve: bool) -> Iterator[str]:
    """Yield the comments before the first turn, then one line for each numbered pair of turns, White's and Black's."""
    yield from _comment_texts(record.comments)
    pairs = groupby(record.turns, key=lambda step: (step.turn_number + 1) // 2)
    for number, (first, *others) in ((number, list(steps)) for number, steps in pairs):
        dots = "." if first.turn_number % 2 else "..."
        yield " ".join(
            [f"{number}{dots}", *(_turn_with_comments(step, notation, reserve) for step in (first, *others))]
        )


def _turn_with_comments(step: RecordedTurn, notation: Notation, reserve: bool) -> str:
    text = turn_text(step.before, step.actions, notation, reserve=reserve)
    if len(text) > LINE_WIDTH:
        text = text.replace(";", "; ")  # lets the line wrap here
    return " ".join([f"{text}{step.mark}", *_comment_texts(step.comments)])


def _comment_texts(comments: tuple[str, ...]) -> Iterator[str]:
    return (f"{{{text}}}" for text in map(plain_comment, comments) if text)
