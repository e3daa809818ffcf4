"""Copy a database on PostgreSQL to a file by its own program `pg_dump`, and verify the copy."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

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
_ROWS = re.compile(r"COPY (?:\w+\.)?(alembic_version|games|turns) ")


def dump_database(url: URL, name: str, target: Path) -> Copied:
    """Copy one state of a database to a new file, while others may write it. `name` is that in sentences.

    The file appears as that of `copy_database` does. Raises NoCopy if it is there already, or if `pg_dump` is missing
    or older than the server; NoRoom, Unreachable or another Unusable.
    """
    environment = _environment(url)
    with written_whole(target) as part:
        options = "--format=custom", f"--lock-wait-timeout={PATIENCE}", f"--file={part}"
        said = _run("pg_dump", options, environment)
        if said is not None:
            raise _fault(name, target, said)
        contents = _contents(part, name)
    return Copied(target.stat().st_size, contents)


def _environment(url: URL) -> dict[str, str]:
    given = {"host": url.host, "port": url.port, "user": url.username, "password": url.password, **url.query}
    found = {VARIABLES[part]: str(value) for part, value in given.items() if part in VARIABLES and value is not None}
    return {**os.environ, "LC_ALL": "C", "PGCONNECT_TIMEOUT": "10", **found, "PGDATABASE": url.database or ""}


def _run(program: str, options: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    """Run a program. Return what it says if it fails, else None."""
    command = [_found(program), "--no-password", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    return done.stderr.strip() if done.returncode else None


def _found(program: str) -> str:
    if path := shutil.which(program):
        return path
    right = "install PostgreSQL's client in the server's version or a newer one (Debian: postgresql-client)"
    raise NoCopy(f"{program} is not there, which copies databases on PostgreSQL: {right}.")


def _fault(name: str, target: Path, said: str) -> Exception:
    """Return the error for what `pg_dump` says."""
    if versions := _TOO_OLD.search(said):
        right = f"install PostgreSQL's client in version {versions[1].partition('.')[0]} or newer"
        return NoCopy(f"{name} is on PostgreSQL {versions[1]}, but pg_dump is of version {versions[2]}: {right}.")
    why = said.splitlines()[0].removeprefix("pg_dump: error: ") if said else "it was ended"
    if "No space left" in said or "Disk quota" in said or "File too large" in said:
        return NoRoom(f"{target} cannot be written, because its disk is full: make room, or name a file elsewhere.")
    if "connection to server" in said or "could not translate host" in said:
        right = "look at GIPFBOT_DATABASE_URL, and whether the server runs"
        return Unreachable(f"{name} cannot be reached ({why}): {right}.")
    return Unusable(f"{name} cannot be copied ({why}): look at the log of the server.")


def _contents(dump: Path, name: str) -> Contents:
    """Read a whole copy. Return how many games and turns it holds. Raises Unusable if it is damaged or lacks them."""
    command = [_found("pg_restore"), "--data-only", "--file=-", str(dump)]
    rows, table = dict[str, int](), ""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace"
    ) as read:
        assert read.stdout, "it is a pipe"
        for line in read.stdout:
            if table and line == "\\.\n":
                table = ""
            elif table:
                rows[table] += 1
            elif begun := _ROWS.match(line):
                table = begun[1]
                rows[table] = 0
        failed = read.wait()
    if failed:
        raise Unusable(f"The copy of {name} cannot be read again, so it is deleted: make it anew.")
    if len(rows) < 3:
        raise Unusable(f"{name} holds no games of this bot: name the bot's database.")
    return Contents(rows["games"], rows["turns"])
