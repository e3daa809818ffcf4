"""The setting of a server: who may challenge there."""

import discord
import pytest
import simcord

from gipfbot.ui.settings import server
from tests.ui.world import World, told

from .panel import forged, opened_places

pytestmark = pytest.mark.looks_every(60)


@pytest.fixture
def boss(world: World) -> simcord.MemberActor:
    """A member who manages the server, and has no other role."""
    role = world.guild.create_role("leaders", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("boss"), roles=[role])


async def test_person_without_the_role_is_told_who_may_challenge(world: World, boss: simcord.MemberActor) -> None:
    club = world.guild.create_role("club")
    dan = world.guild.add_member(world.env.create_user("Dan"), roles=[club])
    panel = await opened_places(world, boss)
    await panel.choose_role(club)
    assert panel.message.note == f"Who may challenge: everybody → <@&{club.id}>."
    for options in ({"opponent": world.bob}, {}):
        said = told(await world.ann.slash(world.channel, "gipf challenge", **options))
        assert said.startswith(f"Only <@&{club.id}> may challenge on this server.")
    assert world.public() == []
    await dan.slash(world.channel, "gipf challenge", opponent=world.ann)
    (challenge,) = world.public()
    await world.ann.click(challenge, label="Accept")
    assert len(await world.bot.app.games.running_games(world.ann.id)) == 1


async def test_everybody_may_challenge_again(world: World, boss: simcord.MemberActor) -> None:
    club = world.guild.create_role("club")
    panel = await opened_places(world, boss, challengers=club)
    await panel.press(server.CHALLENGERS.unset_label)
    assert panel.message.note == f"Who may challenge: <@&{club.id}> → everybody."
    assert server.CHALLENGERS.unset_label not in panel.states
    await world.ann.slash(world.channel, "gipf challenge")
    assert len(world.public()) == 1
    await opened_places(world, boss, challengers=club)
    await opened_places(world, boss, challengers=world.guild.roles["@everyone"])
    assert (await world.bot.app.servers.settings(world.guild.id)).challengers is None


async def test_role_that_is_gone_restricts_nobody(world: World, boss: simcord.MemberActor) -> None:
    await world.bot.app.servers.change(world.guild.id, {"challengers": 4711})
    assert server.CHALLENGERS.gone in (await opened_places(world, boss)).text
    await world.ann.slash(world.channel, "gipf challenge")
    assert len(world.public()) == 1


async def test_unknown_role_changes_nothing(world: World, boss: simcord.MemberActor) -> None:
    said = await forged(world, boss, "server_choice:challengers", "4711")
    assert said.startswith("`4711` cannot be chosen for **challengers**")
    assert (await world.bot.app.servers.settings(world.guild.id)).challengers is None
