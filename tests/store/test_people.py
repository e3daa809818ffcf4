"""What is remembered about people, and by the bot about itself."""

from sqlalchemy import select

from gipfbot.store import Store, meta, tables, users
from tests.store.helpers import ANN, BOB, NOW


async def test_a_value_is_put_and_replaced(store: Store) -> None:
    async with store.transaction() as db:
        assert await meta.get(db, "commands") is None
        await meta.put(db, "commands", "abc")
        await meta.put(db, "other", "x")
        await meta.put(db, "commands", "def")
    async with store.reading() as db:
        assert (await meta.get(db, "commands"), await meta.get(db, "other")) == ("def", "x")


async def test_settings_are_kept_by_name(store: Store) -> None:
    async with store.transaction() as db:
        assert await users.settings(db, ANN.user) == {}
        await users.set_setting(db, ANN.user, "confirm_typed", True)
        await users.set_setting(db, ANN.user, "pinned", [1, 2])
        await users.set_setting(db, ANN.user, "confirm_typed", False)
    async with store.reading() as db:
        assert await users.settings(db, ANN.user) == {"confirm_typed": False, "pinned": [1, 2]}
        assert await users.settings(db, BOB.user) == {}


async def test_a_person_is_remembered_with_his_settings(store: Store) -> None:
    async with store.transaction() as db:
        await users.remember(db, ANN.user, NOW)
        await users.set_setting(db, ANN.user, "confirm_typed", True)
        await users.remember(db, ANN.user, NOW + 1)
        rows = [tuple(row) for row in await db.execute(select(tables.users))]
    assert rows == [(ANN.user, {"confirm_typed": True}, NOW + 1, None)]
