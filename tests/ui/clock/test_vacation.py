"""Vacations as people see them."""

import pytest

from tests.support.times import DAY, HOUR
from tests.ui.table import open_desk
from tests.ui.timed_games import limited
from tests.ui.world import World, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(4)]


async def test_vacation_is_announced_and_ends_by_itself(world: World) -> None:
    """Nobody is pinged, and nobody is flagged."""
    game_id = await limited(world)
    answer = told(await world.ann.slash(world.channel, "gipf-me vacation start", days=4))
    assert "You're on vacation until" in answer
    assert "26 of 30 vacation days left this year." in answer
    note = world.public()[-1]
    assert note.content.startswith("Ann is on vacation until <t:")
    assert note.content.endswith(": #a1 vs Bob.")
    assert world.pings(note) == set()
    assert "\non vacation, back <t:" in told(await world.bob.slash(world.channel, "gipf games"))
    assert "You're on vacation" in told(await world.ann.slash(world.channel, "gipf games"))
    assert "clock paused, 3 days left" in (await open_desk(world, game_id)).text
    await world.env.advance_time(4 * DAY - HOUR)
    assert world.public()[-1] == note
    await world.env.advance_time(8 * HOUR)
    back = world.public()[-1]
    clock = (await world.game(game_id)).clock
    assert clock
    runs = f"Ann is back from vacation. The clock is running again: #a1 vs Bob until <t:{clock.deadline}:R>."
    assert back.content == runs
    assert world.pings(back) == set()
    assert f" · due <t:{clock.deadline}:R>." in told(await world.ann.slash(world.channel, "gipf board"))
    assert "not on vacation" in told(await world.ann.slash(world.channel, "gipf-me vacation status"))


async def test_board_says_that_the_clock_is_paused(world: World) -> None:
    game_id = await limited(world)
    await world.bob.slash(world.channel, "gipf-me vacation start", days=4)
    await world.ann.slash(world.channel, "move", notation="c2")
    assert "Bob is on vacation until <t:" in world.board(game_id).content
    assert "clock paused with 3 days left" in world.board(game_id).content
    assert "Welcome back" in told(await world.bob.slash(world.channel, "gipf-me vacation end"))
    assert "Bob is back" in world.public()[-1].content


async def test_private_board_tells_both_how_long_a_vacation_lasts(world: World) -> None:
    """Also without a time limit. A game that waits for the opponent says nothing of it."""
    await limited(world)
    await world.begin("basic")
    for game in ("#a1", "#b1"):
        await world.ann.slash(world.channel, "move", notation="c2", game=game)
    await world.bob.slash(world.channel, "gipf-me vacation start", days=4)
    for person, who_is, whom in ((world.ann, "Bob is", "Bob"), (world.bob, "You are", "you")):
        for game, left in (("#a1", " (clock paused with 3 days left for this turn)."), ("#b1", ".")):
            title, away, *_ = told(await person.slash(world.channel, "gipf board", game=game)).splitlines()
            assert title.endswith(f"waiting for {whom}.")
            assert away.startswith(f"{who_is} on vacation until <t:")
            assert away.endswith(f":D>{left}")
    await world.bob.slash(world.channel, "move", notation="g2", game="#b1")
    assert "vacation" not in told(await world.ann.slash(world.channel, "gipf board", game="#b1"))


async def test_impossible_vacations_are_refused_in_a_sentence(world: World) -> None:
    assert "not on vacation" in told(await world.ann.slash(world.channel, "gipf-me vacation end"))
    await world.ann.slash(world.channel, "gipf-me vacation start", days=30)
    assert "already on vacation" in told(await world.ann.slash(world.channel, "gipf-me vacation start", days=1))
    await world.env.advance_time(HOUR)
    await world.ann.slash(world.channel, "gipf-me vacation end")
    await world.ann.slash(world.channel, "gipf-me vacation start", days=1)
    await world.env.advance_time(HOUR)
    await world.ann.slash(world.channel, "gipf-me vacation end")
    answer = told(await world.ann.slash(world.channel, "gipf-me vacation start", days=29))
    assert "28 days of vacation left this year" in answer
    assert world.public() == []
