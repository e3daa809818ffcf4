"""Repairs: find the turn that makes a record break."""

import pytest

from gipfbot.notation import JULIO974, NOTATIONS, OFFICIAL, Notation, read_record, turn_text
from gipfbot.notation import repair as room
from gipfbot.notation.repair import Repair
from tests.support.paths import RECORDS


def example(notation: Notation = OFFICIAL, slips: dict[int, str] | None = None) -> str:
    """Return the article's game with a turn on each line; `slips` replaces turns by number."""
    record = read_record((RECORDS / "example.turns").read_text(encoding="utf-8"))
    texts = {step.turn_number: turn_text(step.before, step.actions, notation) for step in record.turns}
    return "\n".join(["Tournament", *(texts | (slips or {})).values()])


def repair(text: str) -> Repair | None:
    broken = read_record(text).broken
    assert broken
    assert ("If you replace" in str(broken)) == (broken.repair is not None)
    return broken.repair


SLIPS = [
    (OFFICIAL, 35, "h6-h5", "h6-f6"),  # the wrong direction: that player's next turn shows it
    (JULIO974, 35, "h6", "h6*"),
    (OFFICIAL, 27, "f3", "f2"),  # the record breaks at once, and the later turns show what was meant
    (JULIO974, 27, "f3", "f2"),
    (OFFICIAL, 3, "e9-e7", "Ge9-e7"),
    (OFFICIAL, 19, "h6-c4;xc6*,d6,f5,g5", "h6-c4;xc6*,d6,f5,g4"),
]


@pytest.mark.parametrize(("notation", "number", "slip", "right"), SLIPS)
def test_the_only_change_that_fits_all_turns_is_found(notation: Notation, number: int, slip: str, right: str) -> None:
    assert repair(example(notation, {number: slip})) == Repair(number, slip, right)


def test_a_change_is_found_beside_reserves() -> None:
    """The reserve is no part of the difference."""
    text = example(slips={27: "f3 (11)"}).replace("e9-e7\n", "e9-e7 (16)\n")
    assert repair(text) == Repair(27, "f3(11)", "f2")


def test_two_slips_are_not_repaired() -> None:
    assert repair(example(slips={35: "h6-h5", 41: "nonsense"})) is None


def test_several_possible_changes_give_no_repair() -> None:
    """c2 is occupied. d2, e2, f2 and other spots would all fit."""
    assert repair("Basic c2 c2 c6") is None


def test_a_slip_in_the_last_turn_is_not_repaired() -> None:
    """Any legal turn would fit there."""
    assert repair(example(slips={41: "c7-c5"})) is None


def test_only_a_few_turns_back_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "BACK", 1)
    assert repair(example(slips={35: "h6-h5"})) is None
    monkeypatch.setattr(room, "BACK", 2)
    assert repair(example(slips={35: "h6-h5"})) is not None


def test_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that would have to play too many turns finds nothing."""
    monkeypatch.setattr(room, "REPLAYED", 5)
    assert repair(example(slips={35: "h6-h5"})) is None
    for turns in range(1, 9):
        monkeypatch.setattr(room, "REPLAYED", turns)
        assert repair("Basic c2 c2 c6") is None


APART = [
    ("h6", "h6*", 1),
    ("Gd8-f7", "d8-f7", 1),
    ("h6-h5", "h6-f6", 4),
    ("f2", "f3", 2),
    ("xc2,d3", "xc2;d3", 1),
    ("c2", "c2", 0),
    ("", "e2", 4),
    ("a1-c3", "i5-g3", 5),
    ("e2" * 50, "e2" * 50 + "*", 1),
    ("e2" * 9000, "f2", 5),
]


@pytest.mark.parametrize(("text", "other", "cost"), APART)
def test_a_wrong_character_costs_less_than_a_wrong_name(text: str, other: str, cost: int) -> None:
    """A cost of 5 or more is too far away."""
    assert min(room._change_cost(text, other, room.FARTHEST), 5) == cost
    assert min(room._change_cost(other, text, room.FARTHEST), 5) == cost


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_a_whole_record_needs_no_repair(notation: Notation) -> None:
    assert read_record(example(notation)).broken is None
