"""The command `copy`: copy a database into an empty one, from SQLite to PostgreSQL or back."""

import asyncio
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import ArgumentError

from gipfbot.installation import started_as
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.service.checking.processes import usable_cores
from gipfbot.settings import DRIVERS, check_file, check_server, parse_database_url
from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url, ending_at_trouble
from gipfbot.store.moving import TableSum, begin_new_timeline, copy_rows, filled_tables, table_sums
from gipfbot.tools.commands import BAD_USE, ToolParser, complain, counted, stoppable
from gipfbot.values import Unusable

from .store.database_file import file_url
from .store.schema import SchemaAge, version_fault
from .store.troubles import sign_of_lost_games

UNCHANGED = "Nothing was copied."
TWO_NEEDED = "name the database to copy, then an empty one"
OTHER_VERSIONS = {
    SchemaAge.OLDER: "start this version on it once, then copy it",
    SchemaAge.LATER: "update the bot, then copy it",
    SchemaAge.NEWER: "update the bot, then copy it",
}


class WrongPlace(Exception):
    """One of the two databases cannot be used for a copy; the message is a sentence."""


@stoppable
def run_copy(argv: list[str]) -> int:
    """Copy a database into an empty one, compare the two, and print what was copied. Return the exit code."""
    parser = ToolParser("copy", "Copy a database into an empty one. Stop the bot first.")
    parser.add_argument("source", metavar="FROM", help="a database URL as in GIPFBOT_DATABASE_URL, or a file")
    parser.add_argument("target", metavar="TO", help="the same; it must hold no games")
    given = parser.parse_args(argv)
    try:
        sums = asyncio.run(_copy(_parse_place(given.source), _parse_place(given.target)))
    except WrongPlace as error:
        return complain(BAD_USE, f"{error} {UNCHANGED}")
    except Unusable as error:
        return complain(error.exit_code, error)
    rows, games, turns = sum(each.rows for each in sums.values()), sums["games"].rows, sums["turns"].rows
    what = f"{counted(games, 'game')} with {counted(turns, 'turn')}, {counted(rows, 'row')} in all"
    sys.stdout.write(f"{what}: copied, compared and checked. Set GIPFBOT_DATABASE_URL, then start the bot.\n")
    return 0


def _parse_place(text: str) -> URL:
    """Return the URL of a database, given its URL or its file. Raises WrongPlace."""
    if "://" not in text:
        return file_url(Path(text))
    with suppress(ArgumentError, ValueError):
        url = parse_database_url(text)
        if url.drivername in DRIVERS and url.database:
            return _checked_place(url)
    shown = text.partition("://")[0]
    raise WrongPlace(f"{shown}://… names no database: name a file or a URL with {' or '.join(DRIVERS)}.")


def _checked_place(url: URL) -> URL:
    """Return the URL. Raises WrongPlace for a server that no driver can reach, and for what names no file."""
    check = check_server if url.get_backend_name() == "postgresql" else check_file
    try:
        check(url)
    except ValueError as error:
        raise WrongPlace(f"{url.drivername}://… {error}.") from None
    return url


async def _copy(source: URL, target: URL) -> dict[str, TableSum]:
    old, new = backend_of_url(source), backend_of_url(target)
    if old.name == new.name or _is_same_file(old.file, new.file):
        raise WrongPlace(f"{old.name} is named twice: {TWO_NEEDED}.")
    if old.file is not None and not (old.file.is_file() and old.file.stat().st_size):
        raise WrongPlace(f"There is no database at {old.file}: name the one to copy first.")
    if new.file is not None:
        _require_place(new.file)
    if old.file is None and new.file is None:
        await _require_two(source, target)
    async with AsyncExitStack() as held:
        for backend in (old, new):
            await held.enter_async_context(backend.hold())
        with ending_at_trouble(old, new):
            return await _copy_held(source, target)


def _is_same_file(old: Path | None, new: Path | None) -> bool:
    """Return whether two databases are one file, perhaps under two names. Accepts files that are missing."""
    return old is not None and new is not None and (old == new or (new.exists() and old.exists() and old.samefile(new)))


async def _require_two(source: URL, target: URL) -> None:
    """Raise WrongPlace if both URLs lead to one database, such as by `localhost` and by its address."""
    found = [await _identity(url) for url in (source, target)]
    if found[0] is not None and found[0] == found[1]:
        names = " and ".join(backend_of_url(url).name for url in (source, target))
        raise WrongPlace(f"{names} are the same database: {TWO_NEEDED}.")


async def _identity(url: URL) -> str | None:
    store = Store.open_to_read(url)
    try:
        return await store.identity()
    finally:
        await store.close()


def _require_place(file: Path) -> None:
    """Raise WrongPlace if a file has no folder, or if a file beside it shows that it held games."""
    if not file.parent.is_dir():
        raise WrongPlace(f"There is no folder {file.parent}: create it or name another.")
    if sign := sign_of_lost_games(file):
        raise WrongPlace(f"{sign} shows that {file} held games: name another file, or move {sign.name} away first.")


async def _copy_held(source: URL, target: URL) -> dict[str, TableSum]:
    """Copy one database into the other and compare them. Nobody else may use them."""
    await _require_this_version(source)
    await _require_empty(target)
    old, new = Store.open_as_text(source), Store.open_as_text(target)
    try:
        copied = await copy_rows(old, new)
        if await table_sums(new) != copied:
            raise Unusable(f"{new.name} does not hold what was copied: make it anew, and copy again.")
        await _require_same_check(source, target)
        await begin_new_timeline(new, int(time.time()))
    finally:
        await new.close()
        await old.close()
    return copied


async def _require_this_version(source: URL) -> None:
    """Raise WrongPlace unless the tables are those of this version."""
    store = Store.open_to_read(source)
    try:
        version = await store.found_version()
    finally:
        await store.close()
    if version is None:
        raise WrongPlace(f"{store.name} holds no games of this bot: name the bot's database.")
    if fault := version_fault(store.name, version, OTHER_VERSIONS):
        raise WrongPlace(fault)


async def _require_empty(target: URL) -> None:
    """Create missing tables. Raises WrongPlace if a table has rows."""
    store = await Store.open_database(target.render_as_string(hide_password=False))
    try:
        filled = await filled_tables(store)
    finally:
        await store.close()
    if filled:
        raise WrongPlace(f"{store.name} is not empty ({', '.join(filled)}): name an empty database.")


async def _require_same_check(source: URL, target: URL) -> None:
    """Raise Unusable unless `check` finds the same differences in both."""
    found = [await _differences(url) for url in (source, target)]
    if found[0] != found[1]:
        where = backend_of_url(target).name
        raise Unusable(f"`{started_as()} check` finds other differences in {where}: {found[1][:3]}.")


async def _differences(url: URL) -> list[str]:
    store = Store.open_to_read(url)
    try:
        check = DatabaseCheck(store, lambda: int(time.time()), usable_cores())
        return [sentence async for sentence in check.differences()]
    finally:
        await store.close()
