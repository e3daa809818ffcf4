"""The events of an action, derived from the positions before and after it. Captions, marks and logs use them."""

from typing import NamedTuple, TypeAlias

from .actions import Action, Push, Remove, Use
from .geometry import BIT, LINES, NAME, each_bit
from .pieces import Colour, Kind, Piece, Result
from .position import Position, covered_spots, piece_at
from .rulesets import OVERBOARD_COURSE


class Pushed(NamedTuple):
    """A piece was pushed onto the board. `moved` lists each step as (from, to), the furthest piece first.

    In Overboard the furthest piece may end on the far dot: it goes over the edge, to its owner's reserve (R8.2).
    """

    by: Colour
    push: Push
    moved: tuple[tuple[str, str], ...]


class Used(NamedTuple):
    """A potential was used (R7.3). `put` stands on the target now: the used potential, or pieces put down there."""

    by: Colour
    use: Use
    put: Piece  # without what lies under it
    covered: Piece | None  # the opponent's piece right below


class Removed(NamedTuple):
    """A row was removed. `returned` went to the reserve of the player `by`, `captured` left the game (R4.3, R4.4).

    Of a stack only the top is gone, so the pieces have nothing under them. The used potentials in `returned` left the
    game, too (R7.5). In Overboard, `by` is the player who decided; `returned` went to its owner's
    reserve, and `captured` are GIPF-pieces that their owner gave up (R8.3).
    """

    by: Colour
    line: str
    returned: tuple[tuple[str, Piece], ...]
    captured: tuple[tuple[str, Piece], ...]


class Freed(NamedTuple):
    """A removal has freed pieces (R7.8). Each stands on its spot now, with what still lies under it."""

    pieces: tuple[tuple[str, Piece], ...]


class Ended(NamedTuple):
    """The game is over."""

    result: Result


Event: TypeAlias = Pushed | Used | Removed | Freed | Ended


def events(before: Position, action: Action, after: Position) -> tuple[Event, ...]:
    """Return the events of an action, in order. Does not check that `after` is `play(before, action)`."""
    told: list[Event] = []
    if isinstance(action, Push):
        told.append(Pushed(before.mover, action, moves(before, action)))
    elif isinstance(action, Remove) and action.taken:
        told.append(_removed_event(before, action))
        freed = _freed_pieces(before, action, after)
        told += [Freed(freed)] * bool(freed)
    elif isinstance(action, Use):
        told.append(_used_event(before, action, after))
    if after.result and not before.result:
        told.append(Ended(after.result))
    return tuple(told)


def path(push: Push) -> tuple[str, ...]:
    """Return the dot of a push, and then the spots of its line in the direction of the push."""
    spots = LINES[push.entry.line].spots
    return (push.dot, *(spots if push.entry.shift > 0 else reversed(spots)))


def moves(position: Position, push: Push) -> tuple[tuple[str, str], ...]:
    """Return the steps of a push as (from, to), the furthest piece first (R3.2).

    In Overboard every piece of the line moves, and the last one may move onto the far dot (R8.2). Does not check that
    the push is legal.
    """
    occupied = position.owned[0] | position.owned[1]
    way = path(push)
    if position.rules.course == OVERBOARD_COURSE:
        first, far = LINES[push.entry.line].dots
        spots = (*way, far if push.entry.shift > 0 else first)
        return tuple((spots[n], spots[n + 1]) for n in range(len(way) - 1, -1, -1) if not n or occupied & BIT[spots[n]])
    end = next(n for n, spot in enumerate(way) if n and not occupied & BIT[spot])
    return tuple((way[n - 1], way[n]) for n in range(end, 0, -1))


def furthest_spot(position: Position, push: Push) -> str:
    """Return the spot to which the furthest piece goes that a push moves (R3.2). Not for Overboard."""
    vacant = push.entry.mask & ~(position.owned[0] | position.owned[1])
    return NAME[vacant & -vacant if push.entry.shift > 0 else 1 << vacant.bit_length() - 1]


def _used_event(before: Position, use: Use, after: Position) -> Used:
    put = piece_at(after, use.to)
    return Used(before.mover, use, put._replace(under=()), put.under[0]._replace(under=()) if put.under else None)


def _removed_event(before: Position, action: Remove) -> Removed:
    gone = [(spot, piece._replace(under=())) for spot, piece in before.pieces().items() if spot in action.spots]
    lost = [one for one in gone if _is_lost(before, one[1])]
    returned = tuple(one for one in gone if one not in lost)
    return Removed(before.decider, LINES[action.line].code, returned, tuple(lost))


def _is_lost(before: Position, piece: Piece) -> bool:
    """Return whether a removed piece leaves the game, instead of going to a reserve."""
    if before.rules.course == OVERBOARD_COURSE:
        return piece.kind is Kind.GIPF
    return piece.owner is not before.mover


def _freed_pieces(before: Position, action: Remove, after: Position) -> tuple[tuple[str, Piece], ...]:
    covered = action.taken & covered_spots(before)
    return tuple((NAME[bit], piece_at(after, bit)) for bit in each_bit(covered))
