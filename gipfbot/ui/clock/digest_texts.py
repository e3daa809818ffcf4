"""The text of the daily digest."""

from collections.abc import Mapping, Sequence

from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import clock_texts, texts
from gipfbot.ui.kit.listed_game import (
    GRACE_HINT,
    LISTED_NOTE_LENGTHS,
    listed_game_line,
    listed_opponent_name,
    shorten_notes,
)
from gipfbot.values import GameBrief


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
