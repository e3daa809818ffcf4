"""Collect problems that the host has to solve, and send them: at most one direct message an hour.

The message goes through the outbox. If the database cannot be written, it is sent directly.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import aiohttp
import discord

from gipfbot.installation import VERSION, version_numbers
from gipfbot.service.app import App
from gipfbot.service.health.vital_signs import AGAIN_SECONDS, OWNER_NEWS, TELL_SECONDS, TOLD_ONCE
from gipfbot.ui.kit import AppClient, Button, OutboxMessage, outbox_message
from gipfbot.ui.kit.texts import shorten_text
from gipfbot.values import DatabaseTrouble, OutboxRow

from . import status_texts
from .health_watch import HealthWatch
from .published import NoVersionError, ask_newest
from .status_texts import of_shards_text

log = logging.getLogger(__name__)
UNDELIVERABLE_SERVERS = 5  # the host is told of so many or more
UNHEALTHY_SECONDS = 600
LOOK_SECONDS = 300  # between two checks of the servers


@outbox_message(OWNER_NEWS)
async def build_owner_news(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the direct message about problems that the host has to solve."""
    return OutboxMessage(
        status_texts.owner_news_text(row.payload["sentences"]),
        rows=((Button(status_texts.STATE_LABEL, "host_state"),),),
    )


class OwnerWatch:
    """Tells the owner of a bot. Without an owner, it does nothing. `steady` is a clock that nobody can set."""

    def __init__(self, bot: AppClient, watch: HealthWatch, steady: Callable[[], float] = time.monotonic) -> None:
        self.bot, self.watch, self.steady = bot, watch, steady
        self._sentences = dict[str, str]()  # the sentences to send, by kind
        self._counts = dict[str, int]()  # of unexpected errors not told yet
        self._told_at = dict[str, float]()
        self._next_look = self._next_try = steady()
        self._disk_faults = 0
        self.backups: Path | None = None  # the folder of the host's backups, if known
        self.updates: str | None = None  # where to ask for a newer version, if anywhere
        self._next_ask = self._next_look

    def note(self, kind: str, sentence: str) -> None:
        """Queue a sentence for the owner, unless they were told of the same kind within a day."""
        self._note(kind, sentence, of_shards_text(self.bot.own_shards))

    def _note(self, kind: str, sentence: str, whose: str) -> None:
        told = self._told_at.get(kind)
        if self.bot.owner is not None and (told is None or self.steady() - told >= AGAIN_SECONDS):
            self._sentences[kind] = shorten_text(whose + sentence, status_texts.LONGEST_SENTENCE)

    def note_error(self, kind: str) -> None:
        """Queue a sentence for the owner about an unexpected error, and count it."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self.note(f"error {kind}", status_texts.fault_kind_text(kind, self._counts[kind]))

    async def look(self) -> None:
        """Check for problems, and tell the owner if an hour has passed since the last message."""
        if self.bot.owner is None:
            return
        self._look_at_health()
        if self.watch.can_write and self.steady() >= self._next_look:
            self._next_look = self.steady() + LOOK_SECONDS
            servers = (await self.bot.app.vital_signs.host_figures()).undeliverable_servers
            if servers >= UNDELIVERABLE_SERVERS:
                self._note("servers", status_texts.undeliverable_servers_text(servers), "")
            await self._look_at_backups()
            await self._look_for_newer_version()
        if self._sentences and self.steady() >= self._next_try:
            await self._tell(self.bot.owner)

    def _look_at_health(self) -> None:
        signs, since = self.bot.app.vital_signs, self.watch.unhealthy_since
        if signs.disk_faults > self._disk_faults:
            self._disk_faults = signs.disk_faults
            self.note("disk", status_texts.disk_fault_text(signs.last_disk_fault))
        if since is not None and self.steady() - since >= UNHEALTHY_SECONDS:
            minutes = int((self.steady() - since) // 60)
            self.note(f"unhealthy {self.bot.own_shards}", status_texts.unhealthy_text(minutes, self.watch.reasons()))

    async def _look_at_backups(self) -> None:
        if self.backups is None:
            return
        uptime = self.steady() - self.watch.started_at
        said = await asyncio.to_thread(self.bot.app.vital_signs.backups_fault, self.backups, uptime)
        if said:
            self._note("backups", status_texts.backups_text(said), "")

    async def _look_for_newer_version(self) -> None:
        """Ask for a newer version, once a day. If there is one, the owner is told once."""
        if self.updates is None or self.steady() < self._next_ask:
            return
        self._next_ask = self.steady() + AGAIN_SECONDS
        try:
            newest = await ask_newest(self.updates)
        except NoVersionError as error:
            log.warning("GIPFBOT_UPDATES says nothing of newer versions: %s", error)
            return
        if version_numbers(newest) > version_numbers(VERSION):
            self._note(f"{TOLD_ONCE}version {newest}", status_texts.newer_version_text(newest), "")

    async def _tell(self, owner: int) -> None:
        self._next_try = self.steady() + 60
        news = dict(self._sentences)
        if self.watch.can_write:
            is_told = await self.bot.app.owner_news.tell(owner, news)
        else:
            is_told = await self._send_directly(owner, [*news.values()])
        if is_told:
            self._next_try = self.steady() + TELL_SECONDS
            self._told_at |= dict.fromkeys(news, self.steady())
            self._sentences = {kind: said for kind, said in self._sentences.items() if kind not in news}
            self._counts.clear()

    async def _send_directly(self, owner: int, sentences: list[str]) -> bool:
        try:
            channel = await self.bot.create_dm(discord.Object(owner))
            await channel.send(status_texts.owner_news_text(sentences))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("the owner could not be told what needs a hand: %s", type(error).__name__)
            return False
        return True


class FaultWatch(logging.Handler):
    """A log handler that counts errors by kind, and tells the owner of unexpected ones."""

    # Errors of the network and of Discord are temporary. Errors of the disk are told with SQLite's own words.
    EXPECTED = (OSError, aiohttp.ClientError, discord.DiscordException)

    def __init__(self, bot: AppClient, owner_watch: OwnerWatch) -> None:
        super().__init__(level=logging.WARNING)
        self.bot, self.owner_watch = bot, owner_watch

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error, or a record that was logged with `extra={"tell_owner": kind}`."""
        if kind := getattr(record, "tell_owner", None):
            self.owner_watch.note(kind, status_texts.told_text(kind, record.getMessage()))
        if record.levelno < logging.ERROR:
            return
        error = record.exc_info[1] if record.exc_info else None
        self.bot.figures.faults.labels(type(error).__name__ if error else "without an error").inc()
        if error and not isinstance(error, (*self.EXPECTED, DatabaseTrouble)):
            self.owner_watch.note_error(type(error).__name__)
