"""Check what a slash command was sent with, as Discord does: a modified client may send anything."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from discord import AppCommandOptionType as Kind
from discord import app_commands

from gipfbot.match import Refused, Why

from .client import Interaction

SUBCOMMANDS = (Kind.subcommand.value, Kind.subcommand_group.value)
# What Discord adds about the people, channels and roles that are chosen.
_RESOLVED_AS = {Kind.user: "users", Kind.channel: "channels", Kind.role: "roles"}


def check_sent_options(interaction: Interaction) -> None:
    """Raise Refused if a slash command is not known, or if it was sent with options that it does not offer."""
    command, data = interaction.command, dict[str, Any](interaction.data or {})
    resolved = data.get("resolved") or {}
    if isinstance(command, app_commands.ContextMenu):
        _check_chosen(data.get("target_id"), resolved.get("users", {}), None)
        return
    if command is None:
        raise Refused(Why.COMMAND_CHANGED)
    sent: dict[str, Any] = {option["name"]: option.get("value") for option in _leaf_options(data)}
    offered = {option.display_name: option for option in command.parameters}
    if not sent.keys() <= offered.keys() or any(each.required and name not in sent for name, each in offered.items()):
        raise Refused(Why.COMMAND_CHANGED)
    for name, value in sent.items():
        _check_option(offered[name], value, resolved)


def _leaf_options(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the options of the command itself, below its groups."""
    options = data.get("options") or []
    while options and options[0].get("type") in SUBCOMMANDS:
        options = options[0].get("options") or []
    return list(options)


def _check_option(option: app_commands.Parameter, value: Any, resolved: Mapping[str, Any]) -> None:
    if option.type in _RESOLVED_AS:
        _check_chosen(value, resolved.get(_RESOLVED_AS[option.type], {}), option.display_name)
    elif not _CHECKS[option.type](option, value):
        raise Refused(Why.NOT_OFFERED, option=option.display_name, value=value)


def _check_chosen(value: Any, known: Collection[str], option: str | None) -> None:
    if not isinstance(value, str) or value not in known:
        raise Refused(Why.NOT_OFFERED, option=option, value=value)


def _is_text(option: app_commands.Parameter, value: Any) -> bool:
    return isinstance(value, str) and _is_choice(option, value) and _is_between(option, len(value))


def _is_number(option: app_commands.Parameter, value: Any) -> bool:
    return type(value) is int and _is_choice(option, value) and _is_between(option, value)


def _is_choice(option: app_commands.Parameter, value: Any) -> bool:
    return not option.choices or any(choice.value == value for choice in option.choices)


def _is_between(option: app_commands.Parameter, number: int) -> bool:
    """Return whether a number, or the length of a text, is within what the option allows."""
    least, most = option.min_value, option.max_value
    return (least is None or number >= least) and (most is None or number <= most)


_CHECKS: Mapping[Kind, Callable[[app_commands.Parameter, Any], bool]] = {
    Kind.string: _is_text,
    Kind.integer: _is_number,
    Kind.boolean: lambda _, value: isinstance(value, bool),
}
