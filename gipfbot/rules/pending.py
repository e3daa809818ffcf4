"""The pending question: the legal actions, arranged for code that asks a person."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from .actions import PASS, Act, Push, Remove, Use
from .engine import legal
from .geometry import LINES, Line, bits, each_bit, names
from .pieces import Colour, Kind
from .position import NotedRow, Position, Stage, covered_spots
from .rows import Row, open_rows


class Asked(StrEnum):
    """What a question can ask. One question can ask several of these."""

    PUSH = "push"  # which piece comes in, from which dot, along which line (R3.2)
    USE = "use"  # which potential is used (R7.3)
    TARGET = "target"  # where a potential jumps to (R7.7, R7.8)
    PUT = "put"  # whether 1 or 2 basic pieces are put on a GIPF-piece (R7.8)
    ROW = "row"  # a row must be dealt with (R4.3)
    ORDER = "order"  # which of several rows comes first (R4.5)
    TAKE = "take"  # which GIPF-pieces and loaded pieces of a row are taken (R4.4, R7.4)
    LOSS = "loss"  # which piece a row of GIPF-pieces and loaded pieces loses at least (R7.4)
    OFFER = "offer"  # whether anything of a row is taken that may stay (R4.7)
    ENDS = "ends"  # which runs of pieces at the ends of a row go home (R8.3)
    GIVE_UP = "give up"  # which GIPF-pieces of a row their owner gives up (R8.4)
    PASS = "pass"  # nothing: a player without a reserve passes (R8.5)


class RowChoice(NamedTuple):
    """A row that can be removed, and the player's choices about it.

    In Overboard it is one step of a row (R8.3). At the stages that ask about ends and GIPF-pieces, `must` is empty, and
    the toggles are the runs or the GIPF-pieces.
    """

    line: Line
    core: tuple[str, ...]  # the spots of the row without its extensions (R4.1)
    stretch: tuple[str, ...]  # the spots of the row and its extensions (R4.2)
    must: tuple[str, ...]  # spots that every removal of this row clears
    toggles: tuple[tuple[str, ...], ...]  # groups of optional spots; the spots of a group are cleared together
    due: bool  # False if the row may stay (R4.7)
    ways: tuple[Remove, ...]
    loss: tuple[str, ...] = ()  # spots of which at least one must be cleared (R7.4)

    def removal(self, taken: Collection[str]) -> Remove | None:
        """Return the removal that clears `must` and the spots in `taken`. None if that removal is not legal."""
        if not {*taken} <= {*self.stretch}:
            return None
        wanted = bits({*self.must, *taken})
        return next((way for way in self.ways if way.taken == wanted), None)


class UseChoice(NamedTuple):
    """A loaded piece whose potential can be used, and all its uses (R7.3)."""

    kind: Kind
    spot: str
    ways: tuple[Use, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """The spots that the potential can jump to, each once."""
        return tuple(dict.fromkeys(way.target for way in self.ways))

    def numbers(self, target: str) -> tuple[int, ...]:
        """Return how many basic pieces can be put on this target: (0,) if the potential itself stands there."""
        return tuple(way.put for way in self.ways if way.target == target)


class Question(NamedTuple):
    """The pending decision, and the player who makes it. If `rows` is empty, the player must push or use a potential.

    `frees` says that a piece lies under another one in some row, so that a removal can make a new row (R7.8). `stage`
    says what is asked about the only row, in Overboard. `any_order` says that the order of the rows is a choice even
    where they share nothing (R8.3).
    """

    by: Colour
    pushed: bool
    pushes: tuple[Push, ...]
    rows: tuple[RowChoice, ...]
    may_pass: bool
    uses: tuple[UseChoice, ...] = ()
    frees: bool = False
    stage: Stage | None = None
    any_order: bool = False

    @property
    def asks(self) -> frozenset[Asked]:
        """Everything that this question asks."""
        found = {
            Asked.PUSH: bool(self.pushes),
            Asked.USE: bool(self.uses),
            Asked.TARGET: any(len(use.targets) > 1 for use in self.uses),
            Asked.PUT: any(len(use.numbers(target)) > 1 for use in self.uses for target in use.targets),
            Asked.ROW: self.due and self.stage is None,
            Asked.ORDER: any(len(group) > 1 for group in self.groups) or self._orders_all,
            Asked.TAKE: self.stage is None and any(row.toggles for row in self.rows),
            Asked.LOSS: any(row.loss for row in self.rows),
            Asked.OFFER: any(not row.due for row in self.rows),
            Asked.ENDS: self.stage is Stage.ENDS,
            Asked.GIVE_UP: self.stage is Stage.GIPF,
            Asked.PASS: self.may_pass and not self.rows,
        }
        return frozenset(kind for kind, asked in found.items() if asked)

    @property
    def acts(self) -> tuple[Act, ...]:
        """The pushes and the uses of potentials that are possible now."""
        return (*self.pushes, *(way for use in self.uses for way in use.ways))

    @property
    def may_act(self) -> bool:
        """Whether the player can push or use a potential now."""
        return bool(self.pushes or self.uses)

    @property
    def due(self) -> bool:
        """Whether the player must remove a row before any other action."""
        return any(row.due for row in self.rows)

    @property
    def _orders_all(self) -> bool:
        return (self.frees or self.any_order) and len(self.rows) > 1

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

        Such a row can be removed in one way only, and shares no spot with another row. If a removal can free a piece,
        and in Overboard, the order of rows is a choice.
        """
        if self._orders_all:
            return None
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
    rows = open_rows(position) if ways and not position.noted else ()
    return Question(
        position.decider,
        position.pushed,
        tuple(action for action in actions if isinstance(action, Push)),
        (
            *(_row_choice(row, ways[row.line.number]) for row in rows),
            *(_noted_choice(row, ways[row.line]) for row in position.noted if row.line in ways),
        ),
        PASS in actions,
        _use_choices([action for action in actions if isinstance(action, Use)]),
        any(row.stretch & covered_spots(position) for row in rows),
        position.stage,
        any_order=bool(position.noted),
    )


def _use_choices(uses: list[Use]) -> tuple[UseChoice, ...]:
    ways: dict[tuple[Kind, str], list[Use]] = {}
    for use in uses:
        ways.setdefault((use.kind, use.spot), []).append(use)
    return tuple(UseChoice(kind, spot, tuple(some)) for (kind, spot), some in ways.items())


def _row_choice(row: Row, ways: list[Remove]) -> RowChoice:
    return RowChoice(
        row.line, names(row.core), names(row.stretch), *_shared(ways), row.due, tuple(ways), names(row.loss)
    )


def _noted_choice(row: NotedRow, ways: list[Remove]) -> RowChoice:
    core, taken = names(row.spots), 0
    for way in ways:
        taken |= way.taken
    return RowChoice(LINES[row.line], core, names(row.spots | taken), *_shared(ways), True, tuple(ways))


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
