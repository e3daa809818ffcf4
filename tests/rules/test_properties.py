"""Properties of every position and every game, whatever is played."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

from gipfbot.rules import (
    Action,
    Colour,
    Position,
    Push,
    Remove,
    Ruleset,
    legal,
    open_rows,
    play,
    start,
)
from tests.rules import naive
from tests.rules.generate import Policy, at_random, dense, dense_after_a_push, row_seeking, walk
from tests.rules.helpers import ALL, SYMMETRIES, counts, image, total
from tests.support.effort import amount, examples

LONGEST = 3000  # far more actions than a random game takes

some_ruleset = st.sampled_from(ALL)
some_policy = st.sampled_from([at_random, row_seeking])
some_seed = st.integers(0, 2**32)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position: from a game, or built before a push or after one."""
    rules, rng = draw(some_ruleset), Random(draw(some_seed))
    origin = draw(st.sampled_from(["game", "before", "after"]))
    if origin == "game":
        length = draw(st.integers(1, 60))
        return [after for _, _, after in walk(start(rules), rng, draw(some_policy), length)][-1]
    return dense(rules, rng) if origin == "before" else dense_after_a_push(rules, rng)


@examples(test=20, long=40)
@given(some_ruleset, some_policy, some_seed)
def test_pieces_are_conserved(rules: Ruleset, policy: Policy, seed: int) -> None:
    """Board, reserve and captured pieces add up to 15 or 18 for each player after every action."""
    for _, _, position in walk(start(rules), Random(seed), policy, 150):
        assert [total(position, colour) for colour in Colour] == [rules.pieces, rules.pieces]
        assert min(*position.reserve, *position.captured) >= 0


@examples(test=20, long=40)
@given(positions())
def test_a_position_is_consistent(position: Position) -> None:
    """No spot is owned twice, a GIPF-piece has an owner, and after any action the same holds."""
    for after in (position, *(play(position, action) for action in legal(position))):
        white, black = after.owned
        assert white & black == 0
        assert after.gipf & ~(white | black) == 0
        assert [total(after, colour) for colour in Colour] == [after.rules.pieces] * 2
        assert not (after.result and (legal(after) or after.pushed or after.dealt))


@examples(test=20, long=40)
@given(positions())
def test_legal_has_no_duplicates_until_the_end(position: Position) -> None:
    """Each legal action is listed once. There are none exactly if the game is over."""
    actions = legal(position)
    assert len(set(actions)) == len(actions)
    assert (actions == ()) == (position.result is not None)
    for action in actions:
        after = play(position, action)
        assert (legal(after) == ()) == (after.result is not None)


@examples(test=20, long=40)
@given(positions())
def test_symmetry_of_legal_actions(position: Position) -> None:
    """The 12 images of a position have as many legal actions of every sort, and as many results."""

    def seen(here: Position) -> list[tuple[str, int, int, bool]]:
        after = [(action, play(here, action)) for action in legal(here)]
        return sorted(
            (type(action).__name__, size(action), len(legal(then)), then.result is not None) for action, then in after
        )

    expected = seen(position)
    for symmetry in SYMMETRIES:
        assert seen(image(position, symmetry)) == expected


def size(action: Action) -> int:
    """Return how many spots a removal clears."""
    return action.taken.bit_count() if isinstance(action, Remove) else 0


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", ALL)
def test_symmetry_of_perft(rules: Ruleset) -> None:
    """The 12 images of a crowded position have the same counts of full turns."""
    for seed in range(1, amount(test=2, long=5)):
        position = dense(rules, Random(seed))
        assert {counts(image(position, symmetry), 1) for symmetry in SYMMETRIES} == {counts(position, 1)}


@examples(test=20, long=40)
@given(some_ruleset, some_policy, some_seed)
def test_replay(rules: Ruleset, policy: Policy, seed: int) -> None:
    """Replaying the actions from the start gives an equal position with an equal hash."""
    played = list(walk(start(rules), Random(seed), policy, 80))
    position = start(rules)
    for before, action, after in played:
        assert position == before
        position = play(position, action)
        assert position == after
        assert hash(position) == hash(after)


@pytest.mark.parametrize("rules", ALL)
def test_a_random_game_ends_or_repeats(rules: Ruleset) -> None:
    """Within a generous bound, a random game reaches a result or a position that it has had before."""
    for seed in range(amount(test=5, long=20)):
        seen = {start(rules)}
        for _, _, position in walk(start(rules), Random(seed), at_random, LONGEST):
            if position.result is not None or (not position.pushed and not position.dealt and position in seen):
                break
            seen.add(position)
        else:
            pytest.fail(f"game {seed} neither ended nor repeated")


@examples(test=20, long=40)
@given(some_ruleset, some_policy, some_seed)
def test_a_turn_has_its_steps_in_order(rules: Ruleset, policy: Policy, seed: int) -> None:
    """A turn is removals, one push, removals, and perhaps a pass. The mover changes when it is complete."""
    played = list(walk(start(rules), Random(seed), policy, 120))
    for before, action, after in played:
        if isinstance(action, Push):
            assert not before.pushed
            assert after.dealt == 0
        if isinstance(action, Remove) and after.mover is before.mover:
            assert (after.pushed, after.dealt) == (before.pushed, before.dealt | 1 << action.line)
        if after.mover is not before.mover:
            assert (after.pushed, after.dealt) == (False, 0)
    for (_, _, one), (two, _, _) in pairwise(played):
        assert one is two


@examples(test=20, long=40)
@given(positions())
def test_no_line_holds_rows_of_both_colours(position: Position) -> None:
    """A row is known by its line (R4.6): no line holds a second one, of either colour."""
    lines = [row.line for colour in Colour for row in open_rows(position._replace(mover=colour, dealt=0))]
    assert len(set(lines)) == len(lines)


@examples(test=20, long=40)
@given(positions())
def test_a_removal_never_makes_a_row(position: Position) -> None:
    """Without potentials, a removal makes no new row: the rows left are among those that stood."""
    standing = lines_with_rows(position)
    for action in legal(position):
        if isinstance(action, Remove):
            assert lines_with_rows(play(position, action)) <= standing


def lines_with_rows(position: Position) -> set[tuple[str, ...]]:
    """Return the lines that hold a row of either colour."""
    board = naive.state_of(position).board
    return {row.line for colour in Colour for row in naive.rows(board, colour)}


@examples(test=20, long=40)
@given(positions())
def test_a_player_with_a_reserve_always_has_a_push(position: Position) -> None:
    """At most 36 pieces stand on the 37 spots, so some line has a vacancy."""
    assert len(position.pieces()) <= 36
    compelled = any(isinstance(action, Remove) for action in legal(position)) or position.pushed
    if position.reserve[position.mover] and not position.result and not compelled:
        assert any(isinstance(action, Push) for action in legal(position))
