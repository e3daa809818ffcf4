"""The house player answers draw offers, whatever happens meanwhile."""

from gipfbot.engines.worker import OWN, SEAT
from gipfbot.match import RequestState, Side, Status
from gipfbot.notation import parse_position
from gipfbot.rules import OVERBOARD, Reason
from gipfbot.service.app import App, create_app
from gipfbot.service.house.house_player import AGAIN_SECONDS
from gipfbot.service.requests.game_requests import DRAW
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.rules.boards_of_overboard import OUT_OF_TURN
from tests.service.helpers import Host, play_codes, posted
from tests.service.house.helpers import act, begin, game, placed, planned
from tests.support.engines import EngineInThread
from tests.support.people import ANN

RICH = "overboard w W=Gb5,Gh5,Ge2,d4 B=Ge8 reserve=17-18 captured=0-0"


async def test_even_game_is_no_draw(app: App) -> None:
    begun = await begin(app, ruleset=OVERBOARD)
    await posted(app.games.store)
    await app.requests.make(DRAW, begun.game.id, ANN.user)
    (done,) = await act(app)
    assert done.draw
    assert done.draw.request.state is RequestState.DECLINED
    assert (await game(app, begun.game.id)).game.status is Status.RUNNING


async def test_offer_made_before_the_house_thinks_is_answered_before_the_turn(app: App) -> None:
    begun = await begin(app, Side.BLACK, ruleset=OVERBOARD)
    await app.requests.make(DRAW, begun.game.id, ANN.user)
    declined, played = await act(app)
    assert declined.draw
    assert played.draw is None
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def test_offer_made_while_the_house_thinks_is_answered_before_the_turn(
    app: App, host: Host, engine: EngineInThread
) -> None:
    begun = await begin(app, Side.BLACK, ruleset=OVERBOARD)
    original = engine.ask

    async def ask(request, wish):  # type: ignore[no-untyped-def]
        if len(engine.asked) == 0:
            await app.requests.make(DRAW, begun.game.id, ANN.user)
        return await original(request, wish)

    engine.ask = ask  # type: ignore[method-assign]
    declined, played = await act(app)
    assert declined.draw
    assert declined.draw.request.state is RequestState.DECLINED
    assert played.draw is None
    assert (await game(app, begun.game.id)).game.turn_number == 1
    assert await planned(app) == []


async def test_own_search_judges_a_draw_if_the_engine_fails(store: Store, host: Host, engine: EngineInThread) -> None:
    failing = EngineInThread(faults=["it says nothing"])
    seated = {OWN: engine, SEAT: failing}
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=failing, seated=seated)
    game_id = await placed(app, parse_position(RICH))
    await app.requests.make(DRAW, game_id, ANN.user)
    (done,) = await act(app)
    assert not failing.faults
    assert done.draw
    assert done.draw.request.state is RequestState.ACCEPTED


async def test_house_that_stands_worse_agrees_to_a_draw(app: App) -> None:
    game_id = await placed(app, parse_position(RICH))
    await app.requests.make(DRAW, game_id, ANN.user)
    (done,) = await act(app)
    assert done.draw
    assert done.draw.request.state is RequestState.ACCEPTED
    result = (await game(app, game_id)).game.position.result
    assert result
    assert result.by is Reason.AGREEMENT


async def test_offer_withdrawn_while_the_house_thinks_does_not_stop_the_game(
    app: App, host: Host, engine: EngineInThread
) -> None:
    begun = await begin(app, Side.BLACK, ruleset=OVERBOARD)
    offer = (await app.requests.make(DRAW, begun.game.id, ANN.user)).request
    original = engine.ask

    async def ask(request, wish):  # type: ignore[no-untyped-def]
        if (await app.requests.current(offer.id)).request.state is RequestState.OPEN:
            await app.requests.settle(offer.id, ANN.user, RequestState.WITHDRAWN)
        return await original(request, wish)

    engine.ask = ask  # type: ignore[method-assign]
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 0
    host.passes(AGAIN_SECONDS)
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1
    assert await planned(app) == []


async def test_offer_is_answered_within_the_turn_of_its_player(app: App) -> None:
    """Ann goes on with her turn before the bot looks, and leaves it unfinished."""
    game_id = await placed(app, OUT_OF_TURN, side=Side.BLACK)
    await app.requests.make(DRAW, game_id, ANN.user)
    await play_codes(app, game_id, ANN.user, "a4b4")
    assert (await game(app, game_id)).game.draft
    assert any(done.draw for done in await act(app))
    assert await planned(app) == []
