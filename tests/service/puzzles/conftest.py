"""No puzzles but those that a test stores."""

import pytest

from gipfbot.service.puzzles import making


@pytest.fixture(autouse=True)
def no_shipped_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "shipped_puzzles", tuple)
