"""Engines that players choose, and the bot's own search that goes on for one that fails."""

import pytest

from gipfbot.engines.worker import OWN, SEAT
from gipfbot.match import House, Terms, decide_plainly, position_code
from gipfbot.rules import Reason
from gipfbot.search.tree import WIN
from gipfbot.service.app import App, create_app
from gipfbot.service.house.house_player import MOST_FAILURES, REST_SECONDS
from gipfbot.service.house.turn_reasons import Basis
from gipfbot.service.privacy.plain_words import terms_in_words
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host, boards, let_house_act, posted
from tests.service.house.engine_games import begin, entered
from tests.support.engines import EngineInThread
from tests.support.people import ANN

MANY = 10**6


@pytest.fixture
def own() -> EngineInThread:
    return EngineInThread()


@pytest.fixture
def gf1() -> EngineInThread:
    return EngineInThread()


@pytest.fixture
def usual() -> EngineInThread:
    """Return the engine that the host has seated for the bot itself."""
    return EngineInThread()


@pytest.fixture
def app(store: Store, host: Host, own: EngineInThread, gf1: EngineInThread, usual: EngineInThread) -> App:
    seated = {OWN: own, SEAT: usual, "gf1": gf1}
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=usual, seated=seated)


async def test_each_game_asks_its_own_engine(
    app: App, own: EngineInThread, gf1: EngineInThread, usual: EngineInThread
) -> None:
    assert app.house.choosable_engines == ("gf1",)
    for engine in ("gf1", ""):
        await let_house_act(app, (await begin(app, engine)).id)
    assert [len(each.asked) for each in (own, gf1, usual)] == [0, 1, 1]


async def test_own_search_goes_on_at_the_same_level_and_says_so_once(
    app: App, own: EngineInThread, gf1: EngineInThread, caplog: pytest.LogCaptureFixture
) -> None:
    gf1.faults = ["It ended."] * MANY
    begun = await begin(app, "gf1")
    game = await let_house_act(app, begun.id)
    reasons = await app.reasons.of_turn(game.id, 1, position_code(game.position), ANN.user)
    assert reasons
    assert reasons.basis is Basis.SEARCHED
    await posted(app.games.store)
    await app.games.play_typed(game.id, ANN.user, "a2-c2")
    await let_house_act(app, game.id)
    assert await entered(app, game.id) == ["stand-in", "typed", "house"]
    assert len(gf1.asked) == 3
    assert {request.nodes for request in own.asked} == {1000}
    assert [board.stands_in_for for board in await boards(app)] == [None, "gf1", None, None]
    told = [record.getMessage() for record in caplog.records if getattr(record, "tell_owner", None) == "engine"]
    assert told == ["The engine gf1 failed 3 times, so the bot's own search goes on in game #a1."]


async def test_own_search_goes_on_for_the_hosts_engine_in_silence(
    app: App, own: EngineInThread, usual: EngineInThread
) -> None:
    usual.faults = ["It ended."] * MANY
    game = await let_house_act(app, (await begin(app, "")).id)
    assert await entered(app, game.id) == ["stand-in"]
    assert [board.stands_in_for for board in await boards(app)] == [None, None]
    assert len(own.asked) == 1


async def test_engine_is_asked_again_after_a_takeback(app: App, gf1: EngineInThread) -> None:
    begun = await begin(app, "gf1")
    await let_house_act(app, begun.id)
    await app.games.play_typed(begun.id, ANN.user, "a2-c2")
    gf1.faults = ["It ended."] * 3
    await let_house_act(app, begun.id)
    await app.requests.make(TAKEBACK, begun.id, ANN.user)
    await app.games.play_typed(begun.id, ANN.user, "a2-c2")
    await let_house_act(app, begun.id)
    assert await entered(app, begun.id) == ["house", "typed", "house"]


async def test_engine_that_has_failed_rests_in_other_games(
    app: App, host: Host, own: EngineInThread, gf1: EngineInThread
) -> None:
    """Each try may last two minutes, and all games against the bot would wait."""
    gf1.faults = ["It did not answer."] * MANY
    for _ in range(2):
        await let_house_act(app, (await begin(app, "gf1")).id)
    assert len(gf1.asked) == MOST_FAILURES
    await app.games.play_typed(1, ANN.user, "a2-c2")
    assert await entered(app, (await let_house_act(app, 1)).id) == ["stand-in", "typed", "house"]
    gf1.faults = []
    host.passes(REST_SECONDS)
    third = await let_house_act(app, (await begin(app, "gf1")).id)
    assert await entered(app, third.id) == ["house"]
    assert len(own.asked) == 3


@pytest.mark.parametrize(
    ("proven_from", "asked_after", "resigns"),
    [(0, [2, 0], True), (3, [2, 4, 2], False), (MANY, [2, 4], False)],
)
async def test_score_of_a_seated_engine_is_no_proof_of_a_loss(
    app: App, own: EngineInThread, gf1: EngineInThread, proven_from: int, asked_after: list[int], resigns: bool
) -> None:
    """The own search has to find the loss, too: now and, if it does, at the turn before."""
    gf1.score = own.score = 2 - WIN
    own.from_turn = proven_from
    game = await let_house_act(app, (await begin(app, "gf1")).id)
    while game.turn_number < 5 and game.position.result is None:
        await app.games.play_actions(game.id, ANN.user, decide_plainly(game.position))
        game = await let_house_act(app, game.id)
    over = game.position.result
    assert [len(request.before) for request in own.asked] == asked_after
    assert (over is not None and over.by is Reason.RESIGN) is resigns


async def test_rules_alone_play_if_the_own_search_fails_too(
    app: App, own: EngineInThread, gf1: EngineInThread, caplog: pytest.LogCaptureFixture
) -> None:
    own.faults, gf1.faults = ["It ended."] * 3, ["It ended."] * 3
    game = await let_house_act(app, (await begin(app, "gf1")).id)
    assert await entered(app, game.id) == ["fallback"]
    told = [record for record in caplog.records if getattr(record, "tell_owner", None) == "engine"]
    assert len(told) == 2


def test_terms_of_before_know_no_engine() -> None:
    assert Terms.from_data({"house": {"level": 2, "user": 7}}).house == House(2, 7)


def test_export_names_the_engine() -> None:
    for engine, named in (("", {}), ("gf1", {"engine": "gf1"})):
        words = terms_in_words(Terms(house=House(2, 7, engine)).data())
        assert isinstance(words, dict)
        assert words["the_bot_plays"] == {"level": 2, **named}
