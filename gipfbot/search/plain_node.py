"""Positions of the official versions without potentials, as plain integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .evaluation import OPENING_GIPF, Weights, evaluate
from .layout import ENTRY_DIRECTIONS, PUSH_ENTRIES, count_bits, four_in_line
from .node import Node
from .row_steps import RowStep
from .threats import row_spots

if TYPE_CHECKING:
    from mypy_extensions import i64

ENTRY_COUNT: Final = 42
NO_ACT: Final = 84  # the act of a turn that a removal ends
_LOW: Final = (1 << 28) - 1


class Version:
    """The facts about a rule set that the search needs."""

    def __init__(self, pieces: i64, decides: bool, weights: Weights) -> None:
        self.pieces: i64 = pieces
        self.decides: bool = decides  # a player without a GIPF-piece loses (R6.2)
        self.weights: Weights = weights


class PlainNode(Node):
    """A position at the start of a turn. `me` holds the spots of the player to move, `you` those of the opponent."""

    def __init__(
        self, version: Version, me: i64, you: i64, gipf: i64, reserve: i64, other: i64, right: bool, other_right: bool
    ) -> None:
        """Make a node. `reserve` and `right` belong to the player to move; `right` is the right of R5.2."""
        self.ended = 0
        self.act = 0
        self.took = False
        self.guess = 0
        self.known_key = 0
        self.known_value = 0
        self.valued = False
        self.version: Version = version
        self.me: i64 = me
        self.you: i64 = you
        self.gipf: i64 = gipf
        self.reserve: i64 = reserve
        self.other: i64 = other
        self.right: bool = right
        self.other_right: bool = other_right

    def rights(self) -> i64:
        """Return the rights of R5.2: 1 if the player has it, plus 2 if the opponent has it."""
        return (1 if self.right else 0) + (2 if self.other_right else 0)

    def key(self) -> i64:
        """Return a hash of the position. Each product has at most 58 bits, so nothing overflows."""
        if self.known_key == 0:
            me, you, gipf = self.me, self.you, self.gipf
            counts = self.reserve << 7 | self.other << 2 | self.rights()
            mixed = (me & _LOW) * 0x2F8B7D4F + (me >> 28) * 0x3A5C1E97 + (you & _LOW) * 0x36D90B53
            mixed += (you >> 28) * 0x29E4F6A1 + (gipf & _LOW) * 0x3D72C58B + (gipf >> 28) * 0x2B61A93D
            self.known_key = mixed + counts * 0x11F2E3C4B5 + 1
        return self.known_key

    def is_same(self, other: PlainNode) -> bool:
        """Return whether this is the same position as another one of the same game."""
        return (
            self.me == other.me
            and self.you == other.you
            and self.gipf == other.gipf
            and self.reserve == other.reserve
            and self.other == other.other
            and self.right == other.right
            and self.other_right == other.other_right
            and self.ended == other.ended
        )

    def wins(self) -> list[Node]:
        """Return the children that the player has won. Looks at all turns, but fast."""
        if self.other == 0 or four_in_line(self.me):
            children = self.children(True)
        else:
            children = []
            if self.version.decides and count_bits(self.me) > 2:
                self.add_pushes(children, set(), True, True)
        return [child for child in children if child.ended < 0]

    def has_win(self) -> bool:
        """Return whether `wins` has any. If the opponent has no reserve, mostly the first turn tried wins."""
        if self.other == 0 and not four_in_line(self.me):
            for act in range(NO_ACT):
                for child in self.after_act(act):
                    if child.ended < 0:
                        return True
            return False
        return len(self.wins()) > 0

    def value(self) -> i64:
        """Return the evaluation in hundredths of a piece."""
        if not self.valued:
            rights = self.rights()
            weights = self.version.weights
            self.known_value = evaluate(self.me, self.you, self.gipf, self.reserve, self.other, rights, weights)
            self.valued = True
        return self.known_value

    def has_row(self) -> bool:
        """Return whether a row of the player stands."""
        return four_in_line(self.me)

    def children(self, wide: bool) -> list[Node]:
        """Return the nodes after every full turn, each position once."""
        found: list[Node] = []
        seen: set[tuple[i64, i64, i64, i64]] = set()
        for node in self.settled() if four_in_line(self.me) else [self]:
            assert isinstance(node, PlainNode)
            if node.ended:
                node.add_passed(found, seen, node.me, node.you, node.gipf, node.reserve, -node.ended, NO_ACT, True)
            else:
                node.add_pushes(found, seen, wide, False)
        return found

    def after_act(self, act: i64) -> list[Node]:
        """Return the children after turns with an act, without looking at other acts if no row stands."""
        if four_in_line(self.me) or act == NO_ACT:
            return [child for child in self.children(True) if child.act == act]
        found: list[Node] = []
        is_gipf = act >= ENTRY_COUNT
        if self._kinds(True) & (2 if is_gipf else 1):
            first, line, shift, _ = PUSH_ENTRIES[act - ENTRY_COUNT if is_gipf else act]
            self._push(found, set(), first, line, shift, act)
        return found

    def may_win(self, own_turns: i64) -> bool:
        """Return False if the opponent keeps a reserve for so many turns, and cannot lose a last GIPF-piece."""
        each: i64 = 2 if self.other_right else 1  # what a turn may take from the reserve
        return self.version.decides or self.other <= each * (own_turns - 1)

    def removals(self) -> list[Node]:
        """Return the children after pushes that make a row of the player. Assumes that none stands."""
        found: list[Node] = []
        if count_bits(self.me) > 2 and not self.ended:
            self.add_pushes(found, set(), False, True)
        return found

    def settled(self) -> list[Node]:
        """Return the nodes after the removals before the push; empty if no row stands."""
        if not four_in_line(self.me):
            return []
        step = self._row_step(False, self.right)
        step.expand(self.me, self.you, self.gipf, self.reserve, 0)
        found: list[Node] = []
        for me, you, gipf, reserve, result in step.ends:
            node = PlainNode(self.version, me, you, gipf, reserve, self.other, self.right, self.other_right)
            node.ended = result
            node.took = True
            found.append(node)
        return found

    def _row_step(self, pushed: bool, right: bool) -> RowStep:
        version = self.version
        return RowStep(version.decides, pushed, right, self.other_right and self.other == version.pieces)

    def add_passed(
        self,
        found: list[Node],
        seen: set[tuple[i64, i64, i64, i64]],
        me: i64,
        you: i64,
        gipf: i64,
        reserve: i64,
        ended: i64,
        act: i64,
        took: bool,
    ) -> None:
        """Add the node with the opponent to move, if it is new. `ended` is the result for the opponent."""
        right = self.right and act >= ENTRY_COUNT
        if ended == 0 and self.other == 0 and not four_in_line(you):
            ended = -1  # R6.1
        state = (me, you, gipf, ended * 2 + (1 if right else 0))
        if state in seen:
            return
        seen.add(state)
        node = PlainNode(self.version, you, me, gipf, self.other, reserve, self.other_right, right)
        node.act = act
        node.took = took
        node.ended = ended
        found.append(node)

    def add_pushes(self, found: list[Node], seen: set[tuple[i64, i64, i64, i64]], wide: bool, rows_only: bool) -> None:
        """Add the children after every legal push. If `rows_only`, only those that make a row of the player."""
        kinds = self._kinds(wide)
        if kinds & 2:
            self._add_pushes(found, seen, True, rows_only)
        if kinds & 1:
            self._add_pushes(found, seen, False, rows_only)

    def _kinds(self, wide: bool) -> i64:
        """Return the kinds of pieces that may be pushed: 1 for basic ones, plus 2 for GIPF-pieces."""
        if not self.right or self.reserve < 2:
            return 1
        own = count_bits(self.me & self.gipf)
        if own == 0:
            return 2
        if wide:
            return 3
        return 2 if own < OPENING_GIPF else 1

    def _add_pushes(
        self, found: list[Node], seen: set[tuple[i64, i64, i64, i64]], as_gipf: bool, rows_only: bool
    ) -> None:
        me, occupied = self.me, self.me | self.you
        placed: i64 = 0
        spots = row_spots(me, occupied) if rows_only else []
        if rows_only and not spots:
            return
        for first, line, shift, entry in PUSH_ENTRIES:
            if rows_only and not spots[ENTRY_DIRECTIONS[entry]] & line:
                continue
            if not occupied & first:
                if placed & first:
                    continue
                placed |= first
            self._push(found, seen, first, line, shift, entry + ENTRY_COUNT if as_gipf else entry)

    def _push(
        self, found: list[Node], seen: set[tuple[i64, i64, i64, i64]], first: i64, line: i64, shift: i64, act: i64
    ) -> None:
        """Add the nodes after one push, if its line is not closed."""
        me, you, gipf = self.me, self.you, self.gipf
        occupied = me | you
        if occupied & first:
            block = _block(occupied, first, line, shift)
            if block == 0:
                return
            me, you = _shifted(me, block, shift), _shifted(you, block, shift)
            if gipf & block:
                gipf = _shifted(gipf, block, shift)
        if act >= ENTRY_COUNT:
            gipf |= first
        self._finish(found, seen, me | first, you, gipf, act)

    def _finish(
        self, found: list[Node], seen: set[tuple[i64, i64, i64, i64]], me: i64, you: i64, gipf: i64, act: i64
    ) -> None:
        """Add the nodes at the end of a turn, after its push."""
        as_gipf = act >= ENTRY_COUNT
        reserve = self.reserve - (2 if as_gipf else 1)
        if not four_in_line(me):
            self.add_passed(found, seen, me, you, gipf, reserve, 0, act, False)
            return
        step = self._row_step(True, self.right and as_gipf)
        step.expand(me, you, gipf, reserve, 0)
        for end_me, end_you, end_gipf, end_reserve, result in step.ends:
            self.add_passed(found, seen, end_me, end_you, end_gipf, end_reserve, -result, act, True)


def _block(occupied: i64, first: i64, line: i64, shift: i64) -> i64:
    """Return the pieces that a push onto an occupied spot moves; none if the line is closed (R3.2, R3.3)."""
    block: i64 = 0
    spot = first
    if shift > 0:
        while occupied & spot:
            block |= spot
            spot <<= shift
    else:
        back = -shift
        while occupied & spot:
            block |= spot
            spot >>= back
    return block if spot & line else 0


def _shifted(spots: i64, block: i64, shift: i64) -> i64:
    """Return where spots are after a push has moved those in the block."""
    moved = spots & block
    return spots ^ moved | (moved << shift if shift > 0 else moved >> -shift)
