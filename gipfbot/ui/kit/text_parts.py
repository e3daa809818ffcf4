"""Pieces of text that every room puts together: names, links, lists, code."""

import re
from collections.abc import Sequence

from gipfbot.rules import Piece
from gipfbot.rules.pending import RowChoice
from gipfbot.service.kit.game_names import game_name
from gipfbot.values import ListedGame

MESSAGE_LENGTH = 2000  # characters: Discord's limit
WHOLE_LENGTH = 1950  # of a message that is one list
LIST_LENGTH = 1300  # of a list that something follows


def escape_text(name: str) -> str:
    """Return a name so that Discord shows it as it is, links nowhere and pings nobody."""
    escaped = "".join(f"\\{char}" if char in "\\*_~`|>[]()#" else char for char in name)
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")


def join_lines(*parts: str) -> str:
    """Return the parts that are not empty, one a line."""
    return "\n".join(part for part in parts if part)


def with_code_block(text: str, block: str) -> str:
    """Return a text above a block whose lines keep their places. Cuts the text to what one message holds."""
    room, lines = MESSAGE_LENGTH - len(block) - len("\n```\n\n```"), text.splitlines()
    while len(lines) > 1 and len("\n".join(lines)) > room:
        lines.pop()
    return join_lines(shorten_text("\n".join(lines), room), "```", block, "```")


def shorten_text(text: str, most: int = 60) -> str:
    """Return a text that somebody typed, cut to a length that can be shown."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def escape_turn(text: str) -> str:
    """Return a turn so that Discord shows its stars."""
    return text.replace("*", "\\*")


def ping_user(user: int) -> str:
    """Return what pings a person."""
    return f"<@{user}>"


def game_label(brief: ListedGame, user: int) -> str:
    """Return what a game is called in a choice: its name, and the opponent of this person."""
    return f"{game_name(brief.id)} vs {opponent_of(brief, user)}"


def opponent_of(brief: ListedGame, user: int) -> str:
    """Return the name of a person's opponent."""
    return brief.names[1] if brief.users[0] == user else brief.names[0]


def link_to(words: str, address: str) -> str:
    """Return words that lead to a message; the bare address would fill three lines of a phone."""
    return f"[{words}]({address})"


def escape_sentence(said: object) -> str:
    """Return a sentence that quotes what somebody typed, so that Discord shows it as it is and pings nobody."""
    return re.sub(r"([\\*_~`|<>])", r"\\\1", str(said)).replace("@", "@\u200b")


def row_name(row: RowChoice) -> str:
    """Return a row by its ends: `e8–h5`."""
    return f"{row.stretch[0]}–{row.stretch[-1]}"


def piece_codes(gone: Sequence[tuple[str, Piece]]) -> str:
    """Return pieces with their spots: `Gd2 d3 d4`."""
    return " ".join(f"{piece.kind}{spot}" for spot, piece in gone)
