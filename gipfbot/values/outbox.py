"""Messages to post, and other work that is owed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

THREAD = "thread"  # in rows of this kind `message` is a thread; a thread has the id of the message it was made from


class GivesWay(StrEnum):
    """What an owed board of a game against the bot gives way to. Other messages give way to nothing."""

    TO_PEOPLE = "to people"  # it is posted after the boards between people
    TO_NEWER = "to newer"  # and not at all, once its game owes a newer board


@dataclass(frozen=True)
class OutboxRow:
    """A leased row of the outbox. `attempts` includes this lease; `first_tried_at` is the time of the first lease.

    `mark` is a random text. It is the nonce of the post, and the message carries it too. `caused_by` is the person
    whose act caused it; None if nobody's did. `language` is the code of that in which a person to whom it goes is
    written to, and `language_there` that of the server; None for English. Times are UTC seconds.

    >>> since = 1_800_000_000
    >>> row = OutboxRow(5, "board:7:3", "a1b2c3d4", "board", 2, 7, {"game": 7}, 1, since, since, None, None, None, None)
    >>> row.payload["game"] == row.game
    True
    """

    id: int
    key: str
    mark: str
    kind: str
    channel: int
    game: int | None
    payload: dict[str, Any]
    attempts: int
    created_at: int
    first_tried_at: int
    caused_by: int | None
    gives_way: str | None  # a value of GivesWay
    language: str | None
    language_there: str | None


class DueMessage(NamedTuple):
    """A row of the outbox that is due, in the lane of its channel or person.

    `rank` says which of the due messages there that the same person has caused it is, from 1 on. `since` is when it
    became due, in UTC seconds.
    """

    id: int
    channel: int
    caused_by: int | None
    gives_way: str | None
    since: int
    rank: int = 1

    @classmethod
    def of(cls, row: OutboxRow) -> "DueMessage":
        """Return what counts for the order of a leased row."""
        return cls(row.id, row.channel, row.caused_by, row.gives_way, row.created_at)


class StoredMessage(NamedTuple):
    """A row of the outbox, owed or settled. `message` is the posted message; `dropped` says why none was posted."""

    id: int
    key: str
    kind: str
    channel: int
    game: int | None
    payload: dict[str, Any]
    message: int | None
    created_at: int
    done_at: int | None
    dropped: str | None


class LastOwed(NamedTuple):
    """The newest of some rows of the outbox."""

    id: int
    channel: int
    payload: dict[str, Any]
    attempts: int
    not_before: int
    done_at: int | None

    @property
    def is_untried(self) -> bool:
        """Whether the row was never tried, so that its message can still change."""
        return self.done_at is None and not self.attempts

    @property
    def posted_about(self) -> int:
        """When the row was settled, or else when it is tried next."""
        return self.done_at or self.not_before


class SettledRow(NamedTuple):
    """A row of the outbox that was posted or dropped at `done_at`, in UTC seconds."""

    id: int
    key: str
    kind: str
    game: int | None
    done_at: int


@dataclass(frozen=True)
class DueRow:
    """An unfinished task. `key` identifies the task, and `at` is when it is due, in UTC seconds."""

    id: int
    key: str
    game: int | None
    user: int
    at: int


@dataclass(frozen=True)
class HouseTask:
    """A task of the house player. `person` plays the game against it, at a level and with an engine of their choice.

    They are None, 1 and empty if the game is gone or cannot be read.
    """

    row: DueRow
    person: int | None
    level: int
    engine: str


class DueWork(StrEnum):
    """What a sweep does besides tasks. It is due while rows of some table say so."""

    DELETIONS = "deletions of data"
    FORMER_PINGS = "pings of former players"
    RENEWALS = "requests to renew"
    RESTORED_CHECK = "a check of what was restored"
    CHALLENGES = "expired challenges"
    REQUESTS = "expired requests"
    STUDIES = "expired studies"
    EXPIRED_ANALYSES = "expired analyses"
    AWAITED_ANALYSES = "awaited analyses"
    STANDINGS = "changing standings"
    ENDED_GAMES = "ended games"
    HELD_TURNS = "held turns of the bot"
