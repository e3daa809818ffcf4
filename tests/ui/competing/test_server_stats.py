"""`/gipf-server stats`: what it says of a server, whose games it names, and servers where nothing happens."""

from typing import Any

import discord
import pytest
import simcord

from gipfbot.rules import OVERBOARD, STANDARD
from gipfbot.service.competing import profiles
from gipfbot.ui.competing import profile
from gipfbot.values import News, Venue
from render import THEMES
from tests.service.competing.ended_games import BLACK_WINS, DRAWN, Ending, live_through
from tests.support.games import PLAYED
from tests.support.people import OTHER_CLUB
from tests.support.times import DAY
from tests.ui.opened_message import OpenedMessage
from tests.ui.watching.hidden import hidden_game
from tests.ui.world import World, labels, told

pytestmark = pytest.mark.looks_every(60)
STATS = "gipf-server stats"


@pytest.fixture
async def cara(world: World) -> simcord.MemberActor:
    """Return Cara. She and Ann manage the server."""
    await world.let_manage(world.cara, world.ann)
    return world.cara


async def shown(world: World, person: simcord.MemberActor) -> OpenedMessage:
    return OpenedMessage(person, await person.slash(world.channel, STATS))


async def follow(world: World, game: int, number: int) -> None:
    """Let so many people follow a game."""
    for user in range(number):
        await world.bot.app.follows.follow_game(100 + user, game, News.EACH_TURN)


async def test_figures_say_what_is_played(world: World, cara: simcord.MemberActor) -> None:
    """Only to those who may use the command, privately, and without the games of other servers."""
    here = world.guild.id
    ended = [Ending(server=here)] * 2 + [
        Ending(server=here, result=BLACK_WINS),
        Ending(server=here, ruleset=STANDARD, result=BLACK_WINS),
        Ending(server=here, ruleset=OVERBOARD, result=DRAWN),
    ]
    await live_through(world.store, [*ended, *[Ending(server=OTHER_CLUB)] * 3])
    game = await world.begin()
    for person, turn in zip((world.ann, world.bob, world.ann), PLAYED, strict=False):
        await person.slash(world.channel, "move", notation=turn)
    await follow(world, game, 1)
    posted = len(world.channel.history())
    stats = await shown(world, cara)
    assert stats.text.splitlines() == [
        "**Club** · 1 running, 5 finished",
        "3 turns in the last 30 days",
        "**Basic:** White won 67 % of 3 games. That is too few to tell; in the long run, 21 to 94 % is likely.",
        "**Standard:** White won 0 % of 1 game. That is too few to tell; in the long run, 0 to 79 % is likely.",
        "**Most followed:** 1 follower",
        "**#i1** Ann vs Bob · Standard",
    ]
    (picture,) = stats.message.attachments
    assert picture.filename == "days.png"
    assert (picture.description or "").startswith("Turns a day, ")
    assert (picture.description or "").endswith(": 3 in all. Most: 3 on 1 Jan. Last 7 days: 0, 0, 0, 0, 0, 0, 3.")
    assert len(world.channel.history()) == posted
    await stats.press("Board #i1")
    assert "**#i1**" in OpenedMessage(cara, stats.last).text


async def test_figures_are_for_those_who_may_use_the_command(world: World) -> None:
    """They manage the server, or the server has given them the command."""
    with pytest.raises(simcord.SetupError, match="default-member-permissions"):
        await world.ann.slash(world.channel, STATS)
    with pytest.raises(simcord.SetupError, match="context"):
        await world.ann.user.slash(STATS)
    await world.let_use_server_commands(world.bob)
    await world.let_manage(world.cara)
    for person in (world.bob, world.cara):
        assert told(await person.slash(world.channel, STATS)) == profile.NO_GAMES_HERE


async def test_plot_has_the_theme_of_the_person_who_asks(
    world: World, cara: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation=PLAYED[0])
    await cara.slash(world.channel, "gipf-me settings", theme="night")
    themes, draw = [], world.bot.painter.png

    async def noted(described: Any, theme: Any, **options: Any) -> bytes:
        themes.append(theme)
        return await draw(described, theme, **options)

    monkeypatch.setattr(world.bot.painter, "png", noted)
    await shown(world, cara)
    assert themes == [THEMES["night"]]


async def test_month_without_turns_has_no_plot(world: World, cara: simcord.MemberActor) -> None:
    game = await world.begin()
    await world.ann.slash(world.channel, "move", notation=PLAYED[0])
    await world.bot.app.games.cancel_game(game, world.bob.id)
    await world.env.advance_time(31 * DAY)
    stats = await shown(world, cara)
    assert stats.text.splitlines() == [
        "**Club** · 0 running, 0 finished, 1 cancelled",
        profile.NO_TURNS_LATELY,
        profile.NO_WINNER_YET,
    ]
    assert stats.message.attachments == []


async def test_hidden_game_is_followed_most_but_the_next_is_named(
    world: World, cara: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cara does not see its channel; Ann plays in it. Hidden games, however many, leave room for the others."""
    monkeypatch.setattr(profiles, "MOST_FOLLOWED", 1)
    hidden = await hidden_game(world)
    open_game = await world.begin()
    await follow(world, hidden.id, 3)
    assert profile.NOBODY_FOLLOWS in (await shown(world, cara)).text
    await follow(world, open_game, 2)
    stats = await shown(world, cara)
    assert "**Most followed:** 2 followers\n**#b1** Ann vs Bob" in stats.text
    assert "#a1" not in stats.text
    assert "2 running" in stats.text, "games that others do not see are counted, too"
    assert "**Most followed:** 3 followers\n**#a1** Ann vs Bob" in (await shown(world, world.ann)).text


async def test_game_in_a_private_thread_is_not_named(world: World, cara: simcord.MemberActor) -> None:
    """A person who sees its channel need not see the thread."""
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    made = await channel.create_thread(name="ours", type=discord.ChannelType.private_thread)
    game, open_game = await world.begin(), await world.begin()
    await world.bot.app.venues.relocate(game, Venue(world.guild.id, made.id, channel.id))
    await follow(world, game, 2)
    await follow(world, open_game, 1)
    assert "**Most followed:** 1 follower\n**#b1**" in (await shown(world, cara)).text


async def test_game_whose_channel_is_gone_is_named_to_its_players(world: World, cara: simcord.MemberActor) -> None:
    game = await world.begin()
    await follow(world, game, 2)
    await world.bot.app.venues.relocate(game, Venue(world.guild.id, 17))
    stats = await shown(world, cara)
    assert profile.NOBODY_FOLLOWS in stats.text
    assert labels(stats.message) == []
    assert "**#a1** Ann vs Bob" in (await shown(world, world.ann)).text
