"""The ways to remove rows in the official versions, on plain integers (R4). They agree with `rules.removal_ways`.

A removal step is what a player removes before the push, or after it. Every row is seen by the player whose rows they
are: `me` holds their spots, `you` those of the opponent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .layout import LINES_BY_STEP, STEPS, count_bits

if TYPE_CHECKING:
    from mypy_extensions import i64

MOST_ENDS: Final = 4096  # of one step; only a few built positions have more


class RowStep:
    """One removal step: collects every way it can end, each board once.

    `ends` holds the spots of both players, the GIPF-pieces, the reserve of the player who removes, and the result for
    this player: 1 won, -1 lost, 0 if the game goes on.
    """

    def __init__(self, decides: bool, pushed: bool, may_enter: bool, other_fresh: bool) -> None:
        """Begin a step.

        `decides` says that a player without a GIPF-piece loses (R6.2). `may_enter` says that the player may still bring
        in GIPF-pieces, and `other_fresh` that the opponent may and has brought none (R5.2).
        """
        self.decides: bool = decides
        self.pushed: bool = pushed
        self.may_enter: bool = may_enter
        self.other_fresh: bool = other_fresh
        self.ends: list[tuple[i64, i64, i64, i64, i64]] = []
        self._seen: set[tuple[i64, i64, i64, i64]] = set()
        self._ended: set[tuple[i64, i64, i64, i64]] = set()

    def expand(self, me: i64, you: i64, gipf: i64, reserve: i64, dealt: i64) -> None:
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
        if state in self._seen or len(self.ends) >= MOST_ENDS:
            return
        self._seen.add(state)
        rows = open_rows(me, me | you, gipf, dealt)
        result: i64 = 0
        if not _any_due(rows):
            result = self._verdict(me, you, gipf, reserve, len(rows) > 0)
        if result != 0 or not rows:
            self._end(me, you, gipf, reserve, result)
        else:
            self.expand(me, you, gipf, reserve, dealt)

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
            self.ends.append((me, you, gipf, reserve, result))


def open_rows(me: i64, occupied: i64, gipf: i64, dealt: i64) -> list[tuple[i64, i64, i64]]:
    """Return the open rows of `me`: the bit of the line, what must go of the stretch, and what may stay (R4)."""
    found: list[tuple[i64, i64, i64]] = []
    for number in range(3):
        step: i64 = STEPS[number]
        pairs = me & me >> step
        fours = pairs & pairs >> 2 * step
        if fours:
            pairs = fours | fours << step
            in_rows = pairs | pairs << 2 * step
            for line, mask in LINES_BY_STEP[number]:
                if in_rows & mask and not dealt & line:
                    stretch = _grown(in_rows & mask, occupied & mask, step)
                    found.append((line, stretch & ~gipf, stretch & gipf))
    return found


def _grown(core: i64, occupied: i64, step: i64) -> i64:
    """Return a row with its extensions (R4.2)."""
    stretch: i64 = 0
    grown = core
    while grown != stretch:
        stretch = grown
        grown = (stretch | stretch << step | stretch >> step) & occupied
    return stretch


def _any_due(rows: list[tuple[i64, i64, i64]]) -> bool:
    for _, must, _ in rows:  # noqa: SIM110 (a loop is faster compiled)
        if must:
            return True
    return False
