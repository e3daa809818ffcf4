"""What was posted, but not noted: it is found among the bot's own messages, and nothing else is taken for it."""

import pytest
from sqlalchemy import update

from gipfbot.match.clock import DAY
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.service.service import OutboxRow
from gipfbot.store import tables

from .conftest import House, PowerCut

WARNS, WAITS = "claims #a1", "waits for your turn"


async def long_ago(house: House) -> int:
    """Return a game in which Ann has been to move for 40 days."""
    id = await house.begin(thread=False)
    for _ in range(2):
        await house.play(id)
    at = house.clock() - 40 * DAY
    async with house.store.transaction() as db:
        await db.execute(update(tables.games).values(changed_at=at, waiting_since=at))
    return id


async def claimed(house: House, id: int) -> OutboxRow:
    """Return the warning of a claim of Bob's, which is the caller's to post."""
    _, (owed,) = await house.bot.win_claims.claim_win(id, house.seats()[1].user)
    return owed


def with_words(house: House, *words: str) -> list[str]:
    """Return which of these words the channel's messages have, in order."""
    return [word for message in house.channel.messages for word in words if word in message.content]


async def test_a_message_that_leads_to_the_same_desk_does_not_stand_for_another(house: House) -> None:
    id = await long_ago(house)
    assert await house.bot.delivery.deliver([await claimed(house, id)])
    nudge = await house.bot.reminders.nudge(id, house.seats()[1].user, (await house.game(id)).turn_serial)
    assert nudge
    await house.bot.outbox.retry_later(nudge)
    await house.sweep(1000)
    assert with_words(house, WARNS, WAITS) == [WARNS, WAITS]


async def test_a_warning_is_found_although_it_would_tell_another_time_by_now(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await long_ago(house)
    owed = await claimed(house, id)
    assert owed.kind == CLAIM_WIN
    house.dies(monkeypatch, before="note_delivered")
    with pytest.raises(PowerCut):
        await house.bot.delivery.deliver([owed])
    await house.restart(1000)
    assert with_words(house, WARNS) == [WARNS]
    assert not await house.bot.outbox.deliverable_rows()
