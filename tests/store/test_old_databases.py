"""This version reads the databases of all released versions: every file in `tests/data/databases` is migrated and read.

`tests/store/write_database.py` writes them, each with the code of its time. They all hold the same.
"""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from gipfbot.match import replay_turns
from gipfbot.match.ratings import pool_of
from gipfbot.rules import Ruleset
from gipfbot.service.app import create_app
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.service.checking.opening_counts import KEYS, LEAST_KEY
from gipfbot.service.delivery.board_message import BOARD, unpack_board
from gipfbot.store import (
    Store,
    challenges,
    clocks,
    conditionals,
    explorer,
    game_lists,
    games,
    outbox,
    ratings,
    requests,
    servers,
    standings,
    studies,
    study_tables,
    tables,
    users,
    watching,
)
from tests.service.records.exploring import count_differences
from tests.store.write_database import ENDS_AT, write_database
from tests.support.migrations import MADE_LATER, NEWEST_DATABASE
from tests.support.paths import DATABASES
from tests.support.people import ANN, BOB, CARA, CLUB
from tests.support.times import HOUR

pytestmark = pytest.mark.sqlite
FILES = sorted(DATABASES.glob("*.sqlite3"))
PEOPLE = [ANN.user, BOB.user, CARA.user]
GAMES = {  # rule set, status, result, turns played, actions of the draft
    1: ("standard", "over", "1-0", 3, 0), 2: ("tournament", "running", None, 3, 0),
    3: ("tournament", "over", "0-1", 9, 0), 4: ("standard", "over", "1-0", 5, 0),
    5: ("basic", "cancelled", None, 0, 0), 6: ("basic", "over", "void", 3, 0),
    7: ("standard", "over", "0-1", 0, 0), 8: ("basic", "running", None, 0, 0),
    9: ("standard", "running", None, 0, 0), 10: ("tournament", "running", None, 7, 0),
    11: ("basic", "running", None, 0, 0), 12: ("basic", "running", None, 2, 0),
    13: ("basic", "running", None, 1, 0), 14: ("standard", "running", None, 7, 1),
    15: ("standard", "running", None, 0, 0), 16: ("standard", "running", None, 0, 0),
    17: ("basic", "running", None, 0, 0), 18: ("basic", "running", None, 0, 0),
    19: ("tournament", "running", None, 0, 0), 20: ("standard", "running", None, 0, 0),
    21: ("standard", "running", None, 0, 0), 22: ("standard", "running", None, 0, 0),
    23: ("standard", "running", None, 1, 0), 24: ("standard", "running", None, 0, 0),
    25: ("tournament", "running", None, 0, 0),
}  # fmt: skip


@pytest.fixture(params=[*FILES, None], ids=lambda path: path.stem if path else "later")
async def old(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Open a migrated copy of an old file; or one whose tables a later version has made, and left usable for this."""
    path = shutil.copy(request.param or NEWEST_DATABASE, tmp_path / "old.sqlite3")
    if request.param is None:
        with closing(sqlite3.connect(path)) as db:
            for statement in MADE_LATER:
                db.execute(statement)
            db.commit()
    store = await Store.open_database(f"sqlite+aiosqlite:///{path}")
    yield store
    await store.close()


async def test_every_game_and_its_turns_are_read(old: Store) -> None:
    """Replaying the turns leads to the stored position."""
    found = {}
    async with old.reading() as db:
        for game_id in await db.scalars(select(tables.games.c.id)):
            stored = await games.load_game(db, game_id)
            assert stored
            game, turns = stored.game, await games.turns_of(db, game_id)
            position, last = replay_turns(game.ruleset, [turn.actions for turn in turns])
            assert position == game.position._replace(result=position.result)
            assert last == game.last
            result = game.position.result and game.position.result.score
            found[game_id] = game.ruleset.name, str(game.status), result, game.turn_number, len(game.draft)
    assert found == GAMES


async def test_nothing_differs_from_what_the_turns_give(old: Store) -> None:
    """`bot.py check` finds nothing in a migrated database, but the finished games that the sweep has still to count."""
    assert [sentence async for sentence in DatabaseCheck(old, lambda: ENDS_AT).differences()] == []


async def test_every_game_has_its_pool(old: Store) -> None:
    columns = tables.games.c
    async with old.reading() as db:
        rows = (await db.execute(select(columns.ruleset, columns.pool))).all()
    assert [row.pool for row in rows] == [pool_of(Ruleset.from_data(row.ruleset)) for row in rows]
    assert {row.pool for row in rows} == {"basic", "standard", "tournament"}


async def test_every_list_is_read(old: Store) -> None:
    async with old.reading() as db:
        assert [(await game_lists.running_and_unreadable_games(db, user))[1] for user in PEOPLE] == [[], [], []]
        assert [len(await game_lists.running_games(db, user)) for user in PEOPLE] == [17, 19, 2]
        assert [len(await game_lists.waiting_games(db, user)) for user in PEOPLE] == [11, 6, 2]
        assert [len(await game_lists.ended_games(db, user, 99)) for user in PEOPLE] == [6, 6, 0]
        assert len(await clocks.running_clocks(db)) == 10
        assert [len(await challenges.challenges_of(db, user)) for user in PEOPLE] == [2, 1, 2]
        known = [await studies.studies_of(db, user, ENDS_AT) for user in PEOPLE]
        assert [len([each for each in briefs if not each.hidden_for]) for briefs in known] == [4, 0, 0]
        assert [len(await requests.requests_of(db, game)) for game in (10, 11)] == [3, 0]
        assert [len(await conditionals.conditional_lines(db, game)) for game in (11, 12, 13)] == [1, 1, 1]
        assert [len(await clocks.vacations_of(db, [user])) for user in PEOPLE] == [0, 0, 1]
        assert [stored.note_of(ANN.user) for stored in await game_lists.load_games(db, [14])] == [
            "Take the *middle* row."
        ]
        assert await users.quiet_games(db, ANN.user) == {21: True, 22: False}
        assert [await users.dms_shut_at(db, user) is not None for user in PEOPLE] == [True, False, False]
        assert (await users.settings_of_user(db, ANN.user))["notation"] == "julio974"
        assert (await servers.settings_of_server(db, CLUB))["vacation"] == 20
        assert await game_lists.game_from_challenge(db, 1, ANN.user) == 1
        assert await game_lists.count_all_running(db) == 19
        games_of_ann = await game_lists.running_games(db, ANN.user)
        assert {brief.last_listed[brief.colour_of(ANN.user)] == brief.turns for brief in games_of_ann} == {True}
        assert await servers.present_servers(db) == {CLUB: 1_800_000_000 - 48 * HOUR}
        assert await watching.follows_of(db, CARA.user) == [], "Bob has blocked her"
        assert len(await ratings.all_months(db)) == 4  # of two players, and of a person and a puzzle
        assert await standings.count_standings(db, "standard", CLUB) == 2
        columns = study_tables.studies.c
        ids = [*await db.scalars(select(columns.id).where(columns.hidden_for.is_(None)).order_by(columns.id))]
        read = [await studies.load_study(db, study_id, ANN.user, ENDS_AT) for study_id in ids]
        turns = [study and (len(study.study.turns), len(study.study.tried), study.level) for study in read]
        assert turns == [(4, 0, None), (2, 0, None), (7, 10, None), (0, 2, 5)]


async def test_owed_and_settled_messages_are_read(old: Store) -> None:
    async with old.reading() as db:
        assert len(await outbox.deliverable_rows(db, ENDS_AT + HOUR, 99)) == 2
        rows = (await db.execute(select(tables.outbox))).all()
    boards = [unpack_board(row.game, row.payload) for row in rows if row.kind == BOARD]
    assert len(boards) == 75
    assert sum(len(board.turns_taken_back) for board in boards) == 2
    assert [row.dropped for row in rows if row.dropped] == ["Forbidden"] * 3
    assert len({row.mark for row in rows}) == len(rows)


async def test_an_old_database_serves_every_sweep_and_a_turn(old: Store, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(old, lambda: ENDS_AT + 60, lambda: True)
    await app.flag_watch.check_flags()
    await app.reminders.owe_due_reminders()
    await app.digests.owe_due_digests()
    await app.win_claims.settle_due_win_claims()
    await app.vacations.end_due_vacations()
    await app.undeliverable.retry_due_boards()
    await app.leaderboards.relist_changed()
    await app.explorer.count_ended()
    await app.requests.close_expired()
    await app.lobby.expire_challenges()
    await app.games.play_typed(23, BOB.user, "g2")
    assert caplog.records == []


async def test_ended_games_are_counted_for_the_explorer(old: Store) -> None:
    """Of the others, one is void, one was cancelled, and one has no turns."""
    app = create_app(old, lambda: ENDS_AT + 60, lambda: True)
    assert await app.explorer.count_ended() == 0
    async with old.reading() as db:
        found = await explorer.explored_between(db, LEAST_KEY, LEAST_KEY + KEYS - 1)
    assert {game for turn in found.values() for game in turn.newest} == {1, 3, 4}
    assert sum(turn.games for turn in found.values()) == 3 + 9 + 5
    assert await count_differences(old) == 0


def test_each_migration_has_its_old_database() -> None:
    assert NEWEST_DATABASE in FILES
    assert max(path.stat().st_size for path in FILES) < 400_000


@pytest.mark.slow
async def test_the_script_fills_every_table(tmp_path: Path) -> None:
    """The next migration needs a file with a row in each table."""
    await write_database(tmp_path / "new.sqlite3")
    with closing(sqlite3.connect(tmp_path / "new.sqlite3")) as db:
        assert [name for name in tables.metadata.tables if not db.execute(f'SELECT 1 FROM "{name}"').fetchone()] == []
        assert db.execute("SELECT version_num FROM alembic_version").fetchone() == (NEWEST_DATABASE.stem,)
