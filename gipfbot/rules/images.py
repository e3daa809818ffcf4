"""What a symmetry of the board does to positions and actions (R1.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import getitem

from .actions import PUSHES, Action, Push, Remove, Use
from .geometry import ALL_SPOTS, BIT, COLUMNS, LINES, columns, each_bit, in_column
from .pieces import ByColour, Kind
from .position import Position
from .symmetries import Symmetry, start_symmetries

WIDTH = 64  # bits that hold a set of spots
_LINE_OF_SPOTS = {line.mask: line.number for line in LINES}


@dataclass(frozen=True, eq=False)
class Image:
    """A symmetry, with what it does to sets of spots, to positions and to actions."""

    points: Symmetry

    @cached_property
    def bits(self) -> Mapping[int, int]:
        """The spot that each spot goes to, as bits."""
        return {bit: BIT[self.points[spot]] for spot, bit in BIT.items()}

    @cached_property
    def inverse(self) -> "Image":
        """The symmetry that undoes this one."""
        return Image({to: point for point, to in self.points.items()})

    @cached_property
    def _columns(self) -> Sequence[Sequence[int]]:
        """For each column, where each number by `columns` goes (bits)."""
        return [
            [sum(self.bits.get(bit, 0) for bit in each_bit(in_column(column, spots))) for spots in range(1 << COLUMNS)]
            for column in range(COLUMNS)
        ]

    def of_spots(self, spots: int) -> int:
        """Return where a set of spots goes (bits)."""
        return sum(map(getitem, self._columns, columns(spots)))

    def of_position(self, position: Position) -> Position:
        """Return the image of a position at the start of a turn.

        Assumes that no line is dealt with, and that no row is noted.
        """
        return position._replace(
            owned=(self.of_spots(position.owned[0]), self.of_spots(position.owned[1])),
            gipf=self.of_spots(position.gipf),
            odd=tuple(sorted((self.bits[bit], piece) for bit, piece in position.odd)),
        )

    def of_action(self, action: Action) -> Action:
        """Return the image of an action."""
        if isinstance(action, Push):
            dot, spot = self.points[action.dot], self.points[action.spot]
            return PUSHES[dot, spot, Kind.BASIC]._replace(kind=action.kind)
        if isinstance(action, Use):
            return action._replace(at=self.bits[action.at], to=self.bits[action.to])
        if isinstance(action, Remove):
            line = _LINE_OF_SPOTS[self.of_spots(action.on.mask)]
            return Remove(line, self.of_spots(action.taken))
        return action


def images_of_spots(setup: ByColour[tuple[str, ...]], spots: int) -> list[int]:
    """Return where each symmetry in `start_images` maps a set of spots (bits). Faster than to ask them one by one."""
    packed = sum(map(getitem, _packed_columns(setup), columns(spots)))
    return [packed >> shift & ALL_SPOTS for shift in range(0, WIDTH * len(start_images(setup)), WIDTH)]


@cache
def _packed_columns(setup: ByColour[tuple[str, ...]]) -> Sequence[Sequence[int]]:
    """For each column, where each number by `columns` goes in all images of a start: WIDTH bits for each image."""
    images = [*enumerate(start_images(setup))]
    return [
        [
            sum(image.of_spots(in_column(column, spots)) << WIDTH * place for place, image in images)
            for spots in range(1 << COLUMNS)
        ]
        for column in range(COLUMNS)
    ]


@cache
def start_images(setup: ByColour[tuple[str, ...]]) -> tuple[Image, ...]:
    """Return the symmetries that leave a start as it is. `setup` is that of a `Ruleset`."""
    return tuple(map(Image, start_symmetries(setup)))
