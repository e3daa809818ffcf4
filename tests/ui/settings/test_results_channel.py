"""The setting of a server: the channel in which results are announced."""

import discord
import pytest
import simcord

from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.settings import server
from tests.ui.world import World

from .panel import forged, opened_places

pytestmark = pytest.mark.looks_every(60)


async def set_channel(world: World) -> int | None:
    """Return the channel for results that is set."""
    return (await world.bot.app.servers.settings(world.guild.id)).results


async def test_channel_is_chosen_and_cleared_by_controls(world: World, boss: simcord.MemberActor) -> None:
    panel = await opened_places(world, boss)
    assert server.RESULTS_PLACE.unset_label not in panel.states
    await panel.choose_channel(world.channel, "results")
    assert panel.message.note == f"Channel for results: none → <#{world.channel.id}>."
    assert f"Results are also posted in <#{world.channel.id}>, if everybody there may see the game." in panel.text
    assert panel.channel_select("results")["default_values"] == [{"id": world.channel.id, "type": "channel"}]
    assert panel.channel_select().get("default_values", []) == []
    assert await set_channel(world) == world.channel.id
    await panel.press(server.RESULTS_PLACE.unset_label)
    assert panel.message.note == f"Channel for results: <#{world.channel.id}> → none."
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


async def test_options_of_the_command_choose_and_clear_it(world: World, boss: simcord.MemberActor) -> None:
    panel = await opened_places(world, boss, results=world.channel)
    assert panel.message.note == f"Channel for results: none → <#{world.channel.id}>."
    for unclear in ({"no_results": False}, {"no_results": True, "results": world.channel}):
        panel = await opened_places(world, boss, cap=9, **unclear)
        assert panel.message.note == server.RESULTS_PLACE.unclear
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings(results=world.channel.id)
    await opened_places(world, boss, no_results=True)
    assert await set_channel(world) is None


async def test_channel_where_the_bot_may_not_post_is_refused(world: World, boss: simcord.MemberActor) -> None:
    lacks = discord.PermissionOverwrite(attach_files=False)
    bot = world.bot.user
    assert bot
    hall = world.guild.create_text_channel("hall", overwrites={bot: lacks})
    said = server.channel_refused_text(["Attach Files"], hall.id)
    assert (await opened_places(world, boss, results=hall, cap=3)).message.note == said
    panel = await opened_places(world, boss)
    await panel.choose_channel(hall, "results")
    assert panel.message.note == said
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


async def test_unknown_channel_changes_nothing(world: World, boss: simcord.MemberActor) -> None:
    """A changed client may send anything."""
    assert "cannot be chosen for **results**" in await forged(world, boss, "server_choice:results", "here")
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


async def test_voice_channel_is_refused(world: World, boss: simcord.MemberActor) -> None:
    talk = world.guild.create_voice_channel("talk")
    said = await forged(world, boss, "server_choice:results", str(talk.id))
    assert said.startswith("`talk` cannot be chosen for **results**; nothing was changed.")
    assert await set_channel(world) is None


async def test_panel_says_if_the_channel_is_gone(world: World, boss: simcord.MemberActor) -> None:
    hall = world.guild.create_text_channel("hall")
    panel = await opened_places(world, boss, results=hall)
    assert server.RESULTS_PLACE.gone not in panel.text
    place = world.bot.get_channel(hall.id)
    assert isinstance(place, discord.TextChannel)
    await place.delete()
    await world.env.settle()
    panel = await opened_places(world, boss)
    assert server.RESULTS_PLACE.gone in panel.text
    assert panel.channel_select("results").get("default_values", []) == []
    await panel.press(server.RESULTS_PLACE.unset_label)
    assert server.RESULTS_PLACE.gone not in panel.text


async def test_panel_says_if_the_bot_may_not_post_any_more(world: World, boss: simcord.MemberActor) -> None:
    hall = world.guild.create_text_channel("hall")
    await opened_places(world, boss, results=hall)
    place = world.bot.get_channel(hall.id)
    assert isinstance(place, discord.TextChannel)
    await place.set_permissions(place.guild.me, attach_files=False)
    await world.env.settle()
    lacks = server.RESULTS_PLACE.lacks.format(channel=f"<#{hall.id}>", permissions="Attach Files")
    assert lacks in (await opened_places(world, boss)).text
