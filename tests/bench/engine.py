"""Measure the speed of the rules alone, in one thread.

The work is random games, and a perft of Basic: every sequence of a fixed number of turns. Games with both potentials
are compared with games of Standard in the same run. Compiled rules are compared with interpreted ones.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import median

from gipfbot.rules import (
    BASIC,
    STANDARD,
    TOURNAMENT,
    Position,
    Ruleset,
    __compiled__,
    legal,
    play,
    ruleset_named,
    start,
)

from .figures import Counts, Figure
from .yardstick import Pace, measure_steps, pace_from_source

GAMES, TURNS = 17, 1700  # at least, in a yard: games of Standard, turns in Basic's tree
SEED, GAMES_A_STEP = 1, 25
POTENTIALS = ruleset_named("standard+Z6P6")
TO_STANDARD = 0.4  # at least: actions a second with both potentials, as a share of Standard's
TO_INTERPRETED = 2.2  # at least: games a yard with compiled rules, as a multiple of those with interpreted ones


def engine_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the speed of random games of each version and their mean length, and the speed of a perft.

    A perft builds every sequence of a number of turns. Speeds are per second and per yard, the time unit of
    `yardstick`. The same work is done in several rounds. Figures per second take the fastest round, because a
    disturbance only slows a round. Figures per yard take the median round, because a disturbance slows the yardstick
    too.
    """
    yards = list[float]()
    for rules in (STANDARD, BASIC, TOURNAMENT):
        rounds = [measure_steps(play_random_games(rules, counts.games)) for _ in range(counts.rounds)]
        each, name = rounds[0].done / counts.games, f"engine.{rules.name}"
        yield Figure(f"{name}.games", _fastest(rounds) / each, "games/s")
        least = GAMES if rules is STANDARD else None
        yield Figure(f"{name}.games_per_yard", _median_per_yard(rounds) / each, "games/yard", least)
        yield Figure(f"{name}.actions", _fastest(rounds), "actions/s")
        yield Figure(f"{name}.length", each, "actions")
        yards += [pace.yard for pace in rounds]
    turns = [measure_steps(count_leaves_by_turn(counts.perft)) for _ in range(counts.rounds)]
    yield Figure("engine.basic.perft", _fastest(turns), "turns/s")
    yield Figure("engine.basic.perft_per_yard", _median_per_yard(turns), "turns/yard", TURNS)
    yield Figure("engine.yard", 1000 * median(yards), "ms")
    yield from _potentials_figures(counts)
    if __compiled__:
        pairs = [(measure_games(counts.games), pace_from_source(measure_games, counts.games)) for _ in turns]
        ratio = median(fast.per_yard / slow.per_yard for fast, slow in pairs)
        yield Figure("engine.standard.to_interpreted", ratio, "times", TO_INTERPRETED)


def measure_games(games: int) -> Pace:
    """Return the pace of random games of Standard, in actions."""
    return measure_steps(play_random_games(STANDARD, games))


def _potentials_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the speed of random games with both potentials, also compared with Standard's.

    Rounds of both alternate, and each is compared with the round beside it. The ratio is the median of all rounds.
    """
    games = max(1, counts.games // 2)
    pairs = [
        [measure_steps(play_random_games(rules, games)) for rules in (STANDARD, POTENTIALS)]
        for _ in range(counts.rounds)
    ]
    yield Figure("engine.potentials.actions", _fastest([both for _, both in pairs]), "actions/s")
    ratio = median(both.per_second / standard.per_second for standard, both in pairs)
    yield Figure("engine.potentials.to_standard", ratio, "times", TO_STANDARD)


def _fastest(rounds: list[Pace]) -> float:
    return max(pace.per_second for pace in rounds)


def _median_per_yard(rounds: list[Pace]) -> float:
    return median(pace.per_yard for pace in rounds)


def play_random_games(rules: Ruleset, games: int) -> Iterator[int]:
    """Play random games with the public functions of the rules. Each call plays the same games.

    A step is `GAMES_A_STEP` games. Yield the number of actions of each step.
    """
    rng = Random(SEED)
    each = (_play_random_game(rules, rng) for _ in range(games))
    while some := list(islice(each, GAMES_A_STEP)):
        yield sum(some)


def _play_random_game(rules: Ruleset, rng: Random) -> int:
    position, actions = start(rules), 0
    while choices := legal(position):
        position = play(position, rng.choice(choices))
        actions += 1
    return actions


def count_leaves_by_turn(depth: int) -> Iterator[int]:
    """Run `count_leaves` after each first turn of Basic, and yield its results.

    `depth` includes the first turn, which is a single action.
    """
    opening = start(BASIC)
    for action in legal(opening):
        yield count_leaves(play(opening, action), depth - 1)


def count_leaves(position: Position, depth: int) -> int:
    """Build the position after every sequence of `depth` turns, and return the number of positions.

    A turn is a sequence of legal actions. Every sequence counts: equal turns from two dots, the same removals in
    another order, and sequences that lead to a position already met.
    """
    mover, count = position.mover, 0
    for action in legal(position):
        after = play(position, action)
        if after.mover is mover:
            count += count_leaves(after, depth)
        else:
            count += count_leaves(after, depth - 1) if depth > 1 else 1
    return count
