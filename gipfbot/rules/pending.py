"""The pending question: a view of `legal` for code that asks a person."""

from collections.abc import Collection
from typing import NamedTuple

from .actions import PASS, Push, Remove
from .engine import legal
from .geometry import Line, bits, each_bit, names
from .pieces import Colour
from .position import Position
from .rows import Row, open_rows


class RowChoice(NamedTuple):
    """What the player has to decide about one row."""

    line: Line
    core: tuple[str, ...]  # the spots of the row itself (R4.1)
    stretch: tuple[str, ...]  # with its extensions (R4.2)
    must: tuple[str, ...]  # spots that every choice clears
    toggles: tuple[tuple[str, ...], ...]  # spots that are cleared together or not at all
    due: bool  # else it is an offer (R4.7)
    ways: tuple[Remove, ...]

    def removal(self, taken: Collection[str]) -> Remove | None:
        """Return the removal that takes exactly these toggled spots, None if there is no such choice."""
        if not {*taken} <= {*self.stretch}:
            return None
        wanted = bits({*self.must, *taken})
        return next((way for way in self.ways if way.taken == wanted), None)


class Question(NamedTuple):
    """What is asked now, and of which player. Without rows the push is asked."""

    by: Colour
    pushed: bool
    pushes: tuple[Push, ...]
    rows: tuple[RowChoice, ...]
    may_pass: bool

    @property
    def due(self) -> bool:
        """Whether a row has to be removed before anything else."""
        return any(row.due for row in self.rows)

    @property
    def groups(self) -> tuple[tuple[RowChoice, ...], ...]:
        """The rows in groups that share spots. In a group the player decides which row comes first (R4.5)."""
        groups: list[tuple[RowChoice, ...]] = []
        for row in self.rows:
            joined = [group for group in groups if any({*row.stretch} & {*other.stretch} for other in group)]
            groups = [group for group in groups if group not in joined]
            groups.append((*(other for group in joined for other in group), row))
        return tuple(groups)

    @property
    def forced(self) -> Remove | None:
        """The removal without a choice: of a due row that has one way and shares no spot with another row."""
        alone = (group[0] for group in self.groups if len(group) == 1)
        return next((row.ways[0] for row in alone if row.due and len(row.ways) == 1), None)


def question(position: Position) -> Question | None:
    """Return what the deciding player is asked, or None when the game is over."""
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
    """Return the pieces that all ways take, and the others grouped by the ways that take them."""
    must, union = ways[0].taken, 0
    for way in ways:
        must &= way.taken
        union |= way.taken
    together: dict[tuple[bool, ...], int] = {}
    for bit in each_bit(union & ~must):
        key = tuple(way.taken & bit != 0 for way in ways)
        together[key] = together.get(key, 0) | bit
    return names(must), tuple(names(mask) for mask in together.values())
