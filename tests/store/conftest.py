from pathlib import Path

import pytest

from tests.support.stores import database_url


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return the URL of the database. Only the fixture `store` creates it."""
    return database_url(tmp_path / "gipf.sqlite3")
