"""Read what a player types in a game: the rest of their turn up to the first open choice, in either notation.

If the text is not legal as typed, it is read again, and the case of letters is ignored (notation.md).
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gipfbot.rules import Action, Kind, Position, Push, legal
from gipfbot.rules.geometry import ENTRIES_BY_DOT
from gipfbot.rules.powers import POWERS

from .errors import IllegalTurn, NotationError, OpenTurn, ParseError
from .normalise import WrittenTurn, normalise_typed
from .notations import JULIO974, NOTATIONS, OFFICIAL, Notation
from .refusals import open_now_sentence
from .removal_steps import play_along
from .suggest import suggest_turns
from .turns import TurnReading, read_remaining_turn, read_written, turn_text

_BARE_DOT = re.compile(r"([a-z]?)([a-i][1-9])(?:\([0-9]{1,2}\)?)?")


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
    told = _first_reason(typed, max(faults, key=_fit_rank).error)
    near = _named_turns_first(told, suggest_turns(start, typed.done, text, notation, in_play=True))
    raise told.with_near(near[:1] if told.code == "furthest" else near)  # it says which push is meant


def _first_reason(typed: "_TypedPart", fault: NotationError) -> NotationError:
    """Return the error that says what is open now, if the turn has begun and the text cannot be read.

    Otherwise return `fault`, also for a text that begins as a removal.
    """
    here = play_along(typed.start, typed.done).end
    begun = here.pushed or typed.done
    if not begun or not isinstance(fault, ParseError) or normalise_typed(typed.text).startswith("x"):
        return fault
    return ParseError(fault.expected, fault.text, fault.at or 0, sentence=open_now_sentence(here))


def _named_turns_first(error: NotationError, turns: Sequence[str]) -> list[str]:
    """Return the turns in the order in which the sentences of `error` name their pushes. The others follow."""
    rank = {push: at for at, push in reversed([*enumerate(error.advice)])}
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
                said.append(_ReadText(notation, read_written(self.start, self.text, notation)))
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
        raise OpenTurn(turns, self.text, two_ways=True, readings=titles)

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


# ── A dot alone ──


class BareDot(NamedTuple):
    """A dot from which two pushes lead, and the kind of piece to push."""

    kind: Kind
    dot: str


def parse_bare_dot(text: str) -> BareDot | None:
    """Return the dot that a text consists of; None for a dot with one direction, and for any other text.

    Move numbers, marks, remarks and a reserve do not count.
    """
    found = _BARE_DOT.fullmatch(normalise_typed(text))
    if found is None or len(ENTRIES_BY_DOT.get(found[2], ())) < 2:
        return None
    letter = found[1].upper()
    return BareDot(Kind(letter), found[2]) if letter in (*Kind, *POWERS) else None


def bare_dot_pushes(position: Position, text: str, notation: Notation) -> tuple[Push, ...]:
    """Return the legal pushes from a typed dot with two directions, the vertical one first. Empty for any other text.

    Also empty for a reader of Julio974's `notation`, in which a dot names one push.
    """
    bare = None if notation is JULIO974 else parse_bare_dot(text)
    pushes = [Push(entry, bare.kind) for entry in ENTRIES_BY_DOT[bare.dot]] if bare else []
    return tuple(push for push in pushes if push in legal(position))
