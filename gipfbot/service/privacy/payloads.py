"""What the payloads of outbox rows say about people, and how a person is taken out of them."""

from collections.abc import Collection, Mapping
from typing import Any

from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.requests.draws import DRAW
from gipfbot.values import FORMER_NAME

# The kinds of outbox rows whose payloads hold ids or names of people, with the keys that hold them.
NAMING_KINDS: Mapping[str, tuple[str, ...]] = {
    BOARD: ("seats", "names"),
    NUDGE: ("user",),
    CHANNEL_REMINDER: ("user",),
    DRAW: ("by",),
    VACATION: ("name", "games", "untimed", "runs"),
}
GAME_LISTS = ("games", "untimed", "runs")  # of a vacation: the games that it affects, each with its opponent's name


def rename_in_payload(payload: Mapping[str, Any], user: int, pseudonym: int) -> dict[str, Any]:
    """Return a payload with a pseudonym in the place of a person. Payloads of vacations are left as they are."""
    renamed = dict(payload)
    for key in ("user", "by"):
        if payload.get(key) == user:
            renamed[key] = pseudonym
    if seats := payload.get("seats"):
        renamed["seats"] = [pseudonym if seat == user else seat for seat in seats]
        both = zip(seats, payload["names"], strict=True)
        renamed["names"] = [FORMER_NAME if seat == user else name for seat, name in both]
    return renamed


def vacation_in_key(key: str) -> int:
    """Return the id of the vacation that an outbox row of this key announces."""
    return int(key.split(":")[1])


def games_in_vacation(payload: Mapping[str, Any]) -> set[int]:
    """Return the ids of the games that the announcement of a vacation names."""
    return {entry[0] for name in GAME_LISTS for entry in payload.get(name, ())}


def rename_on_vacation(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the announcement of a former player's own vacation without their name."""
    return {**payload, "name": FORMER_NAME}


def rename_opponent(payload: Mapping[str, Any], played: Collection[int]) -> dict[str, Any]:
    """Return the announcement of another person's vacation, without the name of an opponent in the games `played`."""
    lists = {name: payload[name] for name in GAME_LISTS if name in payload}
    named = {
        name: [[game, FORMER_NAME if game in played else opponent, *rest] for game, opponent, *rest in entries]
        for name, entries in lists.items()
    }
    return {**payload, **named}
