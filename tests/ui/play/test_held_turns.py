"""A turn of the bot that would help its opponent elsewhere: what they read, and that one sweep goes on with it."""

import pytest

from gipfbot.match import position_after
from gipfbot.notation import parse_turn
from gipfbot.rules import STANDARD, start
from tests.support.games import OPENING, PLAYED
from tests.ui.studying import playing
from tests.ui.table import challenge_bot, thought
from tests.ui.world import World, put, told

pytestmark = pytest.mark.looks_every(60)
WAITS = (
    "The bot doesn't answer in **#b1** yet: this position is on the board in your own game **#a1**, or could be there "
    "after one turn. It goes on by itself as soon as #a1 has moved on."
)


async def held(world: World) -> int:
    """Return a game against the bot in which Ann, Black, has copied what Bob has just played against her."""
    await playing(world, *PLAYED)
    against_bot, position = await challenge_bot(world, colour="black"), start(STANDARD)
    for text in PLAYED[:-1]:
        position = position_after(position, parse_turn(position, text))
    async with world.store.transaction() as db:
        await put(db, await world.game(against_bot), position)
    await world.ann.slash(world.channel, "move", notation=PLAYED[-1], game="#b1")
    return against_bot


async def sweep(world: World) -> None:
    """Let the bot sweep once, and think to the end about what that finds due."""
    await world.bot.sweep.coro(world.bot)
    await thought(world)


async def test_opponent_alone_is_told_and_the_bot_goes_on_in_one_sweep(world: World) -> None:
    against_bot = await held(world)
    (dm,) = world.ann.user.dm_channel.history()
    assert dm.content == WAITS
    assert "**#a1**" in told(await world.ann.user.click(dm, label="Show #a1"))
    board = world.public()[-1]
    assert "is thinking" in board.content
    assert not any("#a1" in message.content for message in world.public() if "#b1" in message.content)
    turns = (await world.game(against_bot)).turn_number
    await sweep(world)
    assert (await world.game(against_bot)).turn_number == turns
    await world.ann.slash(world.channel, "move", notation=OPENING[6], game="#a1")
    await sweep(world)
    assert (await world.game(against_bot)).turn_number == turns + 1
    assert len(world.ann.user.dm_channel.history()) == 1


async def test_bot_goes_on_without_a_sweep(world: World) -> None:
    against_bot = await held(world)
    turns = (await world.game(against_bot)).turn_number
    await world.ann.slash(world.channel, "move", notation=OPENING[6], game="#a1")
    await thought(world)
    assert (await world.game(against_bot)).turn_number == turns + 1


async def test_private_board_says_what_the_bot_waits_for(world: World) -> None:
    await held(world)
    assert WAITS in told(await world.ann.slash(world.channel, "gipf board", game="#b1"))
    assert WAITS not in told(await world.bob.slash(world.channel, "gipf board", game="#b1"))
    assert WAITS not in told(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    await world.ann.slash(world.channel, "move", notation=OPENING[6], game="#a1")
    await sweep(world)
    assert WAITS not in told(await world.ann.slash(world.channel, "gipf board", game="#b1"))
