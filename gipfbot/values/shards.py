"""Shards: the parts into which Discord divides a bot's servers, and which of them one process runs."""

import re
from dataclasses import dataclass

AUTO = "auto"
_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


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
        """How much of all that Discord allows a bot is for these shards, from 0 to 1."""
        return len(self.ids) / self.count

    @property
    def fault(self) -> str:
        """Why there are no such shards; empty if there are."""
        if self.count == 0:
            return "there is at least one shard"
        if self.first > self.last:
            return f"{self.first} comes after {self.last}"
        return f"of {self.count} shards the last is {self.count - 1}" if self.last >= self.count else ""

    def has_server(self, server: int) -> bool:
        """Return whether what happens on a server comes over one of these shards."""
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
