"""The settings of a server, and what they do to challenges there."""

import re

import discord
import pytest
import simcord

from gipfbot.demo import prepare_channel
from gipfbot.match import RequestState
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.kit import texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.settings import server_texts
from gipfbot.ui.settings.server import gipf_server_group
from tests.ui.world import World, buttons, challenge_state, counted, private, told

SETTINGS = "gipf-server settings"


@pytest.fixture
def boss(world: World) -> simcord.MemberActor:
    """A member who manages the server."""
    role = world.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("boss"), roles=[role])


async def test_manager_sees_and_changes_the_settings(world: World, boss: simcord.MemberActor) -> None:
    """Other members cannot use the command, and do not see the answer."""
    with pytest.raises(simcord.SetupError, match="default-member-permissions"):
        await world.ann.slash(world.channel, SETTINGS)
    with pytest.raises(simcord.SetupError, match="context"):
        await boss.user.slash(SETTINGS)
    shown = told(await boss.slash(world.channel, SETTINGS))
    assert shown == server_texts.server_settings_text(ServerSettings(), (), changed=False)
    options = next(command for command in gipf_server_group.commands if command.name == "settings").to_dict(
        world.bot.tree
    )["options"]
    assert re.findall("^• `([a-z]+)`", shown, re.MULTILINE) == [option["name"] for option in options]
    shown = told(await boss.slash(world.channel, SETTINGS, rules="basic", pace="2", weekends=False, grace=0, cap=3))
    assert shown.startswith("**Saved.")
    for line in (
        "Basic",
        "2 days for each turn",
        "UTC) do not count",
        "no grace",
        "30 days of vacation a year",
        "3 games at a time",
    ):
        assert line in shown
    shown = told(await boss.slash(world.channel, SETTINGS, vacation=1, cap=0, threads=True, channel=world.channel))
    for line in (
        "2 days for each turn",
        "1 day of vacation a year",
        "any number of games",
        "its own thread",
        f"<#{world.channel.id}>.",
    ):
        assert line in shown
    assert "where the command is used" in told(await boss.slash(world.channel, SETTINGS, anywhere=True))
    for unclear in ({"anywhere": False}, {"anywhere": True, "channel": world.channel}):
        assert told(await boss.slash(world.channel, SETTINGS, cap=9, **unclear)) == server_texts.CHANNEL_OR_ANYWHERE
    held = ServerSettings("basic", "2", weekends=False, grace=0, vacation=1, threads=True)
    assert await world.bot.app.servers.settings(world.guild.id) == held
    assert world.public() == []


async def test_challenges_take_terms_and_channel_from_the_server(world: World, boss: simcord.MemberActor) -> None:
    """Options of the command override them. The context menu of a person takes them as they are."""
    eve = world.guild.add_member(world.env.create_user("eve"))
    hall = world.guild.create_text_channel("hall", overwrites={eve: discord.PermissionOverwrite(view_channel=False)})
    set_to = {"rules": "tournament", "pace": "7", "weekends": False, "grace": 24, "threads": True, "channel": hall}
    await boss.slash(world.channel, SETTINGS, **set_to)
    sent = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    (message,) = world.public(hall)
    assert sent.endswith("You will be pinged in the game's own thread when it is your turn.")
    assert message.jump_url in sent
    said = "**Tournament** · colours by lot · 7 days for each turn · Saturdays and Sundays (UTC) do not count"
    assert message.content.splitlines()[1] == (
        f"{said} · 24 h grace · 30 days of vacation a year · in a thread of its own"
    )
    await world.ann.context_menu(world.channel, "Challenge to GIPF", world.bob)
    assert world.public(hall)[-1].content.splitlines()[1:] == message.content.splitlines()[1:]
    own = {"rules": "basic", "pace": "none", "weekends": True, "thread": False}
    sent = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, **own))
    first, *more = sent.splitlines()
    assert first.endswith(f"You will be pinged in <#{hall.id}> when it is your turn.")
    assert more == [lobby_texts.UNTIMED_WEEKENDS]
    assert world.public(hall)[-1].content.splitlines()[1] == "**Basic** · colours by lot · no time limit"
    assert world.public() == []
    place = world.bot.get_channel(hall.id)
    assert isinstance(place, discord.TextChannel)
    await place.create_thread(name="talk", type=discord.ChannelType.public_thread)
    for options, idle in (({}, []), ({"thread": True}, [lobby_texts.NO_THREAD_IN_THREADS])):
        sent = told(await world.ann.slash(hall.threads[-1], "gipf challenge", **options))
        assert sent.splitlines()[1:] == idle
        assert world.public(hall.threads[-1])[-1].content.splitlines()[1].endswith(" · 30 days of vacation a year")
    answer = told(await world.ann.slash(world.channel, "gipf challenge", opponent=eve))
    assert answer == lobby_texts.cannot_see_channel_text("eve", hall.id)
    answer = told(await eve.slash(world.channel, "gipf challenge"))
    assert answer == lobby_texts.cannot_see_channel_text(None, hall.id)
    await place.delete()
    await world.env.settle()
    await world.ann.slash(world.channel, "gipf challenge")
    assert "**Tournament**" in world.public()[-1].content, "it stays where it is made"


async def test_channel_without_permissions_is_refused(world: World, boss: simcord.MemberActor) -> None:
    """The missing permissions are named, when the channel is chosen and when somebody challenges there later."""
    bot = world.bot.user
    assert bot
    lacks = discord.PermissionOverwrite(attach_files=False, create_public_threads=False)
    hall = world.guild.create_text_channel("hall", overwrites={bot: lacks})
    answer = told(await boss.slash(world.channel, SETTINGS, channel=hall, threads=True))
    assert answer == server_texts.channel_refused_text(["attach files", "make threads"], hall.id)
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()
    answer = told(await world.ann.slash(hall, "gipf challenge", thread=True))
    assert answer == texts.missing_permissions_text(["attach files"])
    talk = world.guild.create_voice_channel("talk")
    answer = told(await world.ann.slash(talk, "gipf challenge", thread=True))
    assert answer == lobby_texts.cannot_make_thread_text(["make threads", "send messages in threads"], talk.id)
    here = world.bot.get_channel(world.channel.id)
    assert isinstance(here, discord.TextChannel)
    await boss.slash(world.channel, SETTINGS, channel=world.channel, threads=True)
    await here.set_permissions(here.guild.me, create_public_threads=False)
    await world.env.settle()
    for channel in (world.channel, hall):
        answer = told(await world.ann.slash(channel, "gipf challenge", opponent=world.bob))
        assert answer == lobby_texts.cannot_make_thread_text(["make threads"], world.channel.id)
    answer = told(await boss.slash(hall, SETTINGS, threads=True))
    assert answer == server_texts.channel_refused_text(["make threads"], world.channel.id)
    await here.set_permissions(here.guild.me, send_messages=False)
    await world.env.settle()
    await boss.slash(hall, SETTINGS, threads=False)
    assert not (await world.bot.app.servers.settings(world.guild.id)).threads, "that needs nothing there"
    await boss.slash(hall, SETTINGS, threads=True)
    assert (await world.bot.app.servers.settings(world.guild.id)).threads, "threads can be made there"
    await boss.slash(hall, SETTINGS, threads=False)
    answer = told(await world.ann.slash(hall, "gipf challenge"))
    assert answer == texts.missing_permissions_text(["send messages", "attach files"], world.channel.id)
    assert await counted(world, "challenges") == 0
    assert "**The bot lacks permissions there: send messages, attach files.**" in told(await boss.slash(hall, SETTINGS))
    await boss.slash(hall, SETTINGS, cap=1)
    assert (await world.bot.app.servers.settings(world.guild.id)).cap == 1, "all else can be changed"


async def test_seek_for_several_stays_until_the_last_taker(world: World) -> None:
    """Its message counts the places. Each taker is told privately which game is theirs."""
    sent = await world.ann.slash(world.channel, "gipf challenge", takers=3, pace="3", weekends=False)
    assert len(told(sent).splitlines()) == 1
    seek = world.public()[0]
    terms = seek.content.splitlines()[1]
    assert terms.endswith(" · 12 h grace · 30 days of vacation a year")
    assert "· 3 places" in seek.content
    answer = told(await world.bob.click(seek, label="Play"))
    assert answer.startswith("Accepted: you play #a1 against Ann; here is [the board](")
    seek = world.public()[0]
    assert "· 2 places" in seek.content
    assert seek.content.splitlines()[1] == terms
    assert buttons(seek) == ["Play", "Withdraw"]
    assert "your game is #a1" in told(await world.bob.click(seek, label="Play"))
    listed = private(await world.cara.slash(world.channel, "gipf seeks"))
    assert "· 2 places" in listed.content
    assert "you play #b1" in told(await world.cara.click(listed, label="1 · Play against Ann"))
    seek = world.public()[0]
    assert "· 1 place" in seek.content
    assert buttons(seek) == ["Play", "Withdraw"]
    assert await challenge_state(world) is RequestState.OPEN
    dan = world.guild.add_member(world.env.create_user("dan"))
    assert "you play #c1 against Ann" in told(await dan.click(seek, label="Play"))
    assert world.public()[0].content.startswith("The open seek by Ann is full.")
    assert buttons(world.public()[0]) == []
    assert await counted(world, "games") == 3


async def test_value_that_no_option_offers_is_refused(
    world: World, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed client may send anything."""
    answer = told(await world.ann.slash(world.channel, "gipf challenge", takers=2, opponent=world.bob))
    assert "A challenge is for one person" in answer
    monkeypatch.setattr("simcord.interactions.validate_option_value", lambda _, __, value: value)
    for name, value in {"pace": "4", "rules": "chess", "colour": "red", "takers": 99, "thread": "red"}.items():
        answer = told(await world.ann.slash(world.channel, "gipf challenge", **{name: value}))
        said = f"`{value}` cannot be chosen for **{name}**; nothing was changed. Choose a value that Discord offers."
        assert answer == said
    talk = world.guild.create_voice_channel("talk")
    for name, value in {"pace": "4", "grace": 999, "channel": talk}.items():
        answer = told(await boss.slash(world.channel, SETTINGS, cap=1, **{name: value}))
        assert "cannot be chosen" in answer
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()
    assert await counted(world, "challenges") == 0


async def test_demo_has_a_manager_of_its_server(world: World) -> None:
    channel, people = await prepare_channel(world.env, world.bot)
    assert buttons(world.public(channel)[0])[0] == lobby_texts.SET_UP_LABEL, "the welcome is the first message"
    assert told(await people[0].slash(channel, SETTINGS, cap=2)).startswith("**Saved.")
