"""The errors for turns of Overboard that can be read but are illegal, with their sentences."""

from collections.abc import Sequence

from gipfbot.rules import PUSHES, Kind, NotedRow, Position, Push, legal
from gipfbot.rules.geometry import BIT, LINES, NAME, Entry, bits, names
from gipfbot.rules.overboard import basic_pieces, end_runs, last_spot, standing_gipf
from gipfbot.rules.position import kind_at
from gipfbot.rules.sentences import OneOf, Sentence

from .errors import IllegalTurn
from .normalise import WrittenPiece, WrittenPush, WrittenRemoval, WrittenUse
from .refusals import (
    PushSpelling,
    TurnFault,
    empty_sentence,
    inside_sentence,
    only_pass_sentence,
    row_takes_sentence,
)

NO_POTENTIALS = Sentence("There are no potentials in Overboard.")


def refuse_pass(position: Position, text: str) -> IllegalTurn:
    """Return the error for an illegal pass."""
    left = position.reserve[position.mover]
    sentence = Sentence(
        "Only a player without a reserve passes, and {player} has {reserve}.", player=position.mover, reserve=left
    )
    return IllegalTurn("no_pass", "R8.5", sentence, text)


def refuse_push(
    position: Position, act: WrittenPush | WrittenUse, entries: Sequence[Entry], spell: PushSpelling, text: str
) -> IllegalTurn:
    """Return the error for an illegal push. `entries` are the entries that the written push can mean.

    `spell` writes the possible pushes that the error names.
    """
    fault = _act_fault(position, act)
    if not fault and isinstance(act, WrittenPush):
        fault = _entry_fault(position, act, entries, spell)
    return IllegalTurn(*(fault or ("no_line", "R8.2", Sentence("That is no push."))), text, act.at)


def _act_fault(position: Position, act: WrittenPush | WrittenUse) -> TurnFault | None:
    if isinstance(act, WrittenUse) or act.kind.loaded:
        return "no_potential", "R8.6", NO_POTENTIALS
    if act.kind is Kind.GIPF:
        return (
            "no_gipf",
            "R8.1",
            Sentence("In {rules} no GIPF-pieces are brought in: leave the G out.", rules="Overboard"),
        )
    if not position.reserve[position.mover]:
        return "reserve", "R8.5", only_pass_sentence(position.mover)
    return None


def _entry_fault(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> TurnFault:
    meant = [entry for entry in entries if act.spot in (None, entry.spot)]
    if act.dot and meant:
        spot = NAME[last_spot(meant[0])]
        sentence = Sentence(
            "From {dot} the GIPF-piece on {spot} would be pushed off the board.", dot=act.dot, spot=spot
        )
        return "held", "R8.2", sentence
    if not entries:
        return "inside", "R3.2", inside_sentence(act.spot or "")
    ways = OneOf(spell(position, push) for push in _legal_pushes(position, entries))
    if not ways:
        return "held", "R8.2", _held_sentence(act)
    if act.dot:
        sentence = Sentence("From {dot} the first spot of the line is written: {turns}.", dot=act.dot, turns=ways)
        return "no_line", "R8.2", sentence
    return "no_dot", "R8.2", Sentence("In Overboard a push is written with its dot: {turns}.", turns=ways)


def _held_sentence(act: WrittenPush) -> Sentence:
    if act.dot:
        return Sentence("Every push from {dot} would push off a GIPF-piece.", dot=act.dot)
    return Sentence("Every push to {spot} would push off a GIPF-piece.", spot=act.spot or "")


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
        return None if in_work else ("empty", "R8.3", empty_sentence(spot))
    kind = kind_at(position, bit)
    if piece.kind.loaded:
        return "no_potential", "R8.6", NO_POTENTIALS
    if piece.kind is not kind and kind is Kind.BASIC:
        sentence = Sentence("{spot} holds a basic piece: leave the {letter} out.", spot=spot, letter="G")
        return "not_gipf", "R8.3", sentence
    if piece.kind is not kind:
        sentence = Sentence(
            "{spot} holds a GIPF-piece: write {piece} if its owner gives it up, or leave it out.",
            spot=spot,
            piece=OneOf([f"G{spot}"]),
        )
        return "gipf", "R8.3", sentence
    if piece.star and position.owned[position.mover] & bit:
        sentence = Sentence("{spot} is {player}'s own: leave the * out.", spot=spot, player=position.mover)
        return "own", "R8.3", sentence
    return None


def refuse_late_lists(position: Position, lists: Sequence[WrittenRemoval], text: str) -> IllegalTurn:
    """Return the error for lists written after a question to the other player. `position` asks that question."""
    row, owner = position.noted[0], position.decider
    line = LINES[row.line].code
    spots = standing_gipf(position, row)
    named = next((piece for removal in lists for piece in removal.pieces if BIT[piece.spot] & spots), None)
    if named:
        sentence = Sentence(
            "{player} decides about the GIPF-pieces in the row on line {line}: leave G{spot} out.",
            player=owner,
            line=line,
            spot=named.spot,
        )
        return IllegalTurn("asked", "R8.4", sentence, text, named.at)
    sentence = Sentence(
        "{player} decides about the GIPF-pieces in the row on line {line} before your turn goes on: write no more than "
        "that row.",
        player=owner,
        line=line,
    )
    return IllegalTurn("asked", "R8.4", sentence, text)


def refuse_answer(position: Position, named: Sequence[WrittenPiece], text: str) -> IllegalTurn:
    """Return the error for an answer that names other pieces than the GIPF-pieces that are asked about."""
    row = position.noted[0]
    spots = ", ".join(f"G{spot}" for spot in names(standing_gipf(position, row)))
    sentence = Sentence(
        "{player} is asked only about the row on line {line}: name any of {pieces}.",
        player=position.decider,
        line=LINES[row.line].code,
        pieces=spots,
    )
    wrong = next((piece for piece in named if not BIT[piece.spot] & standing_gipf(position, row)), None)
    return IllegalTurn("outside", "R8.4", sentence, text, wrong.at if wrong else None)


def refuse_lists(position: Position, lists: Sequence[WrittenRemoval], text: str) -> IllegalTurn:
    """Return the error for lists that fit no order of the rows. Assumes that their pieces are there."""
    if not position.noted:
        sentence = Sentence(
            "There is no row after this push, of {player} or of {opponent}.",
            player=position.mover,
            opponent=position.mover.other,
        )
        return IllegalTurn("no_row", "R8.3", sentence, text, lists[0].place if lists else None)
    for removal in lists:
        for piece in removal.pieces:
            if not any(_reach(position, row) & BIT[piece.spot] for row in position.noted):
                sentence = Sentence("{spot} lies in no row that was noted, and not next to its ends.", spot=piece.spot)
                return IllegalTurn("outside", "R8.3", sentence, text, piece.at)
    for removal in lists:
        if fault := _list_fault(position, bits(piece.spot for piece in removal.pieces)):
            return IllegalTurn(*fault, text, removal.place)
    sentence = Sentence(
        "These lists fit no order of the rows: {player}'s rows come first, then {opponent}'s.",
        player=position.mover,
        opponent=position.mover.other,
    )
    return IllegalTurn("together", "R8.3", sentence, text, lists[0].place)


def _reach(position: Position, row: NotedRow) -> int:
    """Return the spots (bits) of a row and of all pieces that could go at its ends."""
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
            return "must", "R8.3", row_takes_sentence(code, names(missing))
    for run in end_runs(position, row):
        if run & taken and run & ~taken:
            sentence = Sentence(
                "At the end of the row on line {line}, {spots} go together or stay.",
                line=code,
                spots=", ".join(names(run)),
            )
            return "run", "R8.3", sentence
    return None
