"""Stored rows in plain words: codes, times, ids, turns, settings and messages. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from gipfbot.match import position_after
from gipfbot.match.conditionals import position_after_part
from gipfbot.match.ratings import MOST_OF_PAIR, Uncounted, month_start
from gipfbot.match.study import Actions
from gipfbot.notation import ParseError, decision_text, parse_action_code, turn_text
from gipfbot.rules import Colour, Position, Reason
from gipfbot.service.clock import digests, reminders, undeliverable, vacations
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.vacations import GAME_LISTS, VACATION
from gipfbot.service.delivery import venues
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.delivery.showing import SHOWN
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.play import turn
from gipfbot.service.requests import claim_win
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store.broken_records import read_broken
from gipfbot.store.column_info import Form, info_of
from gipfbot.store.due import UNTOLD
from gipfbot.store.games import HANDED_OVER, VOID
from gipfbot.store.tables import metadata
from gipfbot.values import LostReason, News, StoredMessage
from gipfbot.values.people import is_discord_id

from .export import PersonalData

PLANNED: Mapping[str, str] = {
    reminders.REMINDER: "reminder",
    UNTOLD: "news of a private game for your next command",
    reminders.NEW_WISH: "plan the reminders anew",
    digests.DIGEST: "daily digest",
    vacations.VACATION: "end of the vacation",
    vacations.PAUSING: "pause the clocks for the vacation",
    vacations.RESUMING: "start the clocks after the vacation",
    vacations.TELLING: "announce the vacation",
    undeliverable.RETRY: "try again to post the board",
    turn.HOUSE: "turn of the bot",
    claim_win.CLAIM_WIN: "end of the time to answer a claimed win",
    venues.LEFT_THREAD: "post the boards of games that have left their thread",
}
EVENTS: Mapping[str, str] = {
    "resign": "resigned",
    "cancel": "cancelled the game",
    "flagged": "time over, grace began",
    "time": "lost on time",
    claim_win.CLAIM_WIN: "claimed the win",
    TAKEBACK: "turns taken back",
    HANDED_OVER: "handed a decision to the opponent",
    VOID: "ended by repetition, another game follows",
    "draw_offered": "offered a draw",
    "draw_accepted": "accepted a draw",
    "draw_declined": "declined a draw",
    "draw_withdrawn": "withdrew a draw offer",
}
REASONS: Mapping[str, str] = {
    Reason.GIPF: "no GIPF-piece left",
    Reason.RESERVE: "no piece left to bring in",
    Reason.TIME: "time",
    Reason.RESIGN: "resignation",
    Reason.REPETITION: "repetition",
    Reason.AGREEMENT: "agreed draw",
}
UNCOUNTED: Mapping[str | None, str] = {
    Uncounted.PAIR: f"{MOST_OF_PAIR} games of you two counted in that month",
    Uncounted.AWAY: "you lost on time and had played no turn since another loss on time",
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

# Names in an export for the keys of payloads; and keys that only tell the bot the state of the game.
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
UNREADABLE = (ParseError, KeyError, TypeError, ValueError, IndexError, AttributeError)  # what a damaged row raises


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
        "rated_if_finished": ("rated_only_if_both_had_finished_a_game", _same),
        "vacation": ("vacation_days_a_year", _same),
        "newcomer": ("a_player_had_finished_no_game", _same),
        "house": ("the_bot_plays", _house_in_words),
        "tournament": ("tournament", _same),
        "takebacks": ("takebacks_may_be_asked_for", _same),
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


def iso_time(seconds: int | None) -> str | None:
    """Return a time in UTC seconds as ISO text, such as 2026-03-01T12:00:00Z. None stays None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def id_text(number: int | None) -> str | None:
    """Return an id of Discord as text, because many programs round numbers of that size. None stays None."""
    return None if number is None else str(number)


def person_id(number: int | None) -> str | None:
    """Return a person's id of Discord as text. None for a former player, whose number says nothing."""
    return str(number) if number is not None and is_discord_id(number) else None


def who(other: int | None, user: int) -> str | None:
    """Return whether an id in a person's game is "you" or "opponent". None stays None."""
    return None if other is None else "you" if other == user else "opponent"


# How the value of a column is written for a person.
_FORMS: Mapping[Form, Callable[[Any, int], Any]] = {
    Form.PLAIN: lambda value, _: value,
    Form.IF_ANY: lambda value, _: value or None,
    Form.TIME: lambda value, _: iso_time(value),
    Form.ID: lambda value, _: id_text(value or None),
    Form.PERSON: lambda value, _: person_id(value),
    Form.WHO: who,
    Form.GAME: lambda value, _: value and game_name(value),
    Form.MONTH: lambda value, _: None if value is None else str(iso_time(month_start(value)))[:7],
    Form.COLOUR: lambda value, _: str(Colour(value)).lower(),
    Form.RULES: lambda value, _: value.get("name", value) if isinstance(value, dict) else value,
    Form.TERMS: lambda value, _: terms_in_words(value),
    Form.REASON: lambda value, _: REASONS.get(value, value),
    Form.BROKEN: lambda value, _: value and str(read_broken(value)),
}


def row_in_words(table: str, row: Mapping[str, Any], user: int) -> dict[str, Any]:
    """Return a row of a table in plain words, by the entries and forms of its columns. Leaves out empty values."""
    words: dict[str, Any] = {}
    for name, above, entry, written in _entries(table):
        value = written(row[name], user)
        if not _is_empty(value):
            part = words.setdefault(above, {}) if above else words
            part[entry] = value
    return words


@cache
def _entries(table: str) -> list[tuple[str, str, str, Callable[[Any, int], Any]]]:
    """Return the columns of a table that have a form, each with its entry, the entry above it, and its writer."""
    infos = [(column.name, info_of(column)) for column in metadata.tables[table].c]
    paths = [(name, (info.entry or name).rpartition("."), info.form) for name, info in infos]
    return [(name, above, entry, _FORMS[form]) for name, (above, _, entry), form in paths if form]


def without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table without the entries that are None, or empty lists or tables."""
    return {name: value for name, value in values.items() if not _is_empty(value)}


def _is_empty(value: Any) -> bool:
    return value is None or value in ([], {})


def parse_codes(text: str) -> tuple[Actions, ...]:
    """Return the turns in a column of action codes. Raises ParseError for any other text."""
    return tuple(tuple(map(parse_action_code, turn.split())) for turn in text.split(";")) if text else ()


def turn_texts(position: Position, turns: Iterable[Actions]) -> list[str]:
    """Return successive whole turns from a position in the official notation."""
    written = []
    for actions in turns:
        written.append(turn_text(position, actions))
        position = position_after(position, actions)
    return written


def decision_texts(position: Position, turns: Sequence[Actions]) -> list[str]:
    """Return the turns of a conditional line that begins in this position, in the official notation."""
    written = []
    for actions in turns:
        written.append(decision_text(position, actions))
        position = position_after_part(position, actions) or position
    return written


def messages_in_words(data: PersonalData) -> list[dict[str, Any]]:
    """Return the messages to or about a person in plain words, the oldest first."""
    played = {row["id"] for row in data.rows.get("games", ())}
    return [_message_in_words(row, data.kinds[row.kind].name, data.user, played) for row in data.messages]


def _message_in_words(row: StoredMessage, name: str, user: int, played: set[int]) -> dict[str, Any]:
    to_you = row.channel == user
    return without_empty(
        {
            "message": name,
            "to": "you" if to_you else "a channel",
            "channel_id": None if to_you else id_text(row.channel),
            "says": _contents(row, user, played),
            **row_in_words("outbox", row._asdict(), user),
        }
    )


def _contents(row: StoredMessage, user: int, played: set[int]) -> dict[str, Any]:
    """Return the contents of a message. A board is reduced to its turn: the game itself has the rest."""
    payload = row.payload
    if not payload:  # it was deleted
        return {}
    if row.kind == BOARD:
        return {"after_turn": payload["turn_number"], "turn": payload.get("text"), "players": payload["names"]}
    if row.kind == VACATION:
        return _vacation_message(payload, played)
    if row.kind == SHOWN:
        games = [game_name(game) for game in payload.get("games", ())]
        return {
            "what": payload["what"],
            "by": who(payload["by"], user),
            "games": games,
            "players": payload.get("names"),
        }
    if row.kind == DIGEST:
        return {"at": iso_time(payload["at"]), "games": [game_name(game) for game in payload["games"]]}
    said = {_SAID.get(name, name): value for name, value in payload.items() if name not in _LEFT_OUT}
    for name in ("for", "by"):
        if name in said:
            said[name] = who(said[name], user)
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
