"""Mentions of slash commands. Pressing a mention writes the command into the person's text field.

Texts name a command in bold, such as `**/gipf games**`. Where its id is known, the mention takes the place of the name.
"""

import re
from collections.abc import Mapping

from discord import AppCommandType, app_commands

_NAMED_COMMAND = re.compile(r"\*\*/([a-z-]+(?: [a-z-]+)*)\*\*")


def mention_commands(text: str, ids: Mapping[str, int]) -> str:
    """Return a text in which the commands in bold are mentions. `ids` maps the whole name of a command to its id.

    A command that is not in `ids` stays bold.
    """

    def mention(named: re.Match[str]) -> str:
        name = named[1]
        return f"</{name}:{ids[name]}>" if name in ids else named[0]

    return _NAMED_COMMAND.sub(mention, text)


def mentionable_ids(tree: app_commands.CommandTree, ids: Mapping[str, int]) -> dict[str, int]:
    """Return the id with which each command of a tree is mentioned, by its whole name, such as `gipf games`.

    `ids` maps the first word of these names to the id that Discord has given it. A group is left out, because Discord
    mentions only what can be run.
    """
    commands = tree.walk_commands(type=AppCommandType.chat_input)
    names = [command.qualified_name for command in commands if isinstance(command, app_commands.Command)]
    return {name: ids[name.split()[0]] for name in names if name.split()[0] in ids}
