"""Whom a server gives `/gipf-server` in its integrations may use it, with all controls on its pages; nobody else."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord
from simcord.backend.command_access import command_access

from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.kit import command_permissions, texts
from gipfbot.ui.kit.client import CommandOverwrites, Overwrites
from gipfbot.ui.kit.command_permissions import KEPT_SECONDS, SERVER_COMMAND, is_allowed
from tests.ui.forged import answered_text, forger
from tests.ui.world import FOR_EVER, World, told

from .panel import SERVER_SETTINGS, Panel

pytestmark = pytest.mark.looks_every(60)
PERMISSIONS = "/applications/*/guilds/*/commands/*/permissions"
RULES = "Rules: Basic"
ROLE, USER, CHANNEL = 1, 2, 3  # Discord's numbers


def decide(world: World, targets: Mapping[Any, bool], *, of_all: bool = False) -> None:
    """Let the server decide who may use `/gipf-server`, or all commands of the bot."""
    command = world.bot.application_id if of_all else world.bot.command_ids[SERVER_SETTINGS]
    assert command
    world.guild.set_command_permissions(command, dict(targets))


async def helpers_role(world: World, *people: simcord.MemberActor) -> simcord.RoleHandle:
    """Return a role without any permission that these people have."""
    role = world.guild.create_role("helpers")
    guild = world.bot.get_guild(world.guild.id)
    assert guild
    for person in people:
        await (await guild.fetch_member(person.id)).add_roles(discord.Object(role.id))
    await world.env.settle()
    return role


async def stored(world: World) -> ServerSettings:
    return await world.bot.app.servers.settings(world.guild.id)


def reads(world: World, patch: pytest.MonkeyPatch) -> list[int]:
    """Return what the bot has asked Discord about: the command, and itself."""
    asked, ask = list[int](), world.bot.http.get_application_command_permissions

    def noted(app: int, guild: int, command: int) -> Any:
        asked.append(command)
        return ask(app, guild, command)

    patch.setattr(world.bot.http, "get_application_command_permissions", noted)
    return asked


@pytest.mark.parametrize("by_role", [True, False])
async def test_those_who_are_given_the_command_use_all_its_controls(world: World, by_role: bool) -> None:
    target: Any = await helpers_role(world, world.ann) if by_role else world.ann
    decide(world, {target: True})
    panel = Panel(world.ann, await world.ann.slash(world.channel, SERVER_SETTINGS))
    assert await panel.change(RULES)
    assert await panel.change("Clocks run at weekends (UTC): off")
    await panel.turn_to("Places")
    await panel.choose_channel(world.channel)
    await panel.press("Allow games in any channel")
    assert await stored(world) == ServerSettings(rules="basic", weekends=False)
    for name in ("stats", "status"):
        assert told(await world.ann.slash(world.channel, f"gipf-server {name}")) != texts.ONLY_FOR_MANAGERS
    bob = await forger(world, world.bob, world.channel)
    for use in ("set_up", "server_page:look", "server_switch:rated:False"):
        assert texts.ONLY_FOR_MANAGERS in answered_text(await bob.send(use)), "only they are given it"


async def test_manager_who_is_denied_the_command_uses_no_control(world: World, boss: simcord.MemberActor) -> None:
    """The button Set up stands below the welcome, where everybody can press it."""
    sender = await forger(world, boss, world.channel)
    assert "GIPF settings for this server" in answered_text(await sender.send("set_up"))
    decide(world, {boss: False})
    world.bot.command_overwrites.clear()
    for use in ("set_up", "server_page:look", "server_switch:weekends:False"):
        assert texts.ONLY_FOR_MANAGERS in answered_text(await sender.send(use))
    assert await stored(world) == ServerSettings()


async def test_administrator_needs_no_overwrite(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    role = world.guild.create_role("admins", permissions=discord.Permissions(administrator=True))
    admin = world.guild.add_member(world.env.create_user("root"), roles=[role])
    decide(world, {admin: False})
    asked = reads(world, monkeypatch)
    sender = await forger(world, admin, world.channel)
    assert "GIPF settings for this server" in answered_text(await sender.send("set_up"))
    assert asked == []


async def test_overwrites_are_kept_for_a_minute(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command itself reads them anew, because Discord may have let somebody give it by a newer one."""
    asked, now = reads(world, monkeypatch), world.bot.app.now()
    world.bot.app = replace(world.bot.app, now=lambda: now)
    ann = await forger(world, world.ann, world.channel)
    assert texts.ONLY_FOR_MANAGERS in answered_text(await ann.send("set_up"))
    decide(world, {world.ann: True})
    assert texts.ONLY_FOR_MANAGERS in answered_text(await ann.send("set_up")), "it is kept"
    assert len(asked) == 2
    panel = Panel(world.ann, await world.ann.slash(world.channel, SERVER_SETTINGS))
    await panel.change(RULES)
    assert len(asked) == 4
    decide(world, {})
    now += KEPT_SECONDS
    await panel.press("Appearance")
    assert panel.text == texts.ONLY_FOR_MANAGERS
    assert len(asked) == 6
    assert await stored(world) == ServerSettings(rules="basic")


async def test_refused_question_is_not_repeated(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each refusal counts towards Discord's ban."""
    asked = reads(world, monkeypatch)
    decide(world, {world.ann: True})
    world.fail("GET", PERMISSIONS, 403, times=FOR_EVER)
    ann = await forger(world, world.ann, world.channel)
    for _ in range(3):
        assert texts.ONLY_FOR_MANAGERS in answered_text(await ann.send("set_up"))
    assert len(asked) == 2


@pytest.mark.parametrize("status", [500, None])
async def test_without_an_answer_of_discord_managers_may(
    world: World, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch, status: int | None
) -> None:
    """A failure is not kept."""
    decide(world, {world.ann: True, boss: False})
    ann, manager = await forger(world, world.ann, world.channel), await forger(world, boss, world.channel)
    if status is None:
        monkeypatch.setattr(command_permissions, "ASK_SECONDS", 0)
    else:
        world.fail("GET", PERMISSIONS, status, times=FOR_EVER)
    assert texts.ONLY_FOR_MANAGERS in answered_text(await ann.send("set_up"))
    assert "GIPF settings for this server" in answered_text(await manager.send("set_up"))
    world.heal()
    monkeypatch.undo()
    assert "GIPF settings for this server" in answered_text(await ann.send("set_up"))
    assert texts.ONLY_FOR_MANAGERS in answered_text(await manager.send("set_up"))


async def test_overwrites_hold_as_discord_says(world: World) -> None:
    """Compared with the simulated Discord: 500 servers with overwrites about channels, people, roles and everybody."""
    roles = [world.guild.create_role(name) for name in ("one", "two")]
    other = world.guild.create_text_channel("other")
    await world.env.settle()
    guild, backend = world.bot.get_guild(world.guild.id), world.env.backend
    assert guild
    member = await guild.fetch_member(world.ann.id)
    await member.add_roles(*(discord.Object(role.id) for role in roles))
    member = await guild.fetch_member(world.ann.id)
    command, app = world.bot.command_ids[SERVER_SETTINGS], world.bot.application_id
    assert app
    targets = [(ROLE, roles[0].id), (ROLE, roles[1].id), (ROLE, guild.id), (USER, world.ann.id), (USER, world.bob.id)]
    targets += [(CHANNEL, world.channel.id), (CHANNEL, other.id), (CHANNEL, guild.id - 1)]
    known = next(each for each in await world.bot.http.get_global_commands(app) if each["name"] == SERVER_COMMAND)
    chance, found = random.Random(7), set[bool]()
    for _ in range(500):
        decided = [{each: chance.random() < 0.5 for each in targets if chance.random() < 0.25} for _ in range(2)]
        for target, overwrites in zip((command, app), decided, strict=True):
            backend.set_command_permissions(guild.id, target, entries(overwrites))
        expected = command_access(backend, dict(known), user_id=world.ann.id, channel_id=world.channel.id).allowed
        found.add(expected)
        found_there = CommandOverwrites(0, *decided)
        assert is_allowed(found_there, member, world.channel.id, by_default=False) == expected, found_there
    assert found == {True, False}


def entries(overwrites: Overwrites) -> list[dict[str, Any]]:
    """Return overwrites as Discord tells them."""
    return [{"id": str(target), "type": kind, "permission": may} for (kind, target), may in overwrites.items()]
