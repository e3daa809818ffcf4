"""Posting what the outbox holds: once, in order, and never for ever.

The row's id is the nonce, so a post repeated within minutes returns the first message. A row that was tried longer ago
is first looked for among the bot's own messages. What a channel refuses is dropped, and its game waits to be re-homed.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import aiohttp
import discord

from gipfbot.match import Game, State
from gipfbot.notation import NOTATIONS, OFFICIAL, Notation
from gipfbot.service.boards import KIND as BOARD
from gipfbot.service.boards import Board, unpack
from gipfbot.service.reminders import CALL, NUDGE, REMINDER, Reminders
from gipfbot.service.service import CHALLENGE, Owed, Service
from gipfbot.service.vacations import VACATION
from render import Picture

from . import board_texts, lobby_texts, reminder_texts, texts, vacation_texts
from .desk import board_url
from .items import view_of
from .pictures import Painter, board_picture
from .replies import picture_files
from .screens import Button, Row, game_picture

log = logging.getLogger(__name__)
NONCE_HOLDS = 120  # seconds after which Discord may have forgotten a nonce
FRESH = 3600  # older messages are not edited: Discord caps that
GIVE_UP = 24 * 3600
LOOK_BACK = 100  # messages searched, from the first try on, for one that may have been posted before a crash
CLOCKS_DIFFER = 60  # seconds at most between Discord's clock and ours
TRY_FOR = 8  # seconds; somebody waits for his answer meanwhile, and the lease has to last longer
STRIP_FOR = 3
LOCKED_THREAD = 50083
DMS_TOO_FAST = 40003
UNAUTHORIZED, TOO_MANY, SERVER_FAILS = 401, 429, 500
# What may go better later.
OUTAGE = (TimeoutError, OSError, aiohttp.ClientError, discord.DiscordServerError, discord.RateLimited)


@dataclass(frozen=True)
class Post:
    """A message about to be posted."""

    text: str
    pinged: tuple[int, ...]
    picture: Picture | None
    rows: tuple[Row, ...]


class Delivery:
    """Delivers the outbox of one bot."""

    def __init__(self, client: discord.Client, service: Service, reminders: Reminders, painter: Painter) -> None:
        self.client, self.service, self.reminders, self.painter = client, service, reminders, painter

    async def deliver(self, claimed: Iterable[Owed]) -> bool:
        """Post these rows, which are the caller's; what fails stays owed. Return whether all of at least one went."""
        done = [await self._deliver(owed) for owed in claimed]
        return bool(done) and all(done)

    async def sweep(self, game: int | None = None) -> None:
        """Post whatever is still owed, by one game or by all, and not being posted already."""
        for id in await self.service.due(game=game):
            if owed := await self.service.claim(id):
                await self._deliver(owed)

    async def _deliver(self, owed: Owed) -> bool:
        try:
            async with asyncio.timeout(TRY_FOR):
                message = await self._posted(owed)
        except OUTAGE as error:
            await self._later(owed, repr(error))
        except discord.HTTPException as error:
            await self._refused(owed, error)
        except Exception as error:
            log.exception("message %s cannot be posted", owed.id)
            await self._give_up(owed, str(error))
        else:
            await self._delivered(owed, message)
            return True
        return False

    async def _posted(self, owed: Owed) -> int | None:
        """Return the message that holds what is owed, None where there is nothing to say any more."""
        post = await self._post_of(owed)
        return None if post is None else (await self._posted_before(owed, post) or await self._send(owed, post))

    async def _refused(self, owed: Owed, error: discord.HTTPException) -> None:
        passes = error.status in (UNAUTHORIZED, TOO_MANY) or error.status >= SERVER_FAILS
        if passes or error.code == DMS_TOO_FAST:
            await self._later(owed, str(error))
            return
        if not isinstance(error, discord.Forbidden | discord.NotFound) and error.code != LOCKED_THREAD:
            log.error("Discord does not take message %s", owed.id, exc_info=error)
        await self._give_up(owed, str(error), shut=isinstance(error, discord.Forbidden))

    async def _give_up(self, owed: Owed, reason: str, *, shut: bool = False) -> None:
        if owed.kind == REMINDER:
            await self.reminders.refused(owed, reason, shut=shut)
        else:
            await self.service.unreachable(owed, reason)

    async def _later(self, owed: Owed, reason: str) -> None:
        if self.service.now() - owed.created_at > GIVE_UP:
            await self._give_up(owed, reason)
        else:
            await self.service.retry(owed)

    async def _post_of(self, owed: Owed) -> Post | None:
        if owed.kind == BOARD:
            assert owed.game is not None
            return board_post(unpack(owed.game, owed.payload))
        if owed.kind in (REMINDER, CALL, NUDGE):
            return await self._reminder(owed)
        if owed.kind == VACATION:
            return Post(vacation_texts.announced(**owed.payload), (), None, ())
        assert owed.kind == CHALLENGE
        offer = (await self.service.stored_challenge(owed.payload["challenge"])).challenge
        if offer.state is not State.OPEN:
            return None
        pinged = (offer.to.user,) if offer.to else ()
        return Post(lobby_texts.challenge(offer), pinged, None, challenge_rows(offer.id, offer.to is None))

    async def _reminder(self, owed: Owed) -> Post | None:
        stored = await self.reminders.fresh(owed)
        if stored is None:
            return None
        if owed.kind == CALL:
            said = reminder_texts.call(stored.game, owed.payload["user"], self.service.now())
            return call_post(stored.game, owed.payload["user"], said)
        if owed.kind == NUDGE:
            said = reminder_texts.nudge(stored.game, owed.payload["user"])
            return call_post(stored.game, owed.payload["user"], said)
        notation = NOTATIONS.get((await self.service.settings(owed.channel)).get("notation", ""), OFFICIAL)
        return reminder_post(stored.game, notation, board_url(stored), self.service.now())

    async def _place(self, owed: Owed) -> discord.DMChannel | discord.PartialMessageable:
        if owed.kind == REMINDER:
            return await self.client.create_dm(discord.Object(owed.channel))
        return self.client.get_partial_messageable(owed.channel)

    async def _posted_before(self, owed: Owed, post: Post) -> int | None:
        if self.service.now() - owed.first_tried_at < NONCE_HOLDS:
            return None
        channel = await self._place(owed)
        since = datetime.fromtimestamp(owed.first_tried_at - CLOCKS_DIFFER, UTC)
        wanted = {button.does for row in post.rows if isinstance(row, tuple) for button in row}
        try:
            async for message in channel.history(limit=LOOK_BACK, after=since):
                own = self.client.user is not None and message.author.id == self.client.user.id
                if own and (message.content == post.text or wanted & set(_custom_ids(message))):
                    return message.id
        except discord.Forbidden:
            log.warning("I may not read the history of channel %s: a message may be posted twice there", owed.channel)
        return None

    async def _send(self, owed: Owed, post: Post) -> int:
        files = await picture_files(self.painter, post.picture)
        view = view_of(post.rows)
        message = await (await self._place(owed)).send(
            post.text,
            files=files,
            nonce=str(owed.id),
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in post.pinged]),
            view=view or discord.utils.MISSING,
        )
        return message.id

    async def _delivered(self, owed: Owed, message: int | None) -> None:
        older = await self.service.delivered(owed, message)
        if older:
            await self.strip(*older)
        if owed.game is not None:
            await self.sweep(owed.game)  # what had to wait for this

    async def strip(self, channel: int, message: int, text: str | None = None) -> None:
        """Take the buttons off a message of ours and give it another text; without one only if it is young.

        A best effort, once.
        """
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message)
        if text is None and age.total_seconds() > FRESH:
            return
        partial = self.client.get_partial_messageable(channel).get_partial_message(message)
        try:
            async with asyncio.timeout(STRIP_FOR):
                await (partial.edit(view=None) if text is None else partial.edit(content=text, view=None))
        except (discord.HTTPException, *OUTAGE):
            log.info("an old message keeps its buttons")


def _custom_ids(message: discord.Message) -> Iterable[str]:
    for row in message.components:
        for child in getattr(row, "children", ()):
            yield getattr(child, "custom_id", None) or ""


def board_post(board: Board) -> Post:
    """Return a board as a message: it pings whoever must act, or both at the end."""
    text, picture = board_texts.board(board), board_picture(board, board_texts.caption(board))
    if board.over:
        record = (Button(texts.RECORD, f"r:{board.game}"),) if board.number else ()
        rematch = () if board.followed_by else (Button(texts.REMATCH, f"m:{board.game}"),)
        return Post(text, board.seats, picture, ((*rematch, *record),) if rematch or record else ())
    label = texts.REMOVE if board_texts.removal_due(board.position) else texts.MOVE
    button = Button(label, f"b:{board.game}:{board.number}", "primary")
    return Post(text, (board.seats[board.position.mover],), picture, ((button,),))


def move_label(game: Game) -> str:
    """Return what the button says that leads on in a game."""
    return texts.REMOVE if board_texts.removal_due(game.current) else texts.MOVE


def reminder_post(game: Game, notation: Notation, link: str | None, now: int) -> Post:
    """Return the direct message that reminds the player to move, whose clock runs; `link` leads to the board."""
    buttons = (
        Button(move_label(game), f"o:{game.id}", "primary"),
        Button(reminder_texts.OFF_HERE, f"n:{game.id}:game"),
        Button(reminder_texts.OFF_ALWAYS, f"n:{game.id}:always"),
    )
    return Post(reminder_texts.reminder(game, notation, link, now), (), game_picture(game, notation), (buttons,))


def call_post(game: Game, user: int, text: str) -> Post:
    """Return what is said in the channel to the player to move."""
    button = Button(move_label(game), f"b:{game.id}:{game.number}", "primary")
    return Post(text, (user,), None, ((button,),))


def challenge_rows(id: int, seek: bool) -> tuple[Row, ...]:
    """Return the buttons of an open challenge or seek."""
    take = Button(texts.TAKE_SEEK if seek else texts.ACCEPT, f"c:{id}:accept", "success")
    decline = () if seek else (Button(texts.DECLINE, f"c:{id}:decline"),)
    return ((take, *decline, Button(texts.WITHDRAW, f"c:{id}:withdraw")),)
