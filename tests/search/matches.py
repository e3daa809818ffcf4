"""Matches between the levels of the house player, and between two commits.

    .venv/bin/python -m tests.search.matches --games 60

Levels 2 to 4 should each score 65 to 80 % against the one below, and levels 5 to 8 at least 80 %. Level 1 should lose
75 to 90 of 100 games to a player who looks one turn ahead. `tests.search.people` plays those who stand for people.
`--ablate` compares the search with itself without one of its parts. Compile the search first (`make compile`), or it
takes hours.

    .venv/bin/python -m tests.search.matches HEAD~1 HEAD --nodes 10000 --games 400

lets the searches of two commits play, each compiled by itself. Two numbers of nodes compare them at equal time.
"""

from argparse import ArgumentParser
from collections.abc import Callable

from gipfbot.rules import RULESETS, Action, Position, Ruleset, play, start
from gipfbot.search import LEVELS, best_turn, level_request
from gipfbot.search.evaluation import NAMES, Weights
from gipfbot.search.translate import actions_to, tree_of, weights_of
from gipfbot.search.tree import ENDED, ROW
from tests.search import duels
from tests.search.self_play import LONGEST, Player, match, searcher

Mover = Callable[[Position, list[Position], int], tuple[Action, ...]]
# What a player without these terms of the evaluation lacks.
PARTS = {
    "shapes": ("threes", "blocked", "twos", "prey"),
    "reserve": ("reserve", "low"),
    "rings": ("centre", "inner", "middle", "gipf_in"),
    "danger": ("danger",),
    "all but pieces": NAMES[1:-1],
}


def level_player(level: int) -> Mover:
    """Return a player of a level; the seed is that of the game."""

    def move(position: Position, before: list[Position], seed: int) -> tuple[Action, ...]:
        return best_turn(level_request(position, before, level, seed)).turns[0].actions

    return move


def look_one_turn_ahead(position: Position, before: list[Position], seed: int) -> tuple[Action, ...]:
    """Choose the turn with the best position right after it, by the evaluation."""
    tree = tree_of(position)
    children = range(0, tree.children(0, 0, False), ROW)
    best = min(children, key=lambda child: tree.rows[1][child + ENDED] * 100_000 or tree.value(1, child))
    return actions_to(position, tree.key(1, best))[0]


def winner(rules: Ruleset, players: tuple[Mover, Mover], seed: int) -> int | None:
    """Return which player has won a game, 0 or 1; None if nobody has."""
    position, before = start(rules), list[Position]()
    while position.result is None and len(before) < LONGEST and before.count(position) < 2:
        actions = players[position.decider](position, before, seed)
        before.append(position)
        for action in actions:
            position = play(position, action)
    return None if position.result is None else position.result.winner


def share(rules: Ruleset, one: Mover, two: Mover, games: int) -> float:
    """Return the first player's share of the points, in per cent. The players change colours after each game."""
    points = 0.0
    for game in range(games):
        players = (two, one) if game % 2 else (one, two)
        won = winner(rules, players, 1000 + game // 2)
        points += 0.5 if won is None else float(players[won] is one)
    return 100 * points / games


def without(part: str, nodes: int, weights: Weights) -> Player:
    """Return a player who searches without a part: some terms, or quiescence."""
    if part == "quiescence":
        return searcher(nodes, weights, quiet=False)
    values = [0 if name in PARTS[part] else int(value) for name, value in zip(NAMES, weights.values, strict=True)]
    return searcher(nodes, Weights(tuple(values)))


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("commits", nargs="*", metavar="COMMIT", help="two commits, to compare their searches")
    parser.add_argument("--nodes", type=int, nargs="+", default=[10_000], help="of a turn, for each commit")
    parser.add_argument("--rules", choices=RULESETS, default="standard")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--most", type=int, default=len(LEVELS), help="the highest level that plays")
    parser.add_argument("--ablate", type=int, metavar="NODES", help="play without each part, with so many nodes a turn")
    options = parser.parse_args()
    rules, games = RULESETS[options.rules], options.games
    weights = weights_of(start(rules))
    if options.commits:
        duels.run(rules, options.commits, games, options.nodes, 1)
        return
    if options.ablate:
        for part in ("quiescence", *PARTS):
            lacking = without(part, options.ablate, weights)
            won, lost, void = match(rules, lacking, searcher(options.ablate, weights), games // 2)
            print(f"without {part}: {won} won, {lost} lost, {void} void", flush=True)
        return
    print(f"level 1 loses {share(rules, look_one_turn_ahead, level_player(1), 100):.0f} % to one turn", flush=True)
    for level in range(2, options.most + 1):
        found = share(rules, level_player(level), level_player(level - 1), games)
        print(f"level {level}: {found:.0f} % against level {level - 1}", flush=True)


if __name__ == "__main__":
    main()
