"""The ways to remove rows in the official versions, on plain integers (R4). They agree with `rules.removal_ways`.

A removal step is what a player removes before the push, or after it. Every row is seen by the player whose rows they
are: `me` holds their spots, `you` those of the opponent.
"""

from __future__ import annotations

from typing import Final

from .layout import ALONG, LINE_SPOTS, STEPS, count_bits, doubled
from .packed import i64, vec

END: Final = 5  # numbers of each way
MOST_ENDS: Final = 4096  # of one step; only a few built positions have more


class RowStep:
    """A removal step of a kind of turn: collects every way it can end, each board once.

    `ends` holds END numbers for each way: the spots of both players, the GIPF-pieces, the reserve of the player who
    removes, and the result for this player: 1 won, -1 lost, 0 if the game goes on.
    """

    def __init__(self, decides: bool, pushed: bool) -> None:
        """Prepare for the steps before a push, or after it.

        `decides` says that a player without a GIPF-piece loses (R6.2).
        """
        self.decides: bool = decides
        self.pushed: bool = pushed
        self.may_enter: bool = False
        self.other_fresh: bool = False
        self.ends: vec[i64] = vec[i64]([0] * (8 * END))
        self.end: i64 = 0  # where the ends end
        self._seen: set[tuple[i64, i64, i64, i64]] = set()
        self._ended: set[tuple[i64, i64, i64, i64]] = set()

    def find(self, me: i64, you: i64, gipf: i64, reserve: i64, may_enter: bool, other_fresh: bool) -> None:
        """Find the ends of a step in which at least one row stands.

        `may_enter` says that the player may still bring in GIPF-pieces, and `other_fresh` that the opponent may and has
        brought none (R5.2).
        """
        self.may_enter = may_enter
        self.other_fresh = other_fresh
        self.end = 0
        row = lone_row(me, me | you)
        if row == 0:
            self._seen.clear()
            self._ended.clear()
            self._expand(me, you, gipf, reserve, 0)
            return
        must, may = row & ~gipf, row & gipf
        if must == 0 and (self.pushed or reserve > 0):
            self._add(me, you, gipf, reserve, 0)
        taken = may
        while taken | must:
            gone = taken | must
            home = me & gone
            left = reserve + count_bits(home) + count_bits(home & gipf)
            after_me, after_you, after_gipf = me & ~gone, you & ~gone, gipf & ~gone
            self._add(
                after_me, after_you, after_gipf, left, self._verdict(after_me, after_you, after_gipf, left, False)
            )
            if taken == 0:
                return
            taken = (taken - 1) & may

    def _add(self, me: i64, you: i64, gipf: i64, reserve: i64, result: i64) -> None:
        ends, end = self.ends, self.end
        if end == len(ends):
            ends = self.ends = doubled(ends)
        ends[end] = me
        ends[end + 1] = you
        ends[end + 2] = gipf
        ends[end + 3] = reserve
        ends[end + 4] = result
        self.end = end + END

    def _expand(self, me: i64, you: i64, gipf: i64, reserve: i64, dealt: i64) -> None:
        """Collect the ends of the step from here on. `dealt` holds the bits of the lines dealt with (R4.6).

        At least one row must be open.
        """
        rows = open_rows(me, me | you, gipf, dealt)
        due = _any_due(rows)
        if not due and (self.pushed or reserve > 0):
            self._end(me, you, gipf, reserve, 0)
        for line, must, may in rows:
            taken = may
            while taken:
                self._clear(me, you, gipf, reserve, dealt | line, must | taken)
                taken = (taken - 1) & may
            if must:
                self._clear(me, you, gipf, reserve, dealt | line, must)

    def _clear(self, me: i64, you: i64, gipf: i64, reserve: i64, dealt: i64, gone: i64) -> None:
        """Go on after the spots in `gone` were cleared."""
        home = me & gone
        reserve += count_bits(home) + count_bits(home & gipf)
        me, you, gipf = me & ~gone, you & ~gone, gipf & ~gone
        state = (me, you, gipf, dealt)
        if state in self._seen or self.end >= MOST_ENDS * END:
            return
        self._seen.add(state)
        rows = open_rows(me, me | you, gipf, dealt)
        result: i64 = 0
        if not _any_due(rows):
            result = self._verdict(me, you, gipf, reserve, len(rows) > 0)
        if result != 0 or not rows:
            self._end(me, you, gipf, reserve, result)
        else:
            self._expand(me, you, gipf, reserve, dealt)

    def _verdict(self, me: i64, you: i64, gipf: i64, reserve: i64, offered: bool) -> i64:
        """Return the result by R6.2 and R6.1, when no due row is left. `offered` says that an offer stands."""
        if self.decides:
            if not you & gipf and not self.other_fresh:
                return 1
            if not me & gipf and (self.pushed or not self.may_enter or reserve < 2):
                return -1
        return -1 if not offered and not self.pushed and reserve == 0 else 0

    def _end(self, me: i64, you: i64, gipf: i64, reserve: i64, result: i64) -> None:
        end = (me, you, gipf, result)
        if end not in self._ended:
            self._ended.add(end)
            self._add(me, you, gipf, reserve, result)


def lone_row(me: i64, occupied: i64) -> i64:
    """Return the only row of `me` with its extensions; 0 if there are several, or none."""
    found: i64 = 0
    for number in range(3):
        step = STEPS[number]
        pairs = me & me >> step
        fours = pairs & pairs >> 2 * step
        if fours:
            if found:
                return 0
            found = _grown(fours & -fours, occupied, step)
            if fours & ~found:
                return 0
    return found


def open_rows(me: i64, occupied: i64, gipf: i64, dealt: i64) -> list[tuple[i64, i64, i64]]:
    """Return the open rows of `me`: the bit of the line, what must go of the stretch, and what may stay (R4)."""
    found: list[tuple[i64, i64, i64]] = []
    for number in range(3):
        step = STEPS[number]
        pairs = me & me >> step
        fours = pairs & pairs >> 2 * step
        if fours:
            for line in range(ALONG * number, ALONG * number + ALONG):
                row = fours & LINE_SPOTS[line]
                if row and not dealt >> line & 1:
                    stretch = _grown(row, occupied, step)
                    found.append((1 << line, stretch & ~gipf, stretch & gipf))
    return found


def _grown(row: i64, occupied: i64, step: i64) -> i64:
    """Return a row with its extensions (R4.2). `row` holds at least one spot of it."""
    stretch: i64 = 0
    grown = row
    while grown != stretch:
        stretch = grown
        grown = stretch | (stretch & occupied >> step) << step | stretch >> step & occupied
    return stretch


def _any_due(rows: list[tuple[i64, i64, i64]]) -> bool:
    for _, must, _ in rows:  # noqa: SIM110 (a loop is faster compiled)
        if must:
            return True
    return False
