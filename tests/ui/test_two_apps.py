"""Two processes on one PostgreSQL, one of which dies each day, post in three weeks what one on SQLite posts.

Their services, stores and pools of connections are of their own. What they do not share with real processes is the
connection to Discord: one bot works for either, in turns of six hours.
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import simcord
from sqlalchemy import update

from gipfbot.app import create_bot, utc_now
from gipfbot.service.app import App, create_app
from gipfbot.store import Connection, Store, shard_heartbeats
from gipfbot.ui.bot import GipfBot
from gipfbot.values import NO_LIMITS, Shards
from tests.support.times import HOUR

from .world import custom_ids, looks_seldom

DAYS, WATCH = 21, 6  # hours
SETTLE_SECONDS = 120
TURNS = "c2", "i2", "b2", "h2", "c4", "i4", "c8", "a5"
SNOWFLAKE = re.compile(r"\d{15,}")
Relieve = Callable[[int], Awaitable[App]]  # returns who works in the next hours
Posted = dict[str, list[tuple[str, list[str]]]]


async def note_all(db: Connection, now: int, _: int) -> None:
    """Note that both processes run, whichever of them the bot works for."""
    await db.execute(update(shard_heartbeats.shard_heartbeats).values(alive_at=now))


def new_app(store: Store) -> App:
    """Return the services of one process; without a lot, as both runs must begin games alike."""
    return create_app(store, utc_now, lambda: True, limits=NO_LIMITS)


class Watches:
    """Two processes that take turns. At the end of each day one is dropped as it is, and begins anew."""

    def __init__(self, url: str) -> None:
        self.url, self.dropped = url, list[Store]()
        self.shards = Shards(0, 3, 8), Shards(4, 7, 8)
        self.apps = list[App]()

    async def begin(self) -> None:
        self.apps = [await self._start(shards) for shards in self.shards]

    async def _start(self, shards: Shards) -> App:
        app = new_app(await Store.open_database(self.url, shards=shards))
        await app.outbox.release_leases()
        await app.house.release_leases()
        return app

    async def relieve(self, hours: int) -> App:
        if hours % 24 == 0:
            dying = hours // 24 % 2
            self.dropped.append(self.apps[dying].games.store)
            self.apps[dying] = await self._start(self.shards[dying])
        return self.apps[hours // WATCH % 2]

    async def close(self) -> None:
        for store in (*self.dropped, *(app.games.store for app in self.apps)):
            await store.close()


async def live_three_weeks(bot: GipfBot, relieve: Relieve) -> Posted:
    """Let people play for three weeks, now and then with a process that dies before it posts. Return what they saw."""
    async with simcord.run(bot, settle_timeout=SETTLE_SECONDS) as env:
        guild = env.create_guild("Club")
        people = [guild.add_member(env.create_user(name, global_name=name)) for name in ("Ann", "Bob", "Cara")]
        ann, bob, cara = people
        places = [guild.create_text_channel(name) for name in ("here", "there")]
        bot.app = await relieve(0)
        for opponent, place, pace in ((bob, places[0], "3"), (cara, places[1], "7"), (bob, places[1], "none")):
            terms = {"rules": "basic", "colour": "white", "pace": pace}
            await ann.slash(place, "gipf challenge", opponent=opponent, **terms)
            await opponent.click([m for m in place.history() if m.author.bot][-1], label="Accept")
        await cara.slash(places[0], "gipf challenge", rules="standard")  # nobody takes it
        await bob.slash(places[0], "gipf-me settings")
        for hours in range(0, DAYS * 24, WATCH):
            bot.app = await relieve(hours)
            await _play(bot, hours, places[0], {person.id: person for person in people})
            await env.settle()
            await env.advance_time(WATCH * HOUR)
            if hours == 5 * 24:
                await bob.slash(places[0], "gipf-me vacation start", days=4)
        posted = {f"#{place.name}": place.history() for place in places}
        posted |= {person.user.name: person.user.dm_channel.history() for person in people}
        return {
            place: [(SNOWFLAKE.sub("…", m.content), sorted(custom_ids(m))) for m in messages if m.author.bot]
            for place, messages in posted.items()
        }


async def _play(bot: GipfBot, hours: int, place: simcord.ChannelHandle, people: dict[int, simcord.MemberActor]) -> None:
    """Let the player to move play in one of the games, each 18 hours for two weeks. Then nobody plays."""
    if hours % 18 or hours > 14 * 24:
        return
    game = hours // 18 % 3 + 1
    stored = await bot.app.games.game(game)
    if stored.game.asked is None:
        return
    user, text = stored.game.seats[stored.game.asked].user, TURNS[stored.game.turn_number % len(TURNS)]
    if hours % 24 == 0:  # this process dies before it posts the board, or the next one finds it
        await bot.app.games.play_typed(game, user, text)
    else:
        await people[user].slash(place, "move", notation=text, game=f"#{'abc'[game - 1]}1")


@pytest.mark.slow
async def test_two_processes_post_what_one_does(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_heartbeats, "note_alive", note_all)
    one = await Store.open_database(f"sqlite+aiosqlite:///{tmp_path}/one.sqlite3")
    alone, watches = new_app(one), Watches(postgres_url)
    await watches.begin()

    async def relieve_nobody(_: int) -> App:
        return alone

    runs = list[Posted]()
    for store, relieve in ((one, relieve_nobody), (watches.apps[0].games.store, watches.relieve)):
        bot = create_bot(store, limits=NO_LIMITS)
        looks_seldom(bot, WATCH // 2, monkeypatch)
        runs.append(await live_three_weeks(bot, relieve))
        await bot.close()
    await one.close()
    await watches.close()
    assert runs[1] == runs[0]
    assert len(watches.dropped) == DAYS + 1
    counts = {place: len(messages) for place, messages in runs[0].items()}
    assert counts["#here"] > 5, counts
    assert counts["#there"] > 10, counts
    assert runs[0]["Ann"], "nobody was reminded"
