"""Reminders as a player sets them, and the buttons under them."""

from collections.abc import Sequence

from discord import app_commands

from gipfbot.match import Game, Refused, Why
from gipfbot.service.clock.reminders import WISH_OFF, WISHES, GameReminderSettings
from gipfbot.service.kit.game_names import parse_game_name
from gipfbot.store import GameBrief, StoredGame
from gipfbot.ui.kit import text_parts, texts
from gipfbot.ui.kit.autocomplete import MOST_CHOICES, complete_running_game
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import chosen_value, handles_kind
from gipfbot.ui.kit.respond import run_guarded, show_reply, tell_privately
from gipfbot.ui.kit.widgets import Button, ComponentRow, Select

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
async def reminders_command(
    interaction: Interaction, when: str = "", digest: str = "", zone: str = "", game: str = ""
) -> None:
    """Show when a person is reminded, changed if he says so, or how in one game."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        if game.strip():
            await _show_named_game_reminders(interaction, game.strip(), alone=not (when or digest or zone))
            return
        bot, user = interaction.client, interaction.user.id
        hour = int(digest) if digest.isdigit() else None
        known = bot.app.digests.set_plan(user, zone=zone.strip()) if zone.strip() else bot.app.digests.plan(user)
        lives_in = (await known).zone
        if when:
            await bot.app.reminders.set_wish(user, when)
        if digest == digests.NO_DIGEST_CHOICE:
            await bot.app.digests.turn_off(user)
        if hour is not None and lives_in is None:
            await digests.ask_time_zone(interaction, hour)
            return
        if hour is not None:
            await bot.app.digests.set_plan(user, hour)
        await digests.show_reminder_settings(interaction)

    await run_guarded(interaction, work())


# ── Off and on ──


def reminder_off_buttons(game: Game, user: int | None = None) -> tuple[Button, ...]:
    """Return the buttons under a reminder of a game; where all see it, they are for this person alone."""
    whose = "" if user is None else f"@{user}"
    return (
        Button(reminder_texts.OFF_FOR_TURN_LABEL, f"n:{game.id}:turn:{game.turn_serial}{whose}"),
        Button(reminder_texts.OFF_FOR_GAME_LABEL, f"n:{game.id}:game{whose}"),
        Button(reminder_texts.OFF_FOR_GOOD_LABEL, f"n:{game.id}:always{whose}"),
    )


def digest_quiet_select(briefs: Sequence[GameBrief], user: int) -> Select:
    """Return the select under a digest: of which of its games a person wants to hear no more."""
    options = tuple((text_parts.game_label(brief, user), str(brief.id)) for brief in briefs[:MOST_CHOICES])
    return Select(reminder_texts.QUIET_GAME_PLACEHOLDER, "h:digest", options)


@handles_kind("n")
async def press_reminder(interaction: Interaction, rest: str) -> None:
    """A button that turns reminders off, for a turn, a game or for good, or on again; under a digest the digest."""
    does, _, whose = rest.partition("@")
    number, which, *serial = does.split(":")
    id = int(number)

    async def work() -> None:
        bot, user = interaction.client, interaction.user.id
        if whose and int(whose) != user:
            raise Refused(Why.NOT_REMINDED, name=await _player_name(interaction, id, int(whose)))
        if which == "always":
            await bot.app.reminders.set_wish(user, WISH_OFF)
            await tell_privately(interaction, reminder_texts.reminders_off_text(await bot.app.digests.plan(user)))
        elif which == "digest":
            await bot.app.digests.turn_off(user)
            await tell_privately(
                interaction, reminder_texts.digest_off_text((await bot.app.reminders.reminder_settings(user)).wish)
            )
        else:
            await _switch_reminders(interaction, id, which, *map(int, serial))

    await run_guarded(interaction, work())


async def _player_name(interaction: Interaction, game_id: int, user: int) -> str:
    game = (await interaction.client.app.games.game(game_id)).game
    return next(seat.name for seat in game.seats if seat.user == user)


async def _switch_reminders(interaction: Interaction, game_id: int, which: str, turn_serial: int = 0) -> None:
    """Turn reminders of a game, or of its turn, off or on, and show how it stands; the reminder itself stays."""
    reminders, user = interaction.client.app.reminders, interaction.user.id
    if which == "turn":
        await reminders.turn_off_for_turn(user, game_id, turn_serial)
    elif which == "game":
        await reminders.turn_off_for_game(user, game_id)
    else:
        await reminders.turn_on_for_game(user, game_id)
    await _show_game_reminders_apart(interaction, game_id)


@handles_kind("h")
async def choose_quiet_game(interaction: Interaction, _: str) -> None:
    """A game was chosen in a digest, of which a person wants to hear no more."""
    await run_guarded(interaction, _show_game_reminders_apart(interaction, int(chosen_value(interaction))))


async def _show_game_reminders_apart(interaction: Interaction, game_id: int) -> None:
    """Show how a person is reminded in a game: in the private message that showed it, else in one of its own."""
    now = await interaction.client.app.reminders.game_reminder_settings(interaction.user.id, game_id)
    if interaction.message and interaction.message.flags.ephemeral:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)
    await _show_game_reminders(interaction, now)


async def _show_named_game_reminders(interaction: Interaction, named: str, *, alone: bool) -> None:
    id = parse_game_name(named)
    if not alone:
        await show_reply(interaction, reminder_texts.GAME_OPTION_ALONE)
    elif id is None:
        await show_reply(interaction, texts.bad_game_name_text(named))
    else:
        await _show_game_reminders(
            interaction, await interaction.client.app.reminders.game_reminder_settings(interaction.user.id, id)
        )


async def _show_game_reminders(interaction: Interaction, now: GameReminderSettings) -> None:
    user = interaction.user.id
    text = reminder_texts.game_reminders_text(now, user, await interaction.client.app.digests.plan(user))
    await show_reply(interaction, text, rows=(_game_reminder_buttons(now, user),))


def _game_reminder_buttons(now: GameReminderSettings, user: int) -> ComponentRow:
    game = now.game
    turn, here, _ = reminder_off_buttons(game)
    on = (Button(reminder_texts.REMIND_AGAIN_LABEL, f"n:{game.id}:on", "primary"),)
    if now.quiet:
        return on
    if now.quiet_turn:
        return (*on, here)
    return (turn, here) if game.colour_of(user) is game.asked else (here,)


# ── Nudges ──


async def nudge_button(interaction: Interaction, stored: StoredGame) -> tuple[Button, ...]:
    """Return the button that pings the opponent, for whoever may do so now."""
    may = await interaction.client.app.reminders.may_nudge(stored, interaction.user.id)
    return (Button(reminder_texts.NUDGE_LABEL, f"k:{stored.game.id}:{stored.game.turn_serial}"),) if may else ()


@handles_kind("k")
async def press_nudge(interaction: Interaction, rest: str) -> None:
    """The button that pings the opponent in the game's channel."""
    id, serial = map(int, rest.split(":"))

    async def work() -> None:
        await interaction.response.defer()
        owed = await interaction.client.app.reminders.nudge(id, interaction.user.id, serial)
        posted = owed is not None and await interaction.client.delivery.deliver([owed])
        await tell_privately(interaction, reminder_texts.NUDGE_SENT if posted else reminder_texts.NUDGE_SENT_LATER)

    await run_guarded(interaction, work())
