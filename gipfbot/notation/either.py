"""A typed turn in either notation (notation.md, its head): as typed first, then with the case of letters forgiven."""

from collections.abc import Iterable

from gipfbot.rules import Action, Position

from .errors import IllegalTurn, NotationError, OpenTurn
from .notations import NOTATIONS, OFFICIAL, Notation
from .reading import Reading
from .writing import turn_text
from .written import Written


def read_part(start: Position, done: Iterable[Action], text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions that a text adds to a turn of which `done` has been played from `start`.

    The text may be the remaining part (`xGc4`) or a whole turn that begins with what is done. Where it decides too
    little, the turn stays unfinished after the actions, of which there may be none; where nothing is left to choose,
    they go on. Raises IllegalTurn, also for a push that no choice before it allows; OpenTurn for a text that means one
    thing in one notation and another in the other; and ParseError. Where it fits neither, the error is that of the
    notation which it fits better, or else of `notation`. That `done` is legal and leaves the turn unfinished is not
    checked.
    """
    done, faults = tuple(done), list[NotationError]()
    readings = [*_readings(text, notation, faults)]
    for exact in (True, False):
        found: dict[str, tuple[Notation, tuple[Action, ...]]] = {}
        for read_as, written in readings:
            if written.exact is not exact:
                continue
            try:
                actions = Reading(read_as, text).part(start, done, written)
            except NotationError as fault:
                faults.append(fault)
            else:
                found.setdefault(turn_text(start, (*done, *actions)), (read_as, actions))
        if len(found) > 1:
            turns = [turn_text(start, (*done, *actions), read_as) for read_as, actions in found.values()]
            raise OpenTurn(turns, text, why="That can be read in two ways")
        if found:
            return next(iter(found.values()))[1]
    raise max(faults, key=_fits)


def _readings(text: str, notation: Notation, faults: list[NotationError]) -> Iterable[tuple[Notation, Written]]:
    """Yield what a text says in each notation that can read it, the one given first."""
    for read_as in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        try:
            yield read_as, read_as.read(text)
        except NotationError as fault:
            faults.append(fault)


def _fits(fault: NotationError) -> tuple[bool, int]:
    """How far a notation got with a text: one that can be read fits better, else the later the first fault."""
    readable = isinstance(fault, IllegalTurn)
    return readable, 0 if readable else fault.at or 0
