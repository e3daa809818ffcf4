"""A typed turn in either notation (notation.md, its head): as typed first, then with the case of letters forgiven."""

from collections.abc import Iterable

from gipfbot.rules import Action, Position

from .errors import IllegalTurn, NotationError, OpenTurn
from .notations import NOTATIONS, OFFICIAL, Notation
from .reading import Reading
from .resembling import resembling
from .writing import turn_text
from .written import Written


def read_part(start: Position, done: Iterable[Action], text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions that a text adds to a turn of which `done` has been played from `start`.

    The text may be the remaining part (`xGc4`) or a whole turn that begins with what is done. Where it decides too
    little, the turn stays unfinished after the actions, of which there may be none; where nothing is left to choose,
    they go on. Raises IllegalTurn, also for a push that no choice before it allows; OpenTurn for a text that means one
    thing in one notation and another in the other; and ParseError. Where it fits neither, the error is that of the
    notation which it fits better, or else of `notation`, in which also the turns are written that are `near` it. That
    `done` is legal and leaves the turn unfinished is not checked.
    """
    done, faults = tuple(done), list[tuple[Notation, NotationError]]()
    readings = [*_readings(text, notation, faults)]
    for exact in (True, False):
        found: dict[str, tuple[Notation, tuple[Action, ...]]] = {}
        for read_as, written in readings:
            if written.exact is not exact:
                continue
            try:
                actions = Reading(read_as, text, shown=notation).part(start, done, written)
            except NotationError as fault:
                faults.append((read_as, fault))
            else:
                found.setdefault(turn_text(start, (*done, *actions)), (read_as, actions))
        if len(found) > 1:
            turns = [turn_text(start, (*done, *actions), read_as) for read_as, actions in found.values()]
            titles = [read_as.title for read_as, _ in found.values()]
            raise OpenTurn(turns, text, why="That can be read in two ways", readings=titles)
        if found:
            return next(iter(found.values()))[1]
    _, told = max(faults, key=_fits)
    told.near = tuple(resembling(start, done, text, notation))
    raise told


def _readings(
    text: str, notation: Notation, faults: list[tuple[Notation, NotationError]]
) -> Iterable[tuple[Notation, Written]]:
    """Yield what a text says in each notation that can read it, the one given first."""
    for read_as in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        try:
            yield read_as, read_as.read(text)
        except NotationError as fault:
            faults.append((read_as, fault))


def _fits(found: tuple[Notation, NotationError]) -> tuple[bool, bool, int]:
    """How well a text fits a notation: one that reads it, else one whose signs it has, else the later the first fault.

    Hyphens and commas are official.
    """
    notation, fault = found
    if isinstance(fault, IllegalTurn):
        return True, False, 0
    return False, notation is OFFICIAL and any(sign in fault.text for sign in "-–,"), fault.at or 0
