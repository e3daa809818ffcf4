"""The naive recount agrees with the bot, and finds what is wrong."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gipfbot.service.app import App, create_app
from gipfbot.service.tournaments.course import BETWEEN_SEASONS
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host, play_on
from tests.support.recount import Recount, recount

from .playing import PEOPLE, SWISS, before_void, begun, join, play, running


@pytest.fixture
async def played(tmp_path: Path, host: Host) -> Path:
    """Return a database with two seasons of a league, the second still running, and with a Swiss tournament."""
    file = tmp_path / "played.sqlite3"
    store = await Store.open_database(f"sqlite+aiosqlite:///{file}")
    app = create_app(store, lambda: host.now, iter_lots(), limits=NO_LIMITS)
    try:
        await play_all(app, host)
    finally:
        await store.close()
    return file


def iter_lots() -> Callable[[], bool]:
    """Return lots that differ from player to player."""
    drawn = iter(range(1 << 30))
    return lambda: (next(drawn) * 7919) % 5 < 2


async def play_all(app: App, host: Host) -> None:
    league = await begun(app, host, 12)
    game = (await running(app, league))[0]
    await play_on(app, game, "c2", "g2")
    await before_void(app, game, "b3")
    await play_on(app, game, "b3")
    await app.tournaments.leave(league, PEOPLE[11].user)
    await play(app, league, seed=1)
    await join(app, league, 5)
    host.passes(BETWEEN_SEASONS)
    await app.tournament_course.go_on_with_due()
    swiss = await begun(app, host, 9, replace(SWISS, rounds=4))
    await play(app, swiss, seed=2)


def counted(file: Path) -> Recount:
    with closing(sqlite3.connect(file)) as db:
        return recount(lambda query: db.execute(query).fetchall())


async def test_the_recount_agrees_with_the_tables_of_the_bot(played: Path, host: Host) -> None:
    found = counted(played)
    assert found.faults == []
    assert {table: len(order) for table, order in found.tables.items()} == {
        (1, 1, 1): 6,
        (1, 1, 2): 6,
        (1, 2, 1): 5,
        (2, 1, 0): 9,
    }
    store = await Store.open_database(f"sqlite+aiosqlite:///{played}")
    try:
        app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)
        for tournament, season in ((1, 2), (2, 1)):
            (table,) = (await app.tournaments.show(tournament)).tables
            division = 2 - tournament
            assert [row.player for row in table] == found.tables[tournament, season, division]
    finally:
        await store.close()


WRONG = {
    "is stuck": "UPDATE due SET done_at = 1; UPDATE games SET status = 'over' WHERE status = 'running'",
    "is over, but not played": "UPDATE tournaments SET state = 'over' WHERE id = 1",
    "has begun": "UPDATE tournaments SET begun = 3 WHERE id = 1",
    "otherwise than each with each": "DELETE FROM tournament_pairings WHERE season = 2 AND rowid IN "
    "(SELECT max(rowid) FROM tournament_pairings WHERE season = 2)",
    "pairs twice": "INSERT INTO tournament_pairings SELECT tournament, season, round + 90, black, white, null, 0, "
    "'half', 0, 1 FROM tournament_pairings WHERE tournament = 2 AND black IS NOT NULL LIMIT 1",
    "lets somebody play twice": "UPDATE tournament_pairings SET round = 1 WHERE season = 1 AND round = 2 "
    "AND white NOT IN (SELECT white FROM tournament_pairings WHERE season = 1 AND round = 1)",
    "belong to no pairing": "UPDATE games SET terms = json_set(terms, '$.tournament', 2) "
    "WHERE id = (SELECT max(game) FROM tournament_pairings WHERE tournament = 1)",
    "has the games": "UPDATE tournament_pairings SET games = 2 WHERE tournament = 2 AND games = 1",
    "with other colours": "UPDATE seats SET colour = 2 WHERE colour = 0; UPDATE seats SET colour = 0 WHERE colour = 1; "
    "UPDATE seats SET colour = 1 WHERE colour = 2",
    "is played again after": "UPDATE games SET result = '1-0' WHERE result = 'void'",
    "has ended otherwise": "UPDATE tournament_pairings SET outcome = 'half' WHERE game IS NOT NULL AND tournament = 2",
    "has given the places": "UPDATE tournament_entries SET place = 7 - place WHERE tournament = 1",
}


async def test_the_recount_finds_what_is_wrong(played: Path, tmp_path: Path) -> None:
    found = {}
    for number, (fault, change) in enumerate(WRONG.items()):
        broken = tmp_path / f"broken{number}.sqlite3"
        shutil.copy(played, broken)
        with closing(sqlite3.connect(broken)) as db:
            db.executescript(change)
        found[fault] = any(fault in said for said in counted(broken).faults)
    assert found == dict.fromkeys(WRONG, True)
