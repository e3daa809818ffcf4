"""Prove wins: whether a player can force a win within a number of own turns, whatever the opponent does.

Every turn of both players is looked at, so the answer is exact. A position that repeats an earlier one wins nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .packed import i64, vec
from .tree import ACT, ENDED, ORDER, ROW, TOOK, Tree

_POLLED: Final = 63  # `stop` is called once in _POLLED + 1 nodes
_TABLE: Final = 1 << 17
_LONGEST: Final = 64
_REFUTING: Final = 3  # refuting acts that are remembered for each number of own turns
# An entry of the table, from the lowest bit: whether the player wins, and 1 more than the own turns.
_OWN_TURNS_AT: Final = 1


class Prover:
    """One proof. `told` counts earlier positions, as for `Search`. A longer proof needs no more memory."""

    def __init__(self, nodes: int, stop: Callable[[], bool], told: dict[int, int]) -> None:
        self.budget: i64 = nodes
        self.stop: Callable[[], bool] = stop
        self.told: dict[int, int] = told
        self.nodes: i64 = 0
        self.cut: bool = False  # `stop` or the budget ended the proof; then its answer means nothing
        self._keys: vec[i64] = vec[i64]([0] * _TABLE)
        self._entries: vec[i64] = vec[i64]([0] * _TABLE)
        self._path: vec[i64] = vec[i64]([0] * (2 * _LONGEST + 2))
        # By the own turns that are left: the act that won last, and those that refuted last.
        self._winning: vec[i64] = vec[i64]([-1] * _LONGEST)
        self._refuting: vec[i64] = vec[i64]([-1] * (_LONGEST * _REFUTING))

    def winning(self, tree: Tree, own_turns: i64) -> list[int]:
        """Return the keys of the root's children that win by force.

        They do within so many turns of the player, the first included.
        """
        if own_turns < 1 or not tree.may_win(0, 0, own_turns):
            return []
        self._path[0] = tree.key(0, 0)
        found: list[int] = []
        end = tree.possible_wins(0, 0) if own_turns == 1 else tree.children(0, 0, True)
        for child in range(0, end, ROW):
            if self._loses(tree, child, own_turns - 1, 1):
                found.append(tree.key(1, child))
            if self.cut:
                return []
        return found

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.budget or (self.nodes & _POLLED == 0 and self.stop()):
            self.cut = True

    def _is_void(self, key: i64, ply: i64) -> bool:
        earlier = ply - 2
        while earlier >= 0:
            if self._path[earlier] == key:
                return True
            earlier -= 2
        return len(self.told) > 0 and self.told.get(2 * key + (ply & 1), 0) > 1

    def _wins(self, tree: Tree, at: i64, own_turns: i64, ply: i64) -> bool:
        """Return whether the player wins within so many own turns."""
        self._count()
        ended = tree.rows[ply][at + ENDED]
        if ended != 0 or self.cut:
            return ended > 0
        key = tree.key(ply, at)
        if self._is_void(key, ply) or not tree.may_win(ply, at, own_turns):
            return False
        if own_turns == 1:
            end = tree.possible_wins(ply, at)
            return _has_win(tree.rows[ply + 1], end)
        place = (key ^ key >> 21 ^ key >> 43 ^ own_turns) & (_TABLE - 1)
        entry = self._entries[place]
        if self._keys[place] == key and entry >> _OWN_TURNS_AT == own_turns + 1:
            return entry & 1 == 1
        self._path[ply] = key
        won = self._has_winning_child(tree, tree.children(ply, at, True), own_turns, ply)
        if not self.cut:
            self._keys[place] = key
            self._entries[place] = own_turns + 1 << _OWN_TURNS_AT | (1 if won else 0)
        return won

    def _has_winning_child(self, tree: Tree, end: i64, own_turns: i64, ply: i64) -> bool:
        """Return whether a child wins. Ordering by the evaluation is slower, and no better."""
        rows = tree.rows[ply + 1]
        winning = self._winning[own_turns]
        for child in range(0, end, ROW):
            act = rows[child + ACT]
            first = rows[child + ENDED] < 0 or act & TOOK - 1 == winning
            rows[child + ORDER] = 2 if first else 1 if act >= TOOK else 0
        for rank in range(2, -1, -1):
            for child in range(0, end, ROW):
                if rows[child + ORDER] == rank and self._loses(tree, child, own_turns - 1, ply + 1):
                    self._winning[own_turns] = rows[child + ACT] & TOOK - 1
                    return True
        return False

    def _loses(self, tree: Tree, at: i64, own_turns: i64, ply: i64) -> bool:
        """Return whether the player, whose turn it is, loses within so many turns of the opponent."""
        self._count()
        ended = tree.rows[ply][at + ENDED]
        if ended != 0 or own_turns < 1 or self.cut:
            return ended < 0
        key = tree.key(ply, at)
        if self._is_void(key, ply):
            return False
        self._path[ply] = key
        return not self._is_refuted(tree, tree.children(ply, at, True), own_turns, ply)

    def _is_refuted(self, tree: Tree, end: i64, own_turns: i64, ply: i64) -> bool:
        """Return whether a turn of the player keeps the opponent from winning. Tries the last refuting acts first."""
        rows = tree.rows[ply + 1]
        first = own_turns * _REFUTING
        for child in range(0, end, ROW):
            rows[child + ORDER] = _REFUTING
            for number in range(_REFUTING):
                if self._refuting[first + number] == rows[child + ACT] & TOOK - 1:
                    rows[child + ORDER] = number
        for rank in range(_REFUTING + 1):
            for child in range(0, end, ROW):
                if rows[child + ORDER] == rank and not self._wins(tree, child, own_turns, ply + 1):
                    if rank == _REFUTING:
                        self._remember(rows[child + ACT] & TOOK - 1, first)
                    return True
        return False

    def _remember(self, act: i64, first: i64) -> None:
        """Put an act before the others that have refuted."""
        for number in range(first + _REFUTING - 1, first, -1):
            self._refuting[number] = self._refuting[number - 1]
        self._refuting[first] = act


def _has_win(rows: vec[i64], end: i64) -> bool:
    """Return whether one of the children is won by the player who has moved."""
    for child in range(0, end, ROW):  # noqa: SIM110 (a loop is faster compiled)
        if rows[child + ENDED] < 0:
            return True
    return False
