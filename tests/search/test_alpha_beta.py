"""Alpha-beta finds what a search without any shortcut finds."""

from itertools import islice
from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Position, Ruleset, ruleset_named, start
from gipfbot.search.alpha_beta import ENDLESS, MADE, Search
from gipfbot.search.evaluation import NAMES, terms
from gipfbot.search.layout import four_in_line
from gipfbot.search.requests import Request, best_turn, never
from gipfbot.search.rules_node import MOST_CHILDREN
from gipfbot.search.threats import most_taken
from gipfbot.search.translate import plain_tree, tree_of
from gipfbot.search.tree import ENDED, ROW, WIN, Tree
from tests.rules.helpers import SYMMETRIES, image
from tests.search.helpers import board_of, term_arguments, turn_starts
from tests.support.effort import amount
from tests.support.games import WINS

SAMPLE = amount(test=2, long=20)
ENOUGH = 10**9
LEAVING_OUT = (
    "basic w W=b5,e2,h5,d4 B=b2,e8 reserve=3-1 captured=8-12",
    "standard w W=Gb5,d2,d3 B=Gd6,h3 reserve=2-1 captured=12-14",
    "standard w W=b5,c3,Gd3,Gf5,g3 B=b2,b3,d4,e2,Ge5,h2 reserve=6-2 captured=5-9",
    "standard b W=b3,b5,Gc4,d2,Gd6,Ge4,f7,h5 B=b2,Gc2,c5,c6,e3,Ge5,e8,g5,g6,h3 reserve=7-5 captured=0-1",
)
# In each, most turns lose by force, but not all. The budgets end while only some of these have been searched.
NOT_LOST = (
    ("basic b W=d2,e3,e5,e7,e8,f6,h2 B=d6,e2,e6,f4,f7,g3,h3,h5 reserve=2-2 captured=6-5", (1500, 8000)),
    ("basic b W=d7,e5,e7,f4,f6,f7,g4,h4,h5 B=b2,c3,d4,e8,f2,f5,g3,g5,g6 reserve=2-2 captured=4-4", (1400, 1500, 1600)),
)
CROWDED = (
    "standard+Z6 b W=Zb2,Gb4,c6,Zd5,Zd6,e2,Ze3,Ge4,Ge6,Zf6,Zh4 B=b5,Gc3,c5,zd7,Ze5,Ze7,Ge8,Zf7,Gg2,Zh2,Zh5"
    " reserve=4-5 captured=0-0 left=Z0-Z0"
)
ONE_SIDED = ("danger", "turn")  # terms that only the player to move has


def searching(nodes: int = ENOUGH, told: dict[int, int] | None = None) -> Search:
    return Search(nodes, never, told or {}, True)


def looking() -> Search:
    """Return a search without quiescence."""
    return Search(ENOUGH, never, {}, False)


def plain_score(tree: Tree, ply: int, at: int, depth: int) -> int:
    """Return the score of a position by trying everything."""
    if ended := tree.rows[ply][at + ENDED]:
        return ended * (WIN - ply)
    if depth == 0:
        return tree.value(ply, at)
    children = range(0, tree.children(ply, at, False), ROW)
    return max(-plain_score(tree, ply + 1, child, depth - 1) for child in children)


def root_scores(tree: Tree, depth: int) -> list[int]:
    """Return the scores of the root's turns by trying everything, best first."""
    children = range(0, tree.children(0, 0, False), ROW)
    return sorted((-plain_score(tree, 1, child, depth) for child in children), reverse=True)


def removals_score(tree: Tree, ply: int, at: int, left: int) -> int:
    """Return the score of a position by following all removals."""
    if ended := tree.rows[ply][at + ENDED]:
        return ended * (WIN - ply)
    children = range(0, tree.removals(ply, at), ROW) if left else ()
    return max([tree.stand(ply, at), *(-removals_score(tree, ply + 1, child, left - 1) for child in children)])


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", [BASIC, STANDARD, TOURNAMENT], ids=lambda rules: rules.name)
def test_two_turns_deep_it_finds_the_best_score(rules: Ruleset) -> None:
    for position in islice(turn_starts(rules, Random(3), crowded=False), SAMPLE):
        tree = plain_tree(position)
        expected = root_scores(tree, 1)
        found = looking().best(tree, 2, 3, 0)
        assert [choice.score for choice in found[:3]] == expected[:3]


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", [BASIC, STANDARD, TOURNAMENT], ids=lambda rules: rules.name)
def test_removals_are_followed_to_the_best_score(rules: Ruleset) -> None:
    compared = 0
    for position in islice(turn_starts(rules, Random(3), crowded=False), 10 * SAMPLE):
        tree = plain_tree(position)
        if tree.removals(0, 0) < 3 * ROW:
            assert searching().follow_removals(tree) == removals_score(tree, 0, 0, 6)
            compared += 1
    assert compared > SAMPLE


def quiet_score(tree: Tree, ply: int, at: int, depth: int) -> int:
    """Return the score of a position by trying everything, and following removals at the end."""
    if ended := tree.rows[ply][at + ENDED]:
        return ended * (WIN - ply)
    if depth == 0:
        return removals_score(tree, ply, at, 6)
    children = range(0, tree.children(ply, at, False), ROW)
    return max(-quiet_score(tree, ply + 1, child, depth - 1) for child in children)


@pytest.mark.usefixtures("untraced")
def test_no_turn_is_left_out_that_matters() -> None:
    """A child in which a row of the next player stands may be worse for them than its evaluation."""
    for line in LEAVING_OUT:
        tree = plain_tree(parse_position(line))
        assert searching().best(tree, 2, 1, 0)[0].score == quiet_score(tree, 0, 0, 2)


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", [OVERBOARD, ruleset_named("standard+Z3P3")], ids=lambda rules: rules.name)
def test_on_the_rules_it_finds_the_best_score(rules: Ruleset) -> None:
    for position in islice(turn_starts(rules, Random(3), crowded=False), SAMPLE):
        tree = tree_of(position)
        expected = root_scores(tree, 0)[0]
        assert looking().best(tree, 1, 1, 0)[0].score == expected


def test_all_scores_within_the_margin_are_exact() -> None:
    tree = plain_tree(start(STANDARD))
    expected = root_scores(tree, 1)
    found = [choice.score for choice in looking().best(tree, 2, 1, 10) if choice.exact]
    near = [score for score in expected if score >= expected[0] - 10]
    assert found[: len(near)] == near


def test_a_win_is_found_and_its_turns_are_counted() -> None:
    tree = tree_of(WINS)
    best = searching().best(tree, 5, 1, 0)[0]
    assert (best.score, tree.rows[1][best.at + ENDED]) == (WIN - 1, -1)


def test_a_player_without_a_reserve_next_turn_is_lost() -> None:
    """White wins with any turn that leaves Black, who has no reserve, without a row (R6.1)."""
    position = parse_position("basic w W=b5,e2 B=h2,e8 reserve=3-0 captured=10-13")
    assert searching().best(tree_of(position), 3, 1, 0)[0].score == WIN - 1


def test_a_third_repetition_counts_nothing() -> None:
    """The position after the best turn has stood twice, so that this turn makes the game void (R6.3)."""
    root = plain_tree(start(STANDARD))
    best = searching().best(root, 2, 1, 0)[0]
    told = {2 * best.line[0] + 1: 2}
    again = {choice.line[0]: choice.score for choice in searching(told=told).best(root, 2, 100, 0)}
    assert again[best.line[0]] == 0 != best.score
    once = {2 * best.line[0] + 1: 1}
    assert searching(told=once).best(root, 2, 1, 0)[0].score == best.score


def test_the_budget_is_kept() -> None:
    """A node may be counted after the last one, on the way back."""
    for nodes in (1, 10, 300, 1500):
        search = searching(nodes)
        search.best(plain_tree(start(STANDARD)), 40, 1, 0)
        assert nodes <= search.nodes <= nodes + 10
        assert not search.cut


def test_a_crowded_position_costs_no_more_positions_for_each_node() -> None:
    tree, nodes = tree_of(parse_position(CROWDED)), 300
    searching(nodes).best(tree, 40, 1, 0)
    assert 0 < tree.made <= MADE * nodes + MOST_CHILDREN


@pytest.mark.parametrize(("line", "budgets"), NOT_LOST)
def test_a_budget_that_ends_early_loses_no_game(line: str, budgets: tuple[int, ...]) -> None:
    for nodes in budgets:
        found = best_turn(Request(parse_position(line), (), nodes)).turns[0]
        assert found.loses_in is None, nodes


def test_a_search_that_is_stopped_says_so() -> None:
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 3

    search = Search(ENOUGH, stop, {}, True)
    best = search.best(plain_tree(start(STANDARD)), 40, 1, 0)
    assert search.cut
    assert search.nodes < 1000
    assert -ENDLESS < best[0].score < ENDLESS


def term_values(position: Position) -> dict[str, int]:
    return dict(zip(NAMES, terms(*term_arguments(board_of(position))), strict=True))


def test_the_evaluation_is_the_same_for_all_images() -> None:
    for position in islice(turn_starts(TOURNAMENT, Random(4)), 10):
        values = [term_values(image(position, symmetry)) for symmetry in SYMMETRIES]
        assert values == values[:1] * 12


def test_what_one_player_has_the_other_lacks() -> None:
    for position in islice(turn_starts(TOURNAMENT, Random(5)), 30):
        turned = position._replace(mover=position.mover.other)
        mine, yours = term_values(position), term_values(turned)
        assert {name: -value for name, value in mine.items() if name not in ONE_SIDED} == {
            name: value for name, value in yours.items() if name not in ONE_SIDED
        }


def test_without_a_three_there_is_no_danger() -> None:
    """So the evaluation does not look for it."""
    for position in islice(turn_starts(TOURNAMENT, Random(5)), amount(test=200, long=5000)):
        me, you = position.owned[position.mover], position.owned[position.mover.other]
        if not four_in_line(you):
            assert term_values(position)["danger"] == -most_taken(you, me, position.gipf)


@pytest.mark.parametrize(
    ("line", "term", "value"),
    [
        ("standard w W=Gb5,c3,c4,c5 B=Gh2,h5 reserve=13-15 captured=0-0", "threes", 2),
        ("standard w W=Gb5,c3,c4,c5 B=c2,Gh2 reserve=13-15 captured=0-0", "blocked", 1),
        ("standard w W=Gb5,c3,c4,c5 B=c2,Gh2 reserve=13-15 captured=0-0", "prey", 2),
        ("standard w W=Gb5,e5 B=Gh2,e8 reserve=15-15 captured=0-0", "centre", 1),
        ("standard w W=Gb5,e4 B=Gh2,e8 reserve=15-15 captured=0-0", "inner", 1),
        ("standard w W=Gb5,e3 B=Gh2,e8 reserve=15-15 captured=0-0", "middle", 1),
        ("standard w W=Gd5 B=Gh2,e8 reserve=16-15 captured=0-0", "gipf_in", 2),
        ("standard w W=Gb5,e3 B=Gh2,e8 reserve=3-15 captured=12-0", "low", 9),
        ("standard w W=Gb5,c2,e5 B=Gh2,c3,c4,c5 reserve=14-13 captured=0-0", "danger", -1),
        ("standard w W=Gc2,e5 B=Gh2,c3,c4,c5 reserve=15-13 captured=0-0", "danger", -3),
        ("standard w W=Gb5,e3 B=Gh2,Ge8,d3 reserve=15-13 captured=0-0", "second", -1),
        ("standard w W=Gb5,e3 B=Gh2,Ge8,d3 reserve=15-13 captured=0-0", "last", 1),
        ("tournament w W= B=Gh2 reserve=18-16 captured=0-0 opening=wb", "gipf", 0),
        ("tournament w W= B=Gh2 reserve=18-16 captured=0-0 opening=wb", "reserve", 0),
    ],
)
def test_a_term_counts_what_it_says(line: str, term: str, value: int) -> None:
    assert term_values(parse_position(line))[term] == value
