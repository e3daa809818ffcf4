"""The errors for turns of Overboard that can be read but are illegal, with their sentences."""

from collections.abc import Sequence

from gipfbot.rules import PUSHES, Kind, NotedRow, Position, Push, legal
from gipfbot.rules.geometry import BIT, LINES, NAME, Entry, bits, names
from gipfbot.rules.overboard import basic_pieces, end_runs, last_spot, standing_gipf
from gipfbot.rules.position import kind_at

from .errors import IllegalTurn
from .normalise import WrittenPiece, WrittenPush, WrittenRemoval, WrittenUse
from .refusals import PushSpelling, TurnFault


def refuse_pass(position: Position, text: str) -> IllegalTurn:
    """Return the error for an illegal pass."""
    left = position.reserve[position.mover]
    sentence = f"Only a player without a reserve passes, and {position.mover} has {left}."
    return IllegalTurn("no_pass", "R8.5", sentence, text)


def refuse_overboard_push(
    position: Position, act: WrittenPush | WrittenUse, entries: Sequence[Entry], spell: PushSpelling, text: str
) -> IllegalTurn:
    """Return the error for an illegal push. `entries` are the entries that the written push can mean.

    `spell` writes the possible pushes that the error names.
    """
    fault = _act_fault(position, act)
    if not fault and isinstance(act, WrittenPush):
        fault = _entry_fault(position, act, entries, spell)
    return IllegalTurn(*(fault or ("no_line", "R8.2", "That is no push.")), text, act.at)


def _act_fault(position: Position, act: WrittenPush | WrittenUse) -> TurnFault | None:
    if isinstance(act, WrittenUse) or act.kind.loaded:
        return "no_potential", "R8.6", "There are no potentials in Overboard."
    if act.kind is Kind.GIPF:
        return "no_gipf", "R8.1", "In Overboard no GIPF-pieces are brought in: leave the G out."
    if not position.reserve[position.mover]:
        return "reserve", "R8.5", f"{position.mover} has no piece in reserve and can only pass: write pass."
    return None


def _entry_fault(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> TurnFault:
    meant = [entry for entry in entries if act.spot in (None, entry.spot)]
    if act.dot and meant:
        spot = NAME[last_spot(meant[0])]
        return "held", "R8.2", f"From {act.dot} the GIPF-piece on {spot} would be pushed off the board."
    if not entries:
        return "inside", "R3.2", f"{act.spot} is not next to a dot: a piece comes in from a dot."
    ways = " or ".join(spell(position, push) for push in _legal_pushes(position, entries))
    if not ways:
        where = f"from {act.dot}" if act.dot else f"to {act.spot}"
        return "held", "R8.2", f"Every push {where} would push off a GIPF-piece."
    if act.dot:
        return "no_line", "R8.2", f"From {act.dot} the first spot of the line is written: {ways}."
    return "no_dot", "R8.2", f"In Overboard a push is written with its dot: {ways}."


def _legal_pushes(position: Position, entries: Sequence[Entry]) -> list[Push]:
    pushes = [PUSHES[entry.dot, entry.spot, Kind.BASIC] for entry in entries]
    return [push for push in pushes if push in legal(position)]


def check_pieces(position: Position, named: Sequence[WrittenPiece], text: str) -> None:
    """Raise IllegalTurn if a named piece is not there or its letter or `*` is wrong. A missing `*` is accepted."""
    for piece in named:
        if fault := _piece_fault(position, piece):
            raise IllegalTurn(*fault, text, piece.at)


def _piece_fault(position: Position, piece: WrittenPiece) -> TurnFault | None:
    bit, spot = BIT[piece.spot], piece.spot
    if not (position.owned[0] | position.owned[1]) & bit:
        in_work = position.stage and LINES[position.noted[0].line].mask & bit
        return None if in_work else ("empty", "R8.3", f"{spot} is empty: there is nothing to remove.")
    kind = kind_at(position, bit)
    if piece.kind.loaded:
        return "no_potential", "R8.6", "There are no potentials in Overboard."
    if piece.kind is not kind and kind is Kind.BASIC:
        return "not_gipf", "R8.3", f"{spot} holds a basic piece: leave the G out."
    if piece.kind is not kind:
        return "gipf", "R8.3", f"{spot} holds a GIPF-piece: write G{spot} if its owner gives it up, or leave it out."
    if piece.star and position.owned[position.mover] & bit:
        return "own", "R8.3", f"{spot} is {position.mover}'s own: leave the * out."
    return None


def refuse_late_lists(position: Position, lists: Sequence[WrittenRemoval], text: str) -> IllegalTurn:
    """Return the error for what stands behind a question to the other player. `position` is the one that asks it."""
    row, owner = position.noted[0], position.decider
    asked = f"{owner} decides about the GIPF-pieces in the row on line {LINES[row.line].code}"
    spots = standing_gipf(position, row)
    named = next((piece for removal in lists for piece in removal.pieces if BIT[piece.spot] & spots), None)
    if named:
        return IllegalTurn("asked", "R8.4", f"{asked}: leave G{named.spot} out.", text, named.at)
    return IllegalTurn("asked", "R8.4", f"{asked} before your turn goes on: write no more than that row.", text)


def refuse_answer(position: Position, named: Sequence[WrittenPiece], text: str) -> IllegalTurn:
    """Return the error for an answer that names other pieces than the GIPF-pieces that are asked about."""
    row = position.noted[0]
    spots = ", ".join(f"G{spot}" for spot in names(standing_gipf(position, row)))
    sentence = f"{position.decider} is asked only about the row on line {LINES[row.line].code}: name any of {spots}."
    wrong = next((piece for piece in named if not BIT[piece.spot] & standing_gipf(position, row)), None)
    return IllegalTurn("outside", "R8.4", sentence, text, wrong.at if wrong else None)


def refuse_lists(position: Position, lists: Sequence[WrittenRemoval], text: str) -> IllegalTurn:
    """Return the error for lists that fit no order of the rows. Assumes that their pieces are there."""
    if not position.noted:
        sentence = f"There is no row after this push, of {position.mover} or of {position.mover.other}."
        return IllegalTurn("no_row", "R8.3", sentence, text, lists[0].place if lists else None)
    for removal in lists:
        for piece in removal.pieces:
            if not any(_reach(position, row) & BIT[piece.spot] for row in position.noted):
                sentence = f"{piece.spot} lies in no row that was noted, and not next to its ends."
                return IllegalTurn("outside", "R8.3", sentence, text, piece.at)
    for removal in lists:
        if fault := _list_fault(position, bits(piece.spot for piece in removal.pieces)):
            return IllegalTurn(*fault, text, removal.place)
    first = f"{position.mover}'s rows come first, then {position.mover.other}'s"
    return IllegalTurn("together", "R8.3", f"These lists fit no order of the rows: {first}.", text, lists[0].place)


def _reach(position: Position, row: NotedRow) -> int:
    """Return the spots (bits) of a row and of all that could go at its ends."""
    line = LINES[row.line]
    others = position.owned[row.owner.other] & ~position.gipf & line.mask
    return row.spots | others


def _list_fault(position: Position, taken: int) -> TurnFault | None:
    """Return why no row can lose exactly these pieces, judged by the row that shares most of them."""
    row = max(position.noted, key=lambda one: (_reach(position, one) & taken).bit_count())
    code = LINES[row.line].code
    if missing := basic_pieces(position, row) & ~taken:
        alone = not any(other is not row and _reach(position, other) & missing for other in position.noted)
        if alone:
            return "must", "R8.3", f"The row on line {code} takes {', '.join(names(missing))} with it."
    for run in end_runs(position, row):
        if run & taken and run & ~taken:
            return "run", "R8.3", f"At the end of the row on line {code}, {', '.join(names(run))} go together or stay."
    return None
