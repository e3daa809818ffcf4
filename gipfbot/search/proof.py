"""Prove wins: whether a player can force a win within a number of own turns, whatever the opponent does.

Every turn of both players is looked at, so the answer is exact. A position that repeats an earlier one wins nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from .node import Node

if TYPE_CHECKING:
    from mypy_extensions import i64

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
        self._keys: list[i64] = [0] * _TABLE
        self._entries: list[i64] = [0] * _TABLE
        self._path: list[i64] = []
        # By the own turns that are left: the act that won last, and those that refuted last.
        self._winning: list[i64] = [-1] * _LONGEST
        self._refuting: list[list[i64]] = [[-1] * _REFUTING for _ in range(_LONGEST)]

    def winning(self, root: Node, own_turns: i64) -> list[Node]:
        """Return the children of the root that win by force, within so many turns of the player, the first included."""
        if root.ended != 0 or own_turns < 1 or not root.may_win(own_turns):
            return []
        self._path = [root.key()]
        found: list[Node] = []
        for child in root.wins() if own_turns == 1 else root.children(True):
            if self._loses(child, own_turns - 1):
                found.append(child)
            if self.cut:
                return []
        return found

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.budget or (self.nodes & _POLLED == 0 and self.stop()):
            self.cut = True

    def _is_void(self, key: i64) -> bool:
        at = len(self._path)
        earlier = at - 2
        while earlier >= 0:
            if self._path[earlier] == key:
                return True
            earlier -= 2
        return len(self.told) > 0 and self.told.get(2 * key + (at & 1), 0) > 1

    def _wins(self, node: Node, own_turns: i64) -> bool:
        """Return whether the player wins within so many own turns."""
        self._count()
        if node.ended != 0 or self.cut:
            return node.ended > 0
        key = node.key()
        if self._is_void(key) or not node.may_win(own_turns):
            return False
        if own_turns == 1:
            return node.has_win()
        place = (key ^ key >> 21 ^ key >> 43 ^ own_turns) & (_TABLE - 1)
        entry = self._entries[place]
        if self._keys[place] == key and entry >> _OWN_TURNS_AT == own_turns + 1:
            return entry & 1 == 1
        self._path.append(key)
        won = False
        for child in self._ordered(node.children(True), own_turns):
            if self._loses(child, own_turns - 1):
                self._winning[own_turns] = child.act
                won = True
                break
        self._path.pop()
        if not self.cut:
            self._keys[place] = key
            self._entries[place] = own_turns + 1 << _OWN_TURNS_AT | (1 if won else 0)
        return won

    def _ordered(self, children: list[Node], own_turns: i64) -> list[Node]:
        """Return turns in the order in which to try them. Ordering by the evaluation is slower, and no better."""
        first: list[Node] = []
        taking: list[Node] = []
        quiet: list[Node] = []
        winning = self._winning[own_turns]
        for child in children:
            if child.ended < 0 or child.act == winning:
                first.append(child)
            elif child.took:
                taking.append(child)
            else:
                quiet.append(child)
        return first + taking + quiet

    def _loses(self, node: Node, own_turns: i64) -> bool:
        """Return whether the player, whose turn it is, loses within so many turns of the opponent."""
        self._count()
        if node.ended != 0 or own_turns < 1 or self.cut:
            return node.ended < 0
        key = node.key()
        if self._is_void(key):
            return False
        self._path.append(key)
        lost = not self._is_refuted(node, own_turns)
        self._path.pop()
        return lost

    def _is_refuted(self, node: Node, own_turns: i64) -> bool:
        """Return whether a turn of the player keeps the opponent from winning. Tries the last refuting acts first."""
        acts = self._refuting[own_turns]
        for act in acts:
            if act >= 0:
                for child in node.after_act(act):
                    if not self._wins(child, own_turns):
                        return True
        for child in node.children(True):
            if child.act not in acts and not self._wins(child, own_turns):
                acts.insert(0, child.act)
                del acts[_REFUTING:]
                return True
        return False
