"""The tree of turns that is searched, as rows of numbers: one row for each position, one vector for each ply.

A row has ROW numbers, at these places behind its beginning:

    ME      the spots of the player who decides, as bits
    YOU     those of the opponent
    GIPF    the spots of the GIPF-pieces of both
    COUNTS  both reserves and rights, see `PlainTree`
    ENDED   1 the player has won, -1 lost, 0 the game goes on
    ACT     a small number for the act that led here; plus TOOK if the turn removed anything
    VALUE   the evaluation in hundredths of a piece, or UNKNOWN
    ORDER   the rank among the siblings, for the search

All are seen by the player who decides. Where the rules themselves play on, the first four mean nothing. A position is
named by its ply and by where its row begins. Its children begin at 0 in the next ply, and stand there until the
children of a sibling are made.
"""

from __future__ import annotations

from typing import Final

from .packed import i64, vec

ME: Final = 0
YOU: Final = 1
GIPF: Final = 2
COUNTS: Final = 3
ENDED: Final = 4
ACT: Final = 5
VALUE: Final = 6
ORDER: Final = 7
ROW: Final = 8
ACTS: Final = 256
TOOK: Final = ACTS
UNKNOWN: Final = 1 << 20
WIN: Final = 30_000  # the score of a won game, minus 1 for each turn until then
WON: Final = 29_000  # every score above is a proven win
USUAL: Final = 64  # rows of a ply for which there is room at first


class Tree:
    """A root, and below it the positions of the line that is searched, each with its siblings."""

    def __init__(self) -> None:
        self.rows: list[vec[i64]] = []
        self.made: i64 = 0  # positions, where each of them takes long

    def rows_of(self, ply: i64) -> vec[i64]:
        """Return the rows of a ply. Each is written there in turn, so they are the children made last."""
        while ply >= len(self.rows):
            self.rows.append(vec[i64]([0] * (USUAL * ROW)))
        return self.rows[ply]

    def key(self, ply: i64, at: i64) -> i64:
        """Return a hash of a position, at most 62 bits and never 0. It does not depend on who is White."""
        raise NotImplementedError

    def value(self, ply: i64, at: i64) -> i64:
        """Return the evaluation in hundredths of a piece. Ignores standing rows."""
        raise NotImplementedError

    def stand(self, ply: i64, at: i64) -> i64:
        """Return the best score that the player has without an act: after removing the rows that stand, if any do."""
        raise NotImplementedError

    def has_row(self, ply: i64, at: i64) -> bool:
        """Return whether a row of the player stands."""
        raise NotImplementedError

    def children(self, ply: i64, at: i64, wide: bool) -> i64:
        """Put the positions after every full turn into the next ply, each once; return where their rows end.

        A child is a position in which the opponent decides next. Unless `wide`, a player in the opening of Tournament
        brings in three GIPF-pieces, and then basic ones.
        """
        raise NotImplementedError

    def removals(self, ply: i64, at: i64) -> i64:
        """Put the children whose act has made a row of the player into the next ply; return where their rows end."""
        raise NotImplementedError

    def may_win(self, ply: i64, at: i64, own_turns: i64) -> bool:
        """Return False if the player can certainly not force a win within so many own turns. Plays no turn."""
        return True

    def possible_wins(self, ply: i64, at: i64) -> i64:
        """Put children into the next ply, those that the player has won among them; return where their rows end."""
        return self.children(ply, at, True)
