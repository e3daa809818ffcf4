"""The operations that each kind of database does in its own way."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

from sqlalchemy import URL
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from gipfbot.store.troubles import noted_trouble, opening
from gipfbot.values import Damaged, DatabaseTrouble, Shards, Trouble, Unusable, WrongShards

T = TypeVar("T")


class BrokenPart(NamedTuple):
    """A fault that a server finds in a database: a description, and the statement that repairs it."""

    said: str
    mend: str


class Backend(ABC):
    """The database behind one URL."""

    reading: ClassVar[Mapping[str, Any]] = {}  # execution options of an engine for reading
    writing: ClassVar[Mapping[str, Any]] = {}  # execution options of an engine for writing

    has_row_locks: ClassVar[bool] = False  # whether transactions on different games can run beside each other

    takes_any_value: ClassVar[bool] = True  # whether a column accepts values of another type, such as broken JSON

    def __init__(self, url: URL) -> None:
        self.url = url

    @property
    @abstractmethod
    def name(self) -> str:
        """The database's name in messages, without its password."""

    @property
    def file(self) -> Path | None:
        """The file of the database; None if it is on a server."""
        return None

    @property
    def backup_ending(self) -> str:
        """How the names of its backups end."""
        return "sqlite3" if self.file else "dump"

    @abstractmethod
    def prepare_files(self, *signs: Path) -> None:
        """Check the files of the database before it is opened. Raises Unusable: see `refuse_lost_games`."""

    @abstractmethod
    def new_engine(self, **options: Any) -> AsyncEngine:
        """Return an engine, without opening the database. Raises Unusable if there can be none."""

    @abstractmethod
    def new_reading_engine(self) -> AsyncEngine:
        """Return an engine that cannot write, for a command that looks at a database."""

    def check_shards(self, shards: Shards | None) -> None:
        """Raise WrongShards if a process cannot run these shards, whatever other processes run. Accepts None."""
        if shards and shards.fault:
            raise WrongShards(f"GIPFBOT_SHARDS is {shards}, but {shards.fault}: write auto, or a range such as 0-3/8.")

    @abstractmethod
    def hold(self, shards: Shards | None = None) -> AbstractAsyncContextManager[asyncio.Future[Unusable]]:
        """Return a context manager that keeps other processes from running on the database.

        With `shards`, others may run, but none of these shards. If another process takes one later, the yielded future
        gets the reason as its result. Raises InUse if another process runs, or another Unusable.
        """

    @abstractmethod
    async def is_held(self, db: AsyncConnection) -> bool:
        """Return whether a process runs on the database: one that has called `hold`."""

    @abstractmethod
    async def check_server(self, db: AsyncConnection) -> None:
        """Raise Unusable if the bot cannot use a database that it can reach."""

    async def identity(self, db: AsyncConnection) -> str | None:
        """Return a mark that only this database has, whatever its address; None if only its name identifies it."""
        return None

    async def broken_parts(self, db: AsyncConnection) -> list[BrokenPart]:
        """Return the faults that the server finds in the database, at most 10. For a file, see `page_faults`."""
        return []

    @abstractmethod
    async def begin_writing(self, db: AsyncConnection) -> None:
        """Wait until no other transaction writes."""

    async def begin_migrating(self, db: AsyncConnection) -> None:
        """Wait until no other transaction writes. This wait and later ones are short: they end in an error."""
        await self.begin_writing(db)

    async def begin_in_game(self, db: AsyncConnection, game: int | None) -> None:
        """Wait until no other transaction writes, except those on other games."""
        await self.begin_writing(db)

    @asynccontextmanager
    async def doing_alone(self, db: AsyncConnection, work: str) -> AsyncIterator[bool]:
        """Yield whether a connection may do some work alone: see `Store.doing_alone`."""
        yield True

    @abstractmethod
    async def allow_long_work(self, db: AsyncConnection) -> None:
        """Allow this transaction to stay open while a command works for long on what it has read."""

    @abstractmethod
    async def lock_channel(self, db: AsyncConnection, row: int) -> None:
        """Wait until no other transaction leases messages to the channel or person of this outbox row."""

    @abstractmethod
    async def reach_disk(self) -> None:
        """Wait until everything committed so far is on the disk."""

    def is_conflict(self, error: DBAPIError) -> bool:
        """Return whether an error says that another transaction on a game was in the way."""
        return False

    def is_wait_in_vain(self, error: Exception) -> bool:
        """Return whether an error says that another transaction kept a lock for too long, or waited for this one."""
        return False

    @abstractmethod
    def trouble_of(self, error: BaseException) -> Trouble | None:
        """Return the trouble with the database behind one of its errors. None if the error has another reason."""

    @abstractmethod
    def opening_fault(self, error: BaseException) -> Unusable:
        """Return the error for the host when the database cannot be opened. It says what to do next."""

    @abstractmethod
    async def count_changes(self, db: AsyncConnection) -> int:
        """Return a number that is larger once this connection has changed something in this transaction."""

    async def at_once(self, db: AsyncConnection, work: Callable[[AsyncConnection], Coroutine[Any, Any, T]]) -> T:
        """Return what `work` returns, called with the connection or one like it.

        On SQLite, all its statements take one visit to the connection's thread. So the work must await nothing but
        statements, and use only `execute`, `scalar` and `scalars`.
        """
        return await work(db)

    @abstractmethod
    async def last_ids(self, db: AsyncConnection) -> dict[str, int]:
        """Return the last id that was given out, by table, for the tables that never reuse ids."""

    @abstractmethod
    async def set_last_id(self, db: AsyncConnection, table: str, last: int) -> None:
        """Let the next id of a table follow this one."""

    def stored_text(self, value: str) -> str:
        """Return a text in the form in which the database stores it."""
        return value

    @abstractmethod
    async def count_bytes(self, db: AsyncConnection) -> int:
        """Return the size of the database in bytes."""

    @classmethod
    def trouble_from_error(cls, context: ExceptionContext) -> DatabaseTrouble | None:
        """Return the exception that replaces an error; None to keep the error. SQLAlchemy calls this as an event."""
        return None if context.engine is None else cls(context.engine.url).noted_trouble(context.original_exception)

    def noted_trouble(self, error: BaseException) -> DatabaseTrouble | None:
        """Return the trouble behind an error, and note it. None if the error has another reason."""
        return noted_trouble(self.name, self.trouble_of(error), error)


@contextmanager
def ending_at_trouble(*backends: Backend) -> Iterator[None]:
    """Raise Unusable, with a sentence on the database, if one of these databases has trouble during a command.

    Nothing is logged, because log lines on trouble say that the bot goes on.
    """
    with ExitStack() as quiet:
        for backend in backends:
            quiet.enter_context(opening(backend.name))
        try:
            yield
        except DatabaseTrouble as error:
            its = [backend for backend in backends if backend.name == error.database]
            raise (its or backends)[0].opening_fault(error) from error


@contextmanager
def reading_faults(backend: Backend) -> Iterator[None]:
    """Raise Damaged or another Unusable if the database cannot be read in the `with` block."""
    try:
        yield
    except (DBAPIError, DatabaseTrouble) as error:
        if backend.trouble_of(error) is Trouble.DAMAGED:
            raise Damaged(str(error)) from error
        raise backend.opening_fault(error) from error


def read_json(text: str) -> Any:
    """Return a JSON value, or None if the text is no JSON, so that one broken row does not spoil a whole query."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def without_nul(text: str) -> str:
    """Return a text without the one character that PostgreSQL cannot store."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


def driver_error(error: BaseException) -> BaseException:
    """Return the driver's own error behind one of SQLAlchemy's."""
    adapted = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return adapted.__cause__ or adapted


def driver_words(error: BaseException) -> str:
    """Return the driver's message, without the statement, details and hints."""
    return first_line(driver_error(error))


def first_line(error: BaseException) -> str:
    """Return the message of a driver's error, without the lines of details and hints."""
    return str(error).partition("\n")[0]
