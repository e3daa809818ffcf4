"""The texts of reminders, nudges and digests, and of their settings."""

from collections.abc import Mapping, Sequence

from gipfbot.match import Game
from gipfbot.notation import Notation
from gipfbot.rules import Action, Position
from gipfbot.service.clock.digests import DigestPlan
from gipfbot.service.clock.reminders import WISH_OFF, GameReminderSettings, ReminderSettings
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import clock_texts, texts
from gipfbot.ui.kit.listed_game import (
    GRACE_HINT,
    LISTED_NOTE_LENGTHS,
    listed_game_line,
    listed_opponent_name,
    shorten_notes,
)
from gipfbot.ui.kit.turn_words import spoken_turn
from gipfbot.values import GameBrief

NUDGE_LABEL = "Nudge"
NUDGE_SENT = "Nudged: your opponent got a ping in the game's channel. You can nudge once a turn."
NUDGE_GIVEN_UP = "Discord doesn't take your nudge in the game's channel, so your opponent got no ping."
NUDGE_SENT_LATER = "Your nudge isn't posted yet; the bot keeps trying."
OFF_FOR_TURN_LABEL, OFF_FOR_GAME_LABEL = "Off for this turn", "Off for this game"
OFF_FOR_GOOD_LABEL, REMIND_AGAIN_LABEL = "Off for all games", "Remind me again"
NO_DIGESTS_LABEL, QUIET_GAME_PLACEHOLDER = "No more digests", "Turn off reminders of…"
REMIND_EVERYWHERE_LABEL, ALL_SETTINGS_LABEL = "Remind me in all games", "All settings"
REMINDERS_SETTING, DIGEST_SETTING, ZONE_PLACEHOLDER = "Reminders", "Daily digest", "What time is it where you are?"
MOST_QUIET_NAMED = 40  # games named in one message
WHEN_REMINDED = {
    "50%": "50 % of time left",
    "25%": "25 % of time left",
    "10%": "10 % of time left",
    "48h": "48 hours left",
    "24h": "24 hours left",
    "12h": "12 hours left",
    "6h": "6 hours left",
    "2h": "2 hours left",
    "off": "off",
}
GAME_OPTION_ALONE = "Nothing was changed. To see the reminders of one game, use **game** without the other options."
UNTIMED_REMINDERS = "no time limit: one reminder a week, at most 4 a turn."
NO_REMINDER_IF_PAUSED = "Reminders and the digest leave out paused games."
NO_DIGEST = "Daily digest: off. It lists all games waiting for you in one message a day."
ONE_GAME_HINT = "**/gipf-me reminders game:…** shows one game and turns its reminders off or on."
DMS_CLOSED = (
    "The bot can't send you direct messages, so it reminds you in the game's channel, once a turn. "
    "Allow them, then use **/gipf games** in your chat with the bot."
)


# ── Reminders and nudges ──


def reminder_text(game: Game, notation: Notation, link: str | None, now: int, since: int | None = None) -> str:
    """Return the text of the direct message that reminds the player to move.

    The first line is the push notification, so it must make sense alone. `link` is the address of the newest board,
    None if it is not posted. `now` is in UTC seconds. The player's clock must be running; in a game without a time
    limit `since` is when the turn began.
    """
    played = _opponents_turn(game)
    clause = f" · {_waiting_opponent(game)} played {spoken_turn(played[1])}" if played else ""
    first = f"Your {_awaited(game)} in {_game_with_time_left(game, now, since)}{clause}"
    deadline = _mover_deadline(game) or f"This game has {UNTIMED_REMINDERS}"
    return texts.join_lines(first, deadline, texts.board_link_text(link))


def channel_reminder_text(game: Game, user: int, now: int, since: int | None = None) -> str:
    """Return the text of the message in the game's channel that reminds `user`, the player to move.

    The first line is the push notification, so it must make sense alone. `now` is in UTC seconds. The player's clock
    must be running; in a game without a time limit `since` is when the turn began.
    """
    first = f"{texts.ping_user(user)} your {_awaited(game)} in {_game_with_time_left(game, now, since)}"
    return texts.join_lines(first, _mover_deadline(game))


def nudge_text(game: Game, user: int) -> str:
    """Return the text of a nudge in the game's channel. It pings `user`, the player to move."""
    late = ""
    if game.clock and game.clock.flagged:
        both = clock_texts.is_mover_flagged(game.clock)
        late = f" · your {clock_texts.time_over_clause(answering=game.answering, both=both)}"
    awaited = f"your {_awaited(game)} in {game_name(game.id)}"
    said = f"{texts.ping_user(user)} {_waiting_opponent(game)} is waiting for {awaited}"
    return f"{said}{late}{clock_texts.clock_summary(game)}"


def _awaited(game: Game) -> str:
    return texts.asked_for(answering=game.answering)


def _opponents_turn(game: Game) -> tuple[Position, Sequence[Action]] | None:
    """Return the position before the waiting opponent's turn, and its actions so far. None if there is no such turn."""
    if game.answering:
        return game.position, game.draft
    last = game.last
    return (last.before, last.actions) if last and last.colour is not game.decider else None


def _waiting_opponent(game: Game) -> str:
    return texts.escape_text(game.seats[game.decider.other].name)


def _game_with_time_left(game: Game, now: int, since: int | None) -> str:
    """Return a game's name, its opponent, and the time left; without a time limit, how long the turn has lasted."""
    name = f"{game_name(game.id)} vs {_waiting_opponent(game)}"
    if game.clock is None:
        return f"{name}, for {clock_texts.duration_text(now - since)} now" if since else name
    assert game.clock.deadline
    return f"{name}: {clock_texts.time_left_text(game.clock.deadline, now, flagged=game.clock.flagged)}"


def _mover_deadline(game: Game) -> str:
    """Return the sentence on the deadline of the player to move; empty without a time limit."""
    return clock_texts.your_deadline_text(game.clock, answering=game.answering) if game.clock else ""


# ── In one game ──


def game_reminders_text(settings: GameReminderSettings, user: int) -> str:
    """Return the reminder settings of a player in one of their games, and how to change them."""
    game = settings.game
    name = f"**{game_name(game.id)}** vs {texts.escape_text(game.seats[game.seats[0].user == user].name)}"
    digest = " Your digest leaves this game out, too." if settings.digest.next_at else ""
    if settings.quiet:
        again = f"Turn them on with the button, or later with **/gipf-me reminders game:{game_name(game.id)}**."
        return f"Reminders are off in {name}.{digest} {again}"
    if settings.quiet_turn:
        return f"Reminders are off for this turn in {name}.{digest} They're back on from your next turn."
    if settings.digest.next_at:
        beside = _beside_digest_text(settings.wish) if game.terms.time_control else ""
        return texts.join_lines(f"Your digest lists {name} whenever it waits for you.", beside)
    if settings.wish == WISH_OFF:
        return f"Reminders are off in all your games, including {name}. **/gipf-me reminders** changes it."
    when = _timed_reminder_text(settings.wish) if game.terms.time_control else f"It has {UNTIMED_REMINDERS}"
    shut = DMS_CLOSED if settings.dms_shut else ""
    return texts.join_lines(f"Reminders are on in {name}.", when, shut, _this_turn_text(settings, user))


def _this_turn_text(settings: GameReminderSettings, user: int) -> str:
    """Return the sentence that says when this turn's next reminder comes.

    Empty if it is not this player's turn, or if their clock is paused.
    """
    game, at = settings.game, settings.reminder_at
    if game.colour_of(user) is not game.asked or (game.clock and game.clock.deadline is None):
        return ""
    if at is None:
        return "No more reminders this turn."
    return f"This turn's {'reminder' if game.clock else 'next reminder'} comes <t:{at}:f>."


# ── In all games ──


def reminders_off_text(plan: DigestPlan) -> str:
    """Return the confirmation that a person's reminders are off in all games.

    `plan` says whether their digest still comes.
    """
    if plan.next_at is None:
        return "Reminders are off in all games. **/gipf-me reminders** turns them on again."
    return "Reminders are off in all games. Your digest still comes: **/gipf-me reminders** turns it off."


def digest_off_text(wish: str) -> str:
    """Return the confirmation that a person's digest is off.

    `wish` is the person's reminder setting, a key of WHEN_REMINDED.
    """
    return texts.join_lines("Daily digest: off. **/gipf-me reminders** turns it on again.", _single_reminder_text(wish))


def hour_label(hour: int) -> str:
    return f"{hour}:00"


def zone_label(name: str, time: str) -> str:
    """Return the label of a time zone in a list of choices. `time` is the present time there."""
    return f"{name.replace('_', ' ')} · now {time}"


def digest_choice_label(hour: int | None) -> str:
    """Return the label of a choice of the digest's hour. None means that the digest is off."""
    return f"{DIGEST_SETTING}: {'off' if hour is None else hour_label(hour)}"


def reminder_choice_label(wish: str) -> str:
    """Return the label of a choice of the reminder time. `wish` is a key of WHEN_REMINDED."""
    return f"{REMINDERS_SETTING}: {WHEN_REMINDED[wish]}"


def which_zone_text(hour: int) -> str:
    return (
        f"{hour}:00 in which time zone? Choose yours below. Not there? Type a big city near you: "
        f"**/gipf-me reminders digest:{hour}:00 zone:…** Your digest starts once the zone is set."
    )


def reminder_settings_text(settings: ReminderSettings, time: str, *, away: bool = False) -> str:
    """Return the settings of a person's reminders and digest. Their controls stand below.

    `time` is the present time in their time zone, empty if they have set none. `away` says whether they are on
    vacation.
    """
    plan = settings.digest
    if plan.next_at is None:
        lines = [_single_reminder_text(settings.wish), NO_DIGEST]
    else:
        lines = [_digest_setting_text(plan), _beside_digest_text(settings.wish)]
    zone, shut = _time_zone_text(plan, time), DMS_CLOSED if settings.dms_shut else ""
    paused = NO_REMINDER_IF_PAUSED if away else ""
    return texts.join_lines(paused, *lines, zone, shut, _quiet_games_text(settings), ONE_GAME_HINT)


def reminder_changes_text(before: ReminderSettings, after: ReminderSettings) -> str:
    """Return the lines that say which of a person's reminder settings were changed. Empty if none were."""
    changes = (
        (REMINDERS_SETTING, WHEN_REMINDED[before.wish], WHEN_REMINDED[after.wish]),
        (DIGEST_SETTING, _digest_hour_text(before.digest), _digest_hour_text(after.digest)),
        ("Time zone", before.digest.zone or "none", after.digest.zone or "none"),
    )
    return texts.join_lines(*(texts.setting_change_text(*each) for each in changes if each[1] != each[2]))


def _digest_hour_text(plan: DigestPlan) -> str:
    return "off" if plan.next_at is None or plan.hour is None else hour_label(plan.hour)


def _time_zone_text(plan: DigestPlan, time: str) -> str:
    return f"Time zone: **{plan.zone}**, where it is {time} now." if plan.zone else ""


def _quiet_games_text(settings: ReminderSettings) -> str:
    """Return the games in which a person's reminders are off. Empty if there are no such games."""
    games, turns = _quiet_game_names(settings.quiet_games), _quiet_game_names(settings.quiet_turns)
    return texts.join_lines(
        f"Reminders are off in {games}." if games else "",
        f"Reminders are off for this turn in {turns}." if turns else "",
    )


def _quiet_game_names(games: Sequence[int]) -> str:
    return ", ".join(map(game_name, games[:MOST_QUIET_NAMED])) + (" …" if len(games) > MOST_QUIET_NAMED else "")


def _digest_setting_text(plan: DigestPlan) -> str:
    return f"Daily digest: at **{plan.hour}:00** your time. The next one comes <t:{plan.next_at}:R>."


def _single_reminder_text(wish: str) -> str:
    return "Reminders: off." if wish == WISH_OFF else f"{_timed_reminder_text(wish)} In games with {UNTIMED_REMINDERS}"


def _timed_reminder_text(wish: str) -> str:
    hours = wish.endswith("h") and 2 * int(wish[:-1])
    half = f" If you have less than {hours} hours for a turn, the reminder comes after half the time." if hours else ""
    return f"One reminder a turn, with {WHEN_REMINDED[wish]}.{half}"


def _beside_digest_text(wish: str) -> str:
    if wish == WISH_OFF:
        return "No other reminders, even of a turn whose time ends before the next digest."
    return f"If a turn can't wait for the next digest, you get a reminder of its own, with {WHEN_REMINDED[wish]}."


def digest_text(briefs: Sequence[GameBrief], user: int, notes: Mapping[int, str], now: int) -> str:
    """Return the text of a digest: the direct message that lists the games waiting for `user`.

    `briefs` holds the games, the most urgent first. The first line is the push notification, so it must make sense
    alone. Games that do not fit in one message are only counted. `notes` are the person's notes by game id. `now` is in
    UTC seconds.
    """
    lines = [listed_game_line(brief, user, {}, shorten_notes(notes, LISTED_NOTE_LENGTHS[0])) for brief in briefs]
    first, last = _digest_headline(briefs, user, now), GRACE_HINT if any(brief.flagged for brief in briefs) else ""
    for shown in range(len(lines), -1, -1):
        text = texts.join_lines(first, *lines[:shown], _more_games_text(len(lines) - shown), last)
        if len(text) <= texts.WHOLE_LENGTH:
            break
    return text


def _digest_headline(briefs: Sequence[GameBrief], user: int, now: int) -> str:
    urgent = briefs[0]
    left = ""
    if urgent.deadline is not None:
        left = clock_texts.time_left_text(urgent.deadline, now, flagged=urgent.flagged)
    name = f"{game_name(urgent.id)} vs {listed_opponent_name(urgent, user)}"
    if len(briefs) == 1:
        return f"Your {texts.asked_for(answering=urgent.answering)} in {': '.join(filter(None, (name, left)))}"
    return f"Your turn in {len(briefs)} games, most urgent: {', '.join(filter(None, (name, left)))}"


def _more_games_text(number: int) -> str:
    return f"… and {number} more: **/gipf games** lists them." if number else ""
