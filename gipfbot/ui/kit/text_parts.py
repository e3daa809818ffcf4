"""Pieces of text that all rooms use: names, links, lists, code blocks."""

import re
from collections.abc import Sequence

from gipfbot.match.game import drop_controls
from gipfbot.rules import Colour, Piece
from gipfbot.rules.pending import RowChoice
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.values import ListedGame

MESSAGE_LENGTH = 2000  # characters: Discord's limit
_INVITE = re.compile(r"(discord(?:app)?\.(?:gg|com(?=/invite)))/", re.IGNORECASE)  # linked even without https://
WHOLE_LENGTH = 1950  # characters of a message that is only a list
LIST_LENGTH = 1300  # characters of a list with more text below


def escape_text(name: str) -> str:
    """Return a name escaped for Discord: it is shown unchanged, links nowhere and pings nobody.

    Signs that turn the direction of text are left out.
    """
    escaped = "".join(f"\\{char}" if char in "\\*_~`|<>[]()#" else char for char in drop_controls(name))
    return _INVITE.sub("\\1\u200b/", escaped.replace("@", "@\u200b").replace("://", ":\u200b//"))


def join_lines(*parts: str) -> str:
    """Return the parts that are not empty, each on a line of its own."""
    return "\n".join(part for part in parts if part)


def setting_change_text(label: str, before: str, after: str) -> str:
    """Return the line that says how a setting was changed, such as `Theme: Wood → Night.`, or that it is as before."""
    return f"{label}: {before} → {after}." if before != after else f"{label}: {after}, as before."


def with_code_block(text: str, block: str) -> str:
    """Return `text` above a code block. The end of `text` is cut if both do not fit into one message."""
    room, lines = MESSAGE_LENGTH - len(block) - len("\n```\n\n```"), text.splitlines()
    while len(lines) > 1 and len("\n".join(lines)) > room:
        lines.pop()
    return join_lines(shorten_text("\n".join(lines), room), "```", block, "```")


def shorten_text(text: str, most: int = 60) -> str:
    """Return a text cut to at most `most` characters. A text that was cut ends in `…`."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def quote_text(text: str, most: int = 60) -> str:
    """Return what somebody has written as code on one line, cut to at most `most` characters.

    Signs that would end the code, control something, or turn the direction of text are left out.
    """
    plain = " ".join(drop_controls(text.replace("`", " ")).split())
    return f"`{shorten_text(plain, most) or '?'}`"


def asked_for(*, answering: bool) -> str:
    """Return what a game waits for: a turn, or a decision in the opponent's turn (R8.4)."""
    return "decision" if answering else "turn"


def escape_turn(text: str) -> str:
    """Return a turn with its stars escaped, so that Discord shows them."""
    return text.replace("*", "\\*")


def pair_number(turn_number: int) -> int:
    """Return the number that records give a turn. They number White's turn and Black's answer together.

    `turn_number` counts the turns of both players from 1. 0 stays 0.
    """
    return (turn_number + 1) // 2


def turn_place(turn_number: int) -> str:
    """Return a turn's number and colour as records count them: `7. White`.

    `turn_number` counts the turns of both players from 1.
    """
    return f"{pair_number(turn_number)}. {Colour.WHITE if turn_number % 2 else Colour.BLACK}"


def short_turn(text: str) -> str:
    """Return a turn whose removals are cut to `x…`. A turn that only removes stays whole.

    `text` is a turn in the official notation: `g1-c3;xc2,d3` becomes `g1-c3;x…`.
    """
    parts = text.split(";")
    short = ["x…" if part.startswith("x") else part for part in parts]
    return text if {*short} == {"x…"} else ";".join(short)


def spoken_turn(text: str) -> str:
    """Return a turn with its removals in words. A turn that only removes stays whole.

    `text` is a turn in the official notation: `g1-c3;xc2,d3` becomes `g1-c3 and removed a row`.
    """
    parts = text.split(";")
    acts = [part for part in parts if not part.startswith("x")]
    rows = len(parts) - len(acts)
    if not acts or not rows:
        return text
    return f"{';'.join(acts)} and removed {'a row' if rows == 1 else f'{rows} rows'}"


def ping_user(user: int) -> str:
    """Return the mention that pings a person."""
    return f"<@{user}>"


def game_label(brief: ListedGame, user: int) -> str:
    """Return a game's label in a choice: its name, and the opponent of `user`, or both players if they only watch."""
    if user not in brief.users:
        return f"{game_name(brief.id)} {brief.names[0]} vs {brief.names[1]}"
    return f"{game_name(brief.id)} vs {opponent_of(brief, user)}"


def opponent_of(brief: ListedGame, user: int) -> str:
    """Return the name of the opponent of `user` in a game."""
    return brief.names[1] if brief.users[0] == user else brief.names[0]


def link_to(words: str, address: str) -> str:
    """Return `words` as a link to `address`. A bare address would fill three lines on a phone."""
    return f"[{words}]({address})"


def escape_sentence(said: object) -> str:
    """Return a sentence that quotes typed text, escaped so that Discord shows it unchanged and pings nobody."""
    escaped = re.sub(r"([\\*_~`|<>])", r"\\\1", drop_controls(str(said))).replace("@", "@\u200b")
    return _INVITE.sub("\\1\u200b/", escaped)


def drop_rule_numbers(said: object) -> str:
    """Return a sentence without the numbers of rules, such as `(R6.3)`, which players need not know."""
    return re.sub(r" \((?:R\d+(?:\.\d+)?|FAQ \d+)\)", "", str(said))


def row_name(row: RowChoice) -> str:
    """Return the name of a row, which is its two ends: `e8–h5`."""
    return f"{row.stretch[0]}–{row.stretch[-1]}"


def piece_codes(gone: Sequence[tuple[str, Piece]]) -> str:
    """Return pieces with their spots: `Gd2 d3 d4`."""
    return " ".join(f"{piece.kind}{spot}" for spot, piece in gone)
