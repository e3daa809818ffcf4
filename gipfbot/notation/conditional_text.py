"""Read a conditional line, which gives the turns of both players: `if e2 then g3, if d7 then b3` or `e2 g3 d7 b3`.

People write such lines in many ways. The reader cuts the text into words. If a `,` or `;` between two words belongs to
a turn, the words are joined; otherwise the second word begins the next turn. The time grows linearly with the length of
the text. The code in `ui` writes such lines for people, and this module reads them.
"""

import re
from collections.abc import Iterator, Sequence

from gipfbot.rules import Action, Position, play
from gipfbot.rules.geometry import DOTS, SPOTS

from .completion import completions
from .detect import read_turn_part
from .errors import NotationError, OpenTurn
from .notations import OFFICIAL, Notation
from .records import BrokenRecord
from .write_turn import turn_text

CHOICES_LISTED = 6  # most turns listed if a text leaves a choice open
LITTLE_WORDS = ("if", "then")

# A push may have blanks around its dash. Any other dash with a blank beside it separates two turns. The possessive
# quantifiers (`++`) prevent backtracking.
_APART = r"\s,;→—:/>"
_SIGN = rf"[^{_APART}=–-]"
_SPACED_PUSH = rf"G?(?:{'|'.join(DOTS)})\s*+[–-]++\s*+(?=(?:{'|'.join(SPOTS)})\b)"
_WORD = re.compile(
    rf"""[0-9]{{1,4}}(?:\s*+[.…)]++|(?![^{_APART}]))  # a move number
    |(?P<word>(?:{_SPACED_PUSH})?{_SIGN}++(?:[=–-]++{_SIGN}++)*+(?:[–-]++(?=[,;]|\Z))?)""",
    re.IGNORECASE | re.VERBOSE,
)
_DASHES = re.compile("[–-]+")
_PIECE = re.compile(r"G?[a-i][1-9]\*?", re.IGNORECASE)


def split_conditional(text: str) -> list[str]:
    """Return the text of each turn in a conditional line. Does not check the turns.

    Move numbers, arrows, colons, line breaks, `if` and `then` separate turns, and are left out.
    """
    turns = list[list[str]]()  # each as its parts: removals, the push, removals
    for gap, word in _read_words(text):
        steps = turns[-1] if turns else []
        if steps and gap == "," and _is_removal(steps[-1]) and _PIECE.fullmatch(word):
            steps[-1] += f",{word}"
        elif steps and gap == ";" and (_is_removal(word) or all(map(_is_removal, steps))):
            steps.append(word)
        else:
            turns.append([word])
    return [";".join(steps) for steps in turns]


def _read_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a conditional line as (gap, word).

    The gap is the text between this word and the word before it. Move numbers, `if` and `then` are part of the gap.
    Blanks inside a word are left out, and dashes become hyphens.
    """
    text, end = text.strip(), 0
    for found in _WORD.finditer(text):
        word = found["word"]
        if word and word.lower() not in LITTLE_WORDS:
            yield text[end : found.start()].strip(), _DASHES.sub("-", "".join(word.split()))
            end = found.end()


def _is_removal(step: str) -> bool:
    return step[0] in "xX"


def parse_conditional_turn(
    position: Position, text: str, turn_number: int, notation: Notation = OFFICIAL
) -> tuple[Action, ...]:
    """Return the actions of one complete turn of a conditional line. The text may be in either notation.

    `notation` is the player's own notation. Raises BrokenRecord, which names the turn number, if the turn cannot be
    played. The `fault` of the error says why. If the text leaves a choice open or has two meanings, the fault is an
    OpenTurn.
    """
    try:
        actions = read_turn_part(position, (), text, notation)
        _check_whole(position, actions, text, notation)
    except NotationError as fault:
        raise BrokenRecord(turn_number, str(position.mover), fault, fault.near) from fault
    return actions


def _check_whole(position: Position, actions: Sequence[Action], text: str, notation: Notation) -> None:
    """Raise OpenTurn if `actions` leaves the turn unfinished. The error lists possible choices."""
    after = position
    for action in actions:
        after = play(after, action)
    if after.mover is position.mover:
        begun = turn_text(position, actions, notation)  # the text may be in the other notation
        choices = completions(position, (), begun, CHOICES_LISTED, notation)
        raise OpenTurn([found.text for found in choices], text, more=len(choices) == CHOICES_LISTED)
