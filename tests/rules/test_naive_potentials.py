"""The engine and the naive program agree on all full turns of games with potentials.

The positions are reached in games that seek rows and uses, and built with stacks and crowded rows. The hard cases are
counted: the test fails if it does not meet them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from gipfbot.rules import PASS, Action, Position, Push, Remove, Turn, Use, open_rows, turns
from tests.rules.generate_loaded import LOADED, built, reached
from tests.rules.naive_potentials import Done, Plain, plain_turns
from tests.rules.plain import plain
from tests.support.effort import amount

POSITIONS = amount(test=85, long=2_000)
MOST_TURNS = amount(test=600, long=3_000)


def done(turn: Turn, position: Position) -> Done:
    """Return an engine's turn in the words of the naive program, without the dot of a push to a vacancy."""
    before, act = cleared(turn.before), turn.act
    if isinstance(act, Use):
        return before, (act.spot, act.target, str(act.put)), cleared(turn.after)
    if isinstance(act, Push):
        push = str(act.kind) or ".", act.dot, act.spot
        return without_dot((before, push, cleared(turn.after)), plain(position))
    return before, (), ()


def cleared(actions: tuple[Action, ...]) -> tuple[str, ...]:
    """Return the spots cleared in one step, sorted."""
    return tuple(sorted(spot for action in actions if isinstance(action, Remove) for spot in action.spots))


def without_dot(turn: Done, begun: Plain) -> Done:
    """Return a turn without the dot of its push if the first spot is vacant before the push."""
    before, act, after = turn
    if len(act) == 3 and len(act[0]) == 1 and len(begun.board.get(act[2], ())) == before.count(act[2]):
        return before, (act[0], "", act[2]), after
    return turn


def compared(position: Position) -> bool:
    """Compare all full turns of a position. Return whether there were few enough."""
    found = list(islice(turns(position), MOST_TURNS + 1))
    if len(found) > MOST_TURNS:
        return False
    begun = plain(position)
    expected = {without_dot(turn, begun): end for turn, end in plain_turns(begun).items()}
    assert {done(turn, position): plain(end) for turn, end in found} == expected
    assert len(found) == len(expected)
    return True


def hard_cases(position: Position) -> Iterator[str]:
    """Yield the names of the hard cases in a position and its turns."""
    if any(piece.under for _, piece in position.odd):
        yield "stack"
    rows = open_rows(position)
    if rows:
        yield "row before"
    yield from ("loss" for row in rows if row.loss)
    if rows and not any(row.due for row in rows):
        yield "offers only"
    if not position.reserve[position.mover]:
        yield "empty reserve"
    for turn, end in islice(turns(position), MOST_TURNS):
        if isinstance(turn.act, Use):
            yield f"use {turn.act.kind}{turn.act.put}"
            if turn.after and turn.after != (PASS,):
                yield "row after a use"
        twice = [action.taken for action in turn.before]
        if any(one & two for number, one in enumerate(twice) for two in twice[:number]):
            yield "a freed piece goes in the same step"
        if end.result:
            yield f"ends by {end.result.by}"


NEEDED = (
    "stack", "row before", "loss", "offers only", "empty reserve", "use Z0", "use P0", "use P1", "use P2",
    "row after a use", "a freed piece goes in the same step", "ends by gipf", "ends by reserve",
)  # fmt: skip


@pytest.mark.usefixtures("untraced")
def test_both_programs_know_the_same_full_turns() -> None:
    """Half of the positions are reached, half are built."""
    met, tried, agreed = Counter[str](), 0, 0
    while agreed < POSITIONS:
        rng = Random(tried)
        position = (reached, built)[tried % 2](LOADED[tried // 2 % len(LOADED)], rng)
        tried += 1
        if compared(position):
            agreed += 1
            met.update({*hard_cases(position)})
    assert {case for case in NEEDED if not met[case]} == set()
