"""Token buckets: how many uses at once, how many in the long run, and how much is remembered."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from gipfbot.service.kit.aside import Aside
from gipfbot.store import Store, end_snapshot
from gipfbot.ui.kit.per_person import MOST_AT_ONCE, MOST_KEPT_TEXTS, HandledAtOnce, KeptTexts, TokenBuckets
from gipfbot.values import DEFAULT_LIMITS
from tests.support.people import ANN, BOB
from tests.support.times import HOUR, NOW

A_PERSON, ANOTHER = 1, 2


def test_full_bucket_gives_its_tokens_at_once() -> None:
    buckets = TokenBuckets(3, per_minute=60)
    assert [buckets.take(A_PERSON, NOW) for _ in range(5)] == [0, 0, 0, 1, 1]
    assert buckets.take(ANOTHER, NOW) == 0, "each person has a bucket"


@pytest.mark.parametrize("per_minute", [1, 7, 45, 59, 60, 61, 120])
def test_token_is_there_after_the_seconds_told_and_not_before(per_minute: int) -> None:
    """Also if the person goes on trying: a refusal takes nothing."""
    buckets, now = TokenBuckets(2, per_minute), NOW
    for _ in range(50):
        if wait := buckets.take(A_PERSON, now):
            assert [buckets.take(A_PERSON, now + second) for second in range(wait)] == [*range(wait, 0, -1)]
            now += wait
            assert buckets.take(A_PERSON, now) == 0


def test_bucket_holds_no_more_than_its_size() -> None:
    buckets = TokenBuckets(3, per_minute=60)
    buckets.take(A_PERSON, NOW)
    assert [buckets.take(A_PERSON, NOW + HOUR) for _ in range(4)] == [0, 0, 0, 1]


def test_clock_rollback_gives_no_tokens_and_costs_none() -> None:
    buckets = TokenBuckets(2, per_minute=60)
    buckets.take(A_PERSON, NOW)
    assert [buckets.take(A_PERSON, NOW - HOUR) for _ in range(2)] == [0, 1]
    assert buckets.take(A_PERSON, NOW - HOUR + 1) == 0


def test_full_buckets_are_forgotten() -> None:
    """However many people act, only those of the last seconds are remembered."""
    buckets = TokenBuckets(3, per_minute=60)
    for person in range(10_000):
        buckets.take(person, NOW + person // 10)
        assert len(buckets) <= 20
    buckets.take(A_PERSON, NOW + HOUR)
    assert len(buckets) == 1


def test_bucket_that_is_not_full_is_remembered() -> None:
    buckets = TokenBuckets(3, per_minute=6)
    for _ in range(3):
        buckets.take(A_PERSON, NOW)
    for person in range(2, 100):
        buckets.take(person, NOW + 1)
    assert buckets.take(A_PERSON, NOW + 2) == 8


def test_fast_player_meets_no_limit() -> None:
    """Who steps through a study presses three times a second for half a minute."""
    buckets = TokenBuckets(DEFAULT_LIMITS.interaction_burst, DEFAULT_LIMITS.interactions_per_minute)
    assert not any(buckets.take(A_PERSON, NOW + press // 3) for press in range(90))
    typed = TokenBuckets(DEFAULT_LIMITS.suggestion_burst, DEFAULT_LIMITS.suggestions_per_minute)
    assert not any(typed.take(A_PERSON, NOW + key // 6) for key in range(300))


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


def test_text_is_found_by_its_writer_and_purpose_alone() -> None:
    kept = KeptTexts()
    kept.keep(ANN.user, "conditional:1", "e2 g3")
    assert kept.find(ANN.user, "conditional:1") == "e2 g3"
    assert kept.find(BOB.user, "conditional:1") is None
    assert kept.find(ANN.user, "conditional:2") is None


def test_newer_text_replaces_the_older_one() -> None:
    kept = KeptTexts()
    kept.keep(ANN.user, "note:1", "old")
    kept.keep(ANN.user, "note:1", "new")
    assert kept.find(ANN.user, "note:1") == "new"


def test_oldest_text_makes_way_and_a_renewed_one_stays() -> None:
    kept = KeptTexts()
    for user in range(MOST_KEPT_TEXTS):
        kept.keep(user, "note:1", "kept")
    kept.keep(0, "note:1", "renewed")
    kept.keep(MOST_KEPT_TEXTS, "note:1", "last")
    assert kept.find(1, "note:1") is None
    assert kept.find(0, "note:1") == "renewed"
    assert kept.find(2, "note:1") == "kept"
    assert kept.find(MOST_KEPT_TEXTS, "note:1") == "last"


def test_forgotten_text_is_gone_and_forgetting_twice_does_no_harm() -> None:
    kept = KeptTexts()
    kept.keep(ANN.user, "note:1", "text")
    for _ in range(2):
        kept.forget(ANN.user, "note:1")
        assert kept.find(ANN.user, "note:1") is None
