"""Slash commands: the options that several share, how they are mentioned, and how they are sent to Discord.

Texts name a command in bold, such as `**/gipf games**`. If its id is known, a mention replaces the name.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

import discord
from discord import AppCommandType, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, locale_str
from discord.http import Route

from gipfbot.languages import languages, mark, say, say_name, speaking
from gipfbot.match import TIME_CONTROLS
from gipfbot.notation import NOTATIONS
from gipfbot.rules import RULESETS

from . import clock_texts

Value = TypeVar("Value", str, int)
_NAMED_COMMAND = re.compile(r"\*\*/([a-z-]+(?: [a-z-]+)*)\*\*")

# What is translated. The names of commands and options that are typed are the same for everybody.
_TRANSLATED = frozenset(
    (
        TranslationContextLocation.command_description,
        TranslationContextLocation.group_description,
        TranslationContextLocation.parameter_description,
        TranslationContextLocation.choice_name,
    )
)
ENTRY_POINT = 4  # the type of the command that starts an activity; discord.py does not know it
ENTRY_POINT_MISSING = 50240
# The fields that Discord adds to a command.
ADDED_FIELDS = frozenset(("id", "application_id", "version", "name_localized", "description_localized"))


class CommandTranslator(app_commands.Translator):
    """Translates descriptions, choices and entries of menus into the languages that people may choose."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a text in a language; None if it stays English, as do typed names and what a language's file lacks."""
        language = languages().get(locale.value)
        is_shown = context.location in _TRANSLATED or isinstance(context.data, app_commands.ContextMenu)
        if language is None or not is_shown:
            return None
        with speaking(language):
            translated: str = string.extras.get("said", partial(say, string.message))()
        return None if translated == string.message else translated


def said_choices(said: Callable[[Value], str], values: Iterable[Value]) -> list[app_commands.Choice[Value]]:
    """Return a choice for each of an option's values. `said` returns its name in the language that is spoken.

    It is for names that hold facts. `Choice` by itself is enough for a name that is a marked sentence.
    """
    return [
        app_commands.Choice(name=locale_str(said(value), said=partial(said, value)), value=value) for value in values
    ]


RULES_TITLES = {
    "basic": mark("Basic (no GIPF-pieces)"),
    "standard": mark("Standard (3 GIPF-pieces each)"),
    "tournament": mark("Tournament (GIPF-pieces come in first)"),
    "overboard": mark("Overboard (unofficial rules)"),
}
RULES_CHOICES = [app_commands.Choice(name=RULES_TITLES[name], value=name) for name in RULESETS]
TIME_CONTROL_CHOICES = said_choices(lambda name: clock_texts.time_control_text(TIME_CONTROLS[name]), TIME_CONTROLS)
_NOTATION_TITLES = {"official": mark("Official"), "julio974": "Julio974"}
NOTATION_CHOICES = [app_commands.Choice(name=_NOTATION_TITLES[name], value=name) for name in NOTATIONS]


def potential_number_text(number: int) -> str:
    """Return how many potentials of a kind each player gets, in words."""
    return say_name("{count} each", count=number) if number else say_name("none (the usual game)")


def chosen_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a slash command that the person has set. Options that are None are dropped."""
    return {name: value for name, value in options.items() if value is not None}


def mention_commands(text: str, ids: Mapping[str, int]) -> str:
    """Return a text in which the commands in bold are mentions. `ids` maps the whole name of a command to its id.

    A command that is not in `ids` stays bold.
    """

    def mention(named: re.Match[str]) -> str:
        name = named[1]
        return f"</{name}:{ids[name]}>" if name in ids else named[0]

    return _NAMED_COMMAND.sub(mention, text)


def mentionable_ids(tree: app_commands.CommandTree, ids: Mapping[str, int]) -> dict[str, int]:
    """Return the id for mentioning each command of a tree, by its full name, such as `gipf games`.

    `ids` maps the first word of these names to the id that Discord has given it. A group is left out, because Discord
    mentions only commands that can be run.
    """
    commands = tree.walk_commands(type=AppCommandType.chat_input)
    names = [command.qualified_name for command in commands if isinstance(command, app_commands.Command)]
    return {name: ids[name.split()[0]] for name in names if name.split()[0] in ids}


async def command_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return a tree's commands with their translations, as they are sent to Discord. The tree has a translator."""
    assert tree.translator is not None
    return [await command.get_translated_payload(tree, tree.translator) for command in tree.get_commands()]


async def sync_commands(tree: app_commands.CommandTree[Any]) -> dict[str, int]:
    """Replace Discord's list of commands by a tree's commands. Return the id of each by its name.

    Discord requires the application's entry point command, if there is one, in the list, so it is kept. Raises
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
    own = await command_payload(tree)
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    known = await http.request(route, params={"with_localizations": "true"})
    kept: list[Any] = [_settable(dict(command)) for command in known if int(command["type"]) == ENTRY_POINT]
    synced = await http.bulk_upsert_global_commands(application, payload=[*own, *kept])
    return {command["name"]: int(command["id"]) for command in synced if int(command["type"]) != ENTRY_POINT}


def _settable(command: dict[str, Any]) -> dict[str, Any]:
    """Convert a command as Discord describes it to the form in which it is sent to Discord."""
    return {name: value for name, value in command.items() if name not in ADDED_FIELDS and value is not None}
