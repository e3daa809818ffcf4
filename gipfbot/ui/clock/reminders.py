"""Reminder settings (`/gipf-me reminders`), the buttons under reminders and digests, and the nudge button."""

from collections.abc import Sequence

from discord import app_commands

from gipfbot.match import Game, Refused, Why
from gipfbot.service.clock.reminders import WISH_OFF, WISHES, GameReminderSettings
from gipfbot.service.kit.loaded_games import parse_game_name
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ComponentRow, Malformed, Select
from gipfbot.ui.kit.game_picker import MOST_CHOICES, complete_running_game
from gipfbot.ui.kit.interactions import Reply, answers_privately, chosen_number, handles
from gipfbot.ui.kit.permissions import check_may_post
from gipfbot.ui.kit.respond import show_reply
from gipfbot.values import GameBrief, StoredGame

from . import digests, reminder_screen, reminder_texts

REMINDER_TIMES = [app_commands.Choice(name=reminder_texts.WHEN_REMINDED[name], value=name) for name in WISHES]


@app_commands.command(
    name="reminders", description="See and change when you are reminded of your turns, and in which games"
)
@app_commands.describe(
    when="How long before your time runs out (default: no change)",
    digest="One message a day about all games waiting for you, at this hour",
    zone="Your time zone: type a big city near you",
    game="Show the reminders of one game, with buttons to turn them off or on",
)
@app_commands.choices(when=REMINDER_TIMES, digest=digests.DIGEST_TIMES)
@app_commands.autocomplete(zone=digests.complete_time_zone, game=complete_running_game)
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
    await reminder_screen.update_reminder_settings(interaction, when, digest, zone.strip())


# ── Off and on ──


def reminder_off_buttons(game: Game, reader: int | None = None) -> tuple[Button, ...]:
    """Return the buttons under a reminder that turn reminders off.

    Only `reader` may press them. None stands for the player to move.
    """
    reader = game.seats[game.decider].user if reader is None else reader
    drawn_for = f"reminders:{game.id}:{game.turn_serial}:{reader}"
    return (
        Button(reminder_texts.OFF_FOR_TURN_LABEL, f"{drawn_for}:turn"),
        Button(reminder_texts.OFF_FOR_GAME_LABEL, f"{drawn_for}:game"),
        Button(reminder_texts.OFF_FOR_GOOD_LABEL, f"{drawn_for}:always"),
    )


def digest_off_button() -> Button:
    """Return the button under a digest that turns the digest off."""
    return Button(reminder_texts.NO_DIGESTS_LABEL, "digest_off")


def digest_quiet_select(briefs: Sequence[GameBrief], user: int) -> Select:
    """Return the select under a digest. Choosing a game in it shows the reminder settings of that game."""
    options = tuple((texts.game_label(brief, user), str(brief.id)) for brief in briefs[:MOST_CHOICES])
    return Select(reminder_texts.QUIET_GAME_PLACEHOLDER, "quiet_game", options)


async def _check_reader(interaction: Interaction, game: int, reader: int, **_: object) -> bool:
    """Return True if the user is `reader`, to whom the reminder was sent. Raise Refused if not."""
    if interaction.user.id == reader:
        return True
    seats = (await interaction.client.app.games.game(game)).game.seats
    named = [seat.name for seat in seats if seat.user == reader]
    raise Refused(Why.NOT_REMINDED, name=named[0]) if named else Malformed(str(reader))


@handles("reminders", "{game}:{turn_serial}:{reader}:{scope:turn|game|always}", Reply.APART, guard=_check_reader)
async def press_reminder_off(interaction: Interaction, game: int, turn_serial: int, reader: int, scope: str) -> None:
    """Turn off the reminders that the pressed button stands for. The reminder with the button stays.

    `scope` says which: those of this turn (`turn`), of this game (`game`) or of all games (`always`).
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
    """Return a tuple with the button that nudges the opponent. It is empty if the user may not nudge them now."""
    may = await interaction.client.app.reminders.may_nudge(stored, interaction.user.id)
    return (Button(reminder_texts.NUDGE_LABEL, f"nudge:{stored.game.id}:{stored.game.turn_serial}"),) if may else ()


@handles("nudge", "{game}:{turn_serial}", Reply.APART)
async def press_nudge(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Nudge the opponent with a ping in the game's channel."""
    stored = await interaction.client.app.games.game(game)
    if stored.game.colour_of(interaction.user.id) is not None:
        await check_may_post(interaction, stored.venue)
    owed = await interaction.client.app.reminders.nudge(game, interaction.user.id, turn_serial)
    posted = owed is not None and await interaction.client.delivery.deliver([owed])
    await show_reply(interaction, reminder_texts.NUDGE_SENT if posted else reminder_texts.NUDGE_SENT_LATER)
