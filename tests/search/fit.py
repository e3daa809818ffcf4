"""Fit the weights of the evaluation: logistic regression on quiet positions of games of the search against itself.

    .venv/bin/python -m tests.search.fit standard --games 2000 --nodes 600

It prints the weights, scaled so that a basic piece is worth 100. `--games` and `--nodes` say what is played. Compile
the search first (`make compile`), or it takes hours.
"""

import sys
from argparse import ArgumentParser
from math import exp
from random import Random

from gipfbot.rules import PRESETS, Ruleset, start
from gipfbot.search.alpha_beta import Search
from gipfbot.search.evaluation import NAMES, terms
from gipfbot.search.layout import four_in_line
from gipfbot.search.translate import weights_of
from gipfbot.search.tree import ENDED, ME
from tests.search.helpers import Board, term_arguments
from tests.search.self_play import never, played, random_opening, score, searcher, tree_below

RIDGE = 2.0
Sample = tuple[list[int], float]


def is_quiet(rules: Ruleset, board: Board) -> bool:
    """Return whether following removals changes nothing, neither for the player nor, if they pass, for the opponent."""
    if board[ENDED] or four_in_line(board[ME]):
        return False
    tree = tree_below(rules, board)
    return Search(1000, never, {}, True).follow_removals(tree) == tree.value(0, 0)


def samples(rules: Ruleset, games: int, nodes: int, rng: Random) -> list[Sample]:
    found: list[Sample] = []
    player = searcher(nodes, weights_of(start(rules)))
    for number in range(games):
        game = list(played(rules, random_opening(rules, rng, rng.randint(4, 10)), (player, player)))
        result = score(game)
        for turn, board in enumerate(game):
            if result and rng.random() < 0.5 and is_quiet(rules, board):
                won = (result > 0) == (turn % 2 == 0)
                found.append((terms(*term_arguments(board)), float(won)))
        if number % 100 == 99:
            sys.stderr.write(f"{number + 1} games, {len(found)} positions\n")
    return found


def fitted(found: list[Sample], rounds: int = 8) -> list[float]:
    """Return the weights by Newton's method, with a small ridge. A term that is always zero gets zero."""
    size = len(NAMES)
    weights = [0.0] * size
    for _ in range(rounds):
        gradient = [-RIDGE * weight for weight in weights]
        curve = [[RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
        for values, won in found:
            used = [(at, value) for at, value in enumerate(values) if value]
            chance = 1 / (1 + exp(-max(-30.0, min(30.0, sum(weights[at] * value for at, value in used)))))
            for at, value in used:
                gradient[at] += (won - chance) * value
                row, share = curve[at], chance * (1 - chance) * value
                for other, second in used:
                    row[other] += share * second
        weights = [weight + step for weight, step in zip(weights, solved(curve, gradient), strict=True)]
    return weights


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of a system of linear equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, row in enumerate(rows):
        pivot = row[at]
        row[:] = [value / pivot for value in row]
        for other in rows:
            if other is not row and other[at]:
                factor = other[at]
                other[:] = [value - factor * own for value, own in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("rules", choices=PRESETS)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = samples(PRESETS[options.rules], options.games, options.nodes, Random(options.seed))
    weights = fitted(found)
    for name, weight in zip(NAMES, weights, strict=True):
        sys.stdout.write(f"{name:10}{weight:9.4f}{100 * weight / weights[0]:9.1f}\n")


if __name__ == "__main__":
    main()
