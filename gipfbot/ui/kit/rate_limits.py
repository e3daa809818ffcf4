"""How fast one person may use the bot. A refusal is sent at once and asks the database nothing."""

from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from gipfbot.match import Refused, Why

from .client import AppClient, Interaction
from .request_log import begin_request
from .respond import run_guarded
from .sent_options import check_sent_options
from .views import LIFE_TAG

TOO_FAST = "too fast"  # key in `extras`: that the interaction was refused here


async def allow_interaction(interaction: Interaction) -> bool:
    """Take a token for a command, a press or a form. If there is none, tell the person and return False."""
    begin_request(interaction)
    bot, now = interaction.client, interaction.client.app.now()
    seconds = bot.interaction_buckets.take(interaction.user.id, now)
    if seconds:
        interaction.extras[TOO_FAST] = True
        await run_guarded(interaction, _refuse(Refused(Why.TOO_FAST, at=now + seconds)))
    return not seconds


async def _allow_options(interaction: Interaction) -> bool:
    """Return whether a command was sent with options that it offers. If not, tell the person."""
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


async def _allow_suggestions(interaction: Interaction) -> bool:
    """Take a token for suggestions while the person types. If there is none, suggest nothing and return False."""
    if interaction.client.suggestion_buckets.take(interaction.user.id, interaction.client.app.now()) == 0:
        interaction.client.figures.suggestions.inc()
        return True
    with suppress(discord.HTTPException):
        await interaction.response.autocomplete([])
    return False


class LimitedCommandTree(app_commands.CommandTree[AppClient]):
    """A tree of slash commands that limits how fast one person may use them, and checks their options."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether a command may be run, or suggestions be made. If not, the person is answered."""
        LIFE_TAG.set(interaction.client.app.lives.tag)
        if interaction.type is discord.InteractionType.autocomplete:
            return await _allow_suggestions(interaction)
        return await allow_interaction(interaction) and await _allow_options(interaction)
