"""Actions: a push, a removal or a pass. A turn is a sequence of actions."""

from typing import NamedTuple, TypeAlias

from .geometry import ENTRIES, LINES, Entry, Line, names
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


class Remove(NamedTuple):
    """Remove the row on one line (R4.5). Clears every spot in `taken` (bits)."""

    line: int
    taken: int

    @property
    def on(self) -> Line:
        """The line of the row."""
        return LINES[self.line]

    @property
    def spots(self) -> tuple[str, ...]:
        """The names of the cleared spots, sorted by column, then by number."""
        return names(self.taken)


class Pass(NamedTuple):
    """End the turn after the push, and keep all rows that may stay (R4.7)."""


PASS = Pass()
Action: TypeAlias = Push | Remove | Pass
PUSHES = {(entry.dot, entry.spot, kind): Push(entry, kind) for entry in ENTRIES for kind in Kind}
