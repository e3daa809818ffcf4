"""The commands of a host on a database of PostgreSQL."""

import asyncio
import sys
from pathlib import Path

import pytest

from gipfbot import __main__ as bot
from gipfbot.doctor import check_database
from gipfbot.settings import load_settings
from gipfbot.store.schema import known_revisions
from tests.store.helpers import fill_with_a_game
from tests.support import postgres
from tests.support.migrations import NEXT, one_more_migration


@pytest.fixture
def url(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a database with a game of 4 turns. It is that of the settings."""
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", postgres_url)
    monkeypatch.setenv("GIPFBOT_TOKEN", "token")
    asyncio.run(fill_with_a_game(postgres_url))
    return postgres_url


def change(url: str, statement: str) -> None:
    postgres.server().execute(statement, database=url.partition("?")[0].rpartition("/")[2])


def name(url: str) -> str:
    """Return what sentences call the database."""
    database = url.partition("?")[0].rpartition("/")[2]
    return f"postgresql://{postgres.server().folder}/{database}"


def doctors_line() -> str:
    return str(asyncio.run(check_database(load_settings())))


def test_a_sound_database_passes_the_check(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bot.main(["check"]) == 0
    assert capsys.readouterr().out == "1 game with 4 turns, 0 monthly ratings: nothing differs.\n"


def test_the_check_finds_what_differs(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(url, "UPDATE games SET turn_number = 3")
    assert bot.main(["check"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("#a1: ")
    assert said.endswith((" differs.\n", " differ.\n"))


BROKEN_INDEX = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_seats_user'::regclass"
INDEX_SAID, INDEX_MEND = "the index ix_seats_user is not valid", "REINDEX INDEX ix_seats_user"
BROKEN_CONSTRAINT = 'ALTER TABLE seats ADD CONSTRAINT "No guests" CHECK (colour < 2) NOT VALID'
CONSTRAINT_SAID = "the constraint No guests was not checked"
CONSTRAINT_MEND = 'ALTER TABLE seats VALIDATE CONSTRAINT "No guests"'


@pytest.mark.parametrize(
    ("statements", "said", "mend"),
    [
        ([BROKEN_INDEX], INDEX_SAID, INDEX_MEND),
        ([BROKEN_CONSTRAINT], CONSTRAINT_SAID, CONSTRAINT_MEND),
        ([BROKEN_INDEX, BROKEN_CONSTRAINT], f"{INDEX_SAID}; {CONSTRAINT_SAID}", f"{INDEX_MEND}; {CONSTRAINT_MEND}"),
    ],
)
def test_what_the_server_finds_wrong_is_told_with_its_mend(
    url: str, statements: list[str], said: str, mend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for statement in statements:
        change(url, statement)
    assert bot.main(["check"]) == 1
    printed = capsys.readouterr().out
    assert [each for each in said.split("; ") if f"the database is damaged: {each}.\n" not in printed] == []
    assert doctors_line() == f"FAIL  database: {name(url)} is damaged: {said}. Run as its owner: {mend}."
    for statement in mend.split("; "):
        change(url, statement)
    assert doctors_line().startswith(f"ok    database: {name(url)} is whole, ")


def test_the_doctor_says_how_to_get_the_driver(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert doctors_line() == (
        "FAIL  database: asyncpg is not installed, which PostgreSQL needs. Run `make install POSTGRES=yes`, "
        "or build the container with --build-arg REQUIREMENTS=requirements/postgres.txt."
    )


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DROP TABLE alembic_version", "holds no games of this bot: name the bot's database."),
        (
            "UPDATE alembic_version SET version_num = '9999'",
            "was written by a newer version of the bot: update the bot, then check again.",
        ),
    ],
)
def test_only_a_database_of_this_version_is_checked(
    url: str, statement: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(url, statement)
    assert bot.main(["check"]) == 2
    assert capsys.readouterr().err == f"{name(url)} {why}\n"


def test_an_older_database_is_not_checked(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with one_more_migration(tmp_path):
        assert bot.main(["check"]) == 2
    why = "was written by an older version of the bot: check it with that, or start the bot on it."
    assert capsys.readouterr().err == f"{name(url)} {why}\n"


def test_a_server_that_is_away_is_a_sentence(
    url: str,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Nothing is logged, for the log says that the bot goes on."""
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", f"postgresql+asyncpg://gipf:secret@/gipf?host={tmp_path}")
    for command in (["check"], ["ratings", "--rebuild"]):
        assert bot.main(command) == 6
        said = capsys.readouterr().err
        assert said.startswith(f"postgresql://{tmp_path}/gipf cannot be reached (")
        assert "secret" not in said
    line = doctors_line()
    assert line.startswith(f"FAIL  database: postgresql://{tmp_path}/gipf cannot be reached (")
    assert line.endswith("Look at GIPFBOT_DATABASE_URL, and whether the server runs.")
    assert caplog.text == ""


def test_ratings_are_rebuilt(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bot.main(["ratings", "--rebuild"]) == 0
    assert "0 rows, none different" in capsys.readouterr().out


def test_the_doctor_says_how_the_database_is(url: str, tmp_path: Path) -> None:
    assert doctors_line().startswith(f"ok    database: {name(url)} is whole, ")
    assert doctors_line().endswith(f", tables {known_revisions()[0]}.")
    with one_more_migration(tmp_path):
        assert doctors_line().endswith(f"; the next start brings it to {NEXT}.")


def test_the_doctor_finds_an_empty_database_and_a_foreign_one(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = postgres.server().url_for(tmp_path / "empty")
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", empty)
    assert doctors_line() == f"warn  database: {name(empty)} has no tables yet. The first start creates them."
    change(empty, "CREATE TABLE clients (id int)")
    assert doctors_line() == (
        f"FAIL  database: {name(empty)} holds tables of another program. Create an empty database, and name that."
    )


@pytest.mark.parametrize(
    ("shards", "code", "why"),
    [
        (
            "3-9/8",
            10,
            "GIPFBOT_SHARDS is 3-9/8, but of 8 shards the last is 7: write auto, or a range such as 0-3/8.\n",
        ),
        ("all", 2, "GIPFBOT_SHARDS is 'all': write auto, or some of all shards, such as 0-3/8 or 2/8\n"),
    ],
)
def test_wrong_shards_are_a_sentence(
    url: str, shards: str, code: int, why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIPFBOT_SHARDS", shards)
    assert bot.main([]) == code
    assert capsys.readouterr().err.endswith(why)
