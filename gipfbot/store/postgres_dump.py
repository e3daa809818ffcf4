"""Copy a database on PostgreSQL to a file by its own program `pg_dump`, and verify the copy."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL

from gipfbot.values import NoRoom, Unreachable, Unusable

from .backup import Contents, Copied, NoCopy, written_whole

# The variables of PostgreSQL's programs for the parts of a URL. On a command line everybody could read the password.
VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "ssl": "PGSSLMODE",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "krbsrvname": "PGKRBSRVNAME",
}
PATIENCE = "60s"  # for tables that are just being changed
_TOO_OLD = re.compile(r"server version: (\S+?);? .*pg_dump version: (\S+)", re.DOTALL)
READ_TABLES = "alembic_version", "games", "turns"
_ROWS = re.compile(rf"COPY (?:\w+\.)?({'|'.join(READ_TABLES)}) ")
REPLACED = "gipf_replaced"  # the schema of the tables that a restore is about to replace


def dump_database(url: URL, name: str, target: Path) -> Copied:
    """Copy one state of a database to a new file, while others may write it. `name` is that in sentences.

    The file appears as that of `copy_database` does. Raises NoCopy if it is there already, or if `pg_dump` is missing
    or older than the server; NoRoom, Unreachable or another Unusable.
    """
    environment = environment_of(url)
    with written_whole(target) as part:
        options = "--format=custom", f"--lock-wait-timeout={PATIENCE}", f"--exclude-schema={REPLACED}"
        said = _run("pg_dump", (*options, f"--file={part}"), environment)
        if said is not None:
            raise _fault(name, target, said)
        dump = read_dump(part)
        if dump is None:
            raise Unusable(f"The copy of {name} cannot be read again, so it is deleted: make it anew.")
        if dump.version is None:
            raise Unusable(f"{name} holds no games of this bot: name the bot's database.")
    return Copied(target.stat().st_size, dump.contents)


def environment_of(url: URL) -> dict[str, str]:
    """Return the environment in which PostgreSQL's programs use the database of a URL."""
    given = {"host": url.host, "port": url.port, "user": url.username, "password": url.password, **url.query}
    found = {VARIABLES[part]: str(value) for part, value in given.items() if part in VARIABLES and value is not None}
    return {**os.environ, "LC_ALL": "C", "PGCONNECT_TIMEOUT": "10", **found, "PGDATABASE": url.database or ""}


def _run(program: str, options: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    """Run a program. Return what it says if it fails, else None."""
    command = [program_path(program), "--no-password", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    return done.stderr.strip() if done.returncode else None


def program_path(program: str) -> str:
    """Return where a program of PostgreSQL is. Raises NoCopy if it is not installed."""
    if path := shutil.which(program):
        return path
    right = "install PostgreSQL's client in the server's version or a newer one (Debian: postgresql-client)"
    raise NoCopy(f"{program} is not there, which backups on PostgreSQL need: {right}.")


def is_full(said: str) -> bool:
    """Return whether a program says that a disk is full."""
    return any(words in said for words in ("No space left", "Disk quota", "File too large"))


def _fault(name: str, target: Path, said: str) -> Exception:
    """Return the error for what `pg_dump` says."""
    if versions := _TOO_OLD.search(said):
        right = f"install PostgreSQL's client in version {versions[1].partition('.')[0]} or newer"
        return NoCopy(f"{name} is on PostgreSQL {versions[1]}, but pg_dump is of version {versions[2]}: {right}.")
    why = said.splitlines()[0].removeprefix("pg_dump: error: ") if said else "it was ended"
    if is_full(said):
        return NoRoom(f"{target} cannot be written, because its disk is full: make room, or name a file elsewhere.")
    if "connection to server" in said or "could not translate host" in said:
        right = "look at GIPFBOT_DATABASE_URL, and whether the server runs"
        return Unreachable(f"{name} cannot be reached ({why}): {right}.")
    return Unusable(f"{name} cannot be copied ({why}): look at the log of the server.")


class Dump(NamedTuple):
    """What a dump holds. `version` is the number of its tables' newest migration; None without games of this bot."""

    contents: Contents
    version: str | None


def read_dump(file: Path) -> Dump | None:
    """Read a whole dump. Return what it holds; None if it is damaged or no dump. Raises NoCopy."""
    command = [program_path("pg_restore"), "--data-only", "--file=-", str(file)]
    rows, table, version = dict[str, int](), "", ""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace"
    ) as read:
        assert read.stdout, "it is a pipe"
        for line in read.stdout:
            if table and line == "\\.\n":
                table = ""
            elif table:
                rows[table] += 1
                version = line.strip() if table == "alembic_version" else version
            elif begun := _ROWS.match(line):
                table = begun[1]
                rows[table] = 0
        failed = read.wait()
    if failed:
        return None
    is_ours = len(rows) == len(READ_TABLES)
    return Dump(Contents(rows.get("games", 0), rows.get("turns", 0)), version if is_ours else None)
