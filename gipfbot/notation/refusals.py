"""Every reason why a turn that can be read may not be played, in one place."""

from collections.abc import Sequence

from gipfbot.rules import Kind, Position, Push, legal, open_rows
from gipfbot.rules.actions import PUSHES
from gipfbot.rules.geometry import BIT, ENTRIES_BY_DOT, ENTRIES_BY_SPOT, LINES, names
from gipfbot.rules.position import kind_at

from .errors import IllegalTurn
from .official import Act, Named, push_text, removal_text


def refuse_act(position: Position, act: Act, text: str) -> IllegalTurn:
    """Return why this push is not legal in a position in which no row is due."""
    code, rule, sentence = _kind_fault(position, act) or (_dot_fault if act.dot else _spot_fault)(position, act)
    return IllegalTurn(code, rule, sentence, text, act.at)


def _kind_fault(position: Position, act: Act) -> tuple[str, str, str] | None:
    rules, mover = position.rules, position.mover
    pushes = [action for action in legal(position) if isinstance(action, Push)]
    if not pushes:
        return "reserve", "R6.1", f"{mover} has no piece in reserve: take GIPF-pieces from the row that stands."
    if any(push.kind is act.kind for push in pushes):
        return None
    if act.kind is Kind.BASIC:
        return "gipf_first", "R5.1", f"{mover} has no GIPF-piece on the board yet and must bring one in: write G{act.dot or act.spot}…"
    if not rules.gipf_enters:
        return "no_gipf", "R2", f"In {rules.name.capitalize()} no GIPF-pieces are brought in: leave the G out."
    if not position.opening[mover]:
        return "opening_over", "R5.2", f"{mover} has brought in a basic piece and may bring in no more GIPF-pieces: leave the G out."
    return "reserve", "R5.3", f"A GIPF-piece costs 2 and {mover} has {position.reserve[mover]} in reserve: leave the G out."


def _dot_fault(position: Position, act: Act) -> tuple[str, str, str]:
    assert act.dot
    entries = ENTRIES_BY_DOT[act.dot]
    entry = next((entry for entry in entries if act.spot in LINES[entry.line].spots), None)
    if entry is None:
        return "no_line", "R1.4", f"No line leads from {act.dot} to {act.spot}: {_ways_in(position, act)}"
    if not entry.mask & ~(position.owned[0] | position.owned[1]):
        return "closed", "R3.3", f"The line from {act.dot} through {entry.spot} has no vacancy and is closed from both ends."
    right = push_text(position, PUSHES[act.dot, entry.spot, act.kind])
    if not (position.owned[0] | position.owned[1]) & entry.first:
        return "vacant", "R3.2", f"{entry.spot} is vacant, so the piece from {act.dot} stops there: write {right}."
    return "furthest", "R3.2", f"{entry.spot} is occupied and that push moves pieces to another spot: write {right}."


def _spot_fault(position: Position, act: Act) -> tuple[str, str, str]:
    entries = ENTRIES_BY_SPOT.get(act.spot)
    if not entries:
        return "inside", "R3.2", f"{act.spot} is not next to a dot: a piece comes in from a dot, as in e1-e4."
    closed = ~(position.owned[0] | position.owned[1])
    pushes = [PUSHES[entry.dot, entry.spot, act.kind] for entry in entries if entry.mask & closed]
    if not pushes:
        return "closed", "R3.3", f"{act.spot} is occupied and every line through it from a dot is closed."
    first, *others = [f"from {push.dot} with {push_text(position, push)}" for push in pushes]
    return "occupied", "R3.2", f"{act.spot} is occupied: push {' or '.join([first, *others])}."


def _ways_in(position: Position, act: Act) -> str:
    pushes = [PUSHES[entry.dot, entry.spot, act.kind] for entry in ENTRIES_BY_DOT[act.dot or ""]]
    fit = [push_text(position, push) for push in pushes if push in legal(position)]
    return f"from there, play {' or '.join(fit)}." if fit else "its lines are closed."


def refuse_marks(position: Position, named: Sequence[Named], text: str) -> None:
    """Raise IllegalTurn for a named piece that is not there or is marked as what it is not; a missing `*` is forgiven."""
    own, occupied = position.owned[position.mover], position.owned[0] | position.owned[1]
    for piece in named:
        bit = BIT[piece.spot]
        fault = None
        if not occupied & bit:
            fault = "empty", "R4.1", f"{piece.spot} is empty: there is nothing to remove."
        elif piece.gipf and kind_at(position, bit) is not Kind.GIPF:
            fault = "not_gipf", "R4.4", f"{piece.spot} holds a basic piece: leave the G out."
        elif not piece.gipf and kind_at(position, bit) is Kind.GIPF:
            fault = "gipf", "R4.4", f"{piece.spot} holds a GIPF-piece: write G{piece.spot} to take it, or leave it out to keep it."
        elif piece.star and own & bit:
            fault = "own", "R4.3", f"{piece.spot} is {position.mover}'s own and returns to the reserve: leave the * out."
        if fault:
            raise IllegalTurn(*fault, text, piece.at)


def refuse_removal(position: Position, named: Sequence[Named], at: int, text: str) -> IllegalTurn:
    """Return why exactly these pieces cannot be removed now."""
    rows = open_rows(position)
    if not rows:
        return IllegalTurn("no_row", "R4.1", f"{position.mover} has no row on the board: there is nothing to remove.", text, at)
    stretches = 0
    for row in rows:
        stretches |= row.stretch
    for piece in named:
        if not BIT[piece.spot] & stretches:
            return IllegalTurn("outside", "R4.2", f"{piece.spot} lies in no row of {position.mover}'s.", text, piece.at)
    spots = {piece.spot for piece in named}
    for row in rows:
        if row.due and spots & {*names(row.stretch)} and not {*names(row.must)} <= spots:
            return IllegalTurn("must", "R4.3", f"With the row on line {row.line.code} go {', '.join(names(row.must))}.", text, at)
    ways = sorted(removal_text(position, action) for action in legal(position) if action and hasattr(action, "taken"))
    return IllegalTurn("together", "R4.5", f"These pieces cannot be removed in one step; one way is {ways[0]}.", text, at)
