"""The part of a position line that only Overboard has: its noted rows (notation.md section 4).

A position line names the rows in `rows=`, and the player who decides now in `asked=`. This module also finds what makes
a position of Overboard impossible.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from gipfbot.rules import Colour, NotedRow, Position, Reason, Result, Stage
from gipfbot.rules.geometry import BIT, LINES, SPOTS, names
from gipfbot.rules.overboard import basic_pieces, end_runs, gipf_result, standing_gipf
from gipfbot.rules.position import Resolving
from gipfbot.rules.rows import cores
from gipfbot.rules.sentences import Sentence

PositionFault: TypeAlias = tuple[str, Sentence]  # rule, what is wrong

MOST_GIPF = 3  # GIPF-pieces of each player (R8.1)
_SPOT = "|".join(SPOTS)
_ROW = re.compile(rf"([wb])({_SPOT})-({_SPOT})(?:/({'|'.join(Stage)}))?")
# Every stretch of at least four spots of a line, by its ends: the number of the line, and the spots as bits.
_STRETCHES = {
    (line.spots[first], line.spots[last]): (line.number, sum(BIT[spot] for spot in line.spots[first : last + 1]))
    for line in LINES
    for first in range(len(line.spots))
    for last in range(first + 3, len(line.spots))
}


def noted_text(position: Position) -> str:
    """Return the noted rows as a position line writes them: `we2-e5/gipf,bb5-e5`. The row in work comes first."""
    stage = f"/{position.stage}" if position.stage else ""
    first, *others = map(_row_text, position.noted)
    return ",".join([first + stage, *others])


def _row_text(row: NotedRow) -> str:
    spots = [spot for spot in LINES[row.line].spots if BIT[spot] & row.spots]
    return f"{row.owner.letter}{spots[0]}-{spots[-1]}"


def is_noted_row(text: str, *, first: bool) -> bool:
    """Return whether a text is a row such as `we2-e5`. Only the first one may have a stage, as in `we2-e5/gipf`."""
    found = _ROW.fullmatch(text)
    return found is not None and (found[2], found[3]) in _STRETCHES and (first or not found[4])


def position_with_rows(position: Position, texts: Sequence[str]) -> Position:
    """Return the position with these noted rows. Each text must be a row; the rows are put in order.

    Does not check that the position is possible.
    """
    found = [match for match in map(_ROW.fullmatch, texts) if match]
    rows = [NotedRow(Colour("wb".index(one[1])), *_STRETCHES[one[2], one[3]]) for one in found]
    stage = Stage(found[0][4]) if found[0][4] else None
    in_work, others = (rows[:1], rows[1:]) if stage else ([], rows)
    others.sort(key=lambda row: (row.owner is not position.mover, row.line))
    return position._replace(resolving=Resolving((*in_work, *others), stage))


# ── Impossible positions ──


def overboard_faults(position: Position) -> Iterator[PositionFault]:
    """Yield the faults of a position of Overboard. Only the first fault is certain.

    Each check assumes that the checks before it found no fault, and that the totals add up.
    """
    if any(position.captured):
        yield "R8.3", Sentence("In Overboard nothing is captured: write captured=0-0.")
    if any(position.opening):
        yield "R8.6", Sentence("In Overboard nobody brings in GIPF-pieces: leave opening= out.")
    if position.dealt:
        yield "R8.6", Sentence("In Overboard the rows that are left are noted: write rows= in place of dealt=.")
    for colour in Colour:
        found = (position.owned[colour] & position.gipf).bit_count()
        if found > MOST_GIPF:
            sentence = Sentence(
                "{player} cannot have more than {most} GIPF-pieces, but has {count}.",
                player=colour,
                most=MOST_GIPF,
                count=found,
            )
            yield "R8.1", sentence
    yield from _noted_faults(position)
    yield from _end_faults(position)


def _noted_faults(position: Position) -> Iterator[PositionFault]:
    if bool(position.noted) is not position.pushed:
        sentence = Sentence(
            "After the push there are rows to resolve, and only then: write step=after and rows=, or neither."
        )
        yield "R8.3", sentence
    if len({row.line for row in position.noted}) < len(position.noted):
        yield "R8.3", Sentence("Two of the rows are on one line.")
    for row in position.noted:
        yield from _row_faults(position, row)
    known = {(row.owner, row.line): row.spots for row in position.noted}
    for colour in Colour if position.pushed else ():
        for line, core in cores(position.owned[colour]):
            if core & ~known.get((colour, line.number), 0):
                sentence = Sentence(
                    "{player}'s row on line {line} stands, so it belongs in rows=.", player=colour, line=line.code
                )
                yield "R8.3", sentence
    if position.stage:
        yield from _stage_faults(position, position.noted[0])


def _row_faults(position: Position, row: NotedRow) -> Iterator[PositionFault]:
    line = LINES[row.line]
    beside = (row.spots << line.shift | row.spots >> line.shift) & line.mask & ~row.spots
    if wrong := row.spots & position.owned[row.owner.other] or beside & position.owned[row.owner]:
        sentence = Sentence(
            "{spot} contradicts the row {row}: a row is noted with all its spots.",
            spot=names(wrong)[0],
            row=_row_text(row),
        )
        yield "R8.3", sentence


def _stage_faults(position: Position, row: NotedRow) -> Iterator[PositionFault]:
    text = _row_text(row)
    if row.owner is not position.mover and any(other.owner is position.mover for other in position.noted):
        yield "R8.3", Sentence("{player}'s rows come before {row}.", player=position.mover, row=text)
    if basic_pieces(position, row):
        sentence = Sentence(
            "The basic pieces of {row} go before its ends and its GIPF-pieces are asked about.", row=text
        )
        yield "R8.3", sentence
    if position.stage is Stage.ENDS and not end_runs(position, row):
        yield "R8.3", Sentence("There is nothing at the ends of {row} that could go: leave /ends out.", row=text)
    if position.stage is Stage.GIPF and not standing_gipf(position, row):
        yield "R8.3", Sentence("No GIPF-piece stands on {row}: leave /gipf out.", row=text)


def _end_faults(position: Position) -> Iterator[PositionFault]:
    given, found = position.result, gipf_result(position)
    if not position.gipf:
        sentence = Sentence("Somebody has a GIPF-piece left: the game ends when the first player has none.")
        yield "R8.5", sentence
    elif given is None and found:
        yield "R8.5", over_sentence(found)
    elif given and given.by is Reason.RESERVE:
        yield "R8.5", Sentence("A player without a reserve passes: no game ends by=reserve.")
    elif given and given.winner is not None and given.by in (Reason.REPETITION, Reason.AGREEMENT):
        yield "R6.3", nobody_wins_sentence(given)
    elif given and (given.by is Reason.GIPF or found) and given != found:
        sentence = Sentence(
            "By the rules this position is not {result} by={reason}.", result=given.score, reason=given.by
        )
        yield "R8.5", sentence
    elif given and given.by is Reason.GIPF and position.noted:
        yield "R8.5", Sentence("The game ended with the answer: leave step=, rows= and asked= out.")


def over_sentence(result: Result) -> Sentence:
    """Return the sentence for a line that lacks the result of its position."""
    return Sentence(
        "The game is over here: the line has to end with result={result} by={reason}.",
        result=result.score,
        reason=result.by,
    )


def nobody_wins_sentence(result: Result) -> Sentence:
    """Return the sentence for a result with a winner whose reason has none."""
    return Sentence("Nobody wins by={reason}.", reason=result.by)
