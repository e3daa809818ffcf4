"""Tune the weights of the evaluation by games (SPSA): all move a little at once, up in one player, down in the other.

    .venv/bin/python -m tests.search.tune standard --pairs 1000 --nodes 400

Each pair of games pulls the weights towards the player who won it. The weights are printed now and then. Compile the
search first (`make compile`), or it takes days.
"""

import sys
from argparse import ArgumentParser
from multiprocessing import Pool
from random import Random
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
PULL = 0.05  # of the reach, for each game won more
SHOWN = 50  # pairs from one printed line to the next


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


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("rules", choices=PRESETS)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    rng = Random(options.seed)
    weights = [float(value) for value in weights_of(start(PRESETS[options.rules])).values]
    with Pool(options.processes) as pool:
        for number in range(0, options.pairs, options.processes):
            tried = [{name: rng.choice((-1, 1)) for name in REACH} for _ in range(options.processes)]
            pairs = [
                Pair(
                    options.rules,
                    tuple(map(round, moved(weights, signs, 1))),
                    tuple(map(round, moved(weights, signs, -1))),
                    options.nodes,
                    rng.randrange(10**9),
                )
                for signs in tried
            ]
            for signs, more in zip(tried, pool.map(surplus, pairs), strict=True):
                weights = moved(weights, signs, PULL * more)
            if number % SHOWN < options.processes:
                sys.stdout.write(f"{number} {[round(weight, 1) for weight in weights]}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
