"""All that is stored about a person in plain words, as JSON files that Discord takes."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from gipfbot.match import position_after
from gipfbot.match.ratings import PUZZLES, month_start
from gipfbot.match.study import Actions
from gipfbot.notation import parse_position, turn_text
from gipfbot.rules import Position, Ruleset, start
from gipfbot.service.kit.loaded_games import game_name, study_name

from .export import PersonalData, Row
from .game_words import games_in_words
from .plain_words import (
    ENDED_FOLLOWS,
    NEWS,
    PLANNED,
    REASONS,
    UNREADABLE,
    id_text,
    iso_time,
    messages_in_words,
    parse_codes,
    person_id,
    place_words,
    rules_name,
    settings_in_words,
    terms_in_words,
    turn_texts,
    without_empty,
)

ABOUT = (
    "All that this bot stores about you. Times are UTC. Turns are in the official notation. "
    "Who follows or blocks you is not in here: that is theirs."
)
EXPLAINED = {
    "discord_id": "Discord's number of a person. Those of servers, channels and messages are named alike.",
    "how to look one up": "In Discord, Settings > Advanced > Developer Mode lets you copy the numbers of what you see.",
    "a former player": "This person has deleted their data, so there is no id.",
    "game": "Its name in /gipf games, such as #a1.",
    "position": "White's pieces after W=, Black's after B=, then the reserves and captured pieces. G: a GIPF-piece.",
    "position_fingerprint": "Equal positions have equal ones.",
    "result": "1-0: White won. 0-1: Black won. 1/2-1/2: a draw. void: the position was repeated, so nobody won.",
    "ratings": "Glicko-2: the rating, how uncertain it is (deviation), how much your results vary (volatility).",
    "order": "How a leaderboard sorts you; order_among_equals, among players with the same rating.",
    "reference": "The bot's own name for a message or a plan, made of numbers of games, turns and people.",
}

NAME = "gipf-data"


def export_data(data: PersonalData) -> dict[str, Any]:
    """Return all that is stored about a person in plain words. Sections without anything are left out."""
    rows = data.rows
    sections: dict[str, Any] = {
        "games": games_in_words(data),
        "challenges": [_challenge(row, data.user) for row in rows["challenges"]],
        "rated_results": [_rated_result(row, data.user) for row in rows["rated_results"]],
        "ratings": [_rating(row) for row in rows["ratings"]],
        "leaderboards": [_standing(row) for row in rows["standings"]],
        "servers": [_membership(row) for row in rows["memberships"]],
        "studies": [_study(row) for row in rows["studies"]],
        "analyses_awaited": [_analysis_asker(row) for row in rows["analysis_askers"]],
        "vacations": [_vacation(row) for row in rows["vacations"]],
        "follows": [_follow(row) for row in rows["follows"]],
        "guesses": [*_guesses(data)],
        "puzzles": [_puzzle_try(row) for row in rows["puzzle_tries"]],
        "blocks": [_block(row) for row in rows["blocks"]],
        "channels_checked": [_channel_check(row) for row in rows["channel_checks"]],
        "planned": [_due(row) for row in rows["due"]],
        "messages": messages_in_words(data),
        "deletions": [_deletion(row) for row in rows["deletions"]],
    }
    head = {
        "about": ABOUT,
        "explained": EXPLAINED,
        "made_at": iso_time(data.made_at),
        "your_discord_id": id_text(data.user),
    }
    return {**head, **_person(rows["users"]), **without_empty(sections)}


def _person(rows: list[Row]) -> dict[str, Any]:
    if not rows:
        return {}
    (row,) = rows
    shut = {"shut": "closed to the bot"}.get(row["dm_state"] or "")
    seen = {"last_changed_settings_at": iso_time(row["seen_at"]), "direct_messages": shut}
    return without_empty({"settings": settings_in_words(row["settings"]), **seen})


def _challenge(row: Row, user: int) -> dict[str, Any]:
    is_own = row["by_user"] == user
    other = {"name": row["to_name"] if is_own else row["by_name"]}
    other_user = row["to_user"] if is_own else row["by_user"]
    known = without_empty({**other, "discord_id": person_id(other_user)})
    return without_empty(
        {
            "challenge_number": row["id"],
            "made_by": "you" if is_own else "the other player",
            "your_name": row["by_name"] if is_own else row["to_name"],
            "other_player": known if other_user else "anybody",
            "rules": rules_name(row["ruleset"]),
            "terms": terms_in_words(row["terms"]),
            "colour_of_the_challenger": {"lot": "drawn by lot"}.get(row["side"], row["side"]),
            "state": row["state"],
            "ends_at": iso_time(row["expires_at"]),
            **place_words(row),
            "message_id": id_text(row["message"]),
            "rematch_of": row["rematch_of"] and game_name(row["rematch_of"]),
            "led_to": row["game"] and game_name(row["game"]),
            "places_left": row["takes_left"],
        }
    )


def _rated_result(row: Row, user: int) -> dict[str, Any]:
    values = {
        "game": game_name(row["game"]),
        "opponent_discord_id": person_id(row["opponent"]),
        "pool": row["pool"],
        "month": _month(row["month"]),
        "server_id": id_text(row["server"] or None),
        "ended_at": iso_time(row["ended_at"]),
        "your_points": row["points"],
        "lost_on_time_by": {None: "nobody", user: "you"}.get(row["late_user"], "opponent"),
        "counts": row["counts"],
    }
    return without_empty(values)


def _month(number: int) -> str:
    return str(iso_time(month_start(number)))[:7]


def _rating(row: Row) -> dict[str, Any]:
    names = ("start_rating", "start_deviation", "start_volatility", "rating", "deviation", "volatility")
    counts = ("games", "wins", "won_in_a_row")
    values = {name: row[name] for name in (*names, *counts)}
    last = {"last_game": game_name(row["last_game"]), "last_game_ended_at": iso_time(row["last_at"])}
    if row["pool"] == PUZZLES:
        last = {"last_try": row["last_game"], "last_try_ended_at": iso_time(row["last_at"])}
    return {"pool": row["pool"], "month": _month(row["month"]), **values, **last}


def _puzzle_try(row: Row) -> dict[str, Any]:
    values = {
        "puzzle": row["puzzle"],
        "try_number": row["id"],
        "server_id": id_text(row["server"] or None),
        **_try_turns(row),
        "times_changed": row["version"],
        "solved_by_the_first_try": row["solved"],
        "tried_at": iso_time(row["tried_at"]),
        "rated_in_month": None if row["month"] is None else _month(row["month"]),
    }
    return without_empty(values)


def _try_turns(row: Row) -> dict[str, Any]:
    """Return the turns entered in a puzzle as text; their codes if they cannot be read."""
    try:
        begin, played, draft = parse_position(row["position"]), parse_codes(row["played"]), parse_codes(row["draft"])
        written = turn_texts(begin, (*played, *draft))
        return {"turns": written[: len(played)], "unfinished_turn": "".join(written[len(played) :]) or None}
    except UNREADABLE:
        return {"turns": row["played"], "unfinished_turn": row["draft"]}


def _standing(row: Row) -> dict[str, Any]:
    order = {"order": row["step"], "order_among_equals": row["uncertainty"]}
    values = {**{name: row[name] for name in ("provisional", "rating", "games")}, **order}
    where = {"pool": row["pool"], "server_id": id_text(row["server"]) if row["server"] else "all servers"}
    return {**where, **values, "month": _month(row["month"]), "changes_at": iso_time(row["changes_at"])}


def _membership(row: Row) -> dict[str, Any]:
    asked = iso_time(row["asked_at"])
    return {"server_id": id_text(row["server"]), "you_are_a_member": row["is_member"], "discord_was_asked_at": asked}


def _study(row: Row) -> dict[str, Any]:
    copied = ("title", "white", "black", "result", "notes")
    return without_empty(
        {
            "study": study_name(row["id"]),
            "game": row["game"] and game_name(row["game"]),
            "rules": rules_name(row["ruleset"]),
            **{name: row[name] or None for name in copied},
            "result_reason": REASONS.get(row["reason"], row["reason"]),
            "what_the_record_stops_at": row["fault"] or None,
            "level_of_the_bot_that_answers": row["level"],
            "turns_before_the_position_shown": row["place"],
            "times_changed": row["version"],
            **_study_turns(row),
            "begins_at_position": row["begin"],
            "made_at": iso_time(row["created_at"]),
            "kept_until": iso_time(row["expires_at"]),
        }
    )


def _analysis_asker(row: Row) -> dict[str, Any]:
    return {"game": game_name(row["game"]), "asked_at": iso_time(row["asked_at"])}


def _study_turns(row: Row) -> dict[str, Any]:
    """Return the turns of a study as text; their codes if the study cannot be read."""
    try:
        begin, turns, tried = _study_begin(row), parse_codes(row["turns"]), parse_codes(row["tried"])
        played = (*turns[: row["place"]], *tried, *parse_codes(row["draft"]))
        written = turn_texts(begin, played)[row["place"] :]
        parts = {"turns_you_tried": written[: len(tried)], "unfinished_turn": "".join(written[len(tried) :]) or None}
        return {"turns": turn_texts(begin, turns), **parts}
    except UNREADABLE:
        return {"turns": row["turns"], "turns_you_tried": row["tried"], "unfinished_turn": row["draft"]}


def _study_begin(row: Row) -> Position:
    ruleset = Ruleset.from_data(row["ruleset"])
    return parse_position(row["begin"], {ruleset.name: ruleset}) if row["begin"] else start(ruleset)


def _vacation(row: Row) -> dict[str, Any]:
    return without_empty(
        {
            "vacation_number": row["id"],
            "from": iso_time(row["since"]),
            "until": iso_time(row["until"]),
            "ended_at": iso_time(row["ended_at"]),
        }
    )


def _follow(row: Row) -> dict[str, Any]:
    return without_empty(
        {
            "follow_number": row["id"],
            "game": row["game"] and game_name(row["game"]),
            "player_discord_id": person_id(row["player"]),
            "name": row["name"],
            "you_are_told_of": NEWS.get(row["news"], row["news"]),
            "ended_because": ENDED_FOLLOWS.get(row["lost"], row["lost"]),
            "since": iso_time(row["created_at"]),
        }
    )


def _guesses(data: PersonalData) -> Iterator[dict[str, Any]]:
    games = {row["id"]: row for row in data.guessed.get("games", ())}
    turns = dict[int, list[Row]]()
    for turn in data.guessed.get("turns", ()):
        turns.setdefault(turn["game"], []).append(turn)
    for row in data.rows["guesses"]:
        yield without_empty(
            {
                "game": game_name(row["game"]),
                "after_turns": row["turn_serial"],
                "guess": _guess_text(row, games[row["game"]], turns.get(row["game"], [])),
                "points": row["points"],
                "guessed_at": iso_time(row["guessed_at"]),
            }
        )


def _guess_text(row: Row, game: Row, turns: list[Row]) -> str:
    """Return a guess as text; its codes if turns were taken back, so that its position is not known any more."""
    try:
        if game["taken_back"]:
            return str(row["actions"])
        played: list[Actions] = [parse_codes(turn["actions"])[0] for turn in turns[: row["turn_serial"]]]
        (guess,) = parse_codes(row["actions"])
        return turn_text(_position_after(Ruleset.from_data(game["ruleset"]), played), guess)
    except UNREADABLE:
        return str(row["actions"])


def _position_after(ruleset: Ruleset, played: list[Actions]) -> Position:
    position = start(ruleset)
    for actions in played:
        position = position_after(position, actions)
    return position


def _block(row: Row) -> dict[str, Any]:
    player = {"name": row["name"], "discord_id": person_id(row["blocked"])}
    return {"you_block": without_empty(player), "since": iso_time(row["created_at"])}


def _channel_check(row: Row) -> dict[str, Any]:
    return {"channel_id": id_text(row["channel"]), "you_see_it": row["sees"], "checked_at": iso_time(row["checked_at"])}


def _due(row: Row) -> dict[str, Any]:
    return without_empty(
        {
            "what": PLANNED.get(row["kind"], row["kind"]),
            "reference": row["key"],
            "game": row["game"] and game_name(row["game"]),
            "at": iso_time(row["at"]),
            "done_at": iso_time(row["done_at"]),
        }
    )


def _deletion(row: Row) -> dict[str, Any]:
    return {"begun_at": iso_time(row["began_at"]), "state": "your earlier data is being deleted"}


class ExportFile(NamedTuple):
    """A file of an export."""

    name: str
    content: bytes


def write_export(data: PersonalData, limit: int) -> list[ExportFile]:
    """Return an export as files of at most `limit` bytes each, if that can be done at all.

    It is one JSON file, or else one zipped, or else several zipped ones, each with a part of the longest section.
    """
    whole = export_data(data)
    text = _as_json(whole)
    if len(text) <= limit:
        return [ExportFile(f"{NAME}.json", text)]
    parts = _zipped_parts(whole, limit)
    if len(parts) == 1:
        return [ExportFile(f"{NAME}.zip", parts[0])]
    return [ExportFile(f"{NAME}-{number}-of-{len(parts)}.zip", part) for number, part in enumerate(parts, 1)]


def _as_json(table: dict[str, Any]) -> bytes:
    return json.dumps(table, ensure_ascii=False, indent=1).encode()


def _zipped_parts(table: dict[str, Any], limit: int) -> list[bytes]:
    """Return a table as zipped JSON files. A table that is too large is halved, at its longest section."""
    zipped = _zip_json(_as_json(table))
    lists = [name for name, value in table.items() if isinstance(value, list) and len(value) > 1]
    if len(zipped) <= limit or not lists:
        return [zipped]
    longest = max(lists, key=lambda name: len(_as_json({name: table[name]})))
    entries = table[longest]
    middle = len(entries) // 2
    rest = {name: value for name, value in table.items() if name == longest or not isinstance(value, list)}
    first, second = {**table, longest: entries[:middle]}, {**rest, longest: entries[middle:]}
    return [*_zipped_parts(first, limit), *_zipped_parts(second, limit)]


def _zip_json(text: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{NAME}.json", text)
    return target.getvalue()
