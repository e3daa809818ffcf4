"""Puzzles are made in the background, with the bot's own engine in its process."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from sqlalchemy import insert, select

from gipfbot.engines.protocol import EngineRequest, PlayRequest, ProveRequest
from gipfbot.engines.worker import OWN, SEAT, SMALL_COST, THE_BOT, Wish, Worker
from gipfbot.match import UNTIMED
from gipfbot.notation import position_text
from gipfbot.rules import BASIC, STANDARD, Ruleset, start
from gipfbot.service.app import App, create_app
from gipfbot.service.puzzles import making
from gipfbot.service.puzzles.making import FEW_UNTRIED
from gipfbot.store import Store, tables
from gipfbot.store.study_tables import puzzles
from gipfbot.values import NO_LIMITS, Shards
from tests.engines.processes import PATIENT, engines_of_test, until
from tests.service.helpers import Host, begun, play_on
from tests.support.engines import EngineInThread
from tests.support.people import ANN
from tests.support.puzzles import WITH_BOTH
from tests.support.times import HANGS, NOW

A = TypeVar("A")
MOST = 1000
QUICK = 20  # nodes of a search in a thread
STANDARD_START = position_text(start(STANDARD))


@dataclass
class NotingEngine:
    """Hands on to a worker what it is asked. It notes whose wish each answer was."""

    worker: Worker
    answered: list[Hashable] = field(default_factory=list)

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        answer = await self.worker.ask(request, wish)
        self.answered.append(wish.person)
        return answer


@dataclass
class PuzzleEngine(EngineInThread):
    """The bot's own engine in a thread, asked for puzzles."""

    nodes: int = QUICK

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        assert wish.person == THE_BOT
        return await super().ask(request, wish)


Open = Callable[[], NotingEngine]


@pytest.fixture
async def open_engine() -> AsyncIterator[Open]:
    """Return what makes a worker with the bot's own engine. Nothing may run after the test."""
    made = list[NotingEngine]()

    def make() -> NotingEngine:
        made.append(NotingEngine(Worker(patience=PATIENT)))
        return made[-1]

    yield make
    for engine in made:
        await engine.worker.close()
    await until(lambda: not engines_of_test())


def app_with(store: Store, host: Host, engine: Any, most: int = MOST) -> App:
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine, most_puzzles=most)


async def finished(app: App, turns: list[str] = WITH_BOTH, rules: Ruleset = STANDARD) -> int:
    """Return a game that has ended with these turns, or by resignation after them."""
    game = await begun(app, UNTIMED, rules)
    await play_on(app, game, *turns)
    if (await app.games.game(game)).game.asked is not None:
        await app.games.resign(game, ANN.user)
    return game


async def cut_all(app: App) -> int:
    """Let the work be done until there is none. Return how many pieces there were."""
    done = 0
    while await app.puzzle_work.cut_next():
        done += 1
    return done


async def stored(store: Store) -> list[int]:
    """Return how many own turns each stored puzzle has."""
    async with store.reading() as db:
        return [*await db.scalars(select(puzzles.c.own_turns).order_by(puzzles.c.id))]


async def cut_games(store: Store) -> list[int]:
    async with store.reading() as db:
        marked = select(tables.games.c.id).where(tables.games.c.cut_at.is_not(None))
        return [*await db.scalars(marked.order_by(tables.games.c.id))]


@pytest.fixture(autouse=True)
def no_own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test play games of the bot against itself, unless it asks for some."""
    monkeypatch.setattr(making, "FEW_UNTRIED", 0)


async def test_finished_games_are_looked_through_once(store: Store, host: Host, open_engine: Open) -> None:
    engine = open_engine()
    app = app_with(store, host, engine)
    games = [await finished(app), await finished(app, ["c2", "g2"], BASIC)]
    running = await begun(app, UNTIMED, STANDARD)
    await play_on(app, running, *WITH_BOTH[:-1])
    assert await cut_all(app) == 2
    assert await stored(store) == [2, 3]
    assert await cut_games(store) == games
    asked = len(engine.answered)
    assert {*engine.answered} == {THE_BOT}
    assert await cut_all(app) == 0
    assert len(engine.answered) == asked
    await play_on(app, running, WITH_BOTH[-1])
    assert await cut_all(app) == 1
    assert await stored(store) == [2, 3], "it is the same game again"


async def test_game_that_ends_after_a_later_one_is_looked_through_too(store: Store, host: Host) -> None:
    app = app_with(store, host, PuzzleEngine())
    slow = await begun(app, UNTIMED, STANDARD)
    later = await finished(app, ["c2"], BASIC)
    assert await cut_all(app) == 1
    assert await cut_games(store) == [later]
    await play_on(app, slow, *WITH_BOTH)
    assert await cut_all(app) == 1
    assert await stored(store) == [2, 3]


async def test_killed_process_loses_nothing(store: Store, host: Host, open_engine: Open) -> None:
    """It dies when it has stored the first puzzle of a game. Another one goes on."""
    first, second = open_engine(), open_engine()
    app = app_with(store, host, first)
    game = await finished(app)
    dying = asyncio.create_task(app.puzzle_work.cut_next())
    async with asyncio.timeout(HANGS):
        while True:
            if await stored(store):
                break
            await asyncio.sleep(0)
    dying.cancel()
    await asyncio.wait([dying])
    await first.worker.close()
    assert await stored(store) == [2]
    assert await cut_games(store) == []
    heir = app_with(store, host, second)
    assert await cut_all(heir) == 1
    assert await stored(store) == [2, 3]
    assert await cut_games(store) == [game]


async def test_engine_that_is_killed_is_asked_again_later(store: Store, host: Host, open_engine: Open) -> None:
    engine = open_engine()
    app = app_with(store, host, engine)
    await finished(app)
    cutting = asyncio.create_task(app.puzzle_work.cut_next())
    await until(engines_of_test)
    os.kill(engines_of_test()[0], signal.SIGKILL)
    assert await cutting is False
    assert await cut_games(store) == []
    assert await cut_all(app) == 1
    assert await stored(store) == [2, 3]


async def test_game_is_left_out_when_the_engine_fails_too_often(store: Store, host: Host) -> None:
    engine = PuzzleEngine(["no answer"] * 3)
    app = app_with(store, host, engine)
    games = [await finished(app, ["c2"], BASIC), await finished(app)]
    assert [await app.puzzle_work.cut_next() for _ in range(2)] == [False, False]
    assert await cut_games(store) == []
    assert await cut_all(app) == 2
    assert await cut_games(store) == games
    assert await stored(store) == [2, 3]


async def test_dear_turn_goes_before_the_rest_of_a_game(store: Store, host: Host, open_engine: Open) -> None:
    """It waits for one proof at most."""
    engine = open_engine()
    app = app_with(store, host, engine)
    await finished(app)
    cutting = asyncio.create_task(app.puzzle_work.cut_next())
    await until(lambda: engine.answered)
    before = len(engine.answered)
    await engine.ask(PlayRequest(STANDARD_START, nodes=50), Wish(ANN.user, SMALL_COST + 1))
    assert engine.answered.index(ANN.user) - before <= 1
    assert not cutting.done()
    assert await cutting


async def test_two_processes_share_the_games(postgres_url: str, host: Host) -> None:
    """Neither looks through a game of the other, also if both work at once."""
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (Shards(0, 0, 2), Shards(1, 1, 2))]
    engines = [PuzzleEngine(), PuzzleEngine()]
    apps = [app_with(store, host, engine) for store, engine in zip(stores, engines, strict=True)]
    games = [await finished(apps[0], ["c2", text], BASIC) for text in ("g2", "b4", "d7", "h3")]
    games.append(await finished(apps[1]))
    assert await asyncio.gather(*map(cut_all, apps)) == [2, 3]
    assert all(isinstance(request, ProveRequest) for engine in engines for request in engine.asked)
    asked = [{request.position for request in engine.asked} for engine in engines]
    assert {*filter(is_late, asked[0])}.isdisjoint(asked[1])
    assert await cut_games(stores[0]) == games
    assert await stored(stores[0]) == [2, 3]
    for store in stores:
        await store.close()


def is_late(line: str) -> bool:
    """Return whether a position is of the only Standard game."""
    return line.startswith("standard")


@pytest.mark.parametrize("most", [0, 1])
async def test_no_more_puzzles_are_made_than_the_host_wants(
    store: Store, host: Host, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Neither from finished games nor from games of the bot, though few are untried."""
    monkeypatch.setattr(making, "FEW_UNTRIED", FEW_UNTRIED)
    engine = PuzzleEngine()
    app = app_with(store, host, engine, most)
    await finished(app)
    await add_puzzles(store, most)
    assert not await app.puzzle_work.cut_next()
    assert engine.asked == []


async def add_puzzles(store: Store, number: int) -> None:
    """Store so many puzzles that nobody has tried."""
    rows = [{"key": key, "position": "", "own_turns": 2, "line": "", "made_at": NOW} for key in range(number)]
    async with store.transaction() as db:
        if rows:
            await db.execute(insert(puzzles), rows)


async def test_bots_own_search_makes_puzzles_whoever_plays_for_it(store: Store, host: Host) -> None:
    """A program that plays in its place need not be able to prove anything."""
    seated, own = PuzzleEngine(), PuzzleEngine()
    engines = {SEAT: seated, OWN: own}
    app = create_app(
        store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=seated, most_puzzles=MOST, seated=engines
    )
    await finished(app)
    assert await cut_all(app) == 1
    assert seated.asked == []
    assert own.asked


async def test_without_an_engine_nothing_is_made(store: Store, host: Host) -> None:
    app = app_with(store, host, None)
    await finished(app)
    assert await cut_all(app) == 0


async def test_bot_plays_itself_when_few_puzzles_are_untried(
    store: Store, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "FEW_UNTRIED", FEW_UNTRIED)
    engine = PuzzleEngine()
    app = app_with(store, host, engine)
    await add_puzzles(store, FEW_UNTRIED - 1)
    assert await app.puzzle_work.cut_next()
    assert isinstance(engine.asked[0], PlayRequest)
    await add_more(store)
    assert not await app.puzzle_work.cut_next()


async def add_more(store: Store) -> None:
    async with store.transaction() as db:
        row = {"key": -1, "position": "", "own_turns": 2, "line": "", "made_at": NOW}
        await db.execute(insert(puzzles), [row])
