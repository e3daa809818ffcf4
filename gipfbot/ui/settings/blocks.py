"""`/gipf-me block`: the players whom a person blocks."""

import discord
from discord import app_commands

from gipfbot.match import Seat
from gipfbot.match.game import clean_name
from gipfbot.service.settings.users import MOST_BLOCKS
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Select
from gipfbot.ui.kit.game_picker import MOST_CHOICES
from gipfbot.ui.kit.interactions import answers_privately, chosen_number, handles
from gipfbot.ui.kit.respond import show_reply

from . import block_texts

block_group = app_commands.Group(name="block", description="Players who can't challenge, follow or nudge you")


@block_group.command(name="add", description="Keep a player from challenging, following and nudging you")
@app_commands.describe(player="Whom you block; they are not told")
@answers_privately
async def block_command(interaction: Interaction, player: discord.User) -> None:
    """Block a player."""
    if player.bot:
        await show_reply(interaction, block_texts.BLOCKS_A_BOT)
        return
    blocked = Seat(player.id, clean_name(player.display_name))
    new = await interaction.client.app.blocks.block(interaction.user.id, blocked)
    await show_reply(interaction, block_texts.blocked_text(blocked, new=new))


@block_group.command(name="remove", description="Unblock a player")
@app_commands.describe(player="Whom you no longer block")
@answers_privately
async def unblock_command(interaction: Interaction, player: discord.User) -> None:
    """Unblock a player."""
    found = await interaction.client.app.blocks.unblock(interaction.user.id, player.id)
    missing = block_texts.not_blocked_text(Seat(player.id, clean_name(player.display_name)))
    await show_reply(interaction, block_texts.unblocked_text(found) if found else missing)


@block_group.command(name="list", description="See whom you block")
@answers_privately
async def blocks_command(interaction: Interaction) -> None:
    """List the players whom the person blocks."""
    await _show_blocks(interaction)


@handles("unblock", "{number}")
async def choose_unblocked(interaction: Interaction, number: int) -> None:
    """Unblock the player who was chosen from the list, and show the list again."""
    await interaction.client.app.blocks.unblock(interaction.user.id, chosen_number(interaction))
    await _show_blocks(interaction)


async def _show_blocks(interaction: Interaction) -> None:
    """List the players whom the person blocks, with selects to unblock each."""
    found = await interaction.client.app.blocks.blocks_of(interaction.user.id)
    parts = [found[at : at + MOST_CHOICES] for at in range(0, len(found), MOST_CHOICES)]
    rows = tuple(_unblock_select(part, number) for number, part in enumerate(parts))
    text = block_texts.blocks_text(found, MOST_BLOCKS) if found else block_texts.BLOCKS_NOBODY
    await show_reply(interaction, text, rows=rows)


def _unblock_select(blocked: list[Seat], number: int) -> Select:
    options = tuple((one.name, str(one.user)) for one in blocked)
    return Select(block_texts.UNBLOCK_PLACEHOLDER, f"unblock:{number}", options)
