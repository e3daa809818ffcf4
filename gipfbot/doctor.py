"""`gipfbot doctor`: check everything that the bot needs, and print one line each. It may run beside the bot."""

import asyncio
import json
import os
import re
import shutil
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from http import HTTPStatus
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import discord
from discord.http import Route
from PIL import features
from sqlalchemy.engine import make_url

from gipfbot.installation import (
    HOME,
    USER_AGENT,
    VERSION,
    install_command,
    installed_wheel,
    revision,
    started_as,
    version_numbers,
)

from .logs import escape_signs
from .rules import geometry
from .search import alpha_beta
from .settings import ENV_FILE, SETTING_NAMES, Settings, SettingsError, load_settings
from .store import Store
from .store.backends import backend_of_url, ending_at_trouble
from .store.backup_folder import backups_fault, kept_backups
from .store.database_file import TIMELINE, file_beside, file_fault
from .store.postgres_dump import REPLACED
from .store.postgres_restore import has_replaced
from .store.schema import SchemaAge, age_of_version, known_revisions, require_own_file, version_fault, version_in_file
from .store.timeline_file import read_timeline_file
from .tools.commands import counted
from .ui.health.published import NoVersionError, ask_newest
from .ui.kit.discord_codes import Means, meaning_of
from .ui.kit.permissions import INVITED_WITH
from .values import Unusable, WrongShards

OLDEST_PYTHON = (3, 11)
REQUIREMENTS = HOME / "requirements.txt"
# A line of requirements.txt, and one of the wheel, such as `discord.py==2.7.1; extra == "bot"`.
_PINNED = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;\\]+)\s*(;?)", re.MULTILINE)
_OF_WHEEL = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?(?:==([^\s;]+))? *; *extra == .bot.$", re.MULTILINE)
HOSTING, UNITS = HOME / "docs" / "hosting", Path("/etc/systemd/system")
# The files in docs/hosting that the guide installs, and where.
INSTALLED = {
    **dict.fromkeys(("gipfbot.service", "gipfbot@.service", "gipfbot-backup.service", "gipfbot-backup.timer"), UNITS),
    "gipfbot": Path("/usr/local/bin"),
}
MEGABYTE = 1_000_000
LEAST_FREE, FREE_ENOUGH = 50 * MEGABYTE, 500 * MEGABYTE
OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
TRIAL_BYTES = 64 * 1024

ANSWER_SECONDS = 10
FEW_SECONDS, MANY_SECONDS = 5, 60  # errors of the clock that get a warning, and those that make Discord's times useless
MOST_SERVERS_NAMED = 9
PAGE_LENGTH = 200  # servers
REACH = "Look at the network, the proxy and GIPFBOT_API_URL"
WAIT = "Wait some minutes, then look again"


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"


class Finding(NamedTuple):
    """One line: how bad it is, what was checked, what was found, and what to do next."""

    level: Level
    what: str
    said: str
    next_step: str = ""

    def __str__(self) -> str:
        next_step = f" {self.next_step}." if self.next_step else ""
        return escape_signs(f"{self.level:4}  {self.what}: {self.said}.{next_step}")


def fine(what: str, said: str) -> Finding:
    """Return a finding that needs no action."""
    return Finding(Level.OK, what, said)


def warning(what: str, said: str, next_step: str) -> Finding:
    """Return a finding that lets the bot work, but not as well as it could."""
    return Finding(Level.WARN, what, said, next_step)


def failure(what: str, said: str, next_step: str) -> Finding:
    """Return a finding that keeps the bot from working."""
    return Finding(Level.FAIL, what, said, next_step)


def failed_sentence(what: str, error: Unusable) -> Finding:
    """Return a failure from an error's sentence: the fault, a colon, and what to do next."""
    said, _, next_step = str(error).rstrip(".").rpartition(": ")
    return failure(what, said, next_step[0].upper() + next_step[1:])


def check_versions() -> Iterator[Finding]:
    """Yield whether Python and the libraries have the versions that the bot needs."""
    python = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        yield failure("versions", f"Python {python} is too old", "Install Python 3.11 or newer")
    where, required = _required_libraries()
    if not required:
        right = "Get it with the program"
        yield warning("versions", f"there is no {REQUIREMENTS} to compare the libraries with", right)
        return
    missing, others = _wrong_libraries(required)
    setup = f"Run `{install_command('bot')}`, or build the container anew"
    if missing:
        yield failure("versions", f"{', '.join(missing)} not installed", setup)
    if others:
        yield warning("versions", f"other libraries than tested: {', '.join(others)}", setup)
    if not missing and not others:
        yield fine("versions", f"GIPF bot {VERSION} ({revision()}), Python {python}, libraries as {where}")


def _required_libraries() -> tuple[str, list[tuple[str, str, str]]]:
    """Return the source of the list of required libraries, and the name, version and condition of each.

    An installed bot needs the libraries that its wheel names, most of them in any version.
    """
    if REQUIREMENTS.exists():
        return "in requirements.txt", _PINNED.findall(REQUIREMENTS.read_text(encoding="utf-8"))
    wheel = installed_wheel()
    needs = wheel.requires if wheel else None
    return "its wheel requires", [(*found, "") for found in _OF_WHEEL.findall("\n".join(needs or []))]


def _wrong_libraries(required: list[tuple[str, str, str]]) -> tuple[list[str], list[str]]:
    """Return which required libraries are missing, and which have another version.

    Some have a version for each Python. Then each of these versions is right.
    """
    missing, others = [], []
    for name in dict.fromkeys(name for name, _, _ in required):
        versions = [version for each, version, _ in required if each == name and version]
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            missing += [name for each, _, condition in required if each == name and not condition]
            continue
        if versions and found not in versions:
            others.append(f"{name} {found} instead of {' or '.join(versions)}")
    return missing, others


def check_pictures() -> Finding:
    """Return whether the library is there that Pillow needs to draw some names. Pillow looks for it at its start."""
    if features.check("raqm"):
        return fine("pictures", "names of all scripts are drawn")
    missing = "libfribidi is missing, so names in Arabic, Hebrew, Thai and the scripts of India are not drawn"
    return warning("pictures", missing, "Install it (Debian: libfribidi0) and start the bot again")


def check_search() -> Finding:
    """Return whether the search and the rules run compiled, or in Python."""
    has_rules = Path(geometry.__file__).suffix != ".py"
    right = "`make install` compiles both, and the container has them compiled"
    if Path(alpha_beta.__file__).suffix == ".py":
        said = "not compiled, so the bot's turns take about sixty times as long"
        return fine("search", f"{said}; the rules are {'' if has_rules else 'not '}compiled; {right}")
    return fine("search", "compiled, with the rules" if has_rules else f"compiled; the rules are not compiled; {right}")


def check_installed_files() -> Iterator[Finding]:
    """Yield whether the units and the command that the guide installs are those of this version, if there are any."""
    there = {name: folder / name for name, folder in INSTALLED.items() if (folder / name).exists()}
    if not there or not HOSTING.exists():
        return
    if old := [str(path) for name, path in there.items() if path.read_bytes() != (HOSTING / name).read_bytes()]:
        right = f"Run `sudo make -C {HOME} service`; what you change belongs into `systemctl edit`"
        yield warning("service", f"not as in this version: {', '.join(old)}", right)
    else:
        yield fine("service", f"as in this version: {', '.join(there)}")


def check_settings_file() -> Iterator[Finding]:
    """Yield a warning if there is a file with the settings that others than its owner can read."""
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


def check_backups(settings: Settings) -> Finding:
    """Return whether the last backup succeeded, and is not older than two days."""
    if settings.backups is None:
        right = "Set it, and let a timer back up each day: see docs/hosting.md"
        return warning("backups", "GIPFBOT_BACKUPS names no folder, so nobody knows whether there are any", right)
    now, ending = datetime.now(UTC), backend_of_url(settings.database_url).backup_ending
    if said := backups_fault(settings.backups, ending, now):
        return warning("backups", said, f"Run `{started_as()} backup --to {settings.backups}`, and look at the timer")
    kept = kept_backups(settings.backups, ending)
    hours = (now - kept[0].made_at) // timedelta(hours=1)
    return fine("backups", f"{len(kept)} in {settings.backups}, the newest {hours} h old")


async def check_updates(settings: Settings) -> AsyncIterator[Finding]:
    """Yield whether a newer version is published, if the settings say where to ask."""
    if settings.updates is None:
        return
    try:
        newest = await ask_newest(settings.updates)
    except NoVersionError as error:
        yield warning("updates", f"GIPFBOT_UPDATES says nothing of newer versions: {error}", "Look at the address")
        return
    if version_numbers(newest) > version_numbers(VERSION):
        yield warning("updates", f"version {newest} is published", f"`{started_as()} update` says how to take it")
    else:
        yield fine("updates", "no newer version is published")


async def check_database(settings: Settings) -> Finding:
    """Return whether this version can read the database, and whether the database is intact."""
    if backend_of_url(settings.database_url).file is None:
        return await _check_server(settings.database_url)
    return await asyncio.to_thread(_check_file, settings)


async def _check_server(url: str) -> Finding:
    """Return whether this version can use the database on a server. The bot would create missing tables."""
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
                is_half_restored = await has_replaced(db)
    except Unusable as error:
        return failed_sentence("database", error)
    finally:
        await store.close()
    if version is None:
        return warning("database", f"{store.name} has no tables yet", "The first start creates them")
    if is_half_restored:
        said = (
            f"{store.name} is being restored, or a restore was cut off: the schema {REPLACED} has what was there before"
        )
        return warning("database", said, "If no restore runs, stop the bot and restore again, which drops the schema")
    if faults:
        said, mends = ("; ".join(parts) for parts in zip(*faults, strict=True))
        return failure("database", f"{store.name} is damaged: {said}", f"Run as its owner: {mends}")
    return _version_finding(store.name, version, size)


def _check_file(settings: Settings) -> Finding:
    """Return whether this version can read the file, and whether SQLite finds it intact."""
    path = _database_path(settings)
    if not path.exists():
        return warning("database", f"there is none at {path} yet", "The first start creates it; after a loss, restore")
    try:
        if fault := file_fault(path.resolve()):
            raise Unusable(fault)
        read_timeline_file(file_beside(path.resolve(), TIMELINE))
        require_own_file(path)
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=10)) as db:
            schema = version_in_file(db)
            faults = [row[0] for row in db.execute("PRAGMA quick_check(3)")]
    except Unusable as error:
        return failed_sentence("database", error)
    except sqlite3.Error as error:
        right = "Stop the bot, keep the file aside, and restore a backup"
        return failure("database", f"{path} cannot be read ({error})", right)
    return _database_finding(path, schema, faults)


def _database_finding(path: Path, schema: str, faults: list[str]) -> Finding:
    if faults != ["ok"]:
        right = "Stop the bot, keep the file aside, and restore a backup"
        return failure("database", f"{path} is damaged: {'; '.join(faults)}", right)
    return _version_finding(str(path), schema, path.stat().st_size)


def _version_finding(name: str, schema: str, size: int) -> Finding:
    if fault := version_fault(name, schema, {}):
        return failed_sentence("database", Unusable(fault))
    age = age_of_version(schema)
    if age is SchemaAge.NEWER:
        right = "Run that version, or restore a backup of this one"
        return failure("database", f"{name} was written by another version of the bot (tables {schema})", right)
    more = {
        SchemaAge.OLDER: f"; the next start brings it to {known_revisions()[0]}",
        SchemaAge.LATER: "; a later version made them, and this one may run on them",
    }.get(age, "")
    return fine("database", f"{name} is whole, {size / MEGABYTE:,.1f} MB, tables {schema}{more}")


def _database_path(settings: Settings) -> Path:
    return Path(make_url(settings.database_url).database or "").absolute()


class _NoAnswerError(Exception):
    """Discord gave no usable answer; the message says why. `next_step` says what to do."""

    def __init__(self, said: str, next_step: str = REACH) -> None:
        super().__init__(said)
        self.next_step = next_step


async def check_discord(settings: Settings) -> AsyncIterator[Finding]:
    """Yield findings on the token, the permissions on servers, and the clock, by asking Discord."""
    headers = {"Authorization": f"Bot {settings.token.get_secret_value()}", "User-Agent": USER_AGENT}
    timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
    async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:
        client = _Client(session, settings.api_url or Route.BASE)
        try:
            yield await _token_finding(client)
            if client.is_known:
                for finding in await _permission_findings(client):
                    yield finding
            yield _clock_finding(client.seconds_ahead)
        except _NoAnswerError as error:
            yield failure("Discord", str(error), error.next_step)


class _Client:
    """Asks Discord. `seconds_ahead` is how far this machine's clock is ahead of Discord's, by the last answer."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session, self.base = session, base
        self.is_known = False
        self.seconds_ahead: float | None = None

    async def get(self, path: str, **query: int) -> tuple[int, Any]:
        """Return the status and the JSON of an answer, None if it is no JSON. Raises _NoAnswerError."""
        try:
            async with self._session.get(f"{self.base}{path}", params=query) as answer:
                if said := answer.headers.get("Date"):
                    self.seconds_ahead = time.time() - parsedate_to_datetime(said).timestamp()
                return answer.status, _json_in(await answer.text(errors="replace"))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _NoAnswerError(f"no answer from {self.base} ({type(error).__name__})") from None


def _json_in(text: str) -> Any:
    """Return the JSON in a text; None if it is none, such as a page of a proxy."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _refused_answer(base: str, status: int, said: Any) -> _NoAnswerError:
    """Return what an answer other than Discord's usual one means. `said` is its JSON."""
    code = said.get("code", 0) if isinstance(said, dict) else 0
    if status == HTTPStatus.TOO_MANY_REQUESTS or meaning_of(status, code) is Means.BLOCKED:
        return _NoAnswerError(f"{base} answers {status}: Discord's own protection blocks this machine for now", WAIT)
    return _NoAnswerError(f"{base} answers {status}" + ("" if said else ", with a page that is not Discord's"))


async def _token_finding(client: _Client) -> Finding:
    status, said = await client.get("/users/@me")
    if status == 401:
        right = "Copy it anew from the developer portal (Bot > Reset Token) into GIPFBOT_TOKEN"
        return failure("token", "Discord does not know it", right)
    if status != 200 or said is None:
        raise _refused_answer(client.base, status, said)
    client.is_known = True
    return fine("token", f"Discord knows it as that of {said['username']}")


async def _permission_findings(client: _Client) -> list[Finding]:
    """Return a finding for each server on which the bot lacks a permission, at most ten findings."""
    servers = await _servers(client)
    lacking = [(server, missing) for server in servers if (missing := _missing_on(server))]
    if not lacking:
        return [fine("permissions", f"all there on {counted(len(servers), 'server')}")]
    right = "Give them to its role, or invite it again with the address in docs/hosting.md"
    lines = [
        warning(
            "permissions",
            f"on {server['name']} ({server['id']}) the bot lacks permissions: {', '.join(missing)}",
            right,
        )
        for server, missing in lacking[:MOST_SERVERS_NAMED]
    ]
    more = len(lacking) - len(lines)
    return lines + (
        [warning("permissions", f"the bot lacks some on {counted(more, 'more server')}", right)] if more else []
    )


async def _servers(client: _Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        status, page = await client.get("/users/@me/guilds", limit=PAGE_LENGTH, after=after)
        if status != 200 or page is None:
            raise _NoAnswerError(f"the list of servers is refused with {status}")
        found += page
        if len(page) < PAGE_LENGTH:
            return found
        after = int(page[-1]["id"])


def _missing_on(server: dict[str, Any]) -> list[str]:
    """Return the names of the permissions that the bot lacks on a server. Channels may forbid more."""
    allowed = discord.Permissions(int(server["permissions"]))
    if allowed.administrator:
        return []
    return [words for name, words in INVITED_WITH.items() if not getattr(allowed, name)]


def _clock_finding(ahead: float | None) -> Finding:
    if ahead is None:
        return warning("clock", "Discord's answer has no time to compare with", "Compare the clock by hand")
    said = f"{abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} Discord's"
    if abs(ahead) > MANY_SECONDS:
        return failure("clock", said, "Set the clock, best by NTP: all deadlines hang on it")
    if abs(ahead) > FEW_SECONDS:
        return warning("clock", said, "Let NTP set the clock")
    return fine("clock", f"within {FEW_SECONDS} s of Discord's")


def run_doctor(argv: Sequence[str]) -> int:
    """Print one line for each finding. Return 0, or 1 if there is a failure, or 2 for wrong input."""
    if argv:
        print(f"usage: {started_as()} doctor", file=sys.stderr)
        return 2
    return asyncio.run(_print_findings())


async def _print_findings() -> int:
    failed = False
    async for finding in examine_all():
        print(finding, flush=True)
        failed = failed or finding.level is Level.FAIL
    return int(failed)


async def examine_all() -> AsyncIterator[Finding]:
    """Yield the findings of each check. If the settings are wrong, checks only them and the versions."""
    for finding in check_versions():
        yield finding
    for finding in check_settings_file():
        yield finding
    try:
        settings = load_settings()
    except SettingsError as error:
        for fault in error.faults:
            yield failure("settings", fault, "Correct it and run the doctor again")
        return
    yield _settings_finding(settings)
    yield check_disk(settings)
    yield await check_database(settings)
    async for finding in check_discord(settings):
        yield finding
    yield check_pictures()
    yield check_search()
    yield check_backups(settings)
    for finding in check_installed_files():
        yield finding
    async for finding in check_updates(settings):
        yield finding


def _settings_finding(settings: Settings) -> Finding:
    try:
        backend_of_url(settings.database_url).check_shards(settings.shards)
    except WrongShards as error:
        return failed_sentence("settings", error)
    given = [name for name in SETTING_NAMES if name.partition("_")[2].lower() in settings.model_fields_set]
    nobody = "" if settings.owner else "; without GIPFBOT_OWNER, nobody is told what needs a hand"
    return fine("settings", f"{', '.join(given)} set, the others as by default{nobody}")
