"""Who sees a game's channel may see the game, and nobody else. Cara does not see the channel here."""

import re

import discord
import pytest
import simcord
from discord import app_commands

from gipfbot.ui.commands import COMMANDS
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.interactions import KINDS
from gipfbot.values import News, Venue
from tests.support.games import PLAYED
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.world import World, deliver, options, private, told

from .hidden import hidden_game, press_carried

pytestmark = pytest.mark.looks_every(60)
# The buttons that lead a spectator to a game.
SPECTATOR_BUTTONS = (
    "board:1:2",
    "board:1:0",  # outdated
    "board_more:1",
    "game_board:1",
    "more:1::",
    "reasons:1:2:00000000",
    "listed_game:1:0:board",
    "why_row:1:2",
    "why_capture:1:2",
    "earlier_capture:1:2",
    "later_capture:1:0",
    "record:1",
    "replay:1",
    "study_game:1",
    "explore_game:1:0",
    "explored_game:1:0:0:AAAA:",
    "analyse:1",
    "analysis:1",
    "analysis_study:1:0",
    "analysis_point:1",
    "follow:1",
    "guess_turn:1:2",
    "set_follow:1:turn",
    "board_follow:1:turn",
)
# The other kinds of buttons and forms that name a game: only its players may use them, or they show nothing of it. A
# guess is refused in its own tests.
OTHER_KINDS = frozenset(
    """
    ask_claim_win ask_end_game ask_request bot_rematch claim_win conditional conditional_form desk end_game
    game_reminders guess guess_form message_desk move_to_channel note note_form make_request nudge open_desk plan plans
    play_in_channel rematch reminders type_turn type_turn_form withdraw_conditional
    """.split()
)


def commands_with(option: str) -> list[str]:
    """Return the names of all commands that have an option."""
    within = [c for group in COMMANDS if isinstance(group, app_commands.Group) for c in group.walk_commands()]
    commands = [c for c in (*COMMANDS, *within) if isinstance(c, app_commands.Command)]
    return [c.qualified_name for c in commands if any(p.name == option for p in c.parameters)]


def test_commands_that_name_a_game_are_known() -> None:
    known = [*SHOWING, *PLAYING, *ENDED]
    assert not (new := {*commands_with("game")} - {*known}), f"add to SHOWING, PLAYING or ENDED below: {new}"
    assert sorted(commands_with("game")) == sorted(known)


SHOWING = ("gipf board", "gipf record", "gipf replay", "gipf follow")
PLAYING = (
    "move",
    "gipf resign",
    "gipf if",
    "gipf-me reminders",
)
ENDED = ("gipf-learn analyse",)  # games of the person that are over  # fmt: skip


@pytest.mark.parametrize("command", SHOWING)
async def test_hidden_game_is_in_no_list(world: World, command: str) -> None:
    hidden = await hidden_game(world, *PLAYED[:2])
    assert await world.cara.autocomplete(world.channel, command, "game", "") == []
    assert options(private(await world.cara.slash(world.channel, command))) == {}
    assert told(await world.cara.slash(world.channel, command, game="#a1")) == texts.CANNOT_SEE_GAME
    for listing in ("gipf games", "gipf live"):
        assert "#a1" not in told(await world.cara.slash(world.channel, listing))
    offered = [choice["name"] for choice in await world.ann.autocomplete(hidden.channel, command, "game", "")]
    assert offered == ([] if command == "gipf follow" else ["#a1 vs Bob"]), "nobody follows their own game"


async def test_hidden_game_is_counted_but_named_by_no_figures(world: World) -> None:
    """Profiles, two people against each other, and the figures of the server, where it is followed most."""
    hidden = await hidden_game(world, *PLAYED[:2])
    await world.bot.app.follows.follow_game(17, hidden.id, News.RESULT)
    await world.let_manage(world.cara)
    for command, about in (
        ("gipf profile", {"player": world.ann}),
        ("gipf profile", {"player": world.ann, "against": world.bob}),
        ("gipf-server stats", {}),
    ):
        said = told(await world.cara.slash(world.channel, command, **about))
        assert "#a1" not in said, command
        assert re.search(r"\b1 (game|running)", said), command


def test_each_button_of_a_game_is_walked_or_named() -> None:
    """A new one has to be named: does it show a game to spectators?"""
    shows = {custom_id.partition(":")[0] for custom_id in SPECTATOR_BUTTONS}
    naming = {name for name, kind in KINDS.items() if "game" in kind.pattern.groupindex}
    assert not (new := naming - shows - OTHER_KINDS), f"add to SPECTATOR_BUTTONS or OTHER_KINDS above: {new}"
    assert naming == shows | OTHER_KINDS
    assert not shows & OTHER_KINDS


async def test_hidden_game_is_shown_by_no_button(world: World) -> None:
    """A modified client may send any custom_id."""
    await hidden_game(world, *PLAYED[:2])
    for custom_id in SPECTATOR_BUTTONS:
        said = await press_carried(world, world.cara, custom_id)
        assert texts.CANNOT_SEE_GAME in said, custom_id
        assert "Bob" not in said, custom_id


async def test_study_of_a_game_that_was_hidden_gets_no_new_turns(world: World) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation=PLAYED[0])
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    study = Desk(world.cara, await world.cara.click(shown, label="Study"))
    assert "**1. White:** a2 → b2 · also written `a2-c2`" in study.text
    await world.bob.slash(world.channel, "move", notation=PLAYED[1])
    again = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="study 1"))
    assert "**1. Black:** f1 → e2 · also written `f1-d2`" in again.text
    await hide(world)
    await world.ann.slash(world.channel, "move", notation=PLAYED[2])
    again = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="study 1"))
    assert "**1. Black:** f1 → e2 · also written `f1-d2` · this is the newest turn" in again.text


async def hide(world: World) -> None:
    """Let the games' channel be hidden from Cara. She asks from another one from now on."""
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.set_permissions(await channel.guild.fetch_member(world.cara.id), view_channel=False)
    world.channel = world.guild.create_text_channel("open")
    await world.env.settle()


@pytest.mark.parametrize("server", [True, False])
async def test_game_whose_channel_is_gone_is_for_its_players(world: World, server: bool) -> None:
    """So is a game in a private chat, even for somebody who asks from that very channel."""
    await world.begin()
    gone = Venue(world.guild.id, 17) if server else Venue(None, world.channel.id)
    await world.bot.app.venues.relocate(1, gone)
    said = told(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert said in (texts.CANNOT_SEE_GAME, texts.PLAYED_ELSEWHERE)
    assert await world.cara.autocomplete(world.channel, "gipf board", "game", "") == []
    assert "#a1" in told(await world.ann.slash(world.channel, "gipf board", game="#a1"))


async def test_thread_is_seen_by_who_sees_its_channel(world: World) -> None:
    await world.begin()
    thread = 17  # archived: the bot does not know it
    await world.bot.app.venues.relocate(1, Venue(world.guild.id, thread, world.channel.id))
    assert "Ann (White) vs Bob (Black)" in told(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert await offered(world, world.cara) == ["#a1 Ann vs Bob"]
    await hide(world)
    assert told(await world.cara.slash(world.channel, "gipf board", game="#a1")) == texts.CANNOT_SEE_GAME
    assert await offered(world, world.cara) == []


@pytest.mark.parametrize("hidden_from_her", [True, False])
async def test_result_of_a_hidden_game_is_not_announced(world: World, hidden_from_her: bool) -> None:
    """Cara sees the channel for results."""
    results = world.guild.create_text_channel("results")
    await world.bot.app.servers.change(world.guild.id, {"results": results.id})
    game = (await hidden_game(world, *PLAYED[:2])).id if hidden_from_her else await playing(world, *PLAYED[:2])
    await world.bot.app.games.resign(game, world.bob.id)
    await deliver(world)
    assert len(world.public(results)) == (not hidden_from_her)


async def offered(world: World, person: simcord.MemberActor) -> list[str]:
    """Return the games that /gipf board suggests to a person."""
    return [choice["name"] for choice in await person.autocomplete(world.channel, "gipf board", "game", "")]
