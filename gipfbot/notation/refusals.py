"""The errors for turns that can be read but are illegal, with their sentences."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gipfbot.rules import Colour, Kind, Position, Push, Remove, Row, Use, legal, open_rows, ruleset_words
from gipfbot.rules.changes import furthest_spot
from gipfbot.rules.geometry import BIT, LINES, Entry, bits, names, neighbours
from gipfbot.rules.pending import question
from gipfbot.rules.position import Stage, kind_at
from gipfbot.rules.powers import POWERS

from .action_codes import use_code
from .errors import IllegalTurn, NotationError
from .normalise import NONE_SIGN, WrittenPiece, WrittenPush, WrittenRemoval, WrittenUse

TurnFault: TypeAlias = tuple[str, str, str]  # code, rule, sentence
PushSpelling: TypeAlias = Callable[[Position, Push], str]
WHITE_TO_MOVE = "The dots behind the number say that Black is to move, but it is White's turn."
MOST_NAMED = 3  # uses in one sentence
# Faults of a push that may be gone once rows have come off.
FAULTS_OF_THE_BOARD = {"occupied", "closed", "furthest", "vacant", "not_loaded", "no_target"}
RowSpelling: TypeAlias = Callable[[Position, Remove], str]


def refuse_push(
    position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling, text: str
) -> IllegalTurn:
    """Return the error for an illegal push. `entries` are the entries that the written push can mean.

    `spell` writes the possible pushes that the error names. Assumes that the push is illegal and that no row is due.
    """
    fault = _missing_target_fault(position, act) or _kind_fault(position, act)
    if not fault and act.dot:
        fault = _dot_fault(position, act, entries, spell)
    return IllegalTurn(*(fault or _spot_fault(position, act, entries, spell)), text, act.at)


def _missing_target_fault(position: Position, act: WrittenPush) -> TurnFault | None:
    """Return the fault of a use that does not say where the potential jumps to."""
    ways = [use_code(use) for use in legal(position) if isinstance(use, Use) and use.spot == act.spot]
    if act.dot or not ways or not any(way[0] == act.kind for way in ways):
        return None
    name = POWERS[act.kind].name
    sentence = f"Say where the {name}-potential on {act.spot} jumps to: write {' or '.join(ways[:MOST_NAMED])}."
    return "no_target", "R7.3", sentence


def _kind_fault(position: Position, act: WrittenPush) -> TurnFault | None:
    mover, kinds = position.mover, {action.kind for action in legal(position) if isinstance(action, Push)}
    if act.kind in kinds:
        return None
    if act.kind.loaded:
        return _loaded_fault(position, act.kind, kinds)
    if act.kind is Kind.BASIC:
        first = "has no GIPF-piece on the board yet and must bring one in"
        return "gipf_first", "R5.1", f"{mover} {first}: write G before the spot."
    return _gipf_fault(position)


def _loaded_fault(position: Position, kind: Kind, kinds: set[Kind]) -> TurnFault:
    name, mover, letters = POWERS[kind].name, position.mover, [letter for letter, _ in position.rules.potentials]
    if kind not in letters:
        return (
            "no_potential",
            "R7.1",
            f"{name}-potentials are not part of {ruleset_words(position.rules.name)}: leave the {kind} out.",
        )
    if not kinds:
        return "reserve", "R7.3", f"{mover} has no piece to bring in, and can only use a potential."
    if Kind.BASIC not in kinds:
        return "gipf_first", "R5.1", f"{mover} has no GIPF-piece on the board yet and must bring one in: write the G."
    none = "has no more of them to bring in, or has already brought in a basic piece"
    return "none_left", "R7.2", f"A {name}-potential cannot come in: {mover} {none}. Leave the {kind} out."


def refuse_use(position: Position, act: WrittenUse, text: str) -> IllegalTurn:
    """Return the error for the illegal use of a potential. Assumes that it is illegal and that no row is due."""
    return IllegalTurn(*_use_fault(position, act), text, act.at)


def _use_fault(position: Position, act: WrittenUse) -> TurnFault:
    mover, own, name = position.mover, position.owned[position.mover], POWERS[act.kind].name
    if not own & BIT[act.spot] or kind_at(position, BIT[act.spot]) is not act.kind:
        return "not_loaded", "R7.3", f"{mover} has no piece with a {name}-potential on {act.spot}."
    targets = [*POWERS[act.kind].targets(position, BIT[act.spot])]
    here = {target.put for target in targets if target.to == BIT[act.target]}
    if here and here != {0}:
        ways = " or ".join(f"+{put}" for put in sorted(here))
        reserve = position.reserve[mover]
        return "put", "R7.8", f"{mover} has {reserve} in reserve and can put {ways} on {act.target}."
    if here:
        return "put", "R7.8", f"Nothing is put down on {act.target}: leave the +{act.put} out."
    if POWERS[act.kind].covers and not position.reserve[mover] and _is_gipf_beside(position, act):
        return "reserve", "R7.8", f"{mover} has no piece in reserve to put on the GIPF-piece."
    spots = ", ".join(names(sum({target.to for target in targets})))
    ways = f"it can go to {spots}" if spots else "it can go nowhere now"
    rule = f" A {name}-potential {POWERS[act.kind].jump}." if POWERS[act.kind].jump else ""
    return "no_target", "R7.3", f"The {name}-potential on {act.spot} cannot go to {act.target}: {ways}.{rule}"


def _is_gipf_beside(position: Position, act: WrittenUse) -> bool:
    theirs = position.owned[position.mover.other] & position.gipf
    return bool(neighbours(BIT[act.spot]) & theirs & BIT[act.target])


def _gipf_fault(position: Position) -> TurnFault:
    rules, mover = position.rules, position.mover
    if not rules.gipf_enters:
        return "no_gipf", "R2", f"In {ruleset_words(rules.name)} no GIPF-pieces are brought in: leave the G out."
    if not position.opening[mover]:
        sentence = f"{mover} has brought in a basic piece and may bring in no more GIPF-pieces: leave the G out."
        return "opening_over", "R5.2", sentence
    return "reserve", "R5.3", f"A GIPF-piece costs 2 and {mover} has 1 in reserve: leave the G out."


def _dot_fault(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> TurnFault:
    entry = next((entry for entry in entries if act.spot in (None, *LINES[entry.line].spots)), None)
    if entry is None:
        ways = _possible_pushes_text(position, act, entries, spell)
        return "no_line", "R1.4", f"No line leads from {act.dot} to {act.spot}: {ways}."
    if _is_line_closed(position, entry):
        sentence = f"The line from {act.dot} through {entry.spot} is full, so nothing can be pushed into it."
        return "closed", "R3.3", sentence
    push = Push(entry, act.kind)
    right = spell(position, push)
    if not _occupied_spots(position) & entry.first:
        return "vacant", "R3.2", f"{entry.spot} is vacant, so the piece from {act.dot} stops there: write {right}."
    furthest = furthest_spot(position, push)
    return (
        "furthest",
        "R3.2",
        f"The push from {act.dot} moves pieces in its way, and the last one stops on {furthest}: write {right}.",
    )


def _spot_fault(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> TurnFault:
    if not entries:
        return "inside", "R3.2", f"{act.spot} is not next to a dot: a piece comes in from a dot."
    pushes = [Push(entry, act.kind) for entry in entries if not _is_line_closed(position, entry)]
    if not pushes:
        return "closed", "R3.3", f"{act.spot} is occupied and every line through it from a dot is closed."
    ways = " or ".join(f"from {push.dot} with {spell(position, push)}" for push in pushes)
    return "occupied", "R3.2", f"{act.spot} is occupied: push {ways}."


def _occupied_spots(position: Position) -> int:
    return position.owned[0] | position.owned[1]


def _is_line_closed(position: Position, entry: Entry) -> bool:
    return not entry.mask & ~_occupied_spots(position)


def _possible_pushes_text(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> str:
    pushes = [Push(entry, act.kind) for entry in entries if not _is_line_closed(position, entry)]
    ways = " or ".join(spell(position, push) for push in pushes)
    return f"from {act.dot}, write {ways}" if ways else f"every line from {act.dot} is closed"


def name_rows_first(position: Position, fault: NotationError, *, always: bool = True) -> NotationError:
    """Return the error for a push, which first names the rows that come off before it, if any are due in `position`.

    `fault` is what is wrong with the push after that (R3.1). It is left out unless it holds `always`, whatever is
    removed. A fault that no removal can change is returned as it is.
    """
    rows = [row for row in open_rows(position) if row.due]
    if not rows or fault.code not in FAULTS_OF_THE_BOARD or not isinstance(fault, IllegalTurn):
        return fault
    named = _join_rows([names(row.core) for row in rows])
    first = f"{position.mover}'s {named} {'comes' if len(rows) == 1 else 'come'} off first"
    sentence = f"{first}. {fault.sentence}" if always else f"{first}: write what goes, then the push."
    return IllegalTurn(fault.code, "R3.1", sentence, fault.text, fault.at)


def _join_rows(cores: Sequence[Sequence[str]]) -> str:
    ends = [f"{core[0]}–{core[-1]}" for core in cores]
    return f"row{'' if len(ends) == 1 else 's'} {' and '.join(ends)}"


def open_now_sentence(position: Position) -> str:
    """Return the sentence that says what the player has to decide now."""
    asked = question(position)
    assert asked
    if asked.stage is Stage.GIPF:
        return f"{asked.by} is asked about GIPF-pieces: write xG and the spot of each, or {NONE_SIGN} for none."
    if not asked.rows:
        return only_pass_sentence(asked.by) if asked.may_pass else "Write the push."
    stays = sorted({spot for row in asked.rows for toggle in row.toggles for spot in toggle})
    if stays and len(asked.rows) == 1:
        return f"{'Does' if len(stays) == 1 else 'Do'} {', '.join(stays)} stay on the board, or come off, too?"
    may_stay = f" ({', '.join(stays)} may stay)" if stays else ""
    return f"Write what comes off with the {_join_rows([row.core for row in asked.rows])}{may_stay}."


def only_pass_sentence(mover: Colour) -> str:
    """Return the sentence for a player whose reserve is empty in Overboard (R8.5)."""
    return f"{mover} has no piece in reserve and can only pass: write pass."


def refuse_mark(position: Position, piece: WrittenPiece, text: str, *, again: bool) -> IllegalTurn:
    """Return the error for a named piece that is not there, or whose letter or `*` is wrong.

    With `again`, its spot was named before, and no piece lies under its top.
    """
    fault = ("twice", "R4.6", f"{piece.spot} is named twice.") if again else _mark_fault(position, piece)
    return IllegalTurn(*fault, text, piece.at)


def _mark_fault(position: Position, piece: WrittenPiece) -> TurnFault:
    bit, spot = BIT[piece.spot], piece.spot
    kind = Kind(kind_at(position, bit).upper())
    if not _occupied_spots(position) & bit:
        return "empty", "R4.1", f"{spot} is empty: there is nothing to remove."
    if piece.kind is not kind and kind.loaded:
        return (
            "not_gipf",
            "R7.4",
            f"{spot} holds a {POWERS[kind].name}-potential: write {kind_at(position, bit)}{spot}.",
        )
    if piece.kind is not Kind.BASIC and kind is Kind.BASIC:
        return "not_gipf", "R4.4", f"{spot} holds a basic piece: leave the {piece.kind} out."
    if piece.kind is not kind:
        return "gipf", "R4.4", f"{spot} holds a GIPF-piece: write G{spot} to take it, or leave it out to keep it."
    return "own", "R4.3", f"{spot} is {position.mover}'s own and returns to the reserve: leave the * out."


def refuse_any_removal(position: Position, lists: Sequence[WrittenRemoval], text: str) -> IllegalTurn:
    """Return the error for a written removal when there is nothing to remove. Assumes that no row is open."""
    named = [piece for removal in lists for piece in removal.pieces]
    if fault := next(filter(None, (_dealt_fault(position, piece, text) for piece in named)), None):
        return fault
    if open_rows(position._replace(dealt=0)):
        sentence = f"{position.mover} has taken every row: there is nothing more to remove."
        return IllegalTurn("dealt", "R4.6", sentence, text, lists[0].place)
    sentence = f"{position.mover} has no row on the board: there is nothing to remove."
    return IllegalTurn("no_row", "R4.1", sentence, text, lists[0].place)


def refuse_removal(
    position: Position, named: Sequence[WrittenPiece], spell: RowSpelling, text: str, at: int
) -> IllegalTurn:
    """Return the error for named pieces that cannot be removed together, before the push or after it.

    If the error names a possible removal, `spell` writes it. `at` is the offset of the fault if no single piece is at
    fault. Assumes that a row is open and that the pieces cannot be removed together.
    """
    rows, spots = open_rows(position), bits(piece.spot for piece in named)
    for piece in named:
        if not any(row.stretch & BIT[piece.spot] for row in rows):
            sentence = f"{piece.spot} lies in no row of {position.mover}'s."
            outside = IllegalTurn("outside", "R4.2", sentence, text, piece.at)
            return _dealt_fault(position, piece, text) or outside
    row = max(rows, key=lambda row: (row.stretch & spots).bit_count())
    for part in (row, *_isolated_rows([row for row in rows if row.stretch & spots])):
        if missing := part.must & ~spots:
            sentence = f"The row on line {part.line.code} takes {', '.join(names(missing))} with it."
            return IllegalTurn("must", "R4.3", sentence, text, at)
    way = spell(position, Remove(row.line.number, row.must | row.may & spots))
    sentence = f"These pieces cannot be removed in one step; one way is {way}."
    return IllegalTurn("together", "R4.5", sentence, text, at)


def refuse_split_row(right: str, text: str, at: int) -> IllegalTurn:
    """Return the error for several lists that take one row between them. `right` is one list for each row."""
    sentence = f"All that leaves with one row stands in one list: write {right}."
    return IllegalTurn("split", "R4.6", sentence, text, at)


def _dealt_fault(position: Position, piece: WrittenPiece, text: str) -> IllegalTurn | None:
    for line in LINES:
        if position.dealt >> line.number & 1 and piece.spot in line.spots:
            sentence = f"{position.mover} has taken that row and kept {piece.spot}."
            return IllegalTurn("dealt", "R4.6", sentence, text, piece.at)
    return None


def _isolated_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that share no spot with any other row in `rows`."""
    return [row for row in rows if not any(row.stretch & other.stretch for other in rows if other is not row)]


def refuse_group(position: Position, group: WrittenRemoval, text: str) -> IllegalTurn:
    """Return the error for a written group (`X…`) of Julio974's notation. Assumes that the group fits no open row."""
    rows, mover = {row.line.code: row for row in open_rows(position)}, position.mover
    for piece in group.pieces:
        if fault := _taken_fault(position, piece):
            return IllegalTurn(*fault, text, piece.at)
    if group.row and group.row not in rows:
        if position.dealt & sum(1 << line.number for line in LINES if line.code == group.row):
            return IllegalTurn(
                "dealt", "R4.6", f"{mover} has taken the row on line {group.row} already.", text, group.at
            )
        hint = ": after an X a GIPF-piece is written without G" if group.row == "g" and group.pieces else ""
        return IllegalTurn("no_row", "R4.1", f"{mover} has no row on line {group.row}{hint}.", text, group.at)
    meant = [rows[group.row]] if group.row else [*rows.values()]
    for piece in group.pieces:
        if not any(row.stretch & BIT[piece.spot] for row in meant):
            where = f"not in the row on line {group.row}" if group.row else f"in no row of {mover}'s"
            return IllegalTurn("outside", "R4.2", f"{piece.spot} is {where}.", text, piece.at)
    apart = " and ".join(piece.spot for piece in group.pieces)
    sentence = f"{apart} lie in different rows: write an X in front of each."
    return IllegalTurn("together", "R4.5", sentence, text, group.at)


def _taken_fault(position: Position, piece: WrittenPiece) -> TurnFault | None:
    kind = kind_at(position, BIT[piece.spot])
    if kind is Kind.GIPF or kind.loaded:
        return None
    if _occupied_spots(position) & BIT[piece.spot]:
        sentence = f"{piece.spot} holds a basic piece, which goes anyway: after an X write only GIPF-pieces."
        return "not_gipf", "R4.4", sentence
    return "empty", "R4.1", f"{piece.spot} is empty: there is nothing to remove."
