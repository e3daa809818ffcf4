"""What people show: how often, once from each private message, and what a deletion and an export make of it."""

from typing import Any

import pytest

from gipfbot.match import Refused, Why
from gipfbot.service.app import App, create_app
from gipfbot.service.delivery.showing import MOST_SHOWN, SHOWABLE, SHOWN_WITHIN
from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.privacy.retention import PAYLOAD_SECONDS
from gipfbot.store import Store, outbox
from gipfbot.values import NO_LIMITS, OutboxRow
from gipfbot.values.people import is_former_player
from tests.service.helpers import Host, assert_refused, at_once
from tests.support.people import ANN, BOB

HALL = 77


async def shown(app: App, message: int, user: int = ANN.user, **kept: Any) -> OutboxRow:
    """Let a person show something from a private message. Return the row of the outbox."""
    (row,) = await app.showing.show(user, message, app.now(), "board:1:0", HALL, kept)
    return row


async def test_five_in_ten_minutes_and_then_when(app: App, host: Host) -> None:
    """Posted ones count, and so do those that failed. Others have their own five."""
    first = host.now
    for message in range(MOST_SHOWN):
        row = await shown(app, message)
        await app.outbox.note_delivered(row, 1000 + message if message % 2 else None)
        host.now += 1
    facts = await assert_refused(Why.SHOWN_TOO_OFTEN, shown(app, 9))
    assert facts == {"most": MOST_SHOWN, "at": first + SHOWN_WITHIN + 1}
    await shown(app, 9, BOB.user)
    host.now = facts["at"] - 1
    await assert_refused(Why.SHOWN_TOO_OFTEN, shown(app, 9))
    host.now = facts["at"]
    await shown(app, 9)
    await assert_refused(Why.SHOWN_TOO_OFTEN, shown(app, 10))


async def test_once_from_each_message(app: App) -> None:
    await shown(app, 1)
    await assert_refused(Why.SHOWN_ALREADY, shown(app, 1))
    assert await app.showing.show(ANN.user, 1, app.now(), "board:1:1", HALL, {}), "another turn of the same message"
    await shown(app, 2)


async def test_many_at_once_are_five(app: App) -> None:
    done, refused = await at_once(*(shown(app, message) for message in range(12)))
    assert (len(done), len(refused)) == (MOST_SHOWN, 12 - MOST_SHOWN)


async def test_limit_holds_across_processes(store: Store, app: App, host: Host) -> None:
    other = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)
    for message in range(MOST_SHOWN):
        await shown((app, other)[message % 2], message)
    await assert_refused(Why.SHOWN_TOO_OFTEN, shown(other, 9))


async def test_row_is_exported_and_loses_the_person(app: App, store: Store) -> None:
    people: dict[str, Any] = {
        "player": ANN.user,
        "against": BOB.user,
        "seats": [ANN.user, BOB.user],
        "names": ["Ann", "Bob"],
    }
    row = await shown(app, 1, what="profile", **people)
    await app.outbox.note_delivered(row, 1000)
    (told,) = export_data(await app.exports.collect(ANN.user))["messages"]
    assert told["message"] == "what you showed in a channel"
    await app.deletions.begin(ANN.user)
    await app.deletions.finish(ANN.user)
    left = await app.showing.shown_with(row.mark)
    assert left
    assert is_former_player(left["by"])
    assert is_former_player(left["player"])
    assert (left["against"], left["names"]) == (BOB.user, ["a former player", "Bob"])
    async with store.reading() as db:
        assert not await outbox.was_owed(db, row.key)


async def test_position_of_a_study_can_be_opened_for_a_week(app: App, host: Host) -> None:
    row = await shown(app, 1, turn="e2")
    await app.outbox.note_delivered(row, 1000)
    assert (await app.showing.shown_with(row.mark) or {})["turn"] == "e2"
    host.now += PAYLOAD_SECONDS + 1
    await app.retention.finish_pass()
    assert await app.showing.shown_with(row.mark) is None
    assert await app.showing.shown_with("0123456789abcdef") is None


async def test_from_a_message_that_is_too_old_nothing_is_shown(app: App, host: Host) -> None:
    """Its row may be gone, so nobody would know that it was shown before."""
    sent_at = app.now()
    host.passes(SHOWABLE + 1)
    with pytest.raises(Refused) as refused:
        await app.showing.show(ANN.user, 1, sent_at, "board:1:1", HALL, {})
    assert refused.value.why is Why.SHOWN_TOO_LATE
