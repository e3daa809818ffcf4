"""The digest as a player sets it: its hour, and the zone in which it is that hour, which Discord does not tell."""

from collections.abc import Iterable
from itertools import islice

from discord import app_commands

from gipfbot.service.digests import HOURS
from gipfbot.service.zones import fitting, time_in

from . import reminder_texts
from .choices import CHOICES
from .items import chosen_value, handles
from .replies import Interaction, guarded, show
from .screens import Row, Select

OFF = "off"
TIMES = [
    *(app_commands.Choice(name=reminder_texts.hour(hour), value=str(hour)) for hour in HOURS),
    app_commands.Choice(name=OFF, value=OFF),
]
# Where who reads Discord in a language most likely is.
LIKELY = {
    "bg": "Europe/Sofia",
    "cs": "Europe/Prague",
    "da": "Europe/Copenhagen",
    "de": "Europe/Berlin",
    "el": "Europe/Athens",
    "en-GB": "Europe/London",
    "en-US": "America/New_York",
    "es-419": "America/Mexico_City",
    "es-ES": "Europe/Madrid",
    "fi": "Europe/Helsinki",
    "fr": "Europe/Paris",
    "hi": "Asia/Kolkata",
    "hr": "Europe/Zagreb",
    "hu": "Europe/Budapest",
    "id": "Asia/Jakarta",
    "it": "Europe/Rome",
    "ja": "Asia/Tokyo",
    "ko": "Asia/Seoul",
    "lt": "Europe/Vilnius",
    "nl": "Europe/Amsterdam",
    "no": "Europe/Oslo",
    "pl": "Europe/Warsaw",
    "pt-BR": "America/Sao_Paulo",
    "ro": "Europe/Bucharest",
    "ru": "Europe/Moscow",
    "sv-SE": "Europe/Stockholm",
    "th": "Asia/Bangkok",
    "tr": "Europe/Istanbul",
    "uk": "Europe/Kyiv",
    "vi": "Asia/Ho_Chi_Minh",
    "zh-CN": "Asia/Shanghai",
    "zh-TW": "Asia/Taipei",
}
# One for each hour of the world in which many people live, from west to east.
WORLD = """
    Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Chicago America/New_York
    America/Halifax America/Sao_Paulo Atlantic/Azores Europe/London Europe/Brussels Africa/Lagos Europe/Athens
    Africa/Johannesburg Europe/Moscow Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Shanghai
    Asia/Tokyo Australia/Sydney Pacific/Auckland
""".split()


async def complete_zone(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer the zones that contain what is typed, the best guess first, each with its time."""
    found = islice(fitting(current), CHOICES) if current.strip() else _guesses(interaction)
    return [app_commands.Choice(name=said, value=zone) for said, zone in _told(interaction, found)]


def _guesses(interaction: Interaction) -> list[str]:
    likely = LIKELY.get(interaction.locale.value)
    return [*([likely] if likely else []), *(zone for zone in WORLD if zone != likely)][:CHOICES]


def _told(interaction: Interaction, zones: Iterable[str]) -> list[tuple[str, str]]:
    """Return each zone with what is said of it before it."""
    now = interaction.client.service.now()
    return [(reminder_texts.zone(zone, time_in(zone, now)), zone) for zone in zones]


async def ask_zone(interaction: Interaction, hour: int) -> None:
    """Ask in which zone it is to be this hour; the time in each tells which one is his."""
    row: Row = Select(reminder_texts.CHOOSE_ZONE, f"d:{hour}", tuple(_told(interaction, _guesses(interaction))))
    await show(interaction, reminder_texts.which_zone(hour), rows=(row,))


async def show_reminding(interaction: Interaction) -> None:
    """Show when a person is reminded."""
    bot, user = interaction.client, interaction.user.id
    now, plan = await bot.reminders.reminding(user), await bot.digests.plan(user)
    time = time_in(plan.zone, bot.service.now()) if plan.zone else ""
    await show(interaction, reminder_texts.reminding(now, plan, time))


@handles("d")
async def choose_zone(interaction: Interaction, rest: str) -> None:
    """A zone was chosen for the digest."""

    async def work() -> None:
        await interaction.response.defer()
        await interaction.client.digests.choose(interaction.user.id, int(rest), chosen_value(interaction))
        await show_reminding(interaction)

    await guarded(interaction, work())
