"""One club's simulated year is recorded and played again in SimCord: the messages are the same.

`make year` does it with a hundred games.
"""

from pathlib import Path

import pytest

from tests.year.again import both, by_game
from tests.year.course import Plan
from tests.year.living import live

from .world import World

pytestmark = pytest.mark.slow

FEW = Plan(games=10, players=10, clubs=2, days=60, seed=7, club=0)


@pytest.mark.simcord(settle_timeout=60)
@pytest.mark.usefixtures("untraced")
async def test_the_messages_of_each_game_are_those_that_were_recorded(world: World, tmp_path: Path) -> None:
    year = await live(FEW, tmp_path)
    await world.bot.close()
    club, now, then = await both(year, world.env, world.store, world.guild, world.channel)
    world.bot = club.bot
    assert by_game(now) == by_game(then)
    assert len(club.games) >= 3
    assert len(now) > 30
