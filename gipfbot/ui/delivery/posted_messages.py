"""The search for messages that were posted but not recorded. The mark in their `custom_id`s identifies them."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import discord

from gipfbot.ui.kit.components import split_mark
from gipfbot.values import OutboxRow

PAGE_LENGTH, MOST_PAGES = 100, 10  # messages, and pages of a channel's history from either end
CLOCK_SKEW_SECONDS = 60  # seconds at most between Discord's clock and ours
MOST_MARKS_KEPT = 10_000


class PostedMessages:
    """The bot's own messages that were found in the history of channels, by channel and mark."""

    def __init__(self) -> None:
        self._found = dict[tuple[int, str], int]()

    async def find(self, row: OutboxRow, place: discord.abc.Messageable, bot_id: int) -> int | None:
        """Return the id of an outbox row's message, or None if the history of `place` does not show it.

        Raises discord.HTTPException.
        """
        if (row.channel, row.mark) not in self._found:
            await self._search(row, place, bot_id)
        return self._found.get((row.channel, row.mark))

    async def _search(self, row: OutboxRow, place: discord.abc.Messageable, bot_id: int) -> None:
        """Search from the first try on, then back from now: one of many tries may have posted the message."""
        first = datetime.fromtimestamp(row.first_tried_at - CLOCK_SKEW_SECONDS, UTC)
        since = discord.Object(discord.utils.time_snowflake(first))
        if not await self._read_pages(row, place, bot_id, since):
            await self._read_pages(row, place, bot_id, None)

    async def _read_pages(
        self, row: OutboxRow, place: discord.abc.Messageable, bot_id: int, since: discord.abc.Snowflake | None
    ) -> bool:
        """Read MOST_PAGES pages of the history: after `since`, or back from now if it is None.

        Return whether the search is over, because the message was found or there are no more messages.
        """
        after, before = since, None
        for _ in range(MOST_PAGES):
            page = [message async for message in place.history(limit=PAGE_LENGTH, after=after, before=before)]
            self._keep_marks(row.channel, [message for message in page if message.author.id == bot_id])
            if (row.channel, row.mark) in self._found or len(page) < PAGE_LENGTH:
                return True
            after, before = (None, page[-1]) if since is None else (page[-1], None)
        return False

    def _keep_marks(self, channel: int, own: Sequence[discord.Message]) -> None:
        if len(self._found) > MOST_MARKS_KEPT:
            self._found.clear()
        self._found |= {(channel, mark): message.id for message in own for mark in _marks_on(message)}


def _marks_on(message: discord.Message) -> Iterator[str]:
    for row in message.components:
        for child in getattr(row, "children", ()):
            if mark := split_mark(getattr(child, "custom_id", None) or "")[1]:
                yield mark
