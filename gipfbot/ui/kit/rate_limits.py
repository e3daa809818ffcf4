"""Limit what one person sends: how fast, one heavy job at a time, and only options that Discord offers.

A refusal is sent at once, without a database query. Heavy jobs are replays, records, imports and exports, but not a
person's own boards, desks and lists. Slow parts of all these wait in a `FairQueue`.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import aiohttp
import discord
from discord import AppCommandOptionType as Kind, app_commands

from gipfbot.match import Refused, Why
from gipfbot.values import DatabaseTrouble

from .client import AppClient, Interaction
from .components import TIMELINE_TAG
from .discord_codes import PASSING, meaning
from .discord_internals import send_suggestions
from .request_log import begin_request
from .respond import TOO_LATE, run_guarded
from .spoken import learn_chosen, speak_to

log = logging.getLogger(__name__)
TOO_FAST = "too fast"  # key in `extras`: whether the interaction was refused here

SUBCOMMANDS = (Kind.subcommand.value, Kind.subcommand_group.value)
# Discord's keys for the details of chosen people, channels and roles.
_RESOLVED_AS = {Kind.user: "users", Kind.channel: "channels", Kind.role: "roles"}


async def allow_interaction(interaction: Interaction) -> bool:
    """Take a token for a command, a press or a form. If there is none, tell the person and return False."""
    begin_request(interaction)
    speak_to(interaction)
    bot, now = interaction.client, interaction.client.app.now()
    seconds = bot.interaction_buckets.take(interaction.user.id, now)
    if seconds:
        interaction.extras[TOO_FAST] = True
        await run_guarded(interaction, _refuse(Refused(Why.TOO_FAST, at=now + seconds)))
    return not seconds


async def _allow_options(interaction: Interaction) -> bool:
    """Return whether a command was sent only with options that it offers. If not, tell the person."""
    try:
        check_sent_options(interaction)
    except Refused as refusal:
        await run_guarded(interaction, _refuse(refusal))
        return False
    return True


async def _refuse(refusal: Refused) -> None:
    raise refusal


def is_refused(interaction: discord.Interaction[Any]) -> bool:
    """Return whether an interaction was refused because the person acts too fast."""
    return TOO_FAST in interaction.extras


async def _suggest(interaction: Interaction) -> None:
    """Take a token for suggestions, and suggest values to a person who types. Without a token, suggest nothing.

    Suggestions that Discord does not take any more are no fault: the person has typed on.
    """
    try:
        await learn_chosen(interaction)
        speak_to(interaction)
        await _send_suggestions(interaction)
    except DatabaseTrouble:  # the store has logged it
        pass
    except Exception as error:
        if _is_lost(error):
            log.warning("suggestions were lost: %r", error)
        else:
            log.exception("nothing was suggested")


def _is_lost(error: Exception) -> bool:
    """Return whether an error is that of Discord or the network, or means that suggestions have come too late."""
    if isinstance(error, discord.HTTPException):
        return error.code in TOO_LATE or meaning(error) in PASSING
    return isinstance(error, (OSError, aiohttp.ClientError))


async def _send_suggestions(interaction: Interaction) -> None:
    bot, command = interaction.client, interaction.command
    allowed = bot.suggestion_buckets.take(interaction.user.id, bot.app.now()) == 0
    known = command.parameters if isinstance(command, app_commands.Command) else ()
    suggesting = {option.display_name for option in known if option.autocomplete}
    sent = _leaf_options(dict[str, Any](interaction.data or {}))
    typed = [option["name"] for option in sent if option.get("focused") and option["name"] in suggesting]
    if allowed and typed and isinstance(command, app_commands.Command):
        bot.figures.suggestions.inc()
        await send_suggestions(interaction, command, typed[0])
    else:  # they type too fast, or into an option of an older version
        await interaction.response.autocomplete([])


class LimitedCommandTree(app_commands.CommandTree[AppClient]):
    """A tree of slash commands that limits how fast one person may use them, and checks their options."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether a command may run. If not, answer the person. Suggestions are made here, without the tree."""
        TIMELINE_TAG.set(interaction.client.app.timelines.tag)
        if interaction.type is discord.InteractionType.autocomplete:
            await _suggest(interaction)
            return False
        return await allow_interaction(interaction) and await _allow_options(interaction)


@contextmanager
def one_job(interaction: Interaction) -> Iterator[None]:
    """Count the `with` block as the person's one heavy job. Raises Refused if they have one already."""
    jobs, person = interaction.client.jobs, interaction.user.id
    check_no_job(interaction)
    if person in interaction.client.replays.values():
        raise Refused(Why.JOB_RUNNING)
    jobs.add(person)
    try:
        yield
    finally:
        jobs.discard(person)


def check_no_job(interaction: Interaction) -> None:
    """Raise Refused if the person has a heavy job now. A replay does not count, because a new one replaces it."""
    if interaction.user.id in interaction.client.jobs:
        raise Refused(Why.JOB_RUNNING)


def check_sent_options(interaction: Interaction) -> None:
    """Raise Refused if a slash command is unknown, or if it was sent with options that it does not offer."""
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
    """Return the options of the command itself, without the levels of its groups."""
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
