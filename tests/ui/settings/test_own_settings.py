"""Settings that are defined here alone work everywhere: a row, its words, and nothing else."""

from dataclasses import dataclass, replace
from typing import Any

import discord
import pytest
import simcord

from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.settings.servers import GATHER_SECONDS, Servers, ServerSettings
from gipfbot.service.settings.setting_rows import Announced, Place, choice, place, switch
from gipfbot.service.settings.users import Users, UserSettings
from gipfbot.store import Store, servers, users
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.commands import arranged
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.controls import SETTING_TEXTS, PlaceText, SettingText, settings_command
from gipfbot.ui.kit.interactions import slash_group
from gipfbot.ui.settings import server
from gipfbot.ui.settings.server import SERVER_TEXTS, change_server_settings
from gipfbot.ui.settings.user import USER_TEXTS, change_user_settings
from tests.ui.slash_commands import slash_commands
from tests.ui.world import World, deliver, told

from .panel import Panel, forged

pytestmark = pytest.mark.looks_every(60)


@dataclass(frozen=True, kw_only=True)
class OwnServerSettings(ServerSettings):
    """The settings of a server with a switch, a choice, a number, a channel and a role that only these tests know."""

    own_quiet: bool = switch(False, Announced.FROM_NOW_ON)
    own_mood: str = choice("calm", ("calm", "wild"))
    own_crowd: int | None = choice(None, (None, 2, 4), Announced.NEW_GAMES, numbers=range(1, 9))
    own_hall: int | None = place(Place.CHANNEL)
    own_club: int | None = place(Place.ROLE)


@dataclass(frozen=True, kw_only=True)
class OwnUserSettings(UserSettings):
    """The settings of a person with a switch that only these tests know."""

    own_hints: bool = switch(True)


HALL = PlaceText(
    "No hall",
    use=lambda now: f"The hall is <#{now.own_hall}>." if now.own_hall else "There is no hall.",
    gone="The hall is gone.",
    lacks="In {channel} the bot lacks: {permissions}.",
)
CLUB = PlaceText("Any club", gone="The club is gone.")
OWN_SERVER_TEXTS = {
    **SERVER_TEXTS,
    "own_quiet": SettingText("Quiet hours", "Whether the nights are quiet", "terms"),
    "own_mood": SettingText("Mood", "How people play", "look", str.capitalize),
    "own_crowd": SettingText("Crowd", "How many may watch", "places", "at most {}".format, "any number"),
    "own_hall": SettingText("Hall", "Where people meet", "look", "<#{}>".format, "none", HALL),
    "own_club": SettingText("Club", "Who meets", "look", "<@&{}>".format, "everybody", CLUB),
}
OWN_USER_TEXTS = {**USER_TEXTS, "own_hints": SettingText("Hints", "Whether you get hints")}


@pytest.fixture
def simcord_bot(simcord_bot: GipfBot, store: Store, monkeypatch: pytest.MonkeyPatch) -> GipfBot:
    """Return a bot that gets these settings, with their commands, instead of the usual ones."""
    monkeypatch.setitem(SETTING_TEXTS, OwnServerSettings, OWN_SERVER_TEXTS)
    monkeypatch.setitem(SETTING_TEXTS, OwnUserSettings, OWN_USER_TEXTS)
    now = simcord_bot.app.now
    known = Servers(store, now, OwnServerSettings), Users(store, now, OwnUserSettings)
    simcord_bot.app = replace(simcord_bot.app, servers=known[0], users=known[1])
    for command in arranged(
        [
            slash_group("gipf-server", 1, "Of the server"),
            settings_command("gipf-server settings", "See them", OwnServerSettings, change_server_settings),
            slash_group("gipf-me", 2, "Of a person"),
            settings_command("gipf-me settings", "See them", OwnUserSettings, change_user_settings),
        ]
    ):
        simcord_bot.tree.add_command(command, override=True)
    return simcord_bot


async def own_settings(world: World) -> OwnServerSettings:
    """Return the settings of the server."""
    found = await world.bot.app.servers.settings(world.guild.id)
    assert isinstance(found, OwnServerSettings)
    return found


async def test_command_and_controls_change_own_settings(world: World, boss: simcord.MemberActor) -> None:
    chosen: dict[str, Any] = {"own_quiet": True, "own_mood": "wild", "own_crowd": 3}
    panel = Panel(boss, await boss.slash(world.channel, "gipf-server settings", **chosen))
    changed = ["Quiet hours: off → on.", "Mood: Calm → Wild.", "Crowd: any number → at most 3."]
    assert panel.message.note.splitlines() == changed
    assert await own_settings(world) == OwnServerSettings(**chosen)
    async with world.store.reading() as db:
        stored = await servers.settings_of_server(db, world.guild.id)
    assert stored == {**chosen, "manager_language": "en"}
    for page, after, note in (
        ("Terms", "Quiet hours: off", "Quiet hours: on → off."),
        ("Places", "Crowd: at most 4", "Crowd: at most 3 → at most 4."),
        ("Appearance", "Mood: Calm", "Mood: Wild → Calm."),
    ):
        await panel.turn_to(page)
        await panel.change(after)
        assert panel.message.note == note
    assert await own_settings(world) == OwnServerSettings(own_crowd=4)
    await boss.slash(world.channel, "gipf-server settings", own_crowd=0)
    assert await own_settings(world) == OwnServerSettings()


async def test_own_settings_are_checked_and_for_managers(world: World, boss: simcord.MemberActor) -> None:
    for custom_id, value, name in (
        ("server_switch:own_quiet:maybe", None, "own_quiet"),
        ("server_choice:own_mood", "sad", "own_mood"),
        ("server_choice:own_crowd", "9", "own_crowd"),
    ):
        assert f"cannot be chosen for **{name}**" in await forged(world, boss, custom_id, value)
    said = told(await world.ann.slash(world.channel, "gipf-server settings", own_quiet=True))
    assert said == texts.ONLY_FOR_MANAGERS
    assert await forged(world, boss, "server_choice:own_quiet", "True") == texts.UNKNOWN_BUTTON
    assert await own_settings(world) == OwnServerSettings()


async def test_players_read_which_own_settings_changed(world: World, boss: simcord.MemberActor) -> None:
    await boss.slash(world.channel, "gipf-server settings", channel=world.channel)
    await boss.slash(world.channel, "gipf-server settings", own_quiet=True, own_mood="wild", own_crowd=2)
    await world.env.advance_time(GATHER_SECONDS)
    await deliver(world)
    (message,) = world.public()
    assert message.content.splitlines()[1:] == [
        "For new games (running games stay as they are):",
        f"- Channel for games: any → **<#{world.channel.id}>**",
        "- Crowd: any number → **at most 2**",
        "",
        "From now on:",
        "- Quiet hours: off → **on**",
    ]


async def look_after(world: World, boss: simcord.MemberActor, **chosen: object) -> Panel:
    """Return the page of the look, after the command with these options."""
    panel = Panel(boss, await boss.slash(world.channel, "gipf-server settings", **chosen))
    await panel.turn_to("Appearance")
    return panel


async def test_own_channel_follows_from_its_row(world: World, boss: simcord.MemberActor) -> None:
    """Its page says what it is for and what is wrong with it. A channel without permissions is refused there."""
    assert "There is no hall." in (await look_after(world, boss)).text
    hall, user = world.guild.create_text_channel("hall"), world.bot.user
    assert user
    shut = world.guild.create_text_channel("shut", overwrites={user: discord.PermissionOverwrite(attach_files=False)})
    panel = await look_after(world, boss, own_hall=hall)
    assert f"The hall is <#{hall.id}>." in panel.text
    await panel.choose_channel(shut, "own_hall")
    assert panel.message.note == server.channel_refused_text(["Attach Files"], shut.id)
    assert (await own_settings(world)).own_hall == hall.id
    found = world.bot.get_channel(hall.id)
    assert isinstance(found, discord.TextChannel)
    await found.set_permissions(found.guild.me, attach_files=False)
    await world.env.settle()
    assert f"In <#{hall.id}> the bot lacks: Attach Files." in (await look_after(world, boss)).text
    await found.delete()
    await world.env.settle()
    panel = await look_after(world, boss)
    assert "The hall is gone." in panel.text
    await panel.press("No hall")
    assert "There is no hall." in panel.text
    assert "The hall is gone." not in panel.text


async def test_own_role_of_everybody_is_no_role(world: World, boss: simcord.MemberActor) -> None:
    club = world.guild.create_role("Club")
    await look_after(world, boss, own_club=club)
    assert (await own_settings(world)).own_club == club.id
    await look_after(world, boss, own_club=world.guild.roles["@everyone"])
    assert (await own_settings(world)).own_club is None


async def test_own_setting_of_a_person_is_exported_and_deleted(world: World) -> None:
    app, ann = world.bot.app, world.ann.id
    panel = Panel(world.ann, await world.ann.slash(world.channel, "gipf-me settings", own_hints=False))
    assert panel.message.note == "Hints: on → off."
    assert export_data(await app.exports.collect(ann))["settings"] == {"own_hints": False}
    await panel.press("Hints: off")
    assert panel.message.note == "Hints: off → on."
    assert "`maybe` cannot be chosen for **own_hints**" in await forged(
        world, world.ann, "user_setting:own_hints:", "maybe"
    )
    assert export_data(await app.exports.collect(ann))["settings"] == {"own_hints": True}
    await app.deletions.begin(ann)
    await app.deletions.finish(ann)
    async with world.store.reading() as db:
        assert await users.settings_of_user(db, ann) == {}


async def test_own_settings_are_only_those_of_this_bot(world: World, boss: simcord.MemberActor) -> None:
    """The usual commands stay as they are."""
    options = {option.name for command in slash_commands() for option in command.parameters}
    assert not options & {"own_quiet", "own_mood", "own_crowd", "own_hall", "own_club", "own_hints"}
