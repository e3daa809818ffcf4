"""All commands of the bot, without the groups that they are in, and their options as a table writes them."""

from collections.abc import Iterable, Iterator
from typing import Any

import discord
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


def read_options(command: app_commands.Command[Any, ..., Any], values: Iterable[str], person: object) -> dict[str, Any]:
    """Return options that are written as `days=3`, each as a value of its type. Each person is the given one."""
    found: dict[str, Any] = dict(value.split("=") for value in values)
    for name, text in found.items():
        option = command.get_parameter(name)
        assert option, f"/{command.qualified_name} has no option {name}"
        if option.type is discord.AppCommandOptionType.integer:
            found[name] = int(text)
        elif option.type is discord.AppCommandOptionType.user:
            found[name] = person
    return found
