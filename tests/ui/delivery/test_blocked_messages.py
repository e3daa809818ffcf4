"""Messages that Discord does not take, as when a server's AutoMod blocks a name: nobody is told that they will come."""

import pytest

from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.requests import request_texts
from tests.support.times import DAY
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


async def test_blocked_request_does_not_promise_its_message(world: World, caplog: pytest.LogCaptureFixture) -> None:
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
    caplog.clear()


async def test_blocked_nudge_is_not_promised(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await begun(world)
    shown = private(await world.ann.slash(world.channel, "gipf board"))
    assert told(await world.ann.click(shown, label="Nudge")) == reminder_texts.NUDGE_GIVEN_UP
    caplog.clear()


async def test_blocked_challenge_does_not_blame_permissions_alone(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    block(world)
    said = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    assert said.startswith(lobby_texts.CHALLENGE_NOT_POSTED)
    assert "may not post" not in said
    assert "AutoMod" in said
    caplog.clear()
