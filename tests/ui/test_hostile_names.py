"""People whose names try to ping, to format, to link, to hide and to reorder what the bot says."""

from typing import Any

import discord
import pytest
import simcord

from gipfbot.match.game import drop_controls
from gipfbot.values import News
from tests.support.games import PLAYED
from tests.support.times import DAY

from .forged import forger, formatted_text
from .hostile import assert_harmless
from .world import World, deliver, told

pytestmark = pytest.mark.looks_every(60)
# Discord allows 32 characters.
NAMES = ("@everyone <@1>\u202e**x**", "[a](https://e.org)\u2066`~|\n#h", "'; DROP--\x1b[2J\u200b../..\\_")


def renamed(world: World, person: simcord.MemberActor, name: str) -> None:
    """Let a person call themself so."""
    world.env.backend.get_user(person.id).global_name = name


def all_said(world: World, channels: list[simcord.ChannelHandle]) -> list[discord.Message]:
    """Return all messages of the bot in these channels, its private ones too."""
    return [message for channel in channels for message in channel.history() if message.author.bot]


def labels_of(message: discord.Message) -> str:
    """Return what the buttons of a message say, as Discord's data."""
    return str([component.to_dict() for component in message.components])


async def test_hostile_names_stay_names(world: World) -> None:
    for person, name in zip((world.ann, world.bob, world.cara), NAMES, strict=True):
        renamed(world, person, name)
    results = world.guild.create_text_channel("results")
    await world.bot.app.servers.change(world.guild.id, {"results": results.id})
    await _let_them_join_a_league(world)
    await world.begin()
    await world.bot.app.follows.follow_game(world.cara.id, 1, News.EACH_TURN)
    for turn in PLAYED[:2]:
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)
    await world.env.advance_time(2 * DAY)
    bob = await forger(world, world.bob, world.channel)
    serial = (await world.game()).turn_serial
    said = [formatted_text(await bob.send(use)) for use in (f"nudge:1:{serial}", f"make_request:takeback:1:{serial}")]
    said += [await answers(world, person) for person in (world.ann, world.bob, world.cara)]
    await world.bot.app.games.resign(1, world.bob.id)
    await deliver(world)
    said.append(told(await world.ann.slash(world.channel, "move", notation="rematch", game="#a1")))
    await deliver(world)
    await world.env.advance_time(7 * DAY)
    await world.bot.app.tournament_course.go_on_with_due()
    await deliver(world)
    said += [await answers(world, person) for person in (world.ann, world.bob)]
    letters = [person.user.dm_channel for person in (world.ann, world.bob, world.cara)]
    messages = all_said(world, [world.channel, results, *letters])
    assert len(messages) > 6
    for message in messages:
        said.append(message.content)
        shown = labels_of(message) + "".join(picture.description or "" for picture in message.attachments)
        assert drop_controls(shown) == shown
    for text in said:
        assert_harmless(text)
    for seat in (await world.stored()).game.seats:
        assert seat.name.isprintable()


async def _let_them_join_a_league(world: World) -> None:
    """Let a league be opened under a hostile name, and let four people join it."""
    dan = world.guild.add_member(world.env.create_user("dan"))
    await world.let_manage(world.ann)
    await world.ann.slash(world.channel, "gipf-tournament new", name=NAMES[0])
    opened = world.public()[-1]
    for person in (world.ann, world.bob, world.cara, dan):
        assert (await person.click(opened, label="Join")).acknowledged


async def answers(world: World, person: simcord.MemberActor) -> str:
    """Return what a person is answered by commands that name others."""
    commands: list[tuple[str, dict[str, Any]]] = [
        ("gipf games", {}),
        ("gipf live", {}),
        ("gipf board", {"game": "#a1"}),
        ("gipf profile", {"player": world.ann}),
        ("gipf leaderboard", {}),
        ("gipf follow", {"player": world.bob}),
        ("gipf-me block list", {}),
        ("gipf record", {"game": "#a1"}),
        ("gipf-tournament list", {}),
        ("gipf-tournament show", {"tournament": "1"}),
    ]
    return "\n".join([formatted_text(await person.slash(world.channel, name, **given)) for name, given in commands])


async def test_record_of_hostile_names_is_plain(world: World) -> None:
    renamed(world, world.ann, NAMES[0])
    renamed(world, world.bob, NAMES[2])
    await world.begin()
    await world.ann.slash(world.channel, "move", notation=PLAYED[0])
    stored, record = await world.bot.app.studies.record(1, world.ann.id)
    assert [seat.name for seat in stored.game.seats] == ["@everyone <@1>**x**", "'; DROP--[2J../..\\_"]
    assert record
