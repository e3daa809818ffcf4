"""The engine and the naive definition agree on the legal actions and on the positions that they lead to.

The hard cases are counted: these tests fail if they do not meet them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from gipfbot.rules import (
    PASS,
    Action,
    Position,
    Push,
    Reason,
    Remove,
    Ruleset,
    legal,
    play,
    start,
)
from tests.rules import naive
from tests.rules.generate import Policy, at_random, dense, dense_after_a_push, row_seeking, walk
from tests.rules.helpers import ALL
from tests.rules.naive import Row, State
from tests.support.effort import amount


def agree(position: Position, rng: Random, met: Counter[str]) -> None:
    """Compare the legal actions of a position and what some of them lead to; count the hard cases."""
    state, found = naive.state_of(position), legal(position)
    expected = {naive.action_of(action): action for action in naive.state_legal(state)}
    assert set(found) == set(expected), position
    assert len(found) == len(expected), position
    met["positions"] += 1
    standing = naive.open_rows(state)
    met.update(hard_positions(state, standing))
    pushes = [action for action in found if isinstance(action, Push)]
    removals = [action for action in found if isinstance(action, Remove)]
    for action in (*some(pushes, 3, rng), *some(removals, 20, rng), *({PASS} & set(found))):
        then = naive.state_play(state, expected[action])
        assert play(position, action) == naive.position_of(then), (position, action)
        met.update(hard_actions(state, standing, action, then))


def some(actions: Sequence[Action], most: int, rng: Random) -> list[Action]:
    """Return all actions, or a sample of so many."""
    return rng.sample(list(actions), min(most, len(actions)))


# --- the hard cases -------------------------------------------------------------------------------------------------


def step(state: State) -> str:
    """Name the removal step."""
    return "after" if state.pushed else "before"


def hard_positions(state: State, open_rows: list[Row]) -> Iterator[str]:
    """Yield the names of the hard cases in a position."""
    mover = state.mover
    yield from hard_rows(state, open_rows)
    if len(naive.rows(state.board, mover)) > len(open_rows):
        yield f"row on a dealt line {step(state)}"
    if open_rows and not state.pushed and not state.reserve[mover]:
        due = any(naive.is_due(state.board, row) for row in open_rows)
        yield f"empty reserve and {'a due row' if due else 'offers only'}"
    if state.opening[mover] and not naive.gipf_pieces(state.board, mover):
        yield "right of R5.2 and no GIPF-piece"


def hard_rows(state: State, rows: list[Row]) -> Iterator[str]:
    """Yield the names of the hard cases in rows that stand at the same time."""
    offers = [row for row in rows if not naive.is_due(state.board, row)]
    if offers:
        yield f"{'offers only' if len(offers) == len(rows) else 'due row and offer'} {step(state)}"
    if any(state.board[spot][0] is not state.mover for row in offers for spot in row.stretch):
        yield "offer with a piece of the opponent"
    for one, two in combinations(rows, 2):
        yield f"rows sharing {'spots' if set(one.stretch) & set(two.stretch) else 'nothing'} {step(state)}"
    if len(rows) > 2:
        yield "three rows"


def hard_actions(state: State, open_rows: list[Row], action: Action, then: State) -> Iterator[str]:
    """Yield the names of the hard cases in an action."""
    if isinstance(action, Remove):
        yield from hard_removals(state, open_rows, naive.removal_of(action), then)
    if action is PASS:
        yield "pass"
    if isinstance(action, Push) and naive.rows(then.board, state.mover.other):
        yield f"the push makes {'rows of both' if then.pushed else 'a row of the opponent'}"
    if then.result and then.result.by is Reason.RESERVE:
        yield f"R6.1 {'won' if then.result.winner is state.mover else 'lost'} by the mover"
    if isinstance(action, Remove) and then.result and then.result.by is Reason.GIPF:
        none_left = [not naive.gipf_pieces(then.board, colour) for colour in (state.mover, state.mover.other)]
        who = "neither has one" if all(none_left) else "the mover has none" if none_left[0] else "the other has none"
        yield f"R6.2 {who} {step(state)}"
        dealt = state.dealt | {naive.removal_of(action).line}
        if any(row.line not in dealt for row in naive.rows(then.board, state.mover)):
            yield "R6.2 while an offer is open"
        if not then.reserve[state.mover] and not state.pushed:
            yield "R6.2 with an empty reserve"


def hard_removals(state: State, open_rows: list[Row], removal: naive.NaiveRemove, then: State) -> Iterator[str]:
    """Yield the names of the hard cases in a removal."""
    standing = {row.line: row for row in naive.rows(then.board, state.mover)}
    dealt = next(row for row in open_rows if row.line == removal.line)
    for other in open_rows:
        if other.line not in standing and other != dealt:
            due = naive.is_due(state.board, other) and not naive.is_due(state.board, dealt)
            yield "an offer breaks a due row" if due else "a removal breaks another row"
        if other.line in standing and other != dealt:
            if set(standing[other.line].core) & set(dealt.stretch):
                yield "a GIPF-piece left keeps another row"
            if len(standing[other.line].core) < len(other.core):
                yield "a removal shortens another row"
            elif len(standing[other.line].stretch) < len(other.stretch):
                yield "a removal cuts another extension"
    earlier = naive.rows(state.board, state.mover) if state.dealt else []
    if any(set(row.stretch) & removal.spots for row in earlier if row.line in state.dealt):
        yield "a GIPF-piece left on an earlier line is taken"


# --- the tests ------------------------------------------------------------------------------------------------------


def compare_games(rules: Ruleset, policy: Policy, seeds: range, length: int) -> Counter[str]:
    """Compare every position of these games, up to a length in actions; return the hard cases met."""
    met: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        for position, action, after in walk(start(rules), rng, policy, length):
            agree(position, rng, met)
            assert after == naive.naive_play(position, action)
            met["ends"] += after.result is not None
    return met


def removal_step(position: Position, rng: Random) -> list[Position]:
    """Return a few of the positions within the removal step that begins here."""
    found = [position]
    for here in found:
        removals = [action for action in legal(here) if isinstance(action, Remove)]
        after = [play(here, removal) for removal in rng.sample(removals, min(3, len(removals)))]
        found += [then for then in after if then.mover is position.mover and len(found) < 8]
    return found


def compare_boards(rules: Ruleset, seeds: range) -> Counter[str]:
    """Compare built positions, half of them after a push, and their removal steps; return the hard cases met."""
    met: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        position = dense_after_a_push(rules, rng) if seed % 2 else dense(rules, rng)
        for here in removal_step(position, rng):
            agree(here, rng, met)
    return met


def assert_met(met: Counter[str], least: dict[str, int], seeds: range) -> None:
    """Check that each hard case was met often enough. With fewer seeds, half of their share is enough."""
    share = 1 if seeds.step == 1 else 2 * seeds.step
    assert {case: met[case] for case in least if met[case] < max(1, least[case] // share)} == {}


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", ALL)
def test_engine_and_naive_agree_in_random_games(rules: Ruleset) -> None:
    """The games are played to their end."""
    seeds = range(0, 12, amount(test=4, long=1))
    assert_met(compare_games(rules, at_random, seeds, 500), {"positions": 300, "ends": 10}, seeds)


SEEKING: dict[str, dict[str, int]] = {
    "basic": {"positions": 1000, "the push makes a row of the opponent": 2},
    "standard": {"positions": 800, "ends": 10, "a removal breaks another row": 2},
    "tournament": {"positions": 700, "ends": 8, "offers only before": 1, "offers only after": 15, "pass": 15},
}


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", ALL)
def test_engine_and_naive_agree_in_row_seeking_games(rules: Ruleset) -> None:
    """The players make rows and keep GIPF-pieces."""
    seeds = range(0, 16, amount(test=4, long=1))
    assert_met(compare_games(rules, row_seeking, seeds, 120), SEEKING[rules.name], seeds)


BOARDS = {"basic": 300, "standard": 400, "tournament": 700}
BUILT: dict[str, dict[str, int]] = {
    "basic": {
        "positions": 500,
        "rows sharing spots before": 40,
        "rows sharing spots after": 15,
        "rows sharing nothing before": 30,
        "three rows": 10,
        "a removal breaks another row": 100,
        "a removal shortens another row": 20,
        "empty reserve and a due row": 25,
        "the push makes a row of the opponent": 50,
        "R6.1 won by the mover": 100,
    },
    "standard": {
        "positions": 800,
        "rows sharing spots before": 50,
        "rows sharing spots after": 15,
        "a removal breaks another row": 300,
        "a removal cuts another extension": 8,
        "a GIPF-piece left keeps another row": 70,
        "R6.2 the mover has none before": 50,
        "R6.2 the mover has none after": 50,
        "R6.2 the other has none before": 60,
        "R6.2 the other has none after": 40,
        "R6.2 neither has one before": 5,
        "R6.2 neither has one after": 5,
    },
    "tournament": {
        "positions": 1500,
        "rows sharing spots before": 70,
        "rows sharing spots after": 50,
        "rows sharing nothing after": 15,
        "offers only before": 120,
        "offers only after": 150,
        "offer with a piece of the opponent": 100,
        "due row and offer before": 15,
        "due row and offer after": 20,
        "an offer breaks a due row": 120,
        "empty reserve and offers only": 30,
        "row on a dealt line before": 9,
        "row on a dealt line after": 4,
        "a GIPF-piece left on an earlier line is taken": 25,
        "the push makes rows of both": 80,
        "pass": 150,
        "R6.1 lost by the mover": 4,
        "R6.2 while an offer is open": 60,
        "R6.2 with an empty reserve": 3,
        "R6.2 the mover has none before": 40,
        "R6.2 the other has none after": 200,
        "R6.2 neither has one before": 5,
        "R6.2 neither has one after": 5,
    },
}


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", ALL)
def test_engine_and_naive_agree_on_crowded_boards(rules: Ruleset) -> None:
    """The boards have crossing rows and many GIPF-pieces, before the push and after it."""
    seeds = range(amount(test=2, long=0), BOARDS[rules.name], amount(test=5, long=1))
    assert_met(compare_boards(rules, seeds), BUILT[rules.name], seeds)
