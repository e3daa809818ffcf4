"""`/gipf-me vacation`: days on which a person's clocks are paused."""

from discord import app_commands

from gipfbot.service.settings.servers import MOST_VACATION_DAYS
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.interactions import answers_privately, slash_group
from gipfbot.ui.kit.respond import show_reply

from . import vacation_texts

vacation_group = slash_group("gipf-me vacation", 30, "Days on which your clocks are paused")


@vacation_group.command(name="start", description="Pause all your clocks for some days; your opponents are told")
@app_commands.describe(days="How many days, starting now")
@answers_privately
async def start_vacation_command(
    interaction: Interaction, days: app_commands.Range[int, 1, MOST_VACATION_DAYS]
) -> None:
    """Start a vacation of `days` days, and announce it in the channels of the user's games."""
    status, owed = await interaction.client.app.vacations.start_vacation(interaction.user.id, days)
    await interaction.client.delivery.deliver(owed)
    await show_reply(interaction, vacation_texts.vacation_started_text(status))


@vacation_group.command(name="end", description="Let your clocks run again")
@answers_privately
async def end_vacation_command(interaction: Interaction) -> None:
    """End the user's vacation, and announce it in the channels of their games."""
    status, owed = await interaction.client.app.vacations.end_vacation(interaction.user.id)
    await interaction.client.delivery.deliver(owed)
    await show_reply(interaction, vacation_texts.vacation_over_text(status))


@vacation_group.command(
    name="status", description="Whether you are on vacation, and how many days you have left this year"
)
@answers_privately
async def vacation_status_command(interaction: Interaction) -> None:
    """Show whether the user is on vacation, and how many days they have left this year."""
    status = await interaction.client.app.vacations.vacation_status(interaction.user.id)
    await show_reply(interaction, vacation_texts.vacation_status_text(status))
