"""Which positions tell something about a running game: it stands there, or one turn before them, up to symmetry."""

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from random import Random

import pytest

from gipfbot.match import fair_play
from gipfbot.match.fair_play import Positions
from gipfbot.notation import parse_position
from gipfbot.rules import STANDARD, TOURNAMENT, Position, removal_ways, ruleset_named, start, turns
from gipfbot.rules.symmetries import SYMMETRIES
from tests.rules.boards_of_overboard import built_table
from tests.rules.generate import dense, row_seeking, walk
from tests.rules.generate_loaded import LOADED, built
from tests.support.games import CROSSING, WINS
from tests.support.images import image

RULES = ["basic", "standard", "tournament", "standard+Z3P3", "overboard"]
PLAIN = "w W=Gb5,Ge2,Gh5,d4 B=Gb2,Ge8,Gh2,e5 reserve=11-11 captured=0-0"
BEGUN = "w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"
TURNED = "w W=Gb2,Ge8,Gh2,f5 B=Gb5,Ge2,Gh5,e5 reserve=11-11 captured=0-0"
OTHER_SIDE = "b W=Gb2,Ge8,Gh2,e5 B=Gb5,Ge2,Gh5,d4 reserve=11-11 captured=0-0"
POTENTIALS = "standard+Z3P3 w W=Gb5,Ge2,Gh5,d4 B=Gb2,Ge8,Gh2,e5 reserve=11-11 captured=0-0 left=Z3P3-Z3P3"


def images(position: Position) -> Iterator[Position]:
    """Yield the 24 images of a position, itself among them."""
    return (image(position, each, swapped=swapped) for each in SYMMETRIES for swapped in (False, True))


def some_positions(rules: str, seed: int) -> list[Position]:
    """Return positions of a random game that seeks rows, at the start of a turn, some turns apart."""
    played = [after for _, _, after in walk(start(ruleset_named(rules)), Random(seed), row_seeking, 250)]
    begun = [each for each in played if not (each.pushed or each.dealt or each.noted or each.result)]
    return begun[5::7][:8]


def some_turns(position: Position, rng: Random, most: int) -> list[Position]:
    """Return the positions after some of the turns from a position in which the game goes on."""
    found = [after for _, after in turns(position) if not after.result]
    return rng.sample(found, min(most, len(found)))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", [1, 2])
def test_position_and_each_turn_after_it_are_known_in_all_images(rules: str, seed: int) -> None:
    rng, seen = Random(seed), 0
    for position in some_positions(rules, seed):
        seen += 1
        for same in images(position):
            assert Positions([same]).has(position)
            assert not Positions([same]).has_next(position)
        for after in (after for _, after in turns(position)):
            if after.result:  # its line would not be read: the game is over
                assert Positions([after]).has_next(position)
                continue
            symmetry, swapped = rng.choice(SYMMETRIES), rng.random() < 0.5
            asked = Positions([image(after, symmetry, swapped=swapped)])
            assert asked.has_next(position)
            assert not asked.has(position)
    assert seen > 1


@pytest.mark.parametrize("rules", RULES[:-1])  # in Overboard, two passes lead back
def test_position_two_turns_later_is_not_known(rules: str) -> None:
    rng = Random(3)
    for position in some_positions(rules, 3):
        for after in some_turns(position, rng, 3):
            for later in some_turns(after, rng, 3):
                asked = Positions([image(later, rng.choice(SYMMETRIES), swapped=rng.random() < 0.5)])
                assert not asked.has(position)
                assert not asked.has_next(position)


@pytest.mark.parametrize("rules", RULES[:-1])
def test_position_before_is_not_known(rules: str) -> None:
    """What stood before tells nothing about the game, however it is turned."""
    rng = Random(4)
    for position in some_positions(rules, 4):
        for after in some_turns(position, rng, 5):
            asked = Positions(images(position))
            assert not asked.has(after)
            assert not asked.has_next(after)


def test_one_of_many_positions_is_found() -> None:
    game = some_positions("standard", 5)
    asked = Positions(game)
    for position in game:
        assert asked.has(position)
        (after,) = some_turns(position, Random(5), 1)
        assert not asked.has(after)
        assert Positions([*game, after]).has_next(position)


def test_turn_that_ends_the_game_is_known() -> None:
    ends = [after for _, after in turns(WINS) if after.result]
    assert ends
    assert all(Positions([after]).has_next(WINS) for after in ends)


def crowded(seed: int) -> Position:
    """Return a position full of rows, by turns with potentials and of Overboard."""
    rng = Random(seed)
    makers = (
        partial(dense, STANDARD),
        partial(dense, TOURNAMENT),
        partial(built, LOADED[seed % len(LOADED)]),
        built_table,
    )
    return makers[seed % 4](rng)


@pytest.mark.parametrize("seed", [*range(12), 18])
def test_turns_in_a_crowded_position_are_known(seed: int) -> None:
    """In the last one, an early turn takes the top of a stack, and what lay under it stays (R7.8)."""
    position, rng = crowded(seed), Random(seed)
    some = (after for number, (_, after) in enumerate(islice(turns(position), 3000)) if number < 9 or number % 37 == 0)
    for after in some:
        shown = after if after.result else image(after, rng.choice(SYMMETRIES), swapped=rng.random() < 0.5)
        assert Positions([shown]).has_next(position)


def test_millions_of_turns_are_not_all_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this position three crossing rows wait, full of GIPF-pieces, and many pushes make more of them."""
    position, steps = parse_position(CROSSING), count()
    after = next(after for turn, after in turns(position) if turn.before and turn.act and not after.result)
    monkeypatch.setattr(fair_play, "removal_ways", lambda position: next(steps) >= 0 and removal_ways(position))
    assert Positions([image(after, SYMMETRIES[7], swapped=True)]).has_next(position)
    assert not Positions([next(after for _, after in turns(after))]).has_next(position)
    assert next(steps) < 20


@pytest.mark.parametrize(
    ("running", "shown", "stands"),
    [
        (f"tournament {PLAIN}", f"standard {PLAIN}", True),
        (f"standard {PLAIN}", f"tournament {PLAIN}", True),
        (f"tournament {PLAIN}", f"standard {TURNED}", True),  # turned by half a circle
        (f"standard {PLAIN}", f"standard {OTHER_SIDE}", True),
        (f"tournament {BEGUN} opening=wb", f"standard {BEGUN}", False),
        (POTENTIALS, POTENTIALS.replace("standard", "tournament"), True),
        (POTENTIALS, f"standard {PLAIN}", False),
    ],
)
def test_position_is_known_where_it_is_played_alike(running: str, shown: str, *, stands: bool) -> None:
    assert Positions([parse_position(shown)]).has(parse_position(running)) is stands
