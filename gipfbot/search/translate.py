"""Translate positions of the rules into trees of the search, and the keys of their positions back into actions."""

from collections.abc import Iterable, Sequence

from gipfbot.rules import Action, Position, turns
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .evaluation import BASIC_WEIGHTS, GIPF_WEIGHTS, OVERBOARD_WEIGHTS, Weights
from .plain_tree import PlainTree, board_key, packed_counts
from .rules_node import RulesNode, RulesTree
from .tree import Tree

Actions = tuple[Action, ...]

WEIGHTS_OF_COURSES = {OVERBOARD_COURSE: OVERBOARD_WEIGHTS}  # of courses other than the official one


def is_plain(position: Position) -> bool:
    """Return whether a position is one of the official versions, without potentials, at the start of a turn."""
    rules = position.rules
    return not position.notes_rows and not rules.potentials and not position.pushed and not position.dealt


def tree_of(position: Position) -> Tree:
    """Return the tree below a position: on plain integers if it is plain."""
    return plain_tree(position) if is_plain(position) else RulesTree(_rules_node(position))


def weights_of(position: Position) -> Weights:
    """Return the weights for the version of the game."""
    rules = position.rules
    return WEIGHTS_OF_COURSES.get(rules.course) or (GIPF_WEIGHTS if rules.gipf_decides else BASIC_WEIGHTS)


def key_of(position: Position) -> int:
    """Return the key of a position in any tree."""
    return int(board_key(*_board(position)) if is_plain(position) else _rules_node(position).key())


def plain_tree(position: Position) -> PlainTree:
    """Return the tree below a plain position. Does not check that it is one."""
    rules = position.rules
    return PlainTree(rules.pieces, rules.gipf_decides, weights_of(position), _board(position))


def _board(position: Position) -> tuple[int, int, int, int, int]:
    """Return the row of a plain position up to its result."""
    me, you, opening, reserve = position.mover, position.mover.other, position.opening, position.reserve
    counts = packed_counts(reserve[me], reserve[you], opening[me], opening[you])
    ended = 0
    if position.result is not None and position.result.winner is not None:
        ended = 1 if position.result.winner is me else -1
    return position.owned[me], position.owned[you], position.gipf, counts, ended


def _rules_node(position: Position) -> RulesNode:
    return RulesNode(position, position.decider, weights_of(position), ())


def actions_to(position: Position, key: int) -> tuple[Actions, Position]:
    """Return the actions that lead from a position to the child of its tree with a key, and the position after them.

    Raises ValueError if no turn leads there: then the search and the rules do not agree.
    """
    if is_plain(position):
        for turn, end in turns(position):
            if board_key(*_board(end)) == key:
                return turn.actions, end
    else:
        for node in _rules_node(position).children(True):
            if node.key() == key:
                return node.path, node.position
    raise ValueError("no turn leads to this position")


def line_of(position: Position, keys: Iterable[int]) -> tuple[Actions, ...]:
    """Return the actions of each step of a line that begins after a position."""
    found = []
    for key in keys:
        actions, position = actions_to(position, key)
        found.append(actions)
    return tuple(found)


def told_positions(position: Position, before: Sequence[Position]) -> dict[int, int]:
    """Return how often each position stood at the start of an earlier turn, in the form that `Search` takes."""
    told: dict[int, int] = {}
    for earlier in before:
        key = 2 * key_of(earlier) + (earlier.mover is not position.decider)
        told[key] = told.get(key, 0) + 1
    return told
