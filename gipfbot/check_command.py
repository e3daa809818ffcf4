"""The commands `check` and `ratings`: replay every game of a database, and rebuild all ratings."""

import asyncio
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

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
        file = backend_of_url(url).file
        faults = _look_at_file(database or file) if file else asyncio.run(_look_at_server(url))
        checked = asyncio.run(_print_differences(url, faults))
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    except WrongFile as error:
        return complain(BAD_USE, error)
    except Unusable as error:
        return complain(error.exit_code, error)
    sys.stdout.write(_summary(checked))
    return int(checked.different > 0)


def _look_at_file(database: Path) -> list[str]:
    """Return the faults in the pages of a database. Raises WrongFile if the file is not a database of this version."""
    if not database.is_file():
        raise WrongFile(f"There is no file {database}: name a database or a backup.")
    if not database.stat().st_size:
        raise WrongFile(f"{database} is empty: name a database or a backup.")
    try:
        with closing(open_read_only(database)) as db:
            _check_version(db, database)
            return page_faults(db)
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise WrongFile(f"{database} is no database: name a database or a backup.") from error
        if trouble_of(database, error) is Trouble.DAMAGED:
            return [str(error)]
        raise opening_fault(database, error) from error


def _check_version(db: sqlite3.Connection, database: Path) -> None:
    try:
        require_games(db, database)
    except Unusable as error:
        raise WrongFile(str(error)) from None
    if fault := version_fault(str(database), version_in_file(db), OTHER_VERSIONS):
        raise WrongFile(fault)


async def _look_at_server(url: str | URL) -> list[str]:
    """Return the faults that the server finds in a database. Raises WrongFile if its version is another."""
    store = Store.open_to_read(url)
    try:
        version = await store.found_version()
        if version is None:
            raise WrongFile(f"{store.name} holds no games of this bot: name the bot's database.")
        if fault := version_fault(store.name, version, OTHER_VERSIONS):
            raise WrongFile(fault)
        with ending_at_trouble(store.backend):
            async with store.reading() as db:
                return [part.said for part in await store.backend.broken_parts(db)]
    finally:
        await store.close()


async def _print_differences(url: str | URL, faults: list[str]) -> Checked:
    """Print each thing that differs, and return how much was checked."""
    store = Store.open_to_read(url)
    try:
        with opening(store.name):
            check = DatabaseCheck(store, lambda: int(time.time()), await _spare_cores(store))
            async for sentence in check.differences():
                sys.stdout.write(f"{sentence}.\n")
    except Damaged as error:
        faults = faults or [str(error)]
    finally:
        await store.close()
    check.checked.different += len(faults)
    sys.stdout.writelines(f"the database is damaged: {fault}.\n" for fault in faults)
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
