"""The screen of a person's reminders and digest: what is set, with a control for each setting."""

from gipfbot.match import Refused, Why
from gipfbot.service.clock.reminders import WISH_OFF, WISHES, ReminderSettings
from gipfbot.service.clock.timezones import time_in_zone
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ComponentRow, Select, with_note_above
from gipfbot.ui.kit.interactions import chosen_value, handles
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.texts import join_lines

from . import digests, reminder_texts
from .vacation_texts import own_vacation_line

SHOW_REMINDERS, SHOW_SETTINGS = "reminder_settings", "user_settings"  # kinds of buttons, from one screen to the other


@handles(SHOW_REMINDERS, "")
async def press_reminder_settings(interaction: Interaction) -> None:
    """Show the user's reminders and digest in place of their other settings."""
    await update_reminder_settings(interaction)


@handles("reminder_time", "")
async def choose_reminder_time(interaction: Interaction) -> None:
    """Set when the user is reminded."""
    await update_reminder_settings(interaction, when=chosen_value(interaction))


@handles("digest_hour", "")
async def choose_digest_hour(interaction: Interaction) -> None:
    """Set the hour of the user's digest, or turn it off. Ask for their time zone if they have set none."""
    await update_reminder_settings(interaction, digest=chosen_value(interaction))


@handles("digest_zone", "{hour}")
async def choose_digest_zone(interaction: Interaction, hour: int) -> None:
    """Set the digest to this hour in the chosen time zone."""
    await update_reminder_settings(interaction, digest=str(hour), zone=chosen_value(interaction))


@handles("time_zone", "")
async def choose_time_zone(interaction: Interaction) -> None:
    """Set the time zone of the user's digest."""
    await update_reminder_settings(interaction, zone=chosen_value(interaction))


@handles("remind_everywhere", "")
async def press_remind_everywhere(interaction: Interaction) -> None:
    """Turn the user's reminders on again in all games and turns."""
    settings = await interaction.client.app.reminders.reminder_settings(interaction.user.id)
    await update_reminder_settings(interaction, when=settings.wish)


async def update_reminder_settings(interaction: Interaction, when: str = "", digest: str = "", zone: str = "") -> None:
    """Change the user's settings of reminders and the digest, and show all. An empty text changes nothing.

    Without a time zone there is no digest: keep its hour, and ask for the zone. Raises Refused, and changes nothing,
    for a value that is not offered.
    """
    app, user = interaction.client.app, interaction.user.id
    if when and when not in WISHES:
        raise Refused(Why.NOT_OFFERED, option="when", value=when)
    hour = digests.parse_digest_hour(digest) if digest else None
    before = await app.reminders.reminder_settings(user)
    plan = await app.digests.set_plan(user, hour, zone or None) if zone or hour is not None else before.digest
    if when:
        await app.reminders.set_wish(user, when)
    if digest and hour is None:
        await app.digests.turn_off(user)
    if hour is not None and plan.zone is None:
        await _ask_time_zone(interaction, hour)
    else:
        await _show_reminder_settings(interaction, before)


async def _ask_time_zone(interaction: Interaction, hour: int) -> None:
    """Ask the user for the time zone of their digest at `hour`."""
    zones = digests.time_zone_select(interaction, f"digest_zone:{hour}")
    await show_reply(interaction, reminder_texts.which_zone_text(hour), rows=(zones, (_all_settings_button(),)))


async def _show_reminder_settings(interaction: Interaction, before: ReminderSettings) -> None:
    """Show the user's settings of reminders and the digest, and what has changed since `before`."""
    app, user = interaction.client.app, interaction.user.id
    settings = await app.reminders.reminder_settings(user)
    zone = settings.digest.zone
    time = time_in_zone(zone, app.now()) if zone else ""
    vacation = own_vacation_line(await app.vacations.vacation_status(user))
    text = join_lines(vacation, reminder_texts.reminder_settings_text(settings, time, away=bool(vacation)))
    changed = reminder_texts.reminder_changes_text(before, settings)
    await show_reply(interaction, text, rows=with_note_above(changed, _reminder_rows(interaction, settings)))


def _reminder_rows(interaction: Interaction, settings: ReminderSettings) -> tuple[ComponentRow, ...]:
    times = tuple((reminder_texts.reminder_choice_label(wish), wish) for wish in WISHES)
    when = Select(reminder_texts.REMINDERS_SETTING, "reminder_time", times, settings.wish)
    zone = settings.digest.zone
    zones = (digests.time_zone_select(interaction, "time_zone", zone),) if zone else ()
    quiet = settings.wish != WISH_OFF and (settings.quiet_games or settings.quiet_turns)
    again = (Button(reminder_texts.REMIND_EVERYWHERE_LABEL, "remind_everywhere"),) if quiet else ()
    return when, digests.digest_select(settings.digest), *zones, (*again, _all_settings_button())


def _all_settings_button() -> Button:
    return Button(reminder_texts.ALL_SETTINGS_LABEL, SHOW_SETTINGS)
