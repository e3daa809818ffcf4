"""All commands of the bot, in the order in which people see them. Each command states its own place."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import discord
from discord import app_commands

from gipfbot.service.kit.discovery import defined_in

from .kit.command_permissions import SERVER_COMMAND
from .kit.interactions import slash_group

Command: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu
# `guild_only` has no effect here: the contexts of the command tree override it.
ON_SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
GROUPS: tuple[Command, ...] = (
    slash_group("gipf", 20, "Play GIPF by correspondence"),
    slash_group("gipf-learn", 30, "Learn the game"),
    slash_group("gipf-me", 40, "Your own settings"),
    slash_group("gipf-tournament", 45, "Leagues and Swiss tournaments of this server", allowed_contexts=ON_SERVERS),
    slash_group(
        SERVER_COMMAND,
        50,
        "GIPF settings and figures of this server",
        allowed_contexts=ON_SERVERS,
        default_permissions=discord.Permissions(manage_guild=True),
    ),
)


def found_commands() -> list[Command]:
    """Return the commands defined in the packages of `ui`, except those inside a package's own group.

    Importing the packages also registers all handlers of buttons, selects and forms.
    """
    found: list[Command] = [
        *defined_in("gipfbot.ui", app_commands.Command),
        *defined_in("gipfbot.ui", app_commands.Group),
        *defined_in("gipfbot.ui", app_commands.ContextMenu),
    ]
    return [command for command in found if getattr(command, "parent", None) is None]


def arranged(commands: Iterable[Command]) -> tuple[Command, ...]:
    """Put commands into their groups. Return the top-level commands and groups in the order of their places.

    Raises ValueError for a command without a place, for an unknown group, and for two commands at one place.
    """
    members = dict[tuple[str, int], Command]()
    for command in commands:
        if "place" not in command.extras:
            raise ValueError(f"the command {command.name} says no place: make it by slash_command or slash_group")
        other = members.setdefault((command.extras["group"], command.extras["place"]), command)
        if other is not command:
            raise ValueError(f"the commands {other.name} and {command.name} say the same place: change one")
    ordered = [(group, members[group, place]) for group, place in sorted(members)]
    alone = tuple(command for group, command in ordered if not group)
    groups = {command.name: command for command in alone if isinstance(command, app_commands.Group)}
    for group, command in ordered[len(alone) :]:
        if group not in groups or isinstance(command, app_commands.ContextMenu):
            raise ValueError(f"the command {command.name} says a group that cannot hold it: {group}")
        groups[group].add_command(command)
    return alone


COMMANDS = arranged((*GROUPS, *found_commands()))
