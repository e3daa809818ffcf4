"""Positions for the tests of the search."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from gipfbot.rules import Position, Ruleset, start, turns
from gipfbot.search.plain_tree import COUNT_MASK, OTHER_AT, RESERVE_AT
from gipfbot.search.translate import plain_tree, tree_of
from gipfbot.search.tree import ACT, ENDED, ROW, Tree
from tests.rules.generate import at_random, dense, row_seeking, walk

Board = tuple[int, ...]  # a row up to its result: all that makes a position of the official versions
MOST_TURNS = 3000  # of a position that is compared turn by turn


def turn_starts(rules: Ruleset, rng: Random, *, crowded: bool = True) -> Iterator[Position]:
    """Yield positions at the start of a turn: of random games, of games that seek rows, crowded ones. Never end."""
    while True:
        for policy in (at_random, row_seeking):
            steps = walk(start(rules), rng, policy, 300)
            found = [after for before, _, after in steps if _begins(before, after)]
            yield from rng.sample(found, min(5, len(found)))
        if crowded and not rules.potentials and not rules.asks_opponent:
            yield from (dense(rules, rng) for _ in range(5))


def _begins(before: Position, after: Position) -> bool:
    return after.result is None and after.mover is not before.mover


def few_turns(position: Position, most: int = MOST_TURNS) -> list[Position] | None:
    """Return where the full turns lead; None if there are too many to compare."""
    ends = [end for _, end in islice(turns(position), most + 1)]
    return ends if len(ends) <= most else None


def board_of(position: Position) -> Board:
    """Return the board of a plain position."""
    return boards(plain_tree(position), 0, ROW)[0]


def boards(tree: Tree, ply: int, end: int) -> list[Board]:
    """Return the boards of a ply whose rows end there."""
    return [(*map(int, tree.rows[ply][at : at + ENDED + 1]),) for at in range(0, end, ROW)]


def term_arguments(board: Board) -> tuple[int, int, int, int, int, int]:
    """Return what `evaluation.terms` takes of a board."""
    me, you, gipf, counts, _ = board
    return me, you, gipf, counts >> RESERVE_AT, counts >> OTHER_AT & COUNT_MASK, counts & 3


def child_keys(position: Position, *, wide: bool = True) -> list[int]:
    """Return the keys of the children of a position, in the order of its tree."""
    tree = tree_of(position)
    return [int(tree.key(1, at)) for at in range(0, tree.children(0, 0, wide), ROW)]


def acts(tree: Tree, end: int) -> list[int]:
    """Return the acts of the root's children, with the mark of those that removed anything."""
    return [int(tree.rows[1][at + ACT]) for at in range(0, end, ROW)]
