"""What an engine expects after its turn: kept with the turn, and read again to explain it."""

from collections.abc import Sequence

from gipfbot.rules import Action, Position, legal, play
from gipfbot.rules.turn_facts import TurnFact
from gipfbot.search import explain_turn

from .protocol import EngineFailed, ScoredTurn
from .turn_check import engine_actions

LONGEST_EXPECTED = 8  # decisions that are kept
Line = tuple[tuple[Action, ...], ...]


def expected_after(position: Position, turn: ScoredTurn) -> Line:
    """Return what an engine expects both players to decide after a turn. An engine is believed as far as it is legal.

    `position` is the one that it was asked about. Does not check the turn itself.
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
    """Return at most two facts that explain a turn, as `explain_turn` does. The line counts as far as it is legal.

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
