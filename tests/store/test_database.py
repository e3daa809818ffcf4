"""One writer at a time, readers beside it, and nothing half written whatever happens."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from gipfbot.match import REQUEST_LIFETIME, Challenge, Refused, Side, Terms, Why, days_per_turn
from gipfbot.match.study import Study
from gipfbot.rules import STANDARD
from gipfbot.store import (
    Store,
    challenges,
    clocks,
    conditionals,
    game_lists,
    games,
    meta,
    outbox,
    servers,
    studies,
    users,
)
from gipfbot.values import DatabaseTrouble, Shards, StoredStudy, StoreError, Trouble, UnreadableGame, Unusable, Venue
from tests.store.helpers import added, answered, current_trouble, loaded, played, save
from tests.support.games import E1
from tests.support.paths import HOUSE
from tests.support.people import ANN, BOB, HALL, HOME
from tests.support.stores import copy_empty
from tests.support.times import NOW


@pytest.fixture
def url(empty_database: Path, tmp_path: Path) -> str:
    """Return the URL of a database with empty tables."""
    return copy_empty(empty_database, tmp_path / "gipf.sqlite3")


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """With the threads of a real one: here they matter."""
    opened = await Store.open_database(url)
    yield opened
    await opened.close()


async def value(store: Store, key: str) -> str | None:
    async with store.reading() as db:
        return await meta.load_value(db, key)


class Pause:
    """A point at which a writer waits inside its transaction."""

    def __init__(self) -> None:
        self.reached, self.over = asyncio.Event(), asyncio.Event()

    async def wait(self) -> None:
        """Wait until the test ends the pause."""
        self.reached.set()
        await self.over.wait()


async def written(store: Store, *keys: str, pause: Pause | None = None) -> None:
    """Write the keys one by one in one transaction; after each, wait until `pause` is over."""
    async with store.transaction() as db:
        for key in keys:
            await meta.save_value(db, key, "written")
            if pause:
                await pause.wait()


async def failing(store: Store, key: str) -> None:
    async with store.transaction() as db:
        await meta.save_value(db, key, "written")
        await asyncio.sleep(0)
        raise ZeroDivisionError


async def pragma(store: Store, name: str) -> object:
    async with store.reading() as db:
        return (await db.exec_driver_sql(f"PRAGMA {name}")).scalar()


@pytest.mark.sqlite
async def test_every_connection_has_the_pragmas(store: Store) -> None:
    async with store.reading():  # so that `pragma` opens a new connection
        found = {
            name: await pragma(store, name) for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert found == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 10_000}


async def test_an_unknown_foreign_key_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.transaction() as db:
            await games.add_event(db, 99, "resign", ANN.user, NOW)


async def test_an_exception_rolls_everything_back(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        await failing(store, "a")
    assert await value(store, "a") is None
    await written(store, "a")
    assert await value(store, "a") == "written"


async def test_a_failing_writer_does_not_roll_back_others(store: Store) -> None:
    """If writers shared a connection, one rollback would undo the writes of all."""
    await asyncio.gather(
        *(
            failing(store, f"bad{number}") if number % 2 else written(store, f"good{number}", "x")
            for number in range(10)
        ),
        return_exceptions=True,
    )
    assert [await value(store, f"good{number}") for number in range(0, 10, 2)] == ["written"] * 5
    assert [await value(store, f"bad{number}") for number in range(1, 10, 2)] == [None] * 5


async def test_writers_wait_for_each_other_but_readers_do_not(store: Store) -> None:
    pause = Pause()
    first = asyncio.create_task(written(store, "a", "b", pause=pause))
    await pause.reached.wait()
    second = asyncio.create_task(written(store, "c"))
    assert [await value(store, key) for key in "abc"] == [None, None, None]
    assert not second.done()
    pause.over.set()
    await asyncio.gather(first, second)
    assert [await value(store, key) for key in "abc"] == ["written"] * 3


async def test_a_reader_sees_one_state_throughout(store: Store) -> None:
    async with store.reading() as db:
        assert await meta.load_value(db, "a") is None
        await written(store, "a")
        assert await meta.load_value(db, "a") is None
    assert await value(store, "a") == "written"


async def test_what_a_reader_writes_is_lost(store: Store) -> None:
    async with store.reading() as db:
        await meta.save_value(db, "a", "1")
    assert await value(store, "a") is None


async def test_simultaneous_actions_are_saved_one_after_the_other(store: Store) -> None:
    """Ten people press at the same moment. Each load sees what the writer before it has saved."""
    game = await added(store)

    async def press(seed: int) -> None:
        async with store.transaction() as db:
            stored = await games.load_game(db, game.id)
            assert stored
            await save(db, stored.game, answered(stored.game, Random(seed)))

    await asyncio.gather(*(press(seed) for seed in range(10)))
    assert (await loaded(store, game.id)).game.version == 10


async def test_a_cancelled_transaction_is_rolled_back(store: Store) -> None:
    pause = Pause()
    task = asyncio.create_task(written(store, "a", pause=pause))
    await pause.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await written(store, "b")
    assert (await value(store, "a"), await value(store, "b")) == (None, "written")


async def test_a_writer_cancelled_while_waiting_leaves_the_queue(store: Store) -> None:
    pause = Pause()
    first, second, third = (asyncio.create_task(written(store, key, pause=pause)) for key in "abc")
    await pause.reached.wait()
    second.cancel()
    pause.over.set()
    await asyncio.gather(first, third)
    assert [await value(store, key) for key in "abc"] == ["written", None, "written"]


async def test_a_cancelled_writer_writes_all_or_nothing(store: Store) -> None:
    """This holds within a statement and within the commit, too. The next writer can begin at once."""
    rng, outcomes = Random(1), set()
    for number in range(60):
        keys = f"a{number}", f"b{number}"
        task = asyncio.create_task(written(store, *keys))
        await asyncio.sleep(rng.random() * 0.006)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await written(store, "next")
        found = [await value(store, key) for key in keys]
        assert found[0] == found[1]
        outcomes.add(found[0])
    assert None in outcomes


KILLED = """
import asyncio, sys
from gipfbot.store import Store, games, outbox
from tests.store.helpers import answered, save
from tests.support.people import HALL
from tests.support.times import NOW
from random import Random

async def main():
    store = await Store.open_database(sys.argv[1])
    async with store.transaction() as db:
        game = (await games.load_game(db, 1)).game
        await save(db, game, answered(game, Random(1)))
        await outbox.owe(db, "board", "board", HALL, {}, NOW, 1)
        print("written", flush=True)
        await asyncio.sleep(3600)

asyncio.run(main())
"""


async def test_a_killed_process_leaves_nothing_half_written(store: Store, url: str) -> None:
    game = await played(store, await added(store), 3)
    command = sys.executable, "-c", KILLED, url
    process = await asyncio.create_subprocess_exec(*command, cwd=HOUSE, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    assert await process.stdout.readline() == b"written\n"
    process.kill()
    await process.wait()
    assert (await loaded(store, game.id)).game == game
    async with store.transaction() as db:
        assert len(await games.turns_of(db, game.id)) == 3
        assert await outbox.deliverable_rows(db, NOW, 10) == []
        await games.set_venue(db, game.id, Venue(None, HALL))


async def test_committed_games_survive_reopening(store: Store, url: str) -> None:
    game = await played(store, await added(store), 3)
    await store.close()
    again = await Store.open_database(url)
    assert (await loaded(again, game.id)).game == game
    await again.close()


async def test_closing_waits_for_the_writer(url: str) -> None:
    store, pause = await Store.open_database(url), Pause()
    writer = asyncio.create_task(written(store, "a", pause=pause))
    await pause.reached.wait()
    closing = asyncio.create_task(store.close())
    await value(store, "a")
    assert not closing.done()
    pause.over.set()
    await asyncio.gather(writer, closing)
    again = await Store.open_database(url)
    assert await value(again, "a") == "written"
    await again.close()


@pytest.mark.parametrize("way", [Store.transaction, Store.reading, lambda store: store.doing_alone("sweep")])
async def test_no_free_connection_is_a_trouble(
    store: Store, way: Callable[[Store], AbstractAsyncContextManager[object]]
) -> None:
    engine = store.backend.new_engine(pool_size=1, max_overflow=0, pool_timeout=0.1)
    small = Store(engine, store.backend, Shards(0, 3, 8))
    async with small.reading() as db:
        assert await meta.load_value(db, "a") is None
        with pytest.raises(DatabaseTrouble, match="all connections to it are in use"):
            await way(small).__aenter__()
    assert current_trouble(small) is Trouble.BUSY
    await written(small, "a")
    assert not current_trouble(small)
    await small.close()


async def test_the_error_names_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"folder .*nowhere of the database does not exist"):
        await Store.open_database(f"sqlite+aiosqlite:///{tmp_path}/nowhere/gipf.sqlite3")


async def test_the_error_names_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to be looked at" * 10, encoding="utf-8")
    with pytest.raises(Unusable, match=r"notes\.txt cannot be opened: .*not a database"):
        await Store.open_database(f"sqlite+aiosqlite:///{path}")


@pytest.mark.parametrize("url", ["sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:"])
async def test_a_database_in_memory_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="in a file"):
        await Store.open_database(url)


def without(field: str) -> str:
    """Return a rule set as it is stored, without one of its fields."""
    return json.dumps({name: value for name, value in STANDARD.data().items() if name != field})


BROKEN = {
    "position": "UPDATE games SET position = 'mush'",
    "position of another rule set": "UPDATE games SET position = replace(position, 'standard', 'basic')",
    "earlier position": "UPDATE games SET previous = NULL",
    "unknown field of the rule set": f"UPDATE games SET ruleset = '{json.dumps({**STANDARD.data(), 'hexagons': 7})}'",
    "missing field of the rule set": f"UPDATE games SET ruleset = '{without('pieces')}'",
    "no JSON": "UPDATE games SET ruleset = '{'",
    "terms": "UPDATE games SET terms = '[]'",
    "colour of the last turn": "UPDATE turns SET colour = 7",
    "action of the last turn": "UPDATE turns SET actions = 'mush'",
    "action of the draft": "INSERT INTO draft SELECT id, 0, 'mush', 1, 1 FROM games",
    "impossible action of the draft": "INSERT INTO draft SELECT id, 0, 'xb:b2b3b4b5', 1, 1 FROM games",
}  # fmt: skip


async def spoil(store: Store, statement: str, game: int) -> None:
    """Break the row of a game, or rows that belong to it."""
    column = "id" if statement.startswith(("UPDATE games", "INSERT")) else "game"
    async with store.transaction() as db:
        await db.execute(text(f"{statement} WHERE {column} = {game}"))


@pytest.mark.parametrize(
    "statement",
    # PostgreSQL stores nothing in such a column but JSON.
    [pytest.param(BROKEN[why], marks=[pytest.mark.sqlite] * (why == "no JSON"), id=why) for why in BROKEN],
)
async def test_a_broken_game_is_refused_and_others_are_listed(store: Store, statement: str) -> None:
    broken, sound = [(await played(store, await added(store), 1)).id for _ in range(2)]
    await spoil(store, statement, broken)
    with pytest.raises(UnreadableGame) as refused:
        await loaded(store, broken)
    assert isinstance(refused.value, Refused)
    assert (refused.value.why, refused.value.facts) == (Why.UNREADABLE, {"game": broken})
    assert (await loaded(store, sound)).game.turn_number == 1
    async with store.reading() as db:
        assert [brief.id for brief in await game_lists.running_games(db, ANN.user)] == [sound]
        assert [brief.id for brief in await game_lists.waiting_games(db, BOB.user)] == [sound]
        assert (await game_lists.running_and_unreadable_games(db, ANN.user))[1] == [broken]


async def test_missing_fields_of_terms_and_rule_sets_get_defaults(store: Store) -> None:
    game = await played(store, await added(store), 1)
    await spoil(store, f"UPDATE games SET terms = '{{\"later\": 1}}', ruleset = '{without('gipf_enters')}'", game.id)
    assert (await loaded(store, game.id)).game == game


async def test_a_broken_game_is_logged_once(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    game = await added(store)
    await spoil(store, BROKEN["position"], game.id)
    for _ in range(3):
        with pytest.raises(UnreadableGame):
            await loaded(store, game.id)
        async with store.reading() as db:
            assert await game_lists.running_games(db, ANN.user) == []
    (said,) = caplog.records
    assert said.getMessage() == f"game {game.id} cannot be read and is left as it is"
    assert "a rule set, w or b" in str(said.exc_info)


async def test_a_broken_earlier_turn_stops_only_its_readers(store: Store) -> None:
    game = await played(store, await added(store), 2)
    async with store.transaction() as db:
        await db.execute(text("UPDATE turns SET actions = 'mush' WHERE turn_number = 1"))
    assert (await loaded(store, game.id)).game == game
    async with store.reading() as db:
        with pytest.raises(UnreadableGame):
            await games.turns_of(db, game.id)


async def timed(store: Store) -> int:
    async with store.transaction() as db:
        return (await games.add_game(db, STANDARD, (ANN, BOB), HOME, NOW, Terms(days_per_turn(3)))).game.id


async def test_a_running_clock_with_broken_terms_is_left_out(store: Store) -> None:
    """All other clocks can still be credited with downtime."""
    broken, sound = [await timed(store) for _ in range(2)]
    await spoil(store, BROKEN["terms"], broken)
    async with store.reading() as db:
        assert [clock.id for clock in await clocks.running_clocks(db)] == [sound]


async def test_a_broken_challenge_is_left_out(store: Store) -> None:
    offer = Challenge(0, ANN, None, STANDARD, Side.LOT, NOW + REQUEST_LIFETIME)
    async with store.transaction() as db:
        broken, sound = [await challenges.add_challenge(db, offer, HOME) for _ in range(2)]
        await db.execute(text("UPDATE challenges SET ruleset = '{}' WHERE id = 1"))
        assert await challenges.load_challenge(db, broken.challenge.id) is None
        assert await challenges.challenges_of(db, ANN.user) == [sound]
        assert await challenges.open_seeks(db, HOME.server) == [sound]


async def test_a_broken_study_is_left_out(store: Store) -> None:
    new = StoredStudy(Study(0, STANDARD, ("White", "Black"), ((E1,),)), ANN.user, "", None, None, {})
    async with store.transaction() as db:
        broken, tried, sound = [await studies.add_study(db, new, NOW, NOW + 1) for _ in range(3)]
        await db.execute(text("UPDATE studies SET ruleset = '{}' WHERE id = 1"))
        await db.execute(text("UPDATE studies SET tried = 'mush' WHERE id = 2"))
        assert await studies.load_study(db, broken, ANN.user, NOW) is None
        assert await studies.load_study(db, tried, ANN.user, NOW) is None
        assert await studies.load_study(db, sound, ANN.user, NOW) is not None
        assert [brief.id for brief in await studies.studies_of(db, ANN.user, NOW)] == [sound, tried]


async def test_a_broken_conditional_line_is_left_out(store: Store) -> None:
    game = await added(store)
    async with store.transaction() as db:
        for _ in range(2):
            await conditionals.add_conditional_line(db, game.id, BOB.user, 0, ((E1,), (E1,)), NOW)
        await db.execute(text("UPDATE conditionals SET turns = 'mush' WHERE id = 1"))
        assert [line.id for line in await conditionals.conditional_lines(db, game.id)] == [2]


@pytest.mark.sqlite
async def test_broken_settings_count_as_unset(store: Store) -> None:
    async with store.transaction() as db:
        await users.set_setting(db, ANN.user, "zone", "Europe/Berlin")
        for server in (1, 2):
            await servers.save_server_settings(db, server, {"vacation": 5})
        await db.execute(text("UPDATE users SET settings = '{'"))
        await db.execute(text("UPDATE servers SET settings = '{' WHERE id = 1"))
        assert await users.settings_of_user(db, ANN.user) == {}
        assert await servers.settings_of_server(db, 1) == {}
