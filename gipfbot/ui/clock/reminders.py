"""Reminders as a player sets them, and the buttons under them."""

from collections.abc import Sequence

from discord import app_commands

from gipfbot.match import Game, Refused, Why
from gipfbot.service.clock.reminders import WISH_OFF, WISHES, GameReminderSettings
from gipfbot.service.kit.game_names import parse_game_name
from gipfbot.ui.kit import text_parts, texts
from gipfbot.ui.kit.autocomplete import MOST_CHOICES, complete_running_game
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.interactions import Reply, answers_privately, chosen_value, handles
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.widgets import Button, ComponentRow, Select
from gipfbot.values import GameBrief, StoredGame

from . import digests, reminder_texts

REMINDER_TIMES = [app_commands.Choice(name=reminder_texts.WHEN_REMINDED[name], value=name) for name in WISHES]


@app_commands.command(
    name="reminders", description="When you are reminded of a turn that waits for you, and of which games"
)
@app_commands.describe(
    when="When: of how much is left, or before the end (default: leaves it as it is)",
    digest="Instead, one message a day on all games that wait for you: at this hour",
    zone="The time zone you live in: type a big city near you",
    game="One game alone: shows how you are reminded there, with buttons to turn it off or on",
)
@app_commands.choices(when=REMINDER_TIMES, digest=digests.DIGEST_TIMES)
@app_commands.autocomplete(zone=digests.complete_time_zone, game=complete_running_game)
@answers_privately
async def reminders_command(
    interaction: Interaction, when: str = "", digest: str = "", zone: str = "", game: str = ""
) -> None:
    """Show when a person is reminded, after the changes they ask for; with a game, how they are reminded there."""
    if game.strip():
        await _show_named_game_reminders(interaction, game.strip(), alone=not (when or digest or zone))
        return
    app, user = interaction.client.app, interaction.user.id
    plan = await (app.digests.set_plan(user, zone=zone.strip()) if zone.strip() else app.digests.plan(user))
    if when:
        await app.reminders.set_wish(user, when)
    if digest == digests.NO_DIGEST_CHOICE:
        await app.digests.turn_off(user)
    hour = int(digest) if digest.isdigit() else None
    if hour is not None and plan.zone is None:
        await digests.ask_time_zone(interaction, hour)
        return
    if hour is not None:
        await app.digests.set_plan(user, hour)
    await digests.show_reminder_settings(interaction)


# ── Off and on ──


def reminder_off_buttons(game: Game, reader: int | None = None) -> tuple[Button, ...]:
    """Return the buttons under a reminder of a game. They obey its reader alone, by default the player to move."""
    reader = game.seats[game.position.mover].user if reader is None else reader
    drawn_for = f"reminders:{game.id}:{game.turn_serial}:{reader}"
    return (
        Button(reminder_texts.OFF_FOR_TURN_LABEL, f"{drawn_for}:turn"),
        Button(reminder_texts.OFF_FOR_GAME_LABEL, f"{drawn_for}:game"),
        Button(reminder_texts.OFF_FOR_GOOD_LABEL, f"{drawn_for}:always"),
    )


def digest_off_button() -> Button:
    """Return the button under a digest that ends all digests."""
    return Button(reminder_texts.NO_DIGESTS_LABEL, "digest_off")


def digest_quiet_select(briefs: Sequence[GameBrief], user: int) -> Select:
    """Return the select under a digest that turns off the reminders of one of its games."""
    options = tuple((text_parts.game_label(brief, user), str(brief.id)) for brief in briefs[:MOST_CHOICES])
    return Select(reminder_texts.QUIET_GAME_PLACEHOLDER, "quiet_game", options)


async def _check_reader(interaction: Interaction, game: int, reader: int, **_: object) -> bool:
    """Raise Refused unless the reminder pressed is for the person who presses."""
    if interaction.user.id == reader:
        return True
    seats = (await interaction.client.app.games.game(game)).game.seats
    raise Refused(Why.NOT_REMINDED, name=next(seat.name for seat in seats if seat.user == reader))


@handles("reminders", "{game}:{turn_serial}:{reader}:{scope:turn|game|always}", Reply.APART, guard=_check_reader)
async def press_reminder_off(interaction: Interaction, game: int, turn_serial: int, reader: int, scope: str) -> None:
    """Turn reminders off for a turn, a game, or all games; the reminder itself stays."""
    if scope == "always":
        settings = await interaction.client.app.reminders.set_wish(reader, WISH_OFF)
        await show_reply(interaction, reminder_texts.reminders_off_text(settings.digest))
    else:
        await _switch_reminders(interaction, game, turn_serial, scope)


@handles("game_reminders", "{game}:{turn_serial}:{scope:turn|game|on}")
async def press_game_reminders(interaction: Interaction, game: int, turn_serial: int, scope: str) -> None:
    """Turn reminders of a game off or on, in the private message that shows them."""
    await _switch_reminders(interaction, game, turn_serial, scope)


async def _switch_reminders(interaction: Interaction, game_id: int, turn_serial: int, scope: str) -> None:
    """Turn reminders of a game, or of one turn, off or on, and show how it stands."""
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
    """Show how a person is reminded in the game they have chosen under a digest."""
    game, user = int(chosen_value(interaction)), interaction.user.id
    settings = await interaction.client.app.reminders.game_reminder_settings(user, game)
    await _show_game_reminders(interaction, settings)


@handles("digest_off", "", Reply.APART)
async def press_digest_off(interaction: Interaction) -> None:
    """End all digests."""
    app, user = interaction.client.app, interaction.user.id
    await app.digests.turn_off(user)
    await show_reply(interaction, reminder_texts.digest_off_text((await app.reminders.reminder_settings(user)).wish))


async def _show_named_game_reminders(interaction: Interaction, named: str, *, alone: bool) -> None:
    game_id = parse_game_name(named)
    if not alone:
        await show_reply(interaction, reminder_texts.GAME_OPTION_ALONE)
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
    turn = Button(reminder_texts.OFF_FOR_TURN_LABEL, f"{drawn_for}:turn")
    here = Button(reminder_texts.OFF_FOR_GAME_LABEL, f"{drawn_for}:game")
    on = Button(reminder_texts.REMIND_AGAIN_LABEL, f"{drawn_for}:on", "primary")
    if settings.quiet:
        return (on,)
    if settings.quiet_turn:
        return (on, here)
    return (turn, here) if game.colour_of(user) is game.asked else (here,)


# ── Nudges ──


async def nudge_button(interaction: Interaction, stored: StoredGame) -> tuple[Button, ...]:
    """Return the button that pings the opponent; none where the person may not do so now."""
    may = await interaction.client.app.reminders.may_nudge(stored, interaction.user.id)
    return (Button(reminder_texts.NUDGE_LABEL, f"nudge:{stored.game.id}:{stored.game.turn_serial}"),) if may else ()


@handles("nudge", "{game}:{turn_serial}", Reply.APART)
async def press_nudge(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Ping the opponent in the game's channel."""
    owed = await interaction.client.app.reminders.nudge(game, interaction.user.id, turn_serial)
    posted = owed is not None and await interaction.client.delivery.deliver([owed])
    await show_reply(interaction, reminder_texts.NUDGE_SENT if posted else reminder_texts.NUDGE_SENT_LATER)
