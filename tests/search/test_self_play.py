"""Two players with weights of their own can be compared."""

from itertools import islice, pairwise
from random import Random

from gipfbot.rules import STANDARD
from gipfbot.search.evaluation import GIPF_WEIGHTS, Weights
from tests.search.self_play import played, random_opening, searcher

UPSIDE_DOWN = Weights(tuple(-int(value) for value in GIPF_WEIGHTS.values))


def test_each_player_searches_with_their_own_weights() -> None:
    """So they choose what they choose without the other."""
    players = searcher(40, GIPF_WEIGHTS), searcher(40, UPSIDE_DOWN)
    game = [*islice(played(STANDARD, random_opening(STANDARD, Random(1), 2), players), 7)]
    for number, (before, after) in enumerate(pairwise(game)):
        assert after == players[number % 2](STANDARD, before, {})
        assert after != players[1 - number % 2](STANDARD, before, {})
