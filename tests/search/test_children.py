"""The children of a node are the positions that the rules' full turns lead to."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import (
    BASIC,
    OVERBOARD,
    STANDARD,
    TOURNAMENT,
    Position,
    Ruleset,
    legal,
    play,
    removal_ways,
    ruleset_named,
)
from gipfbot.search.layout import four_in_line
from gipfbot.search.rules_node import RulesNode, RulesTree
from gipfbot.search.translate import actions_to, key_of, plain_tree, tree_of, weights_of
from gipfbot.search.tree import ENDED, ROW, TOOK, Tree
from tests.search.helpers import Board, acts, board_of, boards, few_turns, turn_starts
from tests.support.effort import amount

PLAIN = (BASIC, STANDARD, TOURNAMENT)
ON_INTEGERS = amount(test=100, long=6000)
ON_RULES = amount(test=20, long=2000)
MOST_WAYS = amount(test=20, long=10**9)  # to remove rows before the push; each way has some 60 children


def children(position: Position, *, wide: bool = True) -> list[Board]:
    """Return the boards after every full turn of a plain position."""
    tree = plain_tree(position)
    return boards(tree, 1, tree.children(0, 0, wide))


def rules_nodes(position: Position) -> list[RulesNode]:
    """Return the children of a position that the rules themselves play on."""
    tree = tree_of(position)
    assert isinstance(tree, RulesTree)
    tree.children(0, 0, True)
    return tree.nodes[1]


def plain_starts(rules: Ruleset, seed: int, number: int) -> Iterator[Position]:
    """Yield so many positions with few ways to remove rows before the push. Fail if none has several."""
    begun = ((position, ways_to_settle(position)) for position in turn_starts(rules, Random(seed)))
    found = [*islice(((position, ways) for position, ways in begun if ways <= MOST_WAYS), number)]
    assert max(ways for _, ways in found) > 1
    return (position for position, _ in found)


def ways_to_settle(position: Position) -> int:
    """Return in how many ways the player can remove what stands before the push; 0 if nothing does."""
    return len(removal_ways(position)) if four_in_line(position.owned[position.mover]) else 0


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_plain_children_are_the_full_turns(rules: Ruleset) -> None:
    compared = 0
    for position in turn_starts(rules, Random(1)):
        if (ends := few_turns(position)) is not None:
            found = children(position)
            assert len(found) == len({*found})
            assert {*found} == {board_of(end) for end in ends}
            compared += 1
            if compared == ON_INTEGERS:
                break


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("name", ["standard+Z3P3", "tournament+Z6P6", "basic+Z6"])
def test_children_with_potentials_are_the_full_turns(name: str) -> None:
    for position in islice(turn_starts(ruleset_named(name), Random(1)), ON_RULES):
        if (ends := few_turns(position)) is not None and len({*ends}) < 2000:
            found = [child.position for child in rules_nodes(position)]
            assert len(found) == len({*found})
            assert {*found} == {*ends}


@pytest.mark.usefixtures("untraced")
def test_children_in_overboard_end_the_turn_or_ask_the_opponent() -> None:
    """Each position after a full turn is a child, or lies behind one that asks the opponent."""
    for position in islice(turn_starts(OVERBOARD, Random(1)), ON_RULES):
        ends, reached = few_turns(position), set()
        for child in (node.position for node in rules_nodes(position)):
            assert child.decider is not position.decider or child.result
            reached |= {child} if child.mover is not position.mover else _ends_within_turn(child)
        assert ends is None or reached == {*ends}


def _ends_within_turn(position: Position) -> set[Position]:
    found = set()
    for action in legal(position):
        after = play(position, action)
        found |= {after} if after.mover is not position.mover else _ends_within_turn(after)
    return found


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_removals_are_the_children_that_make_rows(rules: Ruleset) -> None:
    """Quiescence sees each turn that removes a row its push made, and no other."""
    for position in plain_starts(rules, 2, ON_INTEGERS):
        tree = plain_tree(position)
        if not ways_to_settle(position):
            expected = taking(tree, tree.children(0, 0, False))
            assert taking(tree, tree.removals(0, 0)) == expected


@pytest.mark.parametrize("name", ["standard", "standard+Z3P3", "tournament+Z6P6", "overboard"])
def test_removals_on_the_rules_are_the_children_that_remove(name: str) -> None:
    removing = 0
    for position in islice(turn_starts(ruleset_named(name), Random(5)), ON_RULES):
        if not ways_to_settle(position):
            node = RulesNode(position, position.decider, weights_of(position), ())
            expected = {child.position for child in node.children(False) if child.took}
            assert {child.position for child in node.removals()} == expected
            removing += bool(expected)
    assert removing


def taking(tree: Tree, end: int) -> set[Board]:
    """Return the boards of the root's children after turns that removed something."""
    return {board for board, act in zip(boards(tree, 1, end), acts(tree, end), strict=True) if act >= TOOK}


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_possible_wins_are_children_with_all_that_are_won(rules: Ruleset) -> None:
    for position in plain_starts(rules, 3, ON_INTEGERS):
        tree, all_of_them = plain_tree(position), children(position)
        found = boards(tree, 1, tree.possible_wins(0, 0))
        won = [board for board in all_of_them if board[ENDED] < 0]
        assert {*won} <= {*found} <= {*all_of_them}


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_win_at_once_is_never_ruled_out(rules: Ruleset) -> None:
    won = 0
    for position in plain_starts(rules, 7, ON_INTEGERS):
        wins = any(board[ENDED] < 0 for board in children(position))
        won += wins
        assert plain_tree(position).may_win(0, 0, 1) or not wins
    assert won


@pytest.mark.parametrize("rules", [*PLAIN, OVERBOARD, ruleset_named("standard+Z3P3")], ids=lambda rules: rules.name)
def test_each_child_is_reached_by_legal_actions(rules: Ruleset) -> None:
    starts = turn_starts(rules, Random(4))
    for position in plain_starts(rules, 4, ON_RULES) if rules in PLAIN else islice(starts, ON_RULES):
        tree = tree_of(position)
        for child in range(0, min(40 * ROW, tree.children(0, 0, True)), ROW):
            actions, end = actions_to(position, int(tree.key(1, child)))
            here = position
            for action in actions:
                assert action in legal(here)
                here = play(here, action)
            assert here == end


@pytest.mark.parametrize("rules", [*PLAIN, OVERBOARD, ruleset_named("tournament+Z6P6")], ids=lambda rules: rules.name)
def test_keys_tell_positions_apart(rules: Ruleset) -> None:
    """No two different positions of a sample share a hash, and equal ones have the same."""
    known: dict[int, Position] = {}
    for position in islice(turn_starts(rules, Random(5)), ON_RULES * 5):
        key = 2 * key_of(position) + position.mover
        assert 0 < key < 1 << 63
        assert known.setdefault(key, position)._replace(captured=(0, 0)) == position._replace(captured=(0, 0))


ROWS_STAND = (
    "standard+Z3P3 b W=b2,Pb5,Gc5,c6,d2,Ge2,Gf6,g6,h4 B=c2,Gc3,Pd5,Ze6,Ge8,f7,g2,g3,Gg4,g5,h3,h5 "
    "reserve=6-3 captured=0-0 left=Z0P0-Z0P0"
)
MORE_ROWS_STAND = (
    "standard+Z3P3 w W=b2,c4,Gd3,Gd5,e6,e7,e8,f2,Gf6,g2,g3,g4,h3,h5 B=b3,b5,c2,Gc3,c5,c6,d2,d7,e2,e3,f3,Gf7,g6,Gh2 "
    "reserve=1-1 captured=0-0 left=Z0P0-Z0P0"
)


@pytest.mark.parametrize("line", [ROWS_STAND, MORE_ROWS_STAND])
def test_turn_after_a_row_that_stood_begins_with_its_removal(line: str) -> None:
    """With potentials: without the removal, the push may meet a full line, and the engine's line could not be told."""
    position = parse_position(line)
    tree = tree_of(position)
    assert isinstance(tree, RulesTree)
    assert tree.removals(0, 0)
    for child in tree.nodes[1]:
        here = position
        for action in child.path:
            assert action in legal(here)
            here = play(here, action)
        assert here == child.position
