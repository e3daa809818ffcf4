"""What a push or the use of a potential does at the least and at the most, whatever its player removes after it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from .actions import PASS, Act, Action, Push, Remove
from .engine import legal, play
from .geometry import each_bit
from .pieces import Colour
from .position import Position, covered_spots
from .rows import Row, open_rows

MOST_TURNS_CHECKED = 64  # to find out whether all of them win; on some crowded boards a push begins 20,000


class PushEffect(NamedTuple):
    """The least that a push or a use does. A GIPF-piece counts as two basic pieces."""

    returned: int  # basic pieces that come back to the player's reserve
    captured: int  # basic pieces that the opponent loses
    wins: bool  # whether it wins the game with every choice of removals


def push_effect(position: Position, act: Act) -> PushEffect:
    """Return the least that a legal push or use does: the smallest numbers of all turns that begin with it.

    The smallest numbers may come from different turns. A win is not reported if there are too many turns to look at.
    Does not check that the act is legal.
    """
    by, pushed = position.mover, play(position, act)
    frees = covered_spots(pushed) != 0  # a removal may then free pieces that make other rows
    ends = [*_turn_ends(pushed, legal if frees else _least_actions)]
    spent = position.reserve[by] - (act.kind.worth if isinstance(act, Push) else act.put)
    return PushEffect(
        min(end.reserve[by] for end in ends) - spent,
        min(end.captured[by.other] for end in ends) - position.captured[by.other],
        all(_is_won(end, by) for end in ends) and _wins_always(pushed, by),
    )


def most_taken(position: Position, act: Act) -> tuple[int, int]:
    """Return the most pieces that come back, and that the opponent loses, in all turns that begin with a push or use.

    The two may come from different turns. It counts as `push_effect` does, and does not check that the act is legal.
    """
    by, pushed = position.mover, play(position, act)
    ends = [*_turn_ends(pushed, legal if covered_spots(pushed) else _most_actions)]
    spent = position.reserve[by] - (act.kind.worth if isinstance(act, Push) else act.put)
    most_back, most_lost = max(end.reserve[by] for end in ends), max(end.captured[by.other] for end in ends)
    return most_back - spent, most_lost - position.captured[by.other]


def two_counts(position: Position, act: Act) -> tuple[bool, bool]:
    """Return whether at most two numbers of pieces can come back, and whether the opponent can lose at most two.

    Then they are those of `push_effect` and `most_taken`, with nothing between. False if there are too many turns to
    look at. Does not check that the act is legal.
    """
    by = position.mover
    ends = [*islice(_turn_ends(play(position, act), legal), MOST_TURNS_CHECKED + 1)]
    if len(ends) > MOST_TURNS_CHECKED:
        return False, False
    return len({end.reserve[by] for end in ends}) <= 2, len({end.captured[by.other] for end in ends}) <= 2


def _is_won(end: Position, by: Colour) -> bool:
    return end.result is not None and end.result.winner is by


def _wins_always(pushed: Position, by: Colour) -> bool:
    """Return whether each turn that goes on from a push wins. False if there are too many turns to look at."""
    ends = [*islice(_turn_ends(pushed, legal), MOST_TURNS_CHECKED + 1)]
    return len(ends) <= MOST_TURNS_CHECKED and all(_is_won(end, by) for end in ends)


def _turn_ends(pushed: Position, actions: Callable[[Position], Iterable[Action]]) -> Iterator[Position]:
    """Yield each position at the end of the turn that these actions lead to. `pushed` is the one after the push."""
    unfinished, seen = [pushed], {pushed}
    while unfinished:
        here = unfinished.pop()
        if here.pushed and not here.result:
            fresh = {play(here, action) for action in actions(here)} - seen
            seen |= fresh
            unfinished += fresh
        else:
            yield here


def _least_actions(position: Position) -> Iterator[Action]:
    """Yield the removals after an act that can lead to the least: optional pieces stay where no other row needs them.

    One that two rows share may have to go: without it the other row may be smaller, or none at all. A row that must
    lose a piece loses one (R7.4). Assumes that nothing lies under the pieces.
    """
    rows = open_rows(position)
    due = [row for row in rows if row.due]
    if not due:
        yield PASS
    for row in rows if due else ():
        shared = 0
        for other in rows if row.due else due:
            shared |= other.stretch if other is not row else 0
        taken = shared = shared & row.may
        while taken:
            yield from _with_loss(row, taken)
            taken = (taken - 1) & shared
        if row.due:
            yield from _with_loss(row, 0)


def _most_actions(position: Position) -> Iterator[Action]:
    """Yield the removals after an act that can lead to the most: optional pieces go where no other row needs them.

    One that two rows share may have to stay until the last of them. Assumes that nothing lies under the pieces.
    """
    rows = open_rows(position)
    if not any(row.due for row in rows):
        yield PASS
    for row in rows:
        shared = 0
        for other in rows:
            shared |= other.stretch & row.may if other is not row else 0
        stays = shared
        while True:
            if taken := row.must | row.may & ~stays:
                yield from (remove for remove in _with_loss(row, taken & row.may) if remove.taken)
            if not stays:
                break
            stays = (stays - 1) & shared


def _with_loss(row: Row, taken: int) -> Iterator[Remove]:
    """Yield the removals of a row with these optional pieces, and with one more if the row must lose one (R7.4)."""
    for lost in each_bit(row.loss) if row.loss and not taken & row.loss else (0,):
        yield Remove(row.line.number, row.must | taken | lost)
