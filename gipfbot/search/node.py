"""The base class of the search's nodes: positions in the tree of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64


class Node:
    """A position in which one player decides. All values are seen by this player.

    The children are the positions in which the opponent decides next. Two kinds of nodes exist: on plain integers for
    the official versions, and on the functions of the rules for all others.
    """

    def __init__(self) -> None:
        self.ended: i64 = 0  # 1 the player has won, -1 lost, 0 the game goes on
        self.act: i64 = 0  # a small number for the act that led here, for the history of the search
        self.took: bool = False  # whether the turn that led here removed anything
        self.guess: i64 = 0  # the order among its siblings; the search sets it
        self.known_key: i64 = 0
        self.known_value: i64 = 0
        self.valued: bool = False

    def key(self) -> i64:
        """Return a hash of the position, at most 62 bits and never 0. It does not depend on who is White."""
        raise NotImplementedError

    def value(self) -> i64:
        """Return the evaluation in hundredths of a piece. Ignores standing rows."""
        raise NotImplementedError

    def children(self, wide: bool) -> list[Node]:
        """Return the nodes after every full turn, each position once.

        Unless `wide`, a player in the opening of Tournament brings in three GIPF-pieces, and then basic ones.
        """
        raise NotImplementedError

    def has_row(self) -> bool:
        """Return whether a row of the player stands."""
        raise NotImplementedError

    def wins(self) -> list[Node]:
        """Return the children that the player has won, out of all in `children(True)`."""
        return [child for child in self.children(True) if child.ended < 0]

    def has_win(self) -> bool:
        """Return whether `wins` has any."""
        return len(self.wins()) > 0

    def after_act(self, act: i64) -> list[Node]:
        """Return the children after turns with an act, as `children(True)` has them; empty if it is illegal."""
        return [child for child in self.children(True) if child.act == act]

    def may_win(self, own_turns: i64) -> bool:
        """Return False if the player can certainly not force a win within so many own turns. Plays no turn."""
        return True

    def removals(self) -> list[Node]:
        """Return the children after which the player has removed a row of their own that the act made."""
        raise NotImplementedError

    def settled(self) -> list[Node]:
        """Return the nodes after the removals before the act, with the same player; empty if no row stands."""
        raise NotImplementedError
