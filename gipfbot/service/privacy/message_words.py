"""The messages that the bot has sent to a person, or that name them, in plain words. Pure."""

from typing import Any

from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.values import StoredMessage

from .code_words import MESSAGES
from .export import PersonalData
from .payloads import GAME_LISTS
from .plain_words import id_text, iso_time, without_empty

# What a message says beside its game, and what only tells the bot which state of the game it is about.
_SAID = {
    "user": "for",
    "challenge": "challenge_number",
    "request": "request_number",
    "follow": "follow_number",
    "turn_number": "after_turn",
    "turn_serial": "turns_before",
    "taken_back": "turns_taken_back",
}
_LEFT_OUT = ("key", "version", "row", "drafted", "played", "state")


def messages_in_words(data: PersonalData) -> list[dict[str, Any]]:
    """Return the messages to or about a person in plain words, the oldest first."""
    played = {row["id"] for row in data.rows.get("games", ())}
    return [_message_in_words(row, data.user, played) for row in data.messages]


def _message_in_words(row: StoredMessage, user: int, played: set[int]) -> dict[str, Any]:
    to_you = row.channel == user
    return without_empty(
        {
            "message": MESSAGES.get(row.kind, row.kind),
            "to": "you" if to_you else "a channel",
            "channel_id": None if to_you else id_text(row.channel),
            "game": row.game and game_name(row.game),
            "message_id": id_text(row.message),
            "says": _contents(row, user, played),
            "reference": row.key,
            "made_at": iso_time(row.created_at),
            "settled_at": iso_time(row.done_at),
            "not_delivered_because": row.dropped,
        }
    )


def _contents(row: StoredMessage, user: int, played: set[int]) -> dict[str, Any]:
    """Return what a message says. Boards are told by their turn: the game itself has the rest."""
    payload = row.payload
    if not payload:  # it has lost what it said
        return {}
    if row.kind == BOARD:
        return {"after_turn": payload["turn_number"], "turn": payload.get("text"), "players": payload["names"]}
    if row.kind == VACATION:
        return _vacation_message(payload, played)
    if row.kind == DIGEST:
        return {"at": iso_time(payload["at"]), "games": [game_name(game) for game in payload["games"]]}
    said = {_SAID.get(name, name): value for name, value in payload.items() if name not in _LEFT_OUT}
    for name in ("for", "by"):
        if name in said:
            said[name] = "you" if said[name] == user else "opponent"
    return {**said, "game": game_name(payload["game"])} if "game" in payload else said


def _vacation_message(payload: dict[str, Any], played: set[int]) -> dict[str, Any]:
    """Return what the announcement of a vacation says about the games of the person."""
    games = [(entry[0], entry[1]) for name in GAME_LISTS for entry in payload.get(name, ()) if entry[0] in played]
    return {
        "on_vacation": payload["name"],
        "until": iso_time(payload["until"]),
        "is_over": payload["over"],
        "games": [{"game": game_name(game), "opponent": opponent} for game, opponent in games],
    }
