"""Change a database by hand."""

import sqlite3
from contextlib import closing
from pathlib import Path


def change(path: Path, *statements: str) -> None:
    """Do each statement, which must change a row."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            assert db.execute(statement).rowcount > 0, statement
