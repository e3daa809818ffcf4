"""Reminders as a player sets them, and the buttons under them."""

from discord import app_commands

from gipfbot.service.reminders import OFF, WISHES

from . import reminder_texts
from .items import handles
from .replies import Interaction, guarded, show, tell
from .screens import Button

TIMES = [app_commands.Choice(name=reminder_texts.WHEN[name], value=name) for name in WISHES]


@app_commands.command(description="When you are reminded of a turn that waits for you")
@app_commands.describe(when="When: of how much is left, or before the end (default: leaves it as it is)")
@app_commands.choices(when=TIMES)
async def reminders(interaction: Interaction, when: str = "") -> None:
    """Show when a person is reminded, changed if he says so."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        known, user = interaction.client.reminders, interaction.user.id
        if when:
            await known.wish(user, when)
        now = await known.reminding(user)
        await show(interaction, reminder_texts.reminding(now.wish, now.quiet, shut=now.shut))

    await guarded(interaction, work())


@handles("n")
async def press_off(interaction: Interaction, rest: str) -> None:
    """A button under a reminder that turns reminders off, for its game or for good."""
    id, which = rest.split(":")

    async def work() -> None:
        if which == "always":
            await interaction.client.reminders.wish(interaction.user.id, OFF)
            await tell(interaction, reminder_texts.OFF_FOR_GOOD)
        else:
            await interaction.client.reminders.off(interaction.user.id, int(id))
            await tell(interaction, reminder_texts.off_here(int(id)))

    await guarded(interaction, work())


def nudge_button(id: int, number: int) -> Button:
    """Return the button for the player who waits, drawn for a game after so many turns."""
    return Button(reminder_texts.NUDGE, f"k:{id}:{number}")


@handles("k")
async def press_nudge(interaction: Interaction, rest: str) -> None:
    """The button that pings the opponent in the game's channel."""
    id, number = map(int, rest.split(":"))

    async def work() -> None:
        await interaction.response.defer()
        owed = await interaction.client.reminders.nudge(id, interaction.user.id, number)
        posted = owed is not None and await interaction.client.delivery.deliver([owed])
        await tell(interaction, reminder_texts.NUDGED if posted else reminder_texts.NUDGED_LATER)

    await guarded(interaction, work())
