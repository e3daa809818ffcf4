"""What two processes on one PostgreSQL know of servers, clocks and restores."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from gipfbot.service.app import App, create_app
from gipfbot.store import Connection, Store, clocks, servers, timelines
from gipfbot.store.timeline_file import TimelineFile, read_timeline_file, write_timeline_file
from tests.service.helpers import Host, basic_game_after
from tests.support.halves import HALF, REST
from tests.support.times import HANGS, HOUR


@pytest.fixture
async def pair(postgres_url: str, host: Host, tmp_path: Path) -> AsyncIterator[tuple[App, App]]:
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (HALF, REST)]
    made = [
        create_app(
            store, lambda: host.now, lambda: True, lambda: host.ticks, timeline_file=tmp_path / f"timeline{number}"
        )
        for number, store in enumerate(stores)
    ]
    yield made[0], made[1]
    for store in stores:
        await store.close()


async def test_a_process_takes_leave_of_its_own_servers_only(pair: tuple[App, App]) -> None:
    mine, others = 3 << 22, 4 << 22
    for app, server in zip(pair, (mine, others), strict=True):
        await app.arrivals.note_arrival(server, 1, [])
    await pair[0].arrivals.note_departures(set())
    async with pair[1].games.store.reading() as db:
        assert [*await servers.present_servers(db)] == [others]


async def test_a_jump_of_the_clock_moves_deadlines_once(pair: tuple[App, App], host: Host) -> None:
    for app in pair:
        await app.flag_watch.check_flags()
    await basic_game_after(pair[0])
    async with pair[0].games.store.reading() as db:
        before = [game.clock.deadline for game in await clocks.running_clocks(db)]
    host.now, host.ticks = host.now + HOUR + 60, host.ticks + 60
    for app in (*pair, *pair):
        await app.flag_watch.check_flags()
        host.now, host.ticks = host.now + 10, host.ticks + 10
    async with pair[0].games.store.reading() as db:
        after = [game.clock.deadline for game in await clocks.running_clocks(db)]
    assert after == [moment + HOUR if moment else moment for moment in before]


async def test_a_restore_is_noticed_by_the_first_process_alone(pair: tuple[App, App], tmp_path: Path) -> None:
    """Both timeline files tell of a later state of the database than there is."""
    for app in pair:
        await app.timelines.begin()
    for number in range(2):
        path = tmp_path / f"timeline{number}"
        known = read_timeline_file(path)
        assert known
        write_timeline_file(path, replace(known, heartbeats=known.heartbeats + 100))
    found = list[str]()
    for app in (*pair, *pair):
        await app.timelines.begin()
        async with app.games.store.reading() as db:
            timeline = await timelines.load_timeline(db)
        assert timeline
        found.append(timeline.token)
    assert len({*found}) == 1
    async with pair[0].games.store.reading() as db:
        assert len(await timelines.lost_times(db)) == 1
        assert len(await timelines.former_timelines(db)) == 1


async def test_a_process_without_a_timeline_file_takes_nothing_as_restored(
    pair: tuple[App, App], tmp_path: Path
) -> None:
    await pair[0].timelines.begin()
    (tmp_path / "timeline1").unlink(missing_ok=True)
    await pair[1].timelines.begin()
    async with pair[1].games.store.reading() as db:
        assert await timelines.lost_times(db) == []
    assert not pair[0].timelines.replaced.is_set()


async def test_a_restore_without_the_timeline_files_is_noticed_once(
    pair: tuple[App, App], tmp_path: Path, host: Host
) -> None:
    """The database comes to a new machine, where none of the files is."""
    for app in pair:
        await app.timelines.begin()
    for number in range(2):
        (tmp_path / f"timeline{number}").unlink()
    host.passes(HOUR)
    for app in (*pair, *pair):
        await app.timelines.begin()
        assert app.timelines.lost_times == [(host.now - HOUR, host.now)]
    async with pair[0].games.store.reading() as db:
        assert len(await timelines.former_timelines(db)) == 1


async def test_a_lost_timeline_file_is_no_restore_while_another_process_runs(
    pair: tuple[App, App], tmp_path: Path, host: Host
) -> None:
    """The other would end, because the database seemed to be replaced."""
    for app in pair:
        await app.timelines.begin()
    (tmp_path / "timeline1").unlink()
    host.passes(HOUR)
    await pair[0].timelines.heartbeat()
    await pair[1].timelines.begin()
    host.passes(HOUR)
    await pair[0].timelines.heartbeat()
    assert not pair[0].timelines.replaced.is_set()
    assert pair[1].timelines.lost_times == []


async def test_a_process_that_joins_late_is_no_restore(pair: tuple[App, App], host: Host) -> None:
    """The first has run alone, and is down by now."""
    await pair[0].timelines.begin()
    host.passes(HOUR)
    await pair[1].timelines.begin()
    assert pair[1].timelines.lost_times == []


async def test_a_process_that_starts_while_another_writes_its_timeline_file_is_no_restore(
    pair: tuple[App, App], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both begin on an empty database. The second writes its file before the first has noted that its own is there."""
    begun = list[App]()

    def write_and_begin(path: Path, said: TimelineFile) -> None:
        write_timeline_file(path, said)
        if not begun:
            begun.append(pair[1])
            asyncio.run_coroutine_threadsafe(pair[1].timelines.begin(), loop).result(HANGS)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr("gipfbot.service.restoring.timelines.write_timeline_file", write_and_begin)
    await pair[0].timelines.begin()
    await pair[1].timelines.begin()
    assert pair[1].timelines.lost_times == []


async def test_a_process_that_hangs_while_it_writes_its_timeline_file_sets_nothing_back(
    pair: tuple[App, App], host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has read the timeline of the database. Before it saves it, another process writes its own file twice."""
    for app in pair:
        await app.timelines.begin()
    reached, goes_on = asyncio.Event(), asyncio.Event()
    save_timeline = timelines.save_timeline

    async def hang_once(db: Connection, timeline: timelines.Timeline) -> None:
        if not reached.is_set():
            reached.set()
            await goes_on.wait()
        await save_timeline(db, timeline)

    async def write_twice() -> None:
        for _ in range(2):
            await pair[1].timelines.write()

    monkeypatch.setattr(timelines, "save_timeline", hang_once)
    async with asyncio.timeout(HANGS), asyncio.TaskGroup() as tasks:
        tasks.create_task(pair[0].timelines.write())
        await reached.wait()
        other = tasks.create_task(write_twice())
        while not other.done() and not await _is_waiting(pair[0].games.store):
            pass
        goes_on.set()
    host.passes(HOUR)
    await pair[1].timelines.heartbeat()
    assert not pair[1].timelines.replaced.is_set()
    async with pair[0].games.store.reading() as db:
        timeline = await timelines.load_timeline(db)
    assert timeline
    assert timeline.heartbeats == 2 + 3 + 1


async def _is_waiting(store: Store) -> bool:
    """Return whether a transaction waits for a lock of another."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with store.reading() as db:
        return bool(await db.scalar(text(waiting)))
