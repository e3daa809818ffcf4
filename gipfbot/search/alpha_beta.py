"""Alpha-beta with iterative deepening over the rows of any tree.

The answer depends on nothing but the request, unless `stop` ends the search: there is no clock and no chance here, and
all numbers are integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .packed import i64, vec
from .tree import ACT, ACTS, ENDED, ORDER, ROW, TOOK, WIN, WON, Tree

ENDLESS: Final = 32_000
DEEPEST: Final = 40  # turns
QUIET_TURNS: Final = 6  # turns with removals that quiescence follows
PLIES: Final = DEEPEST + QUIET_TURNS + 4
_LEFT_OUT_BITS: Final = 2  # a quarter of the positions that are only evaluated count as nodes
MADE: Final = 8  # positions that a node may make on the rules; in a crowded position more of them count as nodes
_POLLED: Final = 15  # `stop` is called about once in _POLLED + 1 nodes
_TABLE: Final = 1 << 16
_INDEX_BITS: Final = 20  # low bits of a choice's sort key; they hold its index, counted from the end
_LAST: Final = (1 << _INDEX_BITS) - 1
# Ranks of children, beside their evaluation or the history of their act.
_TRIED: Final = -(1 << 40)
_STORED: Final = 1 << 30
_WINS: Final = 1 << 28
_TAKES: Final = 1 << 20
_KILLS: Final = 1 << 19
_CHOSEN_LAST: Final = 8  # before the last turn, so many children are tried by their rank, the others as they come
# An entry of the table, from the lowest bit: the best child and 1, the kind of the score, the depth, the score.
_FIRST: Final = 4095
_KIND_AT: Final = 12
_DEPTH_AT: Final = 14
_SCORE_AT: Final = 20
_EXACT: Final = 1
_AT_LEAST: Final = 2
_AT_MOST: Final = 3


class Choice:
    """A turn at the root: where the row of its position begins in ply 1, its score, and the expected line.

    The line holds the keys of the positions, its own first.
    """

    def __init__(self, at: i64) -> None:
        self.at: i64 = at
        self.score: i64 = -ENDLESS
        self.exact: bool = False  # otherwise the score is an upper bound
        self.line: list[int] = []


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
        self._keys: vec[i64] = vec[i64]([0] * _TABLE)
        self._entries: vec[i64] = vec[i64]([0] * _TABLE)
        self._path: vec[i64] = vec[i64]([0] * PLIES)
        self._lines: list[vec[i64]] = [vec[i64]([0] * PLIES) for _ in range(PLIES)]  # by ply: the keys that follow
        self._lengths: vec[i64] = vec[i64]([0] * PLIES)
        self._history: vec[i64] = vec[i64]([0] * ACTS)
        self._killers: vec[i64] = vec[i64]([-1] * PLIES)

    def best(self, tree: Tree, deepest: i64, keep: i64, margin: i64) -> list[Choice]:
        """Return the turns of the root, best first.

        The scores of the best `keep` turns are exact, and those of all turns within `margin` of the last of these. Does
        not check that the game goes on.
        """
        choices = [Choice(at) for at in range(0, tree.children(0, 0, False), ROW)]
        for choice in choices:
            ended = tree.rows[1][choice.at + ENDED]
            choice.score = -tree.value(1, choice.at) if ended == 0 else -ended * (WIN - 1)
            choice.line = [tree.key(1, choice.at)]
        choices = _ranked(choices)
        tree.made = 0  # each turn of the root is a choice, whatever it costs
        self._path[0] = tree.key(0, 0)
        depth: i64 = 1
        while depth <= deepest:
            choices = self._deepen(tree, choices, depth, keep, margin)
            if self.halted:
                break
            self.depth = depth
            best = choices[0].score
            if (best > WON and WIN - best <= depth) or (best < -WON and WIN + best <= depth):
                break
            depth += 1
        return choices

    def _deepen(self, tree: Tree, choices: list[Choice], depth: i64, keep: i64, margin: i64) -> list[Choice]:
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
            searched = self._search_choice(tree, choice.at, depth, bound)
            if self.halted:
                break
            found.append(searched)
            if searched.exact:
                scores.append(searched.score)
                scores.sort(reverse=True)
                del scores[keep:]  # a crowded board has over 100,000 turns
        if not self.halted:
            return _ranked(found)
        if depth > 1 and (keep > 1 or margin > 0):
            return choices
        found, rest = _ranked(found), choices[len(found) :]
        if not found or found[0].score >= -WON:
            return found + rest
        open_turns = [choice for choice in rest if choice.score >= -WON]
        return open_turns + found + [choice for choice in rest if choice.score < -WON]

    def follow_removals(self, tree: Tree) -> i64:
        """Return the score of the root by following only the turns that remove something."""
        return self._follow_removals(tree, 0, -ENDLESS, ENDLESS, 0, QUIET_TURNS)

    def _search_choice(self, tree: Tree, at: i64, depth: i64, bound: i64) -> Choice:
        choice = Choice(at)
        if bound > -ENDLESS:
            choice.score = -self._search(tree, at, depth - 1, -bound - 1, -bound, 1)
        if bound == -ENDLESS or choice.score > bound:
            choice.score = -self._search(tree, at, depth - 1, -ENDLESS, -bound, 1)
            choice.exact = choice.score > bound
        choice.line = [tree.key(1, at)]
        if choice.exact:
            for number in range(self._lengths[1]):
                choice.line.append(self._lines[1][number])
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

    def _count_made(self, tree: Tree) -> None:
        """Count a node for each MADE positions that were made, up to the budget."""
        self.nodes = max(self.nodes, min(tree.made // MADE, self.budget))

    def _is_void(self, key: i64, ply: i64) -> bool:
        """Return whether a position repeats an earlier one of the line, or stands for the third time (R6.3)."""
        path = self._path
        earlier = ply - 2
        while earlier >= 0:
            if path[earlier] == key:
                return True
            earlier -= 2
        return len(self.told) > 0 and self.told.get(2 * key + (ply & 1), 0) > 1

    def _search(self, tree: Tree, at: i64, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the score of a position for its player.

        At or below `alpha` it is an upper bound, from `beta` on a lower one.
        """
        self._lengths[ply] = 0
        ended = tree.rows[ply][at + ENDED]
        if ended != 0:
            self.nodes += 1
            return ended * (WIN - ply)
        key = tree.key(ply, at)
        if self._is_void(key, ply):
            self.nodes += 1
            return 0
        if depth <= 0:
            if self.quiet:
                return self._follow_removals(tree, at, alpha, beta, ply, QUIET_TURNS)
            self.nodes += 1
            return tree.value(ply, at)
        if self._halts():
            return 0
        self._path[ply] = key
        entry = self._entry(key)
        if entry and beta - alpha == 1 and entry >> _DEPTH_AT & 63 >= depth:
            score = _stored_score(entry, ply)
            kind = entry >> _KIND_AT & 3
            if kind == _EXACT or (score >= beta if kind == _AT_LEAST else score <= alpha):
                return score
        return self._search_children(tree, at, key, (entry & _FIRST) - 1, depth, alpha, beta, ply)

    def _search_children(
        self, tree: Tree, at: i64, key: i64, first: i64, depth: i64, alpha: i64, beta: i64, ply: i64
    ) -> i64:
        """Return the score of a position by its children, and remember it.

        `first` is the number of the child to begin with, or -1.
        """
        end = tree.children(ply, at, False)
        self._count_made(tree)
        self._rank(tree, end, first, depth, ply)
        rows = tree.rows[ply + 1]
        best: i64 = -ENDLESS
        best_child: i64 = -1
        low = alpha
        left_out: i64 = 0
        chosen: i64 = _CHOSEN_LAST if depth == 1 else end
        next_in_turn: i64 = 0
        tried: i64 = 0
        while tried * ROW < end:
            if tried < chosen:
                child = _highest(rows, end)
            else:
                while rows[next_in_turn + ORDER] == _TRIED:
                    next_in_turn += ROW
                child = next_in_turn
            rows[child + ORDER] = _TRIED
            if depth == 1 and self._cannot_raise(tree, child, low, ply):
                best = max(best, -tree.value(ply + 1, child))
                left_out += 1
                tried += 1
                continue
            if best > -WON and _is_too_late(tried, depth) and beta - alpha == 1 and _is_quiet(rows, child):
                left_out += 1
                tried += 1
                continue
            score = self._search_child(tree, child, tried, depth, low, beta, ply)
            tried += 1
            if self.halted:
                return 0
            if score > best:
                best, best_child = score, child
            if score > low:
                low = score
                self._begin_line(tree.key(ply + 1, child), ply)
                if low >= beta:
                    self._remember_cut(rows[child + ACT], depth, ply)
                    break
        self._count_left_out(left_out)
        kind: i64 = _AT_MOST if best <= alpha else _AT_LEAST if best >= beta else _EXACT
        self._store(key, depth, best, best_child // ROW, kind, ply)
        return best

    def _search_child(self, tree: Tree, child: i64, tried: i64, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the score of a child, seen by the parent. Late turns are searched less deeply at first."""
        if tried == 0:
            return -self._search(tree, child, depth - 1, -beta, -alpha, ply + 1)
        less: i64 = 1
        if depth > 2 and tried >= 3 and _is_quiet(tree.rows[ply + 1], child):
            less = min(depth, 2 if tried < 6 else 3 if tried < 12 else 4 if tried < 20 else 5)
        score = -self._search(tree, child, depth - less, -alpha - 1, -alpha, ply + 1)
        if score > alpha and less > 1:
            score = -self._search(tree, child, depth - 1, -alpha - 1, -alpha, ply + 1)
        if alpha < score < beta:
            score = -self._search(tree, child, depth - 1, -beta, -alpha, ply + 1)
        return score

    def _cannot_raise(self, tree: Tree, child: i64, low: i64, ply: i64) -> bool:
        """Return whether a child after the last turn has a score of `low` at most, for the parent.

        Its player may always leave it at the evaluation, unless a row of theirs stands or the position is void.
        """
        if tree.rows[ply + 1][child + ENDED] != 0 or -tree.value(ply + 1, child) > low or tree.has_row(ply + 1, child):
            return False
        return low >= 0 or not self._is_void(tree.key(ply + 1, child), ply + 1)

    def _begin_line(self, key: i64, ply: i64) -> None:
        """Let the expected line go on with a child, and then as it does from there."""
        line, rest = self._lines[ply], self._lines[ply + 1]
        length = self._lengths[ply + 1]
        line[0] = key
        for number in range(length):
            line[number + 1] = rest[number]
        self._lengths[ply] = length + 1

    def _entry(self, key: i64) -> i64:
        """Return the table's entry for a position; 0 if there is none."""
        place = (key ^ key >> 21 ^ key >> 43) & (_TABLE - 1)
        return self._entries[place] if self._keys[place] == key else 0

    def _store(self, key: i64, depth: i64, score: i64, child: i64, kind: i64, ply: i64) -> None:
        place = (key ^ key >> 21 ^ key >> 43) & (_TABLE - 1)
        score += ply if score > WON else -ply if score < -WON else 0
        first = child + 1 if child < _FIRST else 0
        self._keys[place] = key
        self._entries[place] = score + ENDLESS << _SCORE_AT | depth << _DEPTH_AT | kind << _KIND_AT | first

    def _remember_cut(self, act: i64, depth: i64, ply: i64) -> None:
        if act < TOOK:
            self._killers[ply] = act
            self._history[act] += depth * depth

    def _rank(self, tree: Tree, end: i64, first: i64, depth: i64, ply: i64) -> None:
        """Say in which order to try the children: the highest rank first."""
        rows = tree.rows[ply + 1]
        killer, history = self._killers[ply], self._history
        for child in range(0, end, ROW):
            act, ended = rows[child + ACT], rows[child + ENDED]
            rank: i64 = 0
            if ended != 0:
                rank = -ended * _WINS
            elif depth > 1:
                rank = -tree.value(ply + 1, child)
                if act == killer:
                    rank += 100
            elif act >= TOOK:
                rank = _TAKES
            else:
                rank = min(_KILLS, history[act])
                if act == killer:
                    rank += _KILLS
            rows[child + ORDER] = rank
        if 0 <= first * ROW < end:
            rows[first * ROW + ORDER] = _STORED

    def _follow_removals(self, tree: Tree, at: i64, alpha: i64, beta: i64, ply: i64, left: i64) -> i64:
        """Return the score of a position after the last turn of the search, following turns that remove something."""
        self._lengths[ply] = 0
        ended = tree.rows[ply][at + ENDED]
        if ended != 0:
            self.nodes += 1
            return ended * (WIN - ply)
        if self._halts():
            return 0
        best = tree.stand(ply, at)
        if best >= beta or left == 0:
            return best
        end = tree.removals(ply, at)
        self._count_made(tree)
        self._rank(tree, end, -1, 2, ply)
        rows = tree.rows[ply + 1]
        low = max(best, alpha)
        for _ in range(0, end, ROW):
            child = _highest(rows, end)
            rows[child + ORDER] = _TRIED
            if self._cannot_raise(tree, child, low, ply):
                best = max(best, -tree.value(ply + 1, child))
                continue
            score = -self._follow_removals(tree, child, -beta, -low, ply + 1, left - 1)
            if self.halted:
                return 0
            if score > best:
                best = score
                if score > low:
                    low = score
                    self._begin_line(tree.key(ply + 1, child), ply)
                    if low >= beta:
                        break
        return best


def _is_quiet(rows: vec[i64], child: i64) -> bool:
    """Return whether a turn has neither removed anything nor ended the game."""
    return rows[child + ACT] < TOOK and rows[child + ENDED] == 0


def _is_too_late(tried: i64, depth: i64) -> bool:
    """Return whether a quiet turn is left out because so many were tried before it."""
    return (depth == 2 and tried >= 11) or (depth == 3 and tried >= 23)


def _highest(rows: vec[i64], end: i64) -> i64:
    """Return where the child of the highest rank begins, the first of equal ones."""
    found: i64 = 0
    highest = rows[ORDER]
    for child in range(ROW, end, ROW):
        rank = rows[child + ORDER]
        if rank > highest:
            found, highest = child, rank
    return found


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
