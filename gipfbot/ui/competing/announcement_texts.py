"""The text of the announcement of a result."""

from gipfbot.match.ratings import pool_of
from gipfbot.rules import ByColour
from gipfbot.service.competing.results import RatingChange
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import board_texts
from gipfbot.ui.kit.texts import escape_text, join_lines, pair_number

from .leaderboard_texts import POOL_TITLES


def announcement_text(board: BoardMessage, changes: ByColour[RatingChange] | None) -> str:
    """Return the announcement of a game's result: at most two lines. It pings nobody.

    `changes` are both players' ratings before and after the game; None if it has changed none.
    """
    number = pair_number(board.turn_number)
    turns = f" in {number} turn{'' if number == 1 else 's'}" if number else ""
    return join_lines(f"{_result_text(board, turns)} · {game_name(board.game)}", _changes_text(board, changes))


def _result_text(board: BoardMessage, turns: str) -> str:
    """Return who beat whom, in how many turns, and how."""
    result = board.position.result
    assert result
    white, black = map(escape_text, board.names)
    if result.winner is None:
        return f"**{white}** and **{black}** drew{turns} · both agreed"
    winner, loser = (escape_text(board.names[colour]) for colour in (result.winner, result.winner.other))
    return f"**{winner}** beat **{loser}**{turns} · {board_texts.ending_reason(board, result.by, loser)}"


def _changes_text(board: BoardMessage, changes: ByColour[RatingChange] | None) -> str:
    """Return both players' new ratings with their changes: `Standard: Ann 1532 (+14) · Bob 1468 (-14)`."""
    if changes is None:
        return ""
    said = (
        f"{escape_text(name)} {after} ({after - before:+})"
        for name, (before, after) in zip(board.names, changes, strict=True)
    )
    return f"{POOL_TITLES[pool_of(board.position.rules)]}: {' · '.join(said)}"
