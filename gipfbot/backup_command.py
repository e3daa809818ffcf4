"""The commands `backup` and `restore`: copy the database while the bot runs, and put a copy in its place."""

import asyncio
import os
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL

from .service.checking.database_check import DatabaseCheck
from .service.checking.processes import usable_cores
from .settings import SettingsError, load_backups, load_database_url
from .store import Store
from .store.backends import Backend, backend_of_url
from .store.backup import Copied, NoCopy, TargetExists, copy_database
from .store.backup_folder import backup_name, note_outcome, remove_old
from .store.database_file import NO_ROOM, discard_database, file_beside, file_url, hold_file_lock
from .store.postgres_dump import dump_database, read_dump
from .store.postgres_restore import compare, finish, forget_replaced, load_dump, put_back, read_replaced
from .store.restore import READY, Prepared, prepare_copy, replace_database, replaced_name, require_usable
from .store.schema import SchemaAge, age_of_version
from .store.timeline_file import CopyNote
from .tools.commands import BAD_USE, ToolParser, complain, counted, number_type, stoppable
from .values import InUse, NoRoom, Unreachable, Unusable

KILOBYTE, UNITS = 1000, ("bytes", "kB", "MB", "GB", "TB")

FOLDER = Path("data/backups")  # of backups, if neither the host nor the settings name one
KEPT, MOST_KEPT = 14, 1000  # backups in a folder: by default, and at most
MOST_NAMED = 3  # differences that the refusal of a backup names
ANYWAY = "Name another backup, or restore this one as it is with --anyway."


@stoppable
def run_backup(argv: list[str]) -> int:
    """Copy the database of the settings to a new file, and print the contents of the copy. Return the exit code."""
    parser = ToolParser("backup", "Copy the database while the bot runs. The copy is verified.")
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the new file; else it is named by the time")
    else_to = f"its folder, if there is no FILE (by default GIPFBOT_BACKUPS, or else {FOLDER})"
    parser.add_argument("--to", metavar="FOLDER", type=Path, help=else_to)
    keep = number_type(1, MOST_KEPT)
    parser.add_argument("--keep", metavar="NUMBER", type=keep, help=f"so many stay in the folder (by default {KEPT})")
    given = parser.parse_args(argv)
    file, now = given.file, datetime.fromtimestamp(time.time(), UTC)
    if file and given.to:
        parser.error("name a file, or a folder behind --to.")
    if file and given.keep:
        parser.error("--keep is for a folder: name it behind --to.")
    try:
        folder = None if file else given.to or _known_folder()
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    place = folder or file.absolute().parent
    if not place.is_dir():
        parser.error(f"the folder {'' if folder else 'of '}{folder or file} does not exist: create it or name another.")
    try:
        target, copied = _copy(file, folder, now)
    except (SettingsError, NoCopy, Unusable) as error:
        said = error.faults if isinstance(error, SettingsError) else [str(error)]
        if folder and not isinstance(error, TargetExists):
            note_outcome(folder, " ".join(said), now)
            said = [*said, "No older backup was deleted."]
        return complain(error.exit_code if isinstance(error, Unusable) else BAD_USE, *said)
    games, turns = copied.contents
    what = f"{size_text(copied.size)}, {counted(games, 'game')} with {counted(turns, 'turn')}, verified"
    sys.stdout.write(f"{target}: {what}.\n")
    return _tidy(folder, target, given.keep or KEPT, now) if folder else 0


def _known_folder() -> Path:
    """Return the folder of the settings, or else the default one, which is made. Raises SettingsError."""
    if known := load_backups():
        return known
    if FOLDER.parent.is_dir():
        FOLDER.mkdir(mode=0o700, exist_ok=True)
    return FOLDER


def _copy(file: Path | None, folder: Path | None, now: datetime) -> tuple[Path, Copied]:
    """Copy the database of the settings to a file, or into a folder. Raises SettingsError, NoCopy or Unusable."""
    backend = backend_of_url(load_database_url())
    source, named = backend.file, backup_name(now, backend.backup_ending)
    target = file or (folder or Path()) / named
    if source is None:
        return target, dump_database(backend.url, backend.name, target)
    if not source.exists() or not source.stat().st_size:
        raise NoCopy(f"There is no database at {source}: set GIPFBOT_DATABASE_URL as for the bot.")
    return target, copy_database(source, target, CopyNote(int(now.timestamp())))


def _tidy(folder: Path, newest: Path, keep: int, now: datetime) -> int:
    """Delete the backups that a new one makes needless. Return the exit code."""
    try:
        gone = remove_old(folder, newest, keep, now, backend_of_url(load_database_url()).file)
    except OSError as error:
        where = error.filename or folder
        said = f"{where} cannot be deleted ({error.strerror}): let the user who backs up write there."
        note_outcome(folder, said, now)
        return complain(1, said)
    note_outcome(folder, "", now)
    if gone:
        sys.stdout.write(f"{counted(gone, 'older backup')} deleted.\n")
    return 0


def size_text(size: float) -> str:
    """Return a number of bytes in a readable form, such as 12.3 MB."""
    power = 0
    while size >= KILOBYTE and power < len(UNITS) - 1:
        size, power = size / KILOBYTE, power + 1
    return f"{size:.1f} {UNITS[power]}" if power else f"{size:.0f} {UNITS[0]}"


class WrongBackup(Exception):
    """The file cannot be restored; the message is a sentence."""


class HalfDone(Exception):
    """A restore has failed, and could not be undone; the message is a sentence."""


@stoppable
def run_restore(argv: list[str]) -> int:
    """Replace the database of the settings by a backup. Print what was replaced, and return the exit code."""
    parser = ToolParser("restore", "Put a backup in the place of the database. Stop the bot first.")
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup, which stays as it is")
    parser.add_argument("--anyway", action="store_true", help="restore it even if its running games do not replay")
    given = parser.parse_args(argv)
    backup: Path = given.file
    try:
        there = backend_of_url(load_database_url())
        _check_file(backup, there.file)
        if there.file is None:
            place = replaced_name(backup.with_name("gipf.dump"), int(time.time()))
            prepared, kept = asyncio.run(_restore_on_server(backup, there, place, anyway=given.anyway))
        else:
            with hold_file_lock(there.file):
                prepared, kept = _restore(backup, there.file, anyway=given.anyway)
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    except (InUse, Unreachable) as error:
        return complain(error.exit_code, error)
    except NoRoom as error:
        full = f"The disk of {there.file.parent} is full: make room, then restore again." if there.file else error
        return complain(error.exit_code, full, "Nothing was changed.")
    except HalfDone as error:
        return complain(1, error)
    except (WrongBackup, NoCopy, Unusable) as error:
        return complain(BAD_USE, error, "Nothing was changed.")
    sys.stdout.writelines(f"{sentence}\n" for sentence in _report(backup, there, prepared, kept))
    return 0


def _check_file(backup: Path, database: Path | None) -> None:
    """Raise WrongBackup if a file is obviously no backup."""
    if not backup.is_file():
        raise WrongBackup(f"There is no file {backup}: name a backup.")
    if not backup.stat().st_size:
        raise WrongBackup(f"{backup} is empty: name another backup.")
    if not os.access(backup, os.R_OK):
        raise WrongBackup(f"{backup} cannot be read: let the user who runs the bot read it.")
    if database and database.exists() and backup.samefile(database):
        raise WrongBackup(f"{backup} is the database itself: name a backup of it.")


def _restore(backup: Path, database: Path, *, anyway: bool) -> tuple[Prepared, Path | None]:
    try:
        prepared = prepare_copy(backup, database)
        if not (anyway or prepared.is_older):
            asyncio.run(_require_replay(backup, file_url(file_beside(database, READY))))
        return prepared, replace_database(prepared, database, int(time.time()))
    except OSError as error:
        if error.errno in NO_ROOM:
            raise NoRoom from error
        why = f"{error.filename or database} cannot be replaced ({error.strerror})"
        raise WrongBackup(f"{why}: let the user who runs the bot write its folder.") from error
    finally:
        with suppress(OSError):
            discard_database(file_beside(database, READY))  # exists only if something failed


async def _require_replay(backup: Path, url: str | URL) -> None:
    """Replay the running games of a copy. Raises WrongBackup if something differs."""
    store = Store.open_to_read(url)
    try:
        check = DatabaseCheck(store, lambda: int(time.time()), usable_cores())
        found = [sentence async for sentence in check.running_differences()]
    finally:
        await store.close()
    if found:
        more = f"{len(found) - MOST_NAMED:,} more things differ." if len(found) > MOST_NAMED else ""
        named = [f"{sentence}." for sentence in found[:MOST_NAMED]]
        raise WrongBackup(" ".join(filter(None, [f"{backup} does not replay:", *named, more, ANYWAY])))


async def _restore_on_server(
    backup: Path, there: Backend, place: Path, *, anyway: bool
) -> tuple[Prepared, Path | None]:
    """Put a dump in the place of a database. Return what is there now, and where the replaced database is kept.

    That is a dump at `place`, or None if there was no database.
    """
    dump = read_dump(backup)
    if dump is None:
        raise WrongBackup(f"{backup} is damaged, or no backup of a database on PostgreSQL: name another backup.")
    if dump.version is None:
        raise WrongBackup(f"{backup} holds no games of this bot: name another backup.")
    require_usable(str(backup), dump.version)
    is_older = age_of_version(dump.version) is SchemaAge.OLDER
    async with there.hold():
        await forget_replaced(there)
        replaced = await read_replaced(there)
        kept = place if replaced else None
        if kept:
            dump_database(there.url, there.name, kept)
        try:
            load_dump(there.url, there.name, backup)  # not in a thread, which would go on after Ctrl-C
            compared = await compare(there, replaced)
            if not (anyway or is_older):
                await _require_replay(backup, there.url)
            await finish(there, compared.note)
        except BaseException as error:
            await _undo(there, kept, error)
            raise
    return Prepared(dump.contents, compared.note, compared.lost_games, is_older), kept


async def _undo(there: Backend, kept: Path | None, error: BaseException) -> None:
    """Put the replaced tables back. Raises HalfDone if that fails."""
    try:
        await put_back(there)
    except Unusable as second:
        where = f": what was there before is in {kept}" if kept else ""
        raise HalfDone(f"{error} It cannot be undone ({second}){where}. Restore again.".lstrip()) from second
    if kept:
        await asyncio.to_thread(kept.unlink, missing_ok=True)


def _report(backup: Path, there: Backend, prepared: Prepared, kept: Path | None) -> list[str]:
    """Return sentences on what was replaced, and on what to do next."""
    games, turns = prepared.contents
    copied_at = prepared.note.copied_at
    made = f", made on {datetime.fromtimestamp(copied_at, UTC):%d %B %Y at %H:%M} UTC" if copied_at else ""
    said = [f"{there.name} is now the backup {backup}{made}: {counted(games, 'game')} with {counted(turns, 'turn')}."]
    if kept:
        what = "file" if there.file else "database"
        said.append(f"The replaced {what} is kept as {kept}. Delete it when you are sure that nobody needs it.")
    if prepared.note.went_back is None:
        told = "the players of all running games"
    else:
        told = f"the players of the {counted(len(prepared.note.went_back), 'running game')} that went back"
    if prepared.is_older:
        said.append("Its running games were not replayed, because an older version of the bot made it.")
    if prepared.lost_games:
        said.append(f"Running games that began after the backup, and are lost: {prepared.lost_games:,}.")
    then = "repeats the deletions that people have asked for since, and replays the games that have ended"
    return [*said, f"Start the bot: it tells {told}, {then}."]
