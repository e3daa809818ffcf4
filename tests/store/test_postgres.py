"""What only PostgreSQL has: a server that can be away, too old or another's; and writers beside each other."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, text

from gipfbot.store import Store, games, meta, outbox, tables, timelines, tried_again, users
from gipfbot.store.backends import backend_of_url, postgres as postgres_backend, process_locks
from gipfbot.store.database import TRIES_BESIDE_OTHERS
from gipfbot.store.rating_tables import standings
from gipfbot.values import (
    Conflict,
    DatabaseTrouble,
    ForeignDatabase,
    InUse,
    NoWrites,
    TooOld,
    Trouble,
    Unreachable,
    Unusable,
)
from tests.standin.interaction import eventually
from tests.store.helpers import added, answered, current_trouble, loaded, save
from tests.support.people import ANN, HALL
from tests.support.postgres import END_OTHERS, Server, name_in
from tests.support.times import HANGS, NOW


async def why_unusable(url: str) -> Unusable:
    with pytest.raises(Unusable) as refused:
        await Store.open_database(url)
    return refused.value


# ── The tables ──

SCHEMA = {
    "columns": "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name"
    " FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'",
    "indexes": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version'",
    "constraints": "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace AND conrelid <> 'alembic_version'::regclass",
}


def schema(db: Connection) -> dict[str, list[tuple[object, ...]]]:
    return {what: sorted(tuple(row) for row in db.exec_driver_sql(query)) for what, query in SCHEMA.items()}


async def test_migrations_make_the_tables_in_tables_py(postgres_store: Store) -> None:
    assert standings.metadata is tables.metadata
    async with postgres_store.reading() as db:
        migrated = await db.run_sync(schema)
        await db.run_sync(tables.metadata.drop_all)
        await db.run_sync(tables.metadata.create_all)
        made = await db.run_sync(schema)
    for what, found in migrated.items():
        assert found == made[what]
        assert found


async def test_integers_are_wide_and_texts_in_the_order_of_their_signs(postgres_store: Store) -> None:
    """Whatever the language of the database is. SQLite does both."""
    async with postgres_store.reading() as db:
        found = await db.run_sync(schema)
        assert await db.scalar(text("SELECT 'a' < 'B'")), "this database is ordered as people do"
    kinds = {(row[2], row[5]) for row in found["columns"]}
    assert kinds == {(kind, None) for kind in ("bigint", "boolean", "double precision", "json")} | {("text", "C")}


async def test_a_sign_that_cannot_be_stored_is_replaced(postgres_store: Store) -> None:
    async with postgres_store.transaction() as db:
        await meta.save_value(db, "a", "b\0c")
        assert await meta.load_value(db, "a") == "b\ufffdc"
        await users.set_setting(db, ANN.user, "note", "b\0c")
        assert await users.settings_of_user(db, ANN.user) == {"note": "b\0c"}


async def test_ids_follow_those_given_out_in_a_lost_time(postgres_store: Store) -> None:
    await added(postgres_store)
    async with postgres_store.transaction() as db:
        assert await timelines.last_ids(db) == {"games": 1}
        await timelines.raise_ids(db, {"games": 40, "outbox": 7}, margin=2)
        assert {**await timelines.last_ids(db), "games": 42, "outbox": 9} == await timelines.last_ids(db)
    assert (await added(postgres_store)).id == 43


# ── Databases of no use ──


async def test_a_server_that_is_away_is_a_sentence(tmp_path: Path) -> None:
    fault = await why_unusable(f"postgresql+asyncpg://gipf:secret@/gipf?host={tmp_path}")
    assert isinstance(fault, Unreachable)
    assert str(fault).startswith(f"postgresql://{tmp_path}/gipf cannot be reached (")
    assert str(fault).endswith("look at GIPFBOT_DATABASE_URL, and whether the server runs.")
    assert "secret" not in str(fault)
    assert fault.exit_code == 6


async def test_a_missing_driver_is_a_sentence(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    said = str(await why_unusable(empty_url))
    assert said.startswith(
        "asyncpg is not installed, which PostgreSQL needs: run `make install POSTGRES=yes`, or build "
    )


async def test_an_unknown_database_or_user_is_named(server: Server) -> None:
    fault = await why_unusable(server.url("nowhere"))
    assert 'database "nowhere" does not exist' in str(fault)
    assert isinstance(fault, Unreachable)
    assert 'role "nobody" does not exist' in str(await why_unusable(server.url("postgres", "nobody")))


async def test_an_old_server_is_refused(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_backend, "OLDEST_POSTGRES", 99)
    fault = await why_unusable(empty_url)
    assert isinstance(fault, TooOld)
    assert str(fault).endswith(": version 99 or newer is needed.")
    assert fault.exit_code == 7


async def test_a_database_without_writes_is_refused(empty_url: str, server: Server) -> None:
    server.execute(f"ALTER DATABASE {name_in(empty_url)} SET default_transaction_read_only = on")
    fault = await why_unusable(empty_url)
    assert isinstance(fault, NoWrites)
    assert str(fault).endswith(" takes no writes: name the server that does, not a copy of it.")
    assert fault.exit_code == 8


async def test_a_user_who_may_make_no_tables_is_refused(empty_url: str, server: Server) -> None:
    server.execute("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    fault = await why_unusable(empty_url.replace("gipf@", "guest@"))
    assert isinstance(fault, NoWrites)
    assert " lets this user make no tables: " in str(fault)


async def test_a_database_of_another_program_is_refused_and_stays_as_it_is(empty_url: str, server: Server) -> None:
    server.execute("CREATE TABLE games (id int)", "CREATE TABLE clients (id int)", database=name_in(empty_url))
    fault = await why_unusable(empty_url)
    assert isinstance(fault, ForeignDatabase)
    assert str(fault).endswith(" holds tables of another program: create an empty database, and name that.")
    assert fault.exit_code == 9
    found = server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database=name_in(empty_url))
    assert found == [(2,)]


async def test_a_database_for_other_texts_is_refused(server: Server) -> None:
    server.execute(
        "DROP DATABASE IF EXISTS latin",
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0 LOCALE_PROVIDER libc",
    )
    assert " holds text as LATIN1: " in str(await why_unusable(server.url("latin")))


async def test_a_newer_database_is_a_sentence(postgres_store: Store, postgres_url: str) -> None:
    async with postgres_store.transaction() as db:
        await db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert " was written by a newer version of the bot (" in str(await why_unusable(postgres_url))


async def test_one_process_at_a_time_holds_the_database(empty_url: str) -> None:
    backend = backend_of_url(empty_url)
    async with backend.hold():
        with pytest.raises(InUse, match="is in use by another process, perhaps a running bot") as refused:
            async with backend.hold():
                pytest.fail("it was held twice")
        assert refused.value.exit_code == 4
    async with backend.hold():
        pass


async def test_the_lock_of_the_process_is_taken_again_after_a_cut(
    server: Server, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_locks, "HOLDER_LOOKS", 0.05)
    backend = backend_of_url(empty_url)
    here = f"database = (SELECT oid FROM pg_database WHERE datname = '{name_in(empty_url)}')"
    holders = f"SELECT pid FROM pg_locks WHERE {here} AND objid = {process_locks.PROCESS}"
    async with backend.hold() as lost:
        before = server.execute(holders)
        await asyncio.to_thread(server.execute, END_OTHERS, database=name_in(empty_url))
        await eventually(lambda: server.execute(holders) not in ([], before), "the lock")
        assert not lost.done()
        with pytest.raises(InUse):
            async with backend.hold():
                pytest.fail("it was held twice")


async def test_a_process_that_took_over_meanwhile_is_noticed(
    server: Server, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_locks, "HOLDER_LOOKS", 0.5)
    backend = backend_of_url(empty_url)
    async with backend.hold() as lost:
        await asyncio.to_thread(server.execute, END_OTHERS, database=name_in(empty_url))
        async with backend.hold() as other:
            assert type(await asyncio.wait_for(lost, HANGS)) is InUse
            assert not other.done()


# ── While the bot runs ──


async def test_a_server_that_comes_back_is_used_again(tmp_path: Path) -> None:
    """Kept connections are all cut. Who asks while it is away reads why, and is logged once."""
    server = Server()
    try:
        store = await Store.open_database(server.url_for(tmp_path / "a"))
        game = await added(store)
        await asyncio.to_thread(server.stop, signal.SIGINT)
        with pytest.raises(DatabaseTrouble) as trouble:
            await loaded(store, game.id)
        assert trouble.value.trouble is Trouble.UNREACHABLE
        with pytest.raises(DatabaseTrouble):
            await added(store)
        assert store.troubles.current is Trouble.UNREACHABLE
        await asyncio.to_thread(server.start)
        assert (await loaded(store, game.id)).game == game
        await added(store)
        assert not current_trouble(store)
        await asyncio.to_thread(server.stop, signal.SIGQUIT)
        await asyncio.to_thread(server.start)
        await added(store)
        await store.close()
    finally:
        await asyncio.to_thread(server.remove)


@pytest.mark.parametrize("turns_of_loop", range(4))
async def test_a_cut_is_a_trouble_however_much_of_it_was_read(
    postgres_store: Store, postgres_url: str, server: Server, tmp_path: Path, turns_of_loop: int
) -> None:
    """The driver reads why the server ends a connection, and only later that it is closed."""
    async with postgres_store.reading() as db:
        await db.execute(text("SELECT 1"))
        server.execute(END_OTHERS, database=name_in(postgres_url))  # this loop reads nothing meanwhile
        server.wait_until_unused(tmp_path / "postgres")
        for _ in range(turns_of_loop):
            await asyncio.sleep(0)
        with pytest.raises(DatabaseTrouble) as trouble:
            await db.execute(text("SELECT 1"))
    assert trouble.value.trouble is Trouble.UNREACHABLE
    await added(postgres_store)


@pytest.fixture
async def pair(postgres_store: Store, postgres_url: str) -> AsyncIterator[tuple[Store, Store]]:
    """Return two stores on one database, like those of two processes."""
    other = await Store.open_database(postgres_url)
    yield postgres_store, other
    await other.close()


async def test_writers_of_two_processes_lose_nothing(pair: tuple[Store, Store]) -> None:
    game = await added(pair[0])

    async def press(seed: int) -> None:
        async with pair[seed % 2].transaction() as db:
            stored = await games.load_game(db, game.id)
            assert stored
            await save(db, stored.game, answered(stored.game, Random(seed)))

    await asyncio.gather(*(press(seed) for seed in range(20)))
    assert (await loaded(pair[1], game.id)).game.version == 20


async def test_presses_in_one_game_wait_for_its_row(pair: tuple[Store, Store]) -> None:
    game = await added(pair[0])

    async def press(seed: int) -> None:
        async with pair[seed % 2].game_transaction(game.id) as db:
            stored = await games.load_game(db, game.id)
            assert stored
            await save(db, stored.game, answered(stored.game, Random(seed)))

    await asyncio.gather(*(press(seed) for seed in range(10)))
    assert (await loaded(pair[1], game.id)).game.version == 10


async def test_games_do_not_wait_for_each_other_but_all_others_do(pair: tuple[Store, Store]) -> None:
    first, second = await added(pair[0]), await added(pair[0])
    async with pair[0].game_transaction(first.id) as db:
        async with pair[1].game_transaction(second.id) as beside:
            await games.set_unreachable(beside, second.id, "gone")
        wide = asyncio.create_task(added(pair[1]))
        await asyncio.sleep(0.1)
        assert not wide.done()
        await games.set_unreachable(db, first.id, "gone")
    assert (await wide).id == 3


async def test_those_who_wait_for_a_hanging_process_fail_in_nothing(
    postgres_store: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends its transaction before they give up. Here both come ten times as fast."""
    for name in ("idle_in_transaction_session_timeout", "lock_timeout"):
        seconds = float(postgres_backend.SERVER_SETTINGS[name].removesuffix("s"))
        monkeypatch.setitem(postgres_backend.SERVER_SETTINGS, name, f"{seconds * 100:.0f}ms")
    game = await added(postgres_store)
    hanging, other = await Store.open_database(postgres_url), await Store.open_database(postgres_url)
    holds, resumed = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        async with hanging.transaction() as db:
            await games.set_unreachable(db, game.id, "gone")
            holds.set()
            await resumed.wait()

    hung = asyncio.create_task(hang())
    await holds.wait()
    async with other.game_transaction(game.id) as db:
        await games.add_event(db, game.id, "seen", None, NOW)
    resumed.set()
    with pytest.raises(DatabaseTrouble):
        await hung
    assert (await loaded(other, game.id)).game == game
    async with other.reading() as db:
        assert await db.scalar(text("SELECT count(*) FROM events")) == 1
    await hanging.close()
    await other.close()


async def test_two_that_wait_for_each_other_are_tried_again(pair: tuple[Store, Store]) -> None:
    """The server ends one of them. It runs again, alone at last, and both are done once.

    Row locks have no queue: the one that runs again may be faster than the one that waited, and they meet once more.
    """
    one, two = await added(pair[0]), await added(pair[0])
    met, tries = asyncio.Barrier(2), list[int]()

    @tried_again
    async def touch(store: Store, mine: int, other: int) -> None:
        tries.append(mine)
        async with store.game_transaction(mine) as db:
            if len(tries) <= 2:
                await met.wait()
            await games.add_event(db, mine, "seen", None, NOW)
            await games.set_unreachable(db, other, "gone")

    await asyncio.gather(touch(pair[0], one.id, two.id), touch(pair[1], two.id, one.id))
    assert 3 <= len(tries) <= 2 * (TRIES_BESIDE_OTHERS + 1)
    async with pair[0].reading() as db:
        found = await db.scalars(text("SELECT game FROM events ORDER BY game"))
        assert [*found] == [one.id, two.id]


async def test_the_second_to_take_a_key_is_tried_again(pair: tuple[Store, Store]) -> None:
    met, tries = asyncio.Barrier(2), list[int]()

    @tried_again
    async def owe(store: Store, number: int) -> int:
        tries.append(number)
        async with store.game_transaction(None) as db:
            first = len(tries) <= 2
            if first:
                await outbox.was_owed(db, "key")
                await met.wait()
            return await outbox.owe(db, "key", "board", HALL, {}, NOW)

    found = await asyncio.gather(owe(pair[0], 0), owe(pair[1], 1))
    assert found[0] == found[1]
    assert 2 <= len(tries) <= 3


async def test_a_transaction_that_must_be_alone_runs_again_alone(postgres_store: Store) -> None:
    from gipfbot.store import require_alone

    game, tries = await added(postgres_store), list[int]()

    @tried_again
    async def work() -> None:
        tries.append(1)
        async with postgres_store.game_transaction(game.id) as db:
            await games.add_event(db, game.id, "seen", None, NOW)
            require_alone()

    await work()
    assert len(tries) == 2
    async with postgres_store.reading() as db:
        assert await db.scalar(text("SELECT count(*) FROM events")) == 1


async def test_a_conflict_is_no_fault_of_the_database(postgres_store: Store) -> None:
    await added(postgres_store)
    async with postgres_store.transaction() as db:
        await outbox.owe(db, "key", "board", HALL, {}, NOW)
    with pytest.raises(Conflict):
        async with postgres_store.game_transaction(None) as db:
            await db.execute(text("INSERT INTO meta VALUES ('a', ''), ('a', '')"))
    assert postgres_store.troubles.count == 0


def test_the_codes_after_which_waiting_helps(empty_url: str) -> None:
    """A full disk is one of them, as on SQLite."""
    backend = backend_of_url(empty_url)
    codes = {trouble: backend.opening_fault(DatabaseTrouble(trouble)).exit_code for trouble in Trouble}
    assert codes[Trouble.FULL] == 5
    assert (codes[Trouble.LOCKED], codes[Trouble.UNREACHABLE], codes[Trouble.NO_WRITES]) == (4, 6, 8)
    assert codes[Trouble.DAMAGED] == 3
