"""A bot with a game, whose backup is a minute old."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gipfbot.store import Store
from tests.service.helpers import Host, begin_game

from .copied import Copied


@pytest.fixture
async def copied(store: Store, host: Host, tmp_path: Path) -> AsyncIterator[Copied]:
    """Return a bot with one game in its backup. It has been alive for a minute since."""
    copied = Copied(store, host, tmp_path / "gipf.sqlite3")
    await copied.begin()
    await begin_game(copied.app)
    await copied.back_up()
    host.passes(60)
    yield copied
    await copied.store.close()
