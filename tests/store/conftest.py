from pathlib import Path

import pytest

from tests.support.stores import database_url


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Where the database of the fixture `store` is; without it there is none yet."""
    return database_url(tmp_path / "gipf.sqlite3")
