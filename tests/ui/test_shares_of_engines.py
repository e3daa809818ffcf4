"""Nobody's wishes of engines hold up another person's: real queues, and processes that only note what they search."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest

from gipfbot.engines.engine_loop import serve
from gipfbot.engines.engine_process import EngineProcess
from gipfbot.engines.protocol import AnalyseRequest, EngineFailed, parse_answer, request_line
from gipfbot.engines.worker import OWN, SeatedEngine, Worker
from gipfbot.match import UNTIMED, House, Seat, Side
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, analyses
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.kit.client import Posted
from gipfbot.values import NO_LIMITS, AnalysisState, OutboxRow
from tests.service.helpers import Host, begun, delete_all, play_on
from tests.support.games import CIRCLE, QUIET_TURNS
from tests.support.people import ANN, BOB, CARA, DAN, HOME
from tests.support.times import HANGS

BOT = Seat(10**18 + 99, "GIPF")
GF1 = "gf1"
LARGE, SMALL = 8, 1  # levels


@dataclass
class Searches:
    """What the processes of engines search, in its order. An answer waits as long as `holds` says so."""

    asked: list[Any] = field(default_factory=list)
    holds: Callable[[str, Any], bool] = lambda _, __: False
    fails: Callable[[str], bool] = lambda _: False
    worker: Worker = field(default_factory=Worker)

    async def exchange(self, name: str, request: Any) -> Any:
        self.asked.append(request)
        if self.fails(name):
            raise EngineFailed("It ended.")
        await until(lambda: not self.holds(name, request))
        target = BytesIO()
        await asyncio.to_thread(serve, BytesIO(request_line(1, replace(request, nodes=50))), target)
        return parse_answer(target.getvalue(), 1, request)

    def let_go(self) -> None:
        """Let all searches answer."""
        self.holds = lambda _, __: False

    @property
    def waiting(self) -> int:
        """How many people wait for a large search of the bot's own engine."""
        return len(self.worker._lines[OWN][-1].queue._waiting)

    @property
    def wishes(self) -> int:
        """How many of their wishes wait for a large search."""
        return sum(map(len, self.worker._lines[OWN][-1].queue._waiting.values()))

    @property
    def games(self) -> list[int]:
        """The games that turns were searched for."""
        return [request.seed for request in self.asked if not isinstance(request, AnalyseRequest)]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    noted = Searches()

    async def exchange(process: EngineProcess, request: Any) -> Any:
        return await noted.exchange(process._command[0], request)

    monkeypatch.setattr(EngineProcess, "exchange", exchange)
    return noted


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
async def bot(store: Store, host: Host, searches: Searches, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GipfBot]:
    """Return a bot that posts nothing, with the engine gf1 beside its own."""
    worker = Worker({GF1: (GF1,)})
    seated = {name: SeatedEngine(worker, name) for name in (OWN, GF1)}
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=seated[OWN], seated=seated)
    made = GipfBot(app)
    searches.worker = worker

    async def deliver(_: Iterable[OutboxRow]) -> tuple[Posted, ...]:
        return ()

    monkeypatch.setattr(made.delivery, "deliver", deliver)  # there is no Discord
    made.connected = True
    yield made
    searches.let_go()
    await made.house_loop.close()
    await made.analysis_loop.close()
    await worker.close()


async def until(holds: Callable[[], Any]) -> None:
    """Wait until something holds, which may be a coroutine."""
    async with asyncio.timeout(HANGS):
        while not await _result(holds()):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def _result(found: Any) -> Any:
    return await found if asyncio.iscoroutine(found) else found


async def challenge(app: App, person: Seat, level: int, engine: str = "", side: Side = Side.BLACK) -> int:
    """Return a new game of a person, in which the bot has the first turn unless they are White."""
    terms = replace(UNTIMED, house=House(level, BOT.user, engine))
    return (await app.lobby.challenge_house(person, BOT, BASIC, side, HOME, terms)).game.id


async def answered(app: App, *games: int) -> None:
    """Wait until the bot has played its turn in each game."""
    for game in games:
        await until(partial(is_answered, app, game))


async def is_answered(app: App, game: int) -> bool:
    return bool((await app.games.game(game)).game.turn_number)


def is_large(_: str, request: Any) -> bool:
    return bool(request.nodes > 8000)


# ── Games ──


async def test_many_dear_turns_of_one_person_do_not_delay_a_small_one(bot: GipfBot, searches: Searches) -> None:
    searches.holds = is_large
    for _ in range(15):
        await challenge(bot.app, ANN, LARGE)
    bot.house_loop.wake()
    await until(lambda: searches.asked)
    await answered(bot.app, await small_turn(bot, BOB))
    assert len([request for request in searches.asked if is_large("", request)]) == 1, "it goes on where it was"


async def test_ten_people_at_the_highest_level_wait_for_ten_searches_at_most(bot: GipfBot, searches: Searches) -> None:
    people = [Seat(10**18 + 100 + number, f"P{number}") for number in range(10)]
    games = {await challenge(bot.app, person, LARGE): person.user for person in people for _ in range(4)}
    searches.holds = lambda *_: searches.waiting < min(9, len(games) - len(searches.asked))
    bot.house_loop.wake()
    await until(lambda: len(searches.games) == len(games))
    served = [games[game] for game in searches.games]
    assert all(len({*served[place : place + 10]}) == 10 for place in range(0, 40, 10)), served


async def test_cheapest_turn_of_a_person_comes_first(bot: GipfBot, searches: Searches) -> None:
    dear = [await challenge(bot.app, ANN, 5) for _ in range(2)]
    cheaper = await challenge(bot.app, ANN, 4)
    bot.house_loop.wake()
    await until(lambda: len(searches.games) == 3)
    assert searches.games == [cheaper, *dear]


async def test_person_has_one_large_search_in_the_queue(bot: GipfBot, searches: Searches) -> None:
    """What they wish later may be cheaper, or be gone."""
    searches.holds = is_large
    first = await challenge(bot.app, ANN, 5)
    bot.house_loop.wake()
    await until(lambda: searches.games)
    later = [await challenge(bot.app, ANN, level) for level in (8, 8, 7)]
    bot.house_loop.wake()
    await answered(bot.app, await small_turn(bot, BOB))
    await bot.app.games.resign(later[0], ANN.user)
    searches.let_go()
    await answered(bot.app, later[1])
    assert [game for game in searches.games if game in (first, *later)] == [first, later[2], later[1]]


async def small_turn(bot: GipfBot, person: Seat) -> int:
    game = await challenge(bot.app, person, SMALL)
    bot.house_loop.wake()
    return game


async def test_turn_taken_back_in_the_queue_costs_no_search(bot: GipfBot, searches: Searches) -> None:
    searches.holds = is_large
    first = await challenge(bot.app, ANN, LARGE)
    taken_back = await challenge(bot.app, BOB, LARGE, side=Side.WHITE)
    await bot.app.games.play_typed(taken_back, BOB.user, "c2")
    bot.house_loop.wake()
    await until(lambda: searches.waiting)
    await bot.app.requests.make(TAKEBACK, taken_back, BOB.user)
    last = await challenge(bot.app, DAN, LARGE)
    bot.house_loop.wake()
    searches.let_go()
    await answered(bot.app, last)
    assert searches.games == [first, last]


# ── Engines that fail ──


async def test_hung_engine_holds_up_only_its_own_games(bot: GipfBot, searches: Searches) -> None:
    searches.holds = lambda name, _: name == GF1
    hung = [await challenge(bot.app, person, 3, GF1) for person in (ANN, BOB)]
    others = [await challenge(bot.app, person, level) for person in (ANN, CARA) for level in (SMALL, LARGE)]
    bot.house_loop.wake()
    await answered(bot.app, *others)
    assert [(await bot.app.games.game(game)).game.turn_number for game in hung] == [0, 0]
    searches.let_go()
    await answered(bot.app, *hung)


async def test_engine_that_fails_three_times_in_a_row_is_not_asked_by_those_who_wait(
    bot: GipfBot, searches: Searches
) -> None:
    """Each try may last two minutes. The own search goes on in all its games."""
    searches.fails = lambda name: name == GF1
    games = [await challenge(bot.app, person, 3, GF1) for person in (ANN, BOB, CARA, DAN)]
    bot.house_loop.wake()
    await answered(bot.app, *games)
    asked = [game for game in games for _ in range(searches.games.count(game) - 1)]
    assert 3 <= len(asked) <= 5, "the game that it failed in last may ask it three times"


# ── Analyses ──


async def finished(app: App, *turns: str) -> int:
    """Return a game of Ann and Bob that is over after these turns."""
    game = await begun(app, UNTIMED, BASIC)
    await play_on(app, game, *turns)
    await app.games.resign(game, ANN.user)
    return game


async def state_of(app: App, game: int) -> tuple[AnalysisState, int]:
    async with app.games.store.reading() as db:
        known = await analyses.load_analysis(db, game)
    assert known
    return known.state, len(known.found)


async def is_at(app: App, game: int, places: int) -> bool:
    return (await state_of(app, game))[1] == places


async def is_done(app: App, game: int) -> bool:
    return (await state_of(app, game))[0] is AnalysisState.DONE


def openings(searches: Sequence[Any]) -> list[str]:
    """Return the first turns of the games that were searched for an analysis, by the position after it."""
    return [request.before[1] if len(request.before) > 1 else request.position for request in searches]


async def test_analyses_of_two_people_alternate(bot: GipfBot, searches: Searches) -> None:
    games = [await finished(bot.app, *QUIET_TURNS), await finished(bot.app, "g2", "c2", *QUIET_TURNS[2:])]
    for game, person in zip(games, (CARA, DAN), strict=True):
        await bot.app.analyses.ask(game, person.user)
    searches.holds = lambda *_: not searches.waiting and len(searches.asked) < 2 * len(QUIET_TURNS)
    bot.analysis_loop.wake()
    for game in games:
        await until(partial(is_done, bot.app, game))
    asked = openings(searches.asked)
    assert len(asked) == 2 * len(QUIET_TURNS)
    assert all(here != there for here, there in pairwise(asked)), asked


async def test_analysis_is_in_rotation_with_turns(bot: GipfBot, searches: Searches) -> None:
    """Dan's analysis and Ann's many games: one of each after the other."""
    searches.holds = lambda *_: not searches.waiting and len(searches.asked) < 2 * len(QUIET_TURNS)
    game = await finished(bot.app, *QUIET_TURNS)
    for _ in range(8):
        await challenge(bot.app, ANN, LARGE)
    bot.house_loop.wake()
    await until(lambda: searches.asked)
    await bot.app.analyses.ask(game, DAN.user)
    bot.analysis_loop.wake()
    await until(partial(is_done, bot.app, game))
    kinds = [isinstance(request, AnalyseRequest) for request in searches.asked]
    assert kinds[: 2 * len(QUIET_TURNS)] == [False, True] * len(QUIET_TURNS)


async def test_turn_of_a_person_goes_before_their_own_analysis(bot: GipfBot, searches: Searches) -> None:
    """Only the last few positions of the analysis would be cheaper."""
    searches.holds = is_large
    game = await finished(bot.app, *CIRCLE)
    others = await challenge(bot.app, ANN, LARGE)
    bot.house_loop.wake()
    await until(lambda: searches.asked)
    await bot.app.analyses.ask(game, DAN.user)
    bot.analysis_loop.wake()
    await until(lambda: searches.waiting == 1)
    own = await challenge(bot.app, DAN, LARGE)
    bot.house_loop.wake()
    await until(lambda: searches.wishes == 2)
    searches.let_go()
    await until(partial(is_done, bot.app, game))
    assert [getattr(request, "seed", None) for request in searches.asked[:3]] == [others, own, None]


async def test_asking_again_and_again_puts_nothing_before_another(bot: GipfBot, searches: Searches) -> None:
    """Ask, delete one's data, and ask for another, seven times. Only what somebody waits for is searched."""
    searches.holds = is_large
    openers = "c2", "b4", "g2", "h3", "b3", "c6", "d7"
    games = [await finished(bot.app, opener) for opener in openers]
    wanted = await finished(bot.app, *QUIET_TURNS)
    for game in games:
        await bot.app.analyses.ask(game, DAN.user)
        bot.analysis_loop.wake()
        await delete_all(bot.app, DAN.user)
    await bot.app.analyses.ask(wanted, CARA.user)
    bot.analysis_loop.wake()
    await until(lambda: searches.asked)
    searches.let_go()
    await until(partial(is_done, bot.app, wanted))
    assert len(searches.asked) <= len(QUIET_TURNS) + 1


async def test_analysis_that_nobody_waits_for_stops_and_goes_on_later(bot: GipfBot, searches: Searches) -> None:
    game = await finished(bot.app, *QUIET_TURNS)
    searches.holds = lambda _, request: len(request.before) == 2
    await bot.app.analyses.ask(game, DAN.user)
    bot.analysis_loop.wake()
    await until(lambda: len(searches.asked) == 2)
    await delete_all(bot.app, DAN.user)
    searches.let_go()
    await until(partial(is_at, bot.app, game, 3))
    for _ in range(20):
        bot.analysis_loop.wake()
        await asyncio.sleep(0.01)
    assert await state_of(bot.app, game) == (AnalysisState.RUNNING, 3)
    assert len(searches.asked) == 2
    await bot.app.analyses.ask(game, CARA.user)
    bot.analysis_loop.wake()
    await until(partial(is_done, bot.app, game))
    assert [len(request.before) for request in searches.asked] == [1, 2, 3, 4]
