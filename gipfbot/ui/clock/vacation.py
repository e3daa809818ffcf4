"""A person's vacation."""

from discord import app_commands

from gipfbot.service.settings.servers import MOST_VACATION_DAYS
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.respond import run_guarded, show_reply

from . import vacation_texts

vacation_group = app_commands.Group(name="vacation", description="Days on which your clocks stand still")


@vacation_group.command(name="start", description="Stop all your clocks for some days; your opponents are told")
@app_commands.describe(days="For how many days from now on")
async def start_vacation_command(
    interaction: Interaction, days: app_commands.Range[int, 1, MOST_VACATION_DAYS]
) -> None:
    """Go on vacation."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        leave, owed = await interaction.client.app.vacations.start_vacation(interaction.user.id, days)
        await interaction.client.delivery.deliver(owed)
        await show_reply(interaction, vacation_texts.vacation_started_text(leave))

    await run_guarded(interaction, work())


@vacation_group.command(name="end", description="Let your clocks run again")
async def end_vacation_command(interaction: Interaction) -> None:
    """Come back."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        leave, owed = await interaction.client.app.vacations.end_vacation(interaction.user.id)
        await interaction.client.delivery.deliver(owed)
        await show_reply(interaction, vacation_texts.vacation_over_text(leave))

    await run_guarded(interaction, work())


@vacation_group.command(
    name="status", description="Whether you are on vacation, and how many days you have left this year"
)
async def vacation_status_command(interaction: Interaction) -> None:
    """Tell how it stands."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        await show_reply(
            interaction,
            vacation_texts.vacation_status_text(
                await interaction.client.app.vacations.vacation_status(interaction.user.id)
            ),
        )

    await run_guarded(interaction, work())
