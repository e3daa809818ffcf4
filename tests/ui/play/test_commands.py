"""The commands beside /move: boards, lists, ending games, settings, help; and void games."""

import re

import discord
import pytest

from gipfbot.match import Status
from gipfbot.rules import Reason
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.play import game_texts
from tests.support.games import CIRCLE
from tests.ui.listed_games import press_listed
from tests.ui.positions import GIPF_ROW, OFFER
from tests.ui.table import Desk, open_desk
from tests.ui.world import World, custom_ids, labels, options, private, told

# ── /gipf board, /gipf games ──


async def test_board_command_shows_a_player_the_way_to_the_desk(world: World) -> None:
    game_id = await world.begin()
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    assert "**#a1** · Ann (White) vs Bob (Black) · Standard · turn 1, waiting for you." in shown.text
    assert world.board(game_id).jump_url in shown.text
    assert "b5" in shown.alt
    await shown.press("Move")
    assert "Choose the dot" in shown.text
    others = private(await world.bob.slash(world.channel, "gipf board"))
    assert labels(others) == [
        "Plan ahead…",
        "How to play",
        "Private note",
        "Resign…",
        "Flip",
        "Study",
        SHOW_HERE_LABEL,
    ]
    assert len(others.attachments) == 1


async def test_spectator_sees_games_of_their_server_only(world: World) -> None:
    """It does not matter where they ask."""
    await world.begin()
    before = await world.stored()
    other = await world.add_guild("Other")
    cara, hall = other.add_member(world.cara.user), other.create_text_channel("hall")
    for answer in (
        await world.cara.slash(world.channel, "gipf board", game="#a1"),
        await cara.slash(hall, "gipf board", game="#a1"),
        await world.cara.user.slash("gipf board", game="#a1"),
    ):
        shown = private(answer)
        assert "waiting for Ann" in shown.content
        assert len(shown.attachments) == 1
        offered = [label for label in labels(shown) if label != SHOW_HERE_LABEL]  # on servers only
        assert offered == ["Follow", "Guess", "How to play", "Flip", "Study"]
    stranger = other.add_member(world.env.create_user("dan"))
    for answer in (
        await stranger.slash(hall, "gipf board", game="#a1"),
        await stranger.user.slash("gipf board", game="#a1"),
    ):
        shown = private(answer)
        assert shown.content == texts.PLAYED_ELSEWHERE
        assert shown.attachments == []
    assert await world.stored() == before
    ann = other.add_member(world.ann.user)
    assert "waiting for you" in told(await ann.slash(hall, "gipf board", game="#a1"))
    never = discord.PermissionOverwrite(view_channel=False)
    hidden = world.guild.create_text_channel("hidden", overwrites={world.cara: never})
    await world.begin(channel=hidden)
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#b1"))
    assert shown.content == texts.CANNOT_SEE_GAME
    assert shown.attachments == []


async def test_a_finished_game_can_still_be_looked_at(world: World) -> None:
    await world.begin()
    await world.bot.app.games.resign(1, world.ann.id)
    shown = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    assert shown.content.splitlines()[0].endswith("the game is over.")
    assert shown.content.splitlines()[1] == "Bob (Black) won: Ann resigned."
    assert labels(shown) == ["Flip", "Study", "Rematch", "Private note", SHOW_HERE_LABEL]
    await world.begin()
    await world.bot.app.games.cancel_game(2, world.bob.id)
    assert "cancelled: no result" in told(await world.ann.slash(world.channel, "gipf board", game="#b1"))


async def test_a_board_can_be_read_as_text(world: World) -> None:
    """This serves screen readers and terminals. The buttons are those of the picture, also after picking a game."""
    await world.begin()
    shown = private(await world.ann.slash(world.channel, "gipf board", text=True))
    assert shown.attachments == []
    text, block = shown.content.split("\n```\n", 1)
    assert text.startswith("**#a1** · Ann (White) vs Bob (Black)")
    assert block.startswith("White to move.\nWhite, Ann: GIPF-pieces b5 e2 h5; 12 in\nreserve.\n")
    assert "     GB      .       .       GB\n" in block
    assert labels(shown) == [
        "Move",
        "Type a turn",
        "How to play",
        "Private note",
        "Resign…",
        "Flip",
        "Study",
        SHOW_HERE_LABEL,
    ]
    await world.begin("basic")
    picking = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", text=True))
    await picking.choose("#b1 vs Bob")
    assert "\n```\nWhite to move.\n" in picking.text
    assert picking.message.attachments == []


async def test_board_with_a_row_due_asks_to_remove_it(world: World) -> None:
    await world.prepared(GIPF_ROW)
    assert labels(private(await world.ann.slash(world.channel, "gipf board")))[0] == texts.REMOVE_LABEL


async def test_the_list_of_games_says_what_waits_for_whom(world: World) -> None:
    """Games that wait for the player come last. Each can be opened from the list."""
    await world.begin("basic")
    await world.begin("tournament")
    await world.ann.slash(world.channel, "move", notation="c2", game="#a1")
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    others, waiting = shown.text.split("**Waiting for you**")
    assert re.search(r"\n\*\*Next: \[#b1\]\(.*\) vs Bob · turn began <t:\d+:R>\*\* · you're White\n", waiting)
    assert waiting.endswith("**New:** Tournament · you begin")
    assert waiting.count("#b1") == 1
    assert ")** vs Bob · you're White\n**1. White:** b1 → c2\ntheir turn began <t:" in others
    assert "**[#a1](" in others
    assert shown.labels == ["Board #a1", "Move #b1", "Ended games"]
    await press_listed(shown, "#a1")
    assert "**#a1** · Ann (White) vs Bob (Black) · Basic · turn 1, waiting for Bob" in shown.text
    assert shown.labels == [
        "Plan ahead…",
        "How to play",
        "Private note",
        "Ask to take back…",
        "Resign…",
        "Flip",
        "Replay",
        "Record",
        "Study",
        SHOW_HERE_LABEL,
        "All games",
    ]


async def test_no_games_says_how_to_start_one(world: World) -> None:
    await world.begin()
    for command in ("gipf games", "gipf resign", "gipf if"):
        shown = private(await world.cara.slash(world.channel, command))
        assert "no running games. Start one with **/gipf challenge**" in shown.content
        assert options(shown) == {}


# ── /gipf resign ──


async def test_resigning_asks_once_and_tells_both(world: World) -> None:
    await world.begin()
    for turn in ("c2", "f2"):
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)
    before = await world.game()
    asked = Desk(world.bob, await world.bob.slash(world.channel, "gipf resign"))
    assert "Resign #a1 against Ann?" in asked.text
    assert asked.labels == ["Resign", "Keep playing"]
    assert await world.game() == before
    posted = len(world.public())
    await asked.press("Resign")
    assert "You have resigned #a1" in asked.text
    assert asked.labels == []
    (last,) = world.public()[posted:]
    assert "Ann (White) wins #a1 in 1 turn · Bob resigned" in last.content
    assert (last.attachments[0].description or "").startswith("White wins, Black: resigned. It took 1 turn. Black")
    assert world.pings(last) == {world.ann.id, world.bob.id}
    assert custom_ids(last) == {"rematch:1", "record:1", "replay:1", "explore_game:1:0", "analyse:1"}
    result = (await world.game()).position.result
    assert result
    assert (result.winner, result.by) == (0, Reason.RESIGN)


async def test_keep_playing_changes_nothing(world: World) -> None:
    await world.begin()
    before = await world.stored()
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf resign"))
    await asked.press("Keep playing")
    assert asked.text == game_texts.GAME_GOES_ON
    assert asked.labels == []
    assert await world.stored() == before


@pytest.mark.parametrize("name", ["ann", "bob"])
async def test_before_both_have_moved_either_may_call_the_game_off(world: World, name: str) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="c2")
    person = getattr(world, name)
    asked = Desk(person, await person.slash(world.channel, "gipf resign"))
    assert asked.labels == ["Cancel it", "Resign", "Keep playing"]
    await asked.press("Cancel it")
    assert "#a1 is cancelled" in asked.text
    game = await world.game()
    assert (game.status, game.position.result) == (Status.CANCELLED, None)
    last = world.public()[-1]
    assert f"was cancelled by {name.capitalize()}" in last.content
    assert world.pings(last) == {world.ann.id, world.bob.id}


async def test_once_both_have_moved_a_game_cannot_be_called_off(world: World) -> None:
    """A confirmation that was asked for before that asks again."""
    await world.begin()
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf resign"))
    for turn in ("c2", "f2"):
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)
    before = await world.stored()
    await asked.press("Cancel it")
    assert game_texts.ASKED_AGAIN in asked.text
    assert asked.labels == ["Resign", "Keep playing"]
    assert await world.stored() == before


async def test_a_resignation_asked_for_an_older_position_is_asked_again(world: World) -> None:
    await world.begin()
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf resign"))
    await world.ann.slash(world.channel, "move", notation="c2")
    await asked.press("Resign")
    assert game_texts.ASKED_AGAIN in asked.text
    assert (await world.game()).status is Status.RUNNING
    await asked.press("Resign")
    assert "You have resigned #a1" in asked.text


async def test_a_game_ends_once(world: World) -> None:
    await world.begin()
    first, second = [Desk(world.ann, await world.ann.slash(world.channel, "gipf resign")) for _ in range(2)]
    await first.press("Resign")
    stands, posted = await world.stored(), len(world.public())
    await second.press("Resign")
    assert "Bob (Black) won: Ann resigned." in second.text
    assert second.labels == ["Flip", "Study", "Rematch", "Private note", SHOW_HERE_LABEL]
    assert "This game is over" in told(await world.ann.slash(world.channel, "gipf resign", game="#a1"))
    assert await world.stored() == stands
    assert len(world.public()) == posted


# ── Settings and help ──


async def test_a_typed_turn_is_shown_first_if_wanted(world: World) -> None:
    """`Play it` plays it, `Something else` opens the desk. A stale one is not played."""
    await world.begin("basic")
    settings = private(await world.ann.slash(world.channel, "gipf-me settings"))
    assert "Confirm typed turns: off" in labels(settings)
    answer = private(await world.ann.user.slash("gipf-me settings", confirm_typed=True))
    assert "Confirm typed turns: on" in labels(answer)
    before = await world.stored()
    shown, again, late = [
        Desk(world.ann, await world.ann.slash(world.channel, "move", notation="c2")) for _ in range(3)
    ]
    assert "You typed **c2**" in shown.text
    assert "c2" in shown.alt
    assert shown.labels == [game_texts.PLAY_LABEL, game_texts.SOMETHING_ELSE_LABEL]
    await again.press(game_texts.SOMETHING_ELSE_LABEL)
    assert "a1" in again.labels
    assert await world.stored() == before
    await shown.press(game_texts.PLAY_LABEL)
    assert await world.confirmed(shown.text) == "c2"
    stands = await world.stored()
    await late.press(game_texts.PLAY_LABEL)
    assert "Your last turn in this game was **b1 → c2**" in late.text
    assert await world.stored() == stands
    assert told(await world.bob.slash(world.channel, "move", notation="g2")).startswith("Played")
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=False)
    assert await world.confirmed(told(await world.ann.slash(world.channel, "move", notation="f2"))) == "f2"


async def test_faulty_turn_is_refused_before_it_is_shown(world: World) -> None:
    await world.begin("basic")
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=True)
    shown = private(await world.ann.slash(world.channel, "move", notation="e4"))
    assert "not next to a dot" in shown.content
    assert labels(shown)[:2] == ["Play e1-e3", "Play d1-f2"]


async def test_a_turn_confirmed_that_leaves_something_open_is_asked_on(world: World) -> None:
    game_id = await world.prepared(GIPF_ROW)
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=True)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="xd3,d4,d5"))
    assert (await world.game(game_id)).draft == ()
    await shown.press(game_texts.PLAY_LABEL)
    assert "a1" in shown.labels
    assert len((await world.game(game_id)).draft) == 1


# ── R6.3 ──


async def test_position_for_the_third_time_makes_the_game_void(world: World) -> None:
    """R6.3: the start counts, too. The second time nothing happens. Then nobody loses, and both are told."""
    await world.begin("basic")
    for turn in (*CIRCLE, *CIRCLE):
        game = await world.game()
        assert game.status is Status.RUNNING
        answer = await world.player(game).slash(world.channel, "move", notation=turn)
        assert await world.confirmed(told(answer))
    game = await world.game()
    assert (game.status, game.turn_number) == (Status.OVER, 16)
    assert game.position.result
    assert (game.position.result.winner, game.position.result.by) == (None, Reason.REPETITION)
    last, again = world.public()[-2:]
    assert "game #a1 is void: this position has occurred three times" in last.content
    assert "#b1 begins now, with colours swapped" in last.content
    assert "your turn · game #b1 vs Ann" in again.content
    assert "A new game starts by itself" in told(answer)
    assert world.pings(last) == {world.ann.id, world.bob.id}
    assert custom_ids(last) == {"record:1", "replay:1", "explore_game:1:0", "analyse:1"}


async def test_the_third_time_counts_however_a_turn_is_played(world: World) -> None:
    """The last turn is played by buttons. A built start counts from its first repetition on."""
    await world.begin("basic")
    for turn in (*CIRCLE, *CIRCLE[:-1]):
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)
    desk = await open_desk(world)
    await desk.press("g1")
    await desk.push("g2")
    assert (await world.game()).status is Status.OVER
    assert "is void" in world.public()[-2].content


async def test_offer_that_stays_is_asked_again_each_turn(world: World) -> None:
    """R4.7: it is asked before the push and after it."""
    game_id = await world.prepared(OFFER)
    for turn in ("c2", "f2"):
        desk = await open_desk(world, game_id)
        assert (desk_texts.TAKE_FIRST_LABEL in desk.labels) == (turn == "c2")
        await world.player(await world.game(game_id)).slash(world.channel, "move", notation=turn)
    assert desk_texts.TAKE_FIRST_LABEL in (await open_desk(world, game_id)).labels
