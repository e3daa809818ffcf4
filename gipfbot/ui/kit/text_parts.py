"""Pieces of text that every room puts together: names, links, lists, code."""

import re
from collections.abc import Sequence

from gipfbot.rules import Piece
from gipfbot.rules.pending import RowChoice
from gipfbot.service.kit.game_names import game_name
from gipfbot.values import ListedGame

LIST_LENGTH = 1300  # of the 2,000 characters of a message; the rest is for what follows a list


WHOLE_LENGTH = 1950


MESSAGE_LENGTH = 2000  # characters, which Discord's limit is


def escape_text(name: str) -> str:
    """Return a name so that Discord shows it as it is, links nowhere and pings nobody."""
    escaped = "".join(f"\\{char}" if char in "\\*_~`|>[]()#" else char for char in name)
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")


def join_lines(*parts: str) -> str:
    """Return the sentences that there are, one a line."""
    return "\n".join(part for part in parts if part)


def with_code_block(text: str, block: str) -> str:
    """Return a text with lines below that keep their places; of the text as many lines as one message then holds."""
    room, lines = MESSAGE_LENGTH - len(block) - len("\n```\n\n```"), text.splitlines()
    while len(lines) > 1 and len("\n".join(lines)) > room:
        lines.pop()
    return join_lines(shorten_text("\n".join(lines), room), "```", block, "```")


def shorten_text(text: str, most: int = 60) -> str:
    """Return a text that somebody typed, cut to a length that can be shown."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def escape_turn(text: str) -> str:
    return text.replace("*", "\\*")


def ping_user(user: int) -> str:
    return f"<@{user}>"


def game_label(brief: ListedGame, user: int) -> str:
    return f"{game_name(brief.id)} vs {opponent_of(brief, user)}"


def opponent_of(brief: ListedGame, user: int) -> str:
    return brief.names[1] if brief.users[0] == user else brief.names[0]


def link_to(words: str, address: str) -> str:
    """Return words that lead to a message; the bare address would fill three lines of a phone."""
    return f"[{words}]({address})"


def escape_sentence(said: object) -> str:
    """Return a sentence that quotes what somebody typed so that Discord shows it as it is and pings nobody."""
    return re.sub(r"([\\*_~`|<>])", r"\\\1", str(said)).replace("@", "@\u200b")


def row_name(row: RowChoice) -> str:
    return f"{row.stretch[0]}–{row.stretch[-1]}"


def piece_codes(gone: Sequence[tuple[str, Piece]]) -> str:
    return " ".join(f"{piece.kind}{spot}" for spot, piece in gone)
