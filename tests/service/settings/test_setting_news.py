"""The news of changed settings: one message gathers them, and comes where the boards are."""

from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.service.app import App
from gipfbot.service.settings.servers import (
    BETWEEN_SECONDS,
    GATHER_SECONDS,
    SETTINGS_CHANGED,
    ServerSettings,
)
from gipfbot.store import Store, outbox, tables
from gipfbot.values import OutboxRow, Venue
from tests.service.helpers import Host, begin_game
from tests.support.people import ANN, CLUB, HALL, OTHER_CLUB
from tests.support.times import MINUTE

CHANNEL = HALL + 7
NEVER_TOLD = {"theme", "below", "puzzles"}
TOLD = "rules zertz punct pace weekends grace vacation rated threads channel challengers cap results".split()


@pytest.fixture(autouse=True)
async def channel_for_games(app: App, host: Host) -> None:
    """The server has a channel for games, which was told long ago."""
    await app.servers.change(CLUB, {"channel": CHANNEL})
    host.passes(GATHER_SECONDS)
    await tell(app, 1)
    host.passes(BETWEEN_SECONDS)


async def due_news(app: App) -> list[OutboxRow]:
    """Lease and return the news that is due now."""
    found = [await app.outbox.lease_row(row) for row in await app.outbox.deliverable_rows()]
    return [row for row in found if row and row.kind == SETTINGS_CHANGED]


async def tell(app: App, message: int) -> dict[str, Any]:
    """Post the news that is due, and return what it says."""
    (row,) = await due_news(app)
    await app.outbox.note_delivered(row, message)
    return row.payload


async def owed_count(store: Store) -> int:
    async with store.reading() as db:
        rows = await db.scalars(select(tables.outbox.c.id).where(tables.outbox.c.done_at.is_(None)))
        return len(rows.all())


def test_what_players_notice_is_told_in_this_order() -> None:
    told = [name for name, row in ServerSettings.rows().items() if row.announced]
    assert [name for name in told if name in TOLD] == TOLD
    assert not {*told} & NEVER_TOLD


async def test_changes_of_some_minutes_are_one_message(app: App, host: Host, store: Store) -> None:
    for changes in ({"pace": "2"}, {"cap": 5, "theme": "night"}, {"pace": "7"}, {"rated": False}):
        host.passes(30)
        assert (await app.servers.change(CLUB, changes))[1] == CHANNEL
    assert await due_news(app) == []
    assert await owed_count(store) == 1
    host.passes(GATHER_SECONDS - 90)
    before, after = {"pace": "3", "cap": None, "rated": True}, {"pace": "7", "cap": 5, "rated": False}
    assert await tell(app, 2) == {"server": CLUB, "before": before, "after": after}


async def test_setting_that_was_changed_back_is_no_news(app: App, host: Host, store: Store) -> None:
    await app.servers.change(CLUB, {"pace": "none"})
    await app.servers.change(CLUB, {"cap": 5})
    assert (await app.servers.change(CLUB, {"pace": "3"}))[1] == CHANNEL
    host.passes(MINUTE)
    assert (await app.servers.change(CLUB, {"cap": None}))[1] is None
    assert await owed_count(store) == 0
    assert (await app.servers.change(CLUB, {"theme": "night", "below": "black"}))[1] is None
    assert await owed_count(store) == 0


async def test_one_message_in_ten_minutes(app: App, host: Host) -> None:
    """What comes meanwhile is gathered, in each server by itself."""
    await app.servers.change(CLUB, {"cap": 5})
    host.passes(GATHER_SECONDS)
    await tell(app, 2)
    told = []
    for minute in range(30):
        await app.servers.change(CLUB, {"cap": 6 + minute})
        host.passes(MINUTE)
        for row in await due_news(app):
            await app.outbox.note_delivered(row, 3 + minute)
            told.append((minute, row.payload["before"]["cap"], row.payload["after"]["cap"]))
    assert told == [(9, 5, 15), (19, 15, 25), (29, 25, 35)]
    await app.servers.change(OTHER_CLUB, {"channel": CHANNEL + 1})
    host.passes(GATHER_SECONDS)
    assert [row.channel for row in await due_news(app)] == [CHANNEL + 1]


async def test_news_being_posted_stays_as_it_is(app: App, host: Host) -> None:
    """A change in that moment is told later, and nothing is told twice."""
    await app.servers.change(CLUB, {"cap": 5})
    host.passes(GATHER_SECONDS)
    (row,) = await due_news(app)
    await app.servers.change(CLUB, {"cap": 6, "grace": 0})
    await app.outbox.note_delivered(row, 2)
    assert row.payload["after"] == {"cap": 5}
    host.passes(BETWEEN_SECONDS)
    news = {"before": {"cap": 5, "grace": 12}, "after": {"cap": 6, "grace": 0}}
    assert await tell(app, 3) == {"server": CLUB, **news}


async def test_news_comes_where_boards_are_posted(app: App, host: Host, store: Store) -> None:
    """In the new channel for games, or the former; without one, where the last game is played."""
    assert (await app.servers.change(CLUB, {"channel": None}))[1] == CHANNEL
    assert (await app.servers.change(CLUB, {"channel": CHANNEL + 1}))[1] == CHANNEL + 1
    assert (await app.servers.change(CLUB, {"channel": None}))[1] == CHANNEL + 1
    assert (await app.servers.change(CLUB, {"grace": 0}))[1] == CHANNEL + 1
    host.passes(GATHER_SECONDS)
    assert (await tell(app, 2))["before"] == {"grace": 12, "channel": CHANNEL}
    assert (await app.servers.change(CLUB, {"cap": 5}))[1] is None
    game = (await begin_game(app, venue=Venue(CLUB, HALL + 1, HALL))).game.id
    assert (await app.servers.change(CLUB, {"cap": 6}))[1] == HALL
    await app.games.cancel_game(game, ANN.user)
    assert (await app.servers.change(CLUB, {"cap": 7}))[1] == HALL
    host.passes(BETWEEN_SECONDS)
    assert (await tell(app, 3))["after"] == {"cap": 7}
    assert (await app.servers.change(CLUB, {"cap": 8}))[1] is None


async def test_end_of_a_downtime_brings_no_news_forward(app: App, host: Host, store: Store) -> None:
    await app.servers.change(CLUB, {"cap": 5})
    async with store.transaction() as db:
        await outbox.retry_all_now(db, host.now)
    assert await due_news(app) == []
