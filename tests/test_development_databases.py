"""A database of a development version, from before the first release: every command says so, and changes nothing."""

import asyncio
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from gipfbot import __main__ as bot
from gipfbot.doctor import check_database
from gipfbot.settings import load_settings
from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url, sqlite
from gipfbot.store.schema import LAST_DEVELOPMENT_COMMIT, known_revisions
from gipfbot.values import Unusable
from tests.support import postgres
from tests.support.migrations import NEWEST_DATABASE
from tests.support.paths import HOUSE
from tests.support.postgres import name_in

# 0015 was never used.
VERSIONS = [*(f"{number:04}" for number in range(1, 15)), *(f"{number:04}" for number in range(16, 27))]
NEXT_STEP = f"the last commit that can is {LAST_DEVELOPMENT_COMMIT}."


def old_file(path: Path, version: str = "0025") -> Path:
    """Make a database whose tables have the number of a development version."""
    shutil.copy(NEWEST_DATABASE, path)
    with closing(connect(path)) as db:
        db.execute("UPDATE alembic_version SET version_num = ?", (version,))
        db.commit()
    path.chmod(0o644)
    return path


async def old_database(url: str) -> str:
    """Make such a database on a server."""
    await (await Store.open_database(url)).close()
    postgres.server().execute("UPDATE alembic_version SET version_num = '0025'", database=name_in(url))
    return url


def contents(url: str) -> object:
    """Return all that a database holds. For a file, return its bytes and its mode."""
    if file := backend_of_url(url).file:
        return file.read_bytes(), file.stat().st_mode
    server = postgres.server()
    dump = server.run("pg_dump", f"--host={server.folder}", f"--username={postgres.SUPERUSER}", name_in(url))
    return [line for line in dump.splitlines() if "restrict" not in line]


@pytest.fixture(params=["a file", "a server"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a database of a development version. It is that of the settings."""
    if request.param == "a file":
        url = f"sqlite+aiosqlite:///{old_file(tmp_path / 'club.sqlite3')}"
    else:
        url = asyncio.run(old_database(postgres.server().url_for(tmp_path / "club")))
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", url)
    monkeypatch.setenv("GIPFBOT_TOKEN", "token")
    monkeypatch.setenv("GIPFBOT_HEARTBEAT", str(tmp_path / "heartbeat"))
    return url


def made(name: str) -> str:
    return f"{name} was made by a development version (tables 0025), which this one cannot read"


def sentence(url: str) -> str:
    return f"{made(backend_of_url(url).name)}: {NEXT_STEP}"


def test_the_start_says_so(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(url)
    assert bot.main([]) == 3
    assert capsys.readouterr().err.endswith(f"{sentence(url)}\n")
    assert contents(url) == before


def test_the_doctor_says_so(url: str) -> None:
    before = contents(url)
    line = str(asyncio.run(check_database(load_settings())))
    assert line == f"FAIL  database: {made(backend_of_url(url).name)}. {NEXT_STEP.capitalize()}"
    assert contents(url) == before


def test_the_check_says_so(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(url)
    assert bot.main(["check"]) == 2
    assert capsys.readouterr() == ("", f"{sentence(url)}\n")
    assert contents(url) == before


@pytest.mark.parametrize("is_source", [True, False])
def test_it_is_neither_copied_nor_copied_into(
    url: str, is_source: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, other = contents(url), tmp_path / "other.sqlite3"
    if is_source:
        assert bot.main(["copy", url, str(other)]) == 2
        assert not other.exists()
    else:
        shutil.copy(NEWEST_DATABASE, other)
        assert bot.main(["copy", str(other), url]) == 3
    assert capsys.readouterr().err == f"{sentence(url)}{' Nothing was copied.' * is_source}\n"
    assert contents(url) == before


@pytest.mark.parametrize("url", ["a file"], indirect=True)
def test_a_backup_of_it_is_not_restored(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("club.sqlite3").rename("backup.sqlite3")
    shutil.copy(NEWEST_DATABASE, "club.sqlite3")
    before = contents(url)
    assert bot.main(["restore", "backup.sqlite3"]) == 2
    assert capsys.readouterr().err == f"{made('backup.sqlite3')}: {NEXT_STEP}\nNothing was changed.\n"
    assert contents(url) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_all_development_versions_are_known(version: str, tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{old_file(tmp_path / 'club.sqlite3', version)}"
    with pytest.raises(Unusable, match=rf"a development version \(tables {version}\)"):
        asyncio.run(Store.open_database(url))


def test_a_file_that_was_locked_at_first_is_refused_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nobody could look at it before."""
    monkeypatch.setattr(sqlite, "require_own_file", lambda file: None)
    with pytest.raises(Unusable, match="a development version"):
        asyncio.run(Store.open_database(f"sqlite+aiosqlite:///{old_file(tmp_path / 'club.sqlite3')}"))


def test_no_migration_has_the_number_of_a_development_version() -> None:
    assert not {*known_revisions()} & {*VERSIONS}


def test_the_commit_that_reads_them_is_part_of_this_branch() -> None:
    command = ("git", "merge-base", "--is-ancestor", LAST_DEVELOPMENT_COMMIT, "HEAD")
    assert subprocess.run(command, cwd=HOUSE, check=False).returncode == 0, "no commit of this branch can be told"
