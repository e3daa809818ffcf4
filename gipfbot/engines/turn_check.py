"""Check by the rules what an engine answers: no engine is believed, not even the bot's own."""

from collections.abc import Iterable

from gipfbot.notation import OFFICIAL, NotationError, parse_turn
from gipfbot.notation.errors import excerpt
from gipfbot.notation.interpret import TurnReading
from gipfbot.notation.typed_turns import read_remaining_turn, read_written
from gipfbot.rules import Action, Position, Remove, legal, play

from .protocol import EngineFailed

LONGEST_REASON = 200  # characters
NOTHING = "-"  # what a player says who takes nothing where they may


def engine_actions(position: Position, text: str) -> tuple[Action, ...]:
    """Return the actions of an engine's turn: all that the player decides now, who is asked in this position.

    In Overboard that may be a part of a turn, or `-` (R8.4). The text is official notation. Raises EngineFailed if the
    turn is illegal or not finished.
    """
    try:
        actions = _read(position, text)
    except NotationError as fault:
        raise EngineFailed(
            f"The engine's turn “{excerpt(text)}” is illegal: {excerpt(str(fault), length=LONGEST_REASON)}"
        ) from None
    if not actions or not _is_over(position, _after(position, actions)):
        raise EngineFailed(f"The engine's turn “{excerpt(text)}” is not finished.")
    return actions


def _read(position: Position, text: str) -> tuple[Action, ...]:
    if not position.rules.asks_opponent:
        return parse_turn(position, text)
    if text == NOTHING and position.pushed and position.decider is position.mover:
        return _take_nothing(position)
    return read_remaining_turn(TurnReading(OFFICIAL, text), position, (), read_written(position.rules, text, OFFICIAL))


def _take_nothing(position: Position) -> tuple[Action, ...]:
    """Return the removals that take nothing; they may leave the rest of the turn open."""
    here, actions = position, list[Action]()
    while not _is_over(position, here):
        nothing = [action for action in legal(here) if isinstance(action, Remove) and not action.taken]
        if len(nothing) != 1:
            break
        actions += nothing
        here = play(here, nothing[0])
    return tuple(actions)


def _is_over(begun: Position, here: Position) -> bool:
    """Return whether somebody else decides, the turn is over, or the game."""
    return here.result is not None or (here.mover, here.decider) != (begun.mover, begun.decider)


def _after(position: Position, actions: Iterable[Action]) -> Position:
    for action in actions:
        position = play(position, action)
    return position
