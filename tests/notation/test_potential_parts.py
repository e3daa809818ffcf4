"""Half-played turns with potentials are continued by the whole turn or by its rest, in both notations."""

from random import Random

import pytest

from gipfbot.notation import JULIO974, OFFICIAL, IllegalTurn, Notation, read_record, read_turn_part, turn_text
from gipfbot.notation.turns import TurnReading, read_remaining_turn
from gipfbot.rules import Action, Position, Ruleset, legal, play, start
from tests.notation.helpers import along
from tests.rules.generate_loaded import LOADED, built, power_seeking
from tests.rules.loaded import at
from tests.support.effort import amount


def a_turn(position: Position, rng: Random) -> tuple[Action, ...]:
    """Return a random turn, which takes rows and uses potentials often."""
    mover, actions = position.mover, list[Action]()
    while position.result is None and position.mover is mover:
        actions.append(power_seeking(position, legal(position), rng))
        position = play(position, actions[-1])
    return tuple(actions)


@pytest.mark.parametrize("notation", [OFFICIAL, JULIO974], ids=lambda notation: str(notation.name))
@pytest.mark.parametrize("rules", LOADED, ids=lambda rules: str(rules.name))
def test_a_turn_is_continued_after_each_of_its_actions(rules: Ruleset, notation: Notation) -> None:
    """By the text of the whole turn, and by the text of what is left of it."""
    for seed in range(amount(test=25, long=300)):
        rng = Random(seed)
        position = built(rules, rng)
        actions = a_turn(position, rng)
        end, whole = along(position, actions), turn_text(position, actions, notation)
        for number in range(len(actions)):
            done, rest = actions[:number], turn_text(along(position, actions[:number]), actions[number:], notation)
            for text in filter(None, (whole, rest)):
                reading = TurnReading(notation, text, keep=notation.keeps_unwritten)
                left = read_remaining_turn(reading, position, done, notation.read(text))
                assert along(position, (*done, *left)) == end, f"{seed} {number} {text}"


# In row e the top of e3 goes, and White's own GIPF-piece below it stands in the row again.
FREED = at("standard+P3 w W=Gb5,e2,Ge3[GG],e4,e5 B=Gd6")


def rest_of(done: str, text: str) -> str:
    """Return the text of the actions that a typed text adds to what is done in FREED."""
    first = read_turn_part(FREED, (), done)
    left = read_turn_part(FREED, first, text)
    return turn_text(along(FREED, first), left)


def test_a_spot_named_twice_is_played_twice() -> None:
    assert rest_of("xe2,Ge3,e4,e5", "xe2,Ge3,e4,e5;c2") == "c2"


def test_a_list_that_contradicts_what_is_done_is_refused() -> None:
    with pytest.raises(IllegalTurn, match="Write the push"):
        rest_of("xe2,Ge3,e4,e5", "xe2,e4,e5;c2")


@pytest.mark.parametrize("notation", [OFFICIAL, JULIO974], ids=lambda notation: str(notation.name))
@pytest.mark.parametrize("rules", LOADED, ids=lambda rules: str(rules.name))
def test_a_record_of_a_game_is_read_back(rules: Ruleset, notation: Notation) -> None:
    """Also where a removal list begins with the letter of a potential."""
    for seed in range(amount(test=3, long=30)):
        rng, position, turns = Random(seed), start(rules), list[str]()
        while position.result is None and len(turns) < 40:
            actions = a_turn(position, rng)
            turns.append(turn_text(position, actions, notation))
            position = along(position, actions)
        text = f'[Rules "{rules.title}"]\n{" ".join(turns)}'
        record = read_record(text)
        assert record.broken is None, f"{seed}: {record.broken}"
        assert record.end == position
