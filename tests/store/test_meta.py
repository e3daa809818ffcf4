"""Faults of the disk are counted, and a trial finds them."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from gipfbot.store import Store, try_writing
from gipfbot.values import DatabaseTrouble
from tests.support.times import NOW


async def _fill(store: Store) -> None:
    """Write until the database takes no more than it has now."""
    async with store.transaction() as db:
        await db.exec_driver_sql("PRAGMA max_page_count = 1")
        await db.execute(text("INSERT INTO meta VALUES ('filling', hex(zeroblob(1000000)))"))


@pytest.mark.sqlite
async def test_a_full_disk_is_counted(store: Store) -> None:
    seconds = list[float]()  # of transactions that were committed
    store.note_seconds = seconds.append
    assert await try_writing(store, NOW) == ""
    assert (len(seconds), store.troubles.count) == (1, 0)
    with pytest.raises(DatabaseTrouble):
        await _fill(store)
    assert (len(seconds), store.troubles.count, store.troubles.last_said) == (1, 1, "its disk is full")
    assert seconds[0] > 0


async def test_other_errors_are_no_fault_of_the_disk(store: Store) -> None:
    with pytest.raises(DBAPIError):
        async with store.transaction() as db:
            await db.execute(text("INSERT INTO meta VALUES (NULL, NULL)"))
    assert store.troubles.count == 0


@pytest.mark.sqlite
async def test_a_trial_says_what_is_wrong(store: Store) -> None:
    async with store.transaction() as db:
        await db.execute(text("CREATE TRIGGER full BEFORE INSERT ON meta BEGIN SELECT RAISE(FAIL, 'no room'); END"))
    assert await try_writing(store, NOW) == "no room"
