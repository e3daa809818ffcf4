"""Several processes on one database of PostgreSQL: who runs which shards, and who posts what."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text

from gipfbot.service.settings.gateway import IDENTIFY_SECONDS, IdentifyTurns
from gipfbot.store import Store, due, meta, outbox
from gipfbot.store.backends import backend_of_url, process_locks
from gipfbot.values import DatabaseTrouble, InUse, OutboxRow, Shards, ShardsTaken, Unusable, WrongShards, parse_shards
from tests.support.halves import HALF, REST
from tests.support.people import HALL
from tests.support.postgres import END_OTHERS, Server
from tests.support.times import HANGS, NOW

HELD_SECONDS = 60


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_locks, "HOLDER_TRIES", 2)


@pytest.fixture
async def pair(postgres_url: str) -> AsyncIterator[tuple[Store, Store]]:
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (HALF, REST)]
    yield stores[0], stores[1]
    for store in stores:
        await store.close()


# ── The text ──


def test_shards_are_read_from_a_text() -> None:
    assert parse_shards("auto") is parse_shards("AUTO") is None
    assert parse_shards("0-3/8") == HALF
    assert parse_shards("5/8") == Shards(5, 5, 8)
    assert (str(HALF), str(Shards(5, 5, 8)), HALF.share) == ("0-3/8", "5/8", 0.5)


@pytest.mark.parametrize("said", ["", "0-3", "3/", "-1/8", "0-3/8/9", "a/8", "0–3/8", "٣/8"])
def test_any_other_text_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="is no range of shards"):
        parse_shards(said)


@pytest.mark.parametrize(
    ("said", "why"),
    [("3-1/8", "3 comes after 1"), ("4-8/8", "of 8 shards the last is 7"), ("0/0", "there is at least one shard")],
)
def test_shards_that_do_not_exist_have_a_fault(said: str, why: str) -> None:
    shards = parse_shards(said)
    assert shards
    assert why in shards.fault
    assert HALF.fault == ""


def test_each_server_belongs_to_one_shard() -> None:
    """Discord says which: the id without its last 22 bits, modulo the number of shards."""
    servers = [number << 22 | 12345 for number in range(16)]
    assert [HALF.has_server(server) for server in servers] == [number % 8 < 4 for number in range(16)]
    assert [REST.has_server(server) for server in servers] == [number % 8 >= 4 for number in range(16)]


# ── The locks ──


async def why_not(url: str, shards: Shards | None) -> Unusable:
    with pytest.raises(Unusable) as refused:
        async with backend_of_url(url).hold(shards):
            pytest.fail("it was held")
    return refused.value


async def test_processes_with_shards_of_their_own_run_beside_each_other(empty_url: str) -> None:
    backend = backend_of_url(empty_url)
    async with backend.hold(HALF), backend.hold(REST):
        fault = await why_not(empty_url, Shards(2, 5, 8))
        assert isinstance(fault, ShardsTaken)
        assert (fault.exit_code, isinstance(fault, InUse)) == (11, True)
        assert str(fault) == (
            f"GIPFBOT_SHARDS is 2-5/8, but another process on {backend.name} runs shards 2, 3, 4, 5: "
            "give each process shards of its own."
        )
    async with backend.hold(Shards(2, 5, 8)):
        pass


async def test_a_refused_process_keeps_no_shard(empty_url: str) -> None:
    backend = backend_of_url(empty_url)
    async with backend.hold(Shards(3, 3, 8)):
        assert str(await why_not(empty_url, Shards(2, 3, 8))).startswith("GIPFBOT_SHARDS is 2-3/8, but another process")
        async with backend.hold(Shards(2, 2, 8)):
            pass


async def test_all_processes_need_the_same_number_of_shards(empty_url: str) -> None:
    async with backend_of_url(empty_url).hold(HALF):
        fault = await why_not(empty_url, Shards(4, 5, 6))
        assert isinstance(fault, ShardsTaken)  # while the others are being changed, a later start may succeed
        assert fault.exit_code == 11
        assert "divide the servers into 8 shards: all need the same number after the slash." in str(fault)


@pytest.mark.parametrize("first", [None, HALF])
async def test_one_process_with_all_shards_runs_alone(empty_url: str, first: Shards | None) -> None:
    async with backend_of_url(empty_url).hold(first):
        fault = await why_not(empty_url, HALF if first is None else None)
        assert type(fault) is InUse
        assert fault.exit_code == 4


async def test_the_shards_are_taken_again_after_a_cut(
    server: Server, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process that took one of them meanwhile is noticed."""
    monkeypatch.setattr(process_locks, "HOLDER_LOOKS", 0.5)
    backend, name = backend_of_url(empty_url), empty_url.partition("?")[0].rpartition("/")[2]
    async with backend.hold(HALF) as lost:
        await asyncio.to_thread(server.execute, END_OTHERS, database=name)
        async with backend.hold(Shards(3, 3, 8)) as other:
            assert type(await asyncio.wait_for(lost, HANGS)) is ShardsTaken
            assert not other.done()


@pytest.mark.sqlite
async def test_on_sqlite_one_process_runs_all_shards(url: str) -> None:
    fault = await why_not(url, HALF)
    assert isinstance(fault, WrongShards)
    assert str(fault).startswith("GIPFBOT_SHARDS is 0-3/8, but on SQLite one process runs all shards: write auto, or")


# ── What one process does at a time ──


async def test_work_is_done_by_one_process_at_a_time(pair: tuple[Store, Store]) -> None:
    first, second = pair
    async with first.doing_alone("flags") as here, second.doing_alone("flags") as there:
        assert (here, there) == (True, False)
        async with second.doing_alone("digests") as elsewhere:
            assert elsewhere
    async with second.doing_alone("flags") as there:
        assert there


async def test_work_of_a_process_that_died_is_free_at_once(pair: tuple[Store, Store], server: Server) -> None:
    first, second = pair
    name = str(first.backend.url.database)
    held = first.doing_alone("flags")
    assert await held.__aenter__()
    await asyncio.to_thread(server.execute, END_OTHERS, database=name)
    async with second.doing_alone("flags") as there:
        assert there
    with pytest.raises(DatabaseTrouble):
        await held.__aexit__(None, None, None)


async def test_one_process_alone_needs_no_lock(store: Store) -> None:
    async with store.doing_alone("flags") as one, store.doing_alone("flags") as two:
        assert one
        assert two


async def test_shards_of_a_group_identify_one_after_another(pair: tuple[Store, Store]) -> None:
    moment = [NOW]
    first, second = (IdentifyTurns(store, lambda: moment[0]) for store in pair)
    waits = [
        await first.reserve(0, 2),
        await second.reserve(4, 2),
        await second.reserve(5, 2),
        await first.reserve(2, 2),
    ]
    assert waits == [0, IDENTIFY_SECONDS, 0, 2 * IDENTIFY_SECONDS]
    moment[0] += 3 * IDENTIFY_SECONDS
    assert await second.reserve(4, 2) == 0
    moment[0] -= 10**6  # the clock was set back: nobody waits for days
    assert await first.reserve(0, 2) == 0


async def test_a_shard_takes_the_turn_that_its_dead_process_left(pair: tuple[Store, Store]) -> None:
    moment = [NOW]
    first, second = (IdentifyTurns(store, lambda: moment[0]) for store in pair)
    assert [await first.reserve(0), await second.reserve(4), await first.reserve(1)] == [0, 7, 14]
    moment[0] += 3
    assert [await second.reserve(4), await second.reserve(4), await first.reserve(1)] == [4, 4, 11]
    moment[0] += 4  # the turn of shard 4 may be used by now
    assert [await second.reserve(4), await first.reserve(1)] == [14, 7]


# ── Leases ──


async def owe(store: Store, key: str, channel: int = HALL, now: int = NOW) -> int:
    async with store.transaction() as db:
        return await outbox.owe(db, key, "news", channel, {}, now)


async def leased(store: Store, row: int, now: int = NOW, *, in_lane: bool = True) -> OutboxRow | None:
    lease = outbox.lease_in_lane if in_lane else outbox.lease
    async with store.game_transaction(None) as db:
        return await lease(db, row, now, HELD_SECONDS)


async def lanes(store: Store, now: int = NOW) -> dict[int, list[int]]:
    async with store.reading() as db:
        found = await outbox.rows_by_channel(db, now, 9)
    return {channel: [row.id for row in rows] for channel, rows in found.items()}


async def test_a_channel_to_which_another_process_posts_is_left_to_it(pair: tuple[Store, Store]) -> None:
    first, second = pair
    head, tail, elsewhere = await owe(first, "a"), await owe(first, "b"), await owe(first, "c", HALL + 1)
    assert await leased(first, head)
    assert await lanes(first) == {HALL: [tail], HALL + 1: [elsewhere]}
    assert await lanes(second) == {HALL + 1: [elsewhere]}
    assert await leased(second, tail) is None
    assert await leased(second, elsewhere)
    assert await leased(first, tail), "it goes on with its own"
    async with first.game_transaction(None) as db:
        await outbox.mark_posted(db, head, None, NOW)
    assert await leased(second, tail, NOW + HELD_SECONDS), "a process that died gives its leases back"


async def test_a_player_never_waits_for_a_lane(pair: tuple[Store, Store]) -> None:
    first, second = pair
    head, own = await owe(first, "a"), await owe(second, "b")
    assert await leased(first, head)
    assert await leased(second, own, in_lane=False)


async def test_processes_that_lease_at_once_keep_to_one_channel_each(pair: tuple[Store, Store]) -> None:
    """The process that leases the first message of a channel posts there alone."""
    for _ in range(20):
        rows = [await owe(pair[0], f"{number}-{_}", HALL + _) for number in range(2)]
        found = await asyncio.gather(leased(pair[0], rows[0]), leased(pair[1], rows[1]))
        assert len([row for row in found if row]) == 1


async def test_a_row_that_is_being_written_is_left_without_waiting(pair: tuple[Store, Store]) -> None:
    first, second = pair
    row = await owe(first, "a")
    async with first.game_transaction(None) as db:
        assert await outbox.lease(db, row, NOW, HELD_SECONDS)
        assert await asyncio.wait_for(leased(second, row, in_lane=False), HANGS) is None
        assert await db.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")) == 0


async def test_a_start_releases_the_leases_of_its_own_shards_only(pair: tuple[Store, Store]) -> None:
    first, second = pair
    rows = await owe(first, "a"), await owe(first, "b", HALL + 1)
    assert await leased(first, rows[0])
    assert await leased(second, rows[1])
    async with first.transaction() as db:
        await outbox.release_leases(db, first.own_processes)
    assert await leased(first, rows[0])
    assert await leased(first, rows[1]) is None
    async with first.transaction() as db:
        await outbox.release_leases(db)
    assert await leased(first, rows[1])


async def test_a_start_releases_the_tasks_of_its_own_shards_only(pair: tuple[Store, Store]) -> None:
    for number, store in enumerate(pair):
        async with store.transaction() as db:
            await due.schedule(db, f"{number}", "house", NOW, 0)
            assert await due.lease(db, f"{number}", NOW, NOW + HELD_SECONDS)
    async with pair[1].transaction() as db:
        await due.release_leases(db, "house", NOW + 1, pair[1].own_processes)
        assert [row.key for row in await due.ready_rows(db, "house", NOW + 1)] == ["1"]


async def test_two_processes_open_a_new_database_at_once(empty_url: str) -> None:
    stores = await asyncio.gather(*(Store.open_database(empty_url, shards=shards) for shards in (HALF, REST)))
    for store in stores:
        async with store.reading() as db:
            assert await meta.load_value(db, "timeline") is None
        await store.close()
