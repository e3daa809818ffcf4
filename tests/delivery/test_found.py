"""Messages that were posted but not noted: each is found by its mark, whatever its text."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select

from gipfbot.match import House as Opponent, Seat, Side, Terms
from gipfbot.rules import BASIC, STANDARD
from gipfbot.service.app import message_kinds
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.store import tables
from gipfbot.ui.delivery import delivery
from gipfbot.ui.kit.components import split_mark
from gipfbot.values import THREAD, Venue
from tests.bench.recording import SentMessage
from tests.process.posted import Posted
from tests.process.stored_courses import BEGIN
from tests.year.messages import NOT_IN_PLAY, form_of

from .house import LONG, House, PowerCut, meant, replace_words
from .posts import POSTS, post_challenge, post_claim

# ── Each kind of message ──


def test_each_kind_of_message_is_tried() -> None:
    missing = message_kinds().keys() - {kind for kind, _, _ in POSTS} - {THREAD}
    assert not missing, f"write how {missing} come to be posted, and add a row to POSTS in tests/delivery/posts.py"
    assert not (gone := NOT_IN_PLAY - message_kinds().keys()), (
        f"take out of NOT_IN_PLAY in tests/year/messages.py: {gone}"
    )


@pytest.mark.parametrize(("kind", "post", "number"), POSTS, ids=[post.__name__ for _, post, _ in POSTS])
async def test_a_message_in_other_words_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: str, post: Callable[[House], Awaitable[None]], number: int
) -> None:
    """The process ends before it notes the post, and Discord has forgotten the nonce when the next one starts."""
    replace_words(monkeypatch)
    house.dies_at(monkeypatch, kind, number)
    with pytest.raises(PowerCut):
        await post(house)
    await house.restart(LONG)
    await house.assert_each_posted_once()
    await assert_people_are_declared(house)
    await assert_the_year_reads(house)


async def test_the_torture_reads_each_board_of_a_direct_game(house: House) -> None:
    """Also one after which a planned turn follows, which has no buttons of a board."""
    ann, dm = house.seats()[0], house.discord.dm(house.discord.user("ann"))
    bot = Seat(house.discord.world.bot.id, "Bot")
    terms = Terms(house=Opponent(1, bot.user))
    begun = await house.app.lobby.challenge_house(ann, bot, BASIC, Side.WHITE, Venue(None, dm.id), terms)
    await house.deliver(begun)
    await house.deliver(await house.app.games.play_typed(begun.game.id, ann.user, "c2"))
    await house.app.conditionals.add_typed_line(begun.game.id, ann.user, "g2 d2")
    await house.deliver(await house.app.games.play_typed(begun.game.id, bot.user, "g2"))
    read = Posted(house.discord)
    read.read()
    assert read.boards == {begun.game.id: [BEGIN, "1 b1-c2", "2 g1-g2", "3 c1-d2"]}


async def assert_the_year_reads(house: House) -> None:
    """Check that `make year` knows the first line of each message that comes in play, before it lives through one."""
    posted = {message.id: message for message in house.own_messages()}
    async with house.store.reading() as db:
        rows = (await db.execute(select(tables.outbox.c.kind, tables.outbox.c.message))).all()
    for row in (row for row in rows if row.message in posted and row.kind not in NOT_IN_PLAY):
        message, text = posted[row.message], meant(posted[row.message])
        sent = SentMessage(message.id, 0, 0, False, text, frozenset(), tuple(message.custom_ids), "")
        missing = f"add to FORMS of tests/year/messages.py how a message of the kind {row.kind} begins: {text!r:.99}"
        assert form_of(sent), f"{missing}; or to NOT_IN_PLAY there that it does not come in play"


async def assert_people_are_declared(house: House) -> None:
    """Check that payloads name people only where their kind says so, so that a deletion takes them out."""
    words = (str(word) for user in house.discord.world.users.values() for word in (user.id, user.name))
    named = re.compile("|".join(rf"\b{word}\b" for word in words), re.IGNORECASE)
    async with house.store.reading() as db:
        rows = (await db.execute(select(tables.outbox))).all()
    assert rows
    for row in rows:
        found = {key for key, value in row.payload.items() if named.search(str(value))}
        assert found <= {*house.app.kinds[row.kind].people}, f"list these keys as `people` of the kind {row.kind}"


@pytest.mark.parametrize("seconds", [0, LONG])
@pytest.mark.parametrize("posted", [False, True])
@pytest.mark.parametrize(("kind", "post", "number"), POSTS[:5], ids=[post.__name__ for _, post, _ in POSTS[:5]])
async def test_killed_while_posting_it_posts_once(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    post: Callable[[House], Awaitable[None]],
    number: int,
    posted: bool,
    seconds: int,
) -> None:
    """Whether or not Discord accepted the post, and whether or not it has forgotten the nonce."""
    replace_words(monkeypatch)
    house.dies_at(monkeypatch, kind, number, posted=posted)
    with pytest.raises(PowerCut):
        await post(house)
    await house.restart(seconds)
    await house.sweep(60)
    await house.assert_each_posted_once()


# ── Messages that say the same ──


@pytest.mark.parametrize("many", [130, pytest.param(600, marks=pytest.mark.slow)])
async def test_open_challenges_with_equal_words_are_each_found(house: House, many: int) -> None:
    """They are more than a page of the channel's history holds."""
    ann, _ = house.seats()
    with house.noting_nothing():
        for _ in range(many):
            _, owed = await house.app.lobby.challenge(ann, None, STANDARD, Side.WHITE, house.home())
            assert await house.bot.delivery.deliver(owed)
    assert len({message.content for message in house.own_messages()}) == 1
    await house.restart(LONG)
    while await house.app.outbox.deliverable_rows():
        await house.sweep()
    await house.assert_each_posted_once()
    posted = {message.id: message for message in house.own_messages()}
    for challenge in range(1, many + 1):
        message = posted[(await house.app.lobby.stored_challenge(challenge)).message or 0]
        own = re.compile(rf"(challenge:{challenge}:|open_tutorial:challenge{challenge}~|play_bot~)")
        assert all(map(own.match, message.custom_ids))


@pytest.mark.parametrize("talk", [150, 350])
async def test_a_message_is_found_among_many_since_the_first_try(
    house: House, monkeypatch: pytest.MonkeyPatch, talk: int
) -> None:
    """One of many tries has posted it: it may be nearer to now than to the first try."""
    monkeypatch.setattr(delivery, "MOST_PAGES", 2)
    for number in range(talk):
        house.discord.say(house.discord.user("cara"), house.channel, f"What a game! {number}")
    house.dies_at(monkeypatch, CHALLENGE)
    with pytest.raises(PowerCut):
        await post_challenge(house)
    for number in range(50):
        house.discord.say(house.discord.user("cara"), house.channel, f"And now? {number}")
    await house.restart(LONG)
    assert len(house.own_messages()) == 1


async def test_a_warning_is_not_taken_for_a_nudge(house: House) -> None:
    await post_claim(house)
    game = await house.game(1)
    nudge = await house.app.reminders.nudge(game.id, house.seats()[1].user, game.turn_serial)
    assert nudge
    await house.app.outbox.retry_later(nudge)
    await house.sweep(LONG)
    await house.assert_each_posted_once()
    assert "waiting for your turn" in house.channel.last().content


# ── Others look at the message meanwhile ──


async def test_a_message_stripped_during_the_search_is_not_posted_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its button was pressed while the history was read: the row is confirmed, and its mark is gone."""
    house.dies_at(monkeypatch, CHALLENGE)
    with pytest.raises(PowerCut):
        await post_challenge(house)
    (message,) = house.channel.messages
    gate = house.discord.hold("GET", "/channels/{id}/messages")
    restarting = asyncio.create_task(house.restart(LONG))
    await gate.reached()
    mark = split_mark(message.custom_ids[0])[1]
    await house.bot.delivery.confirm_posted(mark, house.channel.id, message.id)
    await house.bot.delivery.strip_buttons(house.channel.id, message.id, "closed")
    gate.release()
    await restarting
    await house.assert_each_posted_once()


async def test_without_the_history_a_message_may_come_twice(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is lost, and the log says why."""
    house.dies_at(monkeypatch, CHALLENGE)
    with pytest.raises(PowerCut):
        await post_challenge(house)
    house.discord.fail_next("GET", "/channels/{id}/messages", status=403, code=50001)
    await house.restart(LONG)
    assert len(house.own_messages()) == 2
    assert "a message may be posted twice there" in caplog.text


@pytest.mark.parametrize("code", [40333, 0, 987654])
async def test_history_that_is_blocked_is_read_later(house: House, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Such a refusal says nothing about the channel, so the message is not posted a second time."""
    house.dies_at(monkeypatch, CHALLENGE)
    with pytest.raises(PowerCut):
        await post_challenge(house)
    house.discord.fail_next("GET", "/channels/{id}/messages", status=403, code=code)
    await house.restart(LONG)
    assert len(house.own_messages()) == 1
    house.bot.watch.holds.steady = lambda: time.monotonic() + LONG
    await house.sweep(LONG)
    await house.assert_each_posted_once()


async def test_a_mark_copied_by_others_is_ignored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.dies_at(monkeypatch, CHALLENGE)
    with pytest.raises(PowerCut):
        await post_challenge(house)
    (message,) = house.channel.messages
    message.author = house.discord.user("mallory")
    await house.restart(LONG)
    (again,) = house.own_messages()
    assert again.custom_ids == message.custom_ids
