"""After a restore, what is from the lost time is answered in a sentence; what is older still works."""

from contextvars import copy_context

import discord
import pytest
from discord.ui.select import BaseSelect
from sqlalchemy import delete

from gipfbot.store import tables
from gipfbot.ui.kit import interactions, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import (
    LONGEST_CUSTOM_ID,
    TIMELINE_TAG,
    Button,
    ChannelSelect,
    ListedText,
    PrivateRow,
    RoleSelect,
    Select,
    build_form,
    build_layout,
    split_mark,
    text_field,
)
from gipfbot.ui.kit.respond import STORED_PARTS
from gipfbot.ui.play.move import press_type_turn
from tests.standin import Message, User
from tests.support.games import OPENING
from tests.support.terms import THREE_DAYS

from .house import House

TAG = "be9f"
# Numbers in `custom_id`s that the database has not given out: places in a list, Discord's ids, versions, times of day.
NOT_STORED = {
    *("answer", "division", "group", "hour", "job", "number", "page", "place", "player", "reader"),
    *("step", "to", "tried", "turn_number", "turn_serial", "version"),
}


@pytest.fixture
def bob(house: House) -> User:
    return house.discord.user("bob")


@pytest.fixture
async def board(house: House) -> Message:
    """Return a board that waits for Bob."""
    game = await house.begin(thread=False)
    await house.play(game)
    await house.connect()
    return house.channel.last()


def restored(house: House, *, before: int = 0) -> None:
    """Let the last minute be lost, or the minute before so many seconds."""
    now = house.clock()
    house.app.timelines.lost_times = [(now - before - 60, now - before + 60)]
    house.app.timelines.tag = TAG


async def forget_rows(house: House) -> None:
    """Let the database know nothing of the messages."""
    async with house.store.transaction() as db:
        await db.execute(delete(tables.outbox))


async def desk_of(house: House, bob: User, board: Message) -> Message:
    return await (await house.discord.press(bob, board, texts.MOVE_LABEL)).followed_up()


async def answer_to(house: House, bob: User, message: Message, button: str) -> str:
    return (await (await house.discord.press(bob, message, button)).followed_up()).text


async def test_a_public_button_of_the_lost_time_is_refused(house: House, board: Message, bob: User) -> None:
    """The database does not know the mark of its message, which stays as it is."""
    await forget_rows(house)
    restored(house)
    assert await answer_to(house, bob, board, texts.MOVE_LABEL) == texts.LOST_BUTTON
    assert board.edits == 0


async def test_a_public_button_of_before_the_backup_works(house: House, board: Message, bob: User) -> None:
    """Its mark is known, even if it was posted within the last seconds before the backup."""
    restored(house)
    assert "Choose the dot" in (await desk_of(house, bob, board)).text


async def test_a_public_button_that_lost_its_mark_works(house: House, board: Message, bob: User) -> None:
    """An edit of a message leaves its new buttons without one. The message itself is known."""
    rows = ((Button("Play on", split_mark(board.custom_ids[0])[0]),),)
    await house.bot.delivery.strip_buttons(house.channel.id, board.id, "Another text", rows)
    restored(house)
    assert "Choose the dot" in await answer_to(house, bob, board, "Play on")
    await forget_rows(house)
    assert await answer_to(house, bob, board, "Play on") == texts.LOST_BUTTON


async def test_a_public_button_whose_row_was_deleted_long_ago_works(house: House, board: Message, bob: User) -> None:
    """Rows are deleted some time after they are settled. The message is not from a lost time."""
    await forget_rows(house)
    restored(house, before=3600)
    assert "Choose the dot" in (await desk_of(house, bob, board)).text


async def test_a_direct_message_of_before_the_backup_is_known(house: House, bob: User) -> None:
    """Its row names the person instead of the channel. Here only that tells, as an edit has taken the mark."""
    game = await house.begin(terms=THREE_DAYS, thread=False)
    await house.discord.deny(house.channel, "send_messages")
    await house.play(game)
    await house.sweep()
    message, place = house.discord.dm(bob).last(), house.discord.dm(bob)
    rows = ((Button("Play on", split_mark(message.custom_ids[0])[0]),),)
    await house.bot.delivery.strip_buttons(place.id, message.id, "Another text", rows)
    await house.connect()
    restored(house)
    assert await answer_to(house, bob, message, "Play on") != texts.LOST_BUTTON
    await forget_rows(house)
    assert await answer_to(house, bob, message, "Play on") == texts.LOST_BUTTON


async def test_a_private_desk_from_before_the_restore_is_refused(house: House, board: Message, bob: User) -> None:
    """The game may have come to the same version by other turns. A new desk works, and says whose timeline it is of."""
    desk = await desk_of(house, bob, board)
    restored(house)
    dot = next(name for name in desk.custom_ids if ":dot:" in name or ":at:" in name or ":from:" in name)
    assert await answer_to(house, bob, desk, dot) == texts.LOST_BUTTON
    fresh = await desk_of(house, bob, board)
    assert {split_mark(name)[1] for name in fresh.custom_ids} == {TAG}
    await house.discord.press(bob, fresh, f"{dot}~{TAG}")
    await house.discord.wait_for(lambda: fresh.edits, "the next screen")
    assert {split_mark(name)[1] for name in fresh.custom_ids} == {TAG}


async def test_a_private_message_about_nothing_stored_works_on(house: House, bob: User) -> None:
    """Such as a page of the help."""
    await house.connect()
    await house.bot.tree.sync()
    shown = await (await house.discord.slash(bob, house.channel, "gipf help")).answered()
    restored(house)
    page = [name for name in shown.messages[0].custom_ids if name.startswith("help:")][1]
    edits = shown.messages[0].edits
    await house.discord.press(bob, shown.messages[0], page)
    await house.discord.wait_for(lambda: shown.messages[0].edits > edits, "the page")


async def test_a_form_from_before_the_restore_is_refused(house: House, board: Message, bob: User) -> None:
    """Its text is handed back. A form that is opened after it works."""
    await house.bot.tree.sync()
    refused = await (await house.discord.slash(bob, house.channel, "move", notation="hello")).answered()
    form = await (await house.discord.press(bob, refused.messages[0], "type_turn:1:1.0.0")).answered()
    restored(house)
    sent = await house.discord.submit(form, text=OPENING[1])
    assert (await sent.followed_up()).text == f"{texts.LOST_BUTTON}\nYou wrote `{OPENING[1]}`."
    refused = await (await house.discord.slash(bob, house.channel, "move", notation="hello")).answered()
    form = await (await house.discord.press(bob, refused.messages[0], f"type_turn:1:1.0.0~{TAG}")).answered()
    await house.discord.submit(form, text=OPENING[1])
    await house.discord.wait_for(lambda: len(house.channel.messages) == 4, "the turn's board")


async def test_a_game_is_not_chosen_from_a_list_of_before_the_restore(house: House, board: Message, bob: User) -> None:
    """The turn that was typed may belong to another position, even if as many turns were played."""
    await house.begin(thread=False)
    await house.play(2)
    await house.bot.tree.sync()
    asked = await (await house.discord.slash(bob, house.channel, "move", notation=OPENING[1])).answered()
    restored(house)
    posted, shown = len(house.channel.messages), asked.messages[0]
    edits = shown.edits
    chosen = await house.discord.choose(bob, shown, texts.GAME_PLACEHOLDER, ["1:1.0.0"])
    await house.discord.wait_for(lambda: chosen.followups or shown.edits > edits, "an answer")
    assert [message.text for message in chosen.followups] == [texts.LOST_BUTTON]
    assert len(house.channel.messages) == posted


async def test_a_public_button_of_the_lost_time_opens_no_form(
    house: House, board: Message, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check comes first, though a form is otherwise opened at once."""
    kind, *_ = split_mark(board.custom_ids[0])[0].split(":")
    probe = interactions.KINDS[kind]._replace(reply=interactions.Reply.FORM, handler=_open_probe)
    monkeypatch.setitem(interactions.KINDS, kind, probe)
    await forget_rows(house)
    restored(house)
    pressed = await (await house.discord.press(bob, board, texts.MOVE_LABEL)).answered()
    assert (pressed.modal, pressed.text) == (None, texts.LOST_BUTTON)


async def test_a_form_of_the_lost_time_is_refused_though_its_message_is_known(
    house: House, board: Message, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is from before the backup, but the form was opened after it. One that is opened now works."""
    kind, *_ = split_mark(board.custom_ids[0])[0].split(":")
    probe = interactions.KINDS[kind]._replace(reply=interactions.Reply.FORM, handler=_open_turn_form)
    monkeypatch.setitem(interactions.KINDS, kind, probe)
    form = interactions.KINDS["type_turn_form"]._replace(reply=interactions.Reply.APART)  # as below public messages
    monkeypatch.setitem(interactions.KINDS, "type_turn_form", form)
    old = await (await house.discord.press(bob, board, texts.MOVE_LABEL)).answered()
    restored(house)
    sent = await house.discord.submit(old, text=OPENING[1])
    assert (await sent.followed_up()).text == f"{texts.LOST_BUTTON}\nYou wrote `{OPENING[1]}`."
    new = await (await house.discord.press(bob, board, texts.MOVE_LABEL)).answered()
    await house.discord.submit(new, text=OPENING[1])
    await house.discord.wait_for(lambda: len(house.channel.messages) == 4, "the turn's board")


async def _open_turn_form(interaction: Interaction, **_: object) -> None:
    await press_type_turn(interaction, 1, ":1.0.0")


async def _open_probe(interaction: Interaction, **_: object) -> None:
    await interaction.response.send_modal(build_form("Probe", "probe", text_field("text", "Text")))


def test_each_widget_of_a_private_message_has_the_tag() -> None:
    rows: list[PrivateRow] = [
        (Button("A", "game:1"), Button("B", "game:2")),
        Select("C", "game:3", (("one", "1"),)),
        ListedText("D", Button("E", "game:4")),
        ChannelSelect("F", "game:5"),
        RoleSelect("G", "game:6"),
        "a text",
    ]
    context = copy_context()
    context.run(TIMELINE_TAG.set, TAG)
    layout = context.run(build_layout, "Text", rows=rows)
    found = [item.custom_id for item in layout.walk_children() if isinstance(item, discord.ui.Button | BaseSelect)]
    assert [split_mark(each or "") for each in found] == [(f"game:{number}", TAG) for number in range(1, 7)]


def test_each_number_in_a_custom_id_is_known_as_stored_or_not() -> None:
    """A stored one may be of the lost time. A new kind of number needs a decision: here, or in STORED_PARTS."""
    numbers = {part for kind in interactions.KINDS.values() for part in kind.numbers}
    assert numbers - STORED_PARTS == NOT_STORED
    assert numbers >= STORED_PARTS - {"origin"}, "an origin is a kind and a number, such as game7"


def test_a_tag_has_room_in_each_custom_id() -> None:
    """Discord takes 100 characters."""
    assert LONGEST_CUSTOM_ID + len(f"~{TAG}") == 100


@pytest.mark.parametrize(
    ("custom_id", "parts"),
    [
        ("desk:1:2::pick:a1~be9f", ("desk:1:2::pick:a1", "be9f")),
        ("board:1:2~0123456789abcdef", ("board:1:2", "0123456789abcdef")),
        ("board:1:2", ("board:1:2", "")),
        ("desk:1:2::pick:a1~be9", ("desk:1:2::pick:a1~be9", "")),
    ],
)
def test_marks_and_tags_are_split_off(custom_id: str, parts: tuple[str, str]) -> None:
    assert split_mark(custom_id) == parts
