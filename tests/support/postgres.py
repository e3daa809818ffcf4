"""A PostgreSQL server for the tests: in a folder of its own, as a user without rights, on a socket of its own.

Each process of pytest starts one when the first test needs it. Nothing on it outlives the run.
"""

import asyncio
import atexit
import ctypes
import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import NullPool
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tests.support.times import HANGS

SUPERUSER = "gipf"
END_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
# Far quicker than a new copy. Only tables that have got rows are touched.
EMPTY = """
DO $$
DECLARE
    name text;
    has_rows boolean;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
        IF has_rows THEN
            EXECUTE format('DELETE FROM %I', name);
        END IF;
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
        EXECUTE format('ALTER SEQUENCE %I RESTART', name);
    END LOOP;
END $$
"""
# What a database consists of besides rows. A later test gets no database in which any of it has changed.
SHAPE = """
SELECT count(*), sum(hashtext(relname)), sum(relnatts), count(relacl),
       (SELECT count(*) FROM pg_trigger),
       (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace OR proacl IS NOT NULL),
       (SELECT count(*) FROM pg_constraint WHERE convalidated),
       (SELECT count(*) FROM pg_index WHERE indisvalid),
       (SELECT count(*) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'),
       (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = here.oid),
       here.datconnlimit, here.datallowconn, here.datacl::text, here.datdba,
       CASE WHEN to_regclass('alembic_version') IS NOT NULL
            THEN query_to_xml('SELECT version_num FROM alembic_version', true, true, '')::text END
FROM pg_database here LEFT JOIN pg_class ON relnamespace = 'public'::regnamespace
WHERE here.datname = current_database() GROUP BY here.oid
"""
MOST_CLEAN = 4  # so many databases of one shape are emptied for later tests
T = TypeVar("T")
Shape: TypeAlias = tuple[object, ...]
# Nothing here has to survive a loss of power, so nothing waits for the disk.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "max_connections": "200",
    "log_min_messages": "fatal",
}
PR_SET_PDEATHSIG = 1


def name_in(url: str) -> str:
    """Return the name of the database in an address."""
    return url.partition("?")[0].rpartition("/")[2]


class Server:
    """A running server."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gipf-pg-"))
        self._user = _unprivileged_user()
        if self._user:
            os.chown(self.folder, *self._user)
        self._settings = {**SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        self._make_cluster()
        self.process = self.start()
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, daemon=True).start()
        self._engines = dict[str, AsyncEngine]()  # for the superuser, who stays connected to one database
        self._lookers = dict[str, AsyncEngine]()  # with a connection to a database that stands for a file
        self._numbers = itertools.count(1)
        self._names = dict[Path, str]()  # the databases that stand for files
        self._kept = set[Path]()  # those that stay for the run
        self._often = set[str]()  # databases to which the superuser stays connected
        self._shapes = dict[str, Shape]()  # what the copies of a database without rows consist of
        self._clean = defaultdict[Shape | None, list[str]](list)  # databases without rows that nobody uses
        atexit.register(self.remove)

    def _make_cluster(self) -> None:
        version = int(re.findall(r"\d+", self.run("postgres", "--version"))[0])
        # Texts are ordered as people do, unless a column says otherwise.
        sorting = ("--locale-provider=icu", "--icu-locale=en") if version >= 15 else ()
        options = "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", *sorting
        self.run("initdb", f"--pgdata={self.data}", f"--username={SUPERUSER}", *options)

    @property
    def data(self) -> Path:
        """Where the server keeps everything."""
        return self.folder / "data"

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of PostgreSQL, or another, as the server's user in its folder. Return what it prints."""
        done = subprocess.run(
            [shutil.which(program, path=f"{binaries()}:{os.environ['PATH']}") or program, *arguments],
            **self._as_user(),
            check=False,
            capture_output=True,
            text=True,
            timeout=HANGS,
        )
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def _as_user(self) -> dict[str, Any]:
        where = {"cwd": self.folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}}
        return {**where, "user": self._user[0], "group": self._user[1], "extra_groups": []} if self._user else where

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the server, and wait until it answers."""
        given = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [binaries() / "postgres", "-D", self.data, *given],
                **self._as_user(),
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent,  # noqa: PLW1509 - it takes no lock
            )
        until = time.monotonic() + HANGS
        ready = [str(binaries() / "pg_isready"), "--quiet", f"--host={self.folder}", "--dbname=postgres"]
        while subprocess.run(ready, check=False).returncode:
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.02)
        return self.process

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server: at once for those who are connected, but in order. SIGQUIT is as hard as a crash."""
        self.process.send_signal(how)
        self.process.wait(HANGS)

    def restart(self) -> None:
        """End the server, which cuts all connections, and start it again with all that it holds."""
        self._disconnect()
        self.stop()
        self.start()

    def remove(self) -> None:
        """End the server, and delete all that it held."""
        self._disconnect()
        if self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _disconnect(self) -> None:
        for name in {*self._engines, *self._lookers}:
            self._leave(name)

    def url(self, database: str, user: str = SUPERUSER) -> str:
        """Return the URL of a database on this server."""
        return f"postgresql+asyncpg://{user}@/{database}?host={self.folder}"

    def in_loop(self, work: Awaitable[T]) -> T:
        """Return what work on the server returns, from a thread that has a loop or none."""
        done: Future[T] = asyncio.run_coroutine_threadsafe(_await(work), self._loop)
        return done.result(HANGS)

    def execute(self, *statements: str, database: str = "postgres") -> list[Any]:
        """Run statements as the superuser, each for itself. Return the rows of the last."""
        return self.in_loop(self._execute(statements, database))

    async def _execute(self, statements: tuple[str, ...], database: str) -> list[Any]:
        engine = self._engines.get(database)
        if engine is None:
            kept = {} if database in {"postgres", *self._often} else {"poolclass": NullPool}
            engine = create_async_engine(self.url(database), isolation_level="AUTOCOMMIT", **kept)
            if kept == {}:
                self._engines[database] = engine
        rows = list[Any]()
        async with engine.connect() as db:
            for statement in statements:
                done = await db.exec_driver_sql(statement)
                rows = [tuple(row) for row in done] if done.returns_rows else []
        return rows

    def url_for(self, path: Path) -> str:
        """Return the URL of the database that stands for a file: an empty one, unless there is one already."""
        if path not in self._names:
            self._take(path, "template0")
        return self.url(self._names[path])

    def copy_for(self, original: Path, path: Path) -> str:
        """Return the URL of a copy of a database that has tables and no rows."""
        self._take(path, self._names[original])
        self._often.add(self._names[path])
        return self.url(self._names[path])

    def _take(self, path: Path, template: str) -> None:
        """Make a copy of a database without rows, or take one that an earlier test has left."""
        if clean := self._clean[self._shapes.get(template)]:
            self._names[path] = clean.pop()
            return
        self._create(path, template)
        if template not in self._shapes:
            self._shapes[template] = self._shape_of(self._names[path])

    def _shape_of(self, name: str, *first: str) -> Shape:
        """Run statements in a database. Return what it then consists of."""
        (shape,) = self.execute(*first, SHAPE, database=name)
        return tuple(shape)

    def _create(self, path: Path, template: str) -> None:
        self._names[path] = f"t{next(self._numbers)}"
        self._leave(template)
        # A copy of the files costs the server less than half as much as one through its log.
        self.execute(f"CREATE DATABASE {self._names[path]} TEMPLATE {template} STRATEGY file_copy")

    def keep(self, path: Path) -> bool:
        """Keep the database that stands for a file for the rest of the run. Return whether it was kept before."""
        known = path in self._kept
        self._kept.add(path)
        return known

    def keep_copy(self, path: Path, kept: Path) -> None:
        """Copy a database that nobody uses, for the rest of the run."""
        self._create(kept, self._names[path])
        self._kept.add(kept)

    def use_copy(self, kept: Path, path: Path) -> None:
        """Make a database that is a copy of one that was kept."""
        if path not in self._names:
            self._create(path, self._names[kept])

    def execute_with(self, path: Path, statement: str, values: Sequence[object]) -> list[Any]:
        """Run a statement with `?` for each value. Return its rows. One connection is kept for the next time."""
        parts = statement.split("?")
        numbered = parts[0] + "".join(f"${number}{part}" for number, part in enumerate(parts[1:], 1))
        return self.in_loop(self._execute_with(self._names[path], numbered, tuple(values)))

    async def _execute_with(self, name: str, statement: str, values: tuple[object, ...]) -> list[Any]:
        if name not in self._lookers:
            options: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "pool_size": 1, "pool_pre_ping": True}
            self._lookers[name] = create_async_engine(
                self.url(name), json_deserializer=str, **options
            )  # JSON as stored
        async with self._lookers[name].connect() as db:
            done = await db.exec_driver_sql(statement, values)
            return [tuple(row) for row in done] if done.returns_rows else []

    def _leave(self, name: str) -> None:
        """Close the connections to a database that were kept."""
        for engine in self._lookers.pop(name, None), self._engines.pop(name, None):
            if engine:
                self.in_loop(engine.dispose())

    def wait_until_unused(self, path: Path) -> None:
        """Wait until nobody is connected to a database."""
        self._leave(self._names[path])
        used = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{self._names[path]}'"
        until = time.monotonic() + HANGS
        while self.execute(used) != [(0,)]:
            assert time.monotonic() < until, "somebody stays connected"
            time.sleep(0.02)

    def clean_up(self, but: Path) -> None:
        """Empty or drop all databases but this and those that are kept, even if somebody is still connected."""
        for path in [path for path in self._names if path != but and path not in self._kept]:
            name = self._names.pop(path)
            shape: Shape | None = None
            with suppress(DBAPIError):  # nobody may connect to it any more, or it is gone
                shape = self._shape_of(name, END_OTHERS, EMPTY)
            if shape in self._shapes.values() and len(self._clean[shape]) < MOST_CLEAN:
                self._clean[shape].append(name)
            else:
                self._drop(name)

    def _drop(self, name: str) -> None:
        self._leave(name)
        self._often.discard(name)
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def dump(self, path: Path, backup: Path) -> None:
        """Copy the rows of a database to a file, while others may use it."""
        options = "--format=custom", "--data-only", "--exclude-table=alembic_version", f"--file={self.folder / 'dump'}"
        self.run("pg_dump", *options, *self._whom(self._names[path]))
        shutil.copyfile(self.folder / "dump", backup)

    def restore(self, backup: Path, path: Path) -> None:
        """Replace the rows of a database by those that `dump` has written. Its tables must still be the same."""
        name = self._names[path]
        self.execute(END_OTHERS, EMPTY, database=name)
        shutil.copyfile(backup, self.folder / "restored")
        (self.folder / "restored").chmod(0o644)
        options = "--data-only", "--disable-triggers", "--exit-on-error"
        self.run("pg_restore", *options, *self._whom(name), str(self.folder / "restored"))

    def _whom(self, database: str) -> tuple[str, ...]:
        return f"--host={self.folder}", f"--username={SUPERUSER}", f"--dbname={database}"


async def _await(work: Awaitable[T]) -> T:
    return await work


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _unprivileged_user() -> tuple[int, int] | None:
    """Return user and group for the server, which refuses to run as root. None to stay who we are."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return found.pw_uid, found.pw_gid
    raise AssertionError("there is no user without rights")


@cache
def binaries() -> Path:
    """Return where the programs of PostgreSQL are: those on the path, or else the newest of Debian."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    assert found, "PostgreSQL is not installed (Debian: the package postgresql)"
    return found[-1].parent


_SERVERS = list[Server]()


def server() -> Server:
    """Return the server of this process of pytest."""
    if not _SERVERS:
        _SERVERS.append(Server())
    return _SERVERS[0]


def use_server(**settings: str) -> None:
    """Let `server` be one with these settings. Call it before the first use."""
    assert not _SERVERS, "a server runs already"
    _SERVERS.append(Server(**settings))


def is_running() -> bool:
    """Return whether a test has needed the server."""
    return bool(_SERVERS)
