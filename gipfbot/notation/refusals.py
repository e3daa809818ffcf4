"""The errors for turns that can be read but are illegal, with their sentences."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from gipfbot.rules import Colour, Kind, Position, Push, Remove, Row, Use, legal, open_rows
from gipfbot.rules.changes import furthest_spot
from gipfbot.rules.geometry import BIT, LINES, Entry, bits, names, neighbours
from gipfbot.rules.pending import question
from gipfbot.rules.position import Stage, kind_at
from gipfbot.rules.powers import POWERS
from gipfbot.rules.ruleset_names import ruleset_words
from gipfbot.rules.sentences import AllOf, OneOf, Sentence

from .action_codes import use_code
from .errors import IllegalTurn, NotationError
from .normalise import NONE_SIGN, WrittenPiece, WrittenPush, WrittenRemoval, WrittenUse

TurnFault: TypeAlias = tuple[str, str, Sentence | Sequence[Sentence]]  # code, rule, what is wrong
PushSpelling: TypeAlias = Callable[[Position, Push], str]
WHITE_TO_MOVE = Sentence("The dots behind the number say that Black is to move, but it is White's turn.")
GAME_OVER = Sentence("The game is over: nothing more can be played.")
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
    sentence = Sentence(
        "Say where the {name}-potential on {spot} jumps to: write {turns}.",
        name=name,
        spot=act.spot or "",
        turns=OneOf(ways[:MOST_NAMED]),
    )
    return "no_target", "R7.3", sentence


def _kind_fault(position: Position, act: WrittenPush) -> TurnFault | None:
    mover, kinds = position.mover, {action.kind for action in legal(position) if isinstance(action, Push)}
    if act.kind in kinds:
        return None
    if act.kind.loaded:
        return _loaded_fault(position, act.kind, kinds)
    if act.kind is Kind.BASIC:
        sentence = Sentence(
            "{player} has no GIPF-piece on the board yet and must bring one in: write G before the spot.", player=mover
        )
        return "gipf_first", "R5.1", sentence
    return _gipf_fault(position)


def _loaded_fault(position: Position, kind: Kind, kinds: set[Kind]) -> TurnFault:
    name, mover, letters = POWERS[kind].name, position.mover, [letter for letter, _ in position.rules.potentials]
    if kind not in letters:
        rules = ruleset_words(position.rules.name)
        absent = Sentence(
            "{name}-potentials are not part of {rules}: leave the {letter} out.", name=name, rules=rules, letter=kind
        )
        return "no_potential", "R7.1", absent
    if not kinds:
        needless = Sentence("{player} has no piece to bring in, and can only use a potential.", player=mover)
        return "reserve", "R7.3", needless
    if Kind.BASIC not in kinds:
        gipf_first = Sentence(
            "{player} has no GIPF-piece on the board yet and must bring one in: write the G.", player=mover
        )
        return "gipf_first", "R5.1", gipf_first
    none_left = Sentence(
        "A {name}-potential cannot come in: {player} has no more of them to bring in, or has already brought in a "
        "basic piece. Leave the {letter} out.",
        name=name,
        player=mover,
        letter=kind,
    )
    return "none_left", "R7.2", none_left


def refuse_use(position: Position, act: WrittenUse, text: str) -> IllegalTurn:
    """Return the error for the illegal use of a potential. Assumes that it is illegal and that no row is due."""
    return IllegalTurn(*_use_fault(position, act), text, act.at)


def _use_fault(position: Position, act: WrittenUse) -> TurnFault:
    mover, own, name = position.mover, position.owned[position.mover], POWERS[act.kind].name
    if not own & BIT[act.spot] or kind_at(position, BIT[act.spot]) is not act.kind:
        sentence = Sentence(
            "{player} has no piece with a {name}-potential on {spot}.", player=mover, name=name, spot=act.spot
        )
        return "not_loaded", "R7.3", sentence
    targets = [*POWERS[act.kind].targets(position, BIT[act.spot])]
    here = {target.put for target in targets if target.to == BIT[act.target]}
    if here:
        return "put", "R7.8", _put_sentence(position, act, sorted(here))
    if POWERS[act.kind].covers and not position.reserve[mover] and _is_gipf_beside(position, act):
        sentence = Sentence("{player} has no piece in reserve to put on the GIPF-piece.", player=mover)
        return "reserve", "R7.8", sentence
    return "no_target", "R7.3", [*_target_sentences(act, names(sum({target.to for target in targets})))]


def _put_sentence(position: Position, act: WrittenUse, here: Sequence[int]) -> Sentence:
    """Return why a use cannot put down so many pieces as written. `here` are the numbers that it can put there."""
    if here == [0]:
        number = str(act.put)
        return Sentence("Nothing is put down on {spot}: leave the +{number} out.", spot=act.target, number=number)
    return Sentence(
        "{player} has {reserve} in reserve and can put {numbers} on {spot}.",
        player=position.mover,
        reserve=position.reserve[position.mover],
        numbers=OneOf(f"+{put}" for put in here),
        spot=act.target,
    )


def _target_sentences(act: WrittenUse, spots: Sequence[str]) -> Iterator[Sentence]:
    """Yield why a potential cannot go to the written spot. It can go to `spots`."""
    if spots:
        yield Sentence(
            "The {name}-potential on {spot} cannot go to {target}: it can go to {spots}.",
            name=POWERS[act.kind].name,
            spot=act.spot,
            target=act.target,
            spots=", ".join(spots),
        )
    else:
        yield Sentence(
            "The {name}-potential on {spot} cannot go to {target}: it can go nowhere now.",
            name=POWERS[act.kind].name,
            spot=act.spot,
            target=act.target,
        )
    if jump := POWERS[act.kind].jump_sentence:
        yield jump


def _is_gipf_beside(position: Position, act: WrittenUse) -> bool:
    theirs = position.owned[position.mover.other] & position.gipf
    return bool(neighbours(BIT[act.spot]) & theirs & BIT[act.target])


def _gipf_fault(position: Position) -> TurnFault:
    rules, mover = position.rules, position.mover
    if not rules.gipf_enters:
        words = ruleset_words(rules.name)
        return "no_gipf", "R2", Sentence("In {rules} no GIPF-pieces are brought in: leave the G out.", rules=words)
    if not position.opening[mover]:
        sentence = Sentence(
            "{player} has brought in a basic piece and may bring in no more GIPF-pieces: leave the G out.", player=mover
        )
        return "opening_over", "R5.2", sentence
    sentence = Sentence("A GIPF-piece costs 2 and {player} has 1 in reserve: leave the G out.", player=mover)
    return "reserve", "R5.3", sentence


def _dot_fault(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> TurnFault:
    entry = next((entry for entry in entries if act.spot in (None, *LINES[entry.line].spots)), None)
    if entry is None:
        return "no_line", "R1.4", _no_line_sentence(position, act, entries, spell)
    if _is_line_closed(position, entry):
        sentence = Sentence(
            "The line from {dot} through {spot} is full, so nothing can be pushed into it.",
            dot=act.dot or "",
            spot=entry.spot,
        )
        return "closed", "R3.3", sentence
    push, dot = Push(entry, act.kind), act.dot or ""
    right = OneOf([spell(position, push)])
    if not _occupied_spots(position) & entry.first:
        sentence = Sentence(
            "{spot} is vacant, so the piece from {dot} stops there: write {turns}.",
            spot=entry.spot,
            dot=dot,
            turns=right,
        )
        return "vacant", "R3.2", sentence
    sentence = Sentence(
        "From {dot}, the new piece stops on the first spot, and the last piece in its way on {spot}: write {turns}.",
        dot=dot,
        spot=furthest_spot(position, push),
        turns=right,
    )
    return "furthest", "R3.2", sentence


def _no_line_sentence(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> Sentence:
    pushes = [Push(entry, act.kind) for entry in entries if not _is_line_closed(position, entry)]
    dot, spot = act.dot or "", act.spot or ""
    if not pushes:
        return Sentence("No line leads from {dot} to {spot}: every line from {dot} is closed.", dot=dot, spot=spot)
    return Sentence(
        "No line leads from {dot} to {spot}: from {dot}, write {turns}.",
        dot=dot,
        spot=spot,
        turns=OneOf(spell(position, push) for push in pushes),
    )


def _spot_fault(position: Position, act: WrittenPush, entries: Sequence[Entry], spell: PushSpelling) -> TurnFault:
    spot = act.spot or ""
    if not entries:
        return "inside", "R3.2", inside_sentence(spot)
    pushes = [Push(entry, act.kind) for entry in entries if not _is_line_closed(position, entry)]
    if not pushes:
        sentence = Sentence("{spot} is occupied and every line through it from a dot is closed.", spot=spot)
        return "closed", "R3.3", sentence
    return "occupied", "R3.2", _occupied_sentence(spot, [(push.dot, spell(position, push)) for push in pushes])


def inside_sentence(spot: str) -> Sentence:
    """Return the sentence for a push to a spot that is next to no dot (R3.2)."""
    return Sentence("{spot} is not next to a dot: a piece comes in from a dot.", spot=spot)


def _occupied_sentence(spot: str, pushes: Sequence[tuple[str, str]]) -> Sentence:
    """Return the sentence for a push to an occupied spot. `pushes` holds its dots, with the push from each as text."""
    dots, turns = [dot for dot, _ in pushes], [OneOf([turn]) for _, turn in pushes]
    if len(pushes) == 1:
        return Sentence("{spot} is occupied: push from {dot} with {turn}.", spot=spot, dot=dots[0], turn=turns[0])
    if len(pushes) == 2:
        return Sentence(
            "{spot} is occupied: push from {dot} with {turn} or from {second_dot} with {second}.",
            spot=spot,
            dot=dots[0],
            second_dot=dots[1],
            turn=turns[0],
            second=turns[1],
        )
    return Sentence(
        "{spot} is occupied: push from {dot} with {turn} or from {second_dot} with {second} or from {third_dot} with "
        "{third}.",
        spot=spot,
        dot=dots[0],
        second_dot=dots[1],
        third_dot=dots[2],
        turn=turns[0],
        second=turns[1],
        third=turns[2],
    )


def _occupied_spots(position: Position) -> int:
    return position.owned[0] | position.owned[1]


def _is_line_closed(position: Position, entry: Entry) -> bool:
    return not entry.mask & ~_occupied_spots(position)


def name_rows_first(position: Position, fault: NotationError, *, always: bool = True) -> NotationError:
    """Return the error for a push, which first names the rows that come off before it, if any are due in `position`.

    `fault` is what is wrong with the push after that (R3.1). It is left out unless it holds `always`, whatever is
    removed. A fault that no removal can change is returned as it is.
    """
    rows = [row for row in open_rows(position) if row.due]
    if not rows or fault.code not in FAULTS_OF_THE_BOARD or not isinstance(fault, IllegalTurn):
        return fault
    first = _rows_first_sentence(position.mover, [names(row.core) for row in rows], always=always)
    return IllegalTurn(fault.code, "R3.1", [first, *fault.sentences] if always else first, fault.text, fault.at)


def _rows_first_sentence(mover: Colour, cores: Sequence[Sequence[str]], *, always: bool) -> Sentence:
    rows = _row_names(cores)
    if len(cores) == 1:
        if always:
            return Sentence("{player}'s row {row} comes off first.", player=mover, row=rows)
        return Sentence("{player}'s row {row} comes off first: write what goes, then the push.", player=mover, row=rows)
    if always:
        return Sentence("{player}'s rows {rows} come off first.", player=mover, rows=rows)
    return Sentence("{player}'s rows {rows} come off first: write what goes, then the push.", player=mover, rows=rows)


def _row_names(cores: Sequence[Sequence[str]]) -> AllOf:
    return AllOf(f"{core[0]}–{core[-1]}" for core in cores)


def open_now_sentence(position: Position) -> Sentence:
    """Return the sentence that says what the player has to decide now."""
    asked = question(position)
    assert asked
    if asked.stage is Stage.GIPF:
        return Sentence(
            "{player} is asked about GIPF-pieces: write xG and the spot of each, or {none} for none.",
            player=asked.by,
            none=OneOf([NONE_SIGN]),
        )
    if not asked.rows:
        return only_pass_sentence(asked.by) if asked.may_pass else Sentence("Write the push.")
    stays = sorted({spot for row in asked.rows for toggle in row.toggles for spot in toggle})
    spots, rows = ", ".join(stays), _row_names([row.core for row in asked.rows])
    if len(rows) > 1:
        return _rows_open_sentence(rows, spots)
    if not stays:
        return Sentence("Write what comes off with the row {row}.", row=rows)
    if len(stays) == 1:
        return Sentence("Does {spot} stay on the board, or come off, too?", spot=spots)
    return Sentence("Do {spots} stay on the board, or come off, too?", spots=spots)


def _rows_open_sentence(rows: AllOf, spots: str) -> Sentence:
    if not spots:
        return Sentence("Write what comes off with the rows {rows}.", rows=rows)
    return Sentence("Write what comes off with the rows {rows} ({spots} may stay).", rows=rows, spots=spots)


def only_pass_sentence(mover: Colour) -> Sentence:
    """Return the sentence for a player whose reserve is empty in Overboard (R8.5)."""
    return Sentence(
        "{player} has no piece in reserve and can only pass: write {turn}.", player=mover, turn=OneOf(["pass"])
    )


def empty_sentence(spot: str) -> Sentence:
    """Return the sentence for a removal of nothing."""
    return Sentence("{spot} is empty: there is nothing to remove.", spot=spot)


def refuse_mark(position: Position, piece: WrittenPiece, text: str, *, again: bool) -> IllegalTurn:
    """Return the error for a named piece that is not there, or whose letter or `*` is wrong.

    With `again`, its spot was named before, and no piece lies under its top.
    """
    twice = "twice", "R4.6", Sentence("{spot} is named twice.", spot=piece.spot)
    return IllegalTurn(*(twice if again else _mark_fault(position, piece)), text, piece.at)


def _mark_fault(position: Position, piece: WrittenPiece) -> TurnFault:
    bit, spot = BIT[piece.spot], piece.spot
    kind = Kind(kind_at(position, bit).upper())
    if not _occupied_spots(position) & bit:
        return "empty", "R4.1", empty_sentence(spot)
    if piece.kind is not kind and kind.loaded:
        sentence = Sentence(
            "{spot} holds a {name}-potential: write {piece}.",
            spot=spot,
            name=POWERS[kind].name,
            piece=OneOf([f"{kind_at(position, bit)}{spot}"]),
        )
        return "not_gipf", "R7.4", sentence
    if piece.kind is not Kind.BASIC and kind is Kind.BASIC:
        sentence = Sentence("{spot} holds a basic piece: leave the {letter} out.", spot=spot, letter=piece.kind)
        return "not_gipf", "R4.4", sentence
    if piece.kind is not kind:
        sentence = Sentence(
            "{spot} holds a GIPF-piece: write {piece} to take it, or leave it out to keep it.",
            spot=spot,
            piece=OneOf([f"G{spot}"]),
        )
        return "gipf", "R4.4", sentence
    sentence = Sentence(
        "{spot} is {player}'s own and returns to the reserve: leave the * out.", spot=spot, player=position.mover
    )
    return "own", "R4.3", sentence


def refuse_any_removal(position: Position, lists: Sequence[WrittenRemoval], text: str) -> IllegalTurn:
    """Return the error for a written removal when there is nothing to remove. Assumes that no row is open."""
    named = [piece for removal in lists for piece in removal.pieces]
    if fault := next(filter(None, (_dealt_fault(position, piece, text) for piece in named)), None):
        return fault
    if open_rows(position._replace(dealt=0)):
        sentence = Sentence("{player} has taken every row: there is nothing more to remove.", player=position.mover)
        return IllegalTurn("dealt", "R4.6", sentence, text, lists[0].place)
    sentence = Sentence("{player} has no row on the board: there is nothing to remove.", player=position.mover)
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
            sentence = Sentence("{spot} lies in no row of {player}'s.", spot=piece.spot, player=position.mover)
            outside = IllegalTurn("outside", "R4.2", sentence, text, piece.at)
            return _dealt_fault(position, piece, text) or outside
    row = max(rows, key=lambda row: (row.stretch & spots).bit_count())
    for part in (row, *_isolated_rows([row for row in rows if row.stretch & spots])):
        if missing := part.must & ~spots:
            sentence = row_takes_sentence(part.line.code, names(missing))
            return IllegalTurn("must", "R4.3", sentence, text, at)
    way = spell(position, Remove(row.line.number, row.must | row.may & spots))
    sentence = Sentence("These pieces cannot be removed in one step; one way is {turn}.", turn=way)
    return IllegalTurn("together", "R4.5", sentence, text, at)


def row_takes_sentence(line: str, spots: Sequence[str]) -> Sentence:
    """Return the sentence that a row takes pieces with it that are not named. `line` is the code of its line."""
    return Sentence("The row on line {line} takes {spots} with it.", line=line, spots=", ".join(spots))


def refuse_split_row(right: str, text: str, at: int) -> IllegalTurn:
    """Return the error for several lists that take one row between them. `right` is one list for each row."""
    sentence = Sentence("All that leaves with one row stands in one list: write {turns}.", turns=OneOf([right]))
    return IllegalTurn("split", "R4.6", sentence, text, at)


def _dealt_fault(position: Position, piece: WrittenPiece, text: str) -> IllegalTurn | None:
    for line in LINES:
        if position.dealt >> line.number & 1 and piece.spot in line.spots:
            sentence = Sentence("{player} has taken that row and kept {spot}.", player=position.mover, spot=piece.spot)
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
        return IllegalTurn(*_no_row_fault(position, group, group.row), text, group.at)
    meant = [rows[group.row]] if group.row else [*rows.values()]
    for piece in group.pieces:
        if not any(row.stretch & BIT[piece.spot] for row in meant):
            return IllegalTurn("outside", "R4.2", _outside_sentence(mover, piece.spot, group.row), text, piece.at)
    apart = AllOf(piece.spot for piece in group.pieces)
    sentence = Sentence("{spots} lie in different rows: write an X in front of each.", spots=apart)
    return IllegalTurn("together", "R4.5", sentence, text, group.at)


def _no_row_fault(position: Position, group: WrittenRemoval, line: str) -> TurnFault:
    mover = position.mover
    if position.dealt & sum(1 << one.number for one in LINES if one.code == line):
        sentence = Sentence("{player} has taken the row on line {line} already.", player=mover, line=line)
        return "dealt", "R4.6", sentence
    if line == "g" and group.pieces:
        sentence = Sentence(
            "{player} has no row on line {line}: after an X a GIPF-piece is written without G.", player=mover, line=line
        )
        return "no_row", "R4.1", sentence
    return "no_row", "R4.1", Sentence("{player} has no row on line {line}.", player=mover, line=line)


def _outside_sentence(mover: Colour, spot: str, line: str | None) -> Sentence:
    if line:
        return Sentence("{spot} is not in the row on line {line}.", spot=spot, line=line)
    return Sentence("{spot} is in no row of {player}'s.", spot=spot, player=mover)


def _taken_fault(position: Position, piece: WrittenPiece) -> TurnFault | None:
    kind = kind_at(position, BIT[piece.spot])
    if kind is Kind.GIPF or kind.loaded:
        return None
    if _occupied_spots(position) & BIT[piece.spot]:
        sentence = Sentence(
            "{spot} holds a basic piece, which goes anyway: after an X write only GIPF-pieces.", spot=piece.spot
        )
        return "not_gipf", "R4.4", sentence
    return "empty", "R4.1", empty_sentence(piece.spot)
