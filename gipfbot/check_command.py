"""The commands `check` and `ratings`: replay every game of a database, and rebuild all ratings."""

import asyncio
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from .service.checking.database_check import Checked, DatabaseCheck
from .service.checking.processes import usable_cores
from .service.competing.results import rebuild_ratings
from .settings import SettingsError, load_database_url, load_settings
from .store import Store
from .store.backends import backend_of_url, ending_at_trouble, reading_faults
from .store.backup import open_read_only, page_faults, require_games
from .store.database_file import file_url
from .store.schema import SchemaAge, version_fault, version_in_file
from .store.troubles import opening, opening_fault, trouble_of
from .tools.commands import BAD_USE, ToolParser, complain, counted, stoppable, utc_seconds
from .values import Damaged, Trouble, Unusable

OTHER_VERSIONS = {
    SchemaAge.OLDER: "check it with that, or start the bot on it",
    SchemaAge.NEWER: "update the bot, then check again",
}


class WrongFile(Exception):
    """The file cannot be checked; the message is a sentence."""


@stoppable
def run_check(argv: list[str]) -> int:
    """Check a database and print what differs. Return 0 if nothing does, 1 if something does, 2 for wrong input."""
    parser = ToolParser("check", "Replay every game of a database, and say what differs.")
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="default: the database of the settings")
    database: Path | None = parser.parse_args(argv).file
    try:
        url = file_url(database) if database else load_database_url()
        checked = asyncio.run(_check(url, database or backend_of_url(url).file))
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    except WrongFile as error:
        return complain(BAD_USE, error)
    except Unusable as error:
        return complain(error.exit_code, error)
    sys.stdout.write(_summary(checked))
    return int(checked.different > 0)


async def _check(url: str | URL, file: Path | None) -> Checked:
    """Check a database, a file's or a server's. What holds its rows is looked at beside the games: it takes as long."""
    if file:
        _require_file(file)
        return await _print_differences(url, asyncio.to_thread(_faults_in_file, file))
    await _require_server(url)
    return await _print_differences(url, _faults_of_server(url))


def _require_file(database: Path) -> None:
    """Raise WrongFile if a file is not a database of this version. One that is damaged may be one."""
    if not database.is_file():
        raise WrongFile(f"There is no file {database}: name a database or a backup.")
    if not database.stat().st_size:
        raise WrongFile(f"{database} is empty: name a database or a backup.")
    with suppress(Damaged), _reading(database) as db:
        _check_version(db, database)


@contextmanager
def _reading(database: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(open_read_only(database)) as db:
            yield db
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise WrongFile(f"{database} is no database: name a database or a backup.") from error
        if trouble_of(database, error) is Trouble.DAMAGED:
            raise Damaged(str(error)) from error
        raise opening_fault(database, error) from error


def _faults_in_file(database: Path) -> list[str]:
    try:
        with _reading(database) as db:
            return page_faults(db)
    except Damaged as error:
        return [str(error)]


def _check_version(db: sqlite3.Connection, database: Path) -> None:
    try:
        require_games(db, database)
    except Unusable as error:
        raise WrongFile(str(error)) from None
    if fault := version_fault(str(database), version_in_file(db), OTHER_VERSIONS):
        raise WrongFile(fault)


async def _require_server(url: str | URL) -> None:
    """Raise WrongFile if a server holds no database of this version."""
    async with _open_to_read(url) as store:
        version = await store.found_version()
        if version is None:
            raise WrongFile(f"{store.name} holds no games of this bot: name the bot's database.")
        if fault := version_fault(store.name, version, OTHER_VERSIONS):
            raise WrongFile(fault)


async def _faults_of_server(url: str | URL) -> list[str]:
    async with _open_to_read(url) as store:
        with ending_at_trouble(store.backend):
            async with store.reading() as db:
                return [part.said for part in await store.backend.broken_parts(db)]


@asynccontextmanager
async def _open_to_read(url: str | URL) -> AsyncIterator[Store]:
    store = Store.open_to_read(url)
    try:
        yield store
    finally:
        await store.close()


async def _print_differences(url: str | URL, looking: Coroutine[Any, Any, list[str]]) -> Checked:
    """Print each thing that differs, and return how much was checked. `looking` finds faults of the whole database."""
    faults, damaged = asyncio.create_task(looking), list[str]()
    async with _open_to_read(url) as store:
        try:
            with opening(store.name):
                check = DatabaseCheck(store, lambda: int(time.time()), await _spare_cores(store))
                async for sentence in check.differences():
                    sys.stdout.write(f"{sentence}.\n")
        except Damaged as error:
            damaged = [str(error)]
    found = await faults or damaged
    check.checked.different += len(found)
    sys.stdout.writelines(f"the database is damaged: {fault}.\n" for fault in found)
    return check.checked


async def _spare_cores(store: Store) -> int:
    """Return how many processes may check: one for each core, but for one if the bot runs on the database."""
    with reading_faults(store.backend):
        async with store.reading() as db:
            return usable_cores() - await store.backend.is_held(db)


def _summary(checked: Checked) -> str:
    differ = {0: "nothing differs", 1: "1 thing differs"}.get(checked.different, f"{checked.different:,} things differ")
    games, turns = counted(checked.games, "game"), counted(checked.turns, "turn")
    what = f"{games} with {turns}, {counted(checked.ratings, 'monthly rating')}"
    return f"{what}: {differ}.\n"


@stoppable
def run_ratings(argv: list[str]) -> int:
    """Rebuild the ratings of the database in the settings, and print what was different. Return the exit code."""
    parser = ToolParser("ratings", "Work out all ratings and leaderboards anew, from the games.")
    parser.add_argument("--rebuild", action="store_true", required=True, help="write them")
    parser.parse_args(argv)
    try:
        url = load_settings(token="none").database_url
        tables = asyncio.run(_rebuild(url))
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    except Unusable as error:
        return complain(error.exit_code, error)
    for name, (rows, different) in tables.items():
        sys.stdout.write(f"{name}: {counted(rows, 'row')}, {different or 'none'} different\n")
    return 0


async def _rebuild(url: str) -> dict[str, tuple[int, int]]:
    backend = backend_of_url(url)
    async with backend.hold():
        store = await Store.open_database(url)
        try:
            with ending_at_trouble(backend):
                return await rebuild_ratings(store, utc_seconds)
        finally:
            await store.close()
