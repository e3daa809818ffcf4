"""Choose the facts that explain a turn: those whose terms of the evaluation change most along the expected line."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gipfbot.rules import Action, Colour, Position, play
from gipfbot.rules.turn_facts import FactKind, TurnFact, facts_of_turn

from .evaluation import NAMES, terms
from .requests import Level, prove_win
from .translate import weights_of

MOST_FACTS: Final = 2
PROOF: Final = Level(20_000, 1_000)  # a proof of a forced win that needs more nodes is given up
MOST_LATER: Final = 1  # own turns beyond the next one that a forced win may take
# The facts that decide the game come first, in this order.
DECISIVE: Final = (FactKind.WINS, FactKind.FORCES_WIN, FactKind.STOPS_WIN, FactKind.THREATENS_WIN)
_STOCK: Final = ("pieces", "reserve", "low", "gipf", "last", "second")
_ORDER: Final = tuple(FactKind)  # of facts that are worth the same


class Aspect(NamedTuple):
    """The terms that support a kind of fact, and its topic: facts of one topic say much the same.

    `now` are terms that the turn itself changes, `later` those that the rest of the expected line changes. "attack" is
    the danger that the opponent is in.
    """

    now: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    topic: str = ""


ASPECTS: Final = {
    FactKind.WINS: Aspect(topic="win"),
    FactKind.FORCES_WIN: Aspect(topic="win"),
    FactKind.STOPS_WIN: Aspect(topic="loss"),
    FactKind.THREATENS_WIN: Aspect(topic="win"),
    FactKind.REMOVES: Aspect(_STOCK, topic="removal"),
    FactKind.SAVES_GIPF: Aspect(("danger", "threes"), topic="danger"),
    FactKind.THREATENS_ROW: Aspect(("attack", "threes", "prey"), _STOCK, "attack"),
    FactKind.STOPS_ROW: Aspect(("danger", "threes"), topic="danger"),
    FactKind.SHRINKS_PREY: Aspect(("danger",), topic="danger"),
    FactKind.ENTERS_GIPF: Aspect(("gipf", "last", "second"), topic="entry"),
    FactKind.TAKES_CENTRE: Aspect(("centre",), topic="middle"),
    FactKind.HOLDS_MIDDLE: Aspect(("centre", "inner"), topic="middle"),
    FactKind.LEADS_GIPF_IN: Aspect(("gipf_in",), topic="way"),
    FactKind.DRIVES_GIPF_OUT: Aspect(("gipf_in",), topic="way"),
    FactKind.PUSHES_OFF: Aspect(("centre", "inner", "middle", "threes", "twos", "prey"), topic="edge"),
}


def explain_turn(
    before: Position,
    actions: Sequence[Action],
    line: Sequence[Sequence[Action]] = (),
    earlier: Sequence[Position] = (),
) -> tuple[TurnFact, ...]:
    """Return at most two facts that explain a turn, the weightiest first; none if there is nothing to point at.

    `line` holds the expected decisions of both players after it. `earlier` are the positions at the start of the
    earlier turns. Does not check that the turn and the line are legal.
    """
    after = _played(before, actions)
    ends = [after]
    for step in line:
        ends.append(_played(ends[-1], step))
    facts = [*facts_of_turn(before, actions), *_forced_win(before, ends, earlier)]
    return _chosen(facts, _worth(before, ends))


def _played(position: Position, actions: Sequence[Action]) -> Position:
    for action in actions:
        position = play(position, action)
    return position


def _forced_win(before: Position, ends: Sequence[Position], earlier: Sequence[Position]) -> tuple[TurnFact, ...]:
    """Return the fact that the turn forces a win. Empty if it forces none, or if the line that follows wins too late.

    `ends` are the positions after the turn and after each turn of that line.
    """
    player, soon = before.mover, ends[1 : 2 * MOST_LATER + 3]
    wins = [number for number, end in enumerate(soon) if end.result is not None and end.result.winner is player]
    if not wins:
        return ()
    later = wins[0] // 2
    twice = (*earlier, *earlier)  # so that a position from before counts as the third time, which wins nothing (R6.3)
    proof = prove_win(before, later + 2, twice, nodes=PROOF.nodes_in(before))
    is_forced = any(_played(before, turn) == ends[0] for turn in proof.turns)
    return (TurnFact(FactKind.FORCES_WIN, player, later=later),) if is_forced else ()


def _worth(before: Position, ends: Sequence[Position]) -> dict[FactKind, int]:
    """Return by how much the terms of each kind of fact change in the player's favour, in hundredths of a piece."""
    player = before.mover
    at_start, at_turn = _weighed(before, player), _weighed(ends[0], player)
    own = [end for end in ends if end.result is not None or end.mover is not player]
    at_end = _weighed(own[-1] if own else ends[0], player)
    return {
        kind: sum(at_turn[name] - at_start[name] for name in aspect.now)
        + max(0, sum(at_end[name] - at_turn[name] for name in aspect.later))
        for kind, aspect in ASPECTS.items()
    }


def _weighed(position: Position, player: Colour) -> dict[str, int]:
    """Return the terms of a position for a player, each times its weight."""
    mine, yours = _terms(position, player), _terms(position, player.other)
    weights = dict(zip(NAMES, weights_of(position).values, strict=True))
    weighed = {name: mine[name] * weights[name] for name in NAMES}
    return {**weighed, "attack": -yours["danger"] * weights["danger"]}


def _terms(position: Position, me: Colour) -> dict[str, int]:
    owned, reserve, you = position.owned, position.reserve, me.other
    rights = position.opening[me] + 2 * position.opening[you]
    found = terms(owned[me], owned[you], position.gipf, reserve[me], reserve[you], rights)
    return {name: int(term) for name, term in zip(NAMES, found, strict=True)}


def _chosen(facts: Sequence[TurnFact], worth: dict[FactKind, int]) -> tuple[TurnFact, ...]:
    """Return the weightiest facts, at most one of each topic. If the turn wins, only the facts about the win count."""
    chosen = list[TurnFact]()
    for fact in sorted(facts, key=lambda fact: _rank(fact.kind, worth)):
        if all(ASPECTS[fact.kind].topic != ASPECTS[other.kind].topic for other in chosen):
            chosen.append(fact)
    if chosen and chosen[0].kind is FactKind.WINS:
        chosen = [fact for fact in chosen if fact.kind in (FactKind.WINS, FactKind.REMOVES)]
    return tuple(chosen[:MOST_FACTS])


def _rank(kind: FactKind, worth: dict[FactKind, int]) -> tuple[int, int, int]:
    if kind in DECISIVE:
        return 0, DECISIVE.index(kind), 0
    return 1, -worth[kind], _ORDER.index(kind)
