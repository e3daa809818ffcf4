"""`/gipf-server status`: the bot's state and missing permissions on a server; for its owner also its overall state.

What the owner reads is in English, as is the log.
"""

import math

import discord

from gipfbot.languages import ENGLISH, speaking
from gipfbot.ui.kit import Interaction, Reply, answers_privately, handles, join_lines, show_reply, slash_command
from gipfbot.ui.kit.components import Malformed
from gipfbot.ui.kit.permissions import check_bot_is_on, check_manager, missing_permissions, missing_permissions_in

from . import status_texts


@slash_command("gipf-server status", 30, "See whether the bot works on this server, and which permissions it lacks")
@answers_privately
async def server_status_command(interaction: Interaction) -> None:
    """Show the bot's state and missing permissions on the server. The bot's owner also gets its overall state."""
    is_owner = interaction.user.id == interaction.client.owner
    if not is_owner and not await check_manager(interaction):
        return
    if interaction.guild:
        await check_bot_is_on(interaction, interaction.guild_id)
    if is_owner:
        with speaking(ENGLISH):
            lines = [*await _status_lines(interaction), *await _host_lines(interaction)]
    else:
        lines = await _status_lines(interaction)
    await show_reply(interaction, join_lines(*lines))


async def _status_lines(interaction: Interaction) -> list[str]:
    there = await _server_lines(interaction, interaction.guild) if interaction.guild else []
    return [_bot_text(interaction), *there]


@handles("host_state", "", Reply.APART)
async def press_host_state(interaction: Interaction) -> None:
    """Show the owner the bot's overall state. Nobody else gets this button."""
    if interaction.user.id != interaction.client.owner:
        raise Malformed("host_state")
    with speaking(ENGLISH):
        lines = [_bot_text(interaction), *await _host_lines(interaction)]
    await show_reply(interaction, join_lines(*lines))


def _bot_text(interaction: Interaction) -> str:
    bot = interaction.client
    uptime = round(bot.health_watch.steady() - bot.health_watch.started_at)
    latency = round(1000 * bot.latency) if math.isfinite(bot.latency) else None
    return status_texts.bot_line(uptime, latency)


async def _server_lines(interaction: Interaction, guild: discord.Guild) -> list[str]:
    state = await interaction.client.app.vital_signs.server_state(guild.id)
    return status_texts.server_lines(state, await _lacking_permissions(interaction, guild, state.refusing_channels))


async def _lacking_permissions(
    interaction: Interaction, guild: discord.Guild, refusing: tuple[int, ...]
) -> dict[int, list[str]]:
    """Return the bot's missing permissions by channel: here, in the chosen channels, and where boards are refused."""
    settings = await interaction.client.app.servers.settings(guild.id)
    found = {interaction.channel_id or 0: missing_permissions(interaction)}
    for channel in (settings.channel, settings.results, *refusing):
        if channel is not None and channel not in found and not _is_thread(guild, channel):
            found[channel] = missing_permissions_in(guild.get_channel(channel))
    return {channel: missing for channel, missing in found.items() if missing}


def _is_thread(guild: discord.Guild, channel: int) -> bool:
    return isinstance(guild.get_channel_or_thread(channel), discord.Thread)


async def _host_lines(interaction: Interaction) -> list[str]:
    bot = interaction.client
    return status_texts.host_lines(
        bot.health_watch.reasons(),
        await bot.app.arrivals.count_servers(),
        await bot.app.vital_signs.host_figures(),
        bot.app.now(),
        bot.figures.faults_by_kind(),
        bot.own_shards,
    )
