"""Positions and turns that symmetries of the start map to each other are taken as the same."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from gipfbot.match import position_after
from gipfbot.notation import turn_text
from gipfbot.notation.symmetric_turns import (
    OpeningTurns,
    actions_of_common_turn,
    common_turn_text,
    find_representative,
    opening_key,
)
from gipfbot.rules import (
    BASIC,
    OVERBOARD,
    PUSHES,
    STANDARD,
    TOURNAMENT,
    Action,
    Position,
    Push,
    Result,
    Ruleset,
    distinct_pushes,
    legal,
    play,
    start,
)
from gipfbot.rules.images import start_images
from gipfbot.rules.pieces import Colour, Reason
from gipfbot.rules.symmetries import Symmetry, start_symmetries
from tests.rules.generate import row_seeking
from tests.rules.generate_loaded import LOADED, power_seeking
from tests.rules.helpers import image

ALL = pytest.mark.parametrize(
    "ruleset", [BASIC, STANDARD, TOURNAMENT, OVERBOARD, LOADED[1]], ids=lambda ruleset: ruleset.name
)


def whole_turns(ruleset: Ruleset, seed: int, most: int = 30) -> Iterator[tuple[Position, tuple[Action, ...]]]:
    """Yield the turns of a random game with the positions before them."""
    position, rng, actions = start(ruleset), Random(seed), list[Action]()
    choose = power_seeking if ruleset.potentials else row_seeking
    before = position
    while most and not position.result:
        actions.append(choose(position, legal(position), rng))
        position = play(position, actions[-1])
        if position.mover is not before.mover or position.result:
            yield before, tuple(actions)
            before, actions, most = position, [], most - 1


@ALL
def test_images_have_the_same_key_and_the_same_turns(ruleset: Ruleset) -> None:
    for seed in range(2):
        for position, actions in whole_turns(ruleset, seed):
            known = find_representative(position)
            text = common_turn_text(known, actions)
            for symmetry in start_images(ruleset.setup):
                same = find_representative(symmetry.of_position(position))
                assert (same.key, same.position) == (known.key, known.position)
                assert common_turn_text(same, [symmetry.of_action(action) for action in actions]) == text


@ALL
def test_a_turn_comes_back_in_the_position_asked_about(ruleset: Ruleset) -> None:
    """It may be another turn than the one played, if a symmetry of the position maps them to each other."""
    for position, actions in whole_turns(ruleset, 5):
        known = find_representative(position)
        found = actions_of_common_turn(known, common_turn_text(known, actions))
        ends = [find_representative(position_after(position, turn)) for turn in (found, actions)]
        assert ends[0].position == ends[1].position
        if len(known.images) == 1:
            assert turn_text(position, found) == turn_text(position, actions)


def test_turns_of_the_start_are_the_same_by_its_symmetries() -> None:
    """Basic has 6 symmetries. No other turn is the image of one of these."""
    known = find_representative(start(BASIC))
    assert len(known.images) == 6
    texts = {turn_text(start(BASIC), (push,)) for push in distinct_pushes(start(BASIC))}
    common = {common_turn_text(known, (push,)) for push in distinct_pushes(start(BASIC))}
    assert common < texts
    forms = {
        frozenset(turn_text(start(BASIC), (image.of_action(push),)) for image in start_images(BASIC.setup))
        for push in distinct_pushes(start(BASIC))
    }
    assert len(common) == len(forms)


def test_a_position_of_other_rules_or_another_player_has_another_key() -> None:
    keys = {find_representative(start(rules)).key for rules in (BASIC, STANDARD, TOURNAMENT, OVERBOARD, LOADED[1])}
    assert len(keys) == 5
    asked = find_representative(start(BASIC)._replace(mover=Colour.BLACK))
    assert asked.key not in keys
    assert -(2**63) <= asked.key < 2**63


def test_a_result_makes_no_difference() -> None:
    over = start(BASIC)._replace(result=Result(Colour.WHITE, Reason.RESIGN))
    assert find_representative(over) == find_representative(start(BASIC))


@pytest.mark.parametrize("ruleset", [BASIC, STANDARD, TOURNAMENT, OVERBOARD], ids=lambda ruleset: ruleset.name)
def test_openings_are_the_same_if_their_positions_are_images(ruleset: Ruleset) -> None:
    """The images of an opening are found on the board, not in the text."""
    rng = Random(3)
    for _ in range(12):
        pushes, begun = list[Push](), start(ruleset)
        for _ in range(2):
            pushes.append(rng.choice([*distinct_pushes(position_after(begun, pushes))]))
        key = opening_key(_texts(ruleset, pushes), ruleset.setup)
        for symmetry in start_symmetries(ruleset.setup):
            mapped = [_image_of_push(push, symmetry) for push in pushes]
            assert image(position_after(begun, pushes), dict(symmetry)) == position_after(begun, mapped)
            assert opening_key(_texts(ruleset, mapped), ruleset.setup) == key


def _image_of_push(push: Push, symmetry: Symmetry) -> Push:
    return PUSHES[symmetry[push.dot], symmetry[push.spot], push.kind]


def _texts(ruleset: Ruleset, pushes: Sequence[Push]) -> OpeningTurns:
    first, second = start(ruleset), position_after(start(ruleset), pushes[:1])
    return turn_text(first, pushes[:1]), turn_text(second, pushes[1:])


def test_other_openings_have_other_keys() -> None:
    texts = [turn_text(start(BASIC), (push,)) for push in distinct_pushes(start(BASIC))]
    keys = {opening_key((text, ""), BASIC.setup) for text in texts}
    assert 1 < len(keys) < len(texts)
