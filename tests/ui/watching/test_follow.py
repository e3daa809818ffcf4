"""Following games and players, as people see it."""

import discord
import pytest

from gipfbot.service.watching.follows import CHECK_SECONDS
from gipfbot.store import watching
from gipfbot.ui.kit import texts
from gipfbot.ui.records import record_texts
from gipfbot.ui.watching import watching_texts
from gipfbot.values import Follow, News
from tests.support.games import OPENING, PLAYED
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.world import World, buttons, deliver, labels, private, told

from .hidden import hidden_game, press_carried

pytestmark = pytest.mark.looks_every(60)
FOLLOWS_EACH_TURN = "You follow **#a1** Ann vs Bob: the bot sends you a direct message on each turn."


async def move(world: World, turn: str, game: str = "") -> None:
    """Let the player to move play a turn of the game, and let all that is owed be posted."""
    player = world.player(await world.game())
    await player.slash(world.channel, "move", notation=turn, game=game)
    await deliver(world)


def received(world: World) -> list[discord.Message]:
    """Return the direct messages that Cara has got, oldest first."""
    return [message for message in world.cara.user.dm_channel.history() if message.author.bot]


async def test_spectator_follows_by_one_press(world: World) -> None:
    """Each turn comes as a direct message that pings nobody in public."""
    await playing(world, *PLAYED[:2])
    board = private(await world.cara.click(world.board(), label="Move"))
    pressed = await world.cara.click(board, label="Follow")
    assert pressed.followups == [], "the board itself shows it"
    follow = Desk(world.cara, pressed)
    assert FOLLOWS_EACH_TURN in follow.text
    assert follow.labels[:3] == ["Only the result", "Following · Stop", "Guess"]
    await move(world, PLAYED[2])
    (message,) = received(world)
    assert message.content.splitlines() == [
        "#a1 Ann vs Bob · Ann played b1 → b2 · Bob's turn",
        f"[The newest board]({world.board().jump_url})",
    ]
    assert buttons(message) == ["Board", "Replay", "Guess", "Stop following #a1"]
    assert "pushed b1 → b2" in (message.attachments[0].description or "")
    assert not world.pings(message)
    shown = private(await world.cara.user.click(message, label="Board"))
    assert "waiting for Bob" in shown.content
    assert "Following · Stop" in str(shown.components)


async def test_board_shows_what_a_spectator_is_told(world: World) -> None:
    """A board that was opened earlier, too, as soon as it is pressed."""
    await playing(world, *PLAYED[:2])
    older, board = [Desk(world.cara, await world.cara.click(world.board(), label="Move")) for _ in range(2)]
    await board.press("Follow")
    await board.press("Only the result")
    assert "a direct message on the result" in board.text
    await older.press("Follow")
    assert "a direct message on the result" in older.text
    assert older.labels[:2] == ["Each turn", "Following · Stop"]
    await older.press("Following · Stop")
    assert (older.labels[0], "You follow" in older.text) == ("Follow", False)
    assert await world.bot.app.follows.follows_of(world.cara.id) == []
    await board.press("Following · Stop")
    assert board.labels[0] == "Follow"


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        ("b1-b3", "-# Your guess was **b1 → b2**: right, the exact turn, 3 points"),
        ("e1-e3", "-# Your guess was **e1 → e2**: wrong, no points"),
    ],
)
async def test_news_say_how_good_the_followers_guess_was(world: World, guess: str, said: str) -> None:
    """Once: the news of the next turn, and of an end without a turn, say nothing of it."""
    await playing(world, *PLAYED[:2])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    await world.bot.app.guesses.guess(world.cara.id, 1, (await world.game()).turn_serial, guess)
    await move(world, PLAYED[2])
    done = await world.bot.app.games.resign(1, world.bob.id)
    await world.bot.delivery.deliver(done.owed)
    await deliver(world)
    turn, end = received(world)
    assert turn.content.splitlines()[:2] == ["#a1 Ann vs Bob · Ann played b1 → b2 · Bob's turn", said]
    assert "guess" not in end.content


async def test_each_turn_is_a_message_of_its_own(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    for turn in PLAYED[2:5]:
        await move(world, turn)
    said = [message.content.splitlines()[0] for message in received(world)]
    turns = [("Ann", "b1 → b2"), ("Bob", "i5 → h5"), ("Ann", "b6 → b5")]
    assert [f"{name} played {push}" in line for (name, push), line in zip(turns, said, strict=True)] == [True] * 3


async def test_following_is_changed_and_ended_by_buttons(world: World) -> None:
    await playing(world, *PLAYED[:2])
    follow = Desk(world.cara, await world.cara.slash(world.channel, "gipf follow"))
    assert follow.text == FOLLOWS_EACH_TURN
    await follow.press("Only the result")
    assert "a direct message on the result" in follow.text
    await move(world, PLAYED[2])
    assert received(world) == []
    await follow.press("Each turn")
    await move(world, PLAYED[3])
    (message,) = received(world)
    assert "You no longer follow **#a1**" in told(await world.cara.user.click(message, label="Stop following #a1"))
    await move(world, PLAYED[4])
    assert len(received(world)) == 1
    await follow.press("Stop following #a1")
    assert follow.text == watching_texts.NOT_FOLLOWED


async def test_news_and_the_live_list_say_that_a_row_came_off(world: World) -> None:
    """In words, as the channel does: its notation is too long for a line."""
    await playing(world, *OPENING[:4])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    await move(world, "b6-b4;xb2,b3,Gb4,b5")
    (message,) = received(world)
    assert message.content.startswith("#a1 Ann vs Bob · Ann played b6 → b5 and removed a row · Bob's turn\n")
    live = private(await world.cara.slash(world.channel, "gipf live"))
    assert "\nAnn played b6 → b5 and removed a row · Bob's turn" in live.content


async def test_result_is_told(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.cara.slash(world.channel, "gipf follow", game="#a1", news="result")
    done = await world.bot.app.games.resign(1, world.bob.id)
    await world.bot.delivery.deliver(done.owed)
    await deliver(world)
    (message,) = received(world)
    assert message.content.startswith("#a1 Ann vs Bob is over. Ann (White) won: Bob resigned.")
    assert buttons(message) == ["Board", "Replay"]
    replay = private(await world.cara.user.click(message, label="Replay"))
    assert "Show here" not in labels(replay)
    assert record_texts.SHOWN_IN_CHANNEL in replay.content
    assert told(await world.cara.slash(world.channel, "gipf follow")) == watching_texts.NOTHING_TO_FOLLOW


async def test_player_is_followed_in_games_that_the_follower_sees(world: World) -> None:
    """A game in a hidden channel is not told, and Discord is asked once about it."""
    said = told(await world.cara.slash(world.channel, "gipf follow", player=world.ann))
    assert (
        said == "You follow **Ann**: the bot sends you a direct message on each turn of Ann's games that you can see."
    )
    await hidden_game(world, *PLAYED[:2])
    await deliver(world)
    assert received(world) == []
    game = await playing(world, *PLAYED[:1])
    await deliver(world)
    assert [message.content.split(" · ")[0] for message in received(world)] == ["#b1 Ann vs Bob"]
    assert (await world.game(game)).turn_number == 1
    assert "**You follow 1** (at most 50)" in told(await world.cara.slash(world.channel, "gipf follow"))


async def test_a_stop_says_what_it_stops_and_has_a_way_back(world: World) -> None:
    """A message is headed by its game, also if it comes because a player is followed."""
    await world.cara.slash(world.channel, "gipf follow", player=world.ann)
    await playing(world, *PLAYED[:1])
    await deliver(world)
    (message,) = received(world)
    assert buttons(message)[-1] == "Stop following this player"
    ended = private(await world.cara.user.click(message, label="Stop following this player"))
    assert (ended.content, labels(ended)) == ("You no longer follow **Ann**.", ["Follow again"])
    assert await world.bot.app.follows.follows_of(world.cara.id) == []
    again = private(await world.cara.user.click(ended, label="Follow again"))
    assert again.content.startswith("You follow **Ann**: the bot sends you a direct message on each turn")
    assert labels(again) == ["Only the result", "Stop following this player"]
    game = Desk(world.cara, await world.cara.slash(world.channel, "gipf follow", game="#a1", news="result"))
    still = " You still get each turn, because you follow **Ann**."
    assert game.text == f"You follow **#a1** Ann vs Bob: the bot sends you a direct message on the result.{still}"
    board = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert still in board.text
    await game.press("Each turn")
    assert "still" not in game.text
    await game.press("Stop following #a1")
    assert game.text == f"You no longer follow **#a1** Ann vs Bob.{still}"
    await game.press("Follow again")
    assert game.text == FOLLOWS_EACH_TURN


async def test_list_of_follows_ends_each(world: World) -> None:
    await playing(world, *PLAYED[:1])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    said = told(await world.cara.slash(world.channel, "gipf follow", player=world.bob, news="result"))
    assert said.endswith("a direct message on the result of each of Bob's games that you can see.")
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf follow"))
    assert shown.text.splitlines()[1:] == ["• **#a1** Ann vs Bob · each turn", "• **Bob** · results only"]
    await shown.choose("#a1 Ann vs Bob")
    assert shown.options == ["Bob"]
    await shown.choose("Bob")
    assert shown.text == watching_texts.FOLLOWS_NOTHING


async def test_fifty_follows_are_all_listed(world: World) -> None:
    async with world.store.transaction() as db:
        for number in range(50):
            new = Follow(0, world.cara.id, None, number + 1, "W" * 32, News.EACH_TURN)
            await watching.add_follow(db, new, 0)
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf follow"))
    assert len(shown.text.splitlines()) == 51
    assert len(shown.text) < 4000
    assert "You follow 50 games and players, which is the most" in told(
        await world.cara.slash(world.channel, "gipf follow", player=world.ann)
    )


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ann", {"game": "#a1"}, "You play in this game"),
        ("cara", {"game": "#z9"}, "There is no such game"),
        ("cara", {"game": "seven"}, "isn't a game"),
        ("cara", {"game": "#b1"}, texts.CANNOT_SEE_GAME),
        ("cara", {"game": "#a1", "news": "off"}, watching_texts.NOT_FOLLOWED),
        ("cara", {"news": "off"}, watching_texts.FOLLOWS_NOTHING),
        ("ann", {}, watching_texts.NOTHING_TO_FOLLOW),
    ],
)
async def test_bad_input_changes_nothing(world: World, name: str, options: dict[str, str], said: str) -> None:
    await playing(world, *PLAYED[:1])
    await hidden_game(world)
    person = getattr(world, name)
    assert said in told(await person.slash(world.channel, "gipf follow", **options))
    assert await world.bot.app.follows.follows_of(person.id) == []


async def test_players_who_cannot_be_followed_are_named(world: World) -> None:
    await playing(world, *PLAYED[:1])
    assert "can't follow yourself" in told(await world.cara.slash(world.channel, "gipf follow", player=world.cara))
    both = await world.cara.slash(world.channel, "gipf follow", player=world.ann, game="#a1")
    assert told(both) == watching_texts.GAME_OR_PLAYER
    assert await world.bot.app.follows.follows_of(world.cara.id) == []


async def test_shut_messages_end_it_and_are_told_at_the_next_command(world: World) -> None:
    """It is told once, below the answer to the command."""
    await playing(world, *PLAYED[:1])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    world.fail("POST", "/users/@me/channels", 403, 50007)
    await move(world, PLAYED[1])
    assert await world.bot.app.follows.follows_of(world.cara.id) == []
    answer = await world.cara.slash(world.channel, "gipf board", game="#a1")
    assert told(answer) == "**You no longer follow:**\n• **#a1** Ann vs Bob: your direct messages are shut"
    assert answer.response
    assert "waiting for Ann" in str(answer.response.components)
    assert "no longer follow" not in told(await world.cara.slash(world.channel, "gipf board", game="#a1"))


async def test_follower_who_left_gets_nothing_any_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await playing(world, *PLAYED[:1])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    later = world.bot.app.now() + CHECK_SECONDS + 1
    monkeypatch.setattr(world.bot.app.follows, "now", lambda: later)
    world.guild.remove_member(world.cara)
    await world.env.settle()
    await move(world, PLAYED[1])
    assert received(world) == []
    assert await world.bot.app.follows.follows_of(world.cara.id) == []


async def test_follow_outlives_a_start_before_the_servers_are_known(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then nobody can tell whether the follower sees the channel, so the message waits."""
    await playing(world, *PLAYED[:1])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    later = world.bot.app.now() + CHECK_SECONDS + 1
    monkeypatch.setattr(world.bot.app.follows, "now", lambda: later)
    with monkeypatch.context() as patch:
        patch.setattr(world.bot, "is_ready", lambda: False)
        patch.setattr(world.bot, "get_guild", lambda _: None)
        await move(world, PLAYED[1])
    assert received(world) == []
    monkeypatch.setattr(world.bot.app.outbox, "now", lambda: later)
    await deliver(world)
    assert len(received(world)) == 1


async def test_hidden_game_is_not_followed_by_any_button(world: World) -> None:
    await hidden_game(world, *PLAYED[:1])
    for custom_id in ("follow:1", "set_follow:1:turn", "set_follow:1:result"):
        assert texts.CANNOT_SEE_GAME in await press_carried(world, world.cara, custom_id)
    assert await world.cara.autocomplete(world.channel, "gipf follow", "game", "") == []
    assert await world.bot.app.follows.follows_of(world.cara.id) == []
