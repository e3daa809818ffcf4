"""An engine that only one of several processes has seated."""

from collections.abc import AsyncIterator, Mapping

import pytest

from gipfbot.engines.worker import OWN
from gipfbot.service.app import App, create_app
from gipfbot.service.house.house_player import OTHERS_SECONDS
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host, let_house_act
from tests.service.house.engine_games import begin, entered
from tests.support.engines import EngineInThread
from tests.support.halves import HALF, REST
from tests.support.people import ANN


@pytest.fixture
async def pair(postgres_url: str, host: Host) -> AsyncIterator[tuple[App, App]]:
    """Return two processes, of which the first has the engine gf1."""
    stores = [await Store.open_database(postgres_url, shards=shards) for shards in (HALF, REST)]

    def new_app(store: Store, seated: Mapping[str, EngineInThread]) -> App:
        own = EngineInThread()
        return create_app(
            store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=own, seated={OWN: own, **seated}
        )

    yield new_app(stores[0], {"gf1": EngineInThread()}), new_app(stores[1], {})
    for store in stores:
        await store.close()


async def test_a_process_without_the_engine_leaves_the_turn_to_one_that_has_it(pair: tuple[App, App]) -> None:
    having, lacking = pair
    game = (await begin(lacking, "gf1")).id
    await let_house_act(lacking, game)
    await let_house_act(having, game)
    await lacking.games.play_typed(game, ANN.user, "a2-c2")
    await let_house_act(lacking, game)
    await let_house_act(having, game)
    assert await entered(having, game) == ["house", "typed", "house"]


async def test_own_search_goes_on_without_delay_once_nobody_had_the_engine(
    pair: tuple[App, App], host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    _, lacking = pair
    game = (await begin(lacking, "gf1")).id
    host.passes(OTHERS_SECONDS - 1)
    await let_house_act(lacking, game)
    assert await entered(lacking, game) == []
    host.passes(1)
    await let_house_act(lacking, game)
    await lacking.games.play_typed(game, ANN.user, "a2-c2")
    await let_house_act(lacking, game)
    assert await entered(lacking, game) == ["stand-in", "typed", "house"]
    told = [record.getMessage() for record in caplog.records if getattr(record, "tell_owner", None) == "engine"]
    assert told == ["The engine gf1 is not seated, so the bot's own search goes on in game #a1."]


async def test_other_games_do_not_wait_for_one_that_is_left_to_others(pair: tuple[App, App]) -> None:
    _, lacking = pair
    left, played = [(await begin(lacking, engine)).id for engine in ("gf1", "")]
    await let_house_act(lacking, played)
    assert (await entered(lacking, left), await entered(lacking, played)) == ([], ["house"])
