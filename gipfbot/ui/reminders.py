"""Reminders as a player sets them, and the buttons under them."""

from discord import app_commands

from gipfbot.service.reminders import OFF, WISHES

from . import digests, reminder_texts
from .items import handles
from .replies import Interaction, guarded, tell
from .screens import Button

TIMES = [app_commands.Choice(name=reminder_texts.WHEN[name], value=name) for name in WISHES]


@app_commands.command(description="When you are reminded of a turn that waits for you")
@app_commands.describe(
    when="When: of how much is left, or before the end (default: leaves it as it is)",
    digest="Instead, one message a day on all games that wait for you: at this hour",
    zone="The time zone you live in: type a big city near you",
)
@app_commands.choices(when=TIMES, digest=digests.TIMES)
@app_commands.autocomplete(zone=digests.complete_zone)
async def reminders(interaction: Interaction, when: str = "", digest: str = "", zone: str = "") -> None:
    """Show when a person is reminded, changed if he says so."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        bot, user = interaction.client, interaction.user.id
        hour = int(digest) if digest.isdigit() else None
        known = bot.digests.choose(user, zone=zone.strip()) if zone.strip() else bot.digests.plan(user)
        lives_in = (await known).zone
        if when:
            await bot.reminders.wish(user, when)
        if digest == digests.OFF:
            await bot.digests.off(user)
        if hour is not None and lives_in is None:
            await digests.ask_zone(interaction, hour)
            return
        if hour is not None:
            await bot.digests.choose(user, hour)
        await digests.show_reminding(interaction)

    await guarded(interaction, work())


@handles("n")
async def press_off(interaction: Interaction, rest: str) -> None:
    """A button that turns reminders off, for a game or for good, or under a digest the digest."""
    id, which = rest.split(":")

    async def work() -> None:
        bot, user = interaction.client, interaction.user.id
        if which == "game":
            await bot.reminders.off(user, int(id))
            await tell(interaction, reminder_texts.off_here(int(id)))
        elif which == "always":
            await bot.reminders.wish(user, OFF)
            await tell(interaction, reminder_texts.off_for_good(await bot.digests.plan(user)))
        else:
            await bot.digests.off(user)
            await tell(interaction, reminder_texts.digest_off((await bot.reminders.reminding(user)).wish))

    await guarded(interaction, work())


def nudge_button(id: int, serial: int) -> Button:
    """Return the button for the player who waits, drawn for a game with this serial."""
    return Button(reminder_texts.NUDGE, f"k:{id}:{serial}")


@handles("k")
async def press_nudge(interaction: Interaction, rest: str) -> None:
    """The button that pings the opponent in the game's channel."""
    id, serial = map(int, rest.split(":"))

    async def work() -> None:
        await interaction.response.defer()
        owed = await interaction.client.reminders.nudge(id, interaction.user.id, serial)
        posted = owed is not None and await interaction.client.delivery.deliver([owed])
        await tell(interaction, reminder_texts.NUDGED if posted else reminder_texts.NUDGED_LATER)

    await guarded(interaction, work())
