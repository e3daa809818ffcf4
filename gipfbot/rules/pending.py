"""The pending question: the legal actions, arranged for code that asks a person."""

from collections.abc import Collection
from typing import NamedTuple

from .actions import PASS, Push, Remove
from .engine import legal
from .geometry import Line, bits, each_bit, names
from .pieces import Colour
from .position import Position
from .rows import Row, open_rows


class RowChoice(NamedTuple):
    """A row that can be removed, and the player's choices about it."""

    line: Line
    core: tuple[str, ...]  # the spots of the row without its extensions (R4.1)
    stretch: tuple[str, ...]  # the spots of the row and its extensions (R4.2)
    must: tuple[str, ...]  # spots that every removal of this row clears
    toggles: tuple[tuple[str, ...], ...]  # groups of optional spots; the spots of a group are cleared together
    due: bool  # False if the row may stay (R4.7)
    ways: tuple[Remove, ...]

    def removal(self, taken: Collection[str]) -> Remove | None:
        """Return the removal that clears `must` and the spots in `taken`. None if that removal is not legal."""
        if not {*taken} <= {*self.stretch}:
            return None
        wanted = bits({*self.must, *taken})
        return next((way for way in self.ways if way.taken == wanted), None)


class Question(NamedTuple):
    """The pending decision, and the player who makes it. If `rows` is empty, the player must push."""

    by: Colour
    pushed: bool
    pushes: tuple[Push, ...]
    rows: tuple[RowChoice, ...]
    may_pass: bool

    @property
    def due(self) -> bool:
        """Whether the player must remove a row before any other action."""
        return any(row.due for row in self.rows)

    @property
    def groups(self) -> tuple[tuple[RowChoice, ...], ...]:
        """The rows, grouped by shared spots. Within a group the player decides which row to remove first (R4.5)."""
        groups: list[tuple[RowChoice, ...]] = []
        for row in self.rows:
            joined = [group for group in groups if any({*row.stretch} & {*other.stretch} for other in group)]
            groups = [group for group in groups if group not in joined]
            groups.append((*(other for group in joined for other in group), row))
        return tuple(groups)

    @property
    def forced(self) -> Remove | None:
        """The removal of a due row that leaves no choice; None if there is no such row.

        Such a row can be removed in one way only, and shares no spot with another row.
        """
        alone = (group[0] for group in self.groups if len(group) == 1)
        return next((row.ways[0] for row in alone if row.due and len(row.ways) == 1), None)


def question(position: Position) -> Question | None:
    """Return the question for the player who must decide. None if the game is over."""
    actions = legal(position)
    if not actions:
        return None
    ways: dict[int, list[Remove]] = {}
    for action in actions:
        if isinstance(action, Remove):
            ways.setdefault(action.line, []).append(action)
    rows = open_rows(position) if ways else ()
    return Question(
        position.decider,
        position.pushed,
        tuple(action for action in actions if isinstance(action, Push)),
        tuple(_row_choice(row, ways[row.line.number]) for row in rows),
        PASS in actions,
    )


def _row_choice(row: Row, ways: list[Remove]) -> RowChoice:
    return RowChoice(row.line, names(row.core), names(row.stretch), *_shared(ways), row.due, tuple(ways))


def _shared(ways: list[Remove]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the spots that every removal clears, and groups of the other spots.

    Every removal clears all spots of a group or none of them.
    """
    must, union = ways[0].taken, 0
    for way in ways:
        must &= way.taken
        union |= way.taken
    together: dict[tuple[bool, ...], int] = {}
    for bit in each_bit(union & ~must):
        key = tuple(way.taken & bit != 0 for way in ways)
        together[key] = together.get(key, 0) | bit
    return names(must), tuple(names(mask) for mask in together.values())
