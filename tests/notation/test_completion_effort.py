"""How much work a completion may be, compared with 1,000 plays in the same positions.

Function calls are counted, not seconds, so a busy machine changes nothing.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from random import Random

import pytest

from gipfbot.notation import NOTATIONS, completions, played_text
from gipfbot.rules import Position, legal, play, ruleset_named
from tests.bench.figures import quantile
from tests.bench.samples import crowded_position, random_partial_turn, random_positions, worst_positions
from tests.rules.generate_loaded import built, reached
from tests.support.calls import count_calls
from tests.support.effort import amount

LIST_SIZE = 25  # turns that autocomplete offers
EACH = amount(test=15, long=100)  # positions of each sort
TEXTS = amount(test=4, long=30)  # typed in each crowded position
MOST_WORK = 0.87  # times 1,000 plays; 0.79 was measured of 100 positions, and 1.45 with both potentials
MOST_OF_STACKS = 0.67  # times 1,000 plays, in crowded positions with stacks; 0.61 was measured
LOADED_NAMES = "standard+Z3P3", "tournament+Z6P6"


def official_positions() -> list[Position]:
    """Return positions of random games, and crowded ones."""
    rng = Random(1)
    return [*islice(random_positions(rng), EACH), *(crowded_position(rng) for _ in range(EACH))]


def loaded_positions() -> list[Position]:
    """Return positions of games with both potentials, and crowded ones with stacks."""
    found = []
    for seed in range(EACH):
        rules, rng = ruleset_named(LOADED_NAMES[seed % 2]), Random(seed)
        found += [reached(rules, rng), built(rules, rng)]
    return [position for position in found if not position.result]


def typed_texts(position: Position) -> Iterator[str]:
    """Yield what somebody types on the way to a turn, and a few short texts that fit many turns."""
    turn = played_text(position, random_partial_turn(position, Random(1)))
    yield from ("", "x", "c", *(turn[:end] for end in range(2, len(turn) + 1, 3)))


def most_calls(positions: Sequence[Position]) -> int:
    """Return the calls of the completion that makes the most of them."""
    return max(
        count_calls(partial(completions, position, (), typed, LIST_SIZE))
        for position in positions
        for typed in typed_texts(position)
    )


def calls_of_plays(positions: Sequence[Position], number: int = 1_000) -> int:
    """Return the calls of so many plays: a random legal action in each position, over and over."""
    rng = Random(1)
    pairs = [(position, rng.choice(legal(position))) for position in islice(cycle(positions), number)]
    return count_calls(lambda: [play(*pair) for pair in pairs])


@pytest.mark.usefixtures("untraced")
def test_a_completion_is_no_more_work_than_a_thousand_plays() -> None:
    """Official games have one limit, and games with both potentials twice that."""
    positions = official_positions()
    limit = MOST_WORK * calls_of_plays(positions)
    assert most_calls(positions) <= limit
    assert most_calls(loaded_positions()) <= 2 * limit


@pytest.mark.usefixtures("untraced")
def test_crowds_with_stacks_are_completed_in_a_moment() -> None:
    """The most work for 99 % of all texts typed. The bench says how long it takes."""
    positions = [position for position in worst_positions() if position.left]
    assert len(positions) == 10
    assert all(any(piece.under for _, piece in position.odd) for position in positions)
    work = [
        count_calls(partial(completions, position, (), typed, LIST_SIZE, notation))
        for position in positions
        for notation in NOTATIONS.values()
        for typed in islice(typed_texts(position), TEXTS)
    ]
    assert quantile(work, 0.99) <= MOST_OF_STACKS * calls_of_plays(positions)
