"""Two processes on one PostgreSQL make different analyses, and none of them in vain."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import pytest

from gipfbot.engines.protocol import EngineRequest
from gipfbot.engines.worker import Wish
from gipfbot.match import UNTIMED
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host, begun, play_on
from tests.support.background_work import search_next
from tests.support.engines import EngineInThread
from tests.support.halves import HALF, REST
from tests.support.people import ANN, BOB

TURNS = "c2", "g2"
A = TypeVar("A")


class Slow(EngineInThread):
    """An engine that waits before its answer until it may go on."""

    def __init__(self) -> None:
        super().__init__(nodes=100)
        self.is_asked, self.may_answer = asyncio.Event(), asyncio.Event()

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        await wish.begins()
        self.is_asked.set()
        await self.may_answer.wait()
        return await super().ask(request, Wish(wish.person, wish.cost))


@pytest.fixture
async def pair(postgres_url: str, host: Host) -> AsyncIterator[tuple[App, App, Slow, EngineInThread]]:
    slow, quick = Slow(), EngineInThread(nodes=100)
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (HALF, REST)]
    first, second = (
        create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)
        for store, engine in zip(stores, (slow, quick), strict=True)
    )
    yield first, second, slow, quick
    for store in stores:
        await store.close()


async def asked_for(app: App, user: int) -> int:
    """Return a finished game whose analysis a person has asked for."""
    game = await begun(app, UNTIMED, BASIC)
    await play_on(app, game, *TURNS)
    await app.games.resign(game, ANN.user)
    await app.analyses.ask(game, user)
    return game


async def test_two_processes_make_two_analyses(pair: tuple[App, App, Slow, EngineInThread]) -> None:
    first, second, slow, quick = pair
    games = [await asked_for(first, user) for user in (ANN.user, BOB.user)]
    searching = asyncio.create_task(search_next(first.analysis_work))
    await slow.is_asked.wait()
    while (await search_next(second.analysis_work)) is not None:
        pass
    views = [await second.analyses.view(game, user) for game, user in zip(games, (ANN.user, BOB.user), strict=True)]
    assert [bool(view and view.judged) for view in views] == [False, True]
    slow.may_answer.set()
    assert await searching == ()
    while (await search_next(second.analysis_work)) is not None:
        pass
    assert (len(slow.asked), len(quick.asked)) == (1, 2 * len(TURNS) - 1)


async def test_an_analysis_goes_on_when_its_process_dies(pair: tuple[App, App, Slow, EngineInThread]) -> None:
    first, second, slow, quick = pair
    await asked_for(first, ANN.user)
    searching = asyncio.create_task(search_next(first.analysis_work))
    await slow.is_asked.wait()
    assert await search_next(second.analysis_work) is None
    searching.cancel()
    await asyncio.wait({searching})
    assert await search_next(second.analysis_work) == ()
    assert len(quick.asked) == 1
