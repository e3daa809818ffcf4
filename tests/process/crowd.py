"""A bot with 10,000 running games and 1,000,000 finished ones, for the load test. The games are written by SQL."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from random import Random
from typing import NamedTuple

from gipfbot.match import Seat, Terms, days_per_turn, perform, resign_game
from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD
from gipfbot.store import Connection, Store, explorer, games
from gipfbot.values import Venue
from tests.bench.many_games import ANYBODY, copy_game
from tests.bench.samples import random_match
from tests.standin import Channel, Message, Revision, StandIn, User

from .running import Bot

SAMPLES = 200  # different running games; the others are copies of them
SERVERS, CHANNELS = 40, 10  # and so many channels on each server
PLAYERS = 100_000
TERMS = Terms(days_per_turn(3), rated=True)
BEGAN = 20_000  # seconds ago, at most: each copy began a second after the one before


class RunningGame(NamedTuple):
    """A running game with two turns: where it is played, who is to move, and what they type."""

    id: int
    channel: Channel
    user: int
    text: str


async def add_crowd(bot: Bot, discord: StandIn, running: int, ended: int) -> list[RunningGame]:
    """Store so many running and ended games with two turns each, while the bot is stopped. Return the running ones.

    They are spread over channels of the stand-in, and each has a board there. No player has two of them. `running` is a
    multiple of SAMPLES. The samples are stored, too, and belong to nobody here.
    """
    now, seats = int(time.time()) - BEGAN, (Seat(ANYBODY, "ann"), Seat(ANYBODY + 1, "bob"))
    channels = [*_add_channels(discord)]
    store = await Store.open_database(bot.settings["GIPFBOT_DATABASE_URL"])
    async with store.transaction() as db:
        samples = [await _store_sample(db, seats, number, now) for number in range(SAMPLES)]
        finished = await _store_ended(db, seats, now)
        texts = dict[int, str]()
        each = running // SAMPLES
        for number, (sample, text) in enumerate(samples):
            first = number * each + 1
            await copy_game(db, sample, finished, (first, first + each - 1), PLAYERS)
            texts |= dict.fromkeys(range(finished + first, finished + first + each), text)
        last = finished + SAMPLES * each
        await copy_game(db, finished, last, (1, ended - 1), PLAYERS)
    await store.close()
    return _spread(bot, discord, channels, texts)


def _add_channels(discord: StandIn) -> Iterator[Channel]:
    for server in range(SERVERS):
        guild = discord.world.add_guild(f"server {server}")
        yield from (discord.world.add_channel(guild, f"gipf-{number}") for number in range(CHANNELS))


async def _store_sample(db: Connection, seats: tuple[Seat, Seat], seed: int, now: int) -> tuple[int, str]:
    """Store a running game with two turns. Return its id, and the text of a third turn."""
    game = (await games.add_game(db, STANDARD, seats, Venue(1, 1), now, TERMS)).game
    first, second, third = islice(random_match(Random(seed)), 3)
    for played in (first, second):
        assert played.last
        assert game.asked is not None
        by = seats[game.asked].user
        done = perform(game, by, played.last.actions)
        await games.save_game(db, game, done.game, done.turn, by=by, how="typed", now=now)
        game = done.game
    assert third.last
    return game.id, turn_text(third.last.before, third.last.actions)


async def _store_ended(db: Connection, seats: tuple[Seat, Seat], now: int) -> int:
    number, _ = await _store_sample(db, seats, SAMPLES, now)
    stored = await games.load_game(db, number)
    assert stored
    await games.save_game(db, stored.game, resign_game(stored.game, seats[0].user), by=seats[0].user, now=now)
    await explorer.mark_counted(db, [number], now)
    return number


def _spread(bot: Bot, discord: StandIn, channels: list[Channel], texts: dict[int, str]) -> list[RunningGame]:
    """Spread the running games over the channels, and give each a board there."""
    found = list[RunningGame]()
    with closing(sqlite3.connect(bot.database)) as db, db:
        players = dict(db.execute("SELECT id, waiting_user FROM games WHERE waiting_user IS NOT NULL"))
        for number, game in enumerate(sorted(texts)):
            channel = channels[number % len(channels)]
            board = _add_board(discord, channel)
            places = board.guild_id, channel.id, channel.id, board.id, 2, game
            db.execute(
                "UPDATE games SET server = ?, channel = ?, board_channel = ?, board_message = ?, board_turn_serial = ?"
                " WHERE id = ?",
                places,
            )
            found.append(RunningGame(game, channel, players[game], texts[game]))
    return found


def _add_board(discord: StandIn, channel: Channel) -> Message:
    assert channel.guild
    shown = [Revision(content="The board after two turns")]
    board = Message(discord.world.ids.new(), channel.id, channel.guild.id, discord.world.bot, shown)
    channel.messages.append(board)
    return board


def player(discord: StandIn, user: int) -> User:
    """Return the person with this id."""
    return discord.world.users.setdefault(user, User(user, f"player {user - ANYBODY}"))
