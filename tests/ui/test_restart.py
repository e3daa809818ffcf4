"""After a restart every button works, and commands are synced only if they have changed."""

import pytest
from sqlalchemy import delete

from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.store import meta, tables

from .positions import GIPF_ROW
from .table import Desk, open_desk
from .world import World, buttons, private, sought, told


async def test_every_button_works_after_a_restart(world: World) -> None:
    """These are: challenge, board, desk, list of seeks, next game, resignation."""
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, rules="basic", colour="white")
    await world.restart()
    await world.bob.click(world.public()[-1], label="Accept")
    await world.begin("standard")
    await world.restart()
    desk = await open_desk(world, 1)
    await world.restart()
    await desk.press("c1")
    await world.restart()
    await desk.push("c2")
    await world.restart()
    desk = Desk(world.ann, await world.ann.click(desk.message, label="Next: #b1 vs Bob"))
    assert "**#b1**" in desk.text
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf resign", game="#b1"))
    await world.restart()
    await asked.press("Cancel it")
    assert "is cancelled" in asked.text
    await sought(world)
    listed = private(await world.cara.slash(world.channel, "gipf seeks"))
    await world.restart()
    await world.cara.click(listed, label="1 · Play against Ann")
    assert (await world.game(3)).turn_number == 0
    assert buttons(world.board(3)) == ["Move", "More…", "How to play"]


async def test_the_answer_to_a_removal_survives_a_restart(world: World) -> None:
    game_id = await world.prepared(GIPF_ROW)
    desk = await open_desk(world, game_id)
    await desk.press("1 Take d2")
    await world.restart()
    assert desk.answers == ["1 ✓ Take d2", "2 Take d6", "Done"]
    await desk.press("Done")
    await world.restart()
    answer = told(await world.ann.slash(world.channel, "move", notation="c2"))
    assert await world.confirmed(answer) == "xGd2,d3,d4,d5;c2"


def told_commands(world: World) -> int:
    return sum(call.method == "PUT" and call.path.endswith("/commands") for call in world.env.http_requests)


@pytest.mark.full_start
async def test_commands_are_synced_again_only_when_they_have_changed(world: World) -> None:
    assert told_commands(world) == 1
    await world.restart()
    await world.env.advance_time(30)
    assert told_commands(world) == 1
    async with world.store.transaction() as db:
        await meta.save_value(db, "commands", "those of an older version")
    await world.restart()
    await world.env.advance_time(30)
    assert told_commands(world) == 2


@pytest.mark.full_start
async def test_commands_are_synced_again_if_their_ids_are_not_known(world: World) -> None:
    """An older version did not keep them."""
    async with world.store.transaction() as db:
        await db.execute(delete(tables.meta).where(tables.meta.c.key == "command_ids"))
    await world.restart()
    await world.env.advance_time(30)
    assert told_commands(world) == 2
    assert "gipf games" in world.bot.command_ids


async def test_long_sweep_is_no_downtime(world: World) -> None:
    """Meanwhile the pulse notes that the bot is alive."""
    world.bot.sweep.cancel()
    noted = list[int]()
    for _ in range(2):
        await world.env.advance_time(60)
        async with world.store.reading() as db:
            noted.append(int(await meta.load_value(db, LAST_ALIVE_KEY) or 0))
    assert noted[1] - noted[0] == 60
