"""The role that open challenges mention: its mentions, who joins it, and which role it cannot be."""

from collections.abc import AsyncIterator, Callable

import discord
import pytest
import simcord

from gipfbot.service.settings.servers import GATHER_SECONDS, ServerSettings
from gipfbot.ui.kit import texts
from gipfbot.ui.lobby import lobby_texts, seeker_texts
from gipfbot.ui.settings import server
from tests.ui.forged import forger
from tests.ui.opened_message import OpenedMessage
from tests.ui.settings.panel import SERVER_SETTINGS, Panel, opened_places
from tests.ui.terms_page import challenge
from tests.ui.world import World, components, deliver, labels, private, told

pytestmark = pytest.mark.looks_every(60)
JOIN, LEAVE = seeker_texts.JOIN_SEEKERS_LABEL, seeker_texts.LEAVE_SEEKERS_LABEL


@pytest.fixture
def boss(world: World) -> simcord.MemberActor:
    """A member who manages the server and its roles."""
    may = discord.Permissions(manage_guild=True, manage_roles=True)
    return world.guild.add_member(
        world.env.create_user("boss"), roles=[world.guild.create_role("leaders", permissions=may)]
    )


@pytest.fixture
def role(world: World) -> simcord.RoleHandle:
    """A role that gives nothing."""
    return world.guild.create_role("seekers", mentionable=True)


async def set_role(world: World, role: simcord.RoleHandle) -> None:
    await world.bot.app.servers.change(world.guild.id, {"seekers": role.id})


async def seekers(world: World) -> int | None:
    return (await world.bot.app.servers.settings(world.guild.id)).seekers


async def roles_of(world: World, person: simcord.MemberActor) -> set[int]:
    """Return the roles of a member, but those of everybody."""
    return set(world.env.backend.get_member(world.guild.id, person.id).role_ids) - {world.guild.id}


def mentioned(world: World, message: discord.Message) -> tuple[object, object, object]:
    """Return which roles, people and whether everybody a message may notify."""
    allowed = world.env.backend.get_message(message.channel.id, message.id).allowed_mentions
    return {*(allowed.roles or ())}, {*(allowed.users or ())}, allowed.everyone


async def listed(world: World, person: simcord.MemberActor) -> OpenedMessage:
    return OpenedMessage(person, await person.slash(world.channel, "gipf seeks"))


# ── Mentions ──


async def test_open_challenge_mentions_the_role_and_nobody_else(world: World, role: simcord.RoleHandle) -> None:
    await world.ann.slash(world.channel, "gipf challenge")
    assert mentioned(world, world.public()[-1]) == (set(), set(), False)
    await set_role(world, role)
    await challenge(world.ann, world.channel, takers=2)
    seek = world.public()[-1]
    assert seek.content.startswith(f"<@&{role.id}> Ann looks for a game of GIPF")
    assert mentioned(world, seek) == ({role.id}, set(), False)
    await world.bob.click(seek, label="Play")
    edited = world.channel.history()
    seek = next(message for message in edited if message.id == seek.id)
    assert seek.content.startswith(f"<@&{role.id}> Ann looks"), "it is still open"
    assert mentioned(world, seek) == (set(), set(), False), "an edit notifies nobody"
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.cara)
    assert mentioned(world, world.public()[-1]) == (set(), {world.cara.id}, False)


async def test_fourth_seek_of_a_day_mentions_nobody_and_says_so(world: World, role: simcord.RoleHandle) -> None:
    """The count is stored, so the next process knows it."""
    await set_role(world, role)
    for number in range(3):
        posted = await world.ann.slash(world.channel, "gipf challenge")
        assert "within a day" not in told(posted)
        assert mentioned(world, world.public()[-1])[0] == {role.id}
        if number:
            await world.ann.click(private(posted), label="Withdraw")
    await world.restart()
    said = told(await world.bob.slash(world.channel, "gipf challenge"))
    assert seeker_texts.mentioned_enough_text(role.id) in said
    assert world.public()[-1].content.startswith("Bob looks for a game")
    assert mentioned(world, world.public()[-1]) == (set(), set(), False)


async def test_reply_to_a_seek_leads_on(world: World) -> None:
    answer = private(await world.ann.slash(world.channel, "gipf challenge"))
    assert lobby_texts.WHILE_YOU_WAIT in answer.content
    assert labels(answer)[0] == texts.TUTORIAL_LABEL
    answer = private(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    assert (lobby_texts.WHILE_YOU_WAIT in answer.content, labels(answer)) == (False, ["Withdraw"])


# ── Joining and leaving ──


async def test_players_join_and_leave_in_the_list(world: World, role: simcord.RoleHandle) -> None:
    shown = await listed(world, world.bob)
    assert JOIN not in labels(shown.message)
    await set_role(world, role)
    shown = await listed(world, world.bob)
    assert seeker_texts.seekers_text(role.id, joined=False) in shown.text
    await shown.press(JOIN)
    assert shown.message.note == seeker_texts.SEEKERS_JOINED
    assert await roles_of(world, world.bob) == {role.id}
    shown = await listed(world, world.bob)
    assert seeker_texts.seekers_text(role.id, joined=True) in shown.text
    assert JOIN not in labels(shown.message)
    await shown.press(LEAVE)
    assert shown.message.note == seeker_texts.SEEKERS_LEFT
    assert JOIN in labels(shown.message)
    assert await roles_of(world, world.bob) == set()


async def test_full_list_still_lets_join(world: World, role: simcord.RoleHandle) -> None:
    await set_role(world, role)
    for number in range(6):
        person = world.guild.add_member(world.env.create_user(f"P{number}"))
        await person.slash(world.channel, "gipf challenge")
    assert labels((await listed(world, world.bob)).message)[-1] == JOIN


@pytest.mark.parametrize("verb", ["join", "leave"])
async def test_press_without_a_role_says_so(world: World, verb: str) -> None:
    sender = await forger(world, world.bob, world.channel)
    assert seeker_texts.SEEKERS_OFF in private(await sender.send(f"seekers:{verb}")).content
    assert await roles_of(world, world.bob) == set()


async def test_bot_that_may_not_give_roles_says_so(world: World, role: simcord.RoleHandle) -> None:
    await set_role(world, role)
    shown = await listed(world, world.bob)
    world.fail("PUT", "/guilds/*/members/*/roles/*", 403, 50013)
    await shown.press(JOIN)
    assert shown.message.note == seeker_texts.MAY_NOT_GIVE_ROLE
    assert JOIN in labels(shown.message)


# ── Which role it cannot be ──


def _with_permission(world: World) -> simcord.RoleHandle:
    return world.guild.create_role("strong", permissions=discord.Permissions(manage_messages=True))


def _allowed_in_a_channel(world: World) -> simcord.RoleHandle:
    role = world.guild.create_role("guests")
    world.guild.create_text_channel("secret", overwrites={role: discord.PermissionOverwrite(view_channel=True)})
    return role


def _managed(world: World) -> simcord.RoleHandle:
    return world.guild.create_role("app", managed=True)


def _everyone(world: World) -> simcord.RoleHandle:
    return world.guild.roles["@everyone"]


def _above(world: World) -> simcord.RoleHandle:
    return world.guild.create_role("top", position=99)


UNFIT: dict[Callable[[World], simcord.RoleHandle], str] = {
    _with_permission: "has permissions that not everybody has (Manage Messages)",
    _allowed_in_a_channel: "has permissions of its own in <#",
    _managed: "belongs to an app or to Discord itself",
    _everyone: "has everybody in it",
    _above: "doesn't stand below the bot's own role",
}


@pytest.mark.parametrize("make", UNFIT, ids=lambda make: make.__name__)
async def test_role_that_gives_more_is_neither_chosen_nor_joined(
    world: World, boss: simcord.MemberActor, make: Callable[[World], simcord.RoleHandle]
) -> None:
    unfit = make(world)
    panel = await opened_places(world, boss, seekers=unfit)
    assert panel.message.note.startswith(f"Nothing was changed: <@&{unfit.id}> {UNFIT[make]}")
    assert await seekers(world) is None
    await set_role(world, unfit)  # as if it had become so since
    shown = await listed(world, world.bob)
    await shown.press(JOIN)
    assert UNFIT[make] in shown.message.note
    assert await roles_of(world, world.bob) == set()
    assert "**Nobody can join the role" in (await opened_places(world, boss)).text


async def test_role_that_may_challenge_or_manage_cannot_be_joined(
    world: World, boss: simcord.MemberActor, role: simcord.RoleHandle
) -> None:
    panel = await opened_places(world, boss, seekers=role)
    assert await seekers(world) == role.id
    panel = await opened_places(world, boss, challengers=role)
    refused = seeker_texts.role_challenges_text(role.id)
    assert panel.message.note == refused
    assert "can't be both the role that may challenge and the one that open challenges mention" in refused
    panel = await opened_places(world, boss, organisers=role)
    unfit = seeker_texts.role_unfit_text(role.id, seeker_texts.ROLE_ORGANISES)
    assert panel.message.note == seeker_texts.role_refused_text(unfit)
    assert (await world.bot.app.servers.settings(world.guild.id)).organisers is None
    group = next(each for each in await world.bot.tree.fetch_commands() if each.name == "gipf-server")
    world.guild.set_command_permissions(group, {role: True})
    shown = await listed(world, world.bob)
    await shown.press(JOIN)
    assert f"<@&{role.id}> may use **/gipf-server**." in shown.message.note
    await world.bot.app.servers.change(world.guild.id, {"seekers": None})
    panel = await opened_places(world, boss, seekers=role)
    assert f"<@&{role.id}> may use **/gipf-server**." in panel.message.note
    assert await seekers(world) is None


async def test_members_read_how_to_be_mentioned(
    world: World, boss: simcord.MemberActor, role: simcord.RoleHandle
) -> None:
    await opened_places(world, boss, channel=world.channel, seekers=role)
    await world.env.advance_time(GATHER_SECONDS)
    await deliver(world)
    told_all = world.public()[-1].content
    assert told_all.endswith(f"→ **<@&{role.id}>**\n\n{server.HOW_TO_JOIN}"), "on a line of its own, not in the list"


def seekers_selects(panel: Panel) -> list[str]:
    """Return the custom_ids of the selects of a page that choose the role which seeks mention."""
    return [item["custom_id"] for item in components(panel.message) if item["custom_id"].endswith(":seekers")]


async def test_role_is_chosen_only_by_who_manages_roles_and_they_know_before(
    world: World, boss: simcord.MemberActor, role: simcord.RoleHandle
) -> None:
    clerks = world.guild.create_role("clerks", permissions=discord.Permissions(manage_guild=True))
    clerk = world.guild.add_member(world.env.create_user("clerk"), roles=[clerks])
    panel = await opened_places(world, clerk, seekers=role)
    assert panel.message.note == seeker_texts.NEEDS_MANAGE_ROLES
    assert await seekers(world) is None
    panel = await opened_places(world, boss, seekers=role)
    assert panel.message.note.startswith("Open challenges mention: nobody → ")
    assert seekers_selects(panel) == ["server_choice:seekers"]
    panel = await opened_places(world, clerk)
    assert seeker_texts.CANNOT_CHOOSE_SEEKERS in panel.text
    assert seekers_selects(panel) == []
    await panel.press(server.SEEKERS.unset_label)
    assert await seekers(world) is None, "a manager of the server can put an end to it"


async def test_settings_say_what_hinders_the_role(
    world: World, boss: simcord.MemberActor, role: simcord.RoleHandle
) -> None:
    panel = await opened_places(world, boss, seekers=role)
    assert f"The first 3 open challenges of a day mention <@&{role.id}>." in panel.text
    hindered = seeker_texts.MAY_NOT_GIVE_SEEKERS, seeker_texts.MAY_NOT_MENTION_SEEKERS
    assert not any(each in panel.text for each in hindered)
    own = next(each for each in world.env.backend.get_guild(world.guild.id).roles.values() if each.managed)
    weak = discord.Permissions(own.permissions)
    weak.update(manage_roles=False, mention_everyone=False)
    world.env.backend.edit_role(world.guild.id, own.id, {"permissions": weak.value})
    panel = await opened_places(world, boss)
    assert seeker_texts.MAY_NOT_GIVE_SEEKERS in panel.text
    assert seeker_texts.MAY_NOT_MENTION_SEEKERS not in panel.text, "everybody may mention it"
    world.env.backend.edit_role(world.guild.id, role.id, {"mentionable": False})
    text = (await opened_places(world, boss)).text
    assert all(each in text for each in hindered)


# ── A role that is gone ──


@pytest.fixture
async def gone(world: World, role: simcord.RoleHandle) -> AsyncIterator[simcord.RoleHandle]:
    """A role that is set, and was then deleted. At the end the setting must be off."""
    await set_role(world, role)
    world.env.backend.delete_role(world.guild.id, role.id)
    await world.env.settle()
    yield role
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


@pytest.mark.usefixtures("gone")
async def test_role_that_is_gone_is_told_to_who_seeks(world: World) -> None:
    assert seeker_texts.SEEKERS_GONE in told(await world.ann.slash(world.channel, "gipf challenge"))
    assert world.public()[-1].content.startswith("Ann looks for a game")
    assert seeker_texts.SEEKERS_GONE not in told(await world.ann.slash(world.channel, "gipf challenge"))


@pytest.mark.usefixtures("gone")
async def test_role_that_is_gone_is_told_in_the_list(world: World) -> None:
    shown = await listed(world, world.ann)
    assert shown.message.note == seeker_texts.SEEKERS_GONE
    assert JOIN not in labels(shown.message)


@pytest.mark.usefixtures("gone")
async def test_role_that_is_gone_is_told_in_the_settings(world: World, boss: simcord.MemberActor) -> None:
    panel = Panel(boss, await boss.slash(world.channel, SERVER_SETTINGS))
    assert panel.message.note == seeker_texts.SEEKERS_GONE


async def test_role_that_goes_while_somebody_joins(world: World, role: simcord.RoleHandle) -> None:
    await set_role(world, role)
    shown = await listed(world, world.bob)
    world.fail("PUT", "/guilds/*/members/*/roles/*", 404, 10011)
    await shown.press(JOIN)
    assert shown.message.note == seeker_texts.SEEKERS_GONE
    assert JOIN not in labels(shown.message)
    assert await seekers(world) is None
