"""Tell whether a record lacks a turn, or has one too many: by its move numbers, or by trying one turn more."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gipfbot.rules import Position, turns
from gipfbot.rules.sentences import Sentence

MOST_MISSING = 4  # turns missing in one place
TRIED = 8_000  # turns played in a search for a place where a turn may be missing
# The sentences by how many turns are missing. One too many is -1.
_BEFORE = {
    -1: Sentence("There is a turn too many before {number}"),
    1: Sentence("A turn is missing before {number}"),
    2: Sentence("Two turns are missing before {number}"),
    3: Sentence("Three turns are missing before {number}"),
    4: Sentence("Four turns are missing before {number}"),
}
_BETWEEN = {
    -1: Sentence("There is a turn too many between {number} and {next}"),
    1: Sentence("A turn is missing between {number} and {next}"),
    2: Sentence("Two turns are missing between {number} and {next}"),
    3: Sentence("Three turns are missing between {number} and {next}"),
    4: Sentence("Four turns are missing between {number} and {next}"),
}


class _Label(NamedTuple):
    """The move number before the turn `turn_number`, and the text of that turn.

    `alone` says that this is not the first turn, and that none stands before the turn before it.
    """

    turn_number: int
    number: str
    text: str
    alone: bool

    @property
    def for_black(self) -> bool:
        """Whether the number says that Black's turn follows."""
        return self.number.endswith(("..", "…"))

    @property
    def written(self) -> int | None:
        """The number itself. None if there are only dots."""
        digits = self.number.strip("(.…) ")
        return int(digits[-6:]) if digits else None

    def __str__(self) -> str:
        return f"{'' if self.written is None else self.written}{'…' if self.for_black else '.'}"

    def fits(self, turn_number: int, added: int) -> bool:
        """Return whether this can stand before that turn, if `added` is added to all move numbers.

        A number without dots stands before White's turn, unless each turn has a number.
        """
        black = turn_number % 2 == 0
        right_side = black if self.for_black else not (black and self.alone)
        return right_side and self.written in (None, (turn_number + 1) // 2 + added)


class NumberedTurns(NamedTuple):
    """What the move numbers of a record say of its turns.

    `sure` counts the turns of the record before which none is missing, by the numbers. `lacking` is how many turns are
    missing in one place, below 0 if there are too many. `sentence` says so; it is None if none is missing.
    """

    sure: int
    lacking: int = 0
    sentence: Sentence | None = None


def numbered_turns(numbers: Sequence[str], texts: Sequence[str], first: int, *, any_first: bool) -> NumberedTurns:
    """Return what the move numbers before these turns say. `first` is the turn number of the first turn.

    `any_first` says that the first number may be any.
    """
    labels = [
        _Label(first + at, number, texts[at], at > 0 and not numbers[at - 1])
        for at, number in enumerate(numbers)
        if number
    ]
    start = next((one for one in labels if one.written is not None), None) if any_first else None
    added = (start.written or 0) - (start.turn_number + 1) // 2 if start else 0
    fit = [one.fits(one.turn_number, added) for one in labels]
    wrong = fit.index(False) if False in fit else len(labels)
    for lacking in (*range(1, MOST_MISSING + 1), -1) if wrong < len(labels) else ():
        if all(one.fits(one.turn_number + lacking, added) for one in labels[wrong:]):
            sure = labels[wrong - 1].turn_number - first if wrong else 0
            return NumberedTurns(sure, lacking, _sentence(labels, wrong, lacking))
    return NumberedTurns(
        max((one.turn_number - first for one, fits in zip(labels, fit, strict=True) if fits), default=0)
    )


def _sentence(labels: Sequence[_Label], wrong: int, lacking: int) -> Sentence:
    """Return the sentence that turns are missing, or too many, before the label `wrong`."""
    label = labels[wrong]
    if label.for_black and lacking == 1:
        return Sentence("A turn of White is missing before {number} {turn}.", number=str(label), turn=label.text)
    if not wrong:
        return Sentence(_BEFORE[lacking], number=str(label))
    return Sentence(_BETWEEN[lacking], number=str(labels[wrong - 1]), next=str(label))


def may_lack_turn(
    positions: Sequence[Position],
    texts: Sequence[str],
    sure: int,
    count_playable: Callable[[Position, Sequence[str]], int],
) -> bool:
    """Return whether all turns could be played if one more stood somewhere before the first that cannot.

    `positions` holds the position before each turn, up to the first that cannot be played. The numbers say that the
    first `sure` turns are right. Also true if the search takes too long.
    """
    left = TRIED
    for at in range(len(positions) - 1, sure - 1, -1):
        rest = texts[at:]
        for _, after in turns(positions[at]):
            played = count_playable(after, rest[:left])
            left -= played + 1
            if played == len(rest) or left <= 0:
                return True
    return False
