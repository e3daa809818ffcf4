"""The names of people as others read them: on this server, and outside of it. A nickname is for one server only."""

import asyncio
from collections.abc import Iterable

import aiohttp
import discord

from gipfbot.languages import mark, say_name
from gipfbot.match import DAY
from gipfbot.match.game import clean_name
from gipfbot.values import is_former_player

from .client import AppClient, Interaction

ASK_SECONDS = 3  # for Discord's answer: a person waits for it
UNTOLD_NAME = mark("A player")  # whose name Discord does not tell


def names_here(interaction: Interaction, people: Iterable[int]) -> dict[int, str]:
    """Return the present names on this server of those who have used the bot here since its start, by their ids."""
    known, server = interaction.client.known_names, str(interaction.guild_id)
    found = {user: name for user in people if (name := known.find(user, server))}
    acting = interaction.user
    return {**found, acting.id: clean_name(acting.display_name)}


async def fetch_global_names(interaction: Interaction, people: Iterable[int]) -> dict[int, str]:
    """Return the global names of people, by their ids. Leaves out former players.

    Discord is asked about each at most once a day. Whom it cannot tell of is UNTOLD_NAME.
    """
    bot, asked = interaction.client, [user for user in people if not is_former_player(user)]
    kept = f"everywhere:{bot.app.now() // DAY}"
    if missing := [user for user in asked if bot.known_names.find(user, kept) is None]:
        await bot.app.end_snapshot()  # Discord may take seconds, and others need the connection
        found = zip(missing, await asyncio.gather(*(_ask_discord(bot, user) for user in missing)), strict=True)
        for user, name in found:
            if name is not None:
                bot.known_names.keep(user, kept, name)
    return {user: bot.known_names.find(user, kept) or say_name(UNTOLD_NAME) for user in asked}


async def _ask_discord(bot: AppClient, user: int) -> str | None:
    """Return a person's global name. None if Discord cannot tell now."""
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return clean_name((await bot.fetch_user(user)).display_name)
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return None
