"""A sweep in which nothing is due asks the database little. One comes every ten seconds, for ever."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import event

from gipfbot.app import utc_now
from gipfbot.service.app import create_app
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.restoring import timelines
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.support.engines import EngineInThread
from tests.support.halves import HALF

from .timed_games import limited
from .world import World

pytestmark = pytest.mark.looks_every(1000)
MOST_STATEMENTS = 12  # of a sweep, without the sign of life
TRANSACTION = ("BEGIN", "COMMIT", "ROLLBACK")


class Statements:
    """What the database is asked, but for the ends of transactions and the sign of life."""

    def __init__(self) -> None:
        self.asked, self.are_apart = list[str](), False

    def note(self, _: object, __: object, statement: str, *___: object) -> None:
        """Note a statement."""
        if not self.are_apart and not statement.startswith(TRANSACTION):
            self.asked.append(" ".join(statement.split()))


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[Statements]:
    noted, note_heartbeat = Statements(), FlagWatch.note_heartbeat

    async def note_apart(watch: FlagWatch) -> str | None:
        noted.are_apart = True
        try:
            return await note_heartbeat(watch)
        finally:
            noted.are_apart = False

    monkeypatch.setattr(FlagWatch, "note_heartbeat", note_apart)
    monkeypatch.setattr(timelines, "HEARTBEAT_SECONDS", 0)
    event.listen(sqlalchemy.Engine, "before_cursor_execute", noted.note)
    yield noted
    event.remove(sqlalchemy.Engine, "before_cursor_execute", noted.note)


@pytest.fixture
async def shared_store(postgres_url: str) -> AsyncIterator[Store]:
    """The store of one of several processes."""
    store = await Store.open_database(postgres_url, shards=HALF)
    yield store
    await store.close()


async def let_all_be_done(world: World, store: Store, timeline_file: Path) -> None:
    """Let the bot work for this store as a host runs it, until nothing is due. A turn has some days left."""
    bot, engine = world.bot, EngineInThread()
    bot.app = create_app(store, utc_now, lambda: True, None, NO_LIMITS, timeline_file, engine, most_puzzles=10_000)
    bot.puzzle_loop.do_next, bot.puzzle_loop.pause = bot.app.puzzle_work.cut_next, 0
    await bot.app.timelines.begin()
    await limited(world)
    for _ in range(3):
        await bot.sweep.coro(bot)
        await world.env.settle()


async def assert_few(world: World, statements: Statements) -> None:
    """Let the bot sweep when all that keeps its own time looks for work, and assert that it asks few statements."""
    world.bot.app.retention._ended_at, world.bot.presence._next_at = None, 0
    statements.asked.clear()
    await world.bot.sweep.coro(world.bot)
    await world.env.settle()
    listed = "\n".join(statements.asked)
    for table in ("due", "games", "outbox", "puzzles"):
        assert f"FROM {table}" in listed, f"the sweep did not look into {table}:\n{listed}"
    assert len(statements.asked) <= MOST_STATEMENTS, f"a sweep took {len(statements.asked)} statements:\n{listed}"


async def test_an_idle_sweep_takes_few_statements(world: World, statements: Statements, tmp_path: Path) -> None:
    await let_all_be_done(world, world.store, tmp_path / "timeline")
    await assert_few(world, statements)


async def test_an_idle_sweep_of_one_of_several_processes_takes_few_statements(
    world: World, shared_store: Store, statements: Statements, tmp_path: Path
) -> None:
    await let_all_be_done(world, shared_store, tmp_path / "timeline")
    await assert_few(world, statements)
