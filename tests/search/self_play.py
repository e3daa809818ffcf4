"""Games of the search against itself, on its own nodes: to fit the weights, and to compare players."""

from collections.abc import Callable, Iterator
from random import Random

from gipfbot.rules import Ruleset, start
from gipfbot.search.alpha_beta import DEEPEST, Search
from gipfbot.search.evaluation import Weights
from gipfbot.search.plain_node import PlainNode, Version
from gipfbot.search.translate import plain_node

LONGEST = 300  # turns; a longer game counts as none
Player = Callable[[PlainNode, dict[int, int]], PlainNode]


def never() -> bool:
    return False


def searcher(nodes: int, weights: Weights, *, quiet: bool = True) -> Player:
    """Return a player who searches so many nodes a turn.

    A node passes its weights on to its children, so each player has to set their own before they choose.
    """

    def choose(node: PlainNode, told: dict[int, int]) -> PlainNode:
        best = Search(nodes, never, told, quiet).best(reweighed(node, weights), DEEPEST, 1, 0)[0].node
        assert isinstance(best, PlainNode)
        return best

    return choose


def reweighed(node: PlainNode, weights: Weights) -> PlainNode:
    """Return the same position with other weights."""
    version = Version(node.version.pieces, node.version.decides, weights)
    board = node.me, node.you, node.gipf, node.reserve, node.other
    return PlainNode(version, *board, node.right, node.other_right)


def random_opening(rules: Ruleset, rng: Random, turns: int) -> PlainNode:
    """Return the node after so many random turns."""
    while True:
        node = plain_node(start(rules))
        for _ in range(turns):
            children = node.children(False)
            if not children:
                break
            chosen = rng.choice(children)
            assert isinstance(chosen, PlainNode)
            node = chosen
        if not node.ended and node.children(False):
            return node


def played(node: PlainNode, players: tuple[Player, Player]) -> Iterator[PlainNode]:
    """Yield the nodes of a game: the first is the given one, in which the first player moves."""
    earlier: dict[tuple[int, int], int] = {}
    for number in range(LONGEST):
        yield node
        if node.ended:
            return
        side = number & 1
        told = {2 * key + (at ^ side): count for (key, at), count in earlier.items()}
        at = (node.key(), side)
        earlier[at] = earlier.get(at, 0) + 1
        if earlier[at] > 2:
            return
        node = players[side](node, told)


def score(nodes: list[PlainNode]) -> int:
    """Return 1 if the first player has won a game, -1 if the second has, 0 if it is void or too long."""
    last, turns = nodes[-1], len(nodes) - 1
    return int(last.ended) * (1 if turns % 2 == 0 else -1)


def match(rules: Ruleset, one: Player, two: Player, pairs: int, seed: int = 1) -> tuple[int, int, int]:
    """Return the wins of both players and the games without a winner. Each opening is played with both colours."""
    counts, rng = [0, 0, 0], Random(seed)
    for _ in range(pairs):
        opening = random_opening(rules, rng, rng.randint(2, 6))
        for players, first in (((one, two), 0), ((two, one), 1)):
            result = score(list(played(opening, players)))
            counts[2 if not result else first if result > 0 else 1 - first] += 1
    return counts[0], counts[1], counts[2]
