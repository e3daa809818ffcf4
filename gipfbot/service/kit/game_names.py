"""Short names as players read and type them: games are #a1 to #z1, then #a2; studies are study 1, study 2."""

import re

_STUDY = re.compile(r"study\s*#?([1-9][0-9]{0,8})")
_GAME = re.compile("#?([a-z])([0-9]{1,9})")


def game_name(game_id: int) -> str:
    """Return the name of a game, such as #a7."""
    return f"#{chr(ord('a') + (game_id - 1) % 26)}{(game_id - 1) // 26 + 1}"


def parse_game_name(text: str) -> int | None:
    """Return the id that a game's name stands for, None if it is none. The # may be missing; case does not count."""
    found = _GAME.fullmatch(text.strip().lower())
    if not found or found[2].startswith("0"):
        return None
    return (int(found[2]) - 1) * 26 + ord(found[1]) - ord("a") + 1


def study_name(study_id: int) -> str:
    """Return the name of a study, such as study 7."""
    return f"study {study_id}"


def parse_study_name(text: str) -> int | None:
    """Return the id that a study's name stands for, None if it is none. Case does not count."""
    found = _STUDY.fullmatch(text.strip().lower())
    return int(found[1]) if found else None
