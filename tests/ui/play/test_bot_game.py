"""Private games against the bot: how they begin, what is posted of them, and where the bot's answer appears."""

from typing import Any

import discord
import pytest
import simcord

from gipfbot.match import Seat, Status
from gipfbot.rules import Colour, legal
from gipfbot.store import tables
from gipfbot.ui.bot_answers import LONGEST_WAIT
from gipfbot.ui.kit import texts
from gipfbot.ui.lobby.lobby_texts import PLAY_BOT_LABEL
from gipfbot.ui.lobby.welcome import greet_new_servers
from gipfbot.ui.play import game_texts
from gipfbot.ui.showing.show_here import LOOK_LABEL, SHOWN_TEXT
from gipfbot.values import PRIVATE_VENUE, StoredGame, Venue
from tests.support.background_work import do_next_task
from tests.support.times import DAY
from tests.ui.counted_statements import noted_statements
from tests.ui.showing.shown import show
from tests.ui.table import Desk, bot_handle, challenge_bot, look_for_answers, play_bot
from tests.ui.timed_games import SHUT
from tests.ui.world import FOR_EVER, World, buttons, labels, private, told

pytestmark = pytest.mark.looks_every(1000)
THINKING = "is thinking"


async def push(desk: Desk) -> None:
    """Press the first dot of a desk, and the first push from it."""
    await desk.press(desk.dots[0])
    await desk.press(next(label for label in desk.labels if label.startswith("→")))


def stop_thinking(world: World, patch: pytest.MonkeyPatch) -> None:
    """Let nobody wake the house player."""
    patch.setattr(world.bot.house_loop, "wake", lambda: None)


async def bot_ends(world: World, game_id: int = 1) -> None:
    """Let the bot resign a game."""
    game = await world.game(game_id)
    assert game.terms.house
    await world.bot.app.games.resign(game_id, game.terms.house.user)


# ── How it begins ──


async def test_two_presses_from_the_arrival_to_the_desk(world: World) -> None:
    """Today it takes six: Set up, and a challenge with its options."""
    world.bot.app.lobby.draw_lot = lambda: True
    there, found = world.guild.id, world.bot.get_guild(world.guild.id)
    assert found
    async with world.store.transaction() as db:
        await db.execute(tables.arrivals.delete().where(tables.arrivals.c.server == there))
    await greet_new_servers(world.bot, [found])
    arrival = world.public()[-1]
    assert PLAY_BOT_LABEL in buttons(arrival)
    desk = Desk(world.ann, await world.ann.click(arrival, label=PLAY_BOT_LABEL))
    await desk.press("2 · Novice")
    assert len(desk.dots) == 24


async def test_25_turns_post_nothing(world: World) -> None:
    await play_bot(world)
    app, turns = world.bot.app, 0
    while turns < 25 and (game := await world.game()).asked is not None:
        if game.house_decides:
            await do_next_task(app)
        else:
            done = await app.games.play_actions(1, world.ann.id, legal(game.current)[:1])
            turns += done.turn is not None
            assert done.owed == ()
    assert turns == 25
    await app.games.resign(1, world.ann.id)
    await world.bot.delivery.sweep()
    assert world.public() == []
    assert world.ann.user.dm_channel.history() == []


async def test_answer_appears_in_the_same_message(world: World) -> None:
    desk = await play_bot(world)
    await push(desk)
    assert "Played **" in desk.text
    assert THINKING in desk.text
    await look_for_answers(world)
    assert "TestBot Beginner played" in desk.text
    assert desk.dots
    await push(desk)
    await look_for_answers(world)
    assert (await world.game()).turn_number == 4
    assert world.public() == []


async def test_bot_begins_as_white(world: World) -> None:
    desk = await play_bot(world, colour="black")
    assert THINKING in desk.text
    await look_for_answers(world)
    assert "TestBot Beginner played" in desk.text
    assert desk.dots


async def test_rematch_and_its_successor_are_private_too(world: World) -> None:
    await play_bot(world)
    await bot_ends(world)
    await world.ann.slash(world.channel, "gipf help")
    shown = private(await world.ann.slash(world.channel, "move", notation="rematch", game="#a1"))
    assert (await world.stored(2)).venue == PRIVATE_VENUE
    desk = Desk(world.ann, await world.ann.click(shown, label=texts.BOARD_LABEL))
    assert THINKING in desk.text
    app = world.bot.app
    async with world.store.transaction() as db:
        following = await app.games._restart_game(db, await world.stored(2))
    assert following
    assert following.venue == PRIVATE_VENUE
    assert world.public() == []


async def test_end_offers_the_rematch_where_it_stands(world: World) -> None:
    desk = await play_bot(world)
    await push(desk)
    await bot_ends(world)
    await look_for_answers(world)
    assert "resigned" in desk.text
    assert {"Rematch", "Replay", "Record", "Analyse"} <= {*desk.labels}
    await desk.press("Rematch")
    assert "**#b1**" in desk.text
    assert (await world.stored(2)).venue == PRIVATE_VENUE


# ── Who sees it ──


async def test_only_its_player_sees_it(world: World) -> None:
    await push(await play_bot(world))
    for command, options in (
        ("gipf board", {}),
        ("gipf record", {}),
        ("gipf replay", {}),
        ("gipf follow", {"news": "result"}),
    ):
        said = told(await world.cara.slash(world.channel, command, game="#a1", **options))
        assert said == texts.PRIVATE_GAME, command
    assert "#a1" not in told(await world.cara.slash(world.channel, "gipf live"))
    offered = await world.cara.autocomplete(world.channel, "gipf board", "game", "")
    assert offered == []


async def test_board_never_moves_it(world: World) -> None:
    desk = await play_bot(world)
    assert desk.dots
    for _ in range(2):
        assert "Move" in labels(private(await world.ann.slash(world.channel, "gipf board", game="#a1")))
    assert (await world.stored()).venue == PRIVATE_VENUE
    assert world.public() == []


async def test_it_needs_no_role_no_right_to_post_and_no_room_under_the_cap(world: World) -> None:
    role = world.guild.create_role("players")
    await challenge_bot(world)
    await world.bot.app.servers.change(world.guild.id, {"cap": 1, "challengers": role.id})
    silent = discord.PermissionOverwrite(send_messages=False)
    world.channel = world.guild.create_text_channel("silent", overwrites={world.ann: silent})
    await play_bot(world)
    assert (await world.stored(2)).venue == PRIVATE_VENUE
    asked = private(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    assert "may challenge" in asked.content


# ── Waiting for the answer ──


async def test_message_that_shows_something_else_stays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_thinking(world, monkeypatch)
    desk = await play_bot(world)
    await push(desk)
    await desk.press("More…")
    board = desk.text
    assert THINKING not in board
    await do_next_task(world.bot.app)
    await look_for_answers(world)
    assert desk.text == board
    await desk.press("Resign…")
    asked = desk.text
    await look_for_answers(world)
    assert desk.text == asked


async def test_a_press_while_the_answer_is_prepared_is_not_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look has begun to show the answer when the player opens **More…** in the same message."""
    stop_thinking(world, monkeypatch)
    desk = await play_bot(world)
    await push(desk)
    await do_next_task(world.bot.app)
    forget, texts_shown = world.bot.bot_answers.forget, list[str]()

    async def prepare(game: int) -> StoredGame:
        monkeypatch.undo()
        found = await world.bot.app.games.game(game)
        forget(desk.message.id)  # as a press does before it shows something else
        texts_shown.append(desk.text)
        return found

    monkeypatch.setattr(world.bot.app.games, "game", prepare)
    await look_for_answers(world)
    assert texts_shown == [desk.text]


async def test_opened_again_it_waits_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_thinking(world, monkeypatch)
    first = await play_bot(world)
    await push(first)
    second = Desk(world.ann, await world.ann.slash(world.channel, "move"))
    assert THINKING in second.text
    await do_next_task(world.bot.app)  # as another process does
    await look_for_answers(world)
    assert first.dots
    assert second.dots


async def test_one_statement_a_second_for_all_who_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_thinking(world, monkeypatch)
    for person in (world.ann, world.bob, world.cara):
        page = Desk(person, await person.slash(world.channel, "gipf bot", level="1"))
        if page.dots:
            await push(page)
        assert THINKING in page.text
    await look_for_answers(world)
    with noted_statements(world) as found:
        await look_for_answers(world)
    assert len(found) == 1, found


async def test_nobody_waits_longer_than_14_minutes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_thinking(world, monkeypatch)
    desk = await play_bot(world)
    await push(desk)
    await world.env.advance_time(LONGEST_WAIT.total_seconds() + 1)
    with noted_statements(world) as found:
        await look_for_answers(world)
    assert found == []
    assert not world.bot.bot_answers.look.is_running()
    await do_next_task(world.bot.app)
    await look_for_answers(world)
    assert THINKING in desk.text


async def test_after_a_restart_a_button_shows_the_game(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_thinking(world, monkeypatch)
    desk = await play_bot(world)
    await push(desk)
    await world.restart()
    await do_next_task(world.bot.app)
    await look_for_answers(world)
    assert THINKING in desk.text
    await desk.press("More…")
    await desk.press("Move")
    assert desk.dots


async def test_a_draw_offer_is_answered_where_it_was_made(world: World) -> None:
    await play_bot(world, rules="overboard")
    desk = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="draw"))
    await desk.press("Offer a draw")
    await look_for_answers(world)
    assert "declined" in desk.text
    assert world.public() == []


async def test_takeback_is_granted_privately(world: World) -> None:
    desk = await play_bot(world)
    await push(desk)
    await look_for_answers(world)
    await desk.press("More…")
    await desk.press("Ask to take back…")
    await desk.press("Ask to take back")
    assert desk.text == "You have taken back your last turn and their answer in game #a1."
    assert (await world.game()).turn_number == 0
    await desk.press(texts.BOARD_LABEL)
    assert len(desk.dots) == 24
    assert world.public() == []


# ── What the next command says ──


async def test_end_that_nobody_saw_is_told_once(world: World) -> None:
    await play_bot(world)
    await bot_ends(world)
    first = await world.ann.slash(world.channel, "gipf help")
    assert private(first).content == "**#a1** is over. Ann (White) won: TestBot Beginner resigned."
    second = await world.ann.slash(world.channel, "gipf help")
    assert "#a1" not in private(second).content


async def test_end_that_was_seen_is_not_told(world: World) -> None:
    desk = await play_bot(world)
    await push(desk)
    await bot_ends(world)
    await look_for_answers(world)
    assert "resigned" in desk.text
    assert "#a1" not in private(await world.ann.slash(world.channel, "gipf help")).content


async def test_own_end_is_not_told(world: World) -> None:
    await play_bot(world)
    await world.bot.app.games.resign(1, world.ann.id)
    assert "#a1" not in private(await world.ann.slash(world.channel, "gipf help")).content


@pytest.mark.looks_every(24)
async def test_reminded_once_in_a_direct_message(world: World) -> None:
    await play_bot(world)
    await world.env.advance_time(30 * DAY)
    reminders = world.ann.user.dm_channel.history()
    assert len(reminders) == 1
    assert "#a1" in reminders[0].content
    assert world.public() == []
    desk = Desk(world.ann, await world.ann.user.click(reminders[0], label="Move"))
    assert desk.dots


@pytest.mark.looks_every(24)
async def test_shut_direct_messages_leave_it_to_the_next_command(world: World) -> None:
    await play_bot(world)
    world.fail("POST", f"/channels/{world.ann.user.dm_channel.id}/messages", *SHUT, times=FOR_EVER)
    await world.env.advance_time(30 * DAY)
    assert world.public() == []
    said = private(await world.ann.slash(world.channel, "gipf help")).content
    assert said.startswith("**#a1**, your private game against the bot, has waited for you since")
    assert "waits for you" not in private(await world.ann.slash(world.channel, "gipf help")).content


# ── Into the channel ──


async def moved(world: World, person: simcord.MemberActor) -> str:
    """Press **Play in the channel**, and confirm. Return what the bot says."""
    desk = Desk(person, await person.slash(world.channel, "gipf board", game="#a1"))
    await desk.press(game_texts.PLAY_IN_CHANNEL_LABEL)
    await desk.press(game_texts.MOVE_TO_CHANNEL_LABEL)
    return desk.text


async def test_play_in_the_channel_moves_it_for_good(world: World) -> None:
    await push(await play_bot(world))
    await moved(world, world.ann)
    assert (await world.stored()).venue == Venue(world.guild.id, world.channel.id)
    (board,) = world.public()
    assert world.pings(board) == {world.ann.id}
    desk = Desk(world.ann, await world.ann.click(board, label="Move"))
    assert game_texts.PLAY_IN_CHANNEL_LABEL not in labels(
        private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    )
    await push(desk)
    await world.env.settle()
    assert len(world.public()) == 3
    assert "#a1" in told(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    await bot_ends(world)
    rematch, _ = await world.bot.app.lobby.rematch(1, Seat(world.ann.id, "Ann"))
    assert rematch.game
    assert (await world.stored(rematch.game)).venue == Venue(world.guild.id, world.channel.id)


async def test_not_where_its_player_may_not_challenge(world: World) -> None:
    role = world.guild.create_role("players")
    await world.bot.app.servers.change(world.guild.id, {"challengers": role.id})
    await play_bot(world)
    assert "may challenge" in await moved(world, world.ann)
    assert (await world.stored()).venue == PRIVATE_VENUE
    await world.bot.app.servers.change(world.guild.id, {"challengers": None, "cap": 1})
    await challenge_bot(world)
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", game="#a1"))
    await desk.press(game_texts.PLAY_IN_CHANNEL_LABEL)
    assert "this server allows 1" in told(await world.ann.click(desk.message, label=game_texts.MOVE_TO_CHANNEL_LABEL))
    assert (await world.stored()).venue == PRIVATE_VENUE


async def test_not_where_the_bot_may_not_post(world: World) -> None:
    assert world.bot.user
    denied: dict[Any, discord.PermissionOverwrite] = {
        bot_handle(world): discord.PermissionOverwrite(send_messages=False)
    }
    closed = world.guild.create_text_channel("closed", overwrites=denied)
    await play_bot(world)
    desk = Desk(world.ann, await world.ann.slash(closed, "gipf board", game="#a1"))
    await desk.press(game_texts.PLAY_IN_CHANNEL_LABEL)
    await desk.press(game_texts.MOVE_TO_CHANNEL_LABEL)
    assert "send messages" in desk.text.casefold()
    assert (await world.stored()).venue == PRIVATE_VENUE


# ── How many ──


async def test_ten_at_most_and_the_answer_names_one_to_resign(world: World) -> None:
    for _ in range(10):
        await world.ann.slash(world.channel, "gipf bot", level="1")
    refused = private(await world.ann.slash(world.channel, "gipf bot", level="1"))
    assert "10 private games" in refused.content
    assert "**#a1**" in refused.content
    desk = Desk(world.ann, await world.ann.click(refused, label="Resign #a1"))
    await desk.press("Resign")
    assert (await world.game()).status is Status.OVER
    await world.ann.slash(world.channel, "gipf bot", level="1")
    assert (await world.game(11)).status is Status.RUNNING
    await world.ann.user.slash("gipf bot", level="1")
    assert (await world.stored(12)).venue.server is None
    assert (await world.stored(12)).venue != PRIVATE_VENUE


async def test_direct_messages_have_games_with_boards(world: World) -> None:
    said = told(await world.ann.user.slash("gipf bot", level="1"))
    assert "You play game #a1 against the bot, level 1 (Beginner)" in said
    assert world.ann.user.dm_channel.history()
    assert (await world.game()).colour_of(world.ann.id) in (Colour.WHITE, Colour.BLACK)


async def test_level_that_is_not_there(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf bot", level="9"))
    assert said == "`9` isn't a level. Choose one that is suggested, such as **3**."


# ── What its player may show ──


async def test_player_shows_boards_and_once_it_has_ended_the_record(world: World) -> None:
    await push(await play_bot(world))
    await do_next_task(world.bot.app)
    shown = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    assert await show(world, world.ann, shown) == SHOWN_TEXT
    posted = world.public()[-1]
    assert buttons(posted) == [LOOK_LABEL]
    assert "**#a1**" in posted.content
    assert texts.PRIVATE_GAME in told(await world.bob.click(posted, label=LOOK_LABEL))
    record = private(await world.ann.slash(world.channel, "gipf record", game="#a1"))
    assert "Nothing was shown: only its player" in await show(world, world.ann, record)
    await bot_ends(world)
    await world.ann.slash(world.channel, "gipf record", game="#a1")  # told of the end, too
    record = private(await world.ann.slash(world.channel, "gipf record", game="#a1"))
    assert await show(world, world.ann, record) == SHOWN_TEXT
