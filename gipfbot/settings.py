"""The host's settings: environment variables with the prefix GIPFBOT_. They override the values in the file .env."""

import errno
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationError, ValidationInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from gipfbot.values import DEFAULT_LIMITS, UNLIMITED, Limits, Shards, parse_shards

PREFIX = "GIPFBOT_"
DRIVERS = ("sqlite+aiosqlite", "postgresql+asyncpg")
# What PostgreSQL's programs, and those who rent out databases, write instead.
PLAIN_SCHEMES, PLAIN_SSL = ("postgresql", "postgres"), "sslmode"
ENV_FILE = ".env"
# Editors on Windows write a byte order mark, which would hide the first setting.
ENV_FILE_ENCODING = "utf-8-sig"
LAST_PORT = 65535
VERIFIED = ("verify-ca", "verify-full")
# Options in a PostgreSQL URL, with their values: None for any text, the highest number, or the allowed words.
SERVER_OPTIONS: dict[str, int | tuple[str, ...] | None] = {
    "host": None,
    "port": LAST_PORT,
    "user": None,
    "password": None,
    "passfile": None,
    "ssl": ("disable", "allow", "prefer", "require", *VERIFIED),
    "target_session_attrs": ("any", "primary", "read-write"),
    "krbsrvname": None,
    "prepared_statement_cache_size": 10_000,
}
MOST_PUZZLES = 100_000
REQUESTS_A_SECOND = 50  # Discord's limit for a bot
ROOT_CERTIFICATE = Path("~/.postgresql/root.crt").expanduser()  # the driver's default path
ENGINE_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
LOG_FORMATS = ("people", "json")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
DATABASE_URL = "sqlite+aiosqlite:///data/gipf.sqlite3"
THREE_SLASHES = (
    "write three slashes before the file, as in sqlite+aiosqlite:///data/gipf.sqlite3, "
    "or four, as in sqlite+aiosqlite:////srv/gipf.sqlite3"
)
SOURCES = SettingsConfigDict(
    env_prefix=PREFIX,
    env_file=ENV_FILE,
    env_file_encoding=ENV_FILE_ENCODING,
    env_ignore_empty=True,
    extra="ignore",
    frozen=True,
    validate_default=True,
)


class SettingsError(Exception):
    """The settings are wrong. `faults` holds one sentence for each fault, never the token or a password."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


# Each check returns the value, or raises ValueError. The error's text follows the setting's name in a sentence.


def _check_token_file(path: Path) -> Path:
    try:
        text = path.read_text(encoding=ENV_FILE_ENCODING)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ValueError(f"names {path}, which cannot be read ({why}): name the file that holds the token") from None
    if not text.strip():
        raise ValueError(f"names {path}, which is empty: put the token into it")
    return path


def _find_token(token: str | SecretStr, info: ValidationInfo) -> str | SecretStr:
    """Return the token, or else that in the file. Raises ValueError if both are set, or none."""
    if "token_file" not in info.data:
        return token  # the fault of the file is enough
    file: Path | None = info.data["token_file"]
    if token and file:
        raise ValueError(f"is set beside {PREFIX}TOKEN_FILE: set one of the two")
    if not token and not file:
        right = f"create one in the Discord developer portal and put {PREFIX}TOKEN=… into {ENV_FILE}"
        raise ValueError(f"is missing: {right}")
    return file.read_text(encoding=ENV_FILE_ENCODING).strip() if file else token


def _check_token(token: SecretStr) -> SecretStr:
    if any(sign.isspace() or sign in "\"'" for sign in token.get_secret_value()):
        raise ValueError("holds a space or a quotation mark: put in the bare token, without quotes and without 'Bot'")
    return token


def parse_database_url(text: str) -> URL:
    """Return a database URL with the driver and the options that the bot uses, also if it has PostgreSQL's plain form.

    Raises ArgumentError or ValueError if it is no URL. Does not check what it names.
    """
    url = make_url(text)
    if url.drivername in PLAIN_SCHEMES:
        url = url.set(drivername=DRIVERS[1])
    if url.drivername == DRIVERS[1] and PLAIN_SSL in url.query:
        url = url.update_query_dict({"ssl": url.query[PLAIN_SSL]}, append=True).difference_update_query([PLAIN_SSL])
    return url


def _check_database_url(text: str) -> str:
    url = make_url(whole := _check_database_kind(text))
    if url.get_backend_name() == "sqlite":
        _check_writable(Path(url.database or ""))
    return whole


def _check_database_kind(text: str) -> str:
    """Return the URL as `parse_database_url` does. Raises ValueError if it names no database that the bot can use."""
    right = "write it like sqlite+aiosqlite:///data/gipf.sqlite3 or postgresql://user:password@host/gipf"
    try:
        url = parse_database_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(f"is not a database URL: {right}") from None
    if url.drivername not in DRIVERS:
        raise ValueError(f"asks for {url.drivername}, but games are kept by {' or '.join(DRIVERS)} only: {right}")
    if url.get_backend_name() == "postgresql":
        if not url.database:
            raise ValueError(f"names no database: {right}")
        check_server(url)
    else:
        check_file(url)
    return text if url == make_url(text) else url.render_as_string(hide_password=False)


def check_file(url: URL) -> None:
    """Raise ValueError if the URL of a database in a file names no file, or something before it.

    SQLAlchemy takes what stands between two slashes and the next one for a server. The error's text does not hold it,
    because it may be a password.
    """
    if any(part is not None for part in (url.host, url.port, url.username, url.password)):
        raise ValueError(f"names a server, but SQLite has only a file: {THREE_SLASHES}")
    if not url.database or url.database == ":memory:":
        raise ValueError(f"names no file, so no game would be kept: {THREE_SLASHES}")
    if url.database.startswith("file:"):
        raise ValueError(f"names the file by file:, under which the bot cannot lock it: {THREE_SLASHES}")


def check_server(url: URL) -> None:
    """Raise ValueError if the driver would fail at a part of the URL of a database on a server.

    The error's text holds no part of the password, even if an @ in the password breaks the URL.
    """
    strange = [value for name, value in url.query.items() if name not in SERVER_OPTIONS]
    if any("@" in str(part) for part in (url.host, url.database, *strange)):
        raise ValueError("has an @ too many: in a password, write signs other than letters and digits like %40 for @")
    for name, value in url.query.items():
        if name not in SERVER_OPTIONS:
            raise ValueError(f"has the unknown option {name}: the options are {', '.join(SERVER_OPTIONS)}")
        if not isinstance(value, str):
            raise ValueError(f"has the option {name} twice: give it once")
        _check_option(name, value)
    if url.port is not None and not 0 < url.port <= LAST_PORT:
        raise ValueError(f"names the port {url.port}: it must be a number from 1 to {LAST_PORT}")
    _check_host(url.host or str(url.query.get("host", "")))
    if url.query.get("ssl") in VERIFIED and not (os.environ.get("PGSSLROOTCERT") or ROOT_CERTIFICATE.exists()):
        right = f"put that of the server's authority into {ROOT_CERTIFICATE}, or its file into PGSSLROOTCERT"
        raise ValueError(f"asks for ssl={url.query['ssl']}, but there is no certificate to trust: {right}")


def _check_option(name: str, value: str) -> None:
    right = SERVER_OPTIONS[name]
    if isinstance(right, int) and not (value.isascii() and value.isdigit() and int(value) <= right):
        raise ValueError(f"has the option {name}={value}: it must be a number up to {right}")
    if isinstance(right, tuple) and value not in right:
        raise ValueError(f"has the option {name}={value}: it must be one of {', '.join(right)}")


def _check_host(host: str) -> None:
    if "," in host:
        raise ValueError(f"names the hosts {host}: name one, which leads to the server that takes writes")
    try:
        host.encode("utf-8" if host.startswith("/") else "idna")  # a path is the address of a socket
    except UnicodeError:
        raise ValueError(f"names the host {host!r}, which no machine can have as its name: correct it") from None


def _check_writable(path: Path) -> Path:
    folder = path.absolute().parent
    wrong = f"into the folder {folder}"
    try:
        if not folder.is_dir():
            raise ValueError(f"points into the folder {folder}, which does not exist: create it or name another")
        # Permissions alone do not decide this: a read-only file system refuses everybody.
        tempfile.TemporaryFile(dir=folder).close()
        wrong = f"to {path.absolute()}"
        with suppress(FileNotFoundError):  # it is made later; a link that leads to itself is another error
            path.stat()
            path.open("r+b").close()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return path  # the disk is full, which the store explains better
        why = error.strerror or error
        right = "let the user who runs the bot write the file and its folder, or name another"
        raise ValueError(f"points {wrong}, which cannot be written ({why}): {right}") from None
    return path


def _address_check(*schemes: str) -> Callable[[str], str]:
    fault = f"is not an address: it must begin with {' or '.join(f'{scheme}://' for scheme in schemes)} and name a host"

    def check(text: str) -> str:
        try:
            parts = urlsplit(text)
        except ValueError:
            raise ValueError(fault) from None
        if parts.scheme not in schemes or not parts.hostname:
            raise ValueError(fault)
        return text.rstrip("/")

    return check


def _parse_log_level(text: str) -> str:
    if text.upper() not in LOG_LEVELS:
        raise ValueError(f"is {text!r}: it must be one of {', '.join(LOG_LEVELS)}")
    return text.upper()


def _parse_log_format(text: str) -> str:
    if text.lower() not in LOG_FORMATS:
        raise ValueError(f"is {text!r}: it must be {' or '.join(LOG_FORMATS)}")
    return text.lower()


def _parse_user_id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**63):
        raise ValueError(f"is {text!r}: it must be a Discord id, a number such as 80351110224678912")
    return int(text)


def _parse_limit(text: str | int) -> int:
    if not (str(text).isascii() and str(text).isdigit() and 0 < int(text) <= UNLIMITED):
        raise ValueError(f"is {text!r}: it must be a number from 1 to {UNLIMITED}")
    return int(text)


def _parse_requests(text: str | int | None) -> int | None:
    if text is None:
        return None
    if not (str(text).isascii() and str(text).isdigit() and 0 < int(text) <= REQUESTS_A_SECOND):
        raise ValueError(f"is {text!r}: it must be a number from 1 to {REQUESTS_A_SECOND}")
    return int(text)


def _parse_puzzles(text: str | int) -> int:
    if not (str(text).isascii() and str(text).isdigit() and int(text) <= MOST_PUZZLES):
        raise ValueError(f"is {text!r}: it must be a number from 0 to {MOST_PUZZLES}; with 0, the bot makes no puzzles")
    return int(text)


def _parse_port(text: str | int) -> int:
    if not (str(text).isascii() and str(text).isdigit() and 0 < int(text) <= LAST_PORT):
        raise ValueError(f"is {text!r}: it must be a number from 1 to {LAST_PORT}")
    return int(text)


def _parse_shards(text: str | Shards | None) -> Shards | None:
    if text is None or isinstance(text, Shards):
        return text
    try:
        return parse_shards(text)
    except ValueError:
        raise ValueError(f"is {text!r}: write auto, or some of all shards, such as 0-3/8 or 2/8") from None


def _parse_engines(text: str | dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the commands of engines by name, from a text such as `one=/opt/one --fast; two="/opt/my two"`."""
    if isinstance(text, dict):
        return text
    found = dict[str, tuple[str, ...]]()
    for part in filter(str.strip, text.split(";")):
        name, command = _parse_engine(part)
        if name in found:
            raise ValueError(f"names {name!r} twice: each engine needs a name of its own")
        found[name] = command
    return found


def _parse_engine(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, command = text.strip().partition("=")
    if not equals or not ENGINE_NAME.fullmatch(name):
        right = "write NAME=COMMAND, with a name of up to 20 small letters, digits and hyphens"
        raise ValueError(f"holds {text.strip()!r}: {right}, and ; between two engines")
    try:
        words = tuple(shlex.split(command))
    except ValueError:
        raise ValueError(f"has a quotation mark without its twin in the command of {name!r}") from None
    if not words or shutil.which(words[0]) is None:
        program = repr(words[0]) if words else "no program"
        raise ValueError(f"names {program} for {name!r}: it must be a program that the bot may run")
    return name, words


Limit = Annotated[int, BeforeValidator(_parse_limit)]


class Settings(BaseSettings):
    """Checked settings, made by `load_settings`. An empty value counts as not set."""

    model_config = SOURCES

    token_file: Annotated[Path, AfterValidator(_check_token_file)] | None = None  # before the token, which is in it
    token: Annotated[SecretStr, AfterValidator(_check_token), BeforeValidator(_find_token)] = SecretStr("")
    database_url: Annotated[str, AfterValidator(_check_database_url)] = DATABASE_URL
    api_url: Annotated[str, AfterValidator(_address_check("https", "http"))] | None = None
    gateway_url: Annotated[str, AfterValidator(_address_check("wss", "ws"))] | None = None
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(_parse_log_level)
    ] = "INFO"
    log_format: Annotated[Literal["people", "json"], BeforeValidator(_parse_log_format)] = "people"
    http_port: Annotated[int, BeforeValidator(_parse_port)] | None = None
    http_host: str = "127.0.0.1"
    owner: Annotated[int, BeforeValidator(_parse_user_id)] | None = None
    heartbeat: Annotated[Path, AfterValidator(_check_writable)] = Path("data/heartbeat")
    backups: Path | None = None
    updates: Annotated[str, AfterValidator(_address_check("https", "http"))] | None = None
    shards: Annotated[Shards | None, NoDecode, BeforeValidator(_parse_shards)] = None
    requests_per_second: Annotated[int | None, BeforeValidator(_parse_requests)] = None
    engines: Annotated[dict[str, tuple[str, ...]], NoDecode, BeforeValidator(_parse_engines)] = {}
    puzzles: Annotated[int, BeforeValidator(_parse_puzzles)] = 5000
    interaction_burst: Limit = DEFAULT_LIMITS.interaction_burst
    interactions_per_minute: Limit = DEFAULT_LIMITS.interactions_per_minute
    suggestion_burst: Limit = DEFAULT_LIMITS.suggestion_burst
    suggestions_per_minute: Limit = DEFAULT_LIMITS.suggestions_per_minute
    challenges_to_one: Limit = DEFAULT_LIMITS.challenges_to_one
    open_seeks: Limit = DEFAULT_LIMITS.open_seeks
    open_challenges: Limit = DEFAULT_LIMITS.open_challenges
    running_games: Limit = DEFAULT_LIMITS.running_games
    pings_a_day: Limit = DEFAULT_LIMITS.pings_a_day

    @property
    def secrets(self) -> list[str]:
        """Texts that must not appear in a log: the token, and the password of the database if it has one."""
        password = make_url(self.database_url).password
        return [self.token.get_secret_value(), *([str(password)] if password else [])]

    @property
    def limits(self) -> Limits:
        """The host's limits for one person."""
        return Limits(**{field.name: getattr(self, field.name) for field in fields(Limits)})


class ReadSettings(BaseSettings):
    """The settings of commands that only read the database, whose file may be read-only."""

    model_config = SOURCES

    database_url: Annotated[str, AfterValidator(_check_database_kind)] = DATABASE_URL
    backups: Path | None = None


Loaded = TypeVar("Loaded", Settings, ReadSettings)
SETTING_NAMES = [PREFIX + field.upper() for field in Settings.model_fields]


def load_settings(**given: Any) -> Settings:
    """Return the settings: from the arguments, else the environment, else .env in the working directory.

    Raises SettingsError with every fault at once. Only the token has no default:
    `load_settings(token="none")` serves a run without Discord, and reads no file with a token. Does not check that
    Discord accepts the token, or that an address answers.
    """
    return _load(lambda: Settings(**({"token_file": None} if "token" in given else {}), **given))


def load_database_url() -> str:
    """Return the database URL, for a command that only reads the games. Raises SettingsError."""
    return _load(ReadSettings).database_url


def load_backups() -> Path | None:
    """Return the folder of the host's backups; None if there is none. Raises SettingsError."""
    return _load(ReadSettings).backups


def _load(read: Callable[[], Loaded]) -> Loaded:
    try:
        faults = [_unknown_setting_sentence(name) for name in _environment_names() if name.upper() not in SETTING_NAMES]
    except (OSError, UnicodeError):
        raise SettingsError([f"{ENV_FILE} cannot be read: it must be UTF-8 text and open to the bot"]) from None
    try:
        settings = read()
    except ValidationError as error:
        raise SettingsError(faults + [_fault_sentence(details) for details in error.errors()]) from None
    if faults:
        raise SettingsError(faults)
    return settings


def _environment_names() -> list[str]:
    names = {*os.environ, *dotenv_values(ENV_FILE, encoding=ENV_FILE_ENCODING)}
    return sorted(name for name in names if name.upper().startswith(PREFIX))


def _unknown_setting_sentence(name: str) -> str:
    """Return the sentence about a variable that is not a setting: usually a typing mistake."""
    fields = [known.removeprefix(PREFIX) for known in SETTING_NAMES]
    near = get_close_matches(name.upper().removeprefix(PREFIX), fields, n=1)
    right = f"did you mean {PREFIX}{near[0]}?" if near else f"the settings are {', '.join(SETTING_NAMES)}"
    return f"{name} is not a setting: {right}"


def _fault_sentence(details: ErrorDetails) -> str:
    name = PREFIX + str(details["loc"][0]).upper()
    return f"{name} {details['ctx']['error']}"
