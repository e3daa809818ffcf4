"""Find what the text of a typed turn says besides the turn. A record reader warns of the same things."""

from collections.abc import Iterator, Sequence

from gipfbot.rules import Action, Colour, Position
from gipfbot.rules.sentences import Sentence

from .conditional_text import split_conditional
from .errors import EXCERPT, NotationError, excerpt
from .normalise import WrittenTurn, turn_number_in
from .notations import NOTATIONS
from .records import turn_warning
from .removal_steps import play_along
from .sheets import read_sheet
from .turns import reserve_sentence


def typed_warnings(text: str, turn_number: int, reserve: int | None = None) -> tuple[Sentence, ...]:
    """Return a sentence for each part of a typed turn that is wrong or left out, but does not change the turn.

    These are a wrong move number, a wrong reserve, a star too many, and remarks and comments, which are not kept.
    `turn_number` counts the turns of both players from 1. `reserve` is the player's reserve after the turn, or None if
    the turn is not complete. Assumes that the text has been read as a turn.
    """
    return (*_number_warnings(text, turn_number), *_turn_warnings(text, turn_number, reserve), *_left_out(text))


def line_warnings(
    position: Position, text: str, turns: Sequence[tuple[Action, ...]], turn_number: int
) -> tuple[Sentence, ...]:
    """Return the same kinds of sentences for a conditional line. `turns` is its meaning, played from `position`.

    `turn_number` is the number of its first turn. Move numbers are not compared, since many people count a line from 1.
    """
    splits = split_conditional(text), split_conditional(text, join_dots=True)
    written, warnings = next((said for said in splits if len(said) == len(turns)), []), list[Sentence]()
    for number, (said, actions) in enumerate(zip(written, turns, strict=False), turn_number):
        mover, position = position.mover, play_along(position, actions).end
        found = _turn_warnings(said, number, position.reserve[mover])
        warnings += (turn_warning(number, warning) for warning in found)
    return (*warnings, *_left_out(text))


def _number_warnings(text: str, turn_number: int) -> Iterator[Sentence]:
    number, expected = turn_number_in(text), (turn_number + 1) // 2
    if number not in (None, expected):
        yield Sentence(
            "The text says move {number}, but this is move {expected}.", number=str(number), expected=str(expected)
        )


def _turn_warnings(text: str, turn_number: int, reserve: int | None) -> Iterator[Sentence]:
    """Yield the warnings of the notation that reads the text with the fewest."""
    readings = list[WrittenTurn]()
    for notation in NOTATIONS.values():
        try:
            readings.append(notation.read(text))
        except NotationError:
            continue
    written = min(readings, key=lambda reading: len(reading.warnings), default=None)
    if written:
        yield from written.warnings
        if reserve is not None and written.reserve not in (None, reserve):
            yield reserve_sentence(Colour.WHITE if turn_number % 2 else Colour.BLACK, reserve, written)


def _left_out(text: str) -> Iterator[Sentence]:
    try:
        sheet = read_sheet(text)
    except NotationError:
        return
    yield from sheet.warnings
    comments = [*sheet.comments, *(comment for turn in sheet.turns for comment in turn.comments)]
    shown = (excerpt(comment, length=EXCERPT) for comment in comments)
    yield from (Sentence("The comment “{text}” was not kept.", text=text) for text in shown)
