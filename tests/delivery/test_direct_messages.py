"""Direct messages that Discord refuses: which refusals are believed, and for how long."""

import pytest
from sqlalchemy import select

from gipfbot.store import tables, users
from gipfbot.ui.delivery.delivery import MOST_ACCESS_TRIES
from tests.standin import Channel
from tests.support.routes import FOR_EVER, OPENINGS
from tests.support.steady_clock import Seconds
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .house import House

MISSING_ACCESS_CODE, SHUT_CODE, NO_COMMON_SERVER_CODE = 50001, 50007, 50278


async def owe_direct_message(house: House) -> Channel:
    """Owe Bob a direct message about a board that its channel refuses; return the place for it."""
    game = await house.begin(terms=THREE_DAYS, thread=False)
    await house.discord.deny(house.channel, "send_messages")
    assert not await house.play(game)
    return house.discord.dm(house.discord.user("bob"))


def refuse(house: House, place: Channel, code: int, times: int) -> None:
    """Let Discord refuse the next posts in a place with this code."""
    house.discord.fail_next("POST", f"/channels/{place.id}/messages", status=403, code=code, times=times)


def tries(house: House, place: Channel) -> int:
    """Return how many posts were tried in a place."""
    return len(house.discord.called("POST", f"/channels/{place.id}/messages"))


async def count_as_shut(house: House) -> bool:
    """Return whether Bob counts as a person who accepts no direct messages."""
    async with house.store.reading() as db:
        return await users.dms_shut(db, house.seats()[1].user, house.clock())


async def is_owed(house: House, place: Channel) -> bool:
    """Return whether a message is owed to Bob."""
    bob = place.recipients[0].id
    async with house.store.reading() as db:
        owed = select(tables.outbox.c.id).where(tables.outbox.c.channel == bob, tables.outbox.c.done_at.is_(None))
        return await db.scalar(owed) is not None


async def test_a_false_missing_access_only_delays_a_direct_message(house: House) -> None:
    """It is told once, in a channel that was opened anew."""
    place = await owe_direct_message(house)
    refuse(house, place, MISSING_ACCESS_CODE, times=2)
    for _ in range(3):
        assert place.messages == []
        await house.sweep(60)
    assert len(place.messages) == 1
    assert len(house.discord.called(*OPENINGS)) >= 3
    assert not await count_as_shut(house)
    assert (await house.game(1)).clock is not None


async def test_missing_access_is_not_tried_for_ever(house: House) -> None:
    """After a few tries the message is given up. The next one to the same person has its own tries."""
    place = await owe_direct_message(house)
    refuse(house, place, MISSING_ACCESS_CODE, FOR_EVER)
    for _ in range(2 * MOST_ACCESS_TRIES):
        await house.sweep(10 * 60)
    assert tries(house, place) == MOST_ACCESS_TRIES
    assert not await is_owed(house, place)
    assert not await count_as_shut(house)
    assert (await house.game(1)).clock == (await paused(house))

    house.discord.forgive()
    house.clock.moved += DAY
    await house.app.undeliverable.retry_due_boards()
    await house.sweep()
    await house.sweep()
    assert len(place.messages) == 1


async def paused(house: House) -> object:
    """Return the clock of the game; fail if it runs."""
    clock = (await house.game(1)).clock
    assert clock
    assert clock.deadline is None
    return clock


@pytest.mark.parametrize("code", [40333, 0, 20026, 40004, 40006, 987654])
async def test_what_passes_only_delays_a_direct_message(house: House, code: int) -> None:
    """Nobody counts as shut because Discord refuses the bot, whatever a new code may mean."""
    seconds = house.bot.watch.holds.steady = Seconds()
    place = await owe_direct_message(house)
    refuse(house, place, code, times=2)
    for _ in range(3):
        assert place.messages == []
        seconds.now += 60
        await house.sweep(60)
    assert len(place.messages) == 1
    assert not await count_as_shut(house)


async def test_shut_direct_messages_are_tried_again_after_30_days(house: House) -> None:
    """A refusal then counts for 30 days more."""
    place = await owe_direct_message(house)
    refuse(house, place, SHUT_CODE, FOR_EVER)
    await house.sweep()
    assert await count_as_shut(house)
    house.clock.moved += 30 * DAY - HOUR
    assert await count_as_shut(house)
    house.clock.moved += HOUR
    assert not await count_as_shut(house)
    assert tries(house, place) == 1
    for _ in range(2):
        await house.app.undeliverable.retry_due_boards()
        await house.sweep()
        await house.sweep()
        assert tries(house, place) == 2
        house.clock.moved += DAY
    assert await count_as_shut(house)


@pytest.mark.parametrize(("code", "shut"), [(SHUT_CODE, True), (NO_COMMON_SERVER_CODE, False)])
async def test_other_refusals_are_believed_at_once(house: House, code: int, shut: bool) -> None:
    """Only closed direct messages are remembered: a person without a common server may join one."""
    place = await owe_direct_message(house)
    refuse(house, place, code, FOR_EVER)
    for _ in range(3):
        await house.sweep(HOUR)
    assert tries(house, place) == 1
    assert await count_as_shut(house) == shut


@pytest.mark.parametrize(("status", "code"), [(400, 50033), (404, 10013), (403, NO_COMMON_SERVER_CODE)])
async def test_account_that_is_gone_is_no_fault_of_the_message(house: House, status: int, code: int) -> None:
    """No direct channel can be opened to it. The log has no error; the next message is tried anew."""
    await owe_direct_message(house)
    house.discord.fail_next(*OPENINGS, status=status, code=code, times=FOR_EVER)
    for _ in range(3):
        await house.sweep(HOUR)
    assert len(house.discord.called(*OPENINGS)) == 1
    assert not await count_as_shut(house)
    assert not house.bot.watch.holds.lasts(" ".join(OPENINGS))
