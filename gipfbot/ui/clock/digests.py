"""The hour of the daily digest, its time zone, and the zones that are suggested."""

from collections.abc import Iterable
from itertools import islice

from discord import app_commands

from gipfbot.match import Refused, Why
from gipfbot.service.clock.digests import DIGEST_HOURS, DigestPlan
from gipfbot.service.clock.timezones import matching_zones, time_in_zone
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Select
from gipfbot.ui.kit.game_picker import MOST_CHOICES, suggests_in_time

from . import reminder_texts

NO_DIGEST_CHOICE = "off"
DIGEST_TIMES = [
    *(app_commands.Choice(name=reminder_texts.hour_label(hour), value=str(hour)) for hour in DIGEST_HOURS),
    app_commands.Choice(name=NO_DIGEST_CHOICE, value=NO_DIGEST_CHOICE),
]
# Default time zone by Discord locale.
ZONE_BY_LOCALE = {
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
# Zones of the UTC offsets in which many people live, from west to east.
COMMON_ZONES = """
    Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Chicago America/New_York
    America/Halifax America/Sao_Paulo Atlantic/Azores Europe/London Europe/Brussels Africa/Lagos Europe/Athens
    Africa/Johannesburg Europe/Moscow Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Shanghai
    Asia/Tokyo Australia/Sydney Pacific/Auckland
""".split()


@suggests_in_time
async def complete_time_zone(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer the time zones that match the typed text, the best match first, each with the present time there.

    If nothing is typed, offer the zone of the user's Discord language, then common zones.
    """
    found = islice(matching_zones(current), MOST_CHOICES) if current.strip() else _likely_zones(interaction)
    return [app_commands.Choice(name=label, value=zone) for label, zone in _zone_labels(interaction, found)]


def _likely_zones(interaction: Interaction) -> list[str]:
    likely = ZONE_BY_LOCALE.get(interaction.locale.value)
    return [*([likely] if likely else []), *(zone for zone in COMMON_ZONES if zone != likely)][:MOST_CHOICES]


def _zone_labels(interaction: Interaction, zones: Iterable[str]) -> list[tuple[str, str]]:
    """Return (label, zone) for each zone. The label shows the present time in the zone."""
    now = interaction.client.app.now()
    return [(reminder_texts.zone_label(zone, time_in_zone(zone, now)), zone) for zone in zones]


def digest_select(plan: DigestPlan) -> Select:
    """Return the select of the hour of the user's digest, which may also turn it off."""
    hours = ((reminder_texts.digest_choice_label(hour), str(hour)) for hour in DIGEST_HOURS)
    chosen = NO_DIGEST_CHOICE if plan.next_at is None else str(plan.hour)
    options = ((reminder_texts.digest_choice_label(None), NO_DIGEST_CHOICE), *hours)
    return Select(reminder_texts.DIGEST_SETTING, "digest_hour", options, chosen)


def time_zone_select(interaction: Interaction, action: str, zone: str | None = None) -> Select:
    """Return the select of the user's time zone: `zone`, if one is set, then likely ones.

    Each choice shows the present time in a zone, so that people recognise their own.
    """
    zones = [*([zone] if zone else []), *(likely for likely in _likely_zones(interaction) if likely != zone)]
    labels = tuple(_zone_labels(interaction, zones[:MOST_CHOICES]))
    return Select(reminder_texts.ZONE_PLACEHOLDER, action, labels, zone)


def parse_digest_hour(text: str) -> int | None:
    """Return the hour that a choice of DIGEST_TIMES stands for; None for no digest. Raises Refused for other texts."""
    if text not in (choice.value for choice in DIGEST_TIMES):
        raise Refused(Why.NOT_OFFERED, option="digest", value=text)
    return None if text == NO_DIGEST_CHOICE else int(text)
