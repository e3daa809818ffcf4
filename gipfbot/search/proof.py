"""Prove wins: whether a player can force a win within a number of own turns, whatever the opponent does.

Every turn of both players is looked at, so the answer is exact. A position that repeats an earlier one wins nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from .node import Node

if TYPE_CHECKING:
    from mypy_extensions import i64

_POLLED: Final = 63  # `stop` is asked once in so many nodes and one
_REPLY: Final = 1 << 30  # order of the reply that has just refuted another turn
_TABLE: Final = 1 << 17
# An entry of the table, from the lowest bit: whether the player wins, and 1 more than the own turns.
_OWN_TURNS_AT: Final = 1


class Prover:
    """One proof. `told` counts earlier positions, as for `Search`. However long it takes, it needs no more memory."""

    def __init__(self, nodes: int, stop: Callable[[], bool], told: dict[int, int]) -> None:
        self.budget: i64 = nodes
        self.stop: Callable[[], bool] = stop
        self.told: dict[int, int] = told
        self.nodes: i64 = 0
        self.cut: bool = False  # `stop` or the budget ended the proof; then its answer means nothing
        self._keys: list[i64] = [0] * _TABLE
        self._entries: list[i64] = [0] * _TABLE
        self._path: list[i64] = []
        self._refuting: list[i64] = [-1] * 64

    def winning(self, root: Node, own_turns: i64) -> list[Node]:
        """Return the children of the root that win by force, within so many turns of the player, the first included."""
        if root.ended != 0 or own_turns < 1:
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
        if self._is_void(key):
            return False
        if own_turns == 1:
            return len(node.wins()) > 0
        place = (key ^ key >> 21 ^ key >> 43 ^ own_turns) & (_TABLE - 1)
        entry = self._entries[place]
        if self._keys[place] == key and entry >> _OWN_TURNS_AT == own_turns + 1:
            return entry & 1 == 1
        self._path.append(key)
        children = node.children(True)
        order: list[i64] = []
        for index, child in enumerate(children):
            guess = -child.ended * _REPLY if child.ended != 0 else -child.value() + (1000 if child.took else 0)
            order.append(guess + 2 * _REPLY << 20 | index)
        order.sort(reverse=True)
        won = False
        for number in order:
            if self._loses(children[number & 0xFFFFF], own_turns - 1):
                won = True
                break
        self._path.pop()
        if not self.cut:
            self._keys[place] = key
            self._entries[place] = own_turns + 1 << _OWN_TURNS_AT | (1 if won else 0)
        return won

    def _loses(self, node: Node, own_turns: i64) -> bool:
        """Return whether the player, whose turn it is, loses within so many turns of the opponent."""
        self._count()
        if node.ended != 0 or own_turns < 1 or self.cut:
            return node.ended < 0
        key = node.key()
        if self._is_void(key):
            return False
        self._path.append(key)
        lost = True
        children = node.children(True)
        refuting = self._refuting[own_turns]
        if refuting >= 0:
            for child in children:
                if child.act == refuting and not self._wins(child, own_turns):
                    lost = False
                    break
        if lost:
            for child in children:
                if child.act != refuting and not self._wins(child, own_turns):
                    self._refuting[own_turns] = child.act
                    lost = False
                    break
        self._path.pop()
        return lost
