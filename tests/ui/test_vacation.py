"""Vacations as people see them."""

import pytest

from .table import open_desk
from .test_days import limited
from .world import World, told

HOUR, DAY = 3600, 24 * 3600
pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(4)]


async def test_it_is_announced_seen_by_the_opponent_and_ends_by_itself(world: World) -> None:
    """Nobody is pinged, and no flag falls."""
    id = await limited(world)
    answer = told(await world.ann.slash(world.channel, "gipf-me vacation start", days=4))
    assert "You are on vacation until" in answer
    assert "26 days of vacation left this year" in answer
    note = world.public()[-1]
    assert note.content.startswith("Ann is on vacation until <t:")
    assert note.content.endswith(": #a1 vs Bob.")
    assert world.pings(note) == set()
    assert "**#a1** vs Ann · on vacation until" in told(await world.bob.slash(world.channel, "gipf games"))
    assert "You are on vacation" in told(await world.ann.slash(world.channel, "gipf games"))
    assert "the clock stands still, 3 days left" in (await open_desk(world, id)).text
    await world.env.advance_time(4 * DAY - HOUR)
    assert world.public()[-1] == note
    await world.env.advance_time(8 * HOUR)
    back = world.public()[-1]
    clock = (await world.game(id)).clock
    assert clock
    runs = f"Ann is back from vacation, and the clock runs again: #a1 vs Bob until <t:{clock.deadline}:R>."
    assert back.content == runs
    assert world.pings(back) == set()
    assert "until <t:" in told(await world.ann.slash(world.channel, "gipf board"))
    assert "not on vacation" in told(await world.ann.slash(world.channel, "gipf-me vacation status"))


async def test_the_board_of_a_turn_that_comes_up_says_that_the_clock_stands(world: World) -> None:
    id = await limited(world)
    await world.bob.slash(world.channel, "gipf-me vacation start", days=4)
    await world.ann.slash(world.channel, "move", notation="c2")
    assert "Bob is on vacation until <t:" in world.board(id).content
    assert "the clock stands still, 3 days left" in world.board(id).content
    assert "Welcome back" in told(await world.bob.slash(world.channel, "gipf-me vacation end"))
    assert "Bob is back" in world.public()[-1].content


async def test_what_cannot_be_is_refused_in_a_sentence(world: World) -> None:
    assert "not on vacation" in told(await world.ann.slash(world.channel, "gipf-me vacation end"))
    await world.ann.slash(world.channel, "gipf-me vacation start", days=30)
    assert "on vacation already" in told(await world.ann.slash(world.channel, "gipf-me vacation start", days=1))
    await world.ann.slash(world.channel, "gipf-me vacation end")
    await world.ann.slash(world.channel, "gipf-me vacation start", days=1)
    await world.ann.slash(world.channel, "gipf-me vacation end")
    answer = told(await world.ann.slash(world.channel, "gipf-me vacation start", days=29))
    assert "28 days of vacation left this year" in answer
    assert world.public() == []
