"""Games against the bot: challenges by level, on a server and in direct messages, and what the bot answers."""

import pytest
import simcord

from gipfbot.match import House, Status
from gipfbot.rules import Colour
from gipfbot.ui.kit.client import Posted
from gipfbot.ui.lobby import lobby_texts
from gipfbot.values import PRIVATE_VENUE, OutboxRow
from tests.support.background_work import do_next_task
from tests.ui.table import bot_handle, challenge_bot
from tests.ui.world import World, buttons, private, told

pytestmark = pytest.mark.looks_every(60)


def bot_id(world: World) -> int:
    assert world.bot.user
    return world.bot.user.id


async def test_level_begins_a_private_game_at_once(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf bot", level="3"))
    assert "level 3 (Amateur)" in said or "is thinking" in said
    stored = await world.stored()
    assert stored.game.terms.house == House(3, bot_id(world))
    assert stored.venue == PRIVATE_VENUE
    assert not stored.game.terms.rated
    assert stored.game.terms.time_control is None
    assert world.public() == []


async def test_bot_as_opponent_opens_its_page(world: World) -> None:
    said = private(await world.ann.slash(world.channel, "gipf challenge", opponent=bot_handle(world), rules="basic"))
    assert said.content.startswith("**Play the bot**")
    await world.ann.click(said, label="2 · Novice")
    game = await world.game()
    assert game.terms.house == House(2, bot_id(world))
    assert game.ruleset.name == "basic"


async def test_menu_opens_the_page_too(world: World) -> None:
    bot = simcord.MemberActor(world.env, world.guild, bot_handle(world))
    shown = await world.ann.context_menu(world.channel, "Challenge to GIPF", target=bot)
    assert told(shown).startswith("**Play the bot**")


async def test_page_says_which_terms_such_a_game_has(world: World) -> None:
    asked = {"opponent": bot_handle(world), "rated": True}
    assert lobby_texts.PRIVATE_TERMS in told(await world.ann.slash(world.channel, "gipf challenge", **asked))
    asked = {"opponent": bot_handle(world), "rated": True}
    assert lobby_texts.HOUSE_UNRATED in told(await world.ann.user.slash("gipf challenge", **asked))


async def test_other_bots_are_refused(world: World) -> None:
    other = world.guild.add_member(world.env.create_user("other", bot=True))
    answer = told(await world.ann.slash(world.channel, "gipf challenge", opponent=other))
    assert "Other bots don't play GIPF" in answer


async def test_bot_plays_first_as_white(world: World) -> None:
    await challenge_bot(world, colour="black")
    first, second = world.public()
    assert "is thinking" in first.content
    assert world.pings(first) == set()
    assert buttons(first) == []  # a newer board has them
    assert world.pings(second) == {world.ann.id}
    assert "TestBot Beginner played" in second.content


async def test_bot_answers_a_turn(world: World) -> None:
    game_id = await challenge_bot(world)
    await world.ann.slash(world.channel, "move", notation="a2-c2")
    game = await world.game(game_id)
    assert (game.turn_number, game.asked) == (2, Colour.WHITE)
    assert [world.pings(board) for board in world.public()] == [{world.ann.id}, set(), {world.ann.id}]


async def test_direct_messages_are_a_venue(world: World) -> None:
    answer = told(await world.ann.user.slash("gipf challenge", opponent=bot_handle(world), colour="black"))
    assert "You play game #a1" in answer
    stored = await world.stored()
    assert stored.venue.server is None
    assert stored.game.turn_number == 1
    assert stored.board_channel == stored.venue.channel
    answer = told(await world.ann.user.slash("move", notation="f2"))
    assert (await world.stored()).game.turn_number == 3, answer
    assert world.public() == []


async def test_people_cannot_be_challenged_in_direct_messages(world: World) -> None:
    assert "play the bot" in told(await world.ann.user.slash("gipf challenge")).replace("*", "")
    assert "play the bot" in told(await world.ann.user.slash("gipf challenge", opponent=world.bob)).replace("*", "")


async def test_takeback_is_granted_at_once(world: World) -> None:
    game_id = await challenge_bot(world)
    await world.ann.slash(world.channel, "move", notation="a2-c2")
    asked = private(await world.ann.slash(world.channel, "move", notation="undo"))
    assert "agrees at once" in asked.content
    done = private(await world.ann.click(asked, label="Ask to take back"))
    assert done.content == "You have taken back your last turn and their answer in game #a1."
    assert (await world.game(game_id)).turn_number == 0
    newest = world.public()[-1]
    assert "taken back" in newest.content
    assert "agreed" not in newest.content
    assert world.pings(newest) == {world.ann.id}


async def test_draw_offer_is_answered_where_it_stands(world: World) -> None:
    game_id = await challenge_bot(world, rules="overboard")
    asked = private(await world.ann.slash(world.channel, "move", notation="draw"))
    await world.ann.click(asked, label="Offer a draw")
    offer = world.public()[-1]
    assert "declined" in offer.content
    assert world.pings(offer) == set()
    assert buttons(offer) == []
    assert (await world.game(game_id)).status is Status.RUNNING


async def test_offer_declined_before_it_was_posted_is_answered_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await challenge_bot(world, rules="overboard")
    asked = private(await world.ann.slash(world.channel, "move", notation="draw"))
    deliver = world.bot.delivery.deliver

    async def deliver_late(owed: tuple[OutboxRow, ...]) -> tuple[Posted, ...]:
        await do_next_task(world.bot.app)
        return await deliver(owed)

    monkeypatch.setattr(world.bot.delivery, "deliver", deliver_late)
    said = "Ann's draw offer in #a1 was declined by TestBot Beginner. The game goes on."
    assert told(await world.ann.click(asked, label="Offer a draw")) == said
    assert world.public()[-1].content == said


async def test_list_of_games_says_that_the_bot_thinks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world.bot.house_loop, "wake", lambda: None)  # it is slow
    await challenge_bot(world, pace="3")
    await world.ann.slash(world.channel, "move", notation="a2-c2")
    assert "the bot is thinking" in told(await world.ann.slash(world.channel, "gipf games"))
    board = private(await world.ann.slash(world.channel, "gipf board"))
    assert "paused" not in board.content


async def test_rematch_button_begins_the_next_game(world: World) -> None:
    game_id = await challenge_bot(world)
    await world.bot.delivery.deliver((await world.bot.app.games.resign(game_id, world.ann.id)).owed)
    last = world.public()[-1]
    assert world.pings(last) == {world.ann.id}
    assert "#b1 begins" in told(await world.ann.click(last, label="Rematch"))
    game = await world.game(game_id + 1)
    assert game.house_colour is Colour.WHITE
    assert game.turn_number == 1


async def test_restart_while_the_bot_thinks_loses_nothing(world: World) -> None:
    game_id = await challenge_bot(world)
    await world.bot.app.games.play_typed(game_id, world.ann.id, "a2-c2")  # and killed before anything was posted
    await world.restart()
    await world.env.advance_time(10)
    assert (await world.stored(game_id)).game.turn_number == 2
