"""The engine and the naive program agree on all full turns of Overboard, with all answers of the opponent in them.

The positions are reached in games that seek rows, and built. The hard cases are counted: the test fails if it does not
meet them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from gipfbot.rules import PASS, Position, Push, Remove, Stage, Turn, legal, play, turns
from gipfbot.rules.overboard import end_runs
from tests.rules.boards_of_overboard import as_table, built_table, reached_table
from tests.rules.naive_overboard import FullTurn, turns_of
from tests.support.effort import amount

TABLES = amount(test=100, long=2_000)
MOST_COMPARED = amount(test=300, long=3_000)
NEEDED = (
    "own row", "row of the opponent", "rows of both", "several of one colour", "both ends", "own run at the opponent's",
    "owner asked out of turn", "a row without basic pieces", "a piece goes over the edge", "a closed entry", "pass",
    "ends by gipf", "rows lapse",
)  # fmt: skip


def told(turn: Turn) -> FullTurn:
    """Return an engine's turn in the words of the naive program."""
    act = (turn.act.dot, turn.act.spot) if isinstance(turn.act, Push) else ("", "")
    gone = (spot for action in turn.after if isinstance(action, Remove) for spot in action.spots)
    return act, tuple(sorted(gone))


def agreed_turns(position: Position) -> list[tuple[Turn, Position]] | None:
    """Compare all full turns of a position, and return them. None if there are too many."""
    found = list(islice(turns(position), MOST_COMPARED + 1))
    if len(found) > MOST_COMPARED:
        return None
    assert {told(turn): as_table(end) for turn, end in found} == turns_of(as_table(position))
    assert len(found) == len({told(turn) for turn, _ in found})
    return found


def hard_cases(position: Position, turn: Turn, end: Position) -> Iterator[str]:
    """Yield the names of the hard cases in one turn."""
    if turn.act is None and turn.after == (PASS,):
        yield "pass"
    here = position
    for action in turn.actions:
        after = play(here, action)
        if isinstance(action, Push):
            yield from _cases_of_push(here, after)
        if isinstance(action, Remove):
            yield from _cases_of_row(here, action)
        if after.result and len(here.noted) > 1:
            yield "rows lapse"
        here = after
    if end.result:
        yield f"ends by {end.result.by}"


def _cases_of_row(here: Position, action: Remove) -> Iterator[str]:
    if here.stage is Stage.ENDS and len(end_runs(here, here.noted[0])) == 2:
        yield "both ends"
    if here.stage is Stage.ENDS and here.noted[0].owner is not here.mover:
        yield "own run at the opponent's"
    if here.decider is not here.mover:
        yield "owner asked out of turn"
    if here.stage is None and not action.taken:
        yield "a row without basic pieces"


def _cases_of_push(here: Position, pushed: Position) -> Iterator[str]:
    if len(legal(here)) < 42:
        yield "a closed entry"
    if sum(pushed.reserve) > sum(here.reserve) - 1:
        yield "a piece goes over the edge"
    owners = [row.owner for row in pushed.noted]
    if pushed.mover in owners:
        yield "own row"
    if pushed.mover.other in owners:
        yield "row of the opponent"
    if len({*owners}) == 2:
        yield "rows of both"
    if len(owners) > len({*owners}):
        yield "several of one colour"


@pytest.mark.usefixtures("untraced")
def test_both_programs_know_the_same_full_turns() -> None:
    """Half of the positions are reached, half are built. In some of them the mover has no reserve."""
    met, tried, agreed = Counter[str](), 0, 0
    while agreed < TABLES:
        rng = Random(tried)
        position = (reached_table, built_table)[tried % 2](rng)
        tried += 1
        found = agreed_turns(position)
        if found is not None:
            agreed += 1
            met.update({case for turn, end in found for case in hard_cases(position, turn, end)})
    assert {case for case in NEEDED if not met[case]} == set()
