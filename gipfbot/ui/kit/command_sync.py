"""Send the commands to Discord. The command that starts an activity, which Discord itself may have added, stays."""

from typing import Any

import discord
from discord import app_commands

ENTRY_POINT = 4  # the type of the command that starts an activity; discord.py does not know it
ENTRY_POINT_MISSING = 50240
# What Discord adds to a command by itself.
ADDED_FIELDS = frozenset(("id", "application_id", "version", "name_localized", "description_localized"))


async def sync_commands(tree: app_commands.CommandTree[Any]) -> dict[str, int]:
    """Replace the commands that Discord knows by those of a tree. Return the id of each by its name.

    If the application has an entry point command, Discord takes no list without it, so it is kept as it is. Raises
    discord.HTTPException.
    """
    try:
        synced = await tree.sync()
    except discord.HTTPException as error:
        if error.code != ENTRY_POINT_MISSING:
            raise
        return await _sync_beside_entry_point(tree)
    return {command.name: command.id for command in synced}


async def _sync_beside_entry_point(tree: app_commands.CommandTree[Any]) -> dict[str, int]:
    http, application = tree.client.http, tree.client.application_id
    assert application is not None
    own: list[Any] = [command.to_dict(tree) for command in tree.get_commands()]
    known = await http.get_global_commands(application)
    kept: list[Any] = [_settable(dict(command)) for command in known if int(command["type"]) == ENTRY_POINT]
    synced = await http.bulk_upsert_global_commands(application, payload=[*own, *kept])
    return {command["name"]: int(command["id"]) for command in synced if int(command["type"]) != ENTRY_POINT}


def _settable(command: dict[str, Any]) -> dict[str, Any]:
    """Return a command that Discord has described, as it is sent to Discord."""
    return {name: value for name, value in command.items() if name not in ADDED_FIELDS and value is not None}
