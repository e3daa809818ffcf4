"""Put a dump in the place of a database on PostgreSQL, by the server's own programs. No process may run on it.

The tables that are replaced wait in a schema of their own until the backup was found sound. Each step is one
transaction, so whatever cuts a step off leaves the tables as they were before it.
"""

import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL, select, text

from gipfbot.values import NoRoom, Unusable

from . import meta, timelines
from .backends import Backend, reading_faults
from .database import Connection, Store
from .postgres_dump import REPLACED, environment_of, is_full, program_path
from .restore import Replaced, note_of
from .tables import games
from .timeline_file import COPY_KEY, CopyNote
from .troubles import opening

# Only tables of the bot's own user are moved. Those of a later version, which this one does not know, are among them.
_EACH_TABLE = """
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
                WHERE schemaname = {} AND tableowner = current_user LOOP
        EXECUTE {};
    END LOOP;
END $$
"""
_DROP_REPLACED = f"DROP SCHEMA IF EXISTS {REPLACED} CASCADE"
_SET_ASIDE = _EACH_TABLE.format("current_schema()", f"'ALTER TABLE ' || name || ' SET SCHEMA {REPLACED}'")
_MAKE_ROOM = f"CREATE SCHEMA {REPLACED};{_SET_ASIDE}"
_DROP_OURS = _EACH_TABLE.format("current_schema()", "'DROP TABLE ' || name || ' CASCADE'")
_MOVE_BACK = "format('ALTER TABLE %s SET SCHEMA %I', name, current_schema())"
_PUT_BACK = _DROP_OURS, _EACH_TABLE.format(f"'{REPLACED}'", _MOVE_BACK), _DROP_REPLACED
_IS_REPLACED = text(f"SELECT to_regnamespace('{REPLACED}') IS NOT NULL")
# A newer client sets limits that an older server does not know. They are none, as by default.
_LIMIT = re.compile(rb"SET \w+_timeout = 0;\n")
_WHERE = re.compile(r"^psql:<stdin>:\d+: (?:ERROR|FATAL): *|^\w+: error: ")


class Compared(NamedTuple):
    """What a restored database says of itself: its note, and how many running games are gone; None if nobody knows."""

    note: CopyNote
    lost_games: int | None


def load_dump(url: URL, name: str, dump: Path) -> None:
    """Put the tables of a dump in the place of those of a database, which wait in REPLACED. `name` is its name.

    Raises NoCopy without PostgreSQL's programs, NoRoom if the server's disk is full, or another Unusable. Then nothing
    was changed.
    """
    command = [program_path("psql"), "--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--file=-"]
    options = "--no-owner", "--no-privileges", "--file=-", str(dump)
    environment = environment_of(url) | {"PGOPTIONS": "-c client_min_messages=warning"}
    with (
        subprocess.Popen([program_path("pg_restore"), *options], stdout=subprocess.PIPE) as read,
        subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as written,
    ):
        said = _hand_on(read, written)
    if written.returncode or read.returncode:
        raise _fault(name, dump, said.decode(errors="replace"))


def _hand_on(read: "subprocess.Popen[bytes]", written: "subprocess.Popen[bytes]") -> bytes:
    """Let one program do what the other reads, in one transaction. Return what the former says."""
    assert read.stdout, "it is a pipe"
    assert written.stdin, "it is a pipe"
    try:
        written.stdin.write(f"BEGIN;\n{_MAKE_ROOM};\n".encode())
        written.stdin.writelines(line for line in read.stdout if not _LIMIT.fullmatch(line))
        if read.wait() == 0:  # else all is rolled back
            written.stdin.write(b"COMMIT;\n")
    except BrokenPipeError:  # it has ended at an error
        read.kill()
    return written.communicate()[1]


def _fault(name: str, dump: Path, said: str) -> Unusable:
    """Return the error for what the programs say."""
    if is_full(said):
        return NoRoom(f"The disk of {name} is full: make room, then restore again.")
    why = _WHERE.sub("", said.splitlines()[0]) if said else "it was cut off"
    right = "let the user in GIPFBOT_DATABASE_URL own the database, or look at the log of the server"
    return Unusable(f"{name} cannot be replaced by {dump} ({why}): {right}.")


async def has_replaced(db: Connection) -> bool:
    """Return whether REPLACED is there: a restore goes on, or was killed."""
    return bool(await db.scalar(_IS_REPLACED))


async def forget_replaced(backend: Backend) -> None:
    """Drop REPLACED, if a restore that was killed has left it. A dump of its tables was kept. Raises Unusable."""
    async with _opened(backend) as store, store.transaction() as db:
        await db.exec_driver_sql(_DROP_REPLACED)


async def read_replaced(backend: Backend) -> Replaced | None:
    """Return facts from a database that is about to be replaced; None if it has no games of this bot.

    Raises Unusable if it cannot be read.
    """
    async with _opened(backend) as store:
        if await store.found_version() is None:
            return None
        async with store.reading() as db:
            ids, deleted = await timelines.last_ids(db), await timelines.asked_deletions(db)
            return Replaced(ids, deleted, await _running(db), await timelines.load_copy_note(db))


async def compare(backend: Backend, replaced: Replaced | None) -> Compared:
    """Compare a database that was just loaded with facts from the one before. Raises Unusable."""
    async with _opened(backend) as store, store.reading() as db:
        note = note_of(await timelines.load_copy_note(db), await _running(db), replaced)
        all_games = {*await db.scalars(select(games.c.id))}
    return Compared(note, None if replaced is None else len(replaced.running.keys() - all_games))


async def put_back(backend: Backend) -> None:
    """Put the tables that wait in REPLACED back in their place, if there are any. Raises Unusable."""
    async with _opened(backend) as store, store.transaction() as db:
        if await has_replaced(db):
            for statement in _PUT_BACK:
                await db.exec_driver_sql(statement)


async def finish(backend: Backend, note: CopyNote) -> None:
    """Save the note of a database that was loaded, and drop the tables that it has replaced. Raises Unusable."""
    async with _opened(backend) as store, store.transaction() as db:
        await meta.save_value(db, COPY_KEY, dumps(asdict(note)))
        await db.exec_driver_sql(_DROP_REPLACED)


@asynccontextmanager
async def _opened(backend: Backend) -> AsyncIterator[Store]:
    """Open a database for one step: a kept connection would remember the tables before it."""
    store = Store.open_as_text(backend.url)
    try:
        with opening(backend.name), reading_faults(backend):
            yield store
    finally:
        await store.close()


async def _running(db: Connection) -> dict[int, int]:
    """Return the running games with their versions."""
    found = await db.execute(select(games.c.id, games.c.version).where(games.c.waiting_user.is_not(None)))
    return {row.id: row.version for row in found}
