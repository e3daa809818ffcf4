"""The two notations as values: how each spells what is played, and what its texts mean in a position."""

from collections.abc import Callable
from dataclasses import dataclass

from gipfbot.rules import PUSHES, Action, Position, Push, Remove, legal, open_rows
from gipfbot.rules.events import moves
from gipfbot.rules.geometry import ENTRIES_BY_DOT, ENTRIES_BY_SPOT, Entry, bits, names
from gipfbot.rules.rows import has_row

from . import julio974, official
from .errors import IllegalTurn
from .refusals import refuse_group, refuse_marks, refuse_push, refuse_removal
from .steps import Way, clearing, following
from .written import Act, Removal, Written

Lists = tuple[Removal, ...]


@dataclass(frozen=True, eq=False)
class Notation:
    """A way to write turns.

    `keeps` tells that in a record what is not written is kept (in play, and in the other notation, it is left open).
    """

    name: str
    title: str
    keeps: bool
    joint: str  # between two removals of a step, and between a push and what is removed after it
    read: Callable[[str], Written]
    push_text: Callable[[Position, Push], str]
    removal_text: Callable[[Position, Remove], str]
    bare: Callable[[Position], str]  # what stands for a step of which nothing has to be said
    entries: Callable[[Act], tuple[Entry, ...]]  # the ways on to the board that a push may mean
    cleared: Callable[[Position, Lists, bool, str], list[Way]]
    beyond: Callable[[Position, Lists, tuple[Action, ...]], Lists | None]
    idle: Callable[[Position, Lists], bool]

    def find_push(self, position: Position, act: Act) -> Push | None:
        """Return the legal push that is meant, None where none is."""
        for entry in self.entries(act):
            push = PUSHES[entry.dot, entry.spot, act.kind]
            if push in legal(position) and act.spot in (None, moves(position, push)[0][1]):
                return push
        return None

    def refuse_push(self, position: Position, act: Act, shown: "Notation", text: str) -> IllegalTurn:
        """Return why this push is not legal in a position in which no row is due; that it is not is not checked.

        Pushes that can be made instead are written in the notation `shown`.
        """
        return refuse_push(position, act, self.entries(act), shown.push_text, text)


# ── Official ──


def _official_entries(act: Act) -> tuple[Entry, ...]:
    return ENTRIES_BY_DOT[act.dot] if act.dot else ENTRIES_BY_SPOT.get(act.spot or "", ())


def _official_cleared(position: Position, lists: Lists, pushes: bool, text: str) -> list[Way]:
    """Return the way to clear the spots named: a row for each list if that goes, else in whatever way it goes.

    With `pushes` a push follows: of two ways to clear the same spots the one that does not end the game is meant.
    Raises IllegalTurn.
    """
    named = tuple(piece for removal in lists for piece in removal.pieces)
    if not named:
        return [Way((), position)]
    refuse_marks(position, named, text)
    sets = [bits(piece.spot for piece in removal.pieces) for removal in lists if removal.pieces]
    way = following(position, sets)
    if way and (way.end.mover is position.mover or not pushes):
        return [way]
    ways = clearing(position, sum(sets), official.removal_text, ";")
    ways.sort(key=lambda other: pushes and other.end.mover is not position.mover)
    found = ways[:1] or ([way] if way else [])
    if not found:
        raise refuse_removal(position, named, lists[0].at, text)
    return found


def _official_beyond(position: Position, lists: Lists, done: tuple[Action, ...]) -> Lists | None:
    """Return the lists without what is done; None where they name a part of it only."""
    gone = {spot for action in done if isinstance(action, Remove) for spot in action.spots}
    if not gone:
        return lists
    named = {piece.spot for removal in lists for piece in removal.pieces}
    if named & gone and not gone <= named:
        return None
    left = (removal._replace(pieces=tuple(p for p in removal.pieces if p.spot not in gone)) for removal in lists)
    return tuple(removal for removal in left if removal.pieces)


OFFICIAL = Notation(
    "official",
    "official",
    keeps=False,
    joint=";",
    read=official.read,
    push_text=official.push_text,
    removal_text=official.removal_text,
    bare=lambda position: "",
    entries=_official_entries,
    cleared=_official_cleared,
    beyond=_official_beyond,
    idle=lambda position, lists: not lists,
)


# ── Julio974 ──


def _julio974_entries(act: Act) -> tuple[Entry, ...]:
    return (julio974.entry_of(act.dot, act.star),) if act.dot else ENTRIES_BY_SPOT.get(act.spot or "", ())


def _julio974_cleared(position: Position, groups: Lists, pushes: bool, text: str) -> list[Way]:
    """Return the ways to deal with a row for each group that says something: several where no code says which row.

    Raises IllegalTurn where there is none.
    """
    ways = [Way((), position)]
    for group in groups:
        if group.row or group.pieces:
            found = [after for way in ways for after in _dealt(way, position, group)]
            if not found and ways[0].end.mover is not position.mover:
                sentence = f"By then {position.mover} has no row left: there is nothing more to remove."
                raise IllegalTurn("no_row", "R4.1", sentence, text, group.at)
            if not found:
                raise refuse_group(ways[0].end, group, text)
            ways = found
    return ways


def _dealt(way: Way, start: Position, group: Removal) -> list[Way]:
    spots, rows = bits(piece.spot for piece in group.pieces), open_rows(way.end)
    if way.end.mover is not start.mover:
        return []
    rows = tuple(row for row in rows if group.row in (None, row.line.code) and not spots & ~row.may)
    return [way.then(Remove(row.line.number, row.must | spots)) if row.must | spots else way for row in rows]


def _julio974_beyond(position: Position, groups: Lists, done: tuple[Action, ...]) -> Lists | None:
    """Return the groups without those of rows that are done; None where one says otherwise of such a row."""
    removals = [action for action in done if isinstance(action, Remove)]
    left = [group for group in groups if group.row or group.pieces or not removals]
    for action in removals:
        taken, code = {*names(action.taken & position.gipf)}, action.on.code
        said = [group for group in left if group.row in (None, code)]
        same = [group for group in said if {piece.spot for piece in group.pieces} == taken]
        if same:
            left.remove(same[0])
        elif any(group.row for group in said):
            return None
    return tuple(left)


def _julio974_bare(position: Position) -> str:
    return "X" if any(map(has_row, position.owned)) else ""


def _julio974_idle(position: Position, groups: Lists) -> bool:
    """Whether a push that leaves its player no row may be followed by these groups: a row of the opponent's stands."""
    return not groups or (has_row(position.owned[position.mover]) and not any(g.row or g.pieces for g in groups))


JULIO974 = Notation(
    "julio974",
    "Julio974",
    keeps=True,
    joint="",
    read=julio974.read,
    push_text=julio974.push_text,
    removal_text=julio974.removal_text,
    bare=_julio974_bare,
    entries=_julio974_entries,
    cleared=_julio974_cleared,
    beyond=_julio974_beyond,
    idle=_julio974_idle,
)

NOTATIONS = {notation.name: notation for notation in (OFFICIAL, JULIO974)}
