"""Acknowledge an interaction, even if Discord's answer to the acknowledgement is lost on the way."""

import aiohttp
import discord

from .client import AnyInteraction

ALREADY_ACKNOWLEDGED = 40060
_ACKNOWLEDGED = "acknowledged"  # key in `extras`: Discord says that it is, but discord.py does not know


async def acknowledge(interaction: AnyInteraction, *, ephemeral: bool = False, thinking: bool = False) -> None:
    """Defer the answer to an interaction. The arguments are those of discord.py's `defer`.

    If the connection breaks, try once more. If Discord says that the interaction is acknowledged already, an earlier
    try has arrived, so go on. discord.py tries again by itself after an error of Discord's server.
    """
    try:
        await _defer(interaction, ephemeral=ephemeral, thinking=thinking)
    except (OSError, aiohttp.ClientError):
        await _defer(interaction, ephemeral=ephemeral, thinking=thinking)


async def _defer(interaction: AnyInteraction, *, ephemeral: bool, thinking: bool) -> None:
    try:
        await interaction.response.defer(ephemeral=ephemeral, thinking=thinking)
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        interaction.extras[_ACKNOWLEDGED] = True


def is_acknowledged(interaction: AnyInteraction) -> bool:
    """Return whether Discord knows that an interaction is being handled, so that answers are sent as follow-ups."""
    return interaction.response.is_done() or _ACKNOWLEDGED in interaction.extras
