"""Actions: a push, the use of a potential, a removal or a pass. A turn is a sequence of actions."""

from typing import NamedTuple, TypeAlias

from .geometry import ENTRIES, LINES, NAME, Entry, Line, names
from .pieces import Kind


class Push(NamedTuple):
    """Bring a piece onto a dot and push it one step along a line (R3.2)."""

    entry: Entry
    kind: Kind

    @property
    def dot(self) -> str:
        """The dot that the piece is put on."""
        return self.entry.dot

    @property
    def spot(self) -> str:
        """The first spot of the line, where the pushed piece ends up."""
        return self.entry.spot


class Use(NamedTuple):
    """Use the potential of a loaded piece, instead of a push (R7.3). Each spot is one bit."""

    kind: Kind  # of the loaded piece
    at: int
    to: int  # the spot that the potential jumps to
    put: int = 0  # basic pieces from the reserve that are put there in its place (R7.8 c)

    @property
    def spot(self) -> str:
        """The spot of the loaded piece, which stays there as a basic piece."""
        return NAME[self.at]

    @property
    def target(self) -> str:
        """The spot that the potential jumps to."""
        return NAME[self.to]


class Remove(NamedTuple):
    """Remove the row on one line (R4.5). Takes the top piece of every spot in `taken` (bits).

    In Overboard a row is removed in up to three such actions, and each may take nothing (R8.3).
    """

    line: int
    taken: int

    @property
    def on(self) -> Line:
        """The line of the row."""
        return LINES[self.line]

    @property
    def spots(self) -> tuple[str, ...]:
        """The names of these spots, sorted by column, then by number."""
        return names(self.taken)


class Pass(NamedTuple):
    """End the turn after its act, and keep all rows that may stay (R4.7). In Overboard, play without a push (R8.5)."""


PASS = Pass()
Act: TypeAlias = Push | Use  # what a player must do in each turn (R3.2, R7.3)
Action: TypeAlias = Act | Remove | Pass
# The pushes of the kinds that the official versions know.
PUSHES = {(entry.dot, entry.spot, kind): Push(entry, kind) for entry in ENTRIES for kind in Kind}
