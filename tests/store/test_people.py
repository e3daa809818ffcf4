"""Stored values about people, servers and the bot itself, and things that become due."""

from sqlalchemy import select

from gipfbot.store import Store, due, meta, servers, tables, users
from tests.support.people import ANN, BOB, CLUB
from tests.support.times import NOW


async def test_a_value_is_saved_and_replaced(store: Store) -> None:
    async with store.transaction() as db:
        assert await meta.load_value(db, "commands") is None
        await meta.save_value(db, "commands", "abc")
        await meta.save_value(db, "other", "x")
        await meta.save_value(db, "commands", "def")
    async with store.reading() as db:
        assert (await meta.load_value(db, "commands"), await meta.load_value(db, "other")) == ("def", "x")


async def test_settings_are_kept_by_name(store: Store) -> None:
    async with store.transaction() as db:
        assert await users.settings_of_user(db, ANN.user) == {}
        await users.set_setting(db, ANN.user, "confirm_typed", True)
        await users.set_setting(db, ANN.user, "pinned", [1, 2])
        await users.set_setting(db, ANN.user, "confirm_typed", False)
    async with store.reading() as db:
        assert await users.settings_of_user(db, ANN.user) == {"confirm_typed": False, "pinned": [1, 2]}
        assert await users.settings_of_user(db, BOB.user) == {}


async def test_a_person_keeps_their_settings(store: Store) -> None:
    async with store.transaction() as db:
        await users.set_settings(db, ANN.user, {}, NOW)
        await users.set_setting(db, ANN.user, "confirm_typed", True)
        await users.set_settings(db, ANN.user, {}, NOW + 1)
        rows = [tuple(row) for row in await db.execute(select(tables.users))]
    assert rows == [(ANN.user, {"confirm_typed": True}, NOW + 1, None, None, None)]


async def test_a_server_keeps_its_last_settings(store: Store) -> None:
    async with store.transaction() as db:
        assert await servers.settings_of_server(db, CLUB) == {}
        await servers.save_server_settings(db, CLUB, {"cap": 3, "pace": "2"})
        await servers.save_server_settings(db, CLUB, {"cap": None})
    async with store.reading() as db:
        assert await servers.settings_of_server(db, CLUB) == {"cap": None}
        assert await servers.settings_of_server(db, CLUB + 1) == {}


async def test_a_rescheduled_row_is_due_once_at_its_new_time(store: Store) -> None:
    async with store.transaction() as db:
        await due.schedule(db, "digest:1", "digest", NOW, ANN.user)
        (row,) = await due.ready_rows(db, "digest", NOW)
        assert row.at == NOW
        assert await due.reschedule(db, row.id, NOW, NOW + 5)
        assert not await due.reschedule(db, row.id, NOW, NOW + 5), "it is not due again yet"
        assert await due.scheduled_for(db, "digest:1") == NOW + 5
        assert await due.ready_rows(db, "digest", NOW + 4) == []
        assert await due.finish_row(db, row.id, NOW + 5)
        assert not await due.reschedule(db, row.id, NOW + 5, NOW + 9)
