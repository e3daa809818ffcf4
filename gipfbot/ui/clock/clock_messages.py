"""The outbox messages about time: reminders, nudges, digests, vacation announcements and downtime notices."""

from dataclasses import replace
from typing import Any

from gipfbot.languages import say
from gipfbot.notation import Notation
from gipfbot.service.app import App
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE, REMINDER
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.ui.board.public_board import board_url, channel_call_to_move, desk_button, game_picture
from gipfbot.ui.kit import Button, OutboxMessage, clock_texts, outbox_message, texts
from gipfbot.ui.kit.components import button_rows
from gipfbot.ui.kit.listed_game import GAMES_PER_PAGE
from gipfbot.ui.kit.pictures import board_style_of
from gipfbot.values import OutboxRow, StoredGame

from . import reminder_texts, vacations
from .reminders import digest_off_button, digest_quiet_select, reminder_off_buttons


@outbox_message(REMINDER)
async def build_reminder(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that reminds the player to move, with the board drawn in their own style.

    Return None if the turn is over or needs no reminder any more.
    """
    stored = await app.reminders.game_to_remind(row)
    if stored is None:
        return None
    settings = await app.users.user_settings(row.channel)
    message = direct_reminder(stored, notation_in_settings(settings), app.now())
    style = board_style_of(settings)
    assert message.picture
    return replace(message, picture=style.seen_by(message.picture, stored.game.decider), theme=style.theme)


def direct_reminder(stored: StoredGame, notation: Notation, now: int) -> OutboxMessage:
    """Return the direct message that reminds the player to move. Their clock must run, if the game has one."""
    game = stored.game
    text = reminder_texts.reminder_text(game, notation, board_url(stored), now, stored.waiting_since)
    return OutboxMessage(text, (), game_picture(game, notation), ((desk_button(game), *reminder_off_buttons(game)),))


@outbox_message(CHANNEL_REMINDER)
async def build_channel_reminder(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message that reminds the player to move in the game's channel.

    Return None if the turn is over or needs no reminder any more.
    """
    stored, user = await app.reminders.game_to_remind(row), row.payload["user"]
    if stored is None:
        return None
    text = reminder_texts.channel_reminder_text(stored.game, user, app.now(), stored.waiting_since)
    return channel_call_to_move(stored.game, user, text, reminder_off_buttons(stored.game, user))


@outbox_message(NUDGE)
async def build_nudge(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message that pings the player to move in the game's channel, on behalf of their opponent.

    Return None if the turn is over.
    """
    stored, user = await app.reminders.game_to_remind(row), row.payload["user"]
    if stored is None:
        return None
    return channel_call_to_move(stored.game, user, reminder_texts.nudge_text(stored.game, user))


@outbox_message(DIGEST)
async def build_digest(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that lists the games waiting for a person. Its buttons open the desks of these games.

    Return None if no game is to be listed, if the digest is too late, or if the person has turned it off.
    """
    briefs = await app.digests.games_to_list(row)
    if not briefs:
        return None
    notes = {brief.id: note for brief in briefs if brief.stored and (note := brief.stored.note_of(row.channel))}
    text = reminder_texts.digest_text(briefs, row.channel, notes, app.now())
    desks = [Button(game_name(brief.id), f"message_desk:{brief.id}", "primary") for brief in briefs[:GAMES_PER_PAGE]]
    others = (
        Button(say(texts.ALL_GAMES_LABEL), "my_games"),
        digest_off_button(),
    )
    return OutboxMessage(text, rows=(*button_rows(desks), others, digest_quiet_select(briefs, row.channel)))


@outbox_message(VACATION)
async def build_vacation_announcement(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the message that tells a channel that a player's vacation begins or has ended."""
    return OutboxMessage(vacations.vacation_announcement(**_facts(row)))


@outbox_message(DOWNTIME_NOTICE)
async def build_downtime_notice(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the message that tells a channel the new deadlines of its games after a downtime of the bot."""
    return OutboxMessage(clock_texts.downtime_text(**_facts(row)))


def _facts(row: OutboxRow) -> dict[str, Any]:
    """Return what the text of a message needs. The server in its payload decides only about the language."""
    return {name: fact for name, fact in row.payload.items() if name != "server"}
