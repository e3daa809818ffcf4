"""Tune the weights of the evaluation by games (SPSA): all move a little at once, up in one player, down in the other.

    .venv/bin/python -m tests.search.tune standard --pairs 1000 --nodes 400

Each pair of games pulls the weights towards the player who won it, the later the less. Printed is the mean of the
weights since a third of the pairs was played. Compile the search first (`make compile`), or it takes days.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from multiprocessing import Pool
from random import Random
from statistics import mean
from typing import NamedTuple

from gipfbot.rules import PRESETS, start
from gipfbot.search.evaluation import NAMES, Weights
from gipfbot.search.translate import weights_of
from tests.search.self_play import match, searcher

# How far each weight is moved to both sides, in hundredths of a piece. Those not named here stay.
REACH = {
    "reserve": 6,
    "low": 2,
    "gipf": 25,
    "last": 40,
    "second": 25,
    "centre": 6,
    "inner": 5,
    "middle": 4,
    "gipf_in": 5,
    "threes": 4,
    "blocked": 4,
    "twos": 1.5,
    "prey": 5,
    "danger": 7,
    "turn": 8,
}
PULL = 0.06  # of the reach, for each game won more
HALVED = 600  # pairs until the pull is half as strong
AT_ONCE = 4  # pairs that are played with the same weights
SHOWN = 48  # pairs from one printed line to the next


class Pair(NamedTuple):
    """Two games to play: the sides change, the opening stays."""

    rules: str
    up: tuple[int, ...]
    down: tuple[int, ...]
    nodes: int
    seed: int


def surplus(pair: Pair) -> int:
    """Return how many games more the player with the weights `up` has won."""
    players = [searcher(pair.nodes, Weights(values)) for values in (pair.up, pair.down)]
    won, lost, _ = match(PRESETS[pair.rules], players[0], players[1], 1, pair.seed)
    return won - lost


def moved(weights: list[float], signs: dict[str, int], share: float) -> list[float]:
    """Return the weights, each moved by a share of its reach."""
    return [
        weight + share * signs.get(name, 0) * REACH.get(name, 0) for name, weight in zip(NAMES, weights, strict=True)
    ]


def tuned(rules: str, pairs: int, nodes: int, rng: Random) -> Iterator[tuple[int, list[float]]]:
    """Yield how many pairs were played, and the weights after them."""
    weights = [float(value) for value in weights_of(start(PRESETS[rules])).values]
    with Pool() as pool:
        for played in range(0, pairs, AT_ONCE):
            tried = [{name: rng.choice((-1, 1)) for name in REACH} for _ in range(AT_ONCE)]
            games = [
                Pair(rules, _plain(weights, up, 1), _plain(weights, up, -1), nodes, rng.getrandbits(30)) for up in tried
            ]
            pull = PULL / (1 + played / HALVED)
            for signs, more in zip(tried, pool.map(surplus, games, 1), strict=True):
                weights = moved(weights, signs, pull * more)
            yield played + AT_ONCE, weights


def _plain(weights: list[float], signs: dict[str, int], share: float) -> tuple[int, ...]:
    return tuple(map(round, moved(weights, signs, share)))


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("rules", choices=PRESETS)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    late: list[list[float]] = []
    for played, weights in tuned(options.rules, options.pairs, options.nodes, Random(options.seed)):
        if played * 3 >= options.pairs:
            late.append(weights)
        if late and (played % SHOWN < AT_ONCE or played >= options.pairs):
            sys.stdout.write(f"{played} {[round(mean(values), 1) for values in zip(*late, strict=True)]}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
