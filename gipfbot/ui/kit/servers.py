"""Find a server that the bot is in: in memory, or by asking Discord if another process has its shard."""

import discord

from .client import AppClient

GONE_CODES = (10004, 50001)  # unknown server, missing access


async def find_server(client: AppClient, server: int) -> discord.Guild | None:
    """Return a server with its channels, its active threads and the bot as a member. None if the bot is not in it.

    Raises ConnectionError as long as the bot does not know its servers, and discord.HTTPException if Discord cannot
    tell.
    """
    if client.own_shards and not client.own_shards.has_server(server):
        return await _ask_discord(client, server)
    guild = client.get_guild(server)
    if not client.is_ready() or (guild and guild.unavailable):
        raise ConnectionError(f"server {server} is not known yet")
    return guild


async def _ask_discord(client: AppClient, server: int) -> discord.Guild | None:
    assert client.user, "the bot is logged in"
    await client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    try:
        guild = await client.fetch_guild(server, with_counts=False)
        for channel in await guild.fetch_channels():
            guild._add_channel(channel)
        guild._add_member(await guild.fetch_member(client.user.id))
        for thread in await guild.active_threads():
            guild._add_thread(thread)
    except discord.HTTPException as error:
        if error.code in GONE_CODES:
            return None
        raise
    return guild
