"""Errors of the store.

StoreError
├── Unusable         the database cannot be opened
│   ├── InUse        another process has it
│   │   └── ShardsTaken  other processes run some of the shards, or use another number of them
│   ├── NoRoom       its disk is full
│   ├── Unreachable  its server does not answer, or does not let the bot in
│   ├── TooOld       its server is too old
│   ├── NoWrites     its server takes no writes
│   ├── ForeignDatabase  it is another program's
│   ├── WrongShards  there are no such shards
│   └── Outdated     what the bot found at its start has changed
├── DatabaseTrouble  the disk or the file fails while the database is open
├── Conflict         another transaction was in the way: try again
├── Stale            the stored row was changed after it was loaded
├── MessageTaken     the message belongs to another row of the outbox
└── UnreadableGame   the row of a game makes no sense; also a Refused
"""

from enum import Enum
from typing import ClassVar

from gipfbot.match import Refused, Why


class StoreError(Exception):
    """The store could not do what it was asked. Nothing was changed."""


class Unusable(StoreError):
    """The database cannot be opened; the message is a sentence for the host."""

    # Of a program that ends because of this error. Those after which a later start can succeed by itself, without
    # anybody's hand, are not among the codes after which systemd's unit gives up.
    exit_code: ClassVar[int] = 3


class InUse(Unusable):
    """Another process has the database."""

    exit_code = 4


class Damaged(Unusable):
    """The database is damaged; the message is the reason."""


class NoRoom(Unusable):
    """The disk of the database is full."""

    exit_code = 5


class Unreachable(Unusable):
    """The server of the database does not answer, or does not let the bot in."""

    exit_code = 6


class TooOld(Unusable):
    """The server of the database is too old."""

    exit_code = 7


class NoWrites(Unusable):
    """The server of the database takes no writes from the bot."""

    exit_code = 8


class ForeignDatabase(Unusable):
    """The database is another program's."""

    exit_code = 9


class WrongShards(Unusable):
    """There are no such shards."""

    exit_code = 10


class ShardsTaken(InUse):
    """Other processes run some of the shards, or use another number of shards."""

    exit_code = 11


class Outdated(Unusable):
    """What the bot found at its start has changed, so that it has to start again."""

    exit_code = 12


class Trouble(Enum):
    """A reason why a database cannot be read or written. The bot cannot repair it."""

    FULL = "its disk is full"
    READ_ONLY = "the file or its disk is read-only"
    LOCKED = "another program has locked it"
    DAMAGED = "it is damaged"
    FAILING = "its disk fails"
    BUSY = "all connections to it are in use"
    UNREACHABLE = "its server cannot be reached"
    NO_WRITES = "its server takes no writes"


class DatabaseTrouble(StoreError):
    """The open database could not be read or written. Nothing was saved or changed.

    But if a server becomes `UNREACHABLE` during a commit, the changes may have been saved.
    """

    def __init__(self, trouble: Trouble, database: str = "") -> None:
        super().__init__(trouble.value)
        self.trouble, self.database = trouble, database  # the name of the database, if there may be several


class Conflict(StoreError):
    """Another transaction was in the way. Try this one again: see `gipfbot.store.tried_again`."""

    def __init__(self, *, alone: bool = False) -> None:
        super().__init__("another transaction was in the way")
        self.alone = alone  # whether it can succeed only while no other transaction writes


class Stale(StoreError):
    """The stored row was changed after it was loaded, so it must be loaded again."""


class MessageTaken(StoreError):
    """The message belongs to another row of the outbox."""


class UnreadableGame(StoreError, Refused):
    """The row of a game cannot be read. The row is not changed, and every action in the game is refused."""

    def __init__(self, game_id: int) -> None:
        super().__init__(Why.UNREADABLE, game=game_id)
