"""All that is stored about a person in plain words, as JSON files that Discord takes."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gipfbot.match import position_after
from gipfbot.match.ratings import PUZZLES
from gipfbot.match.study import Actions
from gipfbot.notation import parse_position, turn_text
from gipfbot.rules import Position, Ruleset, start
from gipfbot.service.kit.loaded_games import game_name, study_name
from gipfbot.store.personal_data import sections

from .export import PersonalData, Row
from .game_words import games_in_words
from .plain_words import (
    ENDED_FOLLOWS,
    NEWS,
    PLANNED,
    UNCOUNTED,
    UNREADABLE,
    id_text,
    iso_time,
    messages_in_words,
    parse_codes,
    person_id,
    row_in_words,
    settings_in_words,
    turn_texts,
    who,
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
    own = {section: table for table, section in sections().items() if not section.startswith(("games", "messages"))}
    lists: dict[str, Any] = {
        "games": games_in_words(data),
        **{section: _section(data, table) for section, table in own.items()},
        "messages": messages_in_words(data),
    }
    head = {
        "about": ABOUT,
        "explained": EXPLAINED,
        "made_at": iso_time(data.made_at),
        "your_discord_id": id_text(data.user),
    }
    return {**head, **_person(data), **without_empty(lists)}


def _person(data: PersonalData) -> dict[str, Any]:
    if not data.rows["users"]:
        return {}
    (row,) = data.rows["users"]
    shut = {"shut": "closed to the bot"}.get(row["dm_state"] or "")
    more = {"settings": settings_in_words(row["settings"]), "direct_messages": shut}
    return without_empty({**row_in_words("users", row, data.user), **more})


def _section(data: PersonalData, table: str) -> list[dict[str, Any]]:
    more = _MORE.get(table)
    rows = [(row, row_in_words(table, row, data.user)) for row in data.rows.get(table, ())]
    return [without_empty({**words, **(more(row, data) if more else {})}) for row, words in rows]


def _challenge(row: Row, data: PersonalData) -> dict[str, Any]:
    own, other = ("by", "to") if row["by_user"] == data.user else ("to", "by")
    known = without_empty({"name": row[f"{other}_name"], "discord_id": person_id(row[f"{other}_user"])})
    return {
        "made_by": "you" if own == "by" else "the other player",
        "your_name": row[f"{own}_name"],
        "other_player": known if row[f"{other}_user"] else "anybody",
        "colour_of_the_challenger": {"lot": "drawn by lot"}.get(row["side"], row["side"]),
    }


def _rated_result(row: Row, data: PersonalData) -> dict[str, Any]:
    return {
        "lost_on_time_by": who(row["late_user"], data.user) or "nobody",
        "does_not_count_because": UNCOUNTED.get(row["uncounted"]),
    }


def _rating(row: Row, _: PersonalData) -> dict[str, Any]:
    ended = iso_time(row["last_at"])
    if row["pool"] == PUZZLES:
        return {"last_try": row["last_game"], "last_try_ended_at": ended}
    return {"last_game": game_name(row["last_game"]), "last_game_ended_at": ended}


def _standing(row: Row, _: PersonalData) -> dict[str, Any]:
    return {} if row["server"] else {"server_id": "all servers"}


def _puzzle_try(row: Row, _: PersonalData) -> dict[str, Any]:
    """Return the turns entered in a puzzle as text; their codes if they cannot be read."""
    try:
        begin, played, draft = parse_position(row["position"]), parse_codes(row["played"]), parse_codes(row["draft"])
        written = turn_texts(begin, (*played, *draft))
        return {"turns": written[: len(played)], "unfinished_turn": "".join(written[len(played) :]) or None}
    except UNREADABLE:
        return {"turns": row["played"], "unfinished_turn": row["draft"]}


def _study(row: Row, _: PersonalData) -> dict[str, Any]:
    return {"study": study_name(row["id"]), **_study_turns(row)}


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


def _follow(row: Row, _: PersonalData) -> dict[str, Any]:
    lost = row["lost"]
    return {"you_are_told_of": NEWS.get(row["news"], row["news"]), "ended_because": ENDED_FOLLOWS.get(lost, lost)}


def _guess(row: Row, data: PersonalData) -> dict[str, Any]:
    return {"guess": _guess_text(row, *data.guessed[row["game"]])}


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


def _due(row: Row, _: PersonalData) -> dict[str, Any]:
    return {"what": PLANNED.get(row["kind"], row["kind"])}


def _deletion(_: Row, __: PersonalData) -> dict[str, Any]:
    return {"state": "your earlier data is being deleted"}


# More words for the rows of a table, besides the columns with a form.
_MORE: Mapping[str, Callable[[Row, PersonalData], dict[str, Any]]] = {
    "challenges": _challenge,
    "deletions": _deletion,
    "due": _due,
    "follows": _follow,
    "guesses": _guess,
    "puzzle_tries": _puzzle_try,
    "rated_results": _rated_result,
    "ratings": _rating,
    "standings": _standing,
    "studies": _study,
}


class ExportFile(NamedTuple):
    """A file of an export."""

    name: str
    content: bytes


def write_export(data: PersonalData, limit: int) -> list[ExportFile]:
    """Return an export as files of at most `limit` bytes each, if possible.

    This is one JSON file, or one zipped file, or several zipped files, each with a part of the longest section.
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
