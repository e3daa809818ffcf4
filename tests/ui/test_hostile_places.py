"""Servers, channels, threads and roles whose names try to ping, to format, to link, to hide and to reorder.

The bot names places by mentions of Discord, which no name can change. Servers and voice channels are named in words.
"""

import logging

import pytest
import simcord
from simcord.results import InteractionResult

from gipfbot.match.game import drop_controls
from gipfbot.values import News
from tests.support.games import PLAYED
from tests.support.times import DAY

from .access_table import COMMANDS_TABLE
from .forged import answered_text, forger, formatted_text
from .hostile import CODE, assert_harmless
from .slash_commands import read_options, slash_commands
from .world import World, deliver, private

pytestmark = pytest.mark.looks_every(60)
SERVER = "@everyone <@1>\u202e**x**\n#h \u200b[a](https://e.org)"
NAMES = ("[a](https://e.org)\u2066`~|\n#h", "'; DROP--\x1b[2J\u200b../..\\_ @everyone", "`<@1>`\r\n**x**\u202e```\n#h")


async def rename_places(world: World, role: int) -> None:
    """Let the server, its channels, its threads and a role be called so, as the bot knows them."""
    guild = world.bot.get_guild(world.guild.id)
    assert guild
    found = guild.get_role(role)
    assert found
    guild.name, found.name = SERVER, NAMES[0]
    for number, place in enumerate((*guild.channels, *guild.threads)):
        place.name = NAMES[number % len(NAMES)]


async def play_and_end(world: World) -> None:
    """Let a game in a thread be challenged, played and followed, and let its result be announced."""
    await world.bot.app.follows.follow_game(world.cara.id, 1, News.EACH_TURN)
    for turn in PLAYED[:2]:
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)
    await world.env.advance_time(2 * DAY)
    await world.bot.app.games.resign(1, world.bob.id)
    await deliver(world)


def posted_texts(world: World) -> list[str]:
    """Return what the bot has posted, in channels, in threads and as direct messages."""
    people = (world.ann, world.bob, world.cara)
    places = [*world.guild.channels.values(), *world.channel.threads, *(person.user.dm_channel for person in people)]
    return [message.content for place in places for message in place.history() if message.author.bot]


async def answers_of_commands(world: World, boss: simcord.MemberActor) -> dict[str, InteractionResult]:
    """Return what a manager is answered by each command, with the options that `access_table.py` gives it."""
    rows = {row.use: [value.format(name="#a1", tournament=1) for value in row.values] for row in COMMANDS_TABLE}
    commands = {command.qualified_name: command for command in slash_commands()}
    assert not (new := commands.keys() - rows.keys()), f"say in COMMANDS_TABLE of tests/ui/access_table.py: {new}"
    return {
        name: await boss.slash(world.channel, name, **read_options(command, rows[name], world.ann.user))
        for name, command in commands.items()
    }


async def answers_on_settings(world: World, boss: simcord.MemberActor, talk: int) -> list[InteractionResult]:
    """Return what a manager is answered by the pages of settings, and for a voice channel."""
    forged = await forger(world, boss, world.channel)
    return [
        *[await forged.send(f"server_page:{page}") for page in ("terms", "look", "places")],
        *[await forged.send(f"server_choice:{name}", str(talk)) for name in ("channel", "results", "challengers")],
    ]


async def test_names_of_places_stay_names(
    world: World, boss: simcord.MemberActor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    role, results = world.guild.create_role("regulars"), world.guild.create_text_channel("results")
    talk = world.guild.create_voice_channel("talk")
    changes = {"channel": world.channel.id, "results": results.id, "threads": True}
    await world.bot.app.servers.change(world.guild.id, changes)
    await world.begin()
    await world.bot.app.servers.change(world.guild.id, {"challengers": role.id})
    await rename_places(world, role.id)
    await play_and_end(world)
    commands = await answers_of_commands(world, boss)
    settings = await answers_on_settings(world, boss, talk.id)
    answers = [*commands.values(), *settings]
    posted = posted_texts(world)
    assert len(posted) > 6
    assert len([text for text in posted if "settings" in text]) == 1
    for text in (*map(formatted_text, answers), *posted):
        assert_harmless(CODE.sub("", text))
    record = private(await world.ann.slash(world.channel, "gipf record", game="#a1"))
    sheet = (await record.attachments[0].read()).decode()
    for text in (*map(answered_text, answers), sheet):
        assert plain(text) == text
    assert '[Site "@everyone <@1>**x** #h [a](https://e.org)"]' in sheet
    assert "@\u200beveryone" in formatted_text(commands["gipf-server stats"])
    assert "cannot be chosen for **channel**" in formatted_text(settings[3])
    assert not [line for line in caplog.messages if any(name in line for name in (SERVER, *NAMES))]


def plain(text: str) -> str:
    """Return a text without controls and invisible signs, but for the one that keeps a name from being a ping."""
    parts = text.split("\u200b")
    return "\u200b".join(map(drop_controls, parts))
