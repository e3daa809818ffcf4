"""What is said to remind a player, and about reminders."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.notation import Notation, turn_text
from gipfbot.service.clock.digests import DigestPlan
from gipfbot.service.clock.reminders import WISH_OFF, GameReminderSettings, ReminderSettings
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import clock_texts, text_parts, texts

NUDGE_LABEL, NUDGE_SENT = "Nudge", "Nudged: your opponent is pinged in the channel of the game, once for this turn."
NUDGE_SENT_LATER = "Your nudge is saved; it could not be posted yet and follows as soon as it can."
OFF_FOR_TURN_LABEL, OFF_FOR_GAME_LABEL, OFF_FOR_GOOD_LABEL, REMIND_AGAIN_LABEL = (
    "Off for this turn",
    "Off for this game",
    "Off for good",
    "Remind me again",
)
NO_DIGESTS_LABEL, QUIET_GAME_PLACEHOLDER = "No more digests", "Say no more of…"
MOST_QUIET_NAMED = 40  # games in one message
WHEN_REMINDED = {
    "50%": "when half of your time for a turn is left",
    "25%": "when a quarter of your time for a turn is left",
    "10%": "when a tenth of your time for a turn is left",
    "48h": "48 hours before your time is over",
    "24h": "24 hours before your time is over",
    "12h": "12 hours before your time is over",
    "6h": "6 hours before your time is over",
    "2h": "2 hours before your time is over",
    "off": "never",
}


def reminder_text(game: Game, notation: Notation, link: str | None, now: int) -> str:
    """Return what a direct message says to the player to move, whose clock runs; its first line stands alone."""
    opponent, last = _waiting_opponent(game), game.last
    moved = ""
    if last and last.colour is not game.position.mover:
        moved = f" · {opponent} played {text_parts.escape_turn(turn_text(last.before, last.actions, notation))}"
    first = f"Your turn in {game_name(game.id)} vs {opponent}: {_mover_time_left(game, now)}{moved}"
    return text_parts.join_lines(first, _mover_deadline(game), texts.board_link_text(link))


def channel_reminder_text(game: Game, user: int, now: int) -> str:
    """Return what is said in the channel to the player to move, whose clock runs; its first line stands alone."""
    first = f"{text_parts.ping_user(user)} a reminder · {game_name(game.id)} vs {_waiting_opponent(game)} · {_mover_time_left(game, now)}"
    return text_parts.join_lines(first, _mover_deadline(game))


def nudge_text(game: Game, user: int) -> str:
    """Return what is said in the channel for the one who waits; its first line stands alone."""
    late = f" · your time is over: {clock_texts.ONLY_A_WIN_SAVES}" if game.clock and game.clock.flagged else ""
    said = f"{text_parts.ping_user(user)} {_waiting_opponent(game)} waits for your turn in {game_name(game.id)}"
    return f"{said}{late}{clock_texts.clock_summary(game)}"


def _waiting_opponent(game: Game) -> str:
    return text_parts.escape_text(game.seats[game.position.mover.other].name)


def _mover_time_left(game: Game, now: int) -> str:
    assert game.clock
    assert game.clock.deadline
    return clock_texts.time_left_text(game.clock.deadline, now, flagged=game.clock.flagged)


def _mover_deadline(game: Game) -> str:
    assert game.clock
    return clock_texts.your_deadline_text(game.clock)


GAME_OPTION_ALONE = "Leave out **game** to say when you are reminded, or all else to see one game; nothing was changed."


def game_reminders_text(now: GameReminderSettings, user: int) -> str:
    """Return how a person is reminded in a game of his, and what follows from it."""
    game = now.game
    name = f"**{game_name(game.id)}** vs {text_parts.escape_text(game.seats[game.seats[0].user == user].name)}"
    digest = " Your digest leaves it out, too." if now.digest.next_at else ""
    if now.quiet:
        again = f"The button below turns that on again, or later **/gipf-me reminders game:{game_name(game.id)}**."
        return f"I remind you no more of {name}.{digest} {again}"
    if now.quiet_turn:
        return f"I remind you no more of this turn in {name}.{digest} With your next one I remind you again."
    if now.digest.next_at:
        beside = _beside_digest_text(now.wish) if game.terms.time_control else ""
        return text_parts.join_lines(f"Your digest tells of {name} whenever it waits for you.", beside)
    if not game.terms.time_control:
        return f"{name} has no time limit, so only a digest tells of it: **/gipf-me reminders digest:…** begins one."
    if now.wish == WISH_OFF:
        return f"Nothing is turned off in {name} alone. {_single_reminder_text(WISH_OFF)}"
    return text_parts.join_lines(
        f"Reminders are on in {name}.", _single_reminder_text(now.wish), _reminder_in_turn_text(now, user)
    )


def _reminder_in_turn_text(now: GameReminderSettings, user: int) -> str:
    game = now.game
    if game.colour_of(user) is not game.asked or game.clock is None or game.clock.deadline is None:
        return ""
    return f"In this turn it comes <t:{now.reminder_at}:f>." if now.reminder_at else "In this turn none comes any more."


def reminders_off_text(plan: DigestPlan) -> str:
    """Return the answer to who wants no reminders; his digest, where he has one, is another matter."""
    if plan.next_at is None:
        return "I remind you no more of any game. **/gipf-me reminders** with a time turns them on again."
    return "I remind you no more of single games. Your digest still comes; **/gipf-me reminders digest:off** ends it."


def digest_off_text(wish: str) -> str:
    """Return the answer to who wants no digest any more."""
    return text_parts.join_lines(
        "No digest comes any more. **/gipf-me reminders** with an hour turns it on again.", _single_reminder_text(wish)
    )


def hour_label(hour: int) -> str:
    return f"{hour}:00"


def zone_label(name: str, time: str) -> str:
    """Return a time zone as it is offered, with what its clocks show."""
    return f"{name.replace('_', ' ')} · now {time}"


ZONE_PLACEHOLDER = "Which clock shows your time?"


def which_zone_text(hour: int) -> str:
    return (
        f"At {hour}:00 of which time zone? Discord does not tell me yours. Choose one below, or name a big city near "
        f"you: **/gipf-me reminders digest:{hour}:00 zone:…** Your digest begins then."
    )


def reminder_settings_text(now: ReminderSettings, time: str) -> str:
    """Return what a person has set, what follows from it, and how to change it; `time` is that in his zone."""
    plan = now.digest
    single = f"{_single_reminder_text(now.wish) if plan.next_at is None else _beside_digest_text(now.wish)} {_change_hint('when')}"
    both = (single, NO_DIGEST) if plan.next_at is None else (_digest_setting_text(plan), single)
    return text_parts.join_lines(
        *both, _time_zone_text(plan, time), DMS_CLOSED if now.dms_shut else "", _quiet_games_text(now), ONE_GAME_HINT
    )


def _change_hint(option: str) -> str:
    return f"**/gipf-me reminders {option}:…** changes it."


NO_DIGEST = (
    "You get no digest, one message a day on all games that wait for you: **/gipf-me reminders digest:…** begins one."
)
ONE_GAME_HINT = "**/gipf-me reminders game:…** shows one game, and turns its reminders off or on."


def _time_zone_text(plan: DigestPlan, time: str) -> str:
    return f"Your time zone is **{plan.zone}**, where it is {time} now. {_change_hint('zone')}" if plan.zone else ""


def _quiet_games_text(now: ReminderSettings) -> str:
    """Return where reminders are off, and how they are turned on again; empty where they are on everywhere."""
    if not now.quiet_games and not now.quiet_turns:
        return ""
    games = f"They are off for {_quiet_game_names(now.quiet_games)}." if now.quiet_games else ""
    turns = (
        f"They are off for the turn that waits for you in {_quiet_game_names(now.quiet_turns)}."
        if now.quiet_turns
        else ""
    )
    return text_parts.join_lines(games, turns, "Choose a time to turn them all on again.")


def _quiet_game_names(ids: Sequence[int]) -> str:
    return ", ".join(map(game_name, ids[:MOST_QUIET_NAMED])) + (" …" if len(ids) > MOST_QUIET_NAMED else "")


def _digest_setting_text(plan: DigestPlan) -> str:
    daily = f"daily at **{plan.hour}:00**, next <t:{plan.next_at}:f>"
    return f"A digest of all games that wait for you comes {daily}. {_change_hint('digest')}"


def _single_reminder_text(wish: str) -> str:
    if wish == WISH_OFF:
        return "You get no reminders. Choose a time to get one for each turn that has a time limit."
    return f"You get one reminder for each turn that has a time limit: {WHEN_REMINDED[wish]}, but not before half of it is over."


def _beside_digest_text(wish: str) -> str:
    if wish == WISH_OFF:
        return "You get no other reminders. Choose a time for turns whose time would be over before the next digest."
    return f"A turn whose time would be over before the next digest has its own reminder: {WHEN_REMINDED[wish]}."


DMS_CLOSED = (
    "Your direct messages are shut to me, so I remind you in the channel of the game. "
    "Open them and use any command there, such as **/gipf games**, to get reminders there again."
)
