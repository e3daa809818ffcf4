"""Pushes with the spot next to their dot, as a program on the web writes them (`i2-h3` for a push that ends on g4)."""

import pytest

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    IllegalTurn,
    Notation,
    read_record,
    read_turn_part,
    turn_text,
)
from gipfbot.rules import Action, Position, Push, legal, play, ruleset_named
from tests.notation.golden import long_game
from tests.notation.helpers import EACH_COURSE, at
from tests.support.effort import amount

WARNING = "Pushes name the spot next to their dot: 2. i2-h3 was read as i2-g4."
OPENING = "Basic 1. h3 b4 2. i2-h3"


def text_beside(position: Position, actions: tuple[Action, ...]) -> str:
    """Return a turn as text, with the spot next to the dot of its push."""
    text = turn_text(position, actions)
    for action in actions:
        pushed = OFFICIAL.act_text(position, action) if isinstance(action, Push) else ""
        if isinstance(action, Push) and "-" in pushed:
            text = text.replace(pushed, f"{action.kind}{action.dot}-{action.spot}", 1)
        position = play(position, action)
    return text


@pytest.mark.parametrize("rules", EACH_COURSE)
def test_a_record_of_such_pushes_is_read(rules: str) -> None:
    for seed in range(amount(test=3, long=100)):
        played = long_game(ruleset_named(rules), seed, 60)
        texts = [text_beside(position, actions) for position, actions in played]
        record = read_record(" ".join(texts), rules)
        assert record.broken is None, (seed, str(record.broken))
        assert [step.before for step in record.turns] == [position for position, _ in played]


@pytest.mark.parametrize("text", [OPENING, f"{OPENING} c6 3. i2-h3", "Basic 1. h3 b4 2. i2 h3"])
def test_the_first_such_push_is_named(text: str) -> None:
    record = read_record(text)
    assert (record.broken, record.warnings) == (None, (WARNING,))
    assert turn_text(record.turns[2].before, record.turns[2].actions) == "i2-g4"


def test_the_official_reading_comes_first() -> None:
    """Onto a vacant spot, or to the last spot that moves, nothing is unusual."""
    record = read_record("Basic 1. i2-h3 b4 2. i2-g4")
    assert (record.broken, record.warnings) == (None, ())


@pytest.mark.parametrize("text", ["Basic 1. h3 b4 2. i2-f5", "Basic 1. h3 b4 2. i2-g3"])
def test_other_spots_are_refused(text: str) -> None:
    assert read_record(text).broken


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_in_play_the_push_is_suggested_first(notation: Notation) -> None:
    """It is not played unasked."""
    for rules in EACH_COURSE[:-1]:
        for position, _ in long_game(ruleset_named(rules), 1, 40)[:: amount(test=5, long=1)]:
            for push in legal(position):
                right = notation.act_text(position, push) if isinstance(push, Push) else ""
                if not isinstance(push, Push) or right == f"{push.kind}{push.spot}":
                    continue
                with pytest.raises(IllegalTurn) as caught:
                    read_turn_part(position, (), f"{push.kind}{push.dot}-{push.spot}", notation)
                assert right in caught.value.near[0]


def test_in_play_a_row_before_the_push_is_removed_in_the_suggestion() -> None:
    position = at("basic w W=b2,b3,b4,b5,h3 B=e5")
    for notation, right in ((OFFICIAL, "xb2,b3,b4,b5;i2-g4"), (JULIO974, "i2*")):
        with pytest.raises(IllegalTurn) as caught:
            read_turn_part(position, (), "i2-h3", notation)
        assert caught.value.near[0] == right
