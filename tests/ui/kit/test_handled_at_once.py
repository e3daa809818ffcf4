"""How many interactions of one person are handled at once, and that a task that waits holds no connection."""

import asyncio

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from gipfbot.service.kit.aside import Aside
from gipfbot.store import Store, end_snapshot
from gipfbot.ui.kit.handled_at_once import MOST_AT_ONCE, HandledAtOnce
from tests.support.people import ANN, BOB


class Requests:
    """Requests that last until `done` is set."""

    def __init__(self) -> None:
        self.handled, self.begun, self.done = HandledAtOnce(), list[int](), asyncio.Event()

    async def send(self, person: int, count: int) -> list[asyncio.Task[None]]:
        """Send so many requests of a person, and wait until those begin that may."""
        sent = [asyncio.create_task(self._handle(person)) for _ in range(count)]
        await asyncio.sleep(0)
        return sent

    async def _handle(self, person: int) -> None:
        async with self.handled.slot(person):
            self.begun.append(person)
            await self.done.wait()


async def test_many_requests_of_one_person_wait_and_delay_nobody_else() -> None:
    requests = Requests()
    many = await requests.send(ANN.user, 50)
    bobs = await requests.send(BOB.user, 1)
    assert requests.begun == [ANN.user] * MOST_AT_ONCE + [BOB.user]
    requests.done.set()
    await asyncio.gather(*many, *bobs)
    assert requests.begun.count(ANN.user) == 50


async def test_a_request_that_is_given_up_leaves_its_slot_to_the_next() -> None:
    requests = Requests()
    many = await requests.send(ANN.user, MOST_AT_ONCE + 2)
    for given_up in (many[0], many[MOST_AT_ONCE]):
        given_up.cancel()
    await asyncio.wait(many, timeout=0.01)
    assert len(requests.begun) == MOST_AT_ONCE + 1
    requests.done.set()
    await asyncio.gather(*many, return_exceptions=True)
    assert len(requests.begun) == MOST_AT_ONCE + 1


async def test_nobody_is_remembered_whose_requests_are_done() -> None:
    requests = Requests()
    requests.done.set()
    await asyncio.gather(*await requests.send(ANN.user, 10))
    assert not requests.handled._slots


async def _read(store: Store) -> None:
    async with store.reading() as db:
        await db.execute(text("SELECT 1"))


def _connections_in_use(engine: AsyncEngine) -> int:
    return int(engine.pool.checkedout())  # type: ignore[attr-defined]  # the pool's class is SQLAlchemy's choice


async def test_a_snapshot_that_has_ended_holds_no_connection(store: Store) -> None:
    async with store.snapshot():
        await _read(store)
        assert _connections_in_use(store._engine) == 1
        await end_snapshot()
        await _read(store)
        assert _connections_in_use(store._engine) == 0


async def test_after_a_write_no_connection_is_held(store: Store) -> None:
    async with store.snapshot():
        await _read(store)
        async with store.transaction():
            assert _connections_in_use(store._engine) == 1
        await _read(store)
        assert _connections_in_use(store._engine) == 0


async def test_a_task_that_waits_for_slow_work_holds_no_connection(store: Store) -> None:
    async with store.snapshot():
        await _read(store)
        assert await Aside().run(None, _connections_in_use, store._engine) == 0
