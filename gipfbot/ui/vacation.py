"""A person's vacation."""

from discord import app_commands

from gipfbot.service.servers import MOST_VACATION

from . import vacation_texts
from .replies import Interaction, guarded, show

vacation = app_commands.Group(name="vacation", description="Days on which your clocks stand still")


@vacation.command(name="start", description="Stop all your clocks for some days; your opponents are told")
@app_commands.describe(days="For how many days from now on")
async def start(interaction: Interaction, days: app_commands.Range[int, 1, MOST_VACATION]) -> None:
    """Go on vacation."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        leave, owed = await interaction.client.vacations.start(interaction.user.id, days)
        await interaction.client.delivery.deliver(owed)
        await show(interaction, vacation_texts.begun(leave))

    await guarded(interaction, work())


@vacation.command(name="end", description="Let your clocks run again")
async def end(interaction: Interaction) -> None:
    """Come back."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        leave, owed = await interaction.client.vacations.end(interaction.user.id)
        await interaction.client.delivery.deliver(owed)
        await show(interaction, vacation_texts.over(leave))

    await guarded(interaction, work())


@vacation.command(name="status", description="Whether you are on vacation, and how many days you have left this year")
async def status(interaction: Interaction) -> None:
    """Tell how it stands."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        await show(interaction, vacation_texts.status(await interaction.client.vacations.leave(interaction.user.id)))

    await guarded(interaction, work())
