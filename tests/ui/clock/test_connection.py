"""While the bot has no connection, no clock runs; the channels are told afterwards."""

import pytest

from tests.support.times import DAY, HOUR
from tests.ui.timed_games import limited
from tests.ui.world import World

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(4)]


async def test_lost_connection_costs_no_time_and_is_told(world: World) -> None:
    game_id = await limited(world)
    await world.env.advance_time(12 * HOUR)
    before = (await world.game(game_id)).clock
    assert before
    await world.bot.on_disconnect()
    await world.env.advance_time(4 * DAY)
    assert (await world.game(game_id)).clock == before
    await world.bot.on_resumed()
    await world.env.advance_time(8 * HOUR)
    clock = (await world.game(game_id)).clock
    assert clock
    assert clock.deadline
    assert before.deadline
    assert not clock.flagged
    assert 4 * DAY <= clock.deadline - before.deadline <= 4 * DAY + 8 * HOUR
    assert world.public()[-1].content.startswith("The bot was offline for 4 days")
