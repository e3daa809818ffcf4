"""Turns as text in a column: the codes of their actions, with spaces inside a turn and `;` between turns."""

from collections.abc import Sequence

from gipfbot.notation import action_code, parse_action_code
from gipfbot.rules import Action


def actions_text(actions: Sequence[Action]) -> str:
    """Return the actions of one turn as text."""
    return " ".join(map(action_code, actions))


def parse_actions(text: str) -> tuple[Action, ...]:
    """Return the actions in a text that `actions_text` has written. Raises ParseError for any other text."""
    return tuple(map(parse_action_code, text.split()))


def turns_text(turns: Sequence[Sequence[Action]]) -> str:
    """Return turns as text. Does not check that each turn has at least one action."""
    return ";".join(map(actions_text, turns))


def parse_turns(text: str) -> tuple[tuple[Action, ...], ...]:
    """Return the turns in a text that `turns_text` has written. Raises ParseError for any other text."""
    return tuple(map(parse_actions, text.split(";"))) if text else ()
