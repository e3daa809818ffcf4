"""An unreadable game, as its players meet it."""

import pytest
from sqlalchemy import text

from .world import World, private, told

pytestmark = pytest.mark.simcord(settle_timeout=60)
ANSWER = "#a1 can't be read any more. Tell the people who host the bot. Your other games go on."


async def test_an_unreadable_game_is_listed_and_explained(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """The other game is listed, offered and played. The log names the unreadable one once."""
    for _ in range(2):
        await world.begin()
    async with world.store.transaction() as db:
        await db.execute(text("UPDATE games SET position = 'mush' WHERE id = 1"))
    listed = private(await world.ann.slash(world.channel, "gipf games")).content
    assert listed.splitlines()[1] == f"⚠ **#a1**{ANSWER.removeprefix('#a1')}"
    assert "**Waiting for you** · 1" in listed
    assert "[#b1](" in listed
    for command in ("gipf board", "gipf resign", "gipf record", "move"):
        assert told(await world.ann.slash(world.channel, command, game="#a1")) == ANSWER, command
    for typed in ("undo", "note", "claim", "rematch"):
        assert told(await world.ann.slash(world.channel, "move", game="#a1", notation=typed)) == ANSWER, typed
    pressed = await world.ann.click(world.board(1), label="Move")
    assert told(pressed) == ANSWER
    assert await world.confirmed(told(await world.ann.slash(world.channel, "move", notation="c2"))) == "c2"
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert errors == ["game 1 cannot be read and is left as it is"]
    caplog.clear()
