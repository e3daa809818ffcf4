"""Translate positions of the rules into nodes of the search, and nodes back into actions."""

from collections.abc import Iterable, Sequence

from gipfbot.rules import Action, Position, turns
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .evaluation import BASIC_WEIGHTS, GIPF_WEIGHTS, OVERBOARD_WEIGHTS, Weights
from .node import Node
from .plain_node import PlainNode, Version
from .rules_node import RulesNode

Actions = tuple[Action, ...]

WEIGHTS_OF_COURSES = {OVERBOARD_COURSE: OVERBOARD_WEIGHTS}  # of courses other than the official one


def is_plain(position: Position) -> bool:
    """Return whether a position is one of the official versions, without potentials, at the start of a turn."""
    rules = position.rules
    return not position.notes_rows and not rules.potentials and not position.pushed and not position.dealt


def node_of(position: Position) -> Node:
    """Return the node of a position: on plain integers if it is plain."""
    if is_plain(position):
        return plain_node(position)
    return RulesNode(position, position.decider, weights_of(position), ())


def weights_of(position: Position) -> Weights:
    """Return the weights for the version of the game."""
    rules = position.rules
    return WEIGHTS_OF_COURSES.get(rules.course) or (GIPF_WEIGHTS if rules.gipf_decides else BASIC_WEIGHTS)


def plain_node(position: Position) -> PlainNode:
    """Return the node of a plain position. Does not check that it is one."""
    rules, me, you = position.rules, position.mover, position.mover.other
    node = PlainNode(
        Version(rules.pieces, rules.gipf_decides, weights_of(position)),
        position.owned[me],
        position.owned[you],
        position.gipf,
        position.reserve[me],
        position.reserve[you],
        position.opening[me],
        position.opening[you],
    )
    if position.result is not None and position.result.winner is not None:
        node.ended = 1 if position.result.winner is me else -1
    return node


def actions_to(position: Position, child: Node) -> tuple[Actions, Position]:
    """Return the actions that lead from a position to a child of its node, and the position after them.

    Raises ValueError if no turn leads there: then the search and the rules do not agree.
    """
    if isinstance(child, RulesNode):
        return child.path, child.position
    assert isinstance(child, PlainNode)
    for turn, end in turns(position):
        if plain_node(end).is_same(child):
            return turn.actions, end
    raise ValueError("no turn leads to this node")


def line_of(position: Position, nodes: Iterable[Node]) -> tuple[Actions, ...]:
    """Return the actions of each step of a line of nodes that begins after a position."""
    found = []
    for node in nodes:
        actions, position = actions_to(position, node)
        found.append(actions)
    return tuple(found)


def told_positions(position: Position, before: Sequence[Position]) -> dict[int, int]:
    """Return how often each position stood at the start of an earlier turn, in the form that `Search` takes."""
    told: dict[int, int] = {}
    for earlier in before:
        key = 2 * int(node_of(earlier).key()) + (earlier.mover is not position.decider)
        told[key] = told.get(key, 0) + 1
    return told
