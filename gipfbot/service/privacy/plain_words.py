"""Values of rows in plain words: times, ids, turns and settings. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gipfbot.match import position_after
from gipfbot.match.conditionals import position_after_part
from gipfbot.match.study import Actions
from gipfbot.notation import ParseError, decision_text, parse_action_code, turn_text
from gipfbot.rules import Position
from gipfbot.values.people import is_discord_id


def iso_time(seconds: int | None) -> str | None:
    """Return a time in UTC seconds as ISO text, such as 2026-03-01T12:00:00Z. None stays None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def id_text(number: int | None) -> str | None:
    """Return an id of Discord as text, because many programs round numbers of that size. None stays None."""
    return None if number is None else str(number)


def person_id(number: int | None) -> str | None:
    """Return a person's id of Discord as text. None for a former player, whose number says nothing."""
    return str(number) if number is not None and is_discord_id(number) else None


def place_words(row: Mapping[str, Any]) -> dict[str, str | None]:
    """Return where a game or a challenge is: its server, its channel, and the channel that its thread belongs to."""
    return {
        "server_id": id_text(row["server"]),
        "channel_id": id_text(row["channel"]),
        "channel_of_the_thread_id": id_text(row["parent"]),
    }


def rules_name(ruleset: object) -> object:
    """Return the name of a stored rule set; the rule set itself if it cannot be read."""
    return ruleset.get("name", ruleset) if isinstance(ruleset, dict) else ruleset


def without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table without the entries that are None, or empty lists or tables."""
    return {name: value for name, value in values.items() if value is not None and value not in ([], {})}


def parse_codes(text: str) -> tuple[Actions, ...]:
    """Return the turns in a column of action codes. Raises ParseError for any other text."""
    return tuple(tuple(map(parse_action_code, turn.split())) for turn in text.split(";")) if text else ()


def turn_texts(position: Position, turns: Iterable[Actions]) -> list[str]:
    """Return whole turns, one after the other from a position, in the official notation."""
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


UNREADABLE = (ParseError, KeyError, TypeError, ValueError, IndexError, AttributeError)  # what a damaged row raises
