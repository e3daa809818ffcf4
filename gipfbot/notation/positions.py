"""Read and write position lines (notation.md section 4). `parse_position` is the inverse of `position_text`."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

from gipfbot.rules import (
    RULESETS,
    ByColour,
    Colour,
    Kind,
    Piece,
    Position,
    Reason,
    Result,
    Ruleset,
    build,
    open_rows,
    ruleset_named,
    with_stacks,
)
from gipfbot.rules.engine import end_of_turn_result, verdict
from gipfbot.rules.geometry import BIT, COLUMNS, LINE, LINES, columns, in_column, names
from gipfbot.rules.loaded_games import covers_gipf
from gipfbot.rules.position import piece_at
from gipfbot.rules.powers import POWERS
from gipfbot.rules.ruleset_names import WrongRuleset
from gipfbot.rules.sentences import Sentence

from .courses import other_course
from .errors import ImpossiblePosition, ParseError
from .overboard_positions import (
    PositionFault,
    is_noted_row,
    nobody_wins_sentence,
    noted_text,
    over_sentence,
    position_with_rows,
)

_NEEDED = ("W", "B", "reserve", "captured")
_FIELDS = (*_NEEDED, "opening", "left", "step", "dealt", "rows", "asked", "result", "by")
_SCORES = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1/2-1/2": None, "void": None}
_MOVERS = {colour.letter: colour for colour in Colour}
_REASONS = {str(reason): reason for reason in Reason}
_OPENING = {"wb": (True, True), "w": (True, False), "b": (False, True)}
_OPENED = {opened: letters for letters, opened in _OPENING.items()}
_RULE = {Reason.RESERVE: "R6.1", Reason.GIPF: "R6.2"}

_PAIR = re.compile("([0-9]{1,2})-([0-9]{1,2})")
_PIECE = re.compile(r"([A-Za-z]?)([a-i][1-9])(?:\[([A-Za-z]+)\])?")
T = TypeVar("T")


# ── Writing ──


def position_text(position: Position) -> str:
    """Return the position line of a position."""
    white, black = _pieces_text(position, Colour.WHITE), _pieces_text(position, Colour.BLACK)
    (reserve, other), captured, opening = position.reserve, position.captured, position.opening
    words = [f"{position.rules.name} {'wb'[position.mover]} W={white} B={black}"]
    words += [f"reserve={reserve}-{other} captured={captured[0]}-{captured[1]}"]
    if opening[0] or opening[1]:
        words.append(f"opening={_OPENED[opening]}")
    if position.left:
        words.append(f"left={_left_text(position)}")
    if position.pushed:
        words.append("step=after")
    if position.dealt:
        words.append("dealt=" + ",".join(line.code for line in LINES if position.dealt >> line.number & 1))
    if position.noted:
        words += [f"rows={noted_text(position)}", f"asked={position.decider.letter}"]
    if position.result:
        words += [f"result={position.result.score}", f"by={position.result.by}"]
    return " ".join(words)


def _pieces_text(position: Position, colour: Colour) -> str:
    """Return one player's pieces as a position line writes them."""
    owned = position.owned[colour]
    if not position.odd:
        return _plain_pieces_text(owned, owned & position.gipf)
    return ",".join(_stack_text(spot, piece_at(position, BIT[spot])) for spot in names(owned))


@lru_cache(maxsize=256)  # a turn leaves many pieces where they are
def _plain_pieces_text(owned: int, gipf: int) -> str:
    return ",".join(filter(None, map(_column_text, range(COLUMNS), columns(owned), columns(gipf))))


@cache
def _column_text(column: int, owned: int, gipf: int) -> str:
    """Return one player's pieces in a column, of which these are GIPF-pieces. Both are numbers by `columns`."""
    gipf_spots = names(in_column(column, gipf))
    spots = names(in_column(column, owned))
    return ",".join(f"{Kind.GIPF if spot in gipf_spots else Kind.BASIC}{spot}" for spot in spots)


def _stack_text(spot: str, piece: Piece) -> str:
    under = "".join(one.kind for one in piece.under)
    return f"{piece.kind}{spot}[{under}]" if under else f"{piece.kind}{spot}"


def _left_text(position: Position) -> str:
    """Return the potentials still to enter, such as `Z2P6-Z0P5`."""
    letters = [letter for letter, _ in position.rules.potentials]
    sides = (zip(letters, counts, strict=True) for counts in position.left)
    return "-".join("".join(f"{letter}{count}" for letter, count in side) for side in sides)


# ── Reading ──


class _PlacedPiece(NamedTuple):
    """A piece with its spot, as a position line writes it."""

    piece: Piece
    spot: str


def parse_position(text: str, rulesets: Mapping[str, Ruleset] = RULESETS) -> Position:
    """Return the position that a position line describes.

    Its rule set is looked up by name in `rulesets`; potentials in the name are added to it. Raises ParseError if the
    line cannot be read. Raises ImpossiblePosition if the rules do not allow the position: for example, if the pieces do
    not add up, if the result is missing or wrong, or if no row is left to remove after the push. Does not check that
    the position can be reached from the start.
    """
    line = _PositionLine(text)
    rules = line.ruleset(rulesets)
    mover, placed = line.word(line.words[1], _MOVERS, Sentence("the player to move")), line.pieces(rules)
    position = build(
        rules,
        mover,
        (_tops(placed[Colour.WHITE]), _tops(placed[Colour.BLACK])),
        line.pair("captured"),
        line.field("opening", _OPENING, (False, False)),
        line.left(rules),
    )
    position = with_stacks(position, {spot: piece.under for side in placed for piece, spot in side if piece.under})
    pushed = line.field("step", {"after": True}, absent=False)
    position = position._replace(pushed=pushed, dealt=line.dealt(), result=line.result())
    position = line.with_rows(position)
    other = other_course(position)
    faults = other.position_faults if other else _game_faults
    if fault := next(chain(_total_faults(position, line.pair("reserve")), faults(position)), None):
        raise ImpossiblePosition(*fault, text)
    return position


def _tops(placed: list[_PlacedPiece]) -> tuple[tuple[Kind, str], ...]:
    return tuple((piece.kind, spot) for piece, spot in placed)


def _read_piece(text: str, owner: Colour, rules: Ruleset) -> _PlacedPiece | None:
    """Return the piece of a text such as `c2`, `Gc2`, `Zc3` or `pc4[P]`. None if the rule set has no such piece.

    Does not check that such a stack is possible.
    """
    found = _PIECE.fullmatch(text)
    if not found or found[2] not in BIT:
        return None
    kinds, letters = [found[1], *(found[3] or "")], [letter for letter, _ in rules.potentials]
    if not all(kind in ("", Kind.GIPF) or kind.upper() in letters for kind in kinds):
        return None
    top, *under = (Piece((owner, owner.other)[depth % 2], Kind(kind)) for depth, kind in enumerate(kinds))
    return _PlacedPiece(top._replace(under=tuple(under)), found[2])


def _read_left(text: str, rules: Ruleset) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the potentials still to enter of a text such as `Z2P6-Z0P5`. None if it is no such text."""
    side = "".join(f"{letter}([0-9])" for letter, _ in rules.potentials)
    found = re.fullmatch(f"{side}-{side}", text)
    if not found:
        return None
    counts, kinds = [int(group) for group in found.groups()], len(rules.potentials)
    return tuple(counts[:kinds]), tuple(counts[kinds:])


class _Word(NamedTuple):
    """A word of the line, or the value of a field, with its offset in the line."""

    text: str
    at: int


def _field_name(key: str, value: str = "…") -> Sentence:
    """Return a field that is expected, such as `step=…`."""
    return Sentence("{field}={value}", field=key, value=value)


class _PositionLine:
    """A position line, split into words and fields. Its methods raise ParseError with the offset of the fault."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = [_Word(match.group(), match.start()) for match in re.finditer(r"\S+", text)]
        if len(found) < 2:
            raise ParseError(Sentence("a rule set, w or b, and the pieces"), text, len(text))
        self.words, self.fields = found[:2], dict[str, _Word]()
        for word in found[2:]:
            self._add(word)
        for key in _NEEDED:
            if key not in self.fields:
                raise ParseError(_field_name(key), text, len(text))

    def _add(self, word: _Word) -> None:
        key, equals, value = word.text.partition("=")
        if not equals or key not in _FIELDS:
            known = ", ".join(f"{key}=…" for key in _FIELDS)
            raise ParseError(Sentence("one of {fields}", fields=known), self.text, word.at)
        if key in self.fields:
            raise ParseError(Sentence("each field once ({field}= stands twice)", field=key), self.text, word.at)
        self.fields[key] = _Word(value, word.at + len(key) + 1)

    def word(self, word: _Word, table: Mapping[str, T], what: Sentence) -> T:
        """Return the value in `table` for a word. `what` names the expected word in the error."""
        if word.text not in table:
            expected = Sentence("{name} ({words})", name=what, words=", ".join(table))
            raise ParseError(expected, self.text, word.at)
        return table[word.text]

    def field(self, key: str, table: Mapping[str, T], absent: T) -> T:
        """Return the value in `table` for a field, or `absent` if the line does not have the field."""
        behind = Sentence("a word behind {field}=", field=key)
        return self.word(self.fields[key], table, behind) if key in self.fields else absent

    def pair(self, key: str) -> ByColour[int]:
        """Return the two numbers of a field such as `12-12`."""
        found = _PAIR.fullmatch(self.fields[key].text)
        if not found:
            raise ParseError(Sentence("two numbers such as 12-12"), self.text, self.fields[key].at)
        return int(found[1]), int(found[2])

    def items(self, key: str) -> Iterator[_Word]:
        """Yield the parts of a field, which are separated by commas. An empty field has no parts."""
        value, at = self.fields[key]
        for part in value.split(",") if value else ():
            yield _Word(part, at)
            at += len(part) + 1

    def ruleset(self, rulesets: Mapping[str, Ruleset]) -> Ruleset:
        """Return the rule set that the first word names. Its sentence says what is wrong with its potentials."""
        name = self.words[0]
        if name.text in rulesets or "+" not in name.text:
            return self.word(name, rulesets, Sentence("a rule set"))
        try:
            return ruleset_named(name.text, rulesets)
        except WrongRuleset as fault:
            raise ParseError(Sentence("a rule set"), self.text, name.at, sentence=fault.sentence) from None

    def pieces(self, rules: Ruleset) -> ByColour[list[_PlacedPiece]]:
        """Return the pieces of White and of Black. Raises ParseError if a part is no piece, or a spot comes twice."""
        placed = list[_PlacedPiece](), list[_PlacedPiece]()
        taken = set[str]()
        for colour in Colour:
            for word, at in self.items(colour.letter.upper()):
                found = _read_piece(word, colour, rules)
                if found is None:
                    raise ParseError(Sentence("a piece on a spot, such as c2 or Gc2"), self.text, at)
                if found.spot in taken:
                    twice = Sentence("each spot once ({spot} is named twice)", spot=found.spot)
                    raise ParseError(twice, self.text, at)
                taken.add(found.spot)
                placed[colour].append(found)
        return placed

    def left(self, rules: Ruleset) -> ByColour[tuple[int, ...]] | tuple[()]:
        """Return the potentials still to enter. Raises ParseError if the field does not fit the rule set."""
        if not rules.potentials:
            if "left" in self.fields:
                none = Sentence("no left=, as this game has no potentials")
                raise ParseError(none, self.text, self.fields["left"].at)
            return ()
        full = "".join(f"{letter}{number}" for letter, number in rules.potentials)
        if "left" not in self.fields:
            raise ParseError(_field_name("left", f"{full}-{full}"), self.text, len(self.text))
        if (found := _read_left(self.fields["left"].text, rules)) is None:
            example = Sentence("potentials such as {example}-{example}", example=full)
            raise ParseError(example, self.text, self.fields["left"].at)
        return found

    def dealt(self) -> int:
        """Return the lines already dealt with in this removal step (the removals before or after the push), as bits.

        Bit n stands for `LINES[n]`.
        """
        if "dealt" not in self.fields:
            return 0
        if not self.fields["dealt"].text:
            raise ParseError(Sentence("lines such as e, 5 or b*"), self.text, self.fields["dealt"].at)
        lines = {self.word(word, LINE, Sentence("the code of a line")).number for word in self.items("dealt")}
        return sum(1 << number for number in lines)

    def with_rows(self, position: Position) -> Position:
        """Return the position with the noted rows of Overboard (R8.3).

        Raises ParseError if the fields cannot be read, and ImpossiblePosition if the wrong player is asked.
        """
        rows, asked = self.fields.get("rows"), self.fields.get("asked")
        if rows is None and asked is None:
            return position
        if not position.notes_rows:
            at = (rows or asked or self.words[0]).at
            raise ParseError(Sentence("neither rows= nor asked=, which only Overboard has"), self.text, at)
        if rows is None or asked is None:
            raise ParseError(Sentence("both rows= and asked=, or neither"), self.text, len(self.text))
        parts = [*self.items("rows")]
        for number, (text, at) in enumerate(parts or [rows]):
            if not is_noted_row(text, first=not number):
                row = Sentence("a row such as we2-e5, the first one perhaps with /ends or /gipf")
                raise ParseError(row, self.text, at)
        position = position_with_rows(position, [text for text, _ in parts])
        if self.word(asked, _MOVERS, Sentence("the player who is asked")) is not position.decider:
            sentence = Sentence(
                "{player} decides here: write asked={letter}.",
                player=position.decider,
                letter=position.decider.letter,
            )
            raise ImpossiblePosition("R8.4", sentence, self.text)
        return position

    def result(self) -> Result | None:
        """Return the result. None if the line has none. Does not check that the position allows the result.

        Raises ImpossiblePosition if the reason cannot lead to the score.
        """
        if not {"result", "by"} & {*self.fields}:
            return None
        for key in ("result", "by"):
            if key not in self.fields:
                raise ParseError(_field_name(key), self.text, len(self.text))
        reason = self.word(self.fields["by"], _REASONS, Sentence("why the game ended"))
        result = Result(self.word(self.fields["result"], _SCORES, Sentence("a result")), reason)
        if result.score != self.fields["result"].text:
            score = self.fields["result"].text
            sentence = Sentence("A game cannot end {result} by={reason}.", result=score, reason=reason)
            raise ImpossiblePosition("R6", sentence, self.text)
        return result


# ── Impossible positions ──


def _total_faults(position: Position, reserve: ByColour[int]) -> Iterator[PositionFault]:
    pieces = position.rules.pieces
    for colour in Colour:
        found = pieces - position.reserve[colour] + reserve[colour]
        if found != pieces:
            sentence = Sentence(
                "{player}'s pieces do not add up: board, reserve and captured make {count}, not {pieces}.",
                player=colour,
                count=found,
                pieces=pieces,
            )
            yield "R2", sentence


def _game_faults(position: Position) -> Iterator[PositionFault]:
    """Yield the faults of a position of the official course. Only the first fault is certain.

    Each check assumes that the checks before it found no fault, and that the totals add up.
    """
    yield from _kind_faults(position)
    yield from _potential_faults(position)
    given = position.result
    yield from _result_faults(position, given) if given else _running_faults(position)


def _kind_faults(position: Position) -> Iterator[PositionFault]:
    rules = position.rules
    for colour in Colour:
        own = position.owned[colour]
        gipf = own & position.gipf
        at_start = sum(piece.startswith(Kind.GIPF) for piece in rules.setup[colour])
        created = at_start and covers_gipf(rules)
        if not rules.gipf_enters and not created and gipf.bit_count() > at_start:
            sentence = Sentence(
                "In {rules} {player} cannot have more than {most} GIPF-pieces.",
                rules=rules.title,
                player=colour,
                most=at_start,
            )
            yield "R2", sentence
        if position.opening[colour] and not rules.gipf_enters:
            yield "R5", Sentence("In {rules} nobody brings in GIPF-pieces: leave opening= out.", rules=rules.title)
        if position.opening[colour] and own & ~gipf:
            sentence = Sentence(
                "{player} has a basic piece on the board, so {letter} does not belong in opening=.",
                player=colour,
                letter=colour.letter,
            )
            yield "R5.2", sentence


def _potential_faults(position: Position) -> Iterator[PositionFault]:
    yield from (("R7.8", sentence) for sentence in _stack_faults(position))
    agreed = dict(position.rules.potentials)
    for colour in Colour:
        for letter, number in _count_potentials(position, colour).items():
            if number > agreed[letter]:
                sentence = Sentence(
                    "{player} has {count} potentials {letter}, but only {agreed} were agreed.",
                    player=colour,
                    count=number,
                    letter=letter,
                    agreed=agreed[letter],
                )
                yield "R7.1", sentence
        if position.left and position.opening[colour] and position.left[colour] != tuple(agreed.values()):
            sentence = Sentence(
                "{player} has brought in a potential, so {letter} does not belong in opening=.",
                player=colour,
                letter=colour.letter,
            )
            yield "R7.2", sentence


def _stack_faults(position: Position) -> Iterator[Sentence]:
    """Yield a sentence for each stack that no game leads to (R7.8)."""
    for bit, piece in position.odd:
        if not _is_possible(piece):
            yield Sentence("There is no such piece or stack as {piece}.", piece=_stack_text(names(bit)[0], piece))


def _is_possible(piece: Piece) -> bool:
    """Return whether a stack is possible: GIPF-pieces under at most one basic piece, or a PÜNCT under used ones."""
    *upper, lowest = (piece.kind, *(one.kind for one in piece.under))
    if lowest.used:
        return not upper and not POWERS[lowest.upper()].covers
    if lowest.loaded:
        return not upper or (POWERS[lowest].covers and all(kind == lowest.lower() for kind in upper))
    return lowest is Kind.GIPF and all(kind is Kind.GIPF for kind in upper[1:]) and upper[0] in (Kind.BASIC, Kind.GIPF)


def _count_potentials(position: Position, colour: Colour) -> dict[str, int]:
    """Return how many potentials of each kind a player has on the board and still to bring in."""
    found = dict.fromkeys((letter for letter, _ in position.rules.potentials), 0)
    for letter, count in zip(found, position.left[colour] if position.left else (), strict=True):
        found[letter] += count
    for _, top in position.odd:
        for piece in (top, *top.under):
            if piece.owner is colour and (piece.kind.loaded or piece.kind.used):
                found[piece.kind.upper()] += 1
    return found


def _running_faults(position: Position) -> Iterator[PositionFault]:
    rows = open_rows(position)
    for row in open_rows(position._replace(dealt=0)):
        basic = row.must & ~sum(bit for bit, piece in position.odd if piece.kind is not Kind.BASIC)
        if basic and position.dealt >> row.line.number & 1:
            sentence = Sentence(
                "A row has still to be removed from line {line}, so the line is not dealt with.", line=row.line.code
            )
            yield "R4.3", sentence
    if found := verdict(position, rows):
        for colour in Colour:
            if position.rules.gipf_enters and not position.opening[colour] and _has_all_in_reserve(position, colour):
                sentence = Sentence(
                    "{player} has all pieces in reserve, so opening= is missing: add {letter} to it.",
                    player=colour,
                    letter=colour.letter,
                )
                yield "R5.2", sentence
        yield _RULE.get(found.by, "R6"), over_sentence(found)
    if position.pushed and not rows:
        sentence = Sentence(
            "{player} has nothing left to remove after the push, so the turn has passed.", player=position.mover
        )
        yield "R3.4", sentence


def _has_all_in_reserve(position: Position, colour: Colour) -> bool:
    return position.reserve[colour] == position.rules.pieces


def _result_faults(position: Position, given: Result) -> Iterator[PositionFault]:
    undecided = (Reason.REPETITION, *((Reason.AGREEMENT,) if position.rules.agreed_draw else ()))
    if given.winner is None and given.by not in undecided:
        yield "R6.3", Sentence("There are no draws: only a repetition leaves a game void.")
    elif given.winner is not None and given.by in (Reason.REPETITION, Reason.AGREEMENT):
        yield "R6.3", nobody_wins_sentence(given)
    elif given.by not in (Reason.GIPF, Reason.RESERVE):
        yield from _running_faults(position)
    elif given not in _possible_results(position):
        sentence = Sentence(
            "By the rules nobody has lost this position by={reason} so that it is {result}.",
            reason=given.by,
            result=given.score,
        )
        yield _RULE[given.by], sentence
    elif position.pushed or position.dealt:
        sentence = Sentence(
            "A game that ends by={reason} ends with the turn: leave step= and dealt= out.", reason=given.by
        )
        yield _RULE[given.by], sentence


def _possible_results(position: Position) -> Iterator[Result | None]:
    """Yield the results that a finished game can have in this position.

    The game may have ended when the mover's turn began, or in the other player's turn. Yields None for a moment when
    the rules do not end the game.
    """
    yield verdict(position, open_rows(position))
    played = position._replace(mover=position.mover.other, dealt=0, pushed=False)
    if not any(row.due for row in open_rows(played)):
        yield end_of_turn_result(played._replace(pushed=True))
        yield verdict(played, ())
