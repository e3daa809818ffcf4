"""How a turn is told, on its board and to who played it: in notation, or as it was pressed, with what came off."""

import re
from collections.abc import Sequence

from gipfbot.match import Game, Turn
from gipfbot.rules import Action, Position
from gipfbot.ui.board.public_board import removed_pieces_count
from gipfbot.ui.kit.turn_words import pressed_turn

# No notation stands in a newcomer's game, nor for a turn without other words than its push: `e1-e2` in Overboard.
CONFIRMED = re.compile(
    r"Played \*\*([^*]+)\*\* in game (#\w+)(?: · ([^·`\n]*))?\.(?:[\s\S]*?^-# Also written `([^`]+)`$)?", re.MULTILINE
)
TURN_LINE = re.compile(
    r"^\*\*\d+\. (?:White|Black):\*\* ([^·\n]+?)(?: · (?!before that: )([^·\n]+?))?(?: · before that: .+)?$",
    re.MULTILINE,
)
RECORDS_LINE = re.compile(r"^-# Also written `([^`]+)`$", re.MULTILINE)


def confirmed_turn(said: str) -> str:
    """Return the turn that this answer confirms first, as `told_as` returns it; empty if it confirms none."""
    found = CONFIRMED.search(said)
    return _told(found[1], found[3], found[4]) if found else ""


def shown_turn(said: str) -> str:
    """Return the turn that a board's text shows as its last, as `told_as` returns it; empty if it shows none."""
    found, written = TURN_LINE.search(said), RECORDS_LINE.search(said)
    return _told(found[1], found[2], written and written[1]) if found else ""


def told_as(before: Position, actions: Sequence[Action], text: str, *, newcomer: bool) -> str:
    """Return how a turn is told: its notation `text`, where that is told; else the push, and how much came off."""
    pressed = pressed_turn(actions)
    is_written = not newcomer and text != pressed.replace(" → ", "-")
    return _told(pressed, removed_pieces_count(before, actions), text if is_written else None)


def turn_told(game: Game, turn: Turn) -> str:
    """Return how a turn of a game is told, as `told_as` does."""
    return told_as(turn.before, turn.actions, turn.text, newcomer=game.terms.newcomer)


def _told(pressed: str, off: str | None, written: str | None) -> str:
    return written or " · ".join(filter(None, (pressed.replace(" → ", "-"), off)))
