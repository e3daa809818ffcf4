"""The host's settings are read and checked. Each fault is one sentence with the variable and the remedy."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gipfbot import settings
from gipfbot.settings import SettingsError, load_settings
from gipfbot.values import DEFAULT_LIMITS
from tests.support.paths import HOUSE

TOKEN = "MTk4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"
PLAIN = ("postgres", "postgresql")
SOCKET_OF_GIPF = "postgresql+asyncpg://bot@/gipf?host=/var/run/postgresql"


@pytest.fixture(autouse=True)
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the working directory a host's folder with data/ in it, and set nothing but the token."""
    for name in list(os.environ):
        if name.startswith(settings.PREFIX):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIPFBOT_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    return tmp_path


def faults() -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value) == "\n".join(caught.value.faults)
    return caught.value.faults


def test_only_the_token_must_be_set() -> None:
    found = load_settings()
    assert found.token.get_secret_value() == TOKEN
    assert found.database_url == "sqlite+aiosqlite:///data/gipf.sqlite3"
    assert found.heartbeat == Path("data/heartbeat")
    assert found.log_level == "INFO"
    assert (found.api_url, found.gateway_url, found.owner) == (None, None, None)
    assert found.limits == DEFAULT_LIMITS


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("database_url", "sqlite+aiosqlite:///other.sqlite3", "sqlite+aiosqlite:///other.sqlite3"),
        ("api_url", "http://localhost:8080/api/v10/", "http://localhost:8080/api/v10"),
        ("gateway_url", "ws://localhost:8080", "ws://localhost:8080"),
        ("log_level", "debug", "DEBUG"),
        ("owner", "80351110224678912", 80351110224678912),
        ("owner", "", None),
        ("running_games", "1000", 1000),
        ("heartbeat", "pulse", Path("pulse")),
        ("log_format", "JSON", "json"),
        ("http_port", "9464", 9464),
        ("http_port", "", None),
        ("http_host", "0.0.0.0", "0.0.0.0"),
        ("puzzles", "0", 0),
        ("puzzles", "100000", 100_000),
        ("engines", "", {}),
        ("engines", "sh=sh", {"sh": ("sh",)}),
        (
            "engines",
            " gf-1=/bin/sh -c 'a b' \"\" ;; two=sh x=y;",
            {"gf-1": ("/bin/sh", "-c", "a b", ""), "two": ("sh", "x=y")},
        ),
        ("database_url", "postgresql+asyncpg://bot:secret@db/gipf", "postgresql+asyncpg://bot:secret@db/gipf"),
        ("database_url", f"{SOCKET_OF_GIPF}&port=5433", f"{SOCKET_OF_GIPF}&port=5433"),
        ("database_url", "postgresql+asyncpg://db:5433/g?ssl=require", "postgresql+asyncpg://db:5433/g?ssl=require"),
        *(
            ("database_url", f"{scheme}://ann:hu%40sh@db/g", "postgresql+asyncpg://ann:hu%40sh@db/g")
            for scheme in PLAIN
        ),
        *(
            ("database_url", f"{scheme}://db:5433/g?sslmode={mode}", f"postgresql+asyncpg://db:5433/g?ssl={mode}")
            for scheme in (*PLAIN, "postgresql+asyncpg")
            for mode in ("require", "disable", "prefer")
        ),
    ],
)
def test_what_is_set_is_read(name: str, text: str, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"GIPFBOT_{name.upper()}", text)
    assert getattr(load_settings(), name) == value


def test_what_only_reads_takes_a_database_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs no token and no folder for the heartbeat. Any other fault is told as for the bot."""
    monkeypatch.delenv("GIPFBOT_TOKEN")
    assert settings.load_database_url() == "sqlite+aiosqlite:///data/gipf.sqlite3"
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", "sqlite+aiosqlite:////proc/g")
    assert settings.load_database_url() == "sqlite+aiosqlite:////proc/g"
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", "gipf.sqlite3")
    with pytest.raises(SettingsError, match=f"GIPFBOT_DATABASE_URL is not a database URL: {re.escape(LIKE)}"):
        settings.load_database_url()


def test_arguments_override_environment_which_overrides_file(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (host / ".env").write_text("GIPFBOT_LOG_LEVEL=ERROR\nGIPFBOT_OWNER=7\nGIPFBOT_TOKEN=file\n")
    monkeypatch.setenv("GIPFBOT_OWNER", "8")
    found = load_settings(token="given")
    assert (found.token.get_secret_value(), found.owner, found.log_level) == ("given", 8, "ERROR")


@pytest.mark.parametrize("field", vars(DEFAULT_LIMITS))
def test_each_limit_is_a_setting(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"GIPFBOT_{field.upper()}", "77")
    assert load_settings().limits == replace(DEFAULT_LIMITS, **{field: 77})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_file_may_begin_with_a_byte_order_mark(encoding: str, host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIPFBOT_TOKEN")
    (host / ".env").write_text("GIPFBOT_TOKEN=abc\nCOMPOSE_PROJECT_NAME=gipf\n", encoding=encoding)
    assert load_settings().token.get_secret_value() == "abc"


@pytest.mark.parametrize("token", [None, ""])
def test_a_missing_token_gives_the_remedy(token: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIPFBOT_TOKEN")
    if token is not None:
        monkeypatch.setenv("GIPFBOT_TOKEN", token)
    assert faults() == [f"GIPFBOT_TOKEN {MISSING}"]


MISSING = "is missing: create one in the Discord developer portal and put GIPFBOT_TOKEN=… into .env"
QUOTED = "holds a space or a quotation mark: put in the bare token, without quotes and without 'Bot'"
LIKE = "write it like sqlite+aiosqlite:///data/gipf.sqlite3 or postgresql://user:password@host/gipf"
MODES = "it must be one of disable, allow, prefer, require, verify-ca, verify-full"
OPTIONS = f"the options are {', '.join(settings.SERVER_OPTIONS)}"
NAMELESS = "which no machine can have as its name: correct it"
AT = "has an @ too many: in a password, write signs other than letters and digits like %40 for @"
DRIVERS = "sqlite+aiosqlite or postgresql+asyncpg"
SLASHES = (
    "write three slashes before the file, as in sqlite+aiosqlite:///data/gipf.sqlite3, "
    "or four, as in sqlite+aiosqlite:////srv/gipf.sqlite3"
)
ABSENT = "points into the folder HOST/nowhere, which does not exist: create it or name another"
LET = "let the user who runs the bot write the file and its folder, or name another"
FOLDER = f"points into the folder /proc, which cannot be written (WHY): {LET}"
WEB = "is not an address: it must begin with https:// or http:// and name a host"
SOCKET = "is not an address: it must begin with wss:// or ws:// and name a host"
NUMBER = "it must be a number from 1 to 1000000"
PUZZLES = "it must be a number from 0 to 100000; with 0, the bot makes no puzzles"
ENGINE = "write NAME=COMMAND, with a name of up to 20 small letters, digits and hyphens, and ; between two engines"
RUNS = "it must be a program that the bot may run"
ID = "it must be a Discord id, a number such as 80351110224678912"


@pytest.mark.parametrize("content", [TOKEN, f"\ufeff{TOKEN}\r\n"])
def test_the_token_may_stand_in_a_file(content: str, host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a secret of docker. A command that needs no token does not read it."""
    monkeypatch.setenv("GIPFBOT_TOKEN", "")
    monkeypatch.setenv("GIPFBOT_TOKEN_FILE", "secret")
    (host / "secret").write_text(content, encoding="utf-8")
    found = load_settings()
    assert found.token.get_secret_value() == TOKEN
    assert found.secrets == [TOKEN]
    (host / "secret").unlink()
    assert load_settings(token="none").token.get_secret_value() == "none"


@pytest.mark.parametrize(
    ("content", "token", "told"),
    [
        (
            None,
            "",
            ["GIPFBOT_TOKEN_FILE names secret, which cannot be read (No such file or directory): name the file "],
        ),
        (b" \n", "", ["GIPFBOT_TOKEN_FILE names secret, which is empty: put the token into it"]),
        (b"\xff\xfe", "", ["GIPFBOT_TOKEN_FILE names secret, which cannot be read (it is no text): name the file "]),
        (b"Bot abc", "", [f"GIPFBOT_TOKEN {QUOTED}"]),
        (TOKEN.encode(), "abc", ["GIPFBOT_TOKEN is set beside GIPFBOT_TOKEN_FILE: set one of the two"]),
    ],
)
def test_a_fault_of_the_file_of_the_token_is_one_sentence(
    content: bytes | None, token: str, told: list[str], host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIPFBOT_TOKEN", token)
    monkeypatch.setenv("GIPFBOT_TOKEN_FILE", "secret")
    if content is not None:
        (host / "secret").write_bytes(content)
    assert len(found := faults()) == len(told)
    assert all(sentence.startswith(begin) for sentence, begin in zip(found, told, strict=True)), found


@pytest.mark.parametrize("where", ["file", "environment"])
def test_a_server_is_verified_only_by_a_certificate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str
) -> None:
    monkeypatch.setattr(settings, "ROOT_CERTIFICATE", certificate := tmp_path / "root.crt")
    monkeypatch.delenv("PGSSLROOTCERT", raising=False)
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", "postgresql+asyncpg://db/g?ssl=verify-full")
    right = f"put that of the server's authority into {certificate}, or its file into PGSSLROOTCERT"
    assert faults() == [f"GIPFBOT_DATABASE_URL asks for ssl=verify-full, but there is no certificate to trust: {right}"]
    if where == "file":
        certificate.touch()
    else:
        monkeypatch.setenv("PGSSLROOTCERT", "authority.crt")
    load_settings()


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("TOKEN", f"Bot {TOKEN}", QUOTED),
        ("TOKEN", f'"{TOKEN}"', QUOTED),
        ("DATABASE_URL", "gipf.sqlite3", f"is not a database URL: {LIKE}"),
        ("DATABASE_URL", "sqlite:///g", f"asks for sqlite, but games are kept by {DRIVERS} only: {LIKE}"),
        *(
            ("DATABASE_URL", f"{driver}://db/g", f"asks for {driver}, but games are kept by {DRIVERS} only: {LIKE}")
            for driver in ("postgresql+psycopg", "mysql")
        ),
        *(("DATABASE_URL", f"{scheme}://bot@db", f"names no database: {LIKE}") for scheme in PLAIN),
        ("DATABASE_URL", "postgresql+asyncpg://bot@db", f"names no database: {LIKE}"),
        ("DATABASE_URL", "postgres://db/g?sslmode=yes", f"has the option ssl=yes: {MODES}"),
        ("DATABASE_URL", "postgres://db/g?ssl=require&sslmode=disable", "has the option ssl twice: give it once"),
        (
            "DATABASE_URL",
            "postgresql+asyncpg://db/g?connect_timeout=5",
            f"has the unknown option connect_timeout: {OPTIONS}",
        ),
        ("DATABASE_URL", "postgresql+asyncpg:///g?host=a&host=b", "has the option host twice: give it once"),
        *(
            ("DATABASE_URL", url, f"names the hosts {hosts}: name one, which leads to the server that takes writes")
            for url, hosts in (("postgresql+asyncpg:///g?host=a,b", "a,b"), ("postgresql+asyncpg://a,b/g", "a,b"))
        ),
        (
            "DATABASE_URL",
            "postgresql+asyncpg://db/g?ssl=yes",
            f"has the option ssl=yes: {MODES}",
        ),
        (
            "DATABASE_URL",
            "postgresql+asyncpg://db/g?target_session_attrs=read-only",
            "has the option target_session_attrs=read-only: it must be one of any, primary, read-write",
        ),
        (
            "DATABASE_URL",
            "postgresql+asyncpg:///g?host=/run&port=x",
            "has the option port=x: it must be a number up to 65535",
        ),
        (
            "DATABASE_URL",
            "postgresql+asyncpg://127.0.0.1:99999/g",
            "names the port 99999: it must be a number from 1 to 65535",
        ),
        ("DATABASE_URL", "postgresql+asyncpg://a..b/g", f"names the host 'a..b', {NAMELESS}"),
        ("DATABASE_URL", "postgresql+asyncpg:///g?host=a..b", f"names the host 'a..b', {NAMELESS}"),
        *(
            ("DATABASE_URL", f"postgresql+asyncpg://bot:{password}@db/g", AT)
            for password in ("se@cret", "se@cr/et", "se@cr/e#t", "se@cr/e?t=x")
        ),
        (
            "DATABASE_URL",
            "sqlite+aiosqlite:///file:g?uri=true",
            f"names the file by file:, under which the bot cannot lock it: {SLASHES}",
        ),
        *(
            ("DATABASE_URL", f"sqlite+aiosqlite://{place}", f"names a server, but SQLite has only a file: {SLASHES}")
            for place in ("data/gipf.sqlite3", "localhost/g", "bot:secret@data/g", ":5432/g", "data")
        ),
        *(
            ("DATABASE_URL", f"sqlite+aiosqlite:{place}", f"names no file, so no game would be kept: {SLASHES}")
            for place in ("//", "///", "///:memory:")
        ),
        ("DATABASE_URL", "sqlite+aiosqlite:///nowhere/g", ABSENT),
        ("DATABASE_URL", "sqlite+aiosqlite:////proc/g", FOLDER),
        ("DATABASE_URL", "sqlite+aiosqlite:///data", f"points to HOST/data, which cannot be written (WHY): {LET}"),
        ("HEARTBEAT", "nowhere/heartbeat", ABSENT),
        ("API_URL", "discord.com/api/v10", WEB),
        ("API_URL", "https://[::1", WEB),
        ("GATEWAY_URL", "https://gateway.discord.gg", SOCKET),
        ("LOG_LEVEL", "loud", "is 'loud': it must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL"),
        ("LOG_FORMAT", "xml", "is 'xml': it must be people or json"),
        ("HTTP_PORT", "0", "is '0': it must be a number from 1 to 65535"),
        ("HTTP_PORT", "web", "is 'web': it must be a number from 1 to 65535"),
        ("OWNER", "ann", f"is 'ann': {ID}"),
        ("OWNER", "-5", f"is '-5': {ID}"),
        ("OWNER", "0", f"is '0': {ID}"),
        ("OPEN_SEEKS", "0", f"is '0': {NUMBER}"),
        ("REQUESTS_PER_SECOND", "0", "is '0': it must be a number from 1 to 50"),
        ("REQUESTS_PER_SECOND", "51", "is '51': it must be a number from 1 to 50"),
        ("PUZZLES", "-1", f"is '-1': {PUZZLES}"),
        ("PUZZLES", "100001", f"is '100001': {PUZZLES}"),
        ("PUZZLES", "all", f"is 'all': {PUZZLES}"),
        ("ENGINES", "/bin/sh", f"holds '/bin/sh': {ENGINE}"),
        ("ENGINES", "sh=sh; =sh", f"holds '=sh': {ENGINE}"),
        ("ENGINES", "GF1=sh", f"holds 'GF1=sh': {ENGINE}"),
        ("ENGINES", f"{'x' * 21}=sh", f"holds '{'x' * 21}=sh': {ENGINE}"),
        ("ENGINES", "one=", f"names no program for 'one': {RUNS}"),
        ("ENGINES", "one=/nowhere/one --fast", f"names '/nowhere/one' for 'one': {RUNS}"),
        ("ENGINES", "one=data", f"names 'data' for 'one': {RUNS}"),
        ("ENGINES", "one=sh 'a", "has a quotation mark without its twin in the command of 'one'"),
        ("ENGINES", "one=sh; one=sh", "names 'one' twice: each engine needs a name of its own"),
        ("RUNNING_GAMES", "many", f"is 'many': {NUMBER}"),
        ("RUNNING_GAMES", "1000001", f"is '1000001': {NUMBER}"),
        ("TOKN", "abc", "is not a setting: did you mean GIPFBOT_TOKEN?"),
        ("DB_URL", "abc", "is not a setting: did you mean GIPFBOT_DATABASE_URL?"),
        ("COLOUR", "blue", f"is not a setting: the settings are {', '.join(settings.SETTING_NAMES)}"),
    ],
)
def test_a_fault_is_one_sentence(
    name: str, text: str, sentence: str, host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"GIPFBOT_{name}", text)
    told = [re.sub(r"written \(.+?\)", "written (WHY)", fault) for fault in faults()]
    assert told == [f"GIPFBOT_{name} {sentence.replace('HOST/', f'{host}/')}"]


def test_link_in_a_circle_and_pipe_are_one_sentence(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link whose file is missing is no fault here: the file is made."""
    (host / "circle").symlink_to("circle")
    (host / "new").symlink_to("made-later")
    os.mkfifo(host / "pipe")
    for name, why in (("circle", "Too many levels of symbolic links"), ("pipe", "File or stream is not seekable.")):
        monkeypatch.setenv("GIPFBOT_DATABASE_URL", f"sqlite+aiosqlite:///{name}")
        assert faults() == [f"GIPFBOT_DATABASE_URL points to {host}/{name}, which cannot be written ({why}): {LET}"]
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", "sqlite+aiosqlite:///new")
    load_settings()


def test_all_faults_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIPFBOT_TOKEN")
    monkeypatch.setenv("GIPFBOT_OWNER", "ann")
    monkeypatch.setenv("GIPFBOT_TOKN", "abc")
    assert [fault.split()[0] for fault in faults()] == ["GIPFBOT_TOKN", "GIPFBOT_TOKEN", "GIPFBOT_OWNER"]


def test_a_typing_mistake_in_the_file_is_named(host: Path) -> None:
    (host / ".env").write_text("GIPFBOT_LOGLEVEL=DEBUG\n")
    assert faults() == ["GIPFBOT_LOGLEVEL is not a setting: did you mean GIPFBOT_LOG_LEVEL?"]


def test_a_file_in_another_encoding_is_named(host: Path) -> None:
    (host / ".env").write_text("GIPFBOT_OWNER=7\n", encoding="utf-16")
    assert faults() == [".env cannot be read: it must be UTF-8 text and open to the bot"]


def test_a_missing_default_data_folder_is_named(host: Path) -> None:
    (host / "data").rmdir()
    assert [fault.split()[0] for fault in faults()] == ["GIPFBOT_DATABASE_URL", "GIPFBOT_HEARTBEAT"]


def test_the_check_leaves_no_file_behind(host: Path) -> None:
    load_settings()
    assert list(host.rglob("*")) == [host / "data"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("TOKEN", "secret secret"), ("DATABASE_URL", "mysql://bot:secret@db/gipf"), ("API_URL", "bot:secret@proxy")],
)
def test_no_fault_shows_a_secret(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"GIPFBOT_{name}", text)
    assert "secret" not in "".join(faults())


def test_the_token_does_not_show_in_a_log() -> None:
    assert TOKEN not in repr(load_settings())


def test_the_password_of_the_database_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().secrets == [TOKEN]
    monkeypatch.setenv("GIPFBOT_DATABASE_URL", "postgresql+asyncpg://bot:hush%40@db/gipf")
    assert load_settings().secrets == [TOKEN, "hush@"]


def test_the_example_file_names_every_setting_with_its_default() -> None:
    lines = (HOUSE / ".env.example").read_text(encoding="utf-8").splitlines()
    pairs = dict(line.lstrip("#").split("=", 1) for line in lines if line.lstrip("#").startswith("GIPFBOT_"))
    assert sorted(pairs) == sorted(settings.SETTING_NAMES)
    defaults = settings.Settings.model_fields
    for field in ("database_url", "log_level", "log_format", "http_host", "heartbeat", *vars(DEFAULT_LIMITS)):
        assert pairs[f"GIPFBOT_{field.upper()}"] == str(defaults[field].default)
