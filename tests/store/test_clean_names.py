"""Names that were stored before names were cleaned are cleaned by a migration."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from gipfbot.store import Store
from tests.support.paths import DATABASES

BAD, GOOD = "An\u202en\u200b", "Ann"
COPIES = (
    *(("seats", "name", "game = 1 AND colour = 0"), ("challenges", "by_name", "id = 1")),
    *(("challenges", "to_name", "id = 2"), ("blocks", "name", "1"), ("studies", "white", "game IS NOT NULL")),
)
IMPORTED = "game IS NULL"  # a study of a record that somebody has imported


def old_database(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATABASES / "0012.sqlite3", tmp_path / "old.sqlite3"))


async def migrate(path: Path) -> None:
    await (await Store.open_database(f"sqlite+aiosqlite:///{path}")).close()


async def test_old_names_lose_invisible_and_turning_signs(tmp_path: Path) -> None:
    path = old_database(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        for table, column, which in (*COPIES, ("studies", "white", IMPORTED)):
            db.execute(f"UPDATE {table} SET {column} = ? WHERE {which}", (BAD,))
        db.execute("UPDATE follows SET name = ? WHERE game IS NOT NULL", (f"{BAD} vs Bob",))
        others = db.execute("SELECT name FROM seats WHERE game > 1 ORDER BY game, colour").fetchall()
        db.commit()
    await migrate(path)
    with closing(sqlite3.connect(path)) as db:
        for table, column, which in COPIES:
            found = {name for (name,) in db.execute(f"SELECT {column} FROM {table} WHERE {which}")}
            assert found == {GOOD}, table
        assert {*db.execute("SELECT name FROM follows WHERE game IS NOT NULL")} == {(f"{GOOD} vs Bob",)}
        assert {*db.execute(f"SELECT white FROM studies WHERE {IMPORTED}")} == {(BAD,)}, "as its text has it"
        assert db.execute("SELECT name FROM seats WHERE game > 1 ORDER BY game, colour").fetchall() == others


async def test_names_in_messages_that_are_owed_are_cleaned(tmp_path: Path) -> None:
    path = old_database(tmp_path)
    away = {"name": BAD, "until": 1, "over": False, "games": [[1, BAD]], "runs": [[2, "Bob", 3]]}
    with closing(sqlite3.connect(path)) as db:
        board, text = db.execute("SELECT id, payload FROM outbox WHERE kind = 'board' AND done_at IS NULL").fetchone()
        bad_board = json.loads(text) | {"names": [BAD, "Bob"]}
        db.execute("UPDATE outbox SET payload = ? WHERE id = ?", (json.dumps(bad_board), board))
        vacation = "UPDATE outbox SET payload = ?, done_at = NULL WHERE kind = 'vacation'"
        db.execute(vacation, (json.dumps(away),))
        damaged = (
            "INSERT INTO outbox SELECT 9999, key || 'd', mark || 'd', kind, channel, game, 'null', attempts, not_before"
        )
        rest = "leased_until, first_tried_at, message, created_at, done_at, dropped FROM outbox WHERE id = ?"
        db.execute(f"{damaged}, {rest}", (board,))
        db.commit()
    await migrate(path)
    with closing(sqlite3.connect(path)) as db:
        (text,) = db.execute("SELECT payload FROM outbox WHERE id = ?", (board,)).fetchone()
        assert db.execute("SELECT payload FROM outbox WHERE id = 9999").fetchone() == ("null",)
        assert json.loads(text) == bad_board | {"names": [GOOD, "Bob"]}
        for (text,) in db.execute("SELECT payload FROM outbox WHERE kind = 'vacation'"):
            assert json.loads(text) == away | {"name": GOOD, "games": [[1, GOOD]]}
