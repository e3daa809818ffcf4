"""Conditional lines from the turns that a player has tried in a study of their game. Pure.

A study holds whole turns. In Overboard both players may decide inside one (R8.4), so turns are cut where the decision
passes from one player to the other.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gipfbot.notation import decision_text, turn_text
from gipfbot.rules import Action, Colour, Position, play
from gipfbot.rules.pending import question

from .conditionals import check_conditional, check_waiting, known_draft, lines_begin_at
from .errors import Refused, Why
from .game import Game, position_after
from .study import Actions


class _Decision(NamedTuple):
    """What one player decides in a row, before the other is asked: a turn, a part of one, or an answer."""

    start: Position
    by: Colour
    actions: Actions


def tried_line(game: Game, by: int, tried: Sequence[Actions]) -> tuple[Actions, ...]:
    """Return the conditional line that turns tried in a study make. The last of them may be unfinished.

    The turns begin at the start of the game's current turn. What this player knows of the game's draft must be tried
    first, and is left out of the line.

    Raises Refused if the player may not enter such a line. Does not check that the turns are legal.
    """
    check_waiting(game, by)
    begun, turns = lines_begin_at(game, by), _after_known(game, by, tried)
    decisions = [*_decisions(begun, turns)]
    for one, other in pairwise(decisions):
        if one.by is other.by:
            answer = decision_text(one.start, one.actions)
            raise Refused(Why.CONDITIONAL_SAME_PLAYER, answer=answer, name=game.seats[one.by].name)
    line = tuple(decision.actions for decision in decisions)
    check_conditional(game, by, line)
    return line


def _after_known(game: Game, by: int, tried: Sequence[Actions]) -> tuple[Actions, ...]:
    """Return the tried turns without what the player knows of the draft.

    Raises Refused if they do not begin with it.
    """
    known, begun = known_draft(game, by), lines_begin_at(game, by)
    if not known:
        return tuple(tried)
    first = tried[0] if tried else ()
    for length in range(len(first) + 1):
        if position_after(game.position, first[:length]) == begun:
            return (first[length:], *tried[1:])
    raise Refused(Why.CONDITIONAL_BEGUN, played=turn_text(game.position, known))


def _decisions(position: Position, turns: Sequence[Actions]) -> Iterator[_Decision]:
    for actions in turns:
        yield from _decisions_in_turn(position, actions)
        position = position_after(position, actions)


def _decisions_in_turn(position: Position, actions: Actions) -> Iterator[_Decision]:
    """Yield the decisions in a turn. A forced removal between two decisions of one player belongs to them.

    Other forced removals after a decision are left out: they are done for the players.
    """
    begun, by, taken, forced = position, position.decider, list[Action](), list[Action]()
    for action in actions:
        asked = question(position)
        if position.decider is not by and asked and asked.forced == action:
            forced.append(action)
        elif position.decider is by:
            taken += [*forced, action]
            forced.clear()
        else:
            yield _Decision(begun, by, tuple(taken))
            begun, by, taken = position, position.decider, [action]
            forced.clear()
        position = play(position, action)
    if taken:
        yield _Decision(begun, by, tuple(taken))
