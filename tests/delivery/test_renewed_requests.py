"""After a restore, requests that are open again have their buttons again, and nothing is posted twice."""

import pytest
from sqlalchemy import update

from gipfbot.match import Side
from gipfbot.rules import OVERBOARD, STANDARD
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.service.restoring.timelines import plan_renewals
from gipfbot.store import outbox, tables
from gipfbot.ui.kit import texts
from gipfbot.ui.restoring import renewed_requests
from gipfbot.ui.restoring.renewed_requests import renew_open_requests
from gipfbot.values import DueWork

from .house import LONG, House


async def challenge(house: House) -> int:
    """Let Ann challenge Bob, and return the challenge."""
    ann, bob = house.seats()
    offered, owed = await house.app.lobby.challenge(ann, bob, STANDARD, Side.WHITE, house.home())
    await house.bot.delivery.deliver(owed)
    return offered.challenge.id


async def plan(house: House) -> None:
    async with house.store.transaction() as db:
        await plan_renewals(db, house.clock())


async def test_a_challenge_that_is_open_again_can_be_accepted(house: House) -> None:
    """In the lost time it was declined, and its message said so."""
    await challenge(house)
    message = house.channel.last()
    text = message.content
    await house.bot.delivery.strip_buttons(house.channel.id, message.id, "Bob declined.")
    await plan(house)
    await renew_open_requests(house.bot)
    assert message.content == text
    await house.connect()
    await house.discord.press(house.discord.user("bob"), message, texts.ACCEPT_LABEL)
    await house.discord.wait_for(lambda: len(house.channel.messages) == 2, what="the first board")


async def test_a_takeback_request_that_is_open_again_has_its_buttons(house: House) -> None:
    game = await house.begin(thread=False)
    await house.play(game)
    made = await house.app.requests.make(TAKEBACK, game, house.seats()[0].user)
    await house.deliver(made)
    message = house.channel.last()
    before = (message.content, len(message.custom_ids))
    await house.bot.delivery.strip_buttons(house.channel.id, message.id, "Bob agreed.")
    await plan(house)
    await renew_open_requests(house.bot)
    assert (message.content, len(message.custom_ids)) == before


async def test_a_draw_offer_that_is_open_again_has_its_buttons(house: House) -> None:
    game = await house.begin(thread=False, rules=OVERBOARD)
    await house.deliver(await house.app.requests.make(DRAW, game, house.seats()[0].user))
    message = house.channel.last()
    before = (message.content, len(message.custom_ids))
    assert before[1]
    await house.bot.delivery.strip_buttons(house.channel.id, message.id, "Bob declined.")
    await plan(house)
    await renew_open_requests(house.bot)
    assert (message.content, len(message.custom_ids)) == before


async def test_a_closed_challenge_stays_as_it_is(house: House) -> None:
    number = await challenge(house)
    await house.app.lobby.decline_challenge(number, house.seats()[1].user)
    await house.bot.delivery.strip_buttons(house.channel.id, house.channel.last().id, "Bob declined.")
    await plan(house)
    await renew_open_requests(house.bot)
    assert house.channel.last().content == "Bob declined."


async def test_each_message_is_renewed_once_and_few_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done where nothing was restored."""
    monkeypatch.setattr(renewed_requests, "MOST_RENEWED", 1)
    await challenge(house)
    first = house.channel.last()
    await renew_open_requests(house.bot)
    assert first.edits == 0
    await house.app.lobby.decline_challenge(1, house.seats()[1].user)
    await challenge(house)
    second = house.channel.last()
    await plan(house)
    for edits in (0, 1, 1):
        await renew_open_requests(house.bot)
        assert (first.edits, second.edits) == (0, edits)
    assert DueWork.RENEWALS not in await house.app.what_is_due(house.clock())


async def test_what_the_backup_owes_and_was_posted_since_is_not_posted_again(house: House) -> None:
    """The backup was made before the first try, and Discord has forgotten the nonce."""
    game = await house.begin(thread=False)
    with house.noting_nothing():
        await house.play(game)
    async with house.store.transaction() as db:
        untried = {"first_tried_at": None, "leased_until": None, "attempts": 0}
        await db.execute(update(tables.outbox).where(tables.outbox.c.done_at.is_(None)).values(untried))
        await outbox.doubt_owed(db)
    await house.restart(LONG)
    await house.assert_each_posted_once()
    assert len(house.channel.messages) == 3
