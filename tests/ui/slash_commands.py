"""All commands of the bot, without the groups that they are in."""

from collections.abc import Iterator
from typing import Any

from discord import app_commands

from gipfbot.ui.commands import COMMANDS


def slash_commands() -> Iterator[app_commands.Command[Any, ..., Any]]:
    """Yield all slash commands."""
    for command in COMMANDS:
        if isinstance(command, app_commands.Group):
            yield from (each for each in command.walk_commands() if isinstance(each, app_commands.Command))
        elif isinstance(command, app_commands.Command):
            yield command


def command_names() -> list[str]:
    """Return the whole names of all commands, with the entry in the menu of a person."""
    menus = [command.name for command in COMMANDS if isinstance(command, app_commands.ContextMenu)]
    return [*(command.qualified_name for command in slash_commands()), *menus]
