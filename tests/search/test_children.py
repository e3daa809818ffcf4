"""The children of a node are the positions that the rules' full turns lead to."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Position, Ruleset, legal, play, ruleset_named
from gipfbot.search.node import Node
from gipfbot.search.plain_node import PlainNode
from gipfbot.search.rules_node import RulesNode
from gipfbot.search.translate import actions_to, node_of, plain_node
from tests.search.helpers import few_turns, turn_starts
from tests.support.effort import amount

PLAIN = (BASIC, STANDARD, TOURNAMENT)
ON_INTEGERS = amount(test=100, long=2000)
ON_RULES = amount(test=20, long=2000)
MOST_WAYS = amount(test=20, long=10**9)  # to remove rows before the push; each way has some 60 children


def facts(node: Node) -> tuple[int, ...]:
    """Return all that makes a node of the official versions."""
    assert isinstance(node, PlainNode)
    board = node.me, node.you, node.gipf, node.reserve, node.other
    return (*map(int, board), int(node.right), int(node.other_right), int(node.ended))


def plain_starts(rules: Ruleset, seed: int, number: int) -> Iterator[Position]:
    """Yield so many positions with few ways to remove rows before the push. Fail if none has several."""
    begun = ((position, len(plain_node(position).settled())) for position in turn_starts(rules, Random(seed)))
    found = [*islice(((position, ways) for position, ways in begun if ways <= MOST_WAYS), number)]
    assert max(ways for _, ways in found) > 1
    return (position for position, _ in found)


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_plain_children_are_the_full_turns(rules: Ruleset) -> None:
    compared = 0
    for position in turn_starts(rules, Random(1)):
        if (ends := few_turns(position)) is not None:
            found = [facts(child) for child in plain_node(position).children(True)]
            assert len(found) == len({*found})
            assert {*found} == {facts(plain_node(end)) for end in ends}
            compared += 1
            if compared == ON_INTEGERS:
                break


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("name", ["standard+Z3P3", "tournament+Z6P6", "basic+Z6"])
def test_children_with_potentials_are_the_full_turns(name: str) -> None:
    for position in islice(turn_starts(ruleset_named(name), Random(1)), ON_RULES):
        if (ends := few_turns(position)) is not None and len({*ends}) < 2000:
            found = [child.position for child in node_of(position).children(True) if isinstance(child, RulesNode)]
            assert len(found) == len({*found})
            assert {*found} == {*ends}


@pytest.mark.usefixtures("untraced")
def test_children_in_overboard_end_the_turn_or_ask_the_opponent() -> None:
    """Each position after a full turn is a child, or lies behind one that asks the opponent."""
    for position in islice(turn_starts(OVERBOARD, Random(1)), ON_RULES):
        ends, reached = few_turns(position), set()
        children = [child.position for child in node_of(position).children(True) if isinstance(child, RulesNode)]
        for child in children:
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
        node = plain_node(position)
        if not node.settled():
            children = {facts(child) for child in node.children(False) if child.took}
            assert {facts(child) for child in node.removals() if child.took} == children


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_wins_are_the_children_that_are_won(rules: Ruleset) -> None:
    for position in plain_starts(rules, 3, ON_INTEGERS):
        node = plain_node(position)
        won = {facts(child) for child in node.children(True) if child.ended < 0}
        assert {facts(child) for child in node.wins()} == won
        assert node.has_win() is bool(won)


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_turns_with_an_act_are_the_children_with_it(rules: Ruleset) -> None:
    for position in plain_starts(rules, 6, ON_INTEGERS // 4):
        node = plain_node(position)
        by_act: dict[int, set[tuple[int, ...]]] = {}
        for child in node.children(True):
            by_act.setdefault(child.act, set()).add(facts(child))
        children = set().union(*by_act.values())
        for act in {*range(85), *by_act}:
            found = {*map(facts, node.after_act(act))}
            assert by_act.get(act, set()) <= found <= children


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_win_at_once_is_never_ruled_out(rules: Ruleset) -> None:
    won = 0
    for position in plain_starts(rules, 7, ON_INTEGERS):
        node = plain_node(position)
        won += node.has_win()
        assert node.may_win(1) or not node.has_win()
    assert won


@pytest.mark.parametrize("rules", [*PLAIN, OVERBOARD, ruleset_named("standard+Z3P3")], ids=lambda rules: rules.name)
def test_each_child_is_reached_by_legal_actions(rules: Ruleset) -> None:
    starts = turn_starts(rules, Random(4))
    for position in plain_starts(rules, 4, ON_RULES) if rules in PLAIN else islice(starts, ON_RULES):
        for child in node_of(position).children(True)[:40]:
            actions, end = actions_to(position, child)
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
        key = 2 * int(node_of(position).key()) + position.mover
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
    reached = [
        (actions_to(position, child), child) for ready in node_of(position).settled() for child in ready.removals()
    ]
    assert reached
    for (actions, _), child in reached:
        here = position
        for action in actions:
            assert action in legal(here)
            here = play(here, action)
        assert isinstance(child, RulesNode)
        assert here == child.position
