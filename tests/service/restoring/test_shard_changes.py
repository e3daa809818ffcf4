"""Several processes become one, and one becomes several: that is no restore, and a restore meanwhile is noticed."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gipfbot.store import Store, timelines
from gipfbot.store.timelines import LostTime
from gipfbot.values import Shards
from tests.support.halves import HALF, REST
from tests.support.postgres import Server
from tests.support.short_runs import run_briefly
from tests.support.times import HOUR, NOW

SEVERAL: tuple[Shards, ...] = (HALF, REST)
Run = Callable[..., Awaitable[list[LostTime]]]


@pytest.fixture
def run(postgres_url: str, tmp_path: Path) -> Run:
    """Return what lets processes run an hour after the last, in this folder or another one."""
    hours = iter(range(100))

    async def run(
        *processes: Shards | None, folder: Path = tmp_path, url: str = postgres_url, ahead: int = 0
    ) -> list[LostTime]:
        return await run_briefly(url, folder, NOW + next(hours) * HOUR + ahead, *processes)

    return run


class Backup:
    """A backup of the database of `run`."""

    def __init__(self, server: Server, database: Path) -> None:
        self.server, self.database, self.file = server, database, database.with_name("backup")

    def make(self) -> None:
        self.server.dump(self.database, self.file)

    def put_back(self) -> None:
        self.server.restore(self.file, self.database)


@pytest.fixture
def backup(server: Server, tmp_path: Path) -> Backup:
    return Backup(server, tmp_path / "postgres")


@pytest.mark.parametrize("before", [(), (None,)])
async def test_several_that_become_one_are_no_restore(run: Run, before: tuple[None, ...]) -> None:
    """That one may have run before them, too."""
    for processes in (before, SEVERAL, (None,), (None,), SEVERAL, (None,)):
        assert not processes or await run(*processes) == []


async def test_one_that_comes_back_to_another_folder_is_no_restore(run: Run, tmp_path: Path) -> None:
    """It starts in the folder of one of the several, where its own timeline file is not."""
    (other := tmp_path / "other").mkdir()
    await run(None)
    await run(*SEVERAL, folder=other)
    assert await run(None, folder=other) == []
    assert await run(None, folder=other) == []


@pytest.mark.parametrize("changes", [((None,), SEVERAL), (SEVERAL, (None,))])
async def test_timeline_files_left_by_another_database_are_no_restore(
    run: Run, server: Server, tmp_path: Path, changes: tuple[tuple[Shards | None, ...], ...]
) -> None:
    (other := tmp_path / "other").mkdir()
    first, second = changes
    await run(*second, url=server.url_for(tmp_path / "left"))
    await run(*first, folder=other)
    assert await run(*second) == []
    assert await run(*second) == []


@pytest.mark.parametrize("ahead", [0, 1000 * HOUR])
async def test_a_restore_that_several_have_noticed_is_none_for_the_one_after_them(
    run: Run, backup: Backup, ahead: int
) -> None:
    """Even if the clock was ahead when its timeline file was written."""
    await run(None, ahead=ahead)
    await run(*SEVERAL)
    backup.make()
    await run(*SEVERAL)
    backup.put_back()
    lost = await run(*SEVERAL)
    assert len(lost) == 1
    assert await run(None) == lost
    assert await run(*SEVERAL) == lost


async def test_a_backup_made_while_several_ran_is_noticed_by_one(run: Run, backup: Backup) -> None:
    await run(*SEVERAL)
    backup.make()
    await run(None)
    backup.put_back()
    assert len(await run(None)) == 1


async def test_a_backup_of_an_earlier_timeline_is_noticed_by_one(run: Run, backup: Backup) -> None:
    """Several have run in the timeline of the backup, and the one in the next timeline only."""
    await run(*SEVERAL)
    backup.make()
    await run(*SEVERAL)
    backup.put_back()
    await run(*SEVERAL)
    await run(None)
    backup.put_back()
    assert len(await run(None)) == 1


async def test_one_alone_takes_any_earlier_timeline_in_its_file_as_a_restore(run: Run, tmp_path: Path) -> None:
    """The database was on another machine, where a restore was noticed, and comes back without its timeline file."""
    (other := tmp_path / "other").mkdir()
    await run(None)
    assert len(await run(None, folder=other)) == 1
    assert len(await run(None)) == 2


@pytest.mark.parametrize("processes", [(None,), SEVERAL])
async def test_a_restore_without_timeline_files_is_noticed_after_a_change(
    run: Run, tmp_path: Path, processes: tuple[Shards | None, ...]
) -> None:
    """The database comes to another machine, after one has run, then several, and so on."""
    for before in ((None,), SEVERAL, (None,), processes):
        assert await run(*before) == []
    (other := tmp_path / "other").mkdir()
    assert len(await run(*processes, folder=other)) == 1
    assert len(await run(*processes, folder=other)) == 1


async def test_one_forgets_which_timeline_files_the_others_have_written(run: Run, postgres_url: str) -> None:
    await run(*SEVERAL)
    await run(None)
    store = await Store.open_database(postgres_url, shards=HALF)
    async with store.reading() as db:
        timeline = await timelines.load_timeline(db)
        assert timeline
        assert not await timelines.has_written_file(db, timeline)
    await store.close()
