"""Rematches: asked for, accepted, refused, and requests that cross."""

import pytest

from gipfbot.match import Status
from tests.ui.world import World, buttons, private, told


@pytest.fixture
async def over(world: World) -> int:
    """Return a game that Ann, White, has resigned."""
    game_id = await world.begin("basic")
    for person, turn in ((world.ann, "c2"), (world.bob, "b3")):
        await person.slash(world.channel, "move", notation=turn)
    done = await world.bot.app.games.resign(game_id, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    return game_id


async def test_rematch_swaps_colours_and_keeps_rules(world: World, over: int) -> None:
    """The button asks, the opponent is pinged, and their Accept begins the game."""
    assert buttons(world.public()[-1]) == ["Rematch", "Replay", "Analyse", "Record", "Explorer"]
    answer = private(await world.bob.click(world.public()[-1], label="Rematch"))
    assert "Ann has been [asked]" in answer.content
    asked = world.public()[-1]
    assert "bob asks for a rematch of #a1" in asked.content.lower()
    assert "Bob plays White" in asked.content
    assert world.pings(asked) == {world.ann.id}
    await world.ann.click(asked, label="Accept")
    game = await world.game(over + 1)
    assert [seat.user for seat in game.seats] == [world.bob.id, world.ann.id]
    assert game.ruleset.name == "basic"


async def test_two_requests_that_cross_begin_one_game(world: World, over: int) -> None:
    board = world.public()[-1]
    await world.bob.click(board, label="Rematch")
    assert "#b1 begins" in told(await world.ann.click(board, label="Rematch"))
    assert "was accepted" in world.public()[-2].content
    assert "already begun: #b1" in told(await world.bob.click(board, label="Rematch"))
    assert len(await world.bot.app.games.running_games(world.ann.id)) == 1


async def test_rematch_is_asked_once_until_answered(world: World, over: int) -> None:
    board = world.public()[-1]
    await world.bob.click(board, label="Rematch")
    asked = world.public()[-1]
    assert "already asked Ann" in told(await world.bob.slash(world.channel, "move", notation="rematch", game="#a1"))
    assert world.public()[-1] == asked
    await world.ann.click(asked, label="Decline")
    await world.bob.click(board, label="Rematch")
    assert "asks for a rematch" in world.public()[-1].content


async def test_strangers_and_running_games_get_no_rematch(world: World, over: int) -> None:
    assert "do not play in this game" in told(await world.cara.click(world.public()[-1], label="Rematch"))
    game_id = await world.begin("basic")
    assert "not over yet" in told(await world.ann.slash(world.channel, "move", notation="rematch", game="#b1"))
    assert "isn't a game" in told(await world.ann.slash(world.channel, "move", notation="rematch", game="7"))
    assert (await world.game(game_id)).status is Status.RUNNING
