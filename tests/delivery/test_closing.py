"""What has expired is closed beside other work: the sweep waits for a few edits of messages, and for all at once."""

import asyncio

import pytest

from gipfbot.match import REQUEST_LIFETIME, Side
from gipfbot.rules import STANDARD
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.ui.lobby.open_challenges import MOST_EXPIRED, close_expired_challenges
from gipfbot.ui.requests.game_requests import MOST_CLOSED, close_expired_requests
from tests.support.times import HANGS

from .house import House

MANY = 7


class Edits:
    """The messages that are edited."""

    def __init__(self) -> None:
        self.messages, self.at_once, self._begun = list[int](), 0, asyncio.Event()

    def expect_at_once(self, number: int) -> None:
        """Forget the messages. From now on no edit ends before so many have begun."""
        self.messages, self.at_once = [], number

    async def edit(self, channel: int, message: int, *_: object, **__: object) -> None:
        """Edit a message."""
        self.messages.append(message)
        if len(self.messages) >= self.at_once:
            self._begun.set()
        await asyncio.wait_for(self._begun.wait(), HANGS)


@pytest.fixture
def edits(house: House, monkeypatch: pytest.MonkeyPatch) -> Edits:
    edits = Edits()
    monkeypatch.setattr(house.bot.delivery, "strip_buttons", edits.edit)
    return edits


async def test_expired_challenges_are_closed_at_once(house: House, edits: Edits) -> None:
    ann, _ = house.seats()
    for _ in range(MANY):
        await house.bot.delivery.deliver(
            (await house.app.lobby.challenge(ann, None, STANDARD, Side.LOT, house.home()))[1]
        )
    house.clock.moved += REQUEST_LIFETIME
    edits.expect_at_once(MOST_EXPIRED)
    await close_expired_challenges(house.bot)
    assert len(edits.messages) == MOST_EXPIRED
    await close_expired_challenges(house.bot)
    assert len({*edits.messages}) == MANY


async def test_expired_takebacks_are_closed_at_once(house: House, edits: Edits) -> None:
    for _ in range(MANY):
        game = await house.begin(thread=False)
        await house.play(game)
        await house.deliver(await house.app.requests.make(TAKEBACK, game, house.seats()[0].user))
    house.clock.moved += REQUEST_LIFETIME
    edits.expect_at_once(MOST_CLOSED)
    await close_expired_requests(house.bot)
    assert len(edits.messages) == MOST_CLOSED
    await close_expired_requests(house.bot)
    assert len({*edits.messages}) == MANY
