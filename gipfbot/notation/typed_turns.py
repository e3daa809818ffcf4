"""Read a turn from text: whole or up to the first open choice, in one notation or in either.

`parse_turn` is for records and tools, and raises an error if a choice is open. `read_remaining_turn` is for a game in
progress, and returns the actions before the open choice.

If the text is not legal as typed, it is read again, and the case of letters is ignored (notation.md).
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gipfbot.rules import Action, Position, Push, Ruleset, Use
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .errors import IllegalTurn, NotationError, OpenTurn
from .interpret import TurnReading
from .normalise import WrittenTurn
from .notations import NOTATIONS, OFFICIAL, Notation
from .open_choices import check_remaining_push, unfinished_turn_error
from .overboard_turns import parse_overboard, read_overboard, read_overboard_part
from .removal_steps import Way, play_along
from .suggest import suggest_turns
from .write_turn import turn_text

_ADVICE = re.compile(r"\b(?:write|with|or) (\S+?)(?=[.,:]?(?:\s|$))")  # a push that a sentence names


def read_written(rules: Ruleset, text: str, notation: Notation) -> WrittenTurn:
    """Split the text of a turn into its parts, as games of this rule set are written.

    Raises ParseError with the offset of the first fault. Does not check legality.
    """
    return read_overboard(text, notation) if rules.course == OVERBOARD_COURSE else notation.read(text)


def parse_turn(position: Position, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of the turn that a text describes. The inverse of `turn_text`.

    If `position` is in the middle of a turn, the text is the rest of that turn. Raises ParseError or IllegalTurn.
    Raises OpenTurn, which lists the choices, if the text leaves a choice open.
    """
    if position.rules.course == OVERBOARD_COURSE:
        return parse_overboard(position, text, notation)
    written = notation.read(text)
    reading = TurnReading(notation, text, keep=notation.keeps_unwritten)
    reached = reading.play_whole(position, written)
    if reached.way.end.mover is position.mover:
        raise unfinished_turn_error(reading, position, reached.ways, written)
    return reached.way.actions


def read_remaining_turn(
    reading: TurnReading, start: Position, done: Iterable[Action], written: WrittenTurn
) -> tuple[Action, ...]:
    """Return the actions that a written turn adds to the actions `done`, up to its first open choice.

    `done` was played from `start`. Raises IllegalTurn if the written turn is illegal, or if no removals before the
    written push can make the push legal.
    """
    if start.rules.course == OVERBOARD_COURSE:
        return read_overboard_part(reading, start, done, written)
    way = play_along(start, done)
    rest = reading.remaining_part(start, way.actions, written)
    added = reading.play_written(Way((), way.end), rest).way
    if rest.push and not any(isinstance(action, Push | Use) for action in added.actions):
        check_remaining_push(reading, added.end, rest)
    return added.actions


def read_turn_part(
    start: Position, done: Iterable[Action], text: str, notation: Notation = OFFICIAL
) -> tuple[Action, ...]:
    """Return the actions that a typed text adds to an unfinished turn, up to the first open choice.

    The actions `done` have been played from `start`. The text is the whole turn, or only the rest of it (`xGc4`).
    Removals that leave no choice need not be typed. The result is empty if the first choice of the turn is open.

    Raises ParseError if neither notation can read the text. Raises IllegalTurn if the text has no legal meaning. Raises
    OpenTurn if it means different turns in the two notations. The error comes from the notation that fits better, or
    else from `notation`, the player's own. Its `near` holds similar legal turns, written in `notation`.

    Assumes that `done` is legal and leaves the turn unfinished.
    """
    typed = _TypedPart(start, tuple(done), text, notation)
    said, faults = typed.read_in_each()
    for exact in (True, False):
        meanings, against = typed.meanings(one for one in said if one.written.exact is exact)
        if meanings:
            return typed.only_meaning(meanings)
        faults += against
    told = max(faults, key=_fit_rank).error
    raise told.with_near(_named_turns_first(told, suggest_turns(start, typed.done, text, notation, in_play=True)))


def _named_turns_first(error: NotationError, turns: Sequence[str]) -> list[str]:
    """Return the turns in the order in which the sentence of `error` names their pushes. The others follow."""
    rank = {push: at for at, push in reversed([*enumerate(_ADVICE.findall(str(error)))])}
    return sorted(turns, key=lambda turn: min(rank.get(part, len(rank)) for part in _parts_of(turn)))


def _parts_of(turn: str) -> list[str]:
    """Return the parts of a turn between its semicolons, without the removals in Julio974's notation."""
    return [part.partition("X")[0] for part in turn.split(";")]


class _ReadText(NamedTuple):
    """A text as read in one notation."""

    notation: Notation
    written: WrittenTurn


class _Meaning(NamedTuple):
    """The actions that a text adds to the turn if it is read in `notation`."""

    notation: Notation
    actions: tuple[Action, ...]


class _FailedReading(NamedTuple):
    """The error of a text that cannot be read or played in `notation`."""

    notation: Notation
    error: NotationError


class _TypedPart(NamedTuple):
    """A text that a player typed to continue or finish a turn.

    The actions `done` of that turn have already been played from `start`. `shown` is the player's own notation.
    """

    start: Position
    done: tuple[Action, ...]
    text: str
    shown: Notation

    def read_in_each(self) -> tuple[list[_ReadText], list[_FailedReading]]:
        """Return the text as read in each notation, and an error for each notation that cannot read it.

        In both lists, the player's own notation comes first.
        """
        said, faults = list[_ReadText](), list[_FailedReading]()
        for notation in sorted(NOTATIONS.values(), key=lambda other: other is not self.shown):
            try:
                said.append(_ReadText(notation, read_written(self.start.rules, self.text, notation)))
            except NotationError as fault:
                faults.append(_FailedReading(notation, fault))
        return said, faults

    def meanings(self, said: Iterable[_ReadText]) -> tuple[list[_Meaning], list[_FailedReading]]:
        """Return the legal meanings of the readings in `said`, and the errors of the illegal readings.

        If two readings mean the same turn, its meaning is returned once.
        """
        found, faults = dict[str, _Meaning](), list[_FailedReading]()
        for notation, written in said:
            reading = TurnReading(notation, self.text, shown=self.shown)
            try:
                meaning = _Meaning(notation, read_remaining_turn(reading, self.start, self.done, written))
            except NotationError as fault:
                faults.append(_FailedReading(notation, fault))
            else:
                found.setdefault(self._turn(meaning, OFFICIAL), meaning)
        return [*found.values()], faults

    def only_meaning(self, meanings: list[_Meaning]) -> tuple[Action, ...]:
        """Return the actions of the only meaning. Raises OpenTurn if there are several."""
        if len(meanings) == 1:
            return meanings[0].actions
        turns = [self._turn(meaning, meaning.notation) for meaning in meanings]
        titles = [meaning.notation.title for meaning in meanings]
        raise OpenTurn(turns, self.text, why="That can be read in two ways", readings=titles)

    def _turn(self, meaning: _Meaning, notation: Notation) -> str:
        return turn_text(self.start, (*self.done, *meaning.actions), notation)


def _fit_rank(found: _FailedReading) -> tuple[bool, bool, int]:
    """Return a sort key for how well a text fits a notation. A notation that can read the text ranks highest.

    If neither notation can read the text, official notation ranks higher for a text with a hyphen or comma. For any
    other text, the notation whose fault comes later in the text ranks higher.
    """
    notation, fault = found
    if isinstance(fault, IllegalTurn):
        return True, False, 0
    return False, notation is OFFICIAL and any(sign in fault.text for sign in "-–,"), fault.at or 0
