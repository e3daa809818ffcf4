"""What a symmetry does to positions and actions: the image of a game is a game."""

from random import Random

import pytest

from gipfbot.rules import (
    BASIC,
    OVERBOARD,
    STANDARD,
    TOURNAMENT,
    Push,
    Remove,
    Ruleset,
    legal,
    play,
    start,
)
from gipfbot.rules.geometry import ALL_SPOTS
from gipfbot.rules.images import images_of_spots, start_images
from tests.rules.generate import row_seeking
from tests.rules.generate_loaded import LOADED, power_seeking
from tests.rules.helpers import image


@pytest.mark.parametrize(
    "ruleset", [BASIC, STANDARD, TOURNAMENT, OVERBOARD, LOADED[1]], ids=lambda ruleset: ruleset.name
)
def test_the_image_of_a_game_is_a_game(ruleset: Ruleset) -> None:
    """All its actions are legal, and each of its turns begins at the image of the position."""
    choose = power_seeking if ruleset.potentials else row_seeking
    kinds = set()
    for seed, symmetry in enumerate(start_images(ruleset.setup)):
        position, rng = start(ruleset), Random(seed)
        mapped = symmetry.of_position(position)
        assert mapped == position
        for _ in range(90):
            if position.result:
                break
            action = choose(position, legal(position), rng)
            kinds.add(type(action))
            assert symmetry.of_action(action) in legal(mapped)
            before, position = position, play(position, action)
            mapped = play(mapped, symmetry.of_action(action))
            if position.mover is not before.mover and not position.result:
                assert symmetry.of_position(position) == mapped
    assert kinds >= {Push, Remove}


def test_positions_are_mapped_as_the_naive_board_maps_them() -> None:
    position, rng = start(STANDARD), Random(4)
    while position.mover is start(STANDARD).mover or position.dealt:
        position = play(position, row_seeking(position, legal(position), rng))
    for symmetry in start_images(STANDARD.setup):
        assert symmetry.of_position(position) == image(position, dict(symmetry.points))


@pytest.mark.parametrize("ruleset", [BASIC, STANDARD], ids=lambda ruleset: ruleset.name)
def test_a_set_of_spots_is_mapped_by_all_symmetries_at_once_as_by_each(ruleset: Ruleset) -> None:
    rng = Random(7)
    for spots in (0, ALL_SPOTS, *(rng.getrandbits(64) & ALL_SPOTS for _ in range(50))):
        each = [symmetry.of_spots(spots) for symmetry in start_images(ruleset.setup)]
        assert images_of_spots(ruleset.setup, spots) == each


def test_the_inverse_leads_back() -> None:
    position = start(BASIC)
    for symmetry in start_images(BASIC.setup):
        for action in legal(position):
            assert symmetry.inverse.of_action(symmetry.of_action(action)) == action
