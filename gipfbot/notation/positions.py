"""Read and write position lines (notation.md section 4). `parse_position` is the inverse of `position_text`."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

from gipfbot.rules import PRESETS, Colour, Kind, Position, Reason, Result, Ruleset, build, open_rows
from gipfbot.rules.engine import verdict
from gipfbot.rules.geometry import BIT, LINE, LINES, names
from gipfbot.rules.pieces import ByColour
from gipfbot.rules.position import kind_at

from .errors import ImpossiblePosition, ParseError

T = TypeVar("T")
PlacedPieces: TypeAlias = tuple[tuple[Kind, str], ...]
PositionFault: TypeAlias = tuple[str, str]  # rule, sentence

_SCORES = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1/2-1/2": None, "void": None}
_MOVERS = {colour.letter: colour for colour in Colour}
_REASONS = {str(reason): reason for reason in Reason}
_OPENING = {"wb": (True, True), "w": (True, False), "b": (False, True)}
_RULE = {Reason.RESERVE: "R6.1", Reason.GIPF: "R6.2"}
_PAIR = re.compile("([0-9]{1,2})-([0-9]{1,2})")
_NEEDED = ("W", "B", "reserve", "captured")
_FIELDS = (*_NEEDED, "opening", "step", "dealt", "result", "by")


def position_text(position: Position) -> str:
    """Return the position line of a position."""
    words = [position.rules.name, position.mover.letter]
    words += [f"{colour.letter.upper()}={_pieces_text(position, colour)}" for colour in Colour]
    words += ["reserve={}-{}".format(*position.reserve), "captured={}-{}".format(*position.captured)]
    if opening := "".join(colour.letter for colour in Colour if position.opening[colour]):
        words.append(f"opening={opening}")
    if position.pushed:
        words.append("step=after")
    if position.dealt:
        words.append("dealt=" + ",".join(line.code for line in LINES if position.dealt >> line.number & 1))
    if position.result:
        words += [f"result={position.result.score}", f"by={position.result.by}"]
    return " ".join(words)


def _pieces_text(position: Position, colour: Colour) -> str:
    return ",".join(f"{kind_at(position, BIT[spot])}{spot}" for spot in names(position.owned[colour]))


def parse_position(text: str, rulesets: Mapping[str, Ruleset] = PRESETS) -> Position:
    """Return the position that a position line describes. Its rule set is looked up by name in `rulesets`.

    Raises ParseError if the line cannot be read. Raises ImpossiblePosition if the rules do not allow the position: for
    example, if the pieces do not add up, if the result is missing or wrong, or if no row is left to remove after the
    push. Does not check that the position can be reached from the start.
    """
    line = _PositionLine(text)
    position = build(
        line.word(line.words[0], rulesets, "a rule set"),
        line.word(line.words[1], _MOVERS, "the player to move"),
        line.pieces(),
        line.pair("captured"),
        line.field("opening", _OPENING, (False, False)),
    )
    pushed = line.field("step", {"after": True}, absent=False)
    position = position._replace(pushed=pushed, dealt=line.dealt(), result=line.result())
    if fault := next(_position_faults(position, line.pair("reserve")), None):
        raise ImpossiblePosition(*fault, text)
    return position


# --- Reading the words --------------------------------------------------------------------------------------------


class _Word(NamedTuple):
    """A word of the line, or the value of a field, with its offset in the line."""

    text: str
    at: int


class _PositionLine:
    """A position line, split into words and fields. Its methods raise ParseError with the offset of the fault."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = [_Word(match.group(), match.start()) for match in re.finditer(r"\S+", text)]
        if len(found) < 2:
            raise ParseError("a rule set, w or b, and the pieces", text, len(text))
        self.words, self.fields = found[:2], dict[str, _Word]()
        for word in found[2:]:
            self._add(word)
        for key in _NEEDED:
            if key not in self.fields:
                raise ParseError(f"{key}=…", text, len(text))

    def _add(self, word: _Word) -> None:
        key, equals, value = word.text.partition("=")
        if not equals or key not in _FIELDS:
            raise ParseError(f"one of {', '.join(f'{key}=…' for key in _FIELDS)}", self.text, word.at)
        if key in self.fields:
            raise ParseError(f"each field once ({key}= stands twice)", self.text, word.at)
        self.fields[key] = _Word(value, word.at + len(key) + 1)

    def word(self, word: _Word, table: Mapping[str, T], what: str) -> T:
        """Return the value in `table` for a word. `what` names the expected word in the error."""
        if word.text not in table:
            raise ParseError(f"{what} ({', '.join(table)})", self.text, word.at)
        return table[word.text]

    def field(self, key: str, table: Mapping[str, T], absent: T) -> T:
        """Return the value in `table` for a field, or `absent` if the line does not have the field."""
        return self.word(self.fields[key], table, f"a word behind {key}=") if key in self.fields else absent

    def pair(self, key: str) -> ByColour[int]:
        """Return the two numbers of a field such as `12-12`."""
        found = _PAIR.fullmatch(self.fields[key].text)
        if not found:
            raise ParseError("two numbers such as 12-12", self.text, self.fields[key].at)
        return int(found[1]), int(found[2])

    def items(self, key: str) -> Iterator[_Word]:
        """Yield the parts of a field, which are separated by commas. An empty field has no parts."""
        value, at = self.fields[key]
        for part in value.split(",") if value else ():
            yield _Word(part, at)
            at += len(part) + 1

    def pieces(self) -> ByColour[PlacedPieces]:
        """Return the pieces of White and of Black. Raises ParseError if a part is no piece, or a spot comes twice."""
        white, black = list[tuple[Kind, str]](), list[tuple[Kind, str]]()
        taken = set[str]()
        for key, side in (("W", white), ("B", black)):
            for word, at in self.items(key):
                kind, spot = (Kind.GIPF, word[1:]) if word.startswith("G") else (Kind.BASIC, word)
                if spot not in BIT:
                    raise ParseError("a piece on a spot, such as c2 or Gc2", self.text, at)
                if spot in taken:
                    raise ParseError(f"each spot once ({spot} is named twice)", self.text, at)
                taken.add(spot)
                side.append((kind, spot))
        return tuple(white), tuple(black)

    def dealt(self) -> int:
        """Return the lines already dealt with in this removal step (the removals before or after the push), as bits.

        Bit n stands for `LINES[n]`.
        """
        if "dealt" not in self.fields:
            return 0
        if not self.fields["dealt"].text:
            raise ParseError("lines such as e, 5 or b*", self.text, self.fields["dealt"].at)
        lines = {self.word(word, LINE, "the code of a line").number for word in self.items("dealt")}
        return sum(1 << number for number in lines)

    def result(self) -> Result | None:
        """Return the result. None if the line has none. Does not check that the position allows the result.

        Raises ImpossiblePosition if the reason cannot lead to the score.
        """
        if not {"result", "by"} & {*self.fields}:
            return None
        for key in ("result", "by"):
            if key not in self.fields:
                raise ParseError(f"{key}=…", self.text, len(self.text))
        reason = self.word(self.fields["by"], _REASONS, "why the game ended")
        result = Result(self.word(self.fields["result"], _SCORES, "a result"), reason)
        if result.score != self.fields["result"].text:
            raise ImpossiblePosition("R6", f"A game cannot end {self.fields['result'].text} by={reason}.", self.text)
        return result


# --- Impossible positions ----------------------------------------------------------------------------------------


def _position_faults(position: Position, reserve: ByColour[int]) -> Iterator[PositionFault]:
    """Yield the faults of a position. Only the first fault is certain.

    Each check assumes that the checks before it found no fault.
    """
    yield from _total_faults(position, reserve)
    yield from _kind_faults(position)
    given = position.result
    yield from _result_faults(position, given) if given else _running_faults(position)


def _total_faults(position: Position, reserve: ByColour[int]) -> Iterator[PositionFault]:
    pieces = position.rules.pieces
    for colour in Colour:
        found = pieces - position.reserve[colour] + reserve[colour]
        if found != pieces:
            yield "R2", f"{colour}'s pieces do not add up: board, reserve and captured make {found}, not {pieces}."


def _kind_faults(position: Position) -> Iterator[PositionFault]:
    rules = position.rules
    for colour in Colour:
        own = position.owned[colour]
        gipf = own & position.gipf
        at_start = sum(piece.startswith(Kind.GIPF) for piece in rules.setup[colour])
        if not rules.gipf_enters and gipf.bit_count() > at_start:
            yield "R2", f"In {rules.name.capitalize()} {colour} cannot have more than {at_start} GIPF-pieces."
        if position.opening[colour] and not rules.gipf_enters:
            yield "R5", f"In {rules.name.capitalize()} nobody brings in GIPF-pieces: leave opening= out."
        if position.opening[colour] and own & ~gipf:
            yield "R5.2", f"{colour} has a basic piece on the board, so {colour.letter} does not belong in opening=."


def _running_faults(position: Position) -> Iterator[PositionFault]:
    rows = open_rows(position)
    for row in open_rows(position._replace(dealt=0)):
        if row.due and position.dealt >> row.line.number & 1:
            yield "R4.3", f"A row has still to be removed from line {row.line.code}, so the line is not dealt with."
    if found := verdict(position, rows):
        for colour in Colour:
            if position.rules.gipf_enters and not position.opening[colour] and _has_all_in_reserve(position, colour):
                yield "R5.2", f"{colour} has all pieces in reserve, so opening= is missing: add {colour.letter} to it."
        yield (
            _RULE.get(found.by, "R6"),
            f"The game is over here: the line has to end with result={found.score} by={found.by}.",
        )
    if position.pushed and not rows:
        yield "R3.4", f"{position.mover} has nothing left to remove after the push, so the turn has passed."


def _has_all_in_reserve(position: Position, colour: Colour) -> bool:
    return position.reserve[colour] == position.rules.pieces


def _result_faults(position: Position, given: Result) -> Iterator[PositionFault]:
    if given.winner is None and given.by is not Reason.REPETITION:
        yield "R6.3", "There are no draws: only a repetition leaves a game void."
    elif given.winner is not None and given.by in (Reason.REPETITION, Reason.AGREEMENT):
        yield "R6.3", f"Nobody wins by={given.by}."
    elif given.by not in (Reason.GIPF, Reason.RESERVE):
        yield from _running_faults(position)
    elif given not in _possible_results(position):
        yield _RULE[given.by], f"By the rules nobody has lost this position by={given.by} so that it is {given.score}."
    elif position.pushed or position.dealt:
        yield _RULE[given.by], f"A game that ends by={given.by} ends with the turn: leave step= and dealt= out."


def _possible_results(position: Position) -> Iterator[Result | None]:
    """Yield the results that a finished game can have in this position.

    The game may have ended when the mover's turn began, or in the other player's turn. Yields None for a moment when
    the rules do not end the game.
    """
    yield verdict(position, open_rows(position))
    played = position._replace(mover=position.mover.other, dealt=0)
    if not any(row.due for row in open_rows(played)):
        yield from (verdict(played._replace(pushed=pushed), ()) for pushed in (True, False))
