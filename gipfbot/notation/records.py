"""Read, write and mend game records (notation.md section 5). `record_text` is the inverse of `read_record`."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from gipfbot.rules import RULESETS, Action, Colour, Position, Reason, Result, Ruleset, ruleset_named, start
from gipfbot.rules.geometry import DOTS
from gipfbot.rules.sentences import Sentence

from .errors import IllegalTurn, NotationError, OpenTurn, ParseError, excerpt
from .missing_turns import NumberedTurns, may_lack_turn, numbered_turns
from .normalise import PIECE_LETTER, WrittenTurn, plain_comment, plain_header
from .notations import NOTATIONS, OFFICIAL, Notation
from .positions import parse_position, position_text
from .removal_steps import play_along
from .repairs import Repair, count_playable, find_repair, read_recorded_turn
from .sheets import DRAWN, HEADER_KEYS, RESIGNED, UNFINISHED, Sheet, SheetTurn, read_sheet
from .suggest import suggest_turns
from .turns import reserve_sentence, turn_text

DEFAULT_RULES = "standard"
GIPF_FIRST_RULES = "tournament"  # the only rule set in which the first push brings in a GIPF-piece
OWN_HEADERS = "Rules", "Position", "Result"  # headers that a record keeps in fields of its own
VOID = "void"
REPETITIONS = 3
MOST_RESERVES_NAMED = 3  # wrong reserves that have a warning each
LINE_WIDTH = 80

_LINE = re.compile(rf"\s*(?:{'|'.join(RULESETS)})(?:\+\w*)? [wb] [^\n]*\s*\Z")
_POINT = re.compile("[a-i][1-9]", re.IGNORECASE)
_REMOVES = re.compile("[x;*(]", re.IGNORECASE)
_BARE_DOT = re.compile(rf"{PIECE_LETTER}?(?:{'|'.join(DOTS)})", re.IGNORECASE)
_SPOT_NEXT = re.compile(rf"(?!{'|'.join(DOTS)})[a-i][1-9]", re.IGNORECASE)


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

    `turn_number` counts the turns of both players from 1. `side` is the player who decides. `fault` is the
    reason. `similar` lists legal turns that look like the written one. `repair` is a change of one turn that makes the
    rest playable, or None. `missing` is a sentence, if the move numbers say that turns are missing before this one.
    """

    def __init__(
        self,
        turn_number: int,
        side: Colour,
        fault: NotationError,
        similar: Sequence[str] = (),
        repair: Repair | None = None,
        missing: Sentence | None = None,
    ) -> None:
        number, text = turn_number_text(turn_number), excerpt(fault.text)
        where = Sentence("{number} {turn} ({player}):", number=number, turn=text, player=side)
        more = [*_advice_sentences(similar, repair), *([missing] if missing else [])]
        super().__init__(fault.code, [where, *fault.sentences, *more], fault.text, fault.at)
        self.args = (" ".join([where, str(fault), *more]),)
        self.turn_number, self.side, self.fault = turn_number, side, fault
        self.similar, self.repair, self.missing = tuple(similar), repair, missing


def _advice_sentences(similar: Sequence[str], repair: Repair | None) -> Iterator[Sentence]:
    if similar:
        yield Sentence("Legal turns like it: {turns}.", turns=", ".join(similar))
    if repair:
        yield Sentence(
            "If you replace {number} {turn} with {other}, the rest can be read.",
            number=turn_number_text(repair.turn_number),
            turn=excerpt(repair.text),
            other=repair.replacement,
        )


class Record(NamedTuple):
    """A game, read from a record. `notation` is the notation in which its turns were read.

    `start_position` is the position that a header names; None if the game begins as usual. `headers` holds all headers
    but Rules, Position and Result. `comments` holds the comments before the first turn. `result` is the written
    result, or else the result by the rules. It is None if the game is unfinished. If a turn cannot be played, `broken`
    is the error, `turns` ends before that turn, and `result` is None.
    """

    rules: Ruleset
    turns: tuple[RecordedTurn, ...]
    notation: Notation = OFFICIAL
    headers: tuple[tuple[str, str], ...] = ()
    result: str | None = None
    comments: tuple[str, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    broken: BrokenRecord | None = None
    start_position: Position | None = None

    @property
    def begin(self) -> Position:
        """The position before the first turn."""
        return self.start_position or start(self.rules)

    @property
    def end(self) -> Position:
        """The position after the last turn."""
        return self.turns[-1].after if self.turns else self.begin


def turn_number_text(turn_number: int) -> str:
    """Return the label of a turn: `1.` for White's first turn, `1…` for Black's. Turns are counted from 1."""
    return f"{(turn_number + 1) // 2}{'.' if turn_number % 2 else '…'}"


def turn_warning(turn_number: int, warning: Sentence) -> Sentence:
    """Return a warning with the number of its turn in front."""
    return Sentence("{number} {warning}", number=turn_number_text(turn_number), warning=warning)


# ── Reading ──


def read_record(text: str, rules: str | None = None) -> Record:
    """Return the game that a text records.

    The rule set is `rules`, else the one that the text names. If neither is given, it is Tournament when the first turn
    brings in a GIPF-piece, otherwise Standard; a warning says which.

    One notation is used for all turns: the one that can play more of them. If both can play them all, the notation for
    which all letters are in the right case is used. If that does not decide either, official notation is used, and the
    record breaks at the first turn that means something else in the other notation.

    A header Position, or a text that is only a position line, sets the position before the first turn and the rule set.
    A third repetition (R6.3) does not end the game here; it is a warning (R6.6).

    Raises ParseError as `read_sheet` does, and for a text without turns, headers and result. Raises ParseError or
    ImpossiblePosition for a wrong position line. Raises ValueError if `rules` is not a known rule set.
    """
    if _LINE.match(text):
        position = parse_position(text.strip())
        return Record(position.rules, (), start_position=position)
    sheet = read_sheet(text)
    _check_not_empty(sheet, text)
    line = dict(sheet.headers).get("Position")
    begin = None if line is None else parse_position(line)
    named = begin.rules.name if begin else rules or sheet.rules
    ruleset = ruleset_named(named or DEFAULT_RULES)
    reading = _read_turns(begin or start(ruleset), sheet.turns)
    if not named and not reading.steps and reading.fault and reading.fault.code == "no_gipf":
        ruleset = ruleset_named(GIPF_FIRST_RULES)
        reading = _read_turns(start(ruleset), sheet.turns)
    headers = tuple(header for header in sheet.headers if header[0] not in OWN_HEADERS)
    record = Record(ruleset, reading.steps, reading.notation, headers, sheet.result, sheet.comments)
    record = record._replace(start_position=begin)
    warnings = (*_ruleset_warnings(sheet, rules, ruleset), *sheet.warnings, *reading.warnings)
    if reading.fault:
        broken = _broken_record(reading, record.begin)
        return record._replace(result=None, warnings=warnings, broken=broken)
    if record.result == RESIGNED and not record.end.result:
        record = record._replace(result=Result(record.end.mover.other, Reason.RESIGN).score)
    elif record.result in (None, RESIGNED) and record.end.result:
        record = record._replace(result=record.end.result.score)
    return record._replace(warnings=(*warnings, *_result_warnings(record)))


def _check_not_empty(sheet: Sheet, text: str) -> None:
    """Raise ParseError if the text of a sheet has neither turns nor headers nor a result."""
    if not (sheet.turns or sheet.headers or sheet.result):
        last = text.removeprefix("\ufeff").rstrip().rpartition("\n")[2]
        raise ParseError(Sentence("a turn such as 1. e2"), last, len(last))


def _ruleset_warnings(sheet: Sheet, rules: str | None, played: Ruleset) -> Iterator[Sentence]:
    """Yield the warnings about the rule set of a record."""
    name, placed = played.title, "Position" in dict(sheet.headers)
    others = [ruleset_named(other).title for other in (rules, sheet.rules) if other and other != played.name]
    if placed and others:
        yield Sentence(
            "The position in the record is {rules}, not {other}; it is played as {rules}.", rules=name, other=others[0]
        )
    elif not placed and rules and sheet.rules and rules != sheet.rules:
        yield Sentence(
            "The record says {other}; it is played as {rules}, as you chose.",
            other=ruleset_named(sheet.rules).title,
            rules=name,
        )
    elif not (placed or rules or sheet.rules) and played.name == GIPF_FIRST_RULES:
        yield Sentence("No rule set named: played as {rules}, since it begins with a GIPF-piece.", rules=name)
    elif not (placed or rules or sheet.rules):
        yield Sentence("No rule set named: played as {rules}.", rules=name)


def _result_warnings(record: Record) -> Iterator[Sentence]:
    """Yield the warnings about the result that a record states."""
    found, told = record.end.result, record.result
    repeated = _third_repetition(record)
    if repeated:
        yield Sentence(
            "After {number} a position stands for the third time: the game is void by R6.3.", number=repeated
        )
    if told == VOID and not found and not repeated:
        yield Sentence("The record says void, but no position stood three times.", rule="R6.3")
    elif told and found and told != found.score:
        yield Sentence(
            "The record says {result}, but by the rules the result is {right}.", result=told, right=found.score
        )
    elif told == DRAWN and not record.rules.agreed_draw:
        yield Sentence("½–½ is impossible: GIPF has no draws.", rule="R6.3")


def _third_repetition(record: Record) -> str | None:
    """Return the number of the turn after which a position first stands for the third time. None if none does."""
    seen = Counter([record.begin])
    for step in record.turns:
        seen[step.after] += 1
        if seen[step.after] == REPETITIONS:
            return turn_number_text(step.turn_number)
    return None


# ── Choosing the notation ──


class _RecordReading(NamedTuple):
    """The turns of a record as read in one notation, up to the first turn that cannot be played.

    `texts` holds the texts of all turns, and `numbers` the move number before each. `words` counts the played words; a
    dot and a spot apart are two words. `fault` is the reason why a turn cannot be played, or None. `exact` says that
    all letters were in the right case.
    """

    notation: Notation
    texts: tuple[str, ...]
    numbers: tuple[str, ...]
    words: int
    steps: tuple[RecordedTurn, ...]
    fault: NotationError | None
    exact: bool
    warnings: tuple[Sentence, ...]


def _read_turns(begin: Position, sheet_turns: Sequence[SheetTurn]) -> _RecordReading:
    return _choose_reading([_replay_sheet(begin, sheet_turns, notation) for notation in NOTATIONS.values()])


def _replay_sheet(position: Position, sheet_turns: Sequence[SheetTurn], notation: Notation) -> _RecordReading:
    entries = [*_joined_dots(sheet_turns)] if notation is OFFICIAL else [(entry, 1) for entry in sheet_turns]
    steps, exact, fault, words, texts = list[RecordedTurn](), True, None, 0, tuple(entry.text for entry, _ in entries)
    first = 1 + (position.mover is Colour.BLACK)
    singly = [str(number) for number in range(first, first + len(entries))]
    is_singly = len(entries) > 2 and [_digits(entry.number) for entry, _ in entries] == singly
    numbering = _Numbering(any_first=position != start(position.rules), is_singly=is_singly)
    for turn_number, ((text, mark, comments, number), width) in enumerate(entries, first):
        try:
            numbering.check(number, turn_number, position)
            written, actions, beside = read_recorded_turn(position, text, notation)
        except NotationError as error:
            fault = error
            break
        before, position = position, play_along(position, actions).end
        steps.append(RecordedTurn(turn_number, text, actions, before, position, mark, comments))
        numbering.warnings += (turn_warning(turn_number, warning) for warning in written.warnings)
        numbering.check_reserve(steps[-1], written)
        numbering.note_next_spot(steps[-1], beside)
        exact &= written.exact
        words += width
    numbers = tuple(entry.number for entry, _ in entries)
    return _RecordReading(notation, texts, numbers, words, tuple(steps), fault, exact, numbering.all_warnings())


def _joined_dots(sheet_turns: Sequence[SheetTurn]) -> Iterator[tuple[SheetTurn, int]]:
    """Join each bare dot and the spot behind it (`e1 e3`) to a push, and yield each turn with its number of words."""
    waiting: SheetTurn | None = None
    for entry in sheet_turns:
        if waiting and not entry.number and not (waiting.mark or waiting.comments) and _SPOT_NEXT.match(entry.text):
            yield entry._replace(text=f"{waiting.text}-{entry.text}", number=waiting.number), 2
            waiting = None
            continue
        if waiting:
            yield waiting, 1
        waiting = entry if _BARE_DOT.fullmatch(entry.text) else None
        if not waiting:
            yield entry, 1
    if waiting:
        yield waiting, 1


class _Numbering:
    """The move numbers and reserves of a record. `any_first` says that the first number may be any.

    `is_singly` says that the turns of both players are counted together: `1. b4 2. c2 3. d2`. `warnings` also gets the
    other warnings about turns, to keep them in order.
    """

    def __init__(self, *, any_first: bool, is_singly: bool) -> None:
        self.added: int | None = None if any_first else 0
        self.counted = not is_singly
        self.warnings, self.wrong_reserves, self.next_spots = list[Sentence](), 0, False

    def check_reserve(self, step: RecordedTurn, written: WrittenTurn) -> None:
        """Add a warning if the reserve behind a turn is wrong. After some warnings, only count them."""
        mover = step.before.mover
        left = step.after.reserve[mover]
        if written.reserve in (None, left):
            return
        self.wrong_reserves += 1
        if self.wrong_reserves <= MOST_RESERVES_NAMED:
            self.warnings.append(turn_warning(step.turn_number, reserve_sentence(mover, left, written)))

    def note_next_spot(self, step: RecordedTurn, beside: bool) -> None:
        """Add a warning about the first turn that names the spot next to its dot."""
        if beside and not self.next_spots:
            sentence = Sentence(
                "Pushes name the spot next to their dot: {number} {turn} was read as {right}.",
                number=turn_number_text(step.turn_number),
                turn=excerpt(step.text),
                right=turn_text(step.before, step.actions),
            )
            self.warnings.append(sentence)
        self.next_spots |= beside

    def all_warnings(self) -> tuple[Sentence, ...]:
        """Return the warnings about turns, in order."""
        more = self.wrong_reserves - MOST_RESERVES_NAMED
        if more < 1:
            return tuple(self.warnings)
        if more == 1:
            return (*self.warnings, Sentence("1 more turn has a wrong reserve."))
        return (*self.warnings, Sentence("{count} more turns have a wrong reserve.", count=more))

    def check(self, number: str, turn_number: int, position: Position) -> None:
        """Add a warning if this is the first wrong number.

        Raises IllegalTurn if the number says that Black is to move, but White is.
        """
        if number.endswith(("..", "…")) and position.mover is Colour.WHITE:
            shown = excerpt(number, length=8)
            sentence = Sentence("{number} says that Black is to move, but it is White's turn.", number=shown)
            raise IllegalTurn("side", "R3.4", sentence, number)
        digits = _digits(number)
        if not digits:
            return
        due = (turn_number + 1) // 2
        written = int(digits[-6:])
        self.added = written - due if self.added is None else self.added
        if self.counted and written != due + self.added:
            self.warnings.append(_wrong_number_sentence(digits, written, due + self.added))
            self.counted = False


def _wrong_number_sentence(digits: str, written: int, expected: int) -> Sentence:
    """Return the warning about a move number. `digits` is as it stands in the text."""
    number, right = excerpt(digits), str(expected)
    if written > expected:
        return Sentence(
            "Move number {number} where {expected} was expected: is a turn missing?", number=number, expected=right
        )
    return Sentence(
        "Move number {number} where {expected} was expected: is a turn too many?", number=number, expected=right
    )


def _digits(number: str) -> str:
    """Return a move number without its dots and brackets; empty if there are only dots."""
    return number.strip("(.…) ")


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
        return reading.words, False, fault.at or 0
    return reading.words, True, 0


def _first_difference(one: _RecordReading, other: _RecordReading) -> _RecordReading | None:
    """Return the reading `one`, cut before the first turn that `other` reads differently.

    The `fault` of the cut reading is an OpenTurn that lists both meanings of that turn. None if the readings never
    differ.
    """
    for step, second in zip(one.steps, other.steps, strict=False):
        if step.after != second.after:
            pairs = (step, one.notation), (second, other.notation)
            choices = [turn_text(turn.before, turn.actions, notation) for turn, notation in pairs]
            fault = OpenTurn(choices, step.text, two_ways=True)
            return one._replace(steps=one.steps[: one.steps.index(step)], fault=fault)
    return None


# ── Records that break ──


def _broken_record(reading: _RecordReading, begin: Position) -> BrokenRecord:
    """Return the error for a reading that stopped. It suggests similar turns and a repair, if there are any.

    If a turn is missing by the move numbers, it says so instead, or that the text may be two turns. If one may be
    missing, it suggests no repair.
    """
    fault, position = reading.fault, reading.steps[-1].after if reading.steps else begin
    assert fault
    first = 1 + (begin.mover is Colour.BLACK)
    positions = [*(step.before for step in reading.steps), position]
    any_first = begin != start(begin.rules)
    told = numbered_turns(reading.numbers, reading.texts, first, any_first=any_first)
    text = reading.texts[len(reading.steps)] if len(reading.steps) < len(reading.texts) else ""
    counts = told.lacking and told.sure < len(positions) and not _is_no_turn(reading, first, told, any_first=any_first)
    missing = _joined_sentence(text) or told.sentence if counts else None
    repair = None if told.lacking else find_repair(positions, reading.texts, reading.notation)
    if repair:
        count = partial(count_playable, notation=reading.notation)
        lacks = may_lack_turn(positions, reading.texts, told.sure, count)
        repair = None if lacks else repair._replace(turn_number=repair.turn_number + first - 1)
    alike = not missing and fault.code not in ("over", "open", "side")
    similar = suggest_turns(position, (), fault.text, reading.notation) if alike else ()
    return BrokenRecord(len(reading.steps) + first, position.mover, fault, similar, repair, missing)


def _is_no_turn(reading: _RecordReading, first: int, told: NumberedTurns, *, any_first: bool) -> bool:
    """Return whether a reading stopped at a word that cannot be read, and the move numbers are right without it."""
    at = len(reading.steps)
    if told.lacking >= 0 or reading.numbers[at] or not isinstance(reading.fault, ParseError):
        return False
    numbers, texts = [(*each[:at], *each[at + 1 :]) for each in (reading.numbers, reading.texts)]
    return not numbered_turns(numbers, texts, first, any_first=any_first).lacking


def _joined_sentence(text: str) -> Sentence | None:
    """Return a sentence if a text that stands for one turn may be several. None if its points fit a push."""
    points = [found.lower() for found in _POINT.findall(text)]
    if _REMOVES.search(text) or len(points) < 2 or (len(points) == 2 and points[0] in DOTS):
        return None
    return Sentence("“{text}” may be more than one turn: put a blank between them.", text=excerpt(text))


# ── Writing ──


def record_text(record: Record, notation: Notation = OFFICIAL, *, reserve: bool = False) -> str:
    """Return a record as text that `read_record` reads back.

    The text holds turns, marks, comments, headers, rule set and result. Each numbered pair of turns begins a new line.
    Lines are wrapped at 80 characters, at a space, or after a `;` in a turn longer than a line. If `reserve` is true,
    the mover's reserve is added after each turn.

    Characters that a record cannot hold are replaced. A line break or a run of blanks becomes one blank. Control
    characters become a replacement character. In comments, braces become round brackets. In the key of a header, `_`
    replaces everything but letters, digits and `_`.

    A broken record is written up to its first fault, as an unfinished game. Does not check that the turns are legal,
    nor that the text is below the 64 KiB that `read_sheet` accepts.
    """
    result = record.result or UNFINISHED
    headers = [(key, value) for key, value in record.headers if key not in OWN_HEADERS]
    own = [("Rules", record.rules.title), ("Result", result)]
    if record.start_position:
        own.insert(1, ("Position", position_text(record.start_position)))
    for key, value in own:
        headers.insert(_header_index(key, headers), (key, value))
    lines = [*_record_lines(record, notation, reserve), result]
    lines[-2:] = [" ".join(lines[-2:])]
    shown = [f'[{_header_key(key)} "{_escape_header(value)}"]' for key, value in headers]
    body = [part for line in lines for part in wrap(line, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)]
    return "\n".join([*shown, "", *body, ""])


def _header_index(key: str, headers: list[tuple[str, str]]) -> int:
    """Return the index at which to insert the header `key`: before the first header that usually follows it."""
    behind = HEADER_KEYS[HEADER_KEYS.index(key) + 1 :]
    return next((at for at, (other, _) in enumerate(headers) if other in behind), len(headers))


def _header_key(key: str) -> str:
    return re.sub(r"\W", "_", key) or "_"


def _escape_header(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", plain_header(value))


def _record_lines(record: Record, notation: Notation, reserve: bool) -> Iterator[str]:
    """Yield the comments before the first turn, then one line for each numbered pair of turns, White's and Black's."""
    yield from _comment_texts(record.comments)
    pairs = groupby(record.turns, key=lambda step: (step.turn_number + 1) // 2)
    for number, (first, *others) in ((number, list(steps)) for number, steps in pairs):
        dots = "." if first.turn_number % 2 else "..."
        yield " ".join(
            [f"{number}{dots}", *(_turn_with_comments(step, notation, reserve) for step in (first, *others))]
        )


def _turn_with_comments(step: RecordedTurn, notation: Notation, reserve: bool) -> str:
    text = turn_text(step.before, step.actions, notation, reserve=reserve)
    if len(text) > LINE_WIDTH:
        text = text.replace(";", "; ")  # lets the line wrap here
    return " ".join([f"{text}{step.mark}", *_comment_texts(step.comments)])


def _comment_texts(comments: tuple[str, ...]) -> Iterator[str]:
    return (f"{{{text}}}" for text in map(plain_comment, comments) if text)
