"""Positions of all rule sets, on the functions of the rules: for potentials, for Overboard, and inside a turn.

Slower than `plain_tree`. A child is the first position in which the other player decides, or the end of the game. With
potentials that is the end of the turn. In Overboard it may be a question to the opponent within the turn (R8.4).
"""

from __future__ import annotations

from typing import Final

from gipfbot.rules import Act, Action, Colour, Kind, Piece, Position, Push, Remove, Use, legal, play, removal_ways
from gipfbot.rules.geometry import ENTRIES
from gipfbot.rules.rows import has_row

from .evaluation import OPENING_GIPF, Weights, evaluate
from .layout import FIRST, STEPS, doubled, four_in_line
from .packed import i64
from .threats import moved, reached
from .tree import ACT, ENDED, ROW, TOOK, UNKNOWN, VALUE, WIN, Tree

MOST_CHILDREN: Final = 2000  # of one position; only a few built ones have more
LOADED: Final = 35  # worth of a potential that can still be used or brought in, in hundredths of a piece
_NUMBERS: Final = {(entry.dot, entry.direction): number for number, entry in enumerate(ENTRIES)}
_USE: Final = 130  # the first number of the acts that use a potential
_MASK: Final = (1 << 61) - 1
_DIRECTIONS: Final = {sign * int(step): 2 * at + (sign < 0) for at, step in enumerate(STEPS) for sign in (1, -1)}


class RulesTree(Tree):
    """The positions below a root: rows of numbers for the search, and a node for each of them."""

    def __init__(self, root: RulesNode) -> None:
        super().__init__()
        self.nodes: list[list[RulesNode]] = []  # in the order of the rows
        self._put(0, [root])

    def key(self, ply: i64, at: i64) -> i64:
        """Return a hash of the position, seen by the player."""
        return self.node(ply, at).key()

    def value(self, ply: i64, at: i64) -> i64:
        """Return the evaluation in hundredths of a piece."""
        rows = self.rows[ply]
        if rows[at + VALUE] == UNKNOWN:
            rows[at + VALUE] = self.node(ply, at).value()
        return rows[at + VALUE]

    def stand(self, ply: i64, at: i64) -> i64:
        """Return the best score that the player has without an act."""
        settled = self.node(ply, at).settled()
        if not settled:
            return self.value(ply, at)
        return max([ready.ended * (WIN - ply - 1) if ready.ended != 0 else ready.value() for ready in settled])

    def has_row(self, ply: i64, at: i64) -> bool:
        """Return whether a row of the player stands."""
        return self.node(ply, at).has_row()

    def children(self, ply: i64, at: i64, wide: bool) -> i64:
        """Put the positions in which the opponent decides next into the next ply; return where their rows end."""
        return self._put(ply + 1, self.node(ply, at).children(wide))

    def removals(self, ply: i64, at: i64) -> i64:
        """Put the children after acts that leave something to be removed into the next ply, and return their end."""
        node = self.node(ply, at)
        return self._put(ply + 1, [child for ready in node.settled() or [node] for child in ready.removals()])

    def node(self, ply: i64, at: i64) -> RulesNode:
        """Return the node of a row."""
        return self.nodes[ply][at // ROW]

    def _put(self, ply: i64, nodes: list[RulesNode]) -> i64:
        while len(self.nodes) <= ply:
            self.nodes.append([])
        self.nodes[ply] = nodes
        self.made += len(nodes)
        rows = self.rows_of(ply)
        at: i64 = 0
        for node in nodes:
            if at == len(rows):
                rows = self.rows[ply] = doubled(rows)
            rows[at + ENDED] = node.ended
            rows[at + ACT] = node.act + (TOOK if node.took else 0)
            rows[at + VALUE] = UNKNOWN
            at += ROW
        return at


class RulesNode:
    """A position in which `player` decides, and the actions that lead to it from its parent.

    `begun` are the actions of the player's own turn that are played in it. Its children begin with them.
    """

    def __init__(
        self,
        position: Position,
        player: Colour,
        weights: Weights,
        path: tuple[Action, ...],
        begun: tuple[Action, ...] = (),
    ) -> None:
        self.ended: i64 = 0
        self.act: i64 = _act_number(path)
        self.took: bool = any(isinstance(action, Remove) and action.taken for action in path)
        self.known_key: i64 = 0
        self.position: Position = position
        self.player: Colour = player
        self.weights: Weights = weights
        self.path: tuple[Action, ...] = path
        self.begun: tuple[Action, ...] = begun
        if position.result is not None and position.result.winner is not None:
            self.ended = 1 if position.result.winner is player else -1

    def key(self) -> i64:
        """Return a hash of the position, seen by the player."""
        if self.known_key == 0:
            self.known_key = _hashed(self.position, self.player) + 1
        return self.known_key

    def value(self) -> i64:
        """Return the evaluation in hundredths of a piece."""
        position, me, you = self.position, self.player, self.player.other
        owned, reserve = position.owned, position.reserve
        rights = position.opening[me] + 2 * position.opening[you]
        total = evaluate(owned[me], owned[you], position.gipf, reserve[me], reserve[you], rights, self.weights)
        return total + (_odd_worth(position, me) if position.left else 0)

    def has_row(self) -> bool:
        """Return whether a row of the player stands."""
        return has_row(self.position.owned[self.player])

    def children(self, wide: bool) -> list[RulesNode]:
        """Return the nodes in which the opponent decides next, each position once."""
        if self.ended != 0 or self.position.result is not None:
            return []
        found: list[RulesNode] = []
        self._expand(self.position, self.begun, found, {self.position}, wide)
        return found

    def removals(self) -> list[RulesNode]:
        """Return the children after acts that leave something to be removed in the same turn."""
        found: list[RulesNode] = []
        seen = {self.position}
        for action in _making_rows(self.position) if self.ended == 0 else ():
            acted = play(self.position, action)
            if acted.result is None and acted.pushed and acted not in seen:
                seen.add(acted)
                self._go_on(acted, (*self.begun, action), found, seen, False)
        return found

    def settled(self) -> list[RulesNode]:
        """Return the nodes after the removals before the act; empty in Overboard, and if no row stands."""
        position = self.position
        if position.pushed or position.notes_rows or not has_row(position.owned[position.mover]):
            return []
        return [
            RulesNode(ready, self.player, self.weights, self.path, way) for ready, way in removal_ways(position).items()
        ]

    def _expand(
        self, here: Position, path: tuple[Action, ...], found: list[RulesNode], seen: set[Position], wide: bool
    ) -> None:
        """Add the children that lie behind a position in which the player decides."""
        placed: set[tuple[int, Kind]] = set()
        occupied = here.owned[0] | here.owned[1]
        official = not here.notes_rows
        for action in legal(here):
            if len(found) >= MOST_CHILDREN:
                return
            if isinstance(action, Push) and official:
                if not wide and _is_left_out(here, action):
                    continue
                if not occupied & action.entry.first:
                    place = (action.entry.first, action.kind)
                    if place in placed:
                        continue
                    placed.add(place)
            after = play(here, action)
            if after not in seen:
                seen.add(after)
                self._go_on(after, (*path, action), found, seen, wide)

    def _go_on(
        self, after: Position, path: tuple[Action, ...], found: list[RulesNode], seen: set[Position], wide: bool
    ) -> None:
        if after.result is not None or after.decider is not self.player:
            found.append(RulesNode(after, self.player.other, self.weights, path))
        else:
            self._expand(after, path, found, seen, wide)


def _making_rows(position: Position) -> list[Act]:
    """Return the legal acts after which a row of the mover stands; in Overboard all acts.

    Few acts make a row, and to play all others takes most of the time.
    """
    acts = [action for action in legal(position) if isinstance(action, Push | Use)]
    if position.notes_rows:
        return acts
    own, occupied = position.owned[position.mover], position.owned[0] | position.owned[1]
    pushed = {
        shift: int(moved(own, reached(occupied, direction), direction, FIRST[direction]))
        for shift, direction in _DIRECTIONS.items()
    }
    found: list[Act] = []
    for act in acts:
        if isinstance(act, Use):
            after = own | act.to
        else:
            line = act.entry.mask
            after = own & ~line | pushed[act.entry.shift] & line
        if four_in_line(after):
            found.append(act)
    return found


def _is_left_out(position: Position, push: Push) -> bool:
    """Return whether the bot's opening leaves out a push: it brings in three GIPF-pieces, then all others."""
    mover = position.mover
    if not position.opening[mover] or position.reserve[mover] < 2:
        return False
    on_board = (position.owned[mover] & position.gipf).bit_count()
    return on_board > 0 and (push.kind is Kind.GIPF) is not (on_board < OPENING_GIPF)


def _odd_worth(position: Position, me: Colour) -> int:
    """Return how potentials change the evaluation: used ones are no pieces, and loaded ones are worth more."""
    total = LOADED * (sum(position.left[me]) - sum(position.left[me.other]))
    for _, piece in position.odd:
        worth = LOADED if piece.kind.loaded else -100 if piece.kind.used else 0
        total += worth if piece.owner is me else -worth
    return total


def _act_number(path: tuple[Action, ...]) -> int:
    for action in path:
        if isinstance(action, Push):
            kind = 2 if action.kind.loaded else len(action.kind)
            return _NUMBERS[action.entry.dot, action.entry.direction] + 42 * kind
        if type(action) is Use:
            return _USE + (action.at.bit_length() + 7 * action.to.bit_length()) % 100
    return 129


def _hashed(position: Position, me: Colour) -> int:
    """Return a hash of a position that is the same on every machine. It swaps the colours if `me` is Black."""
    you = me.other
    values = [
        position.owned[me],
        position.owned[you],
        position.gipf,
        position.reserve[me] << 12 | position.reserve[you] << 6 | position.opening[me] << 1 | position.opening[you],
        position.captured[me] << 6 | position.captured[you],
        position.dealt,
        1 + position.pushed + 2 * (position.mover is me),
    ]
    for bit, piece in position.odd:
        values += [bit, *_piece_values(piece, me)]
    for side in (me, you) if position.left else ():
        values += position.left[side]
    for row in position.noted:
        values += [row.line + 32 * (row.owner is me), row.spots]
    values += [ord(letter) for letter in position.stage or ""]
    mixed = len(values)
    for value in values:
        mixed = (mixed ^ value) * 0x1D8E4E27C47D124F & _MASK
        mixed ^= mixed >> 29
    return mixed


def _piece_values(piece: Piece, me: Colour) -> list[int]:
    values = [2 * ord(piece.kind or " ") + (piece.owner is me)]
    for under in piece.under:
        values += _piece_values(under, me)
    return values
