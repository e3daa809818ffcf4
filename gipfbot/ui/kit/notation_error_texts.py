"""Texts on a typed turn: why it cannot be played and what to type instead, or what was left out of it."""

import re
from collections.abc import Sequence

from gipfbot.match import Game, Turn
from gipfbot.notation import IllegalTurn, NotationError, OpenTurn, typed_warnings

from . import text_parts

TURNS_OFFERED = 2  # in place of a turn that cannot be played


def turn_error_text(error: NotationError, done: str = "played") -> str:
    """Return why a typed turn cannot be played, where the fault is, and what to type instead.

    `done` completes the sentence `Nothing was …`: `played`, `saved` or `tried`.
    """
    if isinstance(error, OpenTurn):
        return _open_turn_choices(error, done)
    told = error_sentence(error)
    named = bool(error.near) and f"`{error.near[0]}`" in told
    more = "" if named else _suggestion_text(error.near)
    return text_parts.join_lines(told + _caret_block(error), more, f"Nothing was {done}.")


def typed_warnings_text(game: Game, turn: Turn | None, text: str) -> str:
    """Return what is wrong or left out in a typed text that was played. Empty if nothing is.

    `turn` is the turn that the text completed, and `game` is the game after it. None if it did not complete a turn.
    """
    number = turn.turn_number if turn else game.turn_number + 1
    return warning_lines(typed_warnings(text, number, turn.after.reserve[turn.colour] if turn else None))


def warning_lines(warnings: Sequence[str]) -> str:
    """Return each warning of the notation on a line of its own, escaped and without rule numbers."""
    said = (text_parts.escape_text(text_parts.drop_rule_numbers(warning)) for warning in warnings)
    return text_parts.join_lines(*(f"⚠ {warning}" for warning in said))


def error_sentence(error: NotationError) -> str:
    """Return an error's sentence, escaped and without rule numbers.

    The turns that it suggests are set as code, ready to copy.
    """
    told = text_parts.escape_sentence(text_parts.drop_rule_numbers(error))
    for text in error.near:
        advice = rf"(?<= )(write|with|or) {re.escape(text_parts.escape_sentence(text))}(?=[ .])"
        told = re.sub(advice, rf"\1 `{text}`", told)
    return told


def _open_turn_choices(error: OpenTurn, done: str) -> str:
    titles = [f" ({title} notation)" for title in error.readings] or [""] * len(error.choices)
    lines = [f"`{text}`{title}" for text, title in zip(error.choices, titles, strict=True)]
    what = "one of these" if len(lines) > 1 else "this"
    return text_parts.join_lines(f"{text_parts.escape_sentence(error.why)}; nothing was {done}. Type {what}:", *lines)


def _caret_block(error: NotationError) -> str:
    """Return a code block with the typed turn and a caret under the fault; empty if the whole turn is at fault."""
    if error.at is None or (not error.at and isinstance(error, IllegalTurn)):
        return ""
    return "\n```\n" + error.caret.replace("`", "'") + "\n```"


def _suggestion_text(turns: Sequence[str]) -> str:
    return f"Did you mean {' or '.join(f'`{text}`' for text in turns[:TURNS_OFFERED])}?" if turns else ""
