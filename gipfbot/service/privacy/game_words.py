"""The games of a person in plain words, as they see them: nothing of the opponent that they do not see anyway. Pure."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeAlias

from gipfbot.match import Game
from gipfbot.match.conditionals import known_draft, lines_begin_at
from gipfbot.notation import turn_text
from gipfbot.rules import Colour
from gipfbot.service.kit.loaded_games import game_name

from .export import PersonalData, Row
from .plain_words import (
    EVENTS,
    REASONS,
    UNREADABLE,
    decision_texts,
    id_text,
    iso_time,
    parse_codes,
    person_id,
    place_words,
    rules_name,
    terms_in_words,
    without_empty,
)

ByGame: TypeAlias = dict[int, list[Row]]
_COLOURS = {int(colour): str(colour).lower() for colour in Colour}
# Seconds: the time of both players.
_CLOCK = {"white_bank": "white_seconds", "black_bank": "black_seconds", "paused_left": "paused_with_seconds"}


def games_in_words(data: PersonalData) -> list[dict[str, Any]]:
    """Return all games of a person in plain words, the oldest first."""
    tables = ("seats", "turns", "draft", "events", "takebacks", "conditionals")
    parts = {table: _by_game(data.rows.get(table, ())) for table in tables}
    return [_game_in_words(data, row, parts) for row in data.rows.get("games", ())]


def _by_game(rows: Iterable[Row]) -> ByGame:
    ordered = sorted(rows, key=lambda row: row["game"])
    return {game: [*found] for game, found in groupby(ordered, lambda row: row["game"])}


def _game_in_words(data: PersonalData, row: Row, parts: dict[str, ByGame]) -> dict[str, Any]:
    game_id, user = row["id"], data.user

    def of(table: str) -> list[Row]:
        return parts[table].get(game_id, [])

    def who(other: int | None) -> str | None:
        return None if other is None else "you" if other == user else "opponent"

    return without_empty(
        {
            **_head(row, who),
            **_players(of("seats"), user),
            "clock": _clock(row),
            "turns": [_turn_in_words(turn, who) for turn in of("turns")],
            "your_unfinished_turn": _unfinished_turn(of("draft"), data.games.get(game_id), user),
            "events": [_event_in_words(event, who) for event in of("events")],
            "takeback_requests": [_takeback_in_words(request, who) for request in of("takebacks")],
            "your_conditional_turns": [_line_in_words(line, data.games.get(game_id)) for line in of("conditionals")],
        }
    )


def _head(row: Row, who: Any) -> dict[str, Any]:
    return {
        "game": game_name(row["id"]),
        "rules": rules_name(row["ruleset"]),
        "terms": terms_in_words(row["terms"]),
        "rating_pool": row["pool"],
        "level_of_the_bot": row["level"],
        **place_words(row),
        "cannot_be_posted_because": row["unreachable"],
        "from_challenge_number": row["origin"],
        "state": row["status"],
        "result": row["result"],
        "result_reason": REASONS.get(row["reason"], row["reason"]),
        "position": row["position"],
        "position_before_the_last_turn": row["previous"],
        "turns_played": row["turn_number"],
        "turns_taken_back": row["taken_back"],
        "times_changed": row["version"],
        "waits_for": who(row["waiting_user"]),
        "waits_since": iso_time(row["waiting_since"]),
        "began_at": iso_time(row["created_at"]),
        "last_changed_at": iso_time(row["changed_at"]),
        "ended_at": iso_time(row["ended_at"]),
        "newest_board": without_empty(
            {
                "channel_id": id_text(row["board_channel"]),
                "message_id": id_text(row["board_message"]),
                "turn": row["board_turn_serial"],
            }
        ),
    }


def _players(seats: list[Row], user: int) -> dict[str, Any]:
    mine = next(seat for seat in seats if seat["user"] == user)
    other = next(seat for seat in seats if seat is not mine)
    listed = {"turns": mine["listed_turn_number"], "turns_taken_back": mine["listed_taken_back"]}
    return {
        "your_colour": _COLOURS[mine["colour"]],
        "your_name": mine["name"],
        "opponent": without_empty({"name": other["name"], "discord_id": person_id(other["user"])}),
        "your_note": mine["note"],
        "your_reminders_are_off": mine["quiet"],
        "your_reminders_are_off_for_turn": mine["quiet_turn_serial"],
        "your_list_showed_it_with": without_empty(listed),
    }


def _clock(row: Row) -> dict[str, Any]:
    times = {"deadline": iso_time(row["deadline_at"]), "over_time": row["flagged"] or None}
    return without_empty(
        {**{name: row[column] for column, name in _CLOCK.items()}, **times, "seconds_credited": row["credited"]}
    )


def _turn_in_words(row: Row, who: Any) -> dict[str, Any]:
    return without_empty(
        {
            "number": row["turn_number"],
            "colour": _COLOURS[row["colour"]],
            "turn": row["text"],
            "played_by": who(row["by"]),
            "entered_by": row["how"],
            "played_at": iso_time(row["played_at"]),
            "white_seconds_before": row["white_bank"],
            "black_seconds_before": row["black_bank"],
            "position_fingerprint": row["position_hash"],
        }
    )


def _unfinished_turn(rows: list[Row], game: Game | None, user: int) -> dict[str, Any] | None:
    """Return what the person has done of the turn, and of the opponent's part only what they know of it (R8.4)."""
    own = [row for row in rows if row["by"] == user]
    if not own:
        return None
    return {"turn": _draft_text(game, user) or [row["action"] for row in own], "begun_at": iso_time(own[0]["at"])}


def _draft_text(game: Game | None, user: int) -> str | None:
    if game is None or game.asked is None:
        return None
    is_asked = game.seats[game.asked].user == user
    return turn_text(game.position, game.draft if is_asked else known_draft(game, user))


def _event_in_words(row: Row, who: Any) -> dict[str, Any]:
    event = EVENTS.get(row["kind"], row["kind"])
    data = row["data"] if isinstance(row["data"], dict) else {}
    return without_empty({"event": event, "by": who(row["by"]), "at": iso_time(row["at"]), **_details(data, who)})


def _details(data: dict[str, Any], who: Any) -> dict[str, Any]:
    """Return the data of an event; turns that were taken back say who played them, and when."""
    bank = data.get("bank") or (None, None)
    known = {
        "next_game": data.get("next") and game_name(data["next"]),
        "turns_before": data.get("turn_serial"),
        "white_seconds": bank[0],
        "black_seconds": bank[1],
        "turns": [_taken_turn(turn, who) for turn in data.get("turns", ())],
    }
    others = {"next", "turn_serial", "bank", "turns"}
    return {**known, **{name: value for name, value in data.items() if name not in others}}


def _taken_turn(turn: dict[str, Any], who: Any) -> dict[str, Any]:
    return {
        "number": turn.get("turn_number"),
        "turn": turn.get("text"),
        "played_by": who(turn.get("by")),
        "entered_by": turn.get("how"),
        "played_at": iso_time(turn.get("played_at")),
    }


def _takeback_in_words(row: Row, who: Any) -> dict[str, Any]:
    return {
        "request_number": row["id"],
        "asked_by": who(row["by"]),
        "turns": row["turns"],
        "from_turn": row["turn_number"],
        "state": row["state"],
        "asked_at": iso_time(row["created_at"]),
        "ends_at": iso_time(row["expires_at"]),
    }


def _line_in_words(row: Row, game: Game | None) -> dict[str, Any]:
    return {
        "after_turn": row["turn_number"],
        "turns": _line_texts(row, game),
        "made_at": iso_time(row["created_at"]),
    }


def _line_texts(row: Row, game: Game | None) -> list[str]:
    try:
        turns = parse_codes(row["turns"])
        return decision_texts(lines_begin_at(game, row["user"]), turns) if game else row["turns"].split(";")
    except UNREADABLE:
        return str(row["turns"]).split(";")
