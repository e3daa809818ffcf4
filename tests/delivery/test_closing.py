"""What has expired is closed beside other work: the sweep waits for a few edits of messages, and for all at once."""

import asyncio
import time

import pytest

from gipfbot.match import REQUEST_LIFETIME, Side
from gipfbot.rules import STANDARD
from gipfbot.ui.lobby import challenge_expiry
from gipfbot.ui.requests import takeback_expiry

from .house import House

SLOW = 0.5  # seconds for each edit
MANY = 7


@pytest.fixture
def edited(house: House, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the messages that are edited. Each edit is slow, as when Discord takes no more in a channel."""
    messages = list[int]()

    async def edit_slowly(channel: int, message: int, *_: object) -> None:
        await asyncio.sleep(SLOW)
        messages.append(message)

    monkeypatch.setattr(house.bot.delivery, "strip_buttons", edit_slowly)
    return messages


async def test_expired_challenges_hold_the_sweep_up_for_one_edit(house: House, edited: list[int]) -> None:
    ann, _ = house.seats()
    for _ in range(MANY):
        await house.bot.delivery.deliver(
            (await house.app.lobby.challenge(ann, None, STANDARD, Side.LOT, house.home()))[1]
        )
    house.clock.moved += REQUEST_LIFETIME
    begun = time.monotonic()
    await challenge_expiry.close_expired_challenges(house.bot)
    assert time.monotonic() - begun < 2 * SLOW
    assert len(edited) == challenge_expiry.MOST_EXPIRED
    await challenge_expiry.close_expired_challenges(house.bot)
    assert len({*edited}) == MANY


async def test_stale_takebacks_hold_the_sweep_up_for_one_edit(house: House, edited: list[int]) -> None:
    for _ in range(MANY):
        game = await house.begin(thread=False)
        await house.play(game)
        await house.deliver(await house.app.takebacks.request_takeback(game, house.seats()[0].user))
    edited.clear()
    house.clock.moved += REQUEST_LIFETIME
    begun = time.monotonic()
    await takeback_expiry.close_stale_takebacks(house.bot)
    assert time.monotonic() - begun < 2 * SLOW
    assert len(edited) == takeback_expiry.MOST_STALE
    await takeback_expiry.close_stale_takebacks(house.bot)
    assert len({*edited}) == MANY
