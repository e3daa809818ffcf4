"""`bot.py backup` on a database of PostgreSQL: a verified dump of `pg_dump`, and a sentence whenever there is none."""

import asyncio
import os
import re
import shutil
from pathlib import Path

import pytest

from gipfbot import __main__ as bot
from gipfbot.store.backup_folder import FAILURE, kept_backups
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
    assert capsys.readouterr().err.startswith(f"{program} is not there, which copies databases on PostgreSQL: install ")
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
    given = f"{scheme}://ann:hu%40sh@db.example:5433/club?{ssl}=require&target_session_attrs=read-write"
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", given)
    assert bot.main(["backup", "club.dump"]) == 3
    assert "hu" not in (programs / "arguments").read_text().replace("club.dump", "")
    environment = {*(programs / "environment").read_text().splitlines()}
    assert environment > {"PGHOST=db.example", "PGPORT=5433", "PGUSER=ann", "PGPASSWORD=hu@sh", "PGDATABASE=club"}
    assert environment > {"PGSSLMODE=require", "PGTARGETSESSIONATTRS=read-write"}
