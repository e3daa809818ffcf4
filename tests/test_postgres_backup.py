"""`bot.py backup` on a database of PostgreSQL: a verified dump of `pg_dump`, and a sentence whenever there is none."""

import asyncio
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gipfbot import __main__ as bot
from gipfbot.doctor import check_database
from gipfbot.settings import load_settings
from gipfbot.store import tables
from gipfbot.store.backends import backend_of_url
from gipfbot.store.backup_folder import FAILURE, kept_backups
from gipfbot.store.postgres_dump import REPLACED
from gipfbot.store.postgres_restore import load_dump
from gipfbot.store.timeline_file import COPY_KEY
from gipfbot.values import Shards, Unusable
from tests.store.helpers import fill_with_a_game
from tests.support import postgres
from tests.support.postgres import name_in

PROGRAMS = "pg_dump", "pg_restore"


@pytest.fixture
def url(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a database with a game of 4 turns. It is that of the settings."""
    (tmp_path / "backups").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{postgres.binaries()}:{os.environ['PATH']}")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", postgres_url)
    asyncio.run(fill_with_a_game(postgres_url))
    return postgres_url


def name(url: str) -> str:
    """Return what sentences call the database."""
    return f"postgresql://{postgres.server().folder}/{name_in(url)}"


def pretend(program: str, script: str, folder: Path) -> None:
    """Put a program of this name before the real one."""
    place = folder / "programs"
    place.mkdir(exist_ok=True)
    (place / program).write_text(f"#!/bin/sh\n{script}\n")
    (place / program).chmod(0o755)


@pytest.fixture
def programs(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder whose `programs` are found before the real ones."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}:{os.environ['PATH']}")
    return tmp_path


def test_a_dump_is_verified_and_counted(url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What it holds can be put into an empty database, and passes the check."""
    assert bot.main(["backup", "club.dump"]) == 0
    dump = tmp_path / "club.dump"
    assert (
        capsys.readouterr().out == f"club.dump: {dump.stat().st_size / 1000:.1f} kB, 1 game with 4 turns, verified.\n"
    )
    assert dump.stat().st_mode & 0o777 == 0o600
    server = postgres.server()
    other = server.url_for(tmp_path / "other")
    shutil.copyfile(dump, server.folder / "club.dump")
    server.run("pg_restore", f"--host={server.folder}", "--username=gipf", f"--dbname={name_in(other)}", "club.dump")
    os.environ["GIPFBOT_DATABASE_URL"] = other  # the fixture takes it back
    assert bot.main(["check"]) == 0
    assert capsys.readouterr().out.startswith("1 game with 4 turns, ")


def test_a_folder_of_dumps_is_kept_short(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day in range(1, 20):
        (tmp_path / "backups" / f"gipf-202611{day:02}-000000.dump").touch()
    assert bot.main(["backup", "--to", "backups", "--keep", "3"]) == 0
    newest, *older = kept_backups(tmp_path / "backups")
    assert newest.path.suffix == ".dump"
    assert [each.path.name[:13] for each in older] == ["gipf-20261119", "gipf-20261118"]


def test_others_write_meanwhile(url: str, programs: Path) -> None:
    """The bot plays on, and what is written after the begin is not in the copy."""
    real = shutil.which("pg_restore", path=str(postgres.binaries()))
    psql = f"psql --quiet --host={postgres.server().folder} --username=gipf {name_in(url)}"
    pretend("pg_restore", f'{psql} -c "UPDATE games SET version = 9"\nexec {real} "$@"', programs)
    assert bot.main(["backup", "club.dump"]) == 0
    assert postgres.server().execute("SELECT version FROM games", database=name_in(url)) == [(9,)]


def test_an_existing_file_is_never_replaced(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "club.dump").write_text("dear")
    assert bot.main(["backup", "club.dump"]) == 2
    assert capsys.readouterr().err == "club.dump exists already and is left as it is: name a new file.\n"
    assert (tmp_path / "club.dump").read_text() == "dear"


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_missing_program_is_a_sentence(
    program: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (other,) = {*PROGRAMS} - {program}
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / other).symlink_to(postgres.binaries() / other)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert bot.main(["backup", "--to", "backups"]) == 2
    assert capsys.readouterr().err.startswith(f"{program} is not there, which backups on PostgreSQL need: install ")
    assert {path.name for path in (tmp_path / "backups").iterdir()} == {FAILURE}


NEWER = "install PostgreSQL's client in version 17 or newer."
OLDER = """cat >&2 <<'END'
pg_dump: error: aborting because of server version mismatch
pg_dump: detail: server version: 17.6 (Debian 17.6-1); pg_dump version: 15.14 (Debian 15.14-0)
END
exit 1"""


@pytest.mark.parametrize(
    ("program", "script", "code", "sentence"),
    [
        (
            "pg_dump",
            OLDER,
            2,
            f"{{}} is on PostgreSQL 17.6, but pg_dump is of version 15.14: {NEWER}",
        ),
        (
            "pg_dump",
            "echo 'pg_dump: error: query failed: ERROR:  permission denied' >&2; exit 1",
            3,
            "{} cannot be copied (query failed: ERROR:  permission denied): look at the log of the server.",
        ),
        ("pg_dump", "kill -9 $$", 3, "{} cannot be copied (it was ended): look at the log of the server."),
        ("pg_restore", "exit 1", 3, "The copy of {} cannot be read again, so it is deleted: make it anew."),
        ("pg_restore", "exit 0", 3, "{} holds no games of this bot: name the bot's database."),
    ],
)
def test_what_goes_wrong_is_a_sentence(
    program: str, script: str, code: int, sentence: str, url: str, programs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no file, and nothing else is deleted."""
    older = programs / "backups" / "gipf-20200101-000000.dump"
    older.touch()
    pretend(program, script, programs)
    assert bot.main(["backup", "--to", "backups"]) == code
    assert capsys.readouterr().err == f"{sentence.format(name(url))}\nNo older backup was deleted.\n"
    assert {path.name for path in older.parent.iterdir()} == {older.name, FAILURE}


def test_a_server_that_is_away_is_a_sentence(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", f"postgresql+asyncpg://gipf:secret@/gipf?host={tmp_path}")
    assert bot.main(["backup", "club.dump"]) == 6
    said = capsys.readouterr().err
    assert said.startswith(f"postgresql://{tmp_path}/gipf cannot be reached (connection to server on socket ")
    assert "secret" not in said


def test_a_database_of_another_program_is_not_copied(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = postgres.server().url_for(tmp_path / "other")
    postgres.server().execute("CREATE TABLE letters (text text)", database=name_in(other))
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", other)
    assert bot.main(["backup", "club.dump"]) == 3
    assert capsys.readouterr().err == f"{name(other)} holds no games of this bot: name the bot's database.\n"


def test_a_full_disk_is_a_sentence(url: str, programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On which `pg_dump` itself fails."""
    pretend("pg_dump", f'exec {postgres.binaries() / "pg_dump"} "$@" --file=/dev/full', programs)
    assert bot.main(["backup", "--to", "backups"]) == 5
    said = capsys.readouterr().err
    assert re.match(r"backups/gipf-.*\.dump cannot be written, because its disk is full: make room, or name", said)
    assert {path.name for path in (programs / "backups").iterdir()} == {FAILURE}


@pytest.mark.parametrize("form", ["postgresql+asyncpg ssl", "postgresql sslmode", "postgres sslmode"])
def test_the_password_stands_on_no_command_line(
    form: str, url: str, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody on the machine can read those. The other parts of the URL arrive as well."""
    pretend("pg_dump", 'echo "$@" > arguments; env > environment; exit 1', programs)
    scheme, ssl = form.split()
    given = f"{scheme}://ann:shibboleth%40hush@db.example:5433/club?{ssl}=require&target_session_attrs=read-write"
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", given)
    assert bot.main(["backup", "club.dump"]) == 3
    assert not re.search("shibboleth|hush", (programs / "arguments").read_text())
    environment = {*(programs / "environment").read_text().splitlines()}
    assert environment > {
        "PGHOST=db.example",
        "PGPORT=5433",
        "PGUSER=ann",
        "PGPASSWORD=shibboleth@hush",
        "PGDATABASE=club",
    }
    assert environment > {"PGSSLMODE=require", "PGTARGETSESSIONATTRS=read-write"}


def rows(url: str, *statements: str) -> list[Any]:
    """Run statements as the superuser. Return the rows of the last."""
    return postgres.server().execute(*statements, database=name_in(url))


ALL_TABLES = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname !~ '^pg_|^information_schema' ORDER BY 1, 2"


@pytest.fixture
def dump(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a backup of the database, which has changed since, and has got a table of a later version."""
    assert bot.main(["backup", "backups/club.dump"]) == 0
    rows(url, "UPDATE games SET version = version + 5")
    rows(url, "CREATE TABLE later (game bigint REFERENCES games)")
    rows(url, "INSERT INTO later SELECT id FROM games")
    rows(url, "INSERT INTO games SELECT (jsonb_populate_record(games, '{\"id\": 900}')).* FROM games LIMIT 1")
    rows(url, "SELECT setval('games_id_seq', 900)")
    capsys.readouterr()
    return tmp_path / "backups" / "club.dump"


def test_a_dump_takes_the_place_of_the_database(url: str, dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was there is kept as a dump, tables of a later version included. The copy notes what it tells."""
    before = rows(url, "SELECT id, version FROM games ORDER BY id")
    assert bot.main(["restore", "backups/club.dump"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{name(url)} is now the backup backups/club.dump: 1 game with 4 turns."
    assert "tells the players of the 1 running game that went back" in said[-1]
    assert "Running games that began after the backup, and are lost: 1." in said
    assert len(rows(url, ALL_TABLES)) == len(tables.metadata.tables) + 1  # and Alembic's
    assert {schema for schema, _ in rows(url, ALL_TABLES)} == {"public"}
    assert rows(url, "SELECT id, version FROM games") == [(1, before[0][1] - 5)]
    ((note,),) = rows(url, f"SELECT value FROM meta WHERE key = '{COPY_KEY}'")
    assert (json.loads(note)["sequences"]["games"], json.loads(note)["went_back"]) == (900, [1])
    (kept,) = dump.parent.glob("gipf-replaced-*.dump")
    assert f"The replaced database is kept as {kept.relative_to(dump.parent.parent)}." in said[1]
    assert kept.stat().st_mode & 0o777 == 0o600
    assert bot.main(["restore", "--anyway", str(kept)]) == 0
    assert rows(url, "SELECT id, version FROM games ORDER BY id") == before
    assert rows(url, "SELECT * FROM later") == [(1,)]


def refused(url: str, backup: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return why a backup is not restored. All tables, games and files are as before."""
    query, folder = "SELECT id, version FROM games ORDER BY id", Path("backups")
    before = rows(url, ALL_TABLES), rows(url, query), {*folder.iterdir()}
    capsys.readouterr()
    assert bot.main(["restore", backup]) in (2, 4, 5)
    assert (rows(url, ALL_TABLES), rows(url, query), {*folder.iterdir()}) == before
    return capsys.readouterr().err


def test_a_dump_that_does_not_replay_is_refused(url: str, dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables that were there come back. With `--anyway`, it is restored as it is."""
    rows(url, "DELETE FROM turns WHERE turn_number = 2")
    assert bot.main(["backup", "backups/wrong.dump"]) == 0
    rows(url, "UPDATE games SET version = 50")
    said = refused(url, "backups/wrong.dump", capsys)
    assert said.startswith("backups/wrong.dump does not replay: ")
    assert "#a1: " in said
    assert said.endswith("Nothing was changed.\n")
    assert rows(url, "SELECT * FROM later") == [(1,)]
    assert bot.main(["restore", "--anyway", "backups/wrong.dump"]) == 0
    assert (50,) not in rows(url, "SELECT version FROM games")


def spoil_version(url: str) -> None:
    rows(url, "UPDATE alembic_version SET version_num = '98.0_0001'")


def spoil_games(url: str) -> None:
    rows(url, "ALTER TABLE turns RENAME TO draws")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (spoil_version, "was written by a newer version of the bot: update the bot, then restore it."),
        (spoil_games, "holds no games of this bot: name another backup."),
    ],
)
def test_a_dump_that_this_version_cannot_use_is_refused(
    spoil: Callable[[str], None], why: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, other = postgres.server(), postgres.server().url_for(tmp_path / "other")
    asyncio.run(fill_with_a_game(other))
    spoil(other)
    server.run(
        "pg_dump", "--format=custom", "--file=other.dump", f"--host={server.folder}", "-U", "gipf", name_in(other)
    )
    shutil.copyfile(server.folder / "other.dump", "other.dump")
    assert refused(url, "other.dump", capsys) == f"other.dump {why}\nNothing was changed.\n"


@pytest.mark.parametrize("kept", [0, 1, 1000])
def test_a_file_that_is_no_whole_dump_is_refused(
    kept: int, url: str, dump: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump.write_bytes(dump.read_bytes()[:-kept] if kept else b"SQLite format 3")
    damaged = "is damaged, or no backup of a database on PostgreSQL: name another backup."
    assert refused(url, "backups/club.dump", capsys) == f"backups/club.dump {damaged}\nNothing was changed.\n"


async def restore_beside_a_bot(url: str) -> int:
    async with backend_of_url(url).hold(Shards(0, 3, 8)):
        return await asyncio.to_thread(bot.main, ["restore", "backups/club.dump"])


def test_no_process_may_run_meanwhile(url: str, dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(restore_beside_a_bot(url)) == 4
    assert "is in use by another process" in capsys.readouterr().err
    assert len(rows(url, "SELECT * FROM later")) == 1


@pytest.mark.parametrize(
    ("program", "script", "why"),
    [
        ("psql", "head -c 3000 >/dev/null; kill -9 $$", "(it was cut off): "),
        ("psql", 'echo "ERROR:  could not extend: No space left on device" >&2; exit 3', "is full: make room"),
        (
            "pg_restore",
            r'case "$*" in --data-only*) exec {real} "$@";; esac; {real} "$@" | sed "/^.\.$/q"; exit 1',
            "cut off",
        ),
    ],
)
def test_a_restore_that_is_cut_off_changes_nothing(
    program: str, script: str, why: str, url: str, dump: Path, programs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even if one before was killed, and has left tables."""
    rows(url, f"CREATE SCHEMA {REPLACED}", f"CREATE TABLE {REPLACED}.games (id int)")
    pretend(program, script.format(real=postgres.binaries() / program), programs)
    assert bot.main(["restore", "backups/club.dump"]) in (2, 5)
    said = refused(url, "backups/club.dump", capsys)
    assert why in said
    assert said.endswith("Nothing was changed.\n")


def test_ctrl_c_changes_nothing(url: str, dump: Path, programs: Path) -> None:
    """Even if only this process hears of it, and the tables are loaded nevertheless."""
    pretend("psql", f'kill -INT $PPID; exec {postgres.binaries() / "psql"} "$@"', programs)
    before = rows(url, ALL_TABLES), {*dump.parent.iterdir()}
    assert bot.main(["restore", "backups/club.dump"]) == 130
    assert (rows(url, ALL_TABLES), {*dump.parent.iterdir()}) == before


def test_half_a_dump_is_never_committed(url: str, dump: Path, programs: Path) -> None:
    """Here all tables are made, and no rows follow."""
    pretend("pg_restore", f"{postgres.binaries() / 'pg_restore'} \"$@\" | sed '/^COPY/Q'; exit 1", programs)
    with pytest.raises(Unusable, match="cut off"):
        load_dump(backend_of_url(url).url, "club", dump)
    assert {schema for schema, _ in rows(url, ALL_TABLES)} == {"public"}


def test_a_user_who_may_make_no_schema_is_told_so(
    url: str, dump: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows(url, "DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    rows(url, "GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
    rows(url, "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO guest")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", url.replace("gipf@", "guest@"))
    try:
        said = refused(url, "backups/club.dump", capsys)
    finally:
        rows(url, "DROP OWNED BY guest", "DROP ROLE guest")
    assert f"(permission denied for database {name_in(url)}): let the user in GIPFBOT_DATABASE_URL own" in said


def test_a_restore_that_fails_names_what_was_there(
    url: str, dump: Path, programs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another restore of the kept dump brings it back."""
    before = rows(url, "SELECT id, version FROM games ORDER BY id")
    real = f"{postgres.binaries() / 'psql'} --host={postgres.server().folder} --username=gipf {name_in(url)}"
    spoils = "DELETE FROM turns WHERE turn_number = 2; CREATE VIEW later AS SELECT 1"
    pretend("psql", f'{real} "$@" || exit 3; {real} -c "{spoils}" </dev/null >&2', programs)
    assert bot.main(["restore", "backups/club.dump"]) == 1
    said = capsys.readouterr().err
    (kept,) = dump.parent.glob("gipf-replaced-*.dump")
    assert re.search(r"It cannot be undone \(.*\"later\" already exists", said)
    assert f"what was there before is in backups/{kept.name}. Restore again.\n" in said
    (programs / "programs" / "psql").unlink()
    rows(url, "DROP VIEW later")
    assert bot.main(["restore", "--anyway", f"backups/{kept.name}"]) == 0
    assert rows(url, "SELECT id, version FROM games ORDER BY id") == before
    assert {schema for schema, _ in rows(url, ALL_TABLES)} == {"public"}


def test_an_older_server_is_asked_for_no_newer_limit(url: str, dump: Path, programs: Path) -> None:
    """Which a newer client sets at the begin."""
    real = postgres.binaries() / "pg_restore"
    pretend("pg_restore", f'test $1 = --data-only || echo "SET unheard_timeout = 0;"\nexec {real} "$@"', programs)
    assert bot.main(["restore", "backups/club.dump"]) == 0


def test_what_a_killed_restore_has_left_is_in_no_backup(url: str, tmp_path: Path) -> None:
    """The doctor names it, and the next restore drops it."""
    rows(url, f"CREATE SCHEMA {REPLACED}", f"CREATE TABLE {REPLACED}.seats (id int)")
    assert bot.main(["backup", "backups/club.dump"]) == 0
    settings = load_settings(token="none", database_url=url, heartbeat=tmp_path / "heartbeat")
    said = f"{name(url)} is being restored, or a restore was cut off: the schema {REPLACED} has what was there before."
    assert said in str(asyncio.run(check_database(settings)))
    assert bot.main(["restore", "backups/club.dump"]) == 0
    assert str(asyncio.run(check_database(settings))).startswith("ok ")
    assert {schema for schema, _ in rows(url, ALL_TABLES)} == {"public"}


def test_a_dump_fills_an_empty_database(
    url: str, dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to keep."""
    other = postgres.server().url_for(tmp_path / "other")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", other)
    assert bot.main(["restore", "backups/club.dump"]) == 0
    assert "tells the players of all running games" in capsys.readouterr().out
    assert [*dump.parent.glob("gipf-replaced-*")] == []
    assert bot.main(["check"]) == 0
