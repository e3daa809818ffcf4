"""The tree of the official versions without potentials: boards as bits, and children without any object.

COUNTS of a row holds, from the lowest bit: the rights of R5.2 (1 if the player has it, plus 2 if the opponent has it),
the opponent's reserve, the player's reserve. The act of a push is its direction times 7 and its line among those of the
direction, plus 42 if a GIPF-piece is pushed.
"""

from __future__ import annotations

from typing import Final

from .evaluation import OPENING_GIPF, Weights, evaluate
from .layout import ALONG, BOARD, DIRECTIONS, FIRST, LINE_SPOTS, STEPS, count_bits, doubled, four_in_line
from .packed import i64, vec
from .row_steps import END, RowStep
from .threats import completing, moved, reached, rows_made
from .tree import ACT, COUNTS, ENDED, GIPF, ME, ROW, TOOK, UNKNOWN, VALUE, WIN, YOU, Tree

PUSHES: Final = 42  # the acts of basic pushes are below, those of GIPF-pieces from here on
NO_ACT: Final = 84  # the act of a turn that a removal ends
OTHER_AT: Final = 2  # in COUNTS
RESERVE_AT: Final = 7
COUNT_MASK: Final = 31
_FEW: Final = 128  # children that are compared one by one
_LOW: Final = (1 << 28) - 1


def packed_counts(reserve: i64, other: i64, right: bool, other_right: bool) -> i64:
    """Return COUNTS for both reserves and rights, those of the player first."""
    return reserve << RESERVE_AT | other << OTHER_AT | (1 if right else 0) | (2 if other_right else 0)


def board_key(me: i64, you: i64, gipf: i64, counts: i64, ended: i64) -> i64:
    """Return a hash of the first numbers of a row. Each product has at most 58 bits, so nothing overflows."""
    mixed = (me & _LOW) * 0x2F8B7D4F + (me >> 28) * 0x3A5C1E97 + (you & _LOW) * 0x36D90B53
    mixed += (you >> 28) * 0x29E4F6A1 + (gipf & _LOW) * 0x3D72C58B + (gipf >> 28) * 0x2B61A93D
    return mixed + (counts << 2 | ended + 1) * 0x11F2E3C4B5 + 1


class PlainTree(Tree):
    """The positions below a root, at the start of a turn each."""

    def __init__(self, pieces: i64, decides: bool, weights: Weights, root: tuple[int, int, int, int, int]) -> None:
        """Begin with a root: its row up to ENDED.

        `pieces` says with how many pieces a player begins, `decides` that one without a GIPF-piece loses (R6.2).
        """
        super().__init__()
        self.pieces: i64 = pieces
        self.decides: bool = decides
        self.weights: Weights = weights
        first = self.rows_of(0)
        for place in range(len(root)):
            first[place] = root[place]
        first[VALUE] = UNKNOWN
        self._before: RowStep = RowStep(decides, False)
        self._after: RowStep = RowStep(decides, True)
        # While children are made: where they go, what of the parent they share, and whether equal ones may be made.
        self._ply: i64 = 0
        self._out: vec[i64] = first
        self._end: i64 = 0
        self._other: i64 = 0
        self._rights: i64 = 0
        self._ways: bool = False
        self._seen: set[tuple[i64, i64, i64, i64]] = set()

    def key(self, ply: i64, at: i64) -> i64:
        """Return a hash of the position."""
        rows = self.rows[ply]
        return board_key(rows[at + ME], rows[at + YOU], rows[at + GIPF], rows[at + COUNTS], rows[at + ENDED])

    def value(self, ply: i64, at: i64) -> i64:
        """Return the evaluation in hundredths of a piece."""
        rows = self.rows[ply]
        known = rows[at + VALUE]
        if known == UNKNOWN:
            counts = rows[at + COUNTS]
            reserve, other = counts >> RESERVE_AT, counts >> OTHER_AT & COUNT_MASK
            known = evaluate(rows[at + ME], rows[at + YOU], rows[at + GIPF], reserve, other, counts & 3, self.weights)
            rows[at + VALUE] = known
        return known

    def stand(self, ply: i64, at: i64) -> i64:
        """Return the best score that the player has without a push."""
        rows = self.rows[ply]
        me, you, gipf, counts = rows[at + ME], rows[at + YOU], rows[at + GIPF], rows[at + COUNTS]
        if not four_in_line(me):
            return self.value(ply, at)
        best: i64 = -WIN
        other, rights = counts >> OTHER_AT & COUNT_MASK, counts & 3
        self._settle(me, you, gipf, counts)
        ends = self._before.ends
        for end in range(0, self._before.end, END):
            score = ends[end + 4] * (WIN - ply - 1)
            if score == 0:
                score = evaluate(ends[end], ends[end + 1], ends[end + 2], ends[end + 3], other, rights, self.weights)
            best = max(best, score)
        return best

    def has_row(self, ply: i64, at: i64) -> bool:
        """Return whether a row of the player stands."""
        return four_in_line(self.rows[ply][at + ME])

    def may_win(self, ply: i64, at: i64, own_turns: i64) -> bool:
        """Return False if the opponent keeps a reserve for so many turns, and cannot lose a last GIPF-piece."""
        counts = self.rows[ply][at + COUNTS]
        each: i64 = 2 if counts & 2 else 1  # what a turn may take from the reserve
        return self.decides or (counts >> OTHER_AT & COUNT_MASK) <= each * (own_turns - 1)

    def children(self, ply: i64, at: i64, wide: bool) -> i64:
        """Put the positions after every full turn into the next ply, each once; return where their rows end."""
        return self._make(ply, at, wide, False)

    def removals(self, ply: i64, at: i64) -> i64:
        """Put the children whose push has made a row of the player into the next ply; return where their rows end."""
        return self._make(ply, at, False, True)

    def possible_wins(self, ply: i64, at: i64) -> i64:
        """Put children into the next ply, those that the player has won among them; return where their rows end."""
        rows = self.rows[ply]
        runs_out = rows[at + COUNTS] >> OTHER_AT & COUNT_MASK == 0
        return self._make(ply, at, True, not runs_out and not four_in_line(rows[at + ME]))

    def _make(self, ply: i64, at: i64, wide: bool, rows_only: bool) -> i64:
        """Put children into the next ply; return where their rows end.

        If `rows_only`, those after pushes that make a row of the player.
        """
        rows = self.rows[ply]
        me, you, gipf, counts = rows[at + ME], rows[at + YOU], rows[at + GIPF], rows[at + COUNTS]
        self._ply = ply + 1
        self._out = self.rows_of(ply + 1)
        self._end = 0
        self._other = counts >> OTHER_AT & COUNT_MASK
        self._rights = counts & 3
        self._ways = False
        self._seen.clear()
        if rows[at + ENDED] != 0:
            return 0
        if not four_in_line(me):
            self._push_all(me, you, gipf, counts >> RESERVE_AT, wide, rows_only)
            return self._end
        self._settle(me, you, gipf, counts)
        ends = self._before.ends
        self._ways = self._before.end > END
        for end in range(0, self._before.end, END):
            me, you, gipf, reserve, result = ends[end], ends[end + 1], ends[end + 2], ends[end + 3], ends[end + 4]
            if result == 0:
                self._push_all(me, you, gipf, reserve, wide, rows_only)
            elif not rows_only:
                self._add(me, you, gipf, reserve, -result, NO_ACT + TOOK)
        return self._end

    def _settle(self, me: i64, you: i64, gipf: i64, counts: i64) -> None:
        """Find the ends of the removals before the push. Assumes that a row stands."""
        fresh = counts & 2 != 0 and counts >> OTHER_AT & COUNT_MASK == self.pieces
        self._before.find(me, you, gipf, counts >> RESERVE_AT, counts & 1 != 0, fresh)

    def _push_all(self, me: i64, you: i64, gipf: i64, reserve: i64, wide: bool, rows_only: bool) -> None:
        """Add the children after every legal push. If `rows_only`, only those that make a row of the player."""
        kinds = self._kinds(me & gipf, reserve, wide)
        if kinds & 2:
            self._push_each(me, you, gipf, reserve - 2, True, rows_only)
        if kinds & 1:
            self._push_each(me, you, gipf, reserve - 1, False, rows_only)

    def _kinds(self, own: i64, reserve: i64, wide: bool) -> i64:
        """Return the kinds of pieces that may be pushed: 1 for basic ones, plus 2 for GIPF-pieces."""
        if not self._rights & 1 or reserve < 2:
            return 1
        number = count_bits(own)
        if number == 0:
            return 2
        if wide:
            return 3
        return 2 if number < OPENING_GIPF else 1

    def _push_each(self, me: i64, you: i64, gipf: i64, reserve: i64, as_gipf: bool, rows_only: bool) -> None:
        """Add the children after every push of a kind. `reserve` is what is left after it.

        Two pushes lead to the same board only if both put a piece onto the same vacancy: what they push along is all of
        the same kind as the pushed piece.
        """
        occupied = me | you
        alike = me & gipf if as_gipf else me & ~gipf
        one, two, three = completing(me, 0), completing(me, 1), completing(me, 2)
        if rows_only and not one | two | three:
            return
        standing = four_in_line(me)
        filled: i64 = 0
        for direction in range(DIRECTIONS):
            number = direction >> 1
            first_act = ALONG * (direction - number) + (PUSHES if as_gipf else 0)
            entering = FIRST[direction]
            reach = reached(occupied, direction)
            new_me = moved(me, reach, direction, entering)
            with_row: i64 = BOARD if standing else 0
            if reach & (one | two | three):
                crossing = two | three if number == 0 else one | three if number == 1 else one | two
                with_row |= rows_made(me, new_me, STEPS[number], crossing)
            if rows_only and not with_row:
                continue
            new_you = moved(you, reach, direction, 0)
            new_gipf = moved(gipf, reach, direction, entering if as_gipf else 0) if gipf or as_gipf else 0
            for line in range(ALONG * number, ALONG * number + ALONG):
                spots = LINE_SPOTS[line]
                changed = reach & spots
                if not changed or (rows_only and not with_row & spots):
                    continue
                if not changed & occupied & ~alike:
                    vacancy = changed & ~occupied
                    if filled & vacancy:
                        continue
                    filled |= vacancy
                end_me, end_you = me & ~spots | new_me & spots, you & ~spots | new_you & spots
                end_gipf = gipf & ~spots | new_gipf & spots
                if with_row & spots:
                    self._add_removed(end_me, end_you, end_gipf, reserve, first_act + line)
                else:
                    self._add(end_me, end_you, end_gipf, reserve, 0, first_act + line)

    def _add_removed(self, me: i64, you: i64, gipf: i64, reserve: i64, act: i64) -> None:
        """Add the children after a push that has made rows: one for each way to remove them."""
        step = self._after
        may_enter = self._rights & 1 != 0 and act >= PUSHES
        step.find(me, you, gipf, reserve, may_enter, self._rights & 2 != 0 and self._other == self.pieces)
        ends = step.ends
        for end in range(0, step.end, END):
            self._add(ends[end], ends[end + 1], ends[end + 2], ends[end + 3], -ends[end + 4], act + TOOK)

    def _add(self, me: i64, you: i64, gipf: i64, reserve: i64, ended: i64, act: i64) -> None:
        """Add the child with the opponent to move, if it is new. `ended` is the result for the opponent."""
        other = self._other
        right: i64 = self._rights & 1 if act & TOOK - 1 >= PUSHES else 0
        if ended == 0 and other == 0 and not four_in_line(you):
            ended = -1  # R6.1
        counts = other << RESERVE_AT | reserve << OTHER_AT | self._rights >> 1 | right << 1
        if (self._ways or act >= TOOK) and self._is_known(you, me, gipf, counts, ended):
            return
        out, end = self._out, self._end
        if end == len(out):
            out = self._out = self.rows[self._ply] = doubled(out)
        out[end + ME] = you
        out[end + YOU] = me
        out[end + GIPF] = gipf
        out[end + COUNTS] = counts
        out[end + ENDED] = ended
        out[end + ACT] = act
        out[end + VALUE] = UNKNOWN
        self._end = end + ROW

    def _is_known(self, me: i64, you: i64, gipf: i64, counts: i64, ended: i64) -> bool:
        """Return whether a child was added already. A few are compared one by one, more are kept in a set."""
        out = self._out
        if self._end <= _FEW * ROW:
            for at in range(0, self._end, ROW):
                if (
                    out[at + ME] == me
                    and out[at + YOU] == you
                    and out[at + GIPF] == gipf
                    and out[at + COUNTS] == counts
                    and out[at + ENDED] == ended
                ):
                    return True
            return False
        if not self._seen:
            for at in range(0, self._end, ROW):
                self._seen.add(
                    (out[at + ME], out[at + YOU], out[at + GIPF], out[at + COUNTS] << 2 | out[at + ENDED] + 1)
                )
        board = me, you, gipf, counts << 2 | ended + 1
        if board in self._seen:
            return True
        self._seen.add(board)
        return False
