"""Presses on messages that the bot does not yet know as posted, and the buttons of all messages."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from gipfbot.match import RequestState, Side
from gipfbot.rules import STANDARD
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.ui.kit import interactions, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, build_form, split_mark, text_field
from gipfbot.ui.kit.outbox_messages import MessageBuilder, OutboxMessage
from tests.support.routes import MESSAGES
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .house import LONG, House, first_custom_ids
from .posts import POSTS

Post: TypeAlias = Callable[[House], Awaitable[None]]


def hang(service: object, patch: pytest.MonkeyPatch, name: str) -> tuple[asyncio.Event, asyncio.Event]:
    """Let a service do nothing until the first event is set; it sets the second one when it has done its work."""
    work, go_on, done = getattr(service, name), asyncio.Event(), asyncio.Event()

    async def wait(*told: object) -> object:
        await go_on.wait()
        result = await work(*told)
        done.set()
        return result

    patch.setattr(service, name, wait)
    return go_on, done


# ── Posted, and not noted ──


async def test_an_old_board_that_is_pressed_is_not_posted_again(house: House) -> None:
    """The press strips its buttons, so by its mark nobody could find it any more."""
    game = await house.begin(thread=False)
    with house.noting_nothing():
        await house.play(game)
    board = house.channel.last()
    await house.play(game)
    assert house.channel.last() is board, "the next board waits for it"
    await house.connect()
    pressed = await house.discord.press(house.discord.user("cara"), board, texts.MOVE_LABEL)
    await pressed.followed_up()
    await house.discord.wait_for(lambda: board.custom_ids == [], what="a board without buttons")
    await house.restart(LONG)
    await house.assert_each_posted_once()
    assert len(house.channel.messages) == 4


async def test_a_challenge_that_is_accepted_is_not_posted_again(house: House) -> None:
    ann, bob = house.seats()
    with house.noting_nothing():
        _, owed = await house.app.lobby.challenge(ann, bob, STANDARD, Side.WHITE, house.home())
        await house.bot.delivery.deliver(owed)
    challenge = house.channel.last()
    await house.connect()
    await house.discord.press(house.discord.user("bob"), challenge, texts.ACCEPT_LABEL)
    await house.discord.wait_for(lambda: len(house.channel.messages) == 2, what="the first board")
    assert (challenge.custom_ids, "was accepted" in challenge.content) == ([], True)
    assert (await house.app.lobby.stored_challenge(1)).message == challenge.id
    await house.restart(LONG)
    await house.assert_each_posted_once()


async def test_a_dm_whose_desk_is_opened_is_not_posted_again(house: House) -> None:
    await house.begin(terms=THREE_DAYS, thread=False)
    house.clock.moved += 2 * DAY + 12 * HOUR
    await house.app.reminders.owe_due_reminders()
    with house.noting_nothing():
        row = (await house.app.outbox.deliverable_rows())[0]
        owed = await house.app.outbox.lease_row(row)
        assert owed
        await house.bot.delivery.deliver([owed])
    ann = house.discord.user("ann")
    (reminder,) = house.discord.dm(ann).messages
    await house.connect()
    desk = await (await house.discord.press(ann, reminder, texts.MOVE_LABEL)).followed_up()
    assert "Choose the dot" in desk.text
    await house.restart(LONG)
    await house.assert_each_posted_once()


async def test_a_press_before_discord_answers_the_post_notes_it_once(house: House) -> None:
    """The bot hears of the press while Discord's answer to the post is still on its way."""
    game = await house.begin(thread=False)
    await house.connect()
    gate = house.discord.hold("POST", MESSAGES, after_accepting=True)
    playing = asyncio.create_task(house.play(game))
    await gate.reached()
    board = house.channel.last()
    pressed = await house.discord.press(house.discord.user("bob"), board, texts.MOVE_LABEL)
    await pressed.followed_up()
    assert (await house.stored(game)).board_message == board.id
    gate.release()
    assert await playing
    await house.assert_each_posted_once()


# ── First of all it is acknowledged ──


async def test_a_press_is_acknowledged_before_the_row_is_looked_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    announcement = await house.announce_vacation()
    await house.connect()
    go_on, _ = hang(house.app.outbox, monkeypatch, "confirm")
    pressed = await house.discord.press(house.discord.user("bob"), announcement, texts.MY_GAMES_LABEL)
    await pressed.acknowledged()
    assert pressed.followups == []
    go_on.set()
    await pressed.followed_up()


async def test_a_form_opens_before_the_row_is_looked_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the row is noted, too. No message of the outbox has such a button yet."""
    monkeypatch.setattr(interactions, "KINDS", {})
    interactions.handles("probe", "", interactions.Reply.FORM)(_open_probe)
    monkeypatch.setitem(house.current_builders(), VACATION, MessageBuilder(VACATION, _build_probe))
    with house.noting_nothing():
        announcement = await house.announce_vacation()
    await house.connect()
    go_on, done = hang(house.app.outbox, monkeypatch, "confirm")
    opened = await house.discord.press(house.discord.user("bob"), announcement, "Probe")
    await opened.acknowledged()
    assert opened.modal
    go_on.set()
    await done.wait()
    assert await house.app.outbox.message_with_mark(split_mark(announcement.custom_ids[0])[1]) == announcement.id


async def _open_probe(interaction: Interaction) -> None:
    await interaction.response.send_modal(build_form("Probe", "probe", text_field("text", "Text")))


async def _build_probe(*_: object) -> OutboxMessage:
    return OutboxMessage("A form", rows=((Button("Probe", "probe"),),))


@pytest.mark.parametrize("how", ["press", "command"])
async def test_open_dms_are_noted_after_the_answer(house: House, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    bob = house.discord.user("bob")
    await house.begin(terms=THREE_DAYS, thread=False)
    await house.discord.deny(house.channel, "send_messages")
    await house.play(1)
    await house.sweep()
    (told,) = house.discord.dm(bob).messages
    await house.bot.tree.sync()
    await house.connect()
    go_on, done = hang(house.app.reminders, monkeypatch, "note_dms_open")
    if how == "press":
        desk = await (await house.discord.press(bob, told, texts.MOVE_LABEL)).followed_up()
        assert "#a1" in desk.text
    else:
        asked = await (await house.discord.slash(bob, house.discord.dm(bob), "gipf games")).answered()
        assert "#a1" in asked.text
    go_on.set()
    await done.wait()


# ── Buttons of messages that ask for nothing ──


async def test_my_games_opens_the_list_beside_the_announcement(house: House) -> None:
    announcement = await house.announce_vacation()
    await house.connect()
    for name in ("bob", "cara"):
        pressed = await house.discord.press(house.discord.user(name), announcement, texts.MY_GAMES_LABEL)
        listed = await pressed.followed_up()
        assert (listed.ephemeral, "#a1" in listed.text) == (True, name == "bob")
    assert (announcement.edits, len(announcement.custom_ids)) == (0, 1)


async def test_board_button_opens_the_board_beside_a_discard_notice(house: House) -> None:
    """Bob had left answers for several turns; Ann, who took her first one back, is to move."""
    ann, bob = house.discord.user("ann"), house.discord.user("bob")
    game = await house.begin(thread=False)
    await house.app.conditionals.add_typed_line(game, bob.id, "a2-c2 f1-d2 b1-b3 i5-g5")
    await house.play(game)
    asked = await house.app.requests.make(TAKEBACK, game, ann.id)
    await house.deliver(asked)
    await house.deliver(await house.app.requests.settle(asked.request.id, bob.id, RequestState.ACCEPTED))
    await house.sweep()
    (told,) = house.discord.dm(bob).messages
    await house.connect()
    shown = await (await house.discord.press(bob, told, texts.BOARD_LABEL)).followed_up()
    assert (shown.ephemeral, len(shown.attachments), told.edits) == (True, 1, 0)


# ── What stands on posted messages ──


@pytest.mark.parametrize(("kind", "post", "number"), POSTS, ids=[post.__name__ for _, post, _ in POSTS])
async def test_no_posted_button_may_replace_its_message(house: House, kind: str, post: Post, number: int) -> None:
    """Unless its kind says that it stands on public messages. A form that opens there is answered apart, too."""
    await post(house)
    for message in house.own_messages():
        for custom_id in first_custom_ids(message):
            name = split_mark(custom_id)[0].partition(":")[0]
            reply = interactions.KINDS[name].reply
            if reply is interactions.Reply.FORM:
                reply = interactions.KINDS[f"{name}_form"].reply
            assert reply in (interactions.Reply.APART, interactions.Reply.FOR_ALL), name
