"""`/gipf-server settings`: the settings of a server, for those who manage it."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from gipfbot.service.settings.servers import (
    MOST_GAMES,
    MOST_GRACE_HOURS,
    MOST_VACATION_DAYS,
    SIDES,
    ServerSettings,
    with_changes,
)
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.command_options import RULES_CHOICES, TIME_CONTROL_CHOICES, chosen_options
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles
from gipfbot.ui.kit.permissions import NEEDED_PERMISSIONS, THREAD_PERMISSIONS, missing_permissions_in
from gipfbot.ui.kit.respond import show_reply

from . import server_texts
from .user import THEME_CHOICES

SIDE_CHOICES = [app_commands.Choice(name=f"{side.capitalize()} below", value=side) for side in SIDES]

gipf_server_group = app_commands.Group(
    name="gipf-server",
    description="GIPF settings of this server",
    # `guild_only` has no effect here: the contexts of the command tree override it.
    allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    default_permissions=discord.Permissions(manage_guild=True),
)


@gipf_server_group.command(name="settings", description="See and change the GIPF settings of this server")
@app_commands.describe(
    rules="The version of GIPF, unless a challenge says otherwise",
    pace="How much time each player has, unless a challenge says otherwise",
    weekends="Whether Saturdays and Sundays (UTC) count, unless a challenge says otherwise",
    grace="Hours to finish a turn after its time is over (0: none)",
    vacation="Days a year for which a player's clocks may be paused",
    channel="Where challenges and boards go",
    anywhere="Challenges and boards go where the command is used",
    threads="Whether each game gets a thread of its own, unless a challenge says otherwise",
    cap="How many games a person may play here at a time (0: any number)",
    theme="The colours of the boards that everybody sees; /gipf-me settings shows samples",
    below="Whose side public boards are seen from",
)
@app_commands.choices(rules=RULES_CHOICES, pace=TIME_CONTROL_CHOICES, theme=THEME_CHOICES, below=SIDE_CHOICES)
@answers_privately
async def server_settings_command(
    interaction: Interaction,
    rules: str | None = None,
    pace: str | None = None,
    weekends: bool | None = None,
    grace: app_commands.Range[int, 0, MOST_GRACE_HOURS] | None = None,
    vacation: app_commands.Range[int, 0, MOST_VACATION_DAYS] | None = None,
    channel: discord.TextChannel | None = None,
    anywhere: bool | None = None,
    threads: bool | None = None,
    cap: app_commands.Range[int, 0, MOST_GAMES] | None = None,
    theme: str | None = None,
    below: str | None = None,
) -> None:
    """Change the settings of a server, and show all. An option that is None changes nothing.

    `anywhere` unsets the channel for games. A `cap` of 0 unsets the cap.
    """
    options = {
        "rules": rules,
        "pace": pace,
        "weekends": weekends,
        "grace": grace,
        "vacation": vacation,
        "channel": channel and channel.id,
        "threads": threads,
        "theme": theme,
        "below": below,
    }
    cleared = {**({"channel": None} if anywhere else {}), **({} if cap is None else {"cap": cap or None})}
    if interaction.guild is None:
        await show_reply(interaction, server_texts.ONLY_ON_SERVERS)
    elif anywhere is False or (anywhere and channel):
        await show_reply(interaction, server_texts.CHANNEL_OR_ANYWHERE)
    else:
        await _update_server_settings(interaction, interaction.guild, {**chosen_options(options), **cleared})


@handles("set_up", "", Reply.APART)
async def press_set_up(interaction: Interaction) -> None:
    """Show the settings of the server to a person who manages it."""
    if interaction.guild is None:
        await show_reply(interaction, server_texts.ONLY_ON_SERVERS)
    elif not interaction.permissions.manage_guild:
        await show_reply(interaction, server_texts.ONLY_FOR_MANAGERS)
    else:
        await _update_server_settings(interaction, interaction.guild, {})


async def _update_server_settings(interaction: Interaction, guild: discord.Guild, changes: Mapping[str, Any]) -> None:
    """Change these settings of a server, and show all.

    If the bot lacks a permission that the changes need in the channel for games, say so and change nothing.
    """
    servers = interaction.client.app.servers
    settings = with_changes(await servers.settings(guild.id), changes)
    missing = _missing_in_games_channel(guild, settings)
    if prevents := _blocking_permissions(missing, changes):
        await show_reply(interaction, server_texts.channel_refused_text(prevents, settings.channel))
        return
    if changes:
        settings = await servers.change(guild.id, changes)
    await show_reply(interaction, server_texts.server_settings_text(settings, missing, changed=bool(changes)))


def _blocking_permissions(missing: Sequence[str], changes: Mapping[str, Any]) -> list[str]:
    """Return the missing permissions that block these changes, in words.

    A new channel for games needs all permissions. Threads need only those for threads.
    """
    if changes.get("channel"):
        return [*missing]
    return [words for words in missing if words in THREAD_PERMISSIONS.values()] if changes.get("threads") else []


def _missing_in_games_channel(guild: discord.Guild, settings: ServerSettings) -> list[str]:
    """Return the permissions that the bot lacks in the channel for games, in words. Empty if no such channel is set."""
    if settings.channel is None:
        return []
    needed = {**NEEDED_PERMISSIONS, **(THREAD_PERMISSIONS if settings.threads else {})}
    return missing_permissions_in(guild.get_channel(settings.channel), needed)
