"""The search's entry points: a level's turn, the best turn, the best three, and whether a win is forced.

All functions are pure: the same request has the same answer, on every machine, unless `stop` ends the search. Turns are
actions of the rules; `notation.turn_text` writes them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gipfbot.rules import Action, Position, play

from .alpha_beta import DEEPEST, Choice, Search
from .proof import Prover
from .translate import actions_to, line_of, told_positions, tree_of
from .tree import WIN, WON

EARLY_TURNS = 4  # the first turns of a player in a game, which are drawn
EARLY_MARGIN = 30  # hundredths of a piece that such a turn may be worse than the best
MOST_PROVEN = 500  # turns, more than a board has that is not crowded
_ENDLESS_NODES = 1 << 60


def never() -> bool:
    """Never stop."""
    return False


@dataclass(frozen=True)
class Request:
    """A position to search, and how hard.

    `before` holds the positions at the start of the earlier turns (R6.3), without this one. With a `seed`, turns are
    drawn among those that are worse than the best by `margin` at most, in hundredths of a piece, and the first turns
    of a player among the good ones. `stop` is called often; the search ends when it returns True.
    """

    position: Position
    before: Sequence[Position] = ()
    nodes: int = 20_000
    seed: int | None = None
    margin: int = 0
    stop: Callable[[], bool] = never


class FoundTurn(NamedTuple):
    """A turn, its score in hundredths of a piece, and the expected line, which begins with this turn.

    In Overboard each step of the line is one decision of a player. If the player answers a question within the
    opponent's turn (R8.4), `actions` is the answer alone, and the first step goes on with the player's own turn.
    """

    actions: tuple[Action, ...]
    score: int
    line: tuple[tuple[Action, ...], ...]

    @property
    def wins_in(self) -> int | None:
        """The number of turns of both players until the player has won; None if no win is seen."""
        return WIN - self.score if self.score > WON else None

    @property
    def loses_in(self) -> int | None:
        """The number of turns of both players until the player has lost; None if no loss is seen."""
        return WIN + self.score if self.score < -WON else None


class Answer(NamedTuple):
    """The turns found, best first. `depth` counts the turns of the last whole iteration."""

    turns: tuple[FoundTurn, ...]
    depth: int
    nodes: int
    cut: bool  # `stop` ended the search, so that another run may answer otherwise


class Proof(NamedTuple):
    """The first turns that force a win, each final position once. If `cut`, nothing is known."""

    turns: tuple[tuple[Action, ...], ...]
    nodes: int
    cut: bool

    @property
    def forced(self) -> bool:
        """Whether a win is forced."""
        return bool(self.turns)


def best_turn(request: Request) -> Answer:
    """Return the turn to play, alone in the answer. Raises ValueError if the game is over."""
    margin = 0 if request.seed is None else request.margin
    if request.seed is not None and _own_turns(request) < EARLY_TURNS:
        margin = max(margin, EARLY_MARGIN)
    search, choices = _searched(request, 1, margin)
    if request.seed is not None and -WON < choices[0].score < WON:
        good = _within(choices, margin)
        first = drawn(request.seed, len(request.before), len(good))
        kept = {*good}  # a crowded board has over 100,000 turns
        choices = good[first:] + good[:first] + [choice for choice in choices if choice not in kept]
    return _answer(request, search, [choices[0] if search.depth > 1 else _not_lost_at_once(request, choices)])


def best_turns(request: Request, number: int = 3) -> Answer:
    """Return the best turns with exact scores, best first. Raises ValueError if the game is over."""
    search, choices = _searched(request, number, 0)
    return _answer(request, search, choices[:number])


def prove_win(
    position: Position,
    own_turns: int,
    before: Sequence[Position] = (),
    stop: Callable[[], bool] = never,
    nodes: int = _ENDLESS_NODES,
) -> Proof:
    """Return the first turns that win by force within so many turns of the player.

    The opponent's turn after them may complete the win, if the opponent loses in it. If `stop` or the number of nodes
    ends the search, the proof is cut. In Overboard no win is ever forced: GIPF-pieces are only given up
    by their owner (R8.7).
    """
    if position.rules.asks_opponent:
        return Proof((), 0, False)
    prover = Prover(nodes, stop, told_positions(position, before))
    found = [actions_to(position, key)[0] for key in prover.winning(tree_of(position), own_turns)]
    return Proof(tuple(found), int(prover.nodes), prover.cut)


def drawn(seed: int, number: int, count: int) -> int:
    """Return a number below `count` that depends on both other numbers, the same on every machine."""
    mask = (1 << 64) - 1
    mixed = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xBF58476D1CE4E5B9) & mask
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        mixed = (mixed ^ mixed >> 30) * factor & mask
    return (mixed ^ mixed >> 31) % count


def _own_turns(request: Request) -> int:
    return sum(earlier.mover is request.position.decider for earlier in request.before)


def _searched(request: Request, keep: int, margin: int) -> tuple[Search, list[Choice]]:
    if request.position.result is not None:
        raise ValueError("the game is over")
    told = told_positions(request.position, request.before)
    search = Search(request.nodes, request.stop, told, True)
    return search, search.best(tree_of(request.position), DEEPEST, keep, margin)


def _within(choices: list[Choice], margin: int) -> list[Choice]:
    """Return the turns whose score is within the margin of the best, which is one of them."""
    least = choices[0].score - margin
    return choices[:1] + [choice for choice in choices[1:] if choice.exact and choice.score >= least and margin]


def _not_lost_at_once(request: Request, choices: list[Choice]) -> Choice:
    """Return the first turn after which the opponent cannot win by their next turn; the first of all if there is none.

    A search of one turn does not see that. A proof takes as many nodes as the search at most. It looks at MOST_PROVEN
    turns at most, since a crowded board has over 100,000.
    """
    for choice in choices[:MOST_PROVEN]:
        after = actions_to(request.position, choice.line[0])[1]
        if after.result is not None or not prove_win(after, 1, (), request.stop, request.nodes).forced:
            return choice
    return choices[0]


def _answer(request: Request, search: Search, choices: list[Choice]) -> Answer:
    found = []
    for choice in choices:
        line = line_of(request.position, choice.line)
        found.append(FoundTurn(_within_turn(request.position, line[0]), int(choice.score), line))
    return Answer(tuple(found), int(search.depth), int(search.nodes), search.cut)


def _within_turn(position: Position, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the actions that belong to the turn that a position stands in."""
    mover = position.mover
    for number, action in enumerate(actions, 1):
        position = play(position, action)
        if position.mover is not mover:
            return actions[:number]
    return actions


class Level(NamedTuple):
    """How hard a level searches, and how far its turns may be worse than the best, in hundredths of a piece."""

    nodes: int
    slow_nodes: int  # with potentials and in Overboard
    margin: int = 0
    slips: int = 0  # in so many of 100 turns there is a margin, with potentials and in Overboard; else in all

    def nodes_in(self, position: Position) -> int:
        """Return how many nodes it searches in a position."""
        return self.slow_nodes if _is_slow(position) else self.nodes


# Placed by matches in Standard, see `docs/decisions.md`.
LEVELS = (
    Level(300, 60, margin=200, slips=100),
    Level(400, 75, margin=150, slips=75),
    Level(400, 100, margin=120, slips=50),
    Level(400, 125, margin=95, slips=25),
    Level(1_000, 150),
    Level(6_000, 800),
    Level(30_000, 4_000),
    Level(800_000, 16_000),
)


def level_request(
    position: Position, before: Sequence[Position], level: int, seed: int, stop: Callable[[], bool] = never
) -> Request:
    """Return the search request of a level, 1 to 8. Raises ValueError for another level."""
    if not 1 <= level <= len(LEVELS):
        raise ValueError(f"There are levels 1 to {len(LEVELS)}, not {level}.")
    asked = LEVELS[level - 1]
    chance = drawn(seed + 1, len(before), 100)  # not with the seed that draws the turn
    margin = 0 if _is_slow(position) and chance >= asked.slips else asked.margin
    return Request(position, before, asked.nodes_in(position), seed, margin, stop)


def _is_slow(position: Position) -> bool:
    return bool(position.rules.potentials) or position.rules.asks_opponent
