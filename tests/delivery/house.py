"""A bot logged in to a Discord on this machine, without the gateway, over a real database; tests move its time."""

import asyncio
import random
import secrets
import sys
import time
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NoReturn

import pytest
from sqlalchemy import func, select

from gipfbot.match import Game, Seat, Side, Terms
from gipfbot.rules import STANDARD, Ruleset
from gipfbot.service.app import App, create_app, message_kinds
from gipfbot.service.clock import downtime
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.service.kit.message_kinds import MessageKinds
from gipfbot.service.requests.claim_win import ClaimedWin
from gipfbot.service.requests.game_requests import RequestUpdate
from gipfbot.store import Store, games, tables
from gipfbot.ui.bot import GipfBot, message_builders
from gipfbot.ui.delivery.delivery import Delivery
from gipfbot.ui.kit.components import split_mark
from gipfbot.ui.kit.outbox_messages import MessageBuilder, OutboxMessage
from gipfbot.values import NO_LIMITS, StoredGame, Venue
from gipfbot.values.outbox import THREAD, OutboxRow
from tests.bench.recording import BlankPainter
from tests.standin import Channel, Message, StandIn
from tests.standin.components import buttons, selects
from tests.support.games import OPENING, turn_counted
from tests.support.terms import THREE_DAYS

FULL = "this server has as many active threads as Discord allows"
LONG = 1000  # seconds after which Discord has forgotten a nonce

REPLACED: dict[str, str] = {}  # the bot's own texts, by the text that was posted instead
REPLACING = False  # whether each posted text is replaced
ASKED = ("CommandTree", "discord.py: on_interaction")  # the names of tasks that handle interactions


class PowerCut(BaseException):
    """The sudden end of the process."""


class Clock:
    """A clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.begun, self.moved = int(time.time()), 0

    def __call__(self) -> int:
        return self.begun + self.moved


@dataclass
class House:
    """A bot, its store and its Discord."""

    discord: StandIn
    store: Store
    clock: Clock
    bot: GipfBot
    kinds: MessageKinds = field(default_factory=message_kinds)  # of messages, for the next bot
    builders: Sequence[MessageBuilder] = field(default_factory=message_builders)
    hearing: asyncio.Task[None] | None = None

    @property
    def app(self) -> App:
        """The services of the bot."""
        return self.bot.app

    def current_builders(self) -> dict[str, MessageBuilder]:
        """Return what builds the messages of this bot, by kind."""
        assert isinstance(self.bot.delivery, Delivery)
        return self.bot.delivery.builders

    @property
    def channel(self) -> Channel:
        """The venue of challenges, unless a test names another."""
        return self.discord.general

    def home(self, channel: Channel | None = None) -> Venue:
        """Return a channel as the venue of games."""
        place = channel or self.channel
        return Venue(self.discord.guild.id, place.id, place.parent.id if place.parent else None)

    def seats(self) -> tuple[Seat, Seat]:
        """Return Ann and Bob."""
        ann, bob = (self.discord.user(name) for name in ("ann", "bob"))
        return Seat(ann.id, "Ann"), Seat(bob.id, "Bob")

    async def begin(
        self,
        channel: Channel | None = None,
        terms: Terms | None = None,
        *,
        thread: bool = True,
        rules: Ruleset = STANDARD,
        before_board: Awaitable[None] | None = None,
    ) -> int:
        """Begin a game of Ann, White, and Bob, deliver its first messages, and return its id.

        `before_board` is awaited after the challenge was posted.
        """
        ann, bob = self.seats()
        home, agreed = self.home(channel), replace(terms or Terms(), thread=thread)
        offered, owed = await self.app.lobby.challenge(ann, bob, rules, Side.WHITE, home, agreed)
        await self.bot.delivery.deliver(owed)
        if before_board:
            await before_board
        _, done = await self.app.lobby.accept_challenge(offered.challenge.id, bob)
        await self.bot.delivery.deliver(done.owed)
        return done.game.id

    async def announce_vacation(self) -> Message:
        """Begin a game and let Ann go on vacation; return the announcement."""
        await self.begin(terms=THREE_DAYS, thread=False)
        _, owed = await self.app.vacations.start_vacation(self.seats()[0].user, 3)
        await self.bot.delivery.deliver(owed)
        return self.channel.last()

    async def play(self, game_id: int) -> bool:
        """Play the game's next turn of the opening; return whether its board was posted."""
        game = await self.game(game_id)
        done = await self.app.games.play_typed(game_id, self.mover(game), OPENING[game.turn_number])
        return bool(await self.bot.delivery.deliver(done.owed))

    def mover(self, game: Game) -> int:
        """Return the player that a running game waits for."""
        assert game.asked is not None
        return game.seats[game.asked].user

    async def game(self, game_id: int) -> Game:
        """Return a game in its present state."""
        return (await self.stored(game_id)).game

    async def stored(self, game_id: int) -> StoredGame:
        """Return a game as the store knows it."""
        async with self.store.reading() as db:
            found = await games.load_game(db, game_id)
        assert found
        return found

    def thread(self) -> Channel:
        """Return the only thread of the server."""
        (found,) = (channel for channel in self.discord.guild.channels.values() if channel.is_thread)
        return found

    async def reach_reminder(self) -> None:
        """Move the clock on to the earliest reminder, as if the bot had run all the time."""
        planned = select(func.min(tables.due.c.at)).where(tables.due.c.kind == REMINDER)
        async with self.store.transaction() as db:
            self.clock.moved += (await db.execute(planned)).scalar_one() - self.clock()
            await downtime.note_alive(db, self.clock())

    async def sweep(self, seconds: int = 0) -> None:
        """Let time pass, and let the bot deliver what it owes."""
        self.clock.moved += seconds
        await self.bot.delivery.sweep()

    async def restart(self, seconds: int = 0) -> None:
        """Start another bot after so many seconds. After many of them Discord has forgotten the nonces."""
        await self.close()
        self.clock.moved += seconds
        for message in (message for channel in self.discord.world.channels.values() for message in channel.messages):
            message.posted_at -= seconds
        self.bot = await logged_in(self.store, self.discord, self.clock, self.kinds, self.builders)
        await self.sweep()

    async def connect(self) -> None:
        """Connect the bot to the gateway."""
        self.hearing = asyncio.create_task(self.bot.connect())
        await self.discord.ready()

    async def close(self) -> None:
        """Close the bot after it has handled all interactions."""
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name().startswith(ASKED)))
        await self.bot.close()
        if self.hearing:
            await asyncio.gather(self.hearing, return_exceptions=True)
            self.hearing = None

    async def deliver(self, update: GameUpdate | RequestUpdate | ClaimedWin) -> None:
        """Post the messages that an update owes."""
        await self.bot.delivery.deliver(update.owed)

    @contextmanager
    def noting_nothing(self) -> Iterator[None]:
        """Keep the bot from noting its posts, as if it ended just before."""

        async def note_nothing(*_: object) -> None:
            return None

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.app.outbox, "note_delivered", note_nothing)
            yield

    def dies_at(self, patch: pytest.MonkeyPatch, kind: str, number: int = 1, *, posted: bool = True) -> None:
        """End the process at a message of this kind, before it is noted or, unless `posted`, before it is posted."""
        place, name = (self.app.outbox, "note_delivered") if posted else (self.bot.delivery, "_send")
        work, left = getattr(place, name), iter(range(number - 1))

        async def die(owed: OutboxRow, *more: object) -> object:
            return cut() if owed.kind == kind and next(left, None) is None else await work(owed, *more)

        patch.setattr(place, name, die)

    async def assert_each_posted_once(self) -> None:
        """Check that each row that was not dropped has its own message, and that the bot has posted no others."""
        meant = tables.outbox.c.kind != THREAD, tables.outbox.c.dropped.is_(None)
        async with self.store.reading() as db:
            rows = (await db.execute(select(tables.outbox).where(*meant))).all()
        posted = {message.id: message for message in self.own_messages()}
        assert sorted(row.message or 0 for row in rows) == sorted(posted)
        for row in rows:
            marks = {split_mark(custom_id)[1] for custom_id in first_custom_ids(posted[row.message])}
            assert marks == {row.mark}, row

    def own_messages(self) -> list[Message]:
        """Return all messages that the bot has posted, wherever they are."""
        world = self.discord.world
        return [each for place in world.channels.values() for each in place.messages if each.author is world.bot]

    def dies(self, patch: pytest.MonkeyPatch, before: str, times: int = 0) -> None:
        """End the process when the bot is about to note Discord's answer, after so many notes."""
        noting, left = getattr(self.bot.app.outbox, before), iter(range(times))

        async def die(*told: object) -> object:
            return await noting(*told) if next(left, None) is not None else cut()

        patch.setattr(self.bot.app.outbox, before, die)


def first_custom_ids(message: Message) -> list[str]:
    """Return the custom_ids of a message at its posting."""
    first = message.revisions[0]
    return [each["custom_id"] for each in buttons(first.components) + selects(first.components)]


def cut() -> NoReturn:
    """End the process."""
    raise PowerCut


def said(channel: Channel) -> list[str]:
    """Return a channel's messages in short: `board 3` is the board after three turns, `end` the last board."""
    return [_said(message) for message in channel.messages]


def _said(message: Message) -> str:
    first, *rest = meant(message).splitlines()
    if not message.attachments or any(word in first for word in ("challenges you", "asks for a rematch")):
        return first
    if "wins" in first or "was cancelled" in first:
        return "end"
    return f"board {max(map(turn_counted, rest), default=0)}"


def meant(message: Message) -> str:
    """Return the bot's own text of a message, even if its words were replaced."""
    return REPLACED.get(message.content, message.content)


async def logged_in(
    store: Store,
    discord: StandIn,
    clock: Clock,
    kinds: MessageKinds | None = None,
    builders: Sequence[MessageBuilder] | None = None,
) -> GipfBot:
    """Return a bot that does nothing by itself. Without `kinds` and `builders`, it has those of the product."""
    app = create_app(store, clock, lambda: True, limits=NO_LIMITS, kinds=kinds)
    bot = GipfBot(app, builders=[*map(_in_words_of_test, builders or message_builders())])
    bot.painter = BlankPainter()
    await bot.login(discord.token)
    bot.stop_loops()
    return bot


def replace_words(patch: pytest.MonkeyPatch) -> None:
    """Replace each posted text by a random one, each time it is made."""
    patch.setattr(sys.modules[__name__], "REPLACED", {})
    patch.setattr(sys.modules[__name__], "REPLACING", True)


def _in_words_of_test(builder: MessageBuilder) -> MessageBuilder:
    async def build(app: App, row: OutboxRow) -> OutboxMessage | None:
        message = await builder.build(app, row)
        return replace(message, text=_replaced(message.text)) if message and REPLACING else message

    return replace(builder, build=build)


def _replaced(text: str) -> str:
    other = " ".join(random.choices(("Move", "Ann", "<t:1:R>", "I was out of reach", "```", "#a1"), k=8))
    other += secrets.token_hex(8)
    REPLACED[other] = text
    return other
