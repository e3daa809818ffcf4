"""Short names of games, as players read and type them: #a1 to #z1, then #a2."""

import re

_ID = re.compile("#?([a-z])([0-9]{1,9})")


def game_name(id: int) -> str:
    """Return the name of a game, such as #a7."""
    return f"#{chr(ord('a') + (id - 1) % 26)}{(id - 1) // 26 + 1}"


def parse_game_name(text: str) -> int | None:
    """Return the id that a name stands for, None where it is none; the # and the case are forgiven."""
    found = _ID.fullmatch(text.strip().lower())
    if not found or found[2].startswith("0"):
        return None
    return (int(found[2]) - 1) * 26 + ord(found[1]) - ord("a") + 1
