"""Colours and kinds of pieces, as the notation and people read them."""

from typing import Any

import pytest

from gipfbot.rules import Colour, Kind


def test_colours_have_a_name_a_letter_and_an_opponent() -> None:
    assert [(str(colour), colour.letter, colour.other) for colour in Colour] == [
        ("White", "w", Colour.BLACK),
        ("Black", "b", Colour.WHITE),
    ]


@pytest.mark.parametrize(
    ("letter", "loaded", "used", "worth"),
    [("", False, False, 1), ("G", False, False, 2), ("Z", True, False, 1), ("z", False, True, 0)],
)
def test_r7_5_a_used_potential_is_worth_nothing(letter: str, loaded: bool, used: bool, worth: int) -> None:
    kind = Kind(letter)
    assert (kind.loaded, kind.used, kind.worth) == (loaded, used, worth)
    assert kind is Kind(letter)


@pytest.mark.parametrize("value", ["ZZ", "1", "*", "É", " ", 7])
def test_only_a_single_letter_is_a_kind(value: Any) -> None:
    with pytest.raises(ValueError, match="not a valid Kind"):
        Kind(value)
