"""A bot logged in to a Discord on this machine, without the gateway, over a real database; tests move its time."""

import asyncio
import logging
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import pytest
from discord.http import Route

from gipfbot.match import Game, Seat, Side, Terms
from gipfbot.rules import STANDARD
from gipfbot.service.app import App, create_app
from gipfbot.store import Store, games
from gipfbot.ui.bot import GipfBot
from gipfbot.values import StoredGame, Venue
from tests.process.table import OPENING
from tests.standin import Channel, Message, StandIn


class PowerCut(BaseException):
    """The end of a process, in the middle of what it does."""


class Clock:
    """The time, as far as a test has moved it."""

    def __init__(self) -> None:
        self.moved = 0

    def __call__(self) -> int:
        return int(time.time()) + self.moved


@dataclass
class House:
    """A bot, its store and its Discord."""

    discord: StandIn
    store: Store
    clock: Clock
    bot: GipfBot

    @property
    def app(self) -> App:
        """What people can do."""
        return self.bot.app

    @property
    def channel(self) -> Channel:
        """Where challenges are made unless a test says otherwise."""
        return self.discord.general

    def home(self, channel: Channel | None = None) -> Venue:
        """Return a place as the home of games."""
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
        before_board: Awaitable[None] | None = None,
    ) -> int:
        """Return a new game of Ann, White, and Bob, with what it owes at once posted as far as it can be.

        `before_board` is done when the challenge has been posted.
        """
        ann, bob = self.seats()
        home, agreed = self.home(channel), replace(terms or Terms(), thread=thread)
        offered, owed = await self.app.lobby.challenge(ann, bob, STANDARD, Side.WHITE, home, agreed)
        await self.bot.delivery.deliver(owed)
        if before_board:
            await before_board
        _, done = await self.app.lobby.accept_challenge(offered.challenge.id, bob)
        await self.bot.delivery.deliver(done.owed)
        return done.game.id

    async def play(self, id: int) -> bool:
        """Play the game's next turn of the opening; return whether its board was posted."""
        game = await self.game(id)
        done = await self.app.games.play_typed(id, self.mover(game), OPENING[game.turn_number])
        return await self.bot.delivery.deliver(done.owed)

    def mover(self, game: Game) -> int:
        """Return whom a running game waits for."""
        assert game.asked is not None
        return game.seats[game.asked].user

    async def game(self, id: int) -> Game:
        """Return a game as it stands."""
        return (await self.stored(id)).game

    async def stored(self, id: int) -> StoredGame:
        """Return a game with what the store knows beyond it."""
        async with self.store.reading() as db:
            found = await games.load_game(db, id)
        assert found
        return found

    def thread(self) -> Channel:
        """Return the only thread of the server."""
        (found,) = (channel for channel in self.discord.guild.channels.values() if channel.is_thread)
        return found

    async def sweep(self, seconds: int = 0) -> None:
        """Let time pass, and the bot look after what it owes."""
        self.clock.moved += seconds
        await self.bot.delivery.sweep()

    async def restart(self, seconds: int = 0) -> None:
        """Let another bot take over after so many seconds; if they are many, Discord has forgotten the nonces."""
        await self.bot.close()
        self.clock.moved += seconds
        for message in (message for channel in self.discord.world.channels.values() for message in channel.messages):
            message.posted_at -= seconds
        self.bot = await logged_in(self.store, self.discord, self.clock)
        await self.sweep()

    def dies(self, patch: pytest.MonkeyPatch, before: str, times: int = 0) -> None:
        """Let the process end when the bot is about to note what Discord has said, after so many times of noting it."""
        noting, left = getattr(self.bot.app.outbox, before), iter(range(times))

        async def die(*told: object) -> object:
            return await noting(*told) if next(left, None) is not None else cut()

        patch.setattr(self.bot.app.outbox, before, die)


def cut() -> NoReturn:
    """End the process."""
    raise PowerCut


def said(channel: Channel) -> list[str]:
    """Return what a channel's messages say first: `board 3` for the board after three turns, `end` for the last."""
    return [_said(message) for message in channel.messages]


def _said(message: Message) -> str:
    first, *rest = message.content.splitlines()
    if not message.attachments or any(word in first for word in ("challenges you", "asks for a rematch")):
        return first
    if "wins" in first or "called off" in first:
        return "end"
    turn = next((line for line in rest if line.startswith("Turn ")), "Turn 0").split(" ")[1]
    return f"board {turn}"


async def logged_in(store: Store, discord: StandIn, clock: Clock) -> GipfBot:
    """Return a bot that does nothing by itself."""
    bot = GipfBot(create_app(store, clock, lambda: True))
    await bot.login(discord.token)
    bot.stop_loops()
    return bot


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("delivery") / "empty.sqlite3"

    async def create() -> None:
        await (await Store.open_database(f"sqlite+aiosqlite:///{path}")).close()

    asyncio.run(create())
    return path


@pytest.fixture
async def house(empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    path = shutil.copy(empty_database, tmp_path / "gipf.sqlite3")
    store, clock = await Store.open_database(f"sqlite+aiosqlite:///{path}"), Clock()
    async with StandIn() as discord:
        monkeypatch.setattr(Route, "BASE", discord.api_url)
        house = House(discord, store, clock, await logged_in(store, discord, clock))
        yield house
        await house.bot.close()
        assert discord.violations == []
    await store.close()


@pytest.fixture(autouse=True)
def nothing_fails_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever the bot logs as an error fails the test."""
    yield
    assert [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR] == []
