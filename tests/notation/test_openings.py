"""Openings that a symmetry of the start maps to each other are the same."""

from collections.abc import Sequence
from random import Random

import pytest

from gipfbot.match import position_after
from gipfbot.notation import turn_text
from gipfbot.notation.openings import OpeningTurns, most_played_opening, opening_key
from gipfbot.rules import BASIC, OVERBOARD, PUSHES, STANDARD, TOURNAMENT, Push, Ruleset, distinct_pushes, start
from gipfbot.rules.symmetries import Symmetry, start_symmetries
from tests.rules.helpers import image


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


def test_most_played_sums_the_images_and_shows_the_usual_form() -> None:
    turns = ("b3", "g2")
    forms = {tuple(to[text] for text in turns) for to in start_symmetries(BASIC.setup)}
    (one, other, *_) = sorted((first, second) for first, second in forms)
    assert len(forms) == 6
    assert most_played_opening({one: 2, other: 3, ("c2", "c2"): 4}, BASIC) == (other, 5)
    assert most_played_opening({one: 2, other: 3, ("c2", "c2"): 6}, BASIC) == (("c2", "c2"), 6)
    assert most_played_opening({other: 2, one: 2}, BASIC) == (one, 4)
    assert most_played_opening({}, BASIC) is None
