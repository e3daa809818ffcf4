"""`/gipf-server stats`: the games of a server, its turns by day, how often White wins, and the game followed most."""

import discord
from discord import app_commands

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ListedText, PrivateRow
from gipfbot.ui.kit.interactions import answers_privately
from gipfbot.ui.kit.permissions import channels_seen, check_manager, visible_games
from gipfbot.ui.kit.respond import show_reply
from gipfbot.values import FollowedGame

from . import server_stats_texts


@app_commands.command(name="stats", description="See how much is played on this server, and how often White wins")
@answers_privately
async def server_stats_command(interaction: Interaction) -> None:
    """Show the figures of a server, and of its followed games the first that the person may see."""
    member = interaction.user
    if not await check_manager(interaction) or not isinstance(member, discord.Member):
        return
    figures = await interaction.client.app.server_stats.figures(member.guild.id, channels_seen(member), member.id)
    if figures.is_empty:
        await show_reply(interaction, server_stats_texts.NO_GAMES_HERE)
        return
    text = server_stats_texts.server_figures_text(figures, member.guild.name)
    seen = await visible_games(interaction, figures.followed)
    rows = (_followed_row(seen),) if figures.running else ()
    await show_reply(interaction, text, server_stats_texts.turns_plot(figures), rows)


def _followed_row(seen: list[FollowedGame]) -> PrivateRow:
    """Return the first of these games with its button, or that there is none."""
    if not seen:
        return server_stats_texts.NOBODY_FOLLOWS
    return ListedText(server_stats_texts.followed_text(seen[0]), Button(texts.BOARD_LABEL, f"game_board:{seen[0].id}"))
