"""What two processes on one PostgreSQL know of servers, clocks and restores."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from gipfbot.service.app import App, create_app
from gipfbot.store import Connection, Store, clocks, lives, servers
from gipfbot.store.life_file import LifeFile, read_life_file, write_life_file
from tests.service.helpers import Host, basic_game_after
from tests.support.halves import HALF, REST
from tests.support.times import HANGS, HOUR


@pytest.fixture
async def pair(postgres_url: str, host: Host, tmp_path: Path) -> AsyncIterator[tuple[App, App]]:
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (HALF, REST)]
    made = [
        create_app(store, lambda: host.now, lambda: True, lambda: host.ticks, life_file=tmp_path / f"life{number}")
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
    """Both life files tell of a later state of the database than there is."""
    for app in pair:
        await app.lives.begin()
    for number in range(2):
        path = tmp_path / f"life{number}"
        known = read_life_file(path)
        assert known
        write_life_file(path, replace(known, beats=known.beats + 100))
    found = list[str]()
    for app in (*pair, *pair):
        await app.lives.begin()
        async with app.games.store.reading() as db:
            life = await lives.load_life(db)
        assert life
        found.append(life.token)
    assert len({*found}) == 1
    async with pair[0].games.store.reading() as db:
        assert len(await lives.lost_times(db)) == 1
        assert len(await lives.former_lives(db)) == 1


async def test_a_process_without_a_life_file_takes_nothing_as_restored(pair: tuple[App, App], tmp_path: Path) -> None:
    await pair[0].lives.begin()
    (tmp_path / "life1").unlink(missing_ok=True)
    await pair[1].lives.begin()
    async with pair[1].games.store.reading() as db:
        assert await lives.lost_times(db) == []
    assert not pair[0].lives.replaced.is_set()


async def test_a_restore_without_the_life_files_is_noticed_once(
    pair: tuple[App, App], tmp_path: Path, host: Host
) -> None:
    """The database comes to a new machine, where none of the files is."""
    for app in pair:
        await app.lives.begin()
    for number in range(2):
        (tmp_path / f"life{number}").unlink()
    host.passes(HOUR)
    for app in (*pair, *pair):
        await app.lives.begin()
        assert app.lives.lost_times == [(host.now - HOUR, host.now)]
    async with pair[0].games.store.reading() as db:
        assert len(await lives.former_lives(db)) == 1


async def test_a_lost_life_file_is_no_restore_while_another_process_runs(
    pair: tuple[App, App], tmp_path: Path, host: Host
) -> None:
    """The other would end, because the database seemed to be replaced."""
    for app in pair:
        await app.lives.begin()
    (tmp_path / "life1").unlink()
    host.passes(HOUR)
    await pair[0].lives.beat()
    await pair[1].lives.begin()
    host.passes(HOUR)
    await pair[0].lives.beat()
    assert not pair[0].lives.replaced.is_set()
    assert pair[1].lives.lost_times == []


async def test_a_process_that_joins_late_is_no_restore(pair: tuple[App, App], host: Host) -> None:
    """The first has run alone, and is down by now."""
    await pair[0].lives.begin()
    host.passes(HOUR)
    await pair[1].lives.begin()
    assert pair[1].lives.lost_times == []


async def test_a_process_that_starts_while_another_writes_its_life_file_is_no_restore(
    pair: tuple[App, App], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both begin on an empty database. The second writes its file before the first has noted that its own is there."""
    begun = list[App]()

    def write_and_begin(path: Path, said: LifeFile) -> None:
        write_life_file(path, said)
        if not begun:
            begun.append(pair[1])
            asyncio.run_coroutine_threadsafe(pair[1].lives.begin(), loop).result(HANGS)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr("gipfbot.service.restoring.lives.write_life_file", write_and_begin)
    await pair[0].lives.begin()
    await pair[1].lives.begin()
    assert pair[1].lives.lost_times == []


async def test_a_process_that_hangs_while_it_writes_its_life_file_sets_nothing_back(
    pair: tuple[App, App], host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has read the life of the database. Before it saves it, another process writes its own file twice."""
    for app in pair:
        await app.lives.begin()
    reached, goes_on = asyncio.Event(), asyncio.Event()
    save_life = lives.save_life

    async def hang_once(db: Connection, life: lives.Life) -> None:
        if not reached.is_set():
            reached.set()
            await goes_on.wait()
        await save_life(db, life)

    async def write_twice() -> None:
        for _ in range(2):
            await pair[1].lives.write()

    monkeypatch.setattr(lives, "save_life", hang_once)
    async with asyncio.timeout(HANGS), asyncio.TaskGroup() as tasks:
        tasks.create_task(pair[0].lives.write())
        await reached.wait()
        other = tasks.create_task(write_twice())
        while not other.done() and not await _is_waiting(pair[0].games.store):
            pass
        goes_on.set()
    host.passes(HOUR)
    await pair[1].lives.beat()
    assert not pair[1].lives.replaced.is_set()
    async with pair[0].games.store.reading() as db:
        life = await lives.load_life(db)
    assert life
    assert life.beats == 2 + 3 + 1


async def _is_waiting(store: Store) -> bool:
    """Return whether a transaction waits for a lock of another."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with store.reading() as db:
        return bool(await db.scalar(text(waiting)))
