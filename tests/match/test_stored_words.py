"""The words that the database and position lines hold: games of years ago must still be read."""

from enum import StrEnum

import pytest

from gipfbot.match import RequestKind, RequestState, Side, Status
from gipfbot.rules import Reason
from gipfbot.rules.position import Stage

STORED = [
    (Status, "running over cancelled"),
    (Side, "lot white black"),
    (RequestState, "open accepted declined withdrawn expired"),
    (RequestKind, "takeback draw"),
    (Reason, "gipf reserve time resign repetition agreement"),
    (Stage, "ends gipf"),
]


@pytest.mark.parametrize(("names", "words"), STORED)
def test_a_stored_word_never_changes(names: type[StrEnum], words: str) -> None:
    assert [str(name) for name in names] == words.split()
