"""Messages that Discord does not take, as when a server's AutoMod blocks a name: nobody is told that they will come."""

import pytest

from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.requests import request_texts
from gipfbot.ui.showing import show_here
from tests.support.times import DAY
from tests.ui.showing.shown import show
from tests.ui.world import FOR_EVER, World, labels, private, told

pytestmark = pytest.mark.looks_every(60)
AUTOMOD = 200000


def block(world: World) -> None:
    world.fail("POST", f"/channels/{world.channel.id}/messages", 400, AUTOMOD, times=FOR_EVER)


async def begun(world: World) -> None:
    """Begin a game in which Ann has played, and waits for two days."""
    await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    await world.env.advance_time(2 * DAY)
    block(world)


async def test_blocked_request_does_not_promise_its_message(world: World) -> None:
    """It stands: the opponent finds it on their board, and it can be withdrawn."""
    await begun(world)
    asked = private(await world.ann.slash(world.channel, "move", notation="undo"))
    said = told(await world.ann.click(asked, label=request_texts.REQUEST_TAKEBACK_LABEL))
    assert said == request_texts.TAKEBACK_GIVEN_UP
    shown = private(await world.ann.slash(world.channel, "move", notation="undo"))
    assert (shown.content, labels(shown)) == (request_texts.TAKEBACK_GIVEN_UP, ["Withdraw"])
    seen = private(await world.bob.slash(world.channel, "gipf board"))
    assert "Ann asks to take back" in seen.content
    assert "Accept" in labels(seen)


async def test_blocked_nudge_is_not_promised_and_can_be_sent_again(world: World) -> None:
    await begun(world)
    shown = private(await world.ann.slash(world.channel, "gipf board"))
    assert told(await world.ann.click(shown, label="Nudge")) == reminder_texts.NUDGE_GIVEN_UP
    world.heal()
    again = private(await world.ann.slash(world.channel, "gipf board"))
    assert told(await world.ann.click(again, label="Nudge")) == reminder_texts.NUDGE_SENT
    assert "already" in told(await world.ann.click(again, label="Nudge"))


async def test_blocked_board_can_be_shown_again(world: World) -> None:
    await begun(world)
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert await show(world, world.cara, shown) == show_here.SHOWN_NOT
    world.heal()
    assert await show(world, world.cara, shown) == show_here.SHOWN_TEXT
    assert "already" in await show(world, world.cara, shown)


async def test_blocked_words_are_logged_without_a_traceback(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """It is the choice of a server, and no fault of the bot: the line says so."""
    await begun(world)
    await world.ann.click(private(await world.ann.slash(world.channel, "gipf board")), label="Nudge")
    logged = [record for record in caplog.records if "AutoMod" in record.getMessage()]
    assert [(record.levelname, record.exc_info) for record in logged] == [("WARNING", None)]
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_blocked_challenge_does_not_blame_permissions_alone(world: World) -> None:
    block(world)
    said = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    assert said.startswith(lobby_texts.CHALLENGE_NOT_POSTED)
    assert "may not post" not in said
    assert "AutoMod" in said
