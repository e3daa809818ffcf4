"""Values for the host: limits, shards, and figures about the bot's state."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

UNLIMITED: Final = 1_000_000

AUTO = "auto"
_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


@dataclass(frozen=True)
class Limits:
    """The most that one person may have or do."""

    interaction_burst: int = 40  # commands, presses and forms at once, after a pause
    interactions_per_minute: int = 120  # in the long run
    suggestion_burst: int = 60  # suggestions while typing, at once
    suggestions_per_minute: int = 300
    challenges_to_one: int = 1  # open challenges to the same person
    open_seeks: int = 5
    open_challenges: int = 20  # seeks included
    running_games: int = 100
    pings_a_day: int = 3  # of the same person by challenges, in 24 hours


DEFAULT_LIMITS = Limits()
# For simulations and tests, in which people act faster than real people.
NO_LIMITS = Limits(*[UNLIMITED] * 9)


@dataclass(frozen=True)
class Shards:
    """The shards from `first` to `last` of `count`, which are counted from 0."""

    first: int
    last: int
    count: int

    def __str__(self) -> str:
        ids = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{ids}/{self.count}"

    @property
    def ids(self) -> range:
        """The numbers of these shards."""
        return range(self.first, self.last + 1)

    @property
    def share(self) -> float:
        """The part of Discord's limits for the bot that these shards may use, from 0 to 1."""
        return len(self.ids) / self.count

    @property
    def fault(self) -> str:
        """Why these shards are impossible; empty if they are possible."""
        if self.count == 0:
            return "there is at least one shard"
        if self.first > self.last:
            return f"{self.first} comes after {self.last}"
        return f"of {self.count} shards the last is {self.count - 1}" if self.last >= self.count else ""

    def has_server(self, server: int) -> bool:
        """Return whether one of these shards serves a server."""
        return (server >> 22) % self.count in self.ids


def parse_shards(text: str) -> Shards | None:
    """Return the shards in a text such as `0-3/8` or `2/8`; None for `auto`. Raises ValueError for any other text.

    Does not check that there are such shards: see `Shards.fault`.
    """
    if text.lower() == AUTO:
        return None
    found = _RANGE.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no range of shards")
    first, last, count = found.groups()
    return Shards(int(first), int(last or first), int(count))


class HostFigures(NamedTuple):
    """Figures about the bot's work as a whole."""

    running_games: int
    owed_messages: int
    oldest_owed_at: int | None  # when the oldest owed message was queued, in UTC seconds
    undeliverable_servers: int  # servers with a game whose boards cannot be posted
    database_bytes: int


class ServerState(NamedTuple):
    """The bot's work on one server."""

    running_games: int
    owed_messages: int
    refusing_channels: tuple[int, ...]  # channels where boards of running games cannot be posted
