"""Readings of typed texts are remembered: the same question gets the same answer at once."""

import pytest

from gipfbot.match import Refused, Why, read_typed_turn
from gipfbot.notation import NotationError, read_turn_part
from gipfbot.rules import STANDARD, start
from tests.support.people import ANN, BOB

from .helpers import game


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that are really read."""
    texts = list[str]()

    def noted(start: object, done: object, text: str, notation: object) -> object:
        texts.append(text)
        return read_turn_part(start, done, text, notation)  # type: ignore[arg-type]

    monkeypatch.setattr("gipfbot.match.game.read_turn_part", noted)
    return texts


def test_a_text_is_read_once(read: list[str]) -> None:
    playing = game(start(STANDARD), STANDARD)
    first = read_typed_turn(playing, ANN.user, "a2-b3 ")
    assert read_typed_turn(playing, ANN.user, "a2-b3 ") == first
    assert read == ["a2-b3 "]


def test_a_fault_is_told_again(read: list[str]) -> None:
    playing, told = game(start(STANDARD), STANDARD), set[str]()
    for _ in range(2):
        with pytest.raises(NotationError) as fault:
            read_typed_turn(playing, ANN.user, "no turn at all")
        told.add(str(fault.value))
    assert len(told) == 1
    assert read == ["no turn at all"]


def test_who_types_counts() -> None:
    playing = game(start(STANDARD), STANDARD)
    read_typed_turn(playing, ANN.user, "a2-b3  ")
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            read_typed_turn(playing, BOB.user, "a2-b3  ")
        assert refused.value.why is Why.NOT_YOUR_TURN
