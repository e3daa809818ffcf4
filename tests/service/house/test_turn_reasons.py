"""What the house player keeps of its turns, and how it explains them, on a real database."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from gipfbot.match import UNTIMED, Game, House, Refused, Seat, Side, Why, position_code
from gipfbot.rules import STANDARD, Ruleset, ruleset_named
from gipfbot.rules.turn_facts import facts_of_turn
from gipfbot.service.app import App, create_app
from gipfbot.service.house.turn_reasons import Basis, TurnReasons
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, games, tables
from gipfbot.values import NO_LIMITS, StoredTurn
from tests.service.helpers import Host, let_house_act
from tests.support.engines import EngineInThread
from tests.support.people import ANN, HOME

DEEPER = 1_500  # nodes, with which the engine looks beyond its own turn
HOUSE_SEAT = Seat(10**18 + 98, "GIPF Bot")


@pytest.fixture
def engine() -> EngineInThread:
    return EngineInThread()


@pytest.fixture
def app(store: Store, host: Host, engine: EngineInThread) -> App:
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)


async def begin(app: App, side: Side = Side.WHITE, ruleset: Ruleset = STANDARD) -> Game:
    """Return a new game of Ann against the bot."""
    terms = replace(UNTIMED, house=House(5, HOUSE_SEAT.user))
    return (await app.lobby.challenge_house(ANN, HOUSE_SEAT, ruleset, side, HOME, terms)).game


async def kept(app: App, game_id: int) -> list[StoredTurn]:
    async with app.games.store.reading() as db:
        return await games.turns_of(db, game_id)


async def why(app: App, game: Game) -> TurnReasons | None:
    """Return the reasons for the last turn of a game."""
    assert game.last
    return await app.reasons.of_turn(game.id, game.last.turn_number, position_code(game.last.after), ANN.user)


@pytest.mark.parametrize("rules", ["standard", "basic", "tournament", "standard+Z3P3", "overboard"])
async def test_turn_keeps_what_its_engine_expected(app: App, rules: str) -> None:
    begun = await begin(app, Side.BLACK, ruleset_named(rules))
    game = await let_house_act(app, begun.id)
    (turn,) = await kept(app, begun.id)
    assert turn.expected is not None
    reasons = await why(app, game)
    assert reasons
    assert game.last
    assert reasons.basis is Basis.SEARCHED
    assert (reasons.turn.before, reasons.turn.after) == (game.last.before, game.last.after)
    assert {*reasons.facts} <= {*facts_of_turn(game.last.before, game.last.actions)}


async def test_expected_line_goes_on_from_the_turn(app: App, engine: EngineInThread) -> None:
    engine.nodes = DEEPER
    begun = await begin(app)
    await app.games.play_typed(begun.id, ANN.user, "a2-c2")
    await let_house_act(app, begun.id)
    typed, turn = await kept(app, begun.id)
    assert typed.expected is None
    assert turn.expected
    assert (await app.games.play_actions(begun.id, ANN.user, turn.expected[0])).game.turn_number == 3


async def test_turn_that_was_taken_back_is_not_explained(app: App) -> None:
    begun = await begin(app)
    await app.games.play_typed(begun.id, ANN.user, "a2-c2")
    old = await let_house_act(app, begun.id)
    assert await why(app, old)
    await app.requests.make(TAKEBACK, begun.id, ANN.user)
    assert await kept(app, begun.id) == []
    assert await why(app, old) is None
    await app.games.play_typed(begun.id, ANN.user, "b1-b3")
    new = await let_house_act(app, begun.id)
    assert new.last
    assert old.last
    assert new.last.turn_number == old.last.turn_number
    assert await why(app, old) is None, "another turn has its number now"
    assert await why(app, new)


async def test_turn_by_the_rules_alone_says_so(app: App, engine: EngineInThread) -> None:
    engine.faults = ["It ended."] * 3
    begun = await begin(app, Side.BLACK)
    reasons = await why(app, await let_house_act(app, begun.id))
    assert reasons
    assert (reasons.basis, reasons.facts) == (Basis.FALLBACK, ())


async def test_turn_of_an_older_version_says_that_nothing_was_kept(app: App) -> None:
    begun = await begin(app, Side.BLACK)
    game = await let_house_act(app, begun.id)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.turns).values(expected=None))
    reasons = await why(app, game)
    assert reasons
    assert (reasons.basis, reasons.facts) == (Basis.NOT_KEPT, ())


async def test_only_turns_of_the_house_player_are_explained(app: App) -> None:
    begun = await begin(app)
    played = (await app.games.play_typed(begun.id, ANN.user, "a2-c2")).game
    assert await why(app, played) is None
    game = await let_house_act(app, begun.id)
    assert game.last
    code = position_code(game.last.after)
    for number in (0, 1, 3, 10**18):
        assert await app.reasons.of_turn(begun.id, number, code, ANN.user) is None
    with pytest.raises(Refused) as refused:
        await app.reasons.of_turn(begun.id + 1, 2, code, ANN.user)
    assert refused.value.why is Why.NO_GAME


async def test_broken_line_counts_as_far_as_it_is_legal(app: App, engine: EngineInThread) -> None:
    engine.nodes = DEEPER
    begun = await begin(app, Side.BLACK)
    game = await let_house_act(app, begun.id)
    (turn,) = await kept(app, begun.id)
    assert turn.expected
    broken = (turn.expected[0], turn.expected[0], turn.expected[0])
    async with app.games.store.transaction() as db:
        await games.note_expected(db, begun.id, 1, broken)
    assert (await kept(app, begun.id))[0].expected == broken
    assert await why(app, game)
