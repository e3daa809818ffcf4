"""`/gipf-me`: what holds for one person alone."""

from discord import app_commands

from gipfbot.notation import NOTATIONS
from gipfbot.service.service import notation_in

from . import texts
from .reminders import reminders
from .replies import Interaction, guarded, show
from .vacation import vacation

NOTATION_CHOICES = [
    app_commands.Choice(name=notation.title.capitalize(), value=name) for name, notation in NOTATIONS.items()
]

me = app_commands.Group(name="gipf-me", description="What holds for you alone")


@me.command(description="See and change your settings")
@app_commands.describe(
    confirm_typed="Show a typed turn before it is played",
    notation="How turns are written for you; whatever you choose, you may type either",
)
@app_commands.choices(notation=NOTATION_CHOICES)
async def settings(interaction: Interaction, confirm_typed: bool | None = None, notation: str | None = None) -> None:
    """Show a person's settings, changed if he says so."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        service, user = interaction.client.service, interaction.user.id
        for key, value in (("confirm_typed", confirm_typed), ("notation", notation)):
            if value is not None:
                await service.set_setting(user, key, value)
        known = await service.settings(user)
        await show(interaction, texts.settings(bool(known.get("confirm_typed")), notation_in(known)))

    await guarded(interaction, work())


me.add_command(reminders)
me.add_command(vacation)
