"""What a digest has told needs no reminder of its own, on a real database."""

from typing import Any

import pytest
from sqlalchemy import update

from gipfbot.match import Terms, TimeControl
from gipfbot.rules import PUSHES, Kind
from gipfbot.service.app import App
from gipfbot.service.clock.digests import DIGEST, Digests
from gipfbot.service.clock.reminders import REMINDER, Reminders
from gipfbot.store import tables
from tests.service.clock.digesting import A_CALL, A_DIGEST, A_REMINDER, BERLIN, ONE_DAY, START, lives, swept
from tests.service.helpers import Host, begun, lease_next
from tests.support.games import E1
from tests.support.people import ANN, BOB
from tests.support.times import HOUR

pytestmark = pytest.mark.usefixtures("starts")


async def test_a_digest_in_time_replaces_the_single_reminder(app: App, host: Host, digests: Digests) -> None:
    """The reminder is due at 19:00 on the 12th, the deadline 13:00 on the 13th: the digest at 8:00 tells it."""
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    assert await lives(app, host, 72) == [A_DIGEST] * 3


async def test_a_deadline_before_the_digest_keeps_its_reminder(app: App, host: Host, digests: Digests) -> None:
    """The reminder is due at 3:00, the deadline 9:00: too soon after 8:00 to notice that the digest failed."""
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 20)
    await begun(app, ONE_DAY)
    assert await lives(app, host, 17) == []
    assert await lives(app, host, 1) == [A_REMINDER]


async def test_the_reminder_follows_a_digest_that_was_not_sent(app: App, host: Host, digests: Digests) -> None:
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 66)
    host.passes(HOUR)
    await swept(app)
    await app.outbox.note_delivered(await lease_next(app, DIGEST, REMINDER), None)
    assert await lives(app, host, 1) == [A_DIGEST] * 2
    assert await lives(app, host, 1) == [A_DIGEST] * 2 + [A_REMINDER]


@pytest.mark.parametrize(("hour", "sent"), [(0, [A_REMINDER]), (1, []), (2, []), (3, [])])
async def test_a_reminder_soon_after_a_digest_is_needless(
    app: App, host: Host, digests: Digests, hour: int, sent: list[tuple[str, int]]
) -> None:
    """The reminder is due at 3:00. A digest of the last two hours, or of that moment, has told of the turn."""
    await lives(app, host, 20)
    await begun(app, ONE_DAY)
    await digests.set_plan(ANN.user, hour, BERLIN)
    assert await lives(app, host, 23) == [A_DIGEST, *sent]


async def test_a_digest_of_an_earlier_turn_replaces_no_reminder(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    game_id = await begun(app, Terms(TimeControl(2 * HOUR, 0, 2 * HOUR)))
    await begun(app, Terms())
    await reminders.set_wish(ANN.user, "50%")
    await digests.set_plan(ANN.user, 13, BERLIN)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.due).where(tables.due.c.kind == DIGEST).values(at=START))
    await swept(app)
    await app.outbox.note_delivered(await lease_next(app, DIGEST, REMINDER), 7)
    await app.games.play_actions(game_id, ANN.user, [E1])
    host.passes(1)
    await app.games.play_actions(game_id, BOB.user, [PUSHES["g1", "f2", Kind.BASIC]])
    host.passes(HOUR)
    assert await swept(app) == [A_DIGEST, A_REMINDER]


async def test_without_its_digest_a_reminder_comes_again(app: App, host: Host, digests: Digests) -> None:
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 56)
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 15) == [A_DIGEST] * 2 + [A_REMINDER]


async def test_a_new_time_keeps_reminders_that_wait_for_a_digest(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """Its time has passed, but it only waits for the digest."""
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 56)
    await reminders.set_wish(ANN.user, "25%")
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 15) == [A_DIGEST] * 2 + [A_REMINDER]


@pytest.mark.parametrize("there", [{"hour": 4}, {"zone": "London"}, {"hour": 10, "zone": "Tokyo"}])
async def test_a_digest_counts_after_its_hour_or_zone_has_changed(
    app: App, host: Host, digests: Digests, there: dict[str, Any]
) -> None:
    """The digest at 2:00 has told of the turn. Then Ann chooses another hour or zone. The reminder is due at 3:00."""
    await lives(app, host, 20)
    await begun(app, ONE_DAY)
    await digests.set_plan(ANN.user, 2, BERLIN)
    assert await lives(app, host, 17) == [A_DIGEST]
    await digests.set_plan(ANN.user, **there)
    assert (await lives(app, host, 6)).count(A_REMINDER) == 0


async def test_a_digest_does_not_replace_reminders_it_left_out(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """The game was quiet when the digest came at 2:00. The reminder is due at 3:00."""
    await lives(app, host, 20)
    game_id, _ = await begun(app, ONE_DAY), await begun(app, Terms())
    await digests.set_plan(ANN.user, 2, BERLIN)
    await reminders.turn_off_for_game(ANN.user, game_id)
    assert await lives(app, host, 17) == [A_DIGEST]
    await reminders.turn_on_for_game(ANN.user, game_id)
    assert await lives(app, host, 1) == [A_DIGEST, A_REMINDER]


async def test_a_waiting_reminder_survives_being_off_meanwhile(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """It is due at 19:00 and waits until 10:00. The digest at 8:00 is not sent."""
    game_id = await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 56)
    await reminders.turn_off_for_turn(ANN.user, game_id, 0)
    host.passes(HOUR)
    await reminders.turn_on_for_game(ANN.user, game_id)
    await digests.turn_off(ANN.user)
    assert await lives(app, host, 14) == [A_DIGEST] * 2 + [A_REMINDER]


async def test_without_direct_messages_a_channel_reminder_replaces_the_digest(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    """A digest that was refused is not retried until they accept messages again. Nothing of it goes to a channel."""
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 18)
    host.passes(HOUR)
    await swept(app)
    await app.outbox.note_dm_refusal(await lease_next(app, DIGEST, REMINDER), "50007", shut=True)
    assert await lives(app, host, 34) == []
    assert await lives(app, host, 1) == [A_CALL]
    await reminders.note_dms_open(ANN.user)
    assert await lives(app, host, 13) == [A_CALL, A_DIGEST]


async def test_a_refused_digest_leads_to_a_channel_reminder(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    await begun(app)
    await digests.set_plan(ANN.user, 8, BERLIN)
    await lives(app, host, 66)
    host.passes(HOUR)
    await swept(app)
    await app.outbox.note_dm_refusal(await lease_next(app, DIGEST, REMINDER), "50007", shut=True)
    assert await lives(app, host, 2) == [A_DIGEST] * 2 + [A_CALL]


async def test_with_reminders_off_only_the_digest_comes(
    app: App, host: Host, digests: Digests, reminders: Reminders
) -> None:
    await begun(app, ONE_DAY)
    await reminders.set_wish(ANN.user, "off")
    await digests.set_plan(ANN.user, 14, BERLIN)
    assert await lives(app, host, 23) == [A_DIGEST]
