"""Reminders (`/gipf-me reminders`): their screen, the digest's hour and time zone, and the nudge button."""

from collections.abc import Iterable, Sequence
from itertools import islice

from discord import app_commands

from gipfbot.languages import say
from gipfbot.match import Game, Refused, Why
from gipfbot.service.clock.digests import DIGEST_HOURS, DigestPlan
from gipfbot.service.clock.reminders import WISH_OFF, GameReminderSettings, ReminderSettings
from gipfbot.service.clock.zones import matching_zones, time_in_zone
from gipfbot.service.kit.loaded_games import parse_game_name
from gipfbot.service.settings.users import WISHES
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    answers_privately,
    handles,
    join_lines,
    show_reply,
    slash_command,
    texts,
)
from gipfbot.ui.kit.components import ComponentRow, Malformed, Select, with_note_above
from gipfbot.ui.kit.game_picker import MOST_CHOICES, complete_running_game, suggests_in_time
from gipfbot.ui.kit.interactions import chosen_number, chosen_value
from gipfbot.ui.kit.refusal_texts import refusal_text
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.visibility import check_may_post, check_still_there
from gipfbot.values import GameBrief, StoredGame

from . import reminder_texts
from .vacations import own_vacation_line

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

SHOW_REMINDERS, SHOW_SETTINGS = "reminder_settings", "user_settings"  # kinds of the buttons between the two screens

REMINDER_TIMES = [app_commands.Choice(name=reminder_texts.WHEN_REMINDED[name], value=name) for name in WISHES]


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
    return Select(say(reminder_texts.DIGEST_SETTING), "digest_hour", options, chosen)


def time_zone_select(interaction: Interaction, action: str, zone: str | None = None) -> Select:
    """Return the select of the user's time zone: `zone`, if one is set, then likely ones.

    Each choice shows the present time in a zone, so that people recognise their own.
    """
    zones = [*([zone] if zone else []), *(likely for likely in _likely_zones(interaction) if likely != zone)]
    labels = tuple(_zone_labels(interaction, zones[:MOST_CHOICES]))
    return Select(say(reminder_texts.ZONE_PLACEHOLDER), action, labels, zone)


def parse_digest_hour(text: str) -> int | None:
    """Parse a choice of DIGEST_TIMES. Return its hour; None for no digest. Raises Refused for other texts."""
    if text not in (choice.value for choice in DIGEST_TIMES):
        raise Refused(Why.NOT_OFFERED, option="digest", value=text)
    return None if text == NO_DIGEST_CHOICE else int(text)


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

    If a digest is chosen but no time zone is set, keep its hour, and ask for the zone. Raises Refused, and changes
    nothing, for a value that is not offered.
    """
    app, user = interaction.client.app, interaction.user.id
    if when and when not in WISHES:
        raise Refused(Why.NOT_OFFERED, option="when", value=when)
    hour = parse_digest_hour(digest) if digest else None
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


async def _ask_which_zone(interaction: Interaction, refusal: Refused, digest: str) -> None:
    """Ask which of the zones near a typed one the user means. `digest` is the choice of DIGEST_TIMES, or empty."""
    labels = tuple(_zone_labels(interaction, refusal.facts["near"]))
    action = f"digest_zone:{digest}" if digest.isdigit() else "time_zone"
    zones = Select(say(reminder_texts.ZONE_PLACEHOLDER), action, labels)
    await show_reply(interaction, refusal_text(refusal), rows=(zones, (_all_settings_button(),)))


async def _ask_time_zone(interaction: Interaction, hour: int) -> None:
    """Ask the user for the time zone of their digest at `hour`."""
    zones = time_zone_select(interaction, f"digest_zone:{hour}")
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
    when = Select(say(reminder_texts.REMINDERS_SETTING), "reminder_time", times, settings.wish)
    zone = settings.digest.zone
    zones = (time_zone_select(interaction, "time_zone", zone),) if zone else ()
    quiet = settings.wish != WISH_OFF and (settings.quiet_games or settings.quiet_turns)
    again = (Button(say(reminder_texts.REMIND_EVERYWHERE_LABEL), "remind_everywhere"),) if quiet else ()
    return when, digest_select(settings.digest), *zones, (*again, _all_settings_button())


def _all_settings_button() -> Button:
    return Button(say(reminder_texts.ALL_SETTINGS_LABEL), SHOW_SETTINGS)


@slash_command("gipf-me reminders", 20, "See and change when you are reminded of your turns, and in which games")
@app_commands.describe(
    when="How long before your time runs out (default: no change)",
    digest="One message a day about all games waiting for you, at this hour",
    zone="Your time zone: type a big city near you",
    game="Show the reminders of one game, with buttons to turn them off or on",
)
@app_commands.choices(when=REMINDER_TIMES, digest=DIGEST_TIMES)
@app_commands.autocomplete(zone=complete_time_zone, game=complete_running_game)
@answers_privately
async def reminders_command(
    interaction: Interaction, when: str = "", digest: str = "", zone: str = "", game: str = ""
) -> None:
    """Change the user's reminder and digest settings, and show them. With `game`, show the reminders of that game only.

    An empty option changes nothing. `game` cannot be combined with other options.
    """
    if game.strip():
        await _show_named_game_reminders(interaction, game.strip(), alone=not (when or digest or zone))
        return
    try:
        await update_reminder_settings(interaction, when, digest, zone.strip())
    except Refused as refusal:
        if not refusal.facts.get("near"):
            raise
        note_refusal(interaction, refusal)
        await _ask_which_zone(interaction, refusal, digest)


# ── Off and on ──


def reminder_off_buttons(game: Game, reader: int | None = None) -> tuple[Button, ...]:
    """Return the buttons under a reminder that turn reminders off.

    Only `reader` may press them. None stands for the player to move.
    """
    reader = game.seats[game.decider].user if reader is None else reader
    drawn_for = f"reminders:{game.id}:{game.turn_serial}:{reader}"
    return (
        Button(say(reminder_texts.OFF_FOR_TURN_LABEL), f"{drawn_for}:turn"),
        Button(say(reminder_texts.OFF_FOR_GAME_LABEL), f"{drawn_for}:game"),
        Button(say(reminder_texts.OFF_FOR_GOOD_LABEL), f"{drawn_for}:always"),
    )


def digest_off_button() -> Button:
    """Return the button under a digest that turns the digest off."""
    return Button(say(reminder_texts.NO_DIGESTS_LABEL), "digest_off")


def digest_quiet_select(briefs: Sequence[GameBrief], user: int) -> Select:
    """Return the select under a digest. Choosing a game in it shows the reminder settings of that game."""
    options = tuple((texts.game_label(brief, user), str(brief.id)) for brief in briefs[:MOST_CHOICES])
    return Select(say(reminder_texts.QUIET_GAME_PLACEHOLDER), "quiet_game", options)


async def _check_reader(interaction: Interaction, game: int, reader: int, **_: object) -> bool:
    """Return True if the user is `reader`, who got the reminder. Raise Refused if not."""
    if interaction.user.id == reader:
        return True
    seats = (await interaction.client.app.games.game(game)).game.seats
    named = [seat.name for seat in seats if seat.user == reader]
    raise Refused(Why.NOT_REMINDED, name=named[0]) if named else Malformed(str(reader))


@handles("reminders", "{game}:{turn_serial}:{reader}:{scope:turn|game|always}", Reply.APART, guard=_check_reader)
async def press_reminder_off(interaction: Interaction, game: int, turn_serial: int, reader: int, scope: str) -> None:
    """Turn off the reminders of the pressed button's scope. The message with the button stays.

    `scope` is `turn` (this turn), `game` (this game) or `always` (all games).
    """
    if scope == "always":
        settings = await interaction.client.app.reminders.set_wish(reader, WISH_OFF)
        await show_reply(interaction, reminder_texts.reminders_off_text(settings.digest))
    else:
        await _switch_reminders(interaction, game, turn_serial, scope)


@handles("game_reminders", "{game}:{turn_serial}:{scope:turn|game|on}")
async def press_game_reminders(interaction: Interaction, game: int, turn_serial: int, scope: str) -> None:
    """Turn the reminders of a game off or on. The button is under the private message with the game's settings."""
    await _switch_reminders(interaction, game, turn_serial, scope)


async def _switch_reminders(interaction: Interaction, game_id: int, turn_serial: int, scope: str) -> None:
    """Turn a game's reminders off or on. Then show the reminder settings of the game.

    `scope` is `turn` (off for this turn), `game` (off for this game) or `on` (on for this game).
    """
    reminders, user = interaction.client.app.reminders, interaction.user.id
    if scope == "turn":
        settings = await reminders.turn_off_for_turn(user, game_id, turn_serial)
    elif scope == "game":
        settings = await reminders.turn_off_for_game(user, game_id)
    else:
        settings = await reminders.turn_on_for_game(user, game_id)
    await _show_game_reminders(interaction, settings)


@handles("quiet_game", "", Reply.APART)
async def choose_quiet_game(interaction: Interaction) -> None:
    """Show the reminder settings of the game that the user has chosen under a digest."""
    game, user = chosen_number(interaction), interaction.user.id
    settings = await interaction.client.app.reminders.game_reminder_settings(user, game)
    await _show_game_reminders(interaction, settings)


@handles("digest_off", "", Reply.APART)
async def press_digest_off(interaction: Interaction) -> None:
    """Turn the user's digest off."""
    app, user = interaction.client.app, interaction.user.id
    await app.digests.turn_off(user)
    await show_reply(interaction, reminder_texts.digest_off_text((await app.reminders.reminder_settings(user)).wish))


async def _show_named_game_reminders(interaction: Interaction, named: str, *, alone: bool) -> None:
    game_id = parse_game_name(named)
    if not alone:
        await show_reply(interaction, say(reminder_texts.GAME_OPTION_ALONE))
    elif game_id is None:
        await show_reply(interaction, texts.bad_game_name_text(named))
    else:
        user = interaction.user.id
        settings = await interaction.client.app.reminders.game_reminder_settings(user, game_id)
        await _show_game_reminders(interaction, settings)


async def _show_game_reminders(interaction: Interaction, settings: GameReminderSettings) -> None:
    user = interaction.user.id
    text = reminder_texts.game_reminders_text(settings, user)
    await show_reply(interaction, text, rows=(_game_reminder_buttons(settings, user),))


def _game_reminder_buttons(settings: GameReminderSettings, user: int) -> ComponentRow:
    game = settings.game
    drawn_for = f"game_reminders:{game.id}:{game.turn_serial}"
    turn = Button(say(reminder_texts.OFF_FOR_TURN_LABEL), f"{drawn_for}:turn")
    here = Button(say(reminder_texts.OFF_FOR_GAME_LABEL), f"{drawn_for}:game")
    on = Button(say(reminder_texts.REMIND_AGAIN_LABEL), f"{drawn_for}:on", "primary")
    if settings.quiet:
        return (on,)
    if settings.quiet_turn:
        return (on, here)
    return (turn, here) if game.colour_of(user) is game.asked else (here,)


# ── Nudges ──


async def nudge_button(interaction: Interaction, stored: StoredGame) -> tuple[Button, ...]:
    """Return a tuple with the button that nudges the opponent. It is empty if the user may not nudge them now."""
    if not await interaction.client.app.reminders.may_nudge(stored, interaction.user.id):
        return ()
    return (Button(say(reminder_texts.NUDGE_LABEL), f"nudge:{stored.game.id}:{stored.game.turn_serial}"),)


@handles("nudge", "{game}:{turn_serial}", Reply.APART)
async def press_nudge(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Nudge the opponent with a ping in the game's channel."""
    stored = await interaction.client.app.games.game(game)
    colour = stored.game.colour_of(interaction.user.id)
    if colour is not None and stored.game.asked is colour.other:
        await check_may_post(interaction, stored.venue)
        await check_still_there(interaction, stored.venue.server, stored.game.seats[colour.other], stored.game)
    owed = await interaction.client.app.reminders.nudge(game, interaction.user.id, turn_serial)
    posted = owed is not None and await interaction.client.delivery.deliver([owed])
    if posted:
        said = reminder_texts.NUDGE_SENT
    elif await interaction.client.app.reminders.is_nudge_dropped(stored.game):
        said = reminder_texts.NUDGE_GIVEN_UP
    else:
        said = reminder_texts.NUDGE_SENT_LATER
    await show_reply(interaction, say(said))
