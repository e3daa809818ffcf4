"""A person's games in plain words, without anything of the opponent that the person cannot see. Pure."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, TypeAlias

from gipfbot.match import Game
from gipfbot.match.conditionals import known_draft, lines_begin_at
from gipfbot.notation import turn_text
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store.personal_data import sections

from .export import PersonalData, Row
from .plain_words import (
    EVENTS,
    UNREADABLE,
    decision_texts,
    iso_time,
    parse_codes,
    person_id,
    row_in_words,
    who,
    without_empty,
)

ByGame: TypeAlias = dict[int, list[Row]]


def games_in_words(data: PersonalData) -> list[dict[str, Any]]:
    """Return all games of a person in plain words, the oldest first."""
    tables = [table for table, section in sections().items() if section.startswith("games") and table != "games"]
    parts = {table: _by_game(data.rows.get(table, ())) for table in tables}
    return [_game_in_words(data, row, parts) for row in data.rows.get("games", ())]


def _by_game(rows: Iterable[Row]) -> ByGame:
    ordered = sorted(rows, key=lambda row: row["game"])
    return {game: [*found] for game, found in groupby(ordered, lambda row: row["game"])}


def _game_in_words(data: PersonalData, row: Row, parts: dict[str, ByGame]) -> dict[str, Any]:
    game, user, named = data.games.get(row["id"]), data.user, sections()
    of = {table: by_game.get(row["id"], []) for table, by_game in parts.items()}
    both, drafted = of.pop("seats"), of.pop("draft")
    more: dict[str, Callable[[Row], dict[str, Any]]] = {
        "events": lambda event: _event(event, user),
        "conditionals": lambda line: {"turns": _line_texts(line, game)},
    }
    lists = {
        named[table].removeprefix("games."): [
            {**row_in_words(table, part, user), **(more[table](part) if table in more else {})} for part in rows
        ]
        for table, rows in of.items()
    }
    unfinished = {"your_unfinished_turn": _unfinished_turn(drafted, game, user)}
    return without_empty({**row_in_words("games", row, user), **_players(both, user), **unfinished, **lists})


def _players(both: list[Row], user: int) -> dict[str, Any]:
    mine = next(seat for seat in both if seat["user"] == user)
    other = next(seat for seat in both if seat is not mine)
    opponent = without_empty({"name": other["name"], "discord_id": person_id(other["user"])})
    return {**row_in_words("seats", mine, user), "opponent": opponent}


def _unfinished_turn(rows: list[Row], game: Game | None, user: int) -> dict[str, Any] | None:
    """Return the person's part of the unfinished turn, and the opponent's part as far as they know it (R8.4)."""
    own = [row for row in rows if row["by"] == user]
    if not own:
        return None
    return {"turn": _draft_text(game, user) or [row["action"] for row in own], "begun_at": iso_time(own[0]["at"])}


def _draft_text(game: Game | None, user: int) -> str | None:
    if game is None or game.asked is None:
        return None
    is_asked = game.seats[game.asked].user == user
    return turn_text(game.position, game.draft if is_asked else known_draft(game, user))


def _event(row: Row, user: int) -> dict[str, Any]:
    data = row["data"] if isinstance(row["data"], dict) else {}
    return without_empty({"event": EVENTS.get(row["kind"], row["kind"]), **_details(data, user)})


def _details(data: dict[str, Any], user: int) -> dict[str, Any]:
    """Return the data of an event; turns that were taken back say who played them, and when."""
    bank = data.get("bank") or (None, None)
    known = {
        "next_game": data.get("next") and game_name(data["next"]),
        "turns_before": data.get("turn_serial"),
        "white_seconds": bank[0],
        "black_seconds": bank[1],
        "turns": [_taken_turn(turn, user) for turn in data.get("turns", ())],
    }
    others = {"next", "turn_serial", "bank", "turns"}
    return {**known, **{name: value for name, value in data.items() if name not in others}}


def _taken_turn(turn: dict[str, Any], user: int) -> dict[str, Any]:
    return {
        "number": turn.get("turn_number"),
        "turn": turn.get("text"),
        "played_by": who(turn.get("by"), user),
        "entered_by": turn.get("how"),
        "played_at": iso_time(turn.get("played_at")),
    }


def _line_texts(row: Row, game: Game | None) -> list[str]:
    try:
        turns = parse_codes(row["turns"])
        return decision_texts(lines_begin_at(game, row["user"]), turns) if game else row["turns"].split(";")
    except UNREADABLE:
        return str(row["turns"]).split(";")
