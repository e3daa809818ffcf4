"""Posting what the outbox holds: once, in order, and never for ever.

The row's id is the nonce, so a post repeated within minutes returns the first message. A row that was tried longer ago
is first looked for among the bot's own messages. What a channel refuses is dropped, and its game waits to be re-homed.
"""

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import aiohttp
import discord

from gipfbot.service.delivery.threads import ThreadTrouble
from gipfbot.ui.kit import clock_texts
from gipfbot.ui.kit.client import AppClient
from gipfbot.ui.kit.outbox_messages import DIRECT_KINDS, MESSAGE_BUILDERS, OutboxMessage
from gipfbot.ui.kit.respond import with_picture
from gipfbot.ui.kit.views import build_view
from gipfbot.ui.kit.widgets import ComponentRow
from gipfbot.values.errors import MessageTaken, UnreadableGame
from gipfbot.values.outbox import THREAD, OutboxRow

from . import threads
from .threads import thread_trouble

log = logging.getLogger(__name__)
NONCE_SECONDS = 120  # seconds after which Discord may have forgotten a nonce
EDITABLE_SECONDS = 3600  # older messages are not edited: Discord caps that
GIVE_UP_SECONDS, MOST_TRIES = (
    24 * 3600,
    24,
)  # seconds since the first try, and tries: while the bot is away it makes none
THREAD_SECONDS, MOST_THREAD_TRIES = 600, 5  # the same of a thread, as the boards of its game wait for it
MOST_OWN_FAULTS = 6  # of what fails on our side, which takes minutes
MESSAGES_SEARCHED = 100  # messages searched, from the first try on, for one that may have been posted before a crash
CLOCK_SKEW_SECONDS = 60  # seconds at most between Discord's clock and ours
TRY_SECONDS = 8  # seconds; somebody waits for his answer meanwhile, and the lease has to last longer
STRIP_SECONDS = 3
LONGEST_SWEEP_SECONDS = 60  # seconds; less than what counts as an absence of the bot
MESSAGES_AT_ONCE = 5  # messages
DMS_TOO_FAST_CODE = 40003
OWN_BUTTON_KINDS = "cmnu"  # kinds of buttons that lead to one message alone: others lead to a game from many
_TIMESTAMP = re.compile("<t:[0-9]+")
UNAUTHORIZED_STATUS, TOO_MANY_REQUESTS_STATUS, SERVER_ERROR_STATUS = 401, 429, 500
# What may go better later.
OUTAGE_ERRORS = (TimeoutError, OSError, aiohttp.ClientError, discord.DiscordServerError, discord.RateLimited)


class Delivery:
    """Delivers the outbox of one bot."""

    def __init__(self, bot: AppClient) -> None:
        self.bot = bot

    async def deliver(self, leased: Iterable[OutboxRow]) -> bool:
        """Post these rows, which are the caller's; what fails stays owed. Return whether all of at least one went."""
        done = list[bool]()
        for owed in leased:
            done.append(await self._deliver(owed))
            if done[-1] and owed.game is not None:
                await self.sweep(owed.game)  # what had to wait for this
        return bool(done) and all(done)

    async def sweep(self, game: int | None = None) -> None:
        """Post whatever is still owed, by one game or by all, and not being posted already.

        What cannot be posted keeps nothing else from it. After a while the next sweep goes on: clocks wait meanwhile.
        """
        loop, failed = asyncio.get_running_loop(), set[int]()
        until = loop.time() + LONGEST_SWEEP_SECONDS
        while loop.time() < until:
            ids = [
                id
                for id in await self.bot.app.outbox.deliverable_rows(MESSAGES_AT_ONCE + len(failed), game)
                if id not in failed
            ]
            if not ids:
                return
            for id in ids:
                try:
                    if owed := await self.bot.app.outbox.lease_row(id):
                        await self._deliver(owed)
                except Exception:
                    log.exception("message %s is left for later", id)
                    failed.add(id)

    async def _deliver(self, owed: OutboxRow) -> bool:
        try:
            async with asyncio.timeout(TRY_SECONDS):
                message = await self._post(owed)
        except OUTAGE_ERRORS as error:
            return await self._retry_later(owed, error)
        except discord.HTTPException as error:
            return await self._handle_refusal(owed, error)
        except UnreadableGame:  # it was logged when it was first met
            await self.bot.app.outbox.retry_later(owed)
            return False
        except Exception as error:
            log.exception("message %s cannot be posted", owed.id)
            return await (self._retry_later if owed.attempts < MOST_OWN_FAULTS else self._give_up_message)(owed, error)
        try:
            await self._note_delivered(owed, message)
        except MessageTaken as error:
            log.warning("message %s was not posted: %s is another's", owed.id, message)
            return await self._retry_later(owed, error)
        return True

    async def _post(self, owed: OutboxRow) -> int | None:
        """Return the message that holds what is owed, or the thread; None where nothing is to be said any more."""
        if owed.kind == THREAD:
            return await threads.make_thread(self.bot, owed)
        post = await MESSAGE_BUILDERS[owed.kind](self.bot.app, owed)
        return None if post is None else (await self._find_posted(owed, post) or await self._send(owed, post))

    async def _handle_refusal(self, owed: OutboxRow, error: discord.HTTPException) -> bool:
        passes = error.status in (UNAUTHORIZED_STATUS, TOO_MANY_REQUESTS_STATUS) or error.status >= SERVER_ERROR_STATUS
        if passes or error.code == DMS_TOO_FAST_CODE:
            return await self._retry_later(owed, error)
        if thread_trouble(error) is ThreadTrouble.OTHER:
            log.error("Discord does not take message %s", owed.id, exc_info=error)
            return await self._give_up_message(owed, error)
        return await self._give_up_channel(owed, error)

    async def _give_up_message(self, owed: OutboxRow, error: Exception) -> bool:
        """Give up a message that is at fault itself: its channel takes others."""
        if owed.kind in DIRECT_KINDS or owed.kind == THREAD:
            return await self._give_up_channel(owed, error)
        await self.bot.app.outbox.give_up(owed, repr(error))
        return False

    async def _give_up_channel(self, owed: OutboxRow, error: Exception) -> bool:
        """Let what cannot be posted here go another way; return whether it went."""
        if owed.kind in DIRECT_KINDS:
            await self.bot.app.outbox.note_dm_refusal(owed, repr(error), shut=isinstance(error, discord.Forbidden))
            return False
        return await self.deliver(
            await self.bot.app.outbox.note_channel_refusal(owed, repr(error), thread_trouble(error))
        )

    async def _retry_later(self, owed: OutboxRow, error: Exception) -> bool:
        within, tries = (THREAD_SECONDS, MOST_THREAD_TRIES) if owed.kind == THREAD else (GIVE_UP_SECONDS, MOST_TRIES)
        if self.bot.app.now() - owed.first_tried_at > within and owed.attempts >= tries:
            return await self._give_up_channel(owed, error)
        await self.bot.app.outbox.retry_later(owed)
        return False

    async def _destination(self, owed: OutboxRow) -> discord.DMChannel | discord.PartialMessageable:
        if owed.kind in DIRECT_KINDS:
            return await self.bot.create_dm(discord.Object(owed.channel))
        return self.bot.get_partial_messageable(owed.channel)

    async def _find_posted(self, owed: OutboxRow, post: OutboxMessage) -> int | None:
        if self.bot.app.now() - owed.first_tried_at < NONCE_SECONDS:
            return None
        channel = await self._destination(owed)
        since = datetime.fromtimestamp(owed.first_tried_at - CLOCK_SKEW_SECONDS, UTC)
        try:
            async for message in channel.history(limit=MESSAGES_SEARCHED, after=since):
                own = self.bot.user is not None and message.author.id == self.bot.user.id
                if not (own and _is_same_message(message, post)):
                    continue
                if not await self.bot.app.outbox.is_message_taken(owed.channel, message.id):
                    return message.id
        except discord.Forbidden:
            log.warning("I may not read the history of channel %s: a message may be posted twice there", owed.channel)
        return None

    async def _send(self, owed: OutboxRow, post: OutboxMessage) -> int:
        text, files = await with_picture(self.bot.painter, post.text, post.picture, post.theme)
        view = build_view(post.rows)
        message = await (await self._destination(owed)).send(
            text,
            files=files,
            nonce=str(owed.id),
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in post.pinged]),
            view=view or discord.utils.MISSING,
        )
        return message.id

    async def _note_delivered(self, owed: OutboxRow, message: int | None) -> None:
        older = await self.bot.app.outbox.note_delivered(owed, message)
        if older:
            await self.strip_buttons(*older)

    async def strip_buttons(
        self, channel: int, message: int, text: str | None = None, rows: Sequence[ComponentRow] = ()
    ) -> None:
        """Take the buttons off a message of ours, all but these, and give it another text; if young also without one.

        A best effort, once.
        """
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message)
        if text is None and age.total_seconds() > EDITABLE_SECONDS:
            return
        partial = self.bot.get_partial_messageable(channel).get_partial_message(message)
        try:
            async with asyncio.timeout(STRIP_SECONDS):
                await (partial.edit(view=None) if text is None else partial.edit(content=text, view=build_view(rows)))
        except (discord.HTTPException, *OUTAGE_ERRORS):
            log.info("an old message keeps its buttons")


def _is_same_message(message: discord.Message, post: OutboxMessage) -> bool:
    """Return whether a message is this post: by its text or, where only such a post has it, by a button.

    The text may tell another time, and have a board of letters below it. Where there are buttons, and these are the
    same, its first line is enough: what stands below may be about the time there was.
    """
    said, text = _without_times(message.content), _without_times(post.text)
    wanted = {button.action for row in post.rows if isinstance(row, tuple) for button in row}
    there = set(_custom_ids(message))
    own = {does for does in wanted & there if does[0] in OWN_BUTTON_KINDS}
    alike = bool(wanted) and wanted == there and said.split("\n")[0] == text.split("\n")[0]
    return said == text or said.startswith(f"{text}\n```") or bool(own) or alike


def _without_times(text: str) -> str:
    return clock_texts.without_credit(_TIMESTAMP.sub("", text))


def _custom_ids(message: discord.Message) -> Iterable[str]:
    for row in message.components:
        for child in getattr(row, "children", ()):
            yield getattr(child, "custom_id", None) or ""
