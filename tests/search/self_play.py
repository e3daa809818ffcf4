"""Games of the search against itself, on its own boards: to fit the weights, and to compare players."""

from collections.abc import Callable, Iterator
from random import Random

from gipfbot.rules import Ruleset, start
from gipfbot.search.alpha_beta import DEEPEST, Search
from gipfbot.search.evaluation import Weights
from gipfbot.search.plain_tree import PlainTree, board_key
from gipfbot.search.translate import weights_of
from gipfbot.search.tree import ENDED, ROW
from tests.search.helpers import Board, board_of, boards

LONGEST = 300  # turns; a longer game counts as none
Player = Callable[[Ruleset, Board, dict[int, int]], Board]


def never() -> bool:
    return False


def searcher(nodes: int, weights: Weights, *, quiet: bool = True) -> Player:
    """Return a player who searches so many nodes a turn."""

    def choose(rules: Ruleset, board: Board, told: dict[int, int]) -> Board:
        tree = tree_below(rules, board, weights)
        best = Search(nodes, never, told, quiet).best(tree, DEEPEST, 1, 0)[0]
        return boards(tree, 1, best.at + ROW)[-1]

    return choose


def tree_below(rules: Ruleset, board: Board, weights: Weights | None = None) -> PlainTree:
    """Return the tree below a board. Without `weights` it has those of the rules."""
    me, you, gipf, counts, ended = board
    weights = weights or weights_of(start(rules))
    return PlainTree(rules.pieces, rules.gipf_decides, weights, (me, you, gipf, counts, ended))


def random_opening(rules: Ruleset, rng: Random, turns: int) -> Board:
    """Return the board after so many random turns."""
    while True:
        board = board_of(start(rules))
        for _ in range(turns):
            children = boards_after(rules, board)
            if not children:
                break
            board = rng.choice(children)
        if boards_after(rules, board):
            return board


def boards_after(rules: Ruleset, board: Board) -> list[Board]:
    """Return the boards after every turn of the search; none if the game is over."""
    tree = tree_below(rules, board)
    return boards(tree, 1, tree.children(0, 0, False))


def played(rules: Ruleset, board: Board, players: tuple[Player, Player]) -> Iterator[Board]:
    """Yield the boards of a game: the first is the given one, in which the first player moves."""
    earlier: dict[tuple[int, int], int] = {}
    for number in range(LONGEST):
        yield board
        if board[ENDED]:
            return
        side = number & 1
        told = {2 * key + (at ^ side): count for (key, at), count in earlier.items()}
        at = (int(board_key(*board)), side)
        earlier[at] = earlier.get(at, 0) + 1
        if earlier[at] > 2:
            return
        board = players[side](rules, board, told)


def score(played_boards: list[Board]) -> int:
    """Return 1 if the first player has won a game, -1 if the second has, 0 if it is void or too long."""
    last, turns = played_boards[-1], len(played_boards) - 1
    return last[ENDED] * (1 if turns % 2 == 0 else -1)


def match(rules: Ruleset, one: Player, two: Player, pairs: int, seed: int = 1) -> tuple[int, int, int]:
    """Return the wins of both players and the games without a winner. Each opening is played with both colours."""
    counts, rng = [0, 0, 0], Random(seed)
    for _ in range(pairs):
        opening = random_opening(rules, rng, rng.randint(2, 6))
        for players, first in (((one, two), 0), ((two, one), 1)):
            result = score(list(played(rules, opening, players)))
            counts[2 if not result else first if result > 0 else 1 - first] += 1
    return counts[0], counts[1], counts[2]
