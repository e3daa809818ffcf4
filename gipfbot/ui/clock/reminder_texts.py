"""The texts of reminders, nudges and digests, and of their settings."""

from collections.abc import Mapping, Sequence

from gipfbot.languages import mark, say, say_name, say_number
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

NUDGE_LABEL = mark("Nudge")
NUDGE_SENT = mark("Nudged: your opponent got a ping in the game's channel. You can nudge once a turn.")
NUDGE_GIVEN_UP = mark("Discord doesn't take your nudge in the game's channel, so your opponent got no ping.")
NUDGE_SENT_LATER = mark("Your nudge isn't posted yet; the bot keeps trying.")
OFF_FOR_TURN_LABEL, OFF_FOR_GAME_LABEL = mark("Off for this turn"), mark("Off for this game")
OFF_FOR_GOOD_LABEL, REMIND_AGAIN_LABEL = mark("Off for all games"), mark("Remind me again")
NO_DIGESTS_LABEL, QUIET_GAME_PLACEHOLDER = mark("No more digests"), mark("Turn off reminders of…")
REMIND_EVERYWHERE_LABEL, ALL_SETTINGS_LABEL = mark("Remind me in all games"), mark("All settings")
REMINDERS_SETTING, DIGEST_SETTING = mark("Reminders"), mark("Daily digest")
ZONE_PLACEHOLDER = mark("What time is it where you are?")
MOST_QUIET_NAMED = 40  # games named in one message
WHEN_REMINDED = {
    "50%": mark("50 % of time left"),
    "25%": mark("25 % of time left"),
    "10%": mark("10 % of time left"),
    "48h": mark("48 hours left"),
    "24h": mark("24 hours left"),
    "12h": mark("12 hours left"),
    "6h": mark("6 hours left"),
    "2h": mark("2 hours left"),
    "off": mark("off"),
}
GAME_OPTION_ALONE = mark(
    "Nothing was changed. To see the reminders of one game, use **game** without the other options."
)
NO_REMINDER_IF_PAUSED = mark("Reminders and the digest leave out paused games.")
NO_DIGEST = mark("Daily digest: off. It lists all games waiting for you in one message a day.")
ONE_GAME_HINT = mark("**/gipf-me reminders game:…** shows one game and turns its reminders off or on.")
DMS_CLOSED = mark(
    "The bot can't send you direct messages, so it reminds you in the game's channel, once a turn. "
    "Allow them, then use **/gipf games** in your chat with the bot."
)
# The player's turn, by whether they have to decide in the opponent's, and whether it is told how long it has lasted.
_YOUR_TURN = {
    (False, False): mark("Your turn in {game} vs {name}"),
    (False, True): mark("Your turn in {game} vs {name}, for {time} now"),
    (True, False): mark("Your decision in {game} vs {name}"),
    (True, True): mark("Your decision in {game} vs {name}, for {time} now"),
}
_YOUR_TURN_AFTER_PING = {
    (False, False): mark("your turn in {game} vs {name}"),
    (False, True): mark("your turn in {game} vs {name}, for {time} now"),
    (True, False): mark("your decision in {game} vs {name}"),
    (True, True): mark("your decision in {game} vs {name}, for {time} now"),
}


# ── Reminders and nudges ──


def reminder_text(game: Game, notation: Notation, link: str | None, now: int, since: int | None = None) -> str:
    """Return the text of the direct message that reminds the player to move.

    The first line is the push notification, so it must make sense alone. `link` is the address of the newest board,
    None if it is not posted. `now` is in UTC seconds. The player's clock must be running; in a game without a time
    limit `since` is when the turn began.
    """
    played = _opponents_turn(game)
    first = _your_turn_text(_YOUR_TURN, game, now, since)
    if played:
        told = say("{name} played {turn}", name=_waiting_opponent(game), turn=spoken_turn(played[1]))
        first = f"{first} · {told}"
    deadline = _mover_deadline(game) or say("This game has no time limit: one reminder a week, at most 4 a turn.")
    return texts.join_lines(first, deadline, texts.board_link_text(link))


def channel_reminder_text(game: Game, user: int, now: int, since: int | None = None) -> str:
    """Return the text of the message in the game's channel that reminds `user`, the player to move.

    The first line is the push notification, so it must make sense alone. `now` is in UTC seconds. The player's clock
    must be running; in a game without a time limit `since` is when the turn began.
    """
    first = f"{texts.address_users(user)} {_your_turn_text(_YOUR_TURN_AFTER_PING, game, now, since)}"
    return texts.join_lines(first, _mover_deadline(game))


def nudge_text(game: Game, user: int) -> str:
    """Return the text of a nudge in the game's channel. It pings `user`, the player to move."""
    late = ""
    if game.clock and game.clock.flagged:
        both = clock_texts.is_mover_flagged(game.clock)
        late = f" · {clock_texts.time_over_clause(answering=game.answering, both=both)}"
    sentence = mark("{name} is waiting for your turn in {game}")
    if game.answering:
        sentence = mark("{name} is waiting for your decision in {game}")
    waits = say(sentence, name=_waiting_opponent(game), game=game_name(game.id))
    return f"{texts.address_users(user)} {waits}{late}{clock_texts.clock_summary(game)}"


def _opponents_turn(game: Game) -> tuple[Position, Sequence[Action]] | None:
    """Return the position before the waiting opponent's turn, and its actions so far. None if there is no such turn."""
    if game.answering:
        return game.position, game.draft
    last = game.last
    return (last.before, last.actions) if last and last.colour is not game.decider else None


def _waiting_opponent(game: Game) -> str:
    return texts.escape_text(game.seats[game.decider.other].name)


def _your_turn_text(sentences: Mapping[tuple[bool, bool], str], game: Game, now: int, since: int | None) -> str:
    """Return whose turn it is, and the time left; without a time limit, how long the turn has lasted.

    `sentences` is _YOUR_TURN or _YOUR_TURN_AFTER_PING.
    """
    facts = {"game": game_name(game.id), "name": _waiting_opponent(game)}
    if game.clock is None:
        lasts = {"time": clock_texts.duration_text(now - since)} if since else {}
        return say(sentences[game.answering, bool(lasts)], **facts, **lasts)
    assert game.clock.deadline
    left = clock_texts.time_left_text(game.clock.deadline, now, flagged=game.clock.flagged)
    return f"{say(sentences[game.answering, False], **facts)}: {left}"


def _mover_deadline(game: Game) -> str:
    """Return the sentence on the deadline of the player to move; empty without a time limit."""
    return clock_texts.your_deadline_text(game.clock, answering=game.answering) if game.clock else ""


# ── In one game ──


def game_reminders_text(settings: GameReminderSettings, user: int) -> str:
    """Return the reminder settings of a player in one of their games, and how to change them."""
    game = settings.game
    opponent = game.seats[game.seats[0].user == user]
    facts = {"game": game_name(game.id), "name": texts.escape_text(opponent.name)}
    without = say("Your digest leaves this game out, too.") if settings.digest.next_at else ""
    if settings.quiet:
        off = say("Reminders are off in **{game}** vs {name}.", **facts)
        again = say(
            "Turn them on with the button, or later with **/gipf-me reminders game:{game}**.", game=game_name(game.id)
        )
        return _join_sentences(off, without, again)
    if settings.quiet_turn:
        off = say("Reminders are off for this turn in **{game}** vs {name}.", **facts)
        return _join_sentences(off, without, say("They're back on from your next turn."))
    if settings.digest.next_at:
        listed = say("Your digest lists **{game}** vs {name} whenever it waits for you.", **facts)
        return texts.join_lines(listed, _beside_digest_text(settings.wish) if game.terms.time_control else "")
    if settings.wish == WISH_OFF:
        sentence = mark(
            "Reminders are off in all your games, including **{game}** vs {name}. **/gipf-me reminders** changes it."
        )
        return say(sentence, **facts)
    untimed = mark("It has no time limit: one reminder a week, at most 4 a turn.")
    return texts.join_lines(
        say("Reminders are on in **{game}** vs {name}.", **facts),
        _timed_reminder_text(settings.wish) if game.terms.time_control else say(untimed),
        say(DMS_CLOSED) if settings.dms_shut else "",
        _this_turn_text(settings, user),
    )


def _join_sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _this_turn_text(settings: GameReminderSettings, user: int) -> str:
    """Return the sentence that says when this turn's next reminder comes.

    Empty if it is not this player's turn, or if their clock is paused.
    """
    game, at = settings.game, settings.reminder_at
    if game.colour_of(user) is not game.asked or (game.clock and game.clock.deadline is None):
        return ""
    if at is None:
        return say("No more reminders this turn.")
    sentence = mark("This turn's reminder comes {time}.")
    if game.clock is None:
        sentence = mark("This turn's next reminder comes {time}.")
    return say(sentence, time=texts.time_text(at))


# ── In all games ──


def reminders_off_text(plan: DigestPlan) -> str:
    """Return the confirmation that a person's reminders are off in all games.

    `plan` says whether their digest still comes.
    """
    if plan.next_at is None:
        return say("Reminders are off in all games. **/gipf-me reminders** turns them on again.")
    return say("Reminders are off in all games. Your digest still comes: **/gipf-me reminders** turns it off.")


def digest_off_text(wish: str) -> str:
    """Return the confirmation that a person's digest is off.

    `wish` is the person's reminder setting, a key of WHEN_REMINDED.
    """
    off = say("Daily digest: off. **/gipf-me reminders** turns it on again.")
    return texts.join_lines(off, _single_reminder_text(wish))


def hour_label(hour: int) -> str:
    return f"{hour}:00"


def zone_label(name: str, time: str) -> str:
    """Return the label of a time zone in a list of choices. `time` is the present time there."""
    return f"{name.replace('_', ' ')} · {say('now {time}', time=time)}"


def digest_choice_label(hour: int | None) -> str:
    """Return the label of a choice of the digest's hour. None means that the digest is off."""
    return say("Daily digest: off") if hour is None else say("Daily digest: {time}", time=hour_label(hour))


def reminder_choice_label(wish: str) -> str:
    """Return the label of a choice of the reminder time. `wish` is a key of WHEN_REMINDED."""
    return say("Reminders: {setting}", setting=when_reminded(wish))


def when_reminded(wish: str) -> str:
    """Return the name of a setting of the reminder time. `wish` is a key of WHEN_REMINDED."""
    return say_name(WHEN_REMINDED[wish])


def which_zone_text(hour: int) -> str:
    return say(
        "{time} in which time zone? Choose yours below. Not there? Type a big city near you: "
        "**/gipf-me reminders digest:{time} zone:…** Your digest starts once the zone is set.",
        time=hour_label(hour),
    )


def reminder_settings_text(settings: ReminderSettings, time: str, *, away: bool = False) -> str:
    """Return the settings of a person's reminders and digest. Their controls stand below.

    `time` is the present time in their time zone, empty if they have set none. `away` says whether they are on
    vacation.
    """
    plan = settings.digest
    if plan.next_at is None:
        lines = [_single_reminder_text(settings.wish), say(NO_DIGEST)]
    else:
        lines = [_digest_setting_text(plan), _beside_digest_text(settings.wish)]
    zone, shut = _time_zone_text(plan, time), say(DMS_CLOSED) if settings.dms_shut else ""
    paused = say(NO_REMINDER_IF_PAUSED) if away else ""
    return texts.join_lines(paused, *lines, zone, shut, _quiet_games_text(settings), say(ONE_GAME_HINT))


def reminder_changes_text(before: ReminderSettings, after: ReminderSettings) -> str:
    """Return the lines that say which of a person's reminder settings were changed. Empty if none were."""
    changes = (
        (say(REMINDERS_SETTING), when_reminded(before.wish), when_reminded(after.wish)),
        (say(DIGEST_SETTING), _digest_hour_text(before.digest), _digest_hour_text(after.digest)),
        (say("Time zone"), _zone_name(before.digest), _zone_name(after.digest)),
    )
    return texts.join_lines(*(texts.setting_change_text(*each) for each in changes if each[1] != each[2]))


def _digest_hour_text(plan: DigestPlan) -> str:
    return say_name("off") if plan.next_at is None or plan.hour is None else hour_label(plan.hour)


def _zone_name(plan: DigestPlan) -> str:
    return plan.zone or say_name("none")


def _time_zone_text(plan: DigestPlan, time: str) -> str:
    return say("Time zone: **{zone}**, where it is {time} now.", zone=plan.zone, time=time) if plan.zone else ""


def _quiet_games_text(settings: ReminderSettings) -> str:
    """Return the games in which a person's reminders are off. Empty if there are no such games."""
    games, turns = _quiet_game_names(settings.quiet_games), _quiet_game_names(settings.quiet_turns)
    return texts.join_lines(
        say("Reminders are off in {games}.", games=games) if games else "",
        say("Reminders are off for this turn in {games}.", games=turns) if turns else "",
    )


def _quiet_game_names(games: Sequence[int]) -> str:
    return ", ".join(map(game_name, games[:MOST_QUIET_NAMED])) + (" …" if len(games) > MOST_QUIET_NAMED else "")


def _digest_setting_text(plan: DigestPlan) -> str:
    assert plan.hour is not None
    assert plan.next_at is not None
    sentence = mark("Daily digest: at **{hour}** your time. The next one comes {time}.")
    return say(sentence, hour=hour_label(plan.hour), time=texts.time_text(plan.next_at, "R"))


def _single_reminder_text(wish: str) -> str:
    if wish == WISH_OFF:
        return say("Reminders: off.")
    untimed = say("In games with no time limit: one reminder a week, at most 4 a turn.")
    return f"{_timed_reminder_text(wish)} {untimed}"


def _timed_reminder_text(wish: str) -> str:
    if wish.endswith("%"):
        return say("One reminder a turn, with {percent} % of time left.", percent=wish[:-1])
    return say(
        "One reminder a turn, with {hours} hours left. If you have less than {double} hours for a turn, the reminder "
        "comes after half the time.",
        hours=wish[:-1],
        double=str(2 * int(wish[:-1])),
    )


def _beside_digest_text(wish: str) -> str:
    if wish == WISH_OFF:
        return say("No other reminders, even of a turn whose time ends before the next digest.")
    sentence = mark(
        "If a turn can't wait for the next digest, you get a reminder of its own, with {number} hours left."
    )
    if wish.endswith("%"):
        sentence = mark(
            "If a turn can't wait for the next digest, you get a reminder of its own, with {number} % of time left."
        )
    return say(sentence, number=wish[:-1])


def digest_text(briefs: Sequence[GameBrief], user: int, notes: Mapping[int, str], now: int) -> str:
    """Return the text of a digest: the direct message that lists the games waiting for `user`.

    `briefs` holds the games, the most urgent first. The first line is the push notification, so it must make sense
    alone. Games that do not fit in one message are only counted. `notes` are the person's notes by game id. `now` is in
    UTC seconds.
    """
    lines = [listed_game_line(brief, user, {}, shorten_notes(notes, LISTED_NOTE_LENGTHS[0])) for brief in briefs]
    first = _digest_headline(briefs, user, now)
    last = say(GRACE_HINT) if any(brief.flagged for brief in briefs) else ""
    for shown in range(len(lines), -1, -1):
        text = texts.join_lines(first, *lines[:shown], _more_games_text(len(lines) - shown), last)
        if len(text) <= texts.WHOLE_LENGTH:
            break
    return text


def _digest_headline(briefs: Sequence[GameBrief], user: int, now: int) -> str:
    urgent = briefs[0]
    facts = {"game": game_name(urgent.id), "name": listed_opponent_name(urgent, user)}
    if len(briefs) > 1:
        return _most_urgent_text(len(briefs), facts, urgent, now)
    first = say(_YOUR_TURN[urgent.answering, False], **facts)
    if urgent.deadline is None:
        return first
    return f"{first}: {clock_texts.time_left_text(urgent.deadline, now, flagged=urgent.flagged)}"


def _most_urgent_text(number: int, facts: Mapping[str, str], urgent: GameBrief, now: int) -> str:
    """Return in how many games it is the reader's turn, and which is the most urgent one. `facts` name that one."""
    if urgent.deadline is None:
        return say_number(
            "Your turn in {number} game, most urgent: {game} vs {name}",
            "Your turn in {number} games, most urgent: {game} vs {name}",
            number,
            **facts,
        )
    left = clock_texts.duration_text(urgent.deadline - now)
    if urgent.flagged:
        return say_number(
            "Your turn in {number} game, most urgent: {game} vs {name}, {time} of grace left",
            "Your turn in {number} games, most urgent: {game} vs {name}, {time} of grace left",
            number,
            time=left,
            **facts,
        )
    return say_number(
        "Your turn in {number} game, most urgent: {game} vs {name}, {time} left",
        "Your turn in {number} games, most urgent: {game} vs {name}, {time} left",
        number,
        time=left,
        **facts,
    )


def _more_games_text(number: int) -> str:
    if not number:
        return ""
    return say_number(
        "… and {number} more: **/gipf games** lists them.", "… and {number} more: **/gipf games** lists them.", number
    )
