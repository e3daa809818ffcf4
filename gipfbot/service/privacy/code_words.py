"""What the codes in stored rows mean, in plain words. A code that is not listed is shown as it is. Pure."""

from collections.abc import Mapping
from typing import Any

from gipfbot.match.requests import DrawStep
from gipfbot.rules import Reason
from gipfbot.service.clock import digests, downtime, reminders, undeliverable, vacations
from gipfbot.service.competing.results import ANNOUNCEMENT
from gipfbot.service.delivery import board_message, venues
from gipfbot.service.health.owner_news import OWNER_NEWS
from gipfbot.service.lobby.arrivals import WELCOME
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.play import beginning
from gipfbot.service.play.turn import DISCARDED, DISCARDED_BY_TAKEBACK
from gipfbot.service.puzzles.daily_puzzles import PUZZLE_SOLUTION
from gipfbot.service.records.analyses import ANALYSIS
from gipfbot.service.requests import claim_win, draws, takebacks
from gipfbot.service.settings.servers import DAILY_PUZZLE, SETTINGS_CHANGED
from gipfbot.service.watching.watching import FOLLOWED
from gipfbot.store.games import HANDED_OVER, VOID
from gipfbot.values import THREAD, LostReason, News

MESSAGES: Mapping[str, str] = {
    board_message.BOARD: "board after a turn",
    THREAD: "thread of a game",
    venues.NO_THREAD: "note that no thread could be made",
    venues.LEFT_THREAD: "note that games have left their thread",
    reminders.REMINDER: "reminder",
    reminders.CHANNEL_REMINDER: "reminder in the channel",
    reminders.NUDGE: "nudge",
    digests.DIGEST: "daily digest",
    vacations.VACATION: "announcement of a vacation",
    undeliverable.UNDELIVERABLE: "note on a board that could not be posted",
    downtime.DOWNTIME_NOTICE: "note that the bot was away",
    CHALLENGE: "challenge",
    WELCOME: "welcome",
    ANNOUNCEMENT: "result",
    takebacks.TAKEBACK: "request to take turns back",
    draws.DRAW: "draw offer",
    claim_win.CLAIM_WIN: "claim of a win",
    claim_win.CLAIM_WIN_DM: "warning of a claimed win",
    DISCARDED: "note that conditional turns were discarded",
    DISCARDED_BY_TAKEBACK: "note that conditional turns were discarded with turns taken back",
    FOLLOWED: "news of what you follow",
    ANALYSIS: "note that an analysis is over",
    SETTINGS_CHANGED: "changed settings of a server",
    DAILY_PUZZLE: "puzzle of the day",
    PUZZLE_SOLUTION: "solution of a puzzle of the day",
    OWNER_NEWS: "note to the person who runs the bot",
}
PLANNED: Mapping[str, str] = {
    reminders.REMINDER: "reminder",
    reminders.NEW_WISH: "plan the reminders anew",
    digests.DIGEST: "daily digest",
    vacations.VACATION: "end of the vacation",
    vacations.PAUSING: "pause the clocks for the vacation",
    vacations.RESUMING: "start the clocks after the vacation",
    vacations.TELLING: "announce the vacation",
    undeliverable.RETRY: "try again to post the board",
    beginning.HOUSE: "turn of the bot",
    claim_win.CLAIM_WIN: "end of the time to answer a claimed win",
    venues.LEFT_THREAD: "post the boards of games that have left their thread",
}
EVENTS: Mapping[str, str] = {
    "resign": "resigned",
    "cancel": "cancelled the game",
    "flagged": "time over, grace began",
    "time": "lost on time",
    claim_win.CLAIM_WIN: "claimed the win",
    takebacks.TAKEBACK: "turns taken back",
    HANDED_OVER: "handed a decision to the opponent",
    VOID: "ended by repetition, another game follows",
    DrawStep.OFFERED: "offered a draw",
    DrawStep.ACCEPTED: "accepted a draw",
    DrawStep.DECLINED: "declined a draw",
    DrawStep.WITHDRAWN: "withdrew a draw offer",
}
REASONS: Mapping[str, str] = {
    Reason.GIPF: "no GIPF-piece left",
    Reason.RESERVE: "no piece left to bring in",
    Reason.TIME: "time",
    Reason.RESIGN: "resignation",
    Reason.REPETITION: "repetition",
    Reason.AGREEMENT: "agreed draw",
}
NEWS: Mapping[str, str] = {News.EACH_TURN: "each turn and the result", News.RESULT: "the result"}
ENDED_FOLLOWS: Mapping[str, str] = {
    LostReason.HIDDEN: "you no longer see its channel",
    LostReason.SHUT: "you take no direct messages",
    LostReason.REFUSED: "Discord refused a direct message",
    LostReason.IMPOSSIBLE: "it is not possible any more",
}
SETTINGS: Mapping[str, str] = {
    digests.HOUR_SETTING: "daily_digest_at_hour",
    digests.ZONE_SETTING: "time_zone",
    "lesson": "tutorial_lessons_done",
}


def settings_in_words(settings: object) -> object:
    """Return a person's settings by the names of their commands' options."""
    if not isinstance(settings, dict):
        return settings
    return {SETTINGS.get(name, name): value for name, value in settings.items()}


def terms_in_words(terms: object) -> object:
    """Return terms of a game in plain words. Terms that cannot be read are returned as they are."""
    if not isinstance(terms, dict):
        return terms
    known = {
        "time_control": ("time", _time_in_words),
        "weekends": ("clock_runs_on_weekends", _same),
        "grace": ("seconds_to_finish_a_turn_after_the_time_is_over", _same),
        "thread": ("own_thread", _same),
        "rated": ("rated", _same),
        "vacation": ("vacation_days_a_year", _same),
        "house": ("the_bot_plays", _house_in_words),
    }
    read = [(known.get(name, (name, _same)), value) for name, value in terms.items()]
    return {name: words(value) for (name, words), value in read}


def _same(value: Any) -> Any:
    return value


def _house_in_words(house: Any) -> Any:
    if not isinstance(house, dict):
        return house
    return {"level": house.get("level"), **({"engine": house["engine"]} if house.get("engine") else {})}


def _time_in_words(control: Any) -> Any:
    if not isinstance(control, dict):
        return control or "no limit"
    words = {"first": "seconds_at_first", "increment": "seconds_more_with_each_turn", "cap": "seconds_at_most"}
    return {words.get(name, name): value for name, value in control.items()}
