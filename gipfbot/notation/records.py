"""Read a game record: play the turns of its text in order (notation.md section 5)."""

from collections.abc import Sequence
from typing import NamedTuple

from gipfbot.rules import PRESETS, Action, Position, Ruleset, play, start

from .errors import NotationError, OpenTurn, ParseError, excerpt
from .notations import NOTATIONS, OFFICIAL, Notation
from .reading import parse_turn
from .repair import Repair, find_repair
from .sheets import Sheet, SheetTurn, read_sheet
from .suggest import suggest_turns
from .write_turn import turn_text

DEFAULT_RULES = "standard"
GIPF_FIRST_RULES = "tournament"  # the only rule set in which the first push brings in a GIPF-piece
DRAWN = "1/2-1/2"


class RecordedTurn(NamedTuple):
    """One turn of a record, with its mark and its comments.

    `text` is the turn as written. `before` and `after` are the positions around it. `turn_number` counts the turns of
    both players from 1.
    """

    turn_number: int
    text: str
    actions: tuple[Action, ...]
    before: Position
    after: Position
    mark: str = ""
    comments: tuple[str, ...] = ()


class BrokenRecord(NotationError):
    """A turn of a record or conditional line cannot be played.

    `turn_number` counts the turns of both players from 1. `fault` is the reason. `similar` lists legal turns that look
    like the written one. `repair` is a change of one turn that makes the rest playable, or None.
    """

    def __init__(
        self,
        turn_number: int,
        side: str,
        fault: NotationError,
        similar: Sequence[str] = (),
        repair: Repair | None = None,
    ) -> None:
        said = [f"{turn_number_text(turn_number)} {excerpt(fault.text)} ({side}): {fault}"]
        if similar:
            said.append(f"Legal turns like it: {', '.join(similar)}.")
        if repair:
            what = f"{turn_number_text(repair.turn_number)} {excerpt(repair.text)} with {repair.replacement}"
            said.append(f"If you replace {what}, the rest can be read.")
        super().__init__(fault.code, " ".join(said), fault.text, fault.at)
        self.turn_number, self.fault, self.similar, self.repair = turn_number, fault, tuple(similar), repair


class Record(NamedTuple):
    """A game, read from a record. `notation` is the notation in which its turns were read.

    `headers` holds all headers but Rules and Result. `comments` holds the comments before the first turn. `result` is
    the written result, or else the result by the rules. It is None if the game is unfinished. If a turn cannot be
    played, `broken` is the error, `turns` ends before that turn, and `result` is None.
    """

    rules: Ruleset
    turns: tuple[RecordedTurn, ...]
    notation: Notation = OFFICIAL
    headers: tuple[tuple[str, str], ...] = ()
    result: str | None = None
    comments: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    broken: BrokenRecord | None = None

    @property
    def end(self) -> Position:
        """The position after the last turn."""
        return self.turns[-1].after if self.turns else start(self.rules)


def turn_number_text(turn_number: int) -> str:
    """Return the label of a turn: `1.` for White's first turn, `1…` for Black's. Turns are counted from 1."""
    return f"{(turn_number + 1) // 2}{'.' if turn_number % 2 else '…'}"


def read_record(text: str, rules: str | None = None) -> Record:
    """Return the game that a text records.

    The rule set is `rules`, else the one that the text names. If neither is given, it is Tournament when the first turn
    brings in a GIPF-piece, otherwise Standard; a warning says which.

    One notation is used for all turns: the one that can play more of them. If both can play them all, the notation for
    which all letters are in the right case is used. If that does not decide either, official notation is used, and the
    record breaks at the first turn that means something else in the other notation.

    A third repetition (R6.3) does not end the game here.

    Raises ParseError as `read_sheet` does, and for a text without turns, headers and result. Raises KeyError if `rules`
    is not a known rule set.
    """
    sheet = read_sheet(text)
    if not (sheet.turns or sheet.headers or sheet.result):
        last = text.removeprefix("\ufeff").rstrip().rpartition("\n")[2]
        raise ParseError("a turn such as 1. e2", last, len(last))
    named = rules or sheet.rules
    ruleset, reading = _read_with_rules(PRESETS[named or DEFAULT_RULES], sheet.turns)
    if not named and not reading.steps and reading.fault and reading.fault.code == "no_gipf":
        ruleset, reading = _read_with_rules(PRESETS[GIPF_FIRST_RULES], sheet.turns)
    headers = tuple(header for header in sheet.headers if header[0] not in ("Rules", "Result"))
    record = Record(ruleset, reading.steps, reading.notation, headers, sheet.result, sheet.comments)
    warnings = (*_ruleset_warnings(sheet, rules, ruleset), *sheet.warnings, *reading.warnings)
    if reading.fault:
        broken = _broken_record(reading, sheet.turns, start(ruleset))
        return record._replace(result=None, warnings=warnings, broken=broken)
    found = record.end.result
    result = sheet.result or (found.score if found else None)
    return record._replace(result=result, warnings=(*warnings, *_result_warnings(record)))


def _ruleset_warnings(sheet: Sheet, rules: str | None, played: Ruleset) -> list[str]:
    """Return the warnings about the rule set of a record."""
    name = played.name.capitalize()
    if rules and sheet.rules and rules != sheet.rules:
        return [f"The record says {sheet.rules.capitalize()}; it is played as {name}, as you chose."]
    if rules or sheet.rules:
        return []
    why = ", since it begins with a GIPF-piece" if played.name == GIPF_FIRST_RULES else ""
    return [f"No rule set named: played as {name}{why}."]


def _result_warnings(record: Record) -> list[str]:
    """Return the warnings about the result that a record states."""
    found, told = record.end.result, record.result
    if told and found and told != found.score:
        return [f"The record says {told}, but by the rules the result is {found.score}."]
    return ["½–½ is impossible: GIPF has no draws (R6.3)."] if told == DRAWN else []


# ── Choosing the notation ──


class _RecordReading(NamedTuple):
    """The turns of a record as read in one notation, up to the first turn that cannot be played.

    `fault` is the reason why that turn cannot be played, or None. `exact` says that all letters were in the right case.
    """

    notation: Notation
    steps: tuple[RecordedTurn, ...]
    fault: NotationError | None
    exact: bool
    warnings: tuple[str, ...]


def _read_with_rules(ruleset: Ruleset, sheet_turns: Sequence[SheetTurn]) -> tuple[Ruleset, _RecordReading]:
    return ruleset, _choose_reading(
        [_replay_sheet(start(ruleset), sheet_turns, notation) for notation in NOTATIONS.values()]
    )


def _replay_sheet(position: Position, sheet_turns: Sequence[SheetTurn], notation: Notation) -> _RecordReading:
    steps, exact, warnings, fault = list[RecordedTurn](), True, list[str](), None
    for number, (text, mark, comments) in enumerate(sheet_turns, 1):
        try:
            actions, written = parse_turn(position, text, notation), notation.read(text)
        except NotationError as error:
            fault = error
            break
        before = position
        for action in actions:
            position = play(position, action)
        steps.append(RecordedTurn(number, text, actions, before, position, mark, comments))
        warnings += [f"{turn_number_text(number)} {warning}" for warning in written.warnings]
        exact &= written.exact
    return _RecordReading(notation, tuple(steps), fault, exact, tuple(warnings))


def _choose_reading(readings: Sequence[_RecordReading]) -> _RecordReading:
    """Return the reading that a record most likely means.

    If several are equally likely, return the first of them, cut before the first turn that another of them reads
    differently.
    """
    whole = [reading for reading in readings if not reading.fault]
    if not whole:
        return max(readings, key=_reading_reach)
    meant = max(whole, key=lambda reading: reading.exact)
    others = [reading for reading in whole if reading.exact == meant.exact]
    return next((split for other in others if (split := _first_difference(meant, other))), meant)


def _reading_reach(reading: _RecordReading) -> tuple[int, bool, int]:
    """Return a sort key for how far a reading gets.

    If two readings stop at the same turn, a reading that finds the turn illegal ranks above one that cannot read it. If
    neither can read the turn, the reading with the later fault ranks higher.
    """
    fault = reading.fault
    if isinstance(fault, ParseError):
        return len(reading.steps), False, fault.at or 0
    return len(reading.steps), True, 0


def _first_difference(one: _RecordReading, other: _RecordReading) -> _RecordReading | None:
    """Return the reading `one`, cut before the first turn that `other` reads differently.

    The `fault` of the cut reading is an OpenTurn that lists both meanings of that turn. None if the readings never
    differ.
    """
    for step, second in zip(one.steps, other.steps, strict=True):
        if step.after != second.after:
            pairs = (step, one.notation), (second, other.notation)
            choices = [turn_text(turn.before, turn.actions, notation) for turn, notation in pairs]
            fault = OpenTurn(choices, step.text, why="That can be read in two ways")
            return one._replace(steps=one.steps[: step.turn_number - 1], fault=fault)
    return None


# ── Records that break ──


def _broken_record(reading: _RecordReading, sheet_turns: Sequence[SheetTurn], begin: Position) -> BrokenRecord:
    """Return the error for a reading that stopped. The error suggests similar turns and a repair, if there are any."""
    fault, position = reading.fault, reading.steps[-1].after if reading.steps else begin
    assert fault
    number, side = len(reading.steps) + 1, str(position.mover)
    positions = [*(step.before for step in reading.steps), position]
    repair = find_repair(positions, [entry.text for entry in sheet_turns], reading.notation)
    similar = () if fault.code in ("over", "open") else suggest_turns(position, (), fault.text, reading.notation)
    return BrokenRecord(number, side, fault, similar, repair)
