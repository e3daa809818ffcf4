"""Analyses on a real database, with the bot's own engine in a thread."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import text

from gipfbot.engines.protocol import AnalyseRequest
from gipfbot.engines.worker import ANALYSIS_LEVEL
from gipfbot.match import UNTIMED, RequestState, Status, Why
from gipfbot.match.analysis import Mark
from gipfbot.rules import BASIC, OVERBOARD, Ruleset
from gipfbot.rules.symmetries import start_symmetries
from gipfbot.service.app import App, create_app
from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.records.analyses import ANALYSIS, ANALYSIS_LIFETIME, LINE_TURNS
from gipfbot.service.requests.game_requests import DRAW
from gipfbot.store import Store, analyses
from gipfbot.values import NO_LIMITS, AnalysisState, OutboxRow, StoredAnalysis
from tests.service.helpers import Host, assert_refused, begun, delete_all, play_on
from tests.support.background_work import search_next
from tests.support.engines import EngineInThread
from tests.support.games import CIRCLE, QUIET_TURNS
from tests.support.images import turn_image
from tests.support.people import ANN, BOB, CARA

CARELESS = (
    "c2 c6 b1-b3 h1-h3 i3-g3 b6-b4 a4-d7 a3-c3 a2-c4;xb2,b3,b4,b5 d8-f7 f8-f6 i4-g6 c7-e7 i2-g2 h6-e6 b3 e9-e5 h1-f3 "
    "f8-f5 d1-f2 i1-f4"
).split()


@pytest.fixture
def engine() -> EngineInThread:
    return EngineInThread(nodes=100)


@pytest.fixture
def app(store: Store, host: Host, engine: EngineInThread) -> App:
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)


async def finished(app: App, turns: Sequence[str] = QUIET_TURNS, rules: Ruleset = BASIC) -> int:
    """Return a game of Ann and Bob that has ended after these turns: White resigned."""
    game = await begun(app, UNTIMED, rules)
    await play_on(app, game, *turns)
    await app.games.resign(game, ANN.user)
    return game


async def work(app: App) -> list[OutboxRow]:
    """Do all that there is to search. Return the messages that are owed."""
    owed = list[OutboxRow]()
    while (rows := await search_next(app.analysis_work)) is not None:
        owed += rows
    return owed


async def stored(app: App, game: int) -> StoredAnalysis | None:
    async with app.analyses.store.reading() as db:
        return await analyses.load_analysis(db, game)


async def test_analysis_is_made_and_its_asker_told(app: App, engine: EngineInThread) -> None:
    game = await finished(app)
    begun = await app.analyses.ask(game, ANN.user)
    assert (begun.judged, begun.analysis.state) == (None, AnalysisState.RUNNING)
    (owed,) = await work(app)
    assert (owed.kind, owed.channel, owed.payload) == (ANALYSIS, ANN.user, {"game": game, "state": "done"})
    assert len(engine.asked) == len(QUIET_TURNS)
    assert all(
        isinstance(request, AnalyseRequest) and request.nodes == ANALYSIS_LEVEL.nodes for request in engine.asked
    )
    assert [len(request.before) for request in engine.asked] == [1, 2, 3, 4]
    view = await app.analyses.ask(game, ANN.user)
    assert view.judged
    assert len(view.judged.balance) == len(QUIET_TURNS) + 1
    assert all(1 <= len(turn.line) <= LINE_TURNS for best in view.analysis.found for turn in best)
    assert await work(app) == []


async def test_blunder_gets_its_mark(app: App, engine: EngineInThread) -> None:
    """White's last turn lets Black take a row, which another turn would have prevented."""
    engine.nodes = 2000
    game = await finished(app, CARELESS)
    await app.analyses.ask(game, BOB.user)
    await work(app)
    view = await app.analyses.view(game, BOB.user)
    assert view
    assert view.judged
    assert {turn.place: turn.mark for turn in view.judged.marked}.get(len(CARELESS)) is Mark.BLUNDER


async def test_overboard_and_potentials_are_analysed_with_fewer_nodes(app: App, engine: EngineInThread) -> None:
    game = await begun(app, UNTIMED, OVERBOARD)
    await play_on(app, game, "a2-b3")
    await app.games.resign(game, ANN.user)
    await app.analyses.ask(game, ANN.user)
    await work(app)
    assert engine.asked[0].nodes == ANALYSIS_LEVEL.slow_nodes < ANALYSIS_LEVEL.nodes
    assert (await app.analyses.ask(game, ANN.user)).judged


async def test_position_that_makes_the_game_void_is_not_searched(app: App, engine: EngineInThread) -> None:
    """R6.3: nobody has won, however the pieces stand there. The engine of this test likes each best turn."""
    engine.score = 850
    game = await begun(app, UNTIMED, BASIC)
    await play_on(app, game, *CIRCLE, *CIRCLE)
    assert (await app.games.game(game)).game.status is Status.OVER
    await app.analyses.ask(game, CARA.user)
    await work(app)
    assert [len(request.before) for request in engine.asked] == [*range(1, 2 * len(CIRCLE))]
    judged = (await app.analyses.ask(game, CARA.user)).judged
    assert judged
    assert judged.balance[-2:] == (-850, 0)
    assert (judged.turns[-1].mark, judged.turns[-1].score) == (Mark.BLUNDER, 0)


async def test_position_of_an_agreed_draw_is_searched(app: App, engine: EngineInThread) -> None:
    engine.score = 850
    game = await begun(app, UNTIMED, OVERBOARD)
    await play_on(app, game, "a2-b3", "b6-c6")
    offer = (await app.requests.make(DRAW, game, BOB.user)).request
    await app.requests.settle(offer.id, ANN.user, RequestState.ACCEPTED)
    await app.analyses.ask(game, CARA.user)
    await work(app)
    assert [len(request.before) for request in engine.asked] == [1, 2]
    judged = (await app.analyses.ask(game, CARA.user)).judged
    assert judged
    assert judged.balance == (0, -850, 850)


async def test_running_and_empty_games_are_refused(app: App) -> None:
    running = await begun(app, UNTIMED, BASIC)
    await play_on(app, running, "c2")
    await assert_refused(Why.ANALYSED_WHILE_RUNNING, app.analyses.ask(running, CARA.user))
    empty = await begun(app, UNTIMED, BASIC)
    await app.games.cancel_game(empty, ANN.user)
    await assert_refused(Why.NOTHING_TO_ANALYSE, app.analyses.ask(empty, ANN.user))
    await assert_refused(Why.NO_GAME, app.analyses.ask(99, ANN.user))
    assert await work(app) == []


IMAGE = start_symmetries(BASIC.setup)[1]


async def running(app: App, *turns: str) -> int:
    """Return a game of Ann and Bob that stands after these turns."""
    game = await begun(app, UNTIMED, BASIC)
    await play_on(app, game, *turns)
    return game


async def analysed(app: App, turns: Sequence[str] = CARELESS) -> int:
    """Return a finished game whose analysis is done."""
    game = await finished(app, turns)
    await app.analyses.ask(game, CARA.user)
    await work(app)
    return game


async def assert_hidden(app: App, game: int, standing: int) -> None:
    """Assert that an analysis tells Ann and Bob nothing, because of a running game of theirs; others see it."""
    for player in (ANN, BOB):
        for asked in (app.analyses.ask, app.analyses.view):
            assert await assert_refused(Why.ANALYSES_OWN_GAME, asked(game, player.user)) == {"game": standing}
    assert (await app.analyses.ask(game, CARA.user)).judged


async def test_position_in_a_running_game_of_the_asker_is_refused(app: App) -> None:
    """Also its images by symmetry, in either player's turn."""
    game = await analysed(app)
    standing = await running(app, *(turn_image(turn, IMAGE) for turn in CARELESS[:6]))
    await assert_hidden(app, game, standing)
    await play_on(app, standing, turn_image(CARELESS[6], IMAGE))
    await assert_hidden(app, game, standing)
    await app.games.resign(standing, BOB.user)
    assert (await app.analyses.ask(game, ANN.user)).judged


async def test_other_order_of_moves_is_refused_too(app: App) -> None:
    game = await analysed(app)
    await assert_hidden(app, game, await running(app, "c2", "h1-h3", "b1-b3", "c6", "i3-g3", "b6-b4"))


async def test_game_that_comes_one_turn_later_to_a_position_is_refused(app: App) -> None:
    """Its last position follows the running game by one turn; the game itself never stood there."""
    game = await analysed(app, ("c2", "h1-h3", "b1-b3", "c6", "e1-e3", "b6-b4", "i3-g3"))
    standing = await running(app, *CARELESS[:6])
    refused = await assert_refused(Why.ANALYSES_OWN_GAME, app.analyses.ask(game, ANN.user))
    assert refused == {"game": standing}


async def test_few_turns_and_games_that_have_moved_away_refuse_nothing(app: App) -> None:
    game = await analysed(app)
    standing = await running(app, *CARELESS[:5])
    assert (await app.analyses.ask(game, ANN.user)).judged
    await play_on(app, standing, CARELESS[5])
    await assert_hidden(app, game, standing)
    await play_on(app, standing, "e1-e3")
    assert (await app.analyses.ask(game, ANN.user)).judged


async def test_new_analysis_is_refused_before_it_is_begun(app: App) -> None:
    game, standing = await finished(app, CARELESS), await running(app, *CARELESS[:6])
    assert await assert_refused(Why.ANALYSES_OWN_GAME, app.analyses.ask(game, ANN.user)) == {"game": standing}
    assert await stored(app, game) is None


async def test_better_line_into_a_running_game_is_refused(app: App) -> None:
    """A position that the game never had, but that its better line leads to."""
    game = await analysed(app)
    known = await stored(app, game)
    assert known
    (best, *_) = known.found[7]
    standing = await running(app, *CARELESS[:7])
    await app.games.play_actions(standing, BOB.user, best.actions, sure=True)
    assert await app.analyses.view(game, ANN.user)
    marked = best._replace(score=best.score + 500)
    changed = (*known.found[:7], (marked,), *known.found[8:])
    async with app.analyses.store.transaction() as db:
        await analyses.save_found(db, known, StoredAnalysis(game, known.state, known.turns, changed))
    await assert_hidden(app, game, standing)


async def test_analysis_goes_on_where_it_was(app: App, store: Store, host: Host, engine: EngineInThread) -> None:
    """After a crash; each position is searched once."""
    game = await finished(app)
    await app.analyses.ask(game, ANN.user)
    for _ in range(2):
        assert await search_next(app.analysis_work) == ()
    halfway = await app.analyses.ask(game, ANN.user)
    assert len(halfway.analysis.found) == 3
    again = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)
    assert len(await work(again)) == 1
    assert [len(request.before) for request in engine.asked] == [1, 2, 3, 4]


async def test_two_processes_save_each_position_once(app: App, store: Store, host: Host) -> None:
    game = await finished(app)
    await app.analyses.ask(game, ANN.user)
    other = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=EngineInThread(nodes=100))
    owed = await asyncio.gather(work(app), work(other))
    assert len([*owed[0], *owed[1]]) == 1
    known = await stored(app, game)
    assert known
    assert known.is_complete
    assert len(known.found) == len(QUIET_TURNS) + 1


async def test_one_analysis_of_a_person_at_a_time(app: App) -> None:
    first, second = await finished(app), await finished(app, ("b4", "c2"))
    await app.analyses.ask(first, ANN.user)
    await search_next(app.analysis_work)
    refused = await assert_refused(Why.OTHER_ANALYSIS, app.analyses.ask(second, ANN.user))
    assert refused == {"game": first, "found": 1, "turns": 4}
    await app.analyses.ask(second, BOB.user)
    await app.analyses.ask(second, CARA.user)
    assert [row.channel for row in await work(app)] == [ANN.user, BOB.user, CARA.user]
    assert (await app.analyses.ask(second, ANN.user)).judged, "what is done is there for all"


async def test_unreadable_analysis_does_not_lock_out_who_waits_for_it(app: App) -> None:
    """It can never be done. It goes with all who wait for it, and is made anew when somebody asks again."""
    broken, second = await finished(app), await finished(app, ("b4", "c2"))
    for person in (ANN, BOB):
        await app.analyses.ask(broken, person.user)
    async with app.analyses.store.transaction() as db:
        await db.execute(text("UPDATE analyses SET found = '[[[1]]]'"))
    assert await work(app) == []
    assert (await app.analyses.ask(second, ANN.user)).analysis.game == second
    async with app.analyses.store.reading() as db:
        assert [await analyses.asked_game(db, person.user) for person in (ANN, BOB)] == [second, None]
        assert await analyses.awaited_games(db) == {second: ANN.user}
    assert [row.payload["game"] for row in await work(app)] == [second]
    await app.analyses.ask(broken, BOB.user)
    assert [row.payload for row in await work(app)] == [{"game": broken, "state": "done"}]


async def test_engine_that_fails_is_tried_again_and_then_given_up(app: App, engine: EngineInThread) -> None:
    game = await finished(app)
    await app.analyses.ask(game, ANN.user)
    engine.faults = ["no answer"] * 2
    assert await search_next(app.analysis_work) == ()
    engine.faults = ["no answer"] * 3
    (owed,) = await work(app)
    assert owed.payload == {"game": game, "state": "failed"}
    assert engine.faults == []
    begun = await app.analyses.ask(game, ANN.user)
    assert (begun.analysis.state, len(begun.analysis.found)) == (AnalysisState.RUNNING, 2)
    (owed,) = await work(app)
    assert owed.payload == {"game": game, "state": "done"}
    assert len({row.key for row in [owed]}) == 1


async def test_without_an_engine_nothing_is_begun(store: Store, host: Host) -> None:
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)
    await assert_refused(Why.NO_ENGINE, app.analyses.ask(await finished(app), ANN.user))
    assert await search_next(app.analysis_work) is None


async def test_analysis_goes_when_nobody_looks_at_it(app: App, host: Host) -> None:
    seen, unseen = await finished(app), await finished(app, ("b4", "c2"))
    for game in (seen, unseen):
        await app.analyses.ask(game, ANN.user)
        await work(app)
    host.now += ANALYSIS_LIFETIME - 10
    await app.analyses.ask(seen, CARA.user)
    host.now += 10
    await app.analyses.delete_expired()
    assert await stored(app, seen)
    assert await stored(app, unseen) is None


async def test_analysis_that_stopped_goes_with_time_unless_somebody_waits_for_it(app: App, host: Host) -> None:
    stopped, awaited = await finished(app), await finished(app, ("b4", "c2"))
    await app.analyses.ask(stopped, ANN.user)
    await delete_all(app, ANN.user)
    await app.analyses.ask(awaited, CARA.user)
    host.now += ANALYSIS_LIFETIME
    await app.analyses.delete_expired()
    assert await stored(app, stopped) is None
    assert await stored(app, awaited)


async def test_who_waits_is_in_their_export_and_forgotten_with_them(app: App) -> None:
    game = await finished(app)
    await app.analyses.ask(game, ANN.user)
    assert [one["game"] for one in export_data(await app.exports.collect(ANN.user))["analyses_awaited"]] == ["#a1"]
    await app.deletions.begin(ANN.user)
    await app.deletions.finish(ANN.user)
    assert "analyses_awaited" not in export_data(await app.exports.collect(ANN.user))
    assert await work(app) == []
    known = await stored(app, game)
    assert known
    assert (known.state, len(known.found)) == (AnalysisState.RUNNING, 1), "it stops, since nobody waits for it"
