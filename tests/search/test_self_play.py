"""Two players with weights of their own can be compared."""

from itertools import islice
from random import Random

from gipfbot.rules import STANDARD
from gipfbot.search.evaluation import BASIC_WEIGHTS, GIPF_WEIGHTS
from tests.search.self_play import played, random_opening, searcher


def test_each_player_searches_with_their_own_weights() -> None:
    players = searcher(5, GIPF_WEIGHTS), searcher(5, BASIC_WEIGHTS)
    nodes = [*islice(played(random_opening(STANDARD, Random(1), 2), players), 7)]
    after_first, after_second = nodes[1::2], nodes[2::2]
    assert {node.version.weights for node in after_first} == {GIPF_WEIGHTS}
    assert {node.version.weights for node in after_second} == {BASIC_WEIGHTS}
