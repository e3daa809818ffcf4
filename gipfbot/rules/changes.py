"""What an action did, told from the positions before and after it: one list for captions, marks and logs."""

from typing import NamedTuple, TypeAlias

from .actions import Action, Push, Remove
from .geometry import BIT, LINES
from .pieces import Colour, Piece, Result
from .position import Position


class Pushed(NamedTuple):
    """A piece came on to the board; `moved` are all steps made, from where to where, the furthest piece first."""

    by: Colour
    push: Push
    moved: tuple[tuple[str, str], ...]


class Removed(NamedTuple):
    """A row was dealt with: pieces went home to the reserve of `by`, others were captured (R4.3, R4.4)."""

    by: Colour
    line: str
    returned: tuple[tuple[str, Piece], ...]
    captured: tuple[tuple[str, Piece], ...]


class Ended(NamedTuple):
    """The game is over."""

    result: Result


Event: TypeAlias = Pushed | Removed | Ended


def events(before: Position, action: Action, after: Position) -> tuple[Event, ...]:
    """Return what happened, in order. That `after` is `play(before, action)` is not checked."""
    told: list[Event] = []
    if isinstance(action, Push):
        told.append(Pushed(before.mover, action, moves(before, action)))
    elif isinstance(action, Remove):
        told.append(_removed_event(before, action))
    if after.result and not before.result:
        told.append(Ended(after.result))
    return tuple(told)


def path(push: Push) -> tuple[str, ...]:
    """Return the dot and then the spots of the line in the direction of the push."""
    spots = LINES[push.entry.line].spots
    return (push.dot, *(spots if push.entry.shift > 0 else reversed(spots)))


def moves(position: Position, push: Push) -> tuple[tuple[str, str], ...]:
    """Return the steps of a push, from where to where, the furthest piece first; a vacancy is not checked (R3.2)."""
    occupied = position.owned[0] | position.owned[1]
    way = path(push)
    end = next(n for n, spot in enumerate(way) if n and not occupied & BIT[spot])
    return tuple((way[n - 1], way[n]) for n in range(end, 0, -1))


def _removed_event(before: Position, action: Remove) -> Removed:
    gone = [(spot, piece) for spot, piece in before.pieces().items() if spot in action.spots]
    return Removed(
        before.mover,
        LINES[action.line].code,
        tuple((spot, piece) for spot, piece in gone if piece.owner is before.mover),
        tuple((spot, piece) for spot, piece in gone if piece.owner is not before.mover),
    )
