"""The delivery of the outbox. Each message is posted once and in order, and given up after repeated failure.

Each outbox row has a random mark, and the `custom_id`s of its message end in that mark. The mark is also the message's
nonce: for some minutes, Discord answers a repeated post with the first message. After that the bot looks for the mark
in the channel's history. A press on a button of the message also confirms that the row was posted. If a channel refuses
a message, the row is dropped, and its game waits to be relocated.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import chain

import aiohttp
import discord

from gipfbot.languages import speaking
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.house.house_player import asks_house
from gipfbot.ui.kit import AppClient, OutboxMessage
from gipfbot.ui.kit.client import Posted
from gipfbot.ui.kit.components import ComponentRow, build_view, split_mark
from gipfbot.ui.kit.discord_codes import PASSING, Means, answer_words, meaning
from gipfbot.ui.kit.outbox_messages import MessageBuilder
from gipfbot.ui.kit.request_watch import RequestsStopped
from gipfbot.ui.kit.respond import with_picture, without_picture
from gipfbot.ui.kit.spoken import language_of_message
from gipfbot.values import THREAD, DatabaseTrouble, DueMessage, MessageTaken, OutboxRow, UnreadableGame

from . import venues
from .drawings import DRAW_SECONDS, Drawings
from .fair_turns import FairTurns, Turn
from .lanes import Lanes
from .venues import thread_trouble

log = logging.getLogger(__name__)
PAGE_LENGTH, MOST_PAGES = 100, 10  # messages on a page of a channel's history, and pages read from either end
CLOCK_SKEW_SECONDS = 60  # most seconds between Discord's clock and ours
MOST_MARKS_KEPT = 10_000
NONCE_SECONDS = 120  # seconds after which Discord may have forgotten a nonce
EDITABLE_SECONDS = 3600  # older messages are not edited, because Discord limits such edits
# An outbox row is given up once it exceeds both limits. Downtime adds no try.
GIVE_UP_SECONDS, MOST_TRIES = 24 * 3600, 24
THREAD_SECONDS, MOST_THREAD_TRIES = 600, 5  # the same for a thread, because the boards of its game wait for it
MOST_OWN_FAULTS = 6  # tries of a message that the bot cannot build
TRY_SECONDS = 8  # for one try: less than a lease, and a player may be waiting for the reply
TURN_SECONDS = 6  # that a message waits for its turn in its channel; then it is left to the lane
STRIP_SECONDS = 3  # for removing the buttons of a message
MOST_AWAITED = 64  # posts for which people wait; Discord lets nobody be told after 15 minutes
MOST_TIMED = 1000  # rows whose time is known to the millisecond
MOST_IN_LANE = 20  # rows of a lane that are looked up at a time
PATIENCE_SECONDS = 8  # a sweep waits so long for its lanes: less than the time between two sweeps
MOST_ACCESS_TRIES = 6  # tries of a direct message that is refused with "missing access", within five minutes
# Temporary errors: the row is tried again.
OUTAGE_ERRORS = (TimeoutError, OSError, aiohttp.ClientError, discord.DiscordServerError, discord.RateLimited)


class NewerKind(Exception):
    """A message is of a kind that only a newer version knows. A newer process running beside this one posts it."""


def log_failure(bot: AppClient, owed: OutboxRow, error: Exception, wait: int | None) -> None:
    """Log why an outbox row could not be posted. `wait` is the seconds until the next try; None if there is none."""
    bot.figures.messages_failed.labels(failure_kind(error)).inc()
    reason = failure_words(error)
    fields = {"game": owed.game, "channel": owed.channel, "kind": owed.kind, "tries": owed.attempts}
    known = {name: value for name, value in fields.items() if value is not None}
    goes_on = "it is given up" if wait is None else f"next try in {wait} s"
    extra = {"fields": known, "fold": (owed.id, reason, wait is None)}
    log.warning("message %s could not be posted: %s; %s", owed.id, reason, goes_on, extra=extra)


def failure_words(error: Exception) -> str:
    """Return why a message could not be posted. The text quotes nothing from the message."""
    match error:
        case RequestsStopped():
            return "no such request is made for now"
        case discord.HTTPException():
            return answer_words(error.status, error.code)
        case TimeoutError():
            return "Discord did not answer in time"
        case discord.RateLimited():
            return "Discord takes no more messages there now"
        case OSError() | aiohttp.ClientError():
            return f"Discord could not be reached ({type(error).__name__})"
        case UnreadableGame():
            return "its game cannot be read"
        case NewerKind():
            return "only a newer version knows such a message"
        case MessageTaken():
            return "Discord answered with the message of another row"
    return f"the bot could not build it ({type(error).__name__})"


def failure_kind(error: Exception) -> str:
    """Return the kind of a failure, as a label of the figures."""
    match error:
        case discord.RateLimited() | discord.HTTPException(status=HTTPStatus.TOO_MANY_REQUESTS):
            return "rate limited"
        case discord.HTTPException() if meaning(error) in PASSING:
            return "outage"
        case discord.HTTPException():
            return "refused"
        case OSError() | aiohttp.ClientError():
            return "outage"
    return "fault"


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
        """Search forward from the first try, then back from now, because any try may have posted the message."""
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


class Delivery:
    """Posts the outbox messages of one bot. `builders` make them, by the keys of their kinds."""

    def __init__(self, bot: AppClient, builders: dict[str, MessageBuilder]) -> None:
        self.bot, self.builders = bot, builders
        self._posted_messages = PostedMessages()
        self._turns = FairTurns(bot.watch.posts_until)
        self._lanes = Lanes(self._rows_by_lane, self._post_in_lane, lambda: bot.watch.most_a_second)
        self._drawings = Drawings(self._post_drawn, self._give_up_message)
        self._awaited = dict[int, asyncio.Future[bool]]()  # by row: what `posted` has returned
        self._saved_at = dict[int, float]()  # by row, on the loop's clock
        self._slow = set[int]()  # channels and people for whom a message took too long, or came too fast
        self._to_reopen = set[int]()  # people whose direct channel Discord has refused
        self._failed = set[int]()  # rows that could not even be put off, since the last sweep began

    async def deliver(self, leased: Iterable[OutboxRow]) -> tuple[Posted, ...]:
        """Post outbox rows that the caller has leased. Return them; none if one of them could not be posted.

        Each row waits for its turn in its channel. If that does not come within TURN_SECONDS, the row is left to the
        channel's lane. After a row of a game is posted, the other due rows of that game are posted, too. The house
        player is woken if it has to decide.
        """
        done, wakes, leased = list[tuple[Posted, ...]](), False, [*leased]
        self._note_saved(leased)
        for owed in leased:
            done.append(await self._deliver_leased(owed))
            if done[-1] and owed.game is not None:
                await self.sweep(owed.game)  # rows that waited for this one
            wakes = await self._lets_house_decide(owed) or wakes
        if wakes:
            self.bot.house_loop.wake()
        return tuple(chain(*done)) if all(done) else ()

    async def _lets_house_decide(self, owed: OutboxRow) -> bool:
        """Return whether the event behind a message may need a decision of the house player, or lets it make one."""
        if owed.kind != BOARD or asks_house(owed):
            return asks_house(owed)
        try:
            return await self.bot.app.house.held_turns.go_on_after(owed.game)
        except DatabaseTrouble:  # the store has logged it, and the next sweep finds what is held
            return False

    async def sweep(self, game: int | None = None) -> None:
        """Post all outbox rows that are due and not leased. With `game`, post only the rows of that game.

        Each channel and each person has a separate lane. After PATIENCE_SECONDS, slow lanes go on in the background.
        A row that fails does not stop the others. Nothing is posted while requests to Discord are stopped, or
        while Discord takes no messages from the bot.
        """
        if not self.bot.watch.takes_posts():
            return
        if game is None:
            self._failed.clear()
            await self._lanes.work(PATIENCE_SECONDS)
            return
        while due := await self.bot.app.outbox.deliverable_rows(1, game):
            if due[0] in self._failed or not await self._post_row(due[0]):
                return

    async def finish_sweep(self) -> None:
        """Post all outbox rows that are due, however long it takes, and wait for the files that are being drawn."""
        await self._lanes.work()
        await self._drawings.finish()

    def posted(self, owed: OutboxRow) -> asyncio.Future[bool]:
        """Return a future that says, once this process has posted or given up an outbox row, whether it was posted.

        Call this before the row can be posted. It is cancelled if MOST_AWAITED others are awaited after it, and when
        the bot stops.
        """
        self._awaited[owed.id] = asyncio.get_running_loop().create_future()
        for oldest in [*self._awaited][:-MOST_AWAITED]:
            self._awaited.pop(oldest).cancel()
        return self._awaited[owed.id]

    def _note_saved(self, leased: Iterable[OutboxRow]) -> None:
        """Note that these rows were saved just now, unless that is noted already."""
        now = asyncio.get_running_loop().time()
        for owed in leased:
            self._saved_at.setdefault(owed.id, now)
        for oldest in [*self._saved_at][:-MOST_TIMED]:
            del self._saved_at[oldest]

    def _note_posted(self, owed: OutboxRow) -> None:
        """Count a posted message. For the board of a turn, note how long ago the turn was saved.

        If this process did not save it, or long ago, the outbox knows the second.
        """
        self.bot.figures.messages_posted.labels(owed.kind).inc()
        if owed.kind == BOARD and owed.payload.get("before"):
            saved_at = self._saved_at.get(owed.id)
            since_row = max(0, self.bot.app.now() - owed.created_at)
            seconds = since_row if saved_at is None else asyncio.get_running_loop().time() - saved_at
            self.bot.figures.board_seconds.observe(seconds)

    def _settle(self, owed: OutboxRow, *, posted: bool) -> None:
        self._saved_at.pop(owed.id, None)
        if (awaited := self._awaited.pop(owed.id, None)) and not awaited.done():
            awaited.set_result(posted)

    async def close(self) -> None:
        """Stop posting and drawing. Rows that are not posted stay in the outbox."""
        for awaited in self._awaited.values():
            awaited.cancel()
        await self._drawings.stop()
        await self._lanes.stop()

    async def _rows_by_lane(self) -> dict[int, list[DueMessage]]:
        """Return the outbox rows to post, by lane, without those that have failed since the last sweep began."""
        found = await self.bot.app.outbox.rows_by_lane(MOST_IN_LANE + len(self._failed))
        left = {lane: [row for row in rows if row.id not in self._failed] for lane, rows in found.items()}
        return {lane: self._turns.in_order(rows) for lane, rows in left.items() if rows}

    async def _post_in_lane(self, row: DueMessage) -> bool:
        """Post an outbox row when it is its turn. Return False if its lane has to rest, because Discord is slow there.

        It is leased only then, because it may give way meanwhile. All lanes rest while nothing may be posted.
        """
        turn = await self._turns.wait(row)
        assert turn
        with turn:
            if self.bot.watch.takes_posts():
                return await self._post_row(row.id, turn)
            turn.give_back()
            return False

    async def _post_row(self, row: int, turn: Turn | None = None) -> bool:
        """Post an outbox row. Return False if nothing more should be posted there now.

        `turn` is the one that a lane has waited for.
        """
        try:
            owed = await self.bot.app.outbox.lease_row(row, in_lane=turn is not None)
            if owed is None:
                if turn:
                    turn.give_back()
                return True
            self._slow.discard(owed.channel)
            if turn:
                await self._deliver(owed, turn)
            elif await self._deliver_in_turn(owed) is None:
                return False
        except DatabaseTrouble:  # the store has logged it
            self._failed.add(row)
            return True
        except Exception:
            log.exception("message %s is left for later", row)
            self._failed.add(row)
            return True
        return owed.channel not in self._slow

    async def _deliver_leased(self, owed: OutboxRow) -> tuple[Posted, ...]:
        """Post a row whose cause is saved already. If the disk fails or nothing may be posted, it is left for later."""
        try:
            if self.bot.watch.takes_posts():
                return await self._deliver_in_turn(owed) or ()
            await self.bot.app.end_snapshot()
            await self.bot.app.outbox.put_back(owed)
            return ()
        except DatabaseTrouble:
            return ()

    async def _deliver_in_turn(self, owed: OutboxRow) -> tuple[Posted, ...] | None:
        """Post a leased row when it is its turn. If that does not come soon, leave the row to the lane: return None.

        While it waits it is not leased, because it may give way meanwhile.
        """
        message = DueMessage.of(owed)
        if self._turns.is_free(message):
            turn = await self._turns.wait(message)
            assert turn
            return await self._deliver(owed, turn)
        await self.bot.app.end_snapshot()
        await self.bot.app.outbox.put_back(owed)
        if owed.kind == BOARD and asks_house(owed):
            self.bot.house_loop.wake()
        turn = await self._turns.wait(message, TURN_SECONDS)
        if turn is None:
            return None
        with turn:
            again = await self.bot.app.outbox.lease_row(owed.id)
            if again is None:
                turn.give_back()
                return ()
            return await self._deliver(again, turn)

    async def _deliver(self, owed: OutboxRow, turn: Turn) -> tuple[Posted, ...]:
        """Post a leased row. Its turn ends before anything else is done, such as posting elsewhere.

        A row whose file is still to be drawn is put off instead.
        """
        language = language_of_message(self.bot, owed)
        try:
            with turn, speaking(language):
                if await self._is_drawn_first(owed):
                    turn.give_back()
                    return ()
                async with asyncio.timeout(TRY_SECONDS):
                    message = await self._post(owed)
        except OUTAGE_ERRORS as error:
            if isinstance(error, TimeoutError | discord.RateLimited):
                self._slow.add(owed.channel)
            return await self._retry_later(owed, error)
        except discord.HTTPException as error:
            return await self._handle_refusal(owed, error)
        except DatabaseTrouble:
            raise
        except (UnreadableGame, NewerKind) as error:
            log_failure(self.bot, owed, error, await self.bot.app.outbox.retry_later(owed))
            return ()
        except Exception as error:
            log.exception("message %s cannot be posted", owed.id)
            return await (self._retry_later if owed.attempts < MOST_OWN_FAULTS else self._give_up_message)(owed, error)
        try:
            with speaking(language):
                await self._note_delivered(owed, message)
        except MessageTaken as error:
            return await self._retry_later(owed, error)
        self._drawings.forget(owed.id)
        if message is not None:
            self._note_posted(owed)
        self._settle(owed, posted=message is not None)
        return (Posted(owed.key, owed.channel, message),)

    async def _is_drawn_first(self, owed: OutboxRow) -> bool:
        """Return whether a leased row needs a file that is not drawn yet. If so, put it off and let it be drawn."""
        builder = self.builders.get(owed.kind)
        drawing = builder.draw(self.bot, owed) if builder and builder.draw else None
        if drawing is None or self._drawings.find(owed.id):
            return False
        await self.bot.app.end_snapshot()
        await self.bot.app.outbox.put_back(owed, DRAW_SECONDS)
        self._drawings.begin(owed, drawing)
        return True

    async def _post_drawn(self, owed: OutboxRow) -> None:
        """Post a row that was put off until its file was drawn."""
        await self.bot.app.outbox.make_due(owed)
        if self.bot.watch.takes_posts():
            await self._post_row(owed.id)

    async def _post(self, owed: OutboxRow) -> int | None:
        """Post an outbox row, unless it has been posted already. Return the id of its message or thread.

        Return None if the message or thread is no longer needed.
        """
        if owed.kind == THREAD:
            return await venues.make_thread(self.bot, owed)
        if posted := await self._find_posted(owed):
            return posted
        builder = self.builders.get(owed.kind)
        if builder is None:
            raise NewerKind(owed.kind)
        if builder.guard and not await builder.guard(self.bot, owed):
            return None
        post = await builder.build(self.bot.app, owed)
        if post and (drawn := self._drawings.find(owed.id)):
            post = replace(post, attached=drawn)
        return None if post is None else await self._send(owed, post)

    async def _handle_refusal(self, owed: OutboxRow, error: discord.HTTPException) -> tuple[Posted, ...]:
        means = meaning(error)
        if means in PASSING or self._is_doubtful(owed, means):
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                self._slow.add(owed.channel)
            return await self._retry_later(owed, error)
        if means in (Means.MESSAGE, Means.FILES, Means.WORDS):
            if means is not Means.WORDS:  # such a name is no fault of the bot
                log.error("Discord does not take message %s", owed.id, exc_info=error)
            return await self._give_up_message(owed, error)
        return await self._give_up_channel(owed, error)

    def _is_doubtful(self, owed: OutboxRow, means: Means) -> bool:
        """Return whether a direct message should be tried again, because Discord may refuse it by mistake.

        Discord has answered "missing access" for people who could be reached, for minutes or hours. In some cases it
        helped to open the direct channel anew, so that is done at the next try.
        """
        if not self._is_direct(owed) or means is not Means.HIDDEN:
            return False
        self._to_reopen.add(owed.channel)
        return owed.attempts < MOST_ACCESS_TRIES

    async def _give_up_message(self, owed: OutboxRow, error: Exception) -> tuple[Posted, ...]:
        """Give up an outbox row because its message is at fault. Return what was posted elsewhere instead.

        Direct messages and threads are treated as if their channel were at fault.
        """
        if self._is_direct(owed) or owed.kind == THREAD:
            return await self._give_up_channel(owed, error)
        log_failure(self.bot, owed, error, None)
        await self.bot.app.outbox.give_up(owed, repr(error))
        self._settle(owed, posted=False)
        return ()

    async def _give_up_channel(self, owed: OutboxRow, error: Exception) -> tuple[Posted, ...]:
        """Give up posting an outbox row to its channel or person. Return what was posted elsewhere instead."""
        log_failure(self.bot, owed, error, None)
        self._settle(owed, posted=False)
        if self._is_direct(owed):
            await self.bot.app.outbox.note_dm_refusal(owed, repr(error), shut=_shows_dms_shut(error))
            return ()
        return await self.deliver(
            await self.bot.app.outbox.note_channel_refusal(owed, repr(error), thread_trouble(error))
        )

    async def _retry_later(self, owed: OutboxRow, error: Exception) -> tuple[Posted, ...]:
        within, tries = (THREAD_SECONDS, MOST_THREAD_TRIES) if owed.kind == THREAD else (GIVE_UP_SECONDS, MOST_TRIES)
        if self.bot.app.now() - owed.first_tried_at > within and owed.attempts >= tries:
            return await self._give_up_channel(owed, error)
        log_failure(self.bot, owed, error, await self.bot.app.outbox.retry_later(owed))
        return ()

    async def _destination(self, owed: OutboxRow) -> discord.DMChannel | discord.PartialMessageable:
        if not self._is_direct(owed):
            return self.bot.get_partial_messageable(owed.channel)
        if owed.channel not in self._to_reopen:
            return await self.bot.create_dm(discord.Object(owed.channel))
        opened = await self.bot.http.start_private_message(owed.channel)  # `create_dm` would return its cached channel
        self._to_reopen.discard(owed.channel)
        return self.bot.get_partial_messageable(int(opened["id"]))

    def _is_direct(self, owed: OutboxRow) -> bool:
        return self.bot.app.kinds[owed.kind].direct

    async def _find_posted(self, owed: OutboxRow) -> int | None:
        """Return the id of the message if this outbox row was already posted.

        Return None if no message is found. Return None also while the row's nonce is valid, because Discord then
        prevents a second post.
        """
        if self.bot.app.now() - owed.first_tried_at < NONCE_SECONDS or self.bot.user is None:
            return None
        await self.bot.app.end_snapshot()
        try:
            found = await self._posted_messages.find(owed, await self._destination(owed), self.bot.user.id)
        except discord.HTTPException as error:
            if meaning(error) not in (Means.HIDDEN, Means.FORBIDDEN):
                raise
            log.warning("the history of channel %s is hidden: a message may be posted twice there", owed.channel)
            found = None
        # A press may have confirmed the row meanwhile, and stripped the buttons with their mark.
        return found or await self.bot.app.outbox.message_with_mark(owed.mark)

    async def _send(self, owed: OutboxRow, post: OutboxMessage) -> int:
        """Post a message, with a board of letters if Discord takes no files there. Return the message's id."""
        await self.bot.app.end_snapshot()  # Discord may take seconds, and others need the connection
        text, files = await with_picture(self.bot.painter, post.text, post.picture, post.theme, film=post.film)
        files += [post.attached.file()] if post.attached else []
        try:
            return await self._send_text(owed, post, text, files)
        except discord.HTTPException as error:
            if not files or post.picture is None or meaning(error) is not Means.FILES:
                raise
            return await self._send_text(owed, post, without_picture(post.text, post.picture), [])

    async def _send_text(self, owed: OutboxRow, post: OutboxMessage, text: str, files: list[discord.File]) -> int:
        message = await (await self._destination(owed)).send(
            text,
            files=files,
            nonce=owed.mark,
            allowed_mentions=discord.AllowedMentions(
                users=[discord.Object(user) for user in post.pinged],
                roles=[discord.Object(post.role)] if post.role else [],
            ),
            view=build_view(post.rows, mark=owed.mark) or discord.utils.MISSING,
        )
        return message.id

    async def _note_delivered(self, owed: OutboxRow, message: int | None) -> None:
        older = await self.bot.app.outbox.note_delivered(owed, message)
        if older:
            await self._strip_board(*older, owed.channel)

    async def confirm_posted(self, mark: str, place: int, message: int) -> None:
        """Record that the outbox row with this mark was posted as `message`, unless that is already recorded.

        `place` is the message's channel, or the user of a direct message.
        """
        if older := await self.bot.app.outbox.confirm(mark, place, message):
            await self._strip_board(*older, place)

    async def _strip_board(self, channel: int, message: int, newer_in: int) -> None:
        """Remove the buttons of a board that a newer one has followed, in the channel or thread `newer_in`.

        If that is the thread which was made from the board, the board says so: it is the last one in its channel. Such
        a thread has the id of its message.
        """
        text = venues.goes_on_in_thread_text(newer_in) if newer_in == message else None
        await self.strip_buttons(channel, message, text)

    async def restore_buttons(self, row: OutboxRow, message: int) -> None:
        """Give a posted message its text and buttons back. Do nothing if the message is no longer needed.

        Raises Refused if its game is gone or unreadable, and KeyError if its row has lost its payload.
        """
        with speaking(language_of_message(self.bot, row)):
            if post := await self.builders[row.kind].build(self.bot.app, row):
                await self.strip_buttons(row.channel, message, post.text, post.rows)

    async def strip_buttons(
        self,
        channel: int,
        message: int,
        text: str | None = None,
        rows: Sequence[ComponentRow] = (),
        *,
        pictured: bool = True,
    ) -> None:
        """Remove all buttons from a message of the bot. With `text`, also replace its text and show the buttons `rows`.

        With `text`, a message that is not `pictured` any more loses its picture, too.

        Without `text`, a message older than EDITABLE_SECONDS keeps its buttons, because Discord limits such edits.
        The same holds while many requests go out, or many edits in that channel: nobody's board waits for it. A press
        on an old button is answered as outdated. A failed edit is logged and not repeated. The message must already be
        recorded as posted, because its mark goes with the buttons.
        """
        age, watch = discord.utils.utcnow() - discord.utils.snowflake_time(message), self.bot.watch
        is_old = age.total_seconds() > EDITABLE_SECONDS
        if text is None and (is_old or watch.recent.busy or not watch.takes_edits(channel)):
            return
        await self.bot.app.end_snapshot()
        partial = self.bot.get_partial_messageable(channel).get_partial_message(message)
        try:
            async with asyncio.timeout(STRIP_SECONDS):
                if text is None:
                    await partial.edit(view=None)
                else:
                    pictures = discord.utils.MISSING if pictured else []
                    await partial.edit(content=text, view=build_view(rows), attachments=pictures)
        except (discord.HTTPException, *OUTAGE_ERRORS):
            log.info("an old message keeps its buttons")


def _shows_dms_shut(error: Exception) -> bool:
    """Return whether an error shows that a person accepts no direct messages from the bot at all."""
    return isinstance(error, discord.HTTPException) and meaning(error) is Means.SHUT
