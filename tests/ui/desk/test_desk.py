"""Boards and desks: what is public, who may press, and what a press on something old does."""

import asyncio

import discord
import pytest
from simcord import SetupError

from gipfbot.match import Refused, Status
from gipfbot.rules import Remove
from gipfbot.ui.kit import texts
from tests.notation.helpers import at
from tests.ui.positions import CROSSING, GIPF_ROW
from tests.ui.table import Desk, open_desk
from tests.ui.world import FOR_EVER, World, buttons, custom_ids, labels, private, told

FULL_B = at("basic w W=b2,b3,b5 B=b4,e5,f5 reserve=12-12 captured=0-0")


async def test_board_is_text_with_a_described_picture_and_one_button(world: World) -> None:
    """Its first line is the push notification, and makes sense alone. The alt text describes the position."""
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    board = world.board()
    notification, turn = board.content.splitlines()
    assert notification == f"{world.bob.mention} your turn · game #a1 vs Ann · Ann played e1 → e2 · Bob is Black"
    assert turn == "**1. White:** e1 → e2"
    assert board.embeds == []
    (picture,) = board.attachments
    assert (await picture.read()).startswith(b"\x89PNG")
    assert "e1 → e2" in (picture.description or "")
    assert buttons(board) == ["Move", "More…", "How to play"]


async def test_one_public_message_for_each_whole_turn_and_none_before(world: World) -> None:
    game_id = await world.prepared(GIPF_ROW)
    posted = [m.id for m in world.public()]
    desk = await open_desk(world, game_id)
    for label in ("1 Take d2", "Done"):
        await desk.press(label)
    await desk.press("c1")
    assert [m.id for m in world.public()] == posted
    await desk.push("c2")
    assert [m.id for m in world.public()][:-1] == posted
    first, turn, recorded = world.public()[-1].content.splitlines()
    assert first.endswith(" · Ann played c1 → c2 and removed a row · Bob is Black")
    assert turn == "**1. White:** c1 → c2 · 5 back to White"
    assert recorded == "-# Also written `xGd2,d3,d4,d5;c2`"


@pytest.mark.parametrize(("dot", "said"), [("b1", "move along. The other line from b1 is full, so"), ("c1", "along.")])
async def test_desk_says_why_a_push_is_not_offered(world: World, dot: str, said: str) -> None:
    """Nothing can be pushed into a line without a free spot (R3.3)."""
    desk = await open_desk(world, await world.prepared(FULL_B))
    await desk.press(dot)
    assert said in desk.text
    assert ("is full" in desk.text) is (dot == "b1")


async def test_new_board_pings_the_next_player_and_replaces_the_button(world: World) -> None:
    await world.begin()
    old = world.board()
    await world.ann.slash(world.channel, "move", notation="c2")
    assert world.pings(world.board()) == {world.bob.id}
    with pytest.raises(SetupError, match="No matching component"):
        await world.ann.click(old, label="Move")


async def keep_old_buttons(world: World) -> None:
    """Let Discord refuse the edits that take the buttons off old boards."""
    world.fail("PATCH", f"/channels/{world.channel.id}/messages/*", 429, times=FOR_EVER)


@pytest.mark.parametrize("name", ["ann", "bob", "cara"])
async def test_the_button_of_an_old_board_leads_to_the_newest(world: World, name: str) -> None:
    """The old message loses its buttons. The person who pressed gets a link and nothing else."""
    await keep_old_buttons(world)
    await world.begin()
    old = world.board()
    await world.ann.slash(world.channel, "move", notation="c2")
    assert buttons(world.public()[-2]) == ["Move", "More…", "How to play"]
    before = await world.stored()
    answer = private(await getattr(world, name).click(old, label="Move"))
    assert world.board().jump_url in answer.content
    assert buttons(world.public()[-2]) == []
    assert buttons(world.public()[-1]) == ["Move", "More…", "How to play"]
    assert await world.stored() == before


async def test_the_opponent_gets_a_sentence_and_no_desk(world: World) -> None:
    game_id = await world.prepared(GIPF_ROW)
    before = await world.stored(game_id)
    answer = private(await world.bob.click(world.board(game_id), label=texts.REMOVE_LABEL))
    assert "not your turn. **#a1** is waiting for Ann" in answer.content
    assert labels(answer) == ["More…"]
    assert len(answer.attachments) == 1
    assert await world.stored(game_id) == before
    assert buttons(world.board(game_id)) == [texts.REMOVE_LABEL, texts.MORE_LABEL]


async def test_desk_is_visible_to_its_player_alone(world: World) -> None:
    await world.begin()
    desk = await open_desk(world)
    with pytest.raises(SetupError, match="not visible"):
        await world.bob.select(desk.message, ["c1"])


async def test_the_same_answer_twice_counts_once(world: World) -> None:
    """Two desks ask the same question. The second answer plays nothing and shows the current game."""
    game_id = await world.prepared(GIPF_ROW)
    first, second = [await open_desk(world, game_id) for _ in range(2)]
    await second.press("1 Take d2")
    await first.press("Done")
    stands = await world.stored(game_id)
    await second.press("Done")
    assert texts.GAME_MOVED_ON in second.text
    assert second.options == first.options
    assert await world.stored(game_id) == stands
    assert [action.spots for action in stands.game.draft if isinstance(action, Remove)] == [("d3", "d4", "d5")]


async def test_stale_desk_plays_nothing_and_shows_the_current_board(world: World) -> None:
    """This holds for its list and its push button, also when the same player is to move again."""
    await world.begin("basic")
    lists, pushes, later = [await open_desk(world) for _ in range(3)]
    await pushes.press("c1")
    await later.press("d1")
    await world.ann.slash(world.channel, "move", notation="c2")
    stands = await world.stored()
    await lists.press("a1")
    await pushes.push("c2")
    for desk in (lists, pushes):
        assert "Your last turn in this game was **b1 → c2**" in desk.text
        assert "not your turn. **#a1** is waiting for Bob" in desk.text
        assert world.board().jump_url in desk.text
        assert (desk.labels, desk.options) == (["More…", "How to play"], [])
        assert "c2" in desk.alt
    assert await world.stored() == stands
    await world.bob.slash(world.channel, "move", notation="g2")
    stands = await world.stored()
    await later.push("d2")
    assert texts.GAME_MOVED_ON in later.text
    assert "c1" in later.labels
    assert await world.stored() == stands


async def test_a_desk_of_a_finished_game_says_so(world: World) -> None:
    await world.begin("basic")
    desk = await open_desk(world)
    await desk.press("c1")
    await world.bot.app.games.resign(1, world.bob.id)
    await desk.push("c2")
    assert "This game is over" in desk.text
    assert desk.labels == ["More…"]
    game = await world.game()
    assert (game.status, game.turn_number) == (Status.OVER, 0)


async def test_a_board_of_a_finished_game_says_so(world: World) -> None:
    await world.begin("basic")
    board = world.board()
    done = await world.bot.app.games.resign(1, world.bob.id)
    assert "out of date" in told(await world.ann.click(board, label="Move"))
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    assert custom_ids(world.public()[-1]) == {"rematch:1"}


@pytest.mark.parametrize("restart", [False, True])
async def test_the_desk_opened_again_asks_the_same_question(world: World, restart: bool) -> None:
    """Decisions live in the database, the view in the buttons. Both outlive the bot."""
    game_id = await world.prepared(CROSSING)
    first = await open_desk(world, game_id)
    await first.press(next(label for label in first.labels if "b2–e5" in label))
    draft = (await world.game(game_id)).draft
    await first.press("a1")
    if restart:
        await world.restart()
    again = await open_desk(world, game_id)
    assert (await world.game(game_id)).draft == draft
    assert "c1" in again.labels
    await first.push("b2")
    assert (await world.confirmed(first.text)).startswith("xb2,c3,d4,e5;")
    await again.press("c1")
    assert "Your last turn in this game was **xb2,c3,d4,e5;" in again.text


async def test_after_a_turn_one_press_opens_the_next_game(world: World) -> None:
    await world.begin("basic")
    await world.begin("standard")
    desk = await open_desk(world, 1)
    await desk.press("c1")
    await desk.push("c2")
    assert "1 more game waits for you." in desk.text
    assert desk.labels == ["Plan ahead…", "Next: #b1 vs Bob"]
    board = world.board(1).id
    following = Desk(world.ann, await world.ann.click(desk.message, label="Next: #b1 vs Bob"))
    assert "**#b1** vs Bob · your turn 1 as White" in following.text
    assert "c1" in following.labels
    assert desk.message.id < board < following.message.id, "it stands below the new board, where the eye is"


async def test_two_answers_at_once_make_one_turn(world: World) -> None:
    """They come by buttons, by typing, or one of each. One is played, the other refused."""
    service, turns = world.bot.app, []
    await world.begin("basic")
    desk = await open_desk(world)
    await desk.press("c1")
    for typed in (False, True):
        game = await world.game()
        assert game.question
        user, push = world.player(game).id, game.question.pushes[0]
        ways = [service.games.play_typed(1, user, "d2" if user == world.ann.id else "f2")] if typed else []
        ways += [service.games.play_actions(1, user, (push,), game.version) for _ in range(2)]
        turns += await asyncio.gather(*ways, return_exceptions=True)
    refused = [answer for answer in turns if isinstance(answer, BaseException)]
    assert all(isinstance(answer, Refused) for answer in refused)
    assert len(turns) - len(refused) == (await world.game()).turn_number == 2


async def test_desk_opens_in_any_channel_and_in_private_chat(world: World) -> None:
    """The board is posted in the game's channel, wherever the turn was played."""
    game_id = await world.begin("basic")
    elsewhere = world.guild.create_text_channel("elsewhere")
    desk = Desk(world.ann, await world.ann.slash(elsewhere, "move"))
    await desk.press("c1")
    await desk.push("c2")
    assert await world.confirmed(told(await world.bob.user.slash("move", notation="g2"))) == "g2"
    assert world.public(elsewhere) == []
    assert world.pings(world.board(game_id)) == {world.ann.id}
    assert "Bob played g1 → g2" in world.board(game_id).content


async def test_in_the_private_chat_buttons_play_too(world: World) -> None:
    await world.begin("basic")
    answer = await world.ann.user.slash("move")
    shown = private(answer)
    await world.ann.user.click(shown, label="c1")
    await world.ann.user.click(shown, label="→ c2")
    assert await world.confirmed(shown.content) == "c2"
    assert (await world.game()).turn_number == 1


@pytest.mark.parametrize(
    "custom_id", ["desk:1:push", "board:x:1", "desk:1:0:z:dot:G", "open_desk:one", "desk:1:0", "g:1:0:push:c1c2"]
)
async def test_a_button_of_another_version_of_the_bot_is_answered(world: World, custom_id: str) -> None:
    """The answer is private, and nothing changes."""
    await world.begin("basic")
    before = await world.stored()
    view = discord.ui.View(timeout=None)
    is_select = "dot" in custom_id
    if is_select:
        options = [discord.SelectOption(label="a1", value="a1")]
        view.add_item(discord.ui.Select(custom_id=custom_id, options=options))
    else:
        view.add_item(discord.ui.Button(custom_id=custom_id, label="Old"))
    await world.bot.get_partial_messageable(world.channel.id).send("old", view=view)
    await world.env.settle()
    old = world.channel.history()[-1]
    pressed = await (world.ann.select(old, ["a1"]) if is_select else world.ann.click(old, label="Old"))
    assert told(pressed) == texts.UNKNOWN_BUTTON
    assert await world.stored() == before
