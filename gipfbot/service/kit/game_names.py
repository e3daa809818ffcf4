"""Names of games and studies for players: games are #a1 to #z1, then #a2 and so on; studies are study 1, study 2."""

import re

_STUDY = re.compile(r"study\s*#?([1-9][0-9]{0,8})")
_GAME = re.compile("#?([a-z])([0-9]{1,9})")


def game_name(game_id: int) -> str:
    """Return the name of a game for players, such as #a7."""
    return f"#{chr(ord('a') + (game_id - 1) % 26)}{(game_id - 1) // 26 + 1}"


def parse_game_name(text: str) -> int | None:
    """Return the id of the game with this name, or None if the text is not a game's name.

    The # may be missing. Case does not count. Does not check that the game exists.
    """
    found = _GAME.fullmatch(text.strip().lower())
    if not found or found[2].startswith("0"):
        return None
    return (int(found[2]) - 1) * 26 + ord(found[1]) - ord("a") + 1


def study_name(study_id: int) -> str:
    """Return the name of a study for players, such as study 7."""
    return f"study {study_id}"


def parse_study_name(text: str) -> int | None:
    """Return the id of the study with this name, or None if the text is not a study's name.

    Case does not count. Does not check that the study exists.
    """
    found = _STUDY.fullmatch(text.strip().lower())
    return int(found[1]) if found else None
