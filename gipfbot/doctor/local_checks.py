"""The checks of this machine: versions, the settings file, disk, database."""

import asyncio
import os
import re
import shutil
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.engine import make_url

from gipfbot.settings import ENV_FILE, Settings
from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url, ending_at_trouble
from gipfbot.store.schema import require_own_file
from gipfbot.values import VERSION, Unusable

from .finding import Finding, failed_sentence, failure, fine, warning

OLDEST_PYTHON = (3, 11)
REQUIREMENTS = Path(__file__).parents[2] / "requirements.txt"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)\s*(;?)", re.MULTILINE)
MEGABYTE = 1_000_000
LEAST_FREE, FREE_ENOUGH = 50 * MEGABYTE, 500 * MEGABYTE
OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
TRIAL_BYTES = 64 * 1024
SETUP = "Run `make install`, or build the container anew"


def check_versions() -> Iterator[Finding]:
    """Yield whether Python and the libraries are those that the bot needs."""
    python = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        yield failure("versions", f"Python {python} is too old", "Install Python 3.11 or newer")
    if not REQUIREMENTS.exists():
        yield warning(
            "versions", f"there is no {REQUIREMENTS} to compare the libraries with", "Get it with the program"
        )
        return
    missing, others = _wrong_libraries()
    if missing:
        yield failure("versions", f"{', '.join(missing)} not installed", SETUP)
    if others:
        yield warning("versions", f"other libraries than tested: {', '.join(others)}", SETUP)
    if not missing and not others:
        yield fine("versions", f"GIPF bot {VERSION}, Python {python}, libraries as in requirements.txt")


def _wrong_libraries() -> tuple[list[str], list[str]]:
    """Return which required libraries are missing, and which are there in another version."""
    missing, others = [], []
    for name, version, condition in _PINNED.findall(REQUIREMENTS.read_text(encoding="utf-8")):
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            missing += [] if condition else [name]
            continue
        if found != version:
            others.append(f"{name} {found} instead of {version}")
    return missing, others


def check_settings_file() -> Iterator[Finding]:
    """Yield a warning if others than its owner can read the file with the settings, if there is one."""
    file = Path(ENV_FILE)
    if file.exists() and file.stat().st_mode & OTHERS_READ:
        yield warning("settings", f"others can read {file}, and with it the token", f"Run `chmod 600 {file}`")


def check_disk(settings: Settings) -> Finding:
    """Return whether the folder of the database can be written, and whether it has room."""
    file = backend_of_url(settings.database_url).file
    folder = (file or settings.heartbeat.absolute()).parent
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(TRIAL_BYTES))
            trial.flush()
            os.fsync(trial.fileno())
        free = shutil.disk_usage(folder).free
    except OSError as error:
        right = "Make room, or let the user who runs the bot write there"
        return failure("disk", f"{folder} cannot be written ({error.strerror})", right)
    said = f"{free // MEGABYTE:,} MB free in {folder}"
    if free < LEAST_FREE:
        return failure("disk", said, "Make room: with a full disk, nobody can play")
    if free < FREE_ENOUGH:
        return warning("disk", said, "Make room soon")
    return fine("disk", f"{said}, writable")


async def check_database(settings: Settings) -> Finding:
    """Return whether the database can be read by this version, and whether it is whole."""
    if backend_of_url(settings.database_url).file is None:
        return await _check_server(settings.database_url)
    return await asyncio.to_thread(_check_file, settings)


async def _check_server(url: str) -> Finding:
    """Return whether the database on a server can be used by this version, which would make the tables it lacks."""
    try:
        store = Store.open_to_read(url)
    except Unusable as error:
        return failed_sentence("database", error)
    try:
        version = await store.found_version()
        with ending_at_trouble(store.backend):
            async with store.reading() as db:
                await store.backend.check_server(db)
                faults, size = await store.backend.broken_parts(db), await store.backend.count_bytes(db)
    except Unusable as error:
        return failed_sentence("database", error)
    finally:
        await store.close()
    if version is None:
        return warning("database", f"{store.name} has no tables yet", "The first start creates them")
    if faults:
        said, mends = ("; ".join(parts) for parts in zip(*faults, strict=True))
        return failure("database", f"{store.name} is damaged: {said}", f"Run as its owner: {mends}")
    return _version_finding(store.name, version, size)


def _check_file(settings: Settings) -> Finding:
    """Return whether the file can be read by this version, and whether SQLite finds it whole."""
    path = _database_path(settings)
    if not path.exists():
        return warning("database", f"there is none at {path} yet", "The first start creates it; after a loss, restore")
    try:
        require_own_file(path)
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=10)) as db:
            schema = db.execute("SELECT version_num FROM alembic_version").fetchone()
            faults = [row[0] for row in db.execute("PRAGMA quick_check(3)")]
    except Unusable as error:
        return failed_sentence("database", error)
    except sqlite3.Error as error:
        right = "Stop the bot, keep the file aside, and restore a backup"
        return failure("database", f"{path} cannot be read ({error})", right)
    return _database_finding(path, str(schema[0]) if schema else "", faults)


def _database_finding(path: Path, schema: str, faults: list[str]) -> Finding:
    if faults != ["ok"]:
        right = "Stop the bot, keep the file aside, and restore a backup"
        return failure("database", f"{path} is damaged: {'; '.join(faults)}", right)
    return _version_finding(str(path), schema, path.stat().st_size)


def _version_finding(name: str, schema: str, size: int) -> Finding:
    newest, known = _migrations()
    if schema not in known:
        right = "Run that version, or restore a backup of this one"
        return failure("database", f"{name} was written by another version of the bot (tables {schema})", right)
    later = "" if schema == newest else f"; the next start brings it to {newest}"
    return fine("database", f"{name} is whole, {size / MEGABYTE:,.1f} MB, tables {schema}{later}")


def _migrations() -> tuple[str, set[str]]:
    """Return the newest migration of this version, and all that it knows."""
    config = Config()
    config.set_main_option("script_location", "gipfbot.store:migrations")
    script = ScriptDirectory.from_config(config)
    return str(script.get_current_head()), {each.revision for each in script.walk_revisions()}


def _database_path(settings: Settings) -> Path:
    return Path(make_url(settings.database_url).database or "").absolute()
