"""Alpha-beta with iterative deepening over nodes of any kind.

The answer depends on nothing but the request, unless `stop` ends the search: there is no clock and no chance here, and
all numbers are integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from .node import Node

if TYPE_CHECKING:
    from mypy_extensions import i64

WIN: Final = 30_000  # the score of a won game, minus 1 for each turn until then
WON: Final = 29_000  # every score above is a proven win
ENDLESS: Final = 32_000
DEEPEST: Final = 40  # turns
QUIET_TURNS: Final = 6  # turns with removals that quiescence follows
ACTS: Final = 256
_LEFT_OUT_BITS: Final = 2  # a quarter of the positions that are only evaluated count as nodes
_POLLED: Final = 15  # `stop` is called about once in _POLLED + 1 nodes
_TABLE: Final = 1 << 16
_INDEX_BITS: Final = 20  # low bits of a child's sort key; they hold its index, counted from the end
_LAST: Final = (1 << _INDEX_BITS) - 1
# An entry of the table, from the lowest bit: the best child and 1, the kind of the score, the depth, the score.
_FIRST: Final = 4095
_KIND_AT: Final = 12
_DEPTH_AT: Final = 14
_SCORE_AT: Final = 20
_EXACT: Final = 1
_AT_LEAST: Final = 2
_AT_MOST: Final = 3


class Choice:
    """A turn at the root: the node it leads to, its score, and the nodes of the line that follows."""

    def __init__(self, node: Node) -> None:
        self.node: Node = node
        self.score: i64 = -ENDLESS
        self.exact: bool = False  # otherwise the score is an upper bound
        self.line: list[Node] = []


class Search:
    """One search. Its table is empty at the beginning."""

    def __init__(self, nodes: int, stop: Callable[[], bool], told: dict[int, int], quiet: bool) -> None:
        """Prepare a search of `nodes` nodes.

        `told` counts how often each position stood at the start of earlier turns. It is indexed by twice the position's
        key, plus 1 if the player to move at the root was not to move. `quiet` says whether removals are followed beyond
        the last turn.
        """
        self.budget: i64 = nodes
        self.stop: Callable[[], bool] = stop
        self.told: dict[int, int] = told
        self.quiet: bool = quiet
        self.nodes: i64 = 0
        self.depth: i64 = 0  # finished turns
        self.halted: bool = False
        self.cut: bool = False  # `stop` ended the search
        self._keys: list[i64] = [0] * _TABLE
        self._entries: list[i64] = [0] * _TABLE
        self._path: list[i64] = [0] * (DEEPEST + QUIET_TURNS + 4)
        self._lines: list[list[Node]] = [[] for _ in range(DEEPEST + QUIET_TURNS + 4)]
        self._history: list[i64] = [0] * ACTS
        self._killers: list[i64] = [-1] * (DEEPEST + QUIET_TURNS + 4)

    def best(self, root: Node, deepest: i64, keep: i64, margin: i64) -> list[Choice]:
        """Return the turns of the root, best first.

        The scores of the best `keep` turns are exact, and those of all turns within `margin` of the last of these. Does
        not check that the game goes on.
        """
        choices = [Choice(node) for node in root.children(False)]
        for choice in choices:
            choice.score = -choice.node.value() if choice.node.ended == 0 else -choice.node.ended * (WIN - 1)
        choices = _ranked(choices)
        self._path[0] = root.key()
        depth: i64 = 1
        while depth <= deepest:
            choices = self._deepen(choices, depth, keep, margin)
            if self.halted:
                break
            self.depth = depth
            best = choices[0].score
            if (best > WON and WIN - best <= depth) or (best < -WON and WIN + best <= depth):
                break
            depth += 1
        return choices

    def _deepen(self, choices: list[Choice], depth: i64, keep: i64, margin: i64) -> list[Choice]:
        """Return the turns in their new order, after a search of `depth` turns.

        If the budget ends first, the turns not yet searched come after the searched ones. If all searched turns lose by
        force, a turn that may not lose comes first.
        """
        found: list[Choice] = []
        scores: list[i64] = []
        for choice in choices:
            bound: i64 = -ENDLESS
            if len(scores) >= keep:
                bound = scores[keep - 1] - margin - 1
            searched = self._search_choice(choice.node, depth, bound)
            if self.halted:
                break
            found.append(searched)
            if searched.exact:
                scores.append(searched.score)
                scores.sort(reverse=True)
        if not self.halted:
            return _ranked(found)
        if depth > 1 and (keep > 1 or margin > 0):
            return choices
        found, rest = _ranked(found), choices[len(found) :]
        if not found or found[0].score >= -WON:
            return found + rest
        open_turns = [choice for choice in rest if choice.score >= -WON]
        return open_turns + found + [choice for choice in rest if choice.score < -WON]

    def follow_removals(self, node: Node) -> i64:
        """Return the score of a node by following only the turns that remove something."""
        return self._follow_removals(node, -ENDLESS, ENDLESS, 1, QUIET_TURNS)

    def _search_choice(self, node: Node, depth: i64, bound: i64) -> Choice:
        choice = Choice(node)
        if bound > -ENDLESS:
            choice.score = -self._search(node, depth - 1, -bound - 1, -bound, 1)
        if bound == -ENDLESS or choice.score > bound:
            choice.score = -self._search(node, depth - 1, -ENDLESS, -bound, 1)
            choice.exact = choice.score > bound
            choice.line = self._lines[1][:]
        return choice

    def _halts(self) -> bool:
        self.nodes += 1
        if self.nodes > self.budget:
            self.halted = True
        elif self.nodes & _POLLED == 0 and self.stop():
            self.halted = self.cut = True
        return self.halted

    def _count_left_out(self, positions: i64) -> None:
        """Count positions that were only evaluated, up to the budget."""
        counted = self.nodes + (positions >> _LEFT_OUT_BITS)
        self.nodes = max(self.nodes, min(counted, self.budget))

    def _is_void(self, key: i64, ply: i64) -> bool:
        """Return whether a position repeats an earlier one of the line, or stands for the third time (R6.3)."""
        earlier = ply - 2
        while earlier >= 0:
            if self._path[earlier] == key:
                return True
            earlier -= 2
        return len(self.told) > 0 and self.told.get(2 * key + (ply & 1), 0) > 1

    def _search(self, node: Node, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the score of a node for its player. At or below `alpha` it is an upper bound; from `beta` a lower."""
        self._lines[ply] = []
        if node.ended != 0:
            self.nodes += 1
            return node.ended * (WIN - ply)
        key = node.key()
        if self._is_void(key, ply):
            self.nodes += 1
            return 0
        if depth <= 0:
            return self._follow_removals(node, alpha, beta, ply, QUIET_TURNS) if self.quiet else self._look(node)
        if self._halts():
            return 0
        self._path[ply] = key
        entry = self._entry(key)
        if entry and beta - alpha == 1 and entry >> _DEPTH_AT & 63 >= depth:
            score = _stored_score(entry, ply)
            kind = entry >> _KIND_AT & 3
            if kind == _EXACT or (score >= beta if kind == _AT_LEAST else score <= alpha):
                return score
        return self._search_children(node, (entry & _FIRST) - 1, depth, alpha, beta, ply)

    def _search_children(self, node: Node, first: i64, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the score of a node by its children, and remember it. `first` is the child to begin with, or -1."""
        children = node.children(False)
        best: i64 = -ENDLESS
        best_index: i64 = -1
        low = alpha
        left_out: i64 = 0
        for tried, sorted_by in enumerate(self._ordered(children, first, depth, ply)):
            index = _LAST - (sorted_by & _LAST)
            child = children[index]
            if depth == 1 and self._cannot_raise(child, low, ply):
                best = max(best, -child.value())
                left_out += 1
                continue
            score = self._search_child(child, tried, depth, low, beta, ply)
            if self.halted:
                return 0
            if score > best:
                best, best_index = score, index
            if score > low:
                low = score
                self._lines[ply] = [child, *self._lines[ply + 1]]
                if low >= beta:
                    self._remember_cut(child, depth, ply)
                    break
        self._count_left_out(left_out)
        kind = _AT_MOST if best <= alpha else _AT_LEAST if best >= beta else _EXACT
        self._store(node.key(), depth, best, best_index, kind, ply)
        return best

    def _search_child(self, child: Node, tried: i64, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the score of a child, seen by the parent. Late turns are searched less deeply at first."""
        if tried == 0:
            return -self._search(child, depth - 1, -beta, -alpha, ply + 1)
        less: i64 = 1
        if depth > 2 and tried > 3 and not child.took:
            less = 3 if tried > 12 and depth > 4 else 2
        score = -self._search(child, depth - less, -alpha - 1, -alpha, ply + 1)
        if score > alpha and less > 1:
            score = -self._search(child, depth - 1, -alpha - 1, -alpha, ply + 1)
        if alpha < score < beta:
            score = -self._search(child, depth - 1, -beta, -alpha, ply + 1)
        return score

    def _cannot_raise(self, child: Node, low: i64, ply: i64) -> bool:
        """Return whether a child after the last turn has a score of `low` at most, for the parent.

        Its player may always leave it at the evaluation, unless a row of theirs stands or the position is void.
        """
        if child.ended != 0 or -child.value() > low or child.has_row():
            return False
        return low >= 0 or not self._is_void(child.key(), ply + 1)

    def _entry(self, key: i64) -> i64:
        """Return the table's entry for a position; 0 if there is none."""
        place = (key ^ key >> 21 ^ key >> 43) & (_TABLE - 1)
        return self._entries[place] if self._keys[place] == key else 0

    def _store(self, key: i64, depth: i64, score: i64, index: i64, kind: i64, ply: i64) -> None:
        place = (key ^ key >> 21 ^ key >> 43) & (_TABLE - 1)
        score += ply if score > WON else -ply if score < -WON else 0
        first = index + 1 if index < _FIRST else 0
        self._keys[place] = key
        self._entries[place] = score + ENDLESS << _SCORE_AT | depth << _DEPTH_AT | kind << _KIND_AT | first

    def _remember_cut(self, child: Node, depth: i64, ply: i64) -> None:
        if not child.took:
            self._killers[ply] = child.act
            self._history[child.act] += depth * depth

    def _ordered(self, children: list[Node], first: i64, depth: i64, ply: i64) -> list[i64]:
        """Return the order of the children as numbers, each with the index of a child in its low bits."""
        order: list[i64] = []
        killer = self._killers[ply]
        for index, child in enumerate(children):
            guess: i64 = 0
            if index == first:
                guess = 1 << 30
            elif child.ended != 0:
                guess = -child.ended << 28
            elif depth > 1:
                guess = -child.value()
            elif child.took:
                guess = 1 << 20
            else:
                history = self._history[child.act]
                guess = min(1 << 19, history)
            if child.act == killer and not child.took:
                guess += 1 << 19 if depth == 1 else 100
            order.append(guess + (1 << 31) << _INDEX_BITS | _LAST - index)
        order.sort(reverse=True)
        return order

    def _look(self, node: Node) -> i64:
        self.nodes += 1
        return node.value()

    def _follow_removals(self, node: Node, alpha: i64, beta: i64, ply: i64, left: i64) -> i64:
        """Return the score of a node after the last turn of the search, following turns that remove something."""
        self._lines[ply] = []
        if node.ended != 0:
            self.nodes += 1
            return node.ended * (WIN - ply)
        if self._halts():
            return 0
        settled = node.settled()
        if not settled:
            return self._stand_or_remove(node, alpha, beta, ply, left)
        best: i64 = -ENDLESS
        for ready in settled:
            score = ready.ended * (WIN - ply - 1)
            if ready.ended == 0:
                score = self._stand_or_remove(ready, max(best, alpha), beta, ply, left)
            if score > best:
                best = score
                if best >= beta:
                    break
        return best

    def _stand_or_remove(self, node: Node, alpha: i64, beta: i64, ply: i64, left: i64) -> i64:
        """Return the evaluation, or the best score after a turn that makes a row if that is better."""
        best = node.value()
        if best >= beta or left == 0:
            return best
        low = max(best, alpha)
        children = node.removals()
        for sorted_by in self._ordered(children, -1, 2, ply):
            child = children[_LAST - (sorted_by & _LAST)]
            if self._cannot_raise(child, low, ply):
                best = max(best, -child.value())
                continue
            score = -self._follow_removals(child, -beta, -low, ply + 1, left - 1)
            if self.halted:
                return 0
            if score > best:
                best = score
                if score > low:
                    low = score
                    self._lines[ply] = [child, *self._lines[ply + 1]]
                    if low >= beta:
                        break
        return best


def _stored_score(entry: i64, ply: i64) -> i64:
    """Return the score in an entry of the table. The entry counts turns until the end from its own position."""
    score = (entry >> _SCORE_AT) - ENDLESS
    return score - ply if score > WON else score + ply if score < -WON else score


def _ranked(choices: list[Choice]) -> list[Choice]:
    """Return turns, best first; those with an exact score come before the others. Equal ones stay in their order."""
    order: list[i64] = []
    for index, choice in enumerate(choices):
        order.append((choice.score + (ENDLESS * 4 if choice.exact else ENDLESS)) << _INDEX_BITS | _LAST - index)
    order.sort(reverse=True)
    return [choices[_LAST - (number & _LAST)] for number in order]
