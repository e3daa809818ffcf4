"""Read a conditional line, which gives the turns of both players: `if e2 then g3, if d7 then b3` or `e2 g3 d7 b3`.

People write such lines in many ways. The reader cuts the text into words. If a `,` or `;` between two words belongs to
a turn, the words are joined; otherwise the second word begins the next turn. The time grows linearly with the length of
the text. The code in `ui` writes such lines for people, and this module reads them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gipfbot.rules import Action, Position
from gipfbot.rules.geometry import DOTS, ENTRIES_BY_DOT, LINES, SPOTS

from .completion import Fit, completions
from .errors import CHOICES_LISTED, NotationError, OpenTurn
from .normalise import PIECE_LETTER, RESERVE, normalise_typed, plain_turns
from .notations import NOTATIONS, OFFICIAL, Notation
from .records import BrokenRecord
from .removal_steps import play_along
from .turns import turn_text
from .typed_turns import bare_dot_pushes, read_turn_part

MOST_COMPARED = 25  # turns that contain a text
LITTLE_WORDS = ("if", "then", "they", "you", "play", "plays")

# The possessive quantifiers (`++`) prevent backtracking. Groups have none here: Python 3.11.2 goes wrong there.
_SIGN = r"[^\s,;:→/>()=-]"
_NUMBER = rf"[0-9]{{1,4}}(?:(?:\s*+[.…)])++|(?!{_SIGN}|-))"
_NUMBER_IN_BRACKETS = r"\([0-9]{1,4}\)(?=\s*+[a-z])"
_USE = r"[j-wyz][a-i][1-9]>[a-i][1-9](?:\+[12])?(?![0-9])"  # the letters of potentials are no columns, and no x
_OTHER = rf"(?P<reserve>{RESERVE})|(?P<word>{_USE}|{_SIGN}++(?:[=-]++{_SIGN}++)*(?:-++(?=[,;]|\Z))?)"
_WORD = re.compile(rf"(?P<number>{_NUMBER})|{_OTHER}", re.IGNORECASE)
_WORD_NUMBERED = re.compile(rf"(?P<number>{_NUMBER}|{_NUMBER_IN_BRACKETS})|{_OTHER}", re.IGNORECASE)
_FOR_BLACK = re.compile(r"[0-9]+\.?\s*(?:…|\.{2,})")
_PIECE = re.compile(rf"{PIECE_LETTER}?[a-i][1-9]\*?", re.IGNORECASE)
_DOT = re.compile(rf"{PIECE_LETTER}?({'|'.join(DOTS)})", re.IGNORECASE)
_SPOT = re.compile(rf"{'|'.join(SPOTS)}", re.IGNORECASE)
_NONE_WORD = "none"
_NONE_ALONE = re.compile(r"(?:(?<=\bif)|(?<=\bthen)|(?<=[,:→>]))\s+[-–—](?=\s*(?:[,\n]|\Z|if\b|then\b))", re.IGNORECASE)
_ARROW, _DASHES = re.compile("-*[→>]+"), re.compile("-+")


@dataclass
class _LineTurn:
    """A turn of a conditional line that is being read: its removals, its push, its removals.

    `number` is a move number such as `1...` in front of it. `reserve` is the reserve behind it. `closed` says that
    nothing more belongs to the turn.
    """

    steps: list[str]
    number: str = ""
    reserve: str = ""
    closed: bool = False

    def text(self) -> str:
        """Return the turn as one text."""
        return " ".join(filter(None, (self.number, ";".join(self.steps), self.reserve)))


def split_conditional(text: str, *, join_dots: bool = False, answers: bool = False) -> list[str]:
    """Return the text of each turn in a conditional line. Does not check the turns.

    Move numbers, arrows, colons, line breaks and words like `if` separate turns, and are left out. Only a number such
    as `1...`, which says that Black is to move, stays. Marks, comments and remarks in brackets are left out too.

    A dot and a spot with a blank between them, such as `e1 e3`, can be one push or two turns. They are one push if
    `join_dots` is true and the spot lies on a line from the dot.

    With `answers`, a dash alone behind `if`, `then`, a comma or an arrow is a turn: the answer "none" in Overboard.
    """
    text = _NONE_ALONE.sub(f" {_NONE_WORD}", text) if answers else text
    turns, number = list[_LineTurn](), ""
    for gap, kind, word in _read_words(text):
        last = turns[-1] if turns else _LineTurn([], closed=True)
        if kind == "number":
            number, last.closed = word if _FOR_BLACK.fullmatch(word) else "", True
        elif kind == "reserve":
            last.reserve, last.closed = f"({word.strip('() ')})", True
        elif not last.closed and _continues(last.steps, gap, word, join_dots=join_dots):
            continue
        else:
            turns.append(_LineTurn([word], number))
            number = ""
    return ["-" if answers and turn.steps == [_NONE_WORD] else turn.text() for turn in turns]


def _continues(steps: list[str], gap: str, word: str, *, join_dots: bool) -> bool:
    """Add a word to the steps of the turn before it if it belongs there. Return whether it does."""
    if gap == "," and _is_removal(steps[-1]) and _PIECE.fullmatch(word):
        steps[-1] += f",{word}"
    elif gap == ";" and (_is_removal(word) or all(map(_is_removal, steps))):
        steps.append(word)
    elif (_DASHES.fullmatch(gap) or (join_dots and (not gap or _ARROW.fullmatch(gap)))) and _is_push(steps[-1], word):
        steps[-1] += f"-{word}"
    else:
        return False
    return True


def _is_push(dot: str, spot: str) -> bool:
    """Return whether two words are a dot and a spot on a line from it."""
    first, second = _DOT.fullmatch(dot), _SPOT.match(spot)
    if not first or not second:
        return False
    return any(second[0].lower() in LINES[entry.line].spots for entry in ENTRIES_BY_DOT[first[1].lower()])


def _read_words(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the words of a conditional line as (gap, kind, word). The kind is `number`, `reserve` or `word`.

    The gap is the text between this word and the word before it. Words such as `if` are part of the gap. A number in
    brackets is a reserve, unless the line begins with one: then all before a turn are move numbers.
    """
    plain, end = plain_turns(text).strip(), 0
    for found in (_WORD_NUMBERED if plain.startswith("(") else _WORD).finditer(plain):
        word = _DASHES.sub("-", found[0].rstrip(".…")) if found["word"] else found[0]
        if found["word"] and word.lower() in ("", *LITTLE_WORDS):
            continue
        yield plain[end : found.start()].strip(), found.lastgroup or "", word
        end = found.end()


def _is_removal(step: str) -> bool:
    return step[0] in "xX"


def parse_conditional_turn(
    position: Position, text: str, turn_number: int, notation: Notation = OFFICIAL, done: Sequence[Action] = ()
) -> tuple[Action, ...]:
    """Return the actions of one complete turn of a conditional line. The text may be in either notation.

    In Overboard it is one player's actions up to the first question to the other, or an answer (R8.4). The actions
    `done` of the turn have been played from `position`. `notation` is the player's own notation.

    Raises BrokenRecord, which names the turn number, if the turn cannot be played. The `fault` of the error says why.
    If the text leaves a choice open or has two meanings, the fault is an OpenTurn. A dot from which two pushes are
    possible has two meanings, unless the player's notation is Julio974's. Each of the turns in `near` can be typed.
    """
    try:
        return _read_whole(position, done, text, notation)
    except NotationError as fault:
        decider = play_along(position, done).end.decider
        told = fault.with_near(_typeable(position, done, fault, notation))
        raise BrokenRecord(turn_number, decider, told, told.near) from fault


def _read_whole(position: Position, done: Sequence[Action], text: str, notation: Notation) -> tuple[Action, ...]:
    _check_one_push(play_along(position, done).end, text, notation)
    actions = read_turn_part(position, done, text, notation)
    _check_whole(position, done, actions, text, notation)
    return actions


def _typeable(position: Position, done: Sequence[Action], fault: NotationError, notation: Notation) -> list[str]:
    """Return the turns that an error suggests. One that leaves a choice open is replaced by what decides it.

    In Julio974's notation, a whole turn may leave open what a line has to decide.
    """
    found = dict[str, None]()
    for turn in fault.near:
        try:
            _read_whole(position, done, turn, notation)
        except OpenTurn as still_open:
            found.update(dict.fromkeys(still_open.choices))
        else:
            found[turn] = None
    return [*found][: len(fault.near)]


def _check_one_push(position: Position, text: str, notation: Notation) -> None:
    pushes = bare_dot_pushes(position, text, notation)
    if len(pushes) > 1:
        choices = [notation.push_text(position, push) for push in pushes]
        raise OpenTurn(choices, text, whole=False, two_ways=True)


def _check_whole(
    position: Position, done: Sequence[Action], actions: Sequence[Action], text: str, notation: Notation
) -> None:
    """Raise OpenTurn if the player who decides after `done` has still to decide after `actions`.

    The error lists possible choices, each as it can be typed after `done`.
    """
    here = play_along(position, done).end
    after = play_along(here, actions).end
    if after.mover is here.mover and after.decider is here.decider:
        choices = [] if actions else _choices_before(position, done, text, notation)
        if not choices:
            begun = turn_text(here, actions, notation)  # the text may be in the other notation
            found = completions(position, done, begun, CHOICES_LISTED, notation)
            # A turn that only contains the text begins at another dot: d8-f7 contains f7.
            choices = [one.text for one in found if one.fit is not Fit.CONTAINED]
        raise OpenTurn(choices[:CHOICES_LISTED], text, more=len(choices) >= CHOICES_LISTED)


def _choices_before(position: Position, done: Sequence[Action], text: str, notation: Notation) -> list[str]:
    """Return the turns that a text may mean which leaves open what comes off the board before it.

    They are written in the player's own `notation` if the text is. Empty if no turn goes on with the text.
    """
    typed = normalise_typed(text).lower()
    for each in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        found = completions(position, done, text, MOST_COMPARED, each) if typed else []
        whole = [one.text for one in found if one.fit is Fit.EXACT or f";{one.text.lower()};".endswith(f";{typed};")]
        if whole:
            return whole
    return []
