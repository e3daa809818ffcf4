"""Turns that an engine answers with, checked by the rules: read from their text, expected next, or explained."""

from collections.abc import Iterable, Sequence

from gipfbot.notation import OFFICIAL, NotationError, parse_turn
from gipfbot.notation.errors import excerpt
from gipfbot.notation.turns import TurnReading, read_remaining_turn, read_written
from gipfbot.rules import Action, Position, Remove, legal, play
from gipfbot.rules.turn_facts import TurnFact
from gipfbot.search import explain_turn

from .protocol import EngineFailed, ScoredTurn

LONGEST_EXPECTED = 8  # decisions
LONGEST_REASON = 200  # characters
NOTHING = "-"  # the text of a player's choice to take nothing
ExpectedLine = tuple[tuple[Action, ...], ...]


def expected_after(position: Position, turn: ScoredTurn) -> ExpectedLine:
    """Return the decisions that an engine expects of both players after a turn, up to the first illegal one.

    `position` is the position of the request. Does not check the turn itself.
    """
    found = list[tuple[Action, ...]]()
    for number, text in enumerate(turn.line[: LONGEST_EXPECTED + 1]):
        if position.result is not None:
            break
        try:
            actions = engine_actions(position, text)
        except EngineFailed:
            break
        if number:
            found.append(actions)
        for action in actions:
            position = play(position, action)
    return tuple(found)


def explained(
    before: Position, actions: Sequence[Action], line: Sequence[Sequence[Action]], earlier: Sequence[Position]
) -> tuple[TurnFact, ...]:
    """Return at most two facts that explain a turn, as `explain_turn` does. Cuts the line at its first illegal action.

    Does not check that the turn is legal.
    """
    here, known = before, list[Sequence[Action]]()
    for action in actions:
        here = play(here, action)
    for step in line:
        for action in step:
            if action not in legal(here):
                return explain_turn(before, actions, known, earlier)
            here = play(here, action)
        known.append(step)
    return explain_turn(before, actions, known, earlier)


def engine_actions(position: Position, text: str) -> tuple[Action, ...]:
    """Return all actions that the player to decide now takes in an engine's turn.

    In Overboard the text may be a part of a turn, or `-` (R8.4). It is in official notation. Raises EngineFailed if the
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
    return read_remaining_turn(TurnReading(OFFICIAL, text), position, (), read_written(position, text, OFFICIAL))


def _take_nothing(position: Position) -> tuple[Action, ...]:
    """Return the removals that take nothing. They do not always complete the turn."""
    here, actions = position, list[Action]()
    while not _is_over(position, here):
        nothing = [action for action in legal(here) if isinstance(action, Remove) and not action.taken]
        if len(nothing) != 1:
            break
        actions += nothing
        here = play(here, nothing[0])
    return tuple(actions)


def _is_over(begun: Position, here: Position) -> bool:
    """Return whether another player decides now, or the turn or the game is over."""
    return here.result is not None or (here.mover, here.decider) != (begun.mover, begun.decider)


def _after(position: Position, actions: Iterable[Action]) -> Position:
    for action in actions:
        position = play(position, action)
    return position
