"""No puzzles but those that a test stores."""

import pytest

from gipfbot.service.puzzles import puzzle_stock


@pytest.fixture(autouse=True)
def no_shipped_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_stock, "shipped_puzzles", tuple)
