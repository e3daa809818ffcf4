"""Positions and their turns up to symmetry: one image of a position stands for all of them, under a short key.

Only the symmetries that keep the start of the rule set count: they turn one game into another that could be played.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

from gipfbot.rules import Action, ByColour, Position
from gipfbot.rules.images import Image, images_of_spots, start_images
from gipfbot.rules.symmetries import Symmetry, start_symmetries

from .positions import position_text
from .turns import board_state, parse_turn, turn_text

OpeningTurns: TypeAlias = tuple[str, str]  # White's first turn and Black's, in official notation
_POINT = re.compile("[a-i][1-9]")


class Representative(NamedTuple):
    """The image of a position that stands for all images. `images` are the symmetries that lead to it.

    `key` is a number of 64 bits, with a sign. Positions have the same key if they are images of each other.
    """

    key: int
    position: Position
    images: tuple[Image, ...]


@lru_cache(maxsize=1024)
def find_representative(position: Position) -> Representative:
    """Return the representative of a position at the start of a turn. A result of the game makes no difference."""
    setup, (white, black) = position.rules.setup, position.owned
    images = _with_least(start_images(setup), images_of_spots(setup, white))
    for spots in (black, position.gipf) if len(images) > 1 else ():  # most often one is left
        images = _with_least(images, [image.of_spots(spots) for image in images])
    unended = position if position.result is None else position._replace(result=None)
    found = [(image.of_position(unended), image) for image in images]
    first = min((mapped for mapped, _ in found), key=board_state)
    return Representative(_digest(first), first, tuple(image for mapped, image in found if mapped == first))


def _with_least(images: Sequence[Image], values: Sequence[int]) -> list[Image]:
    """Return those images whose value is the least. There is a value for each."""
    least = min(values)
    return [image for image, value in zip(images, values, strict=True) if value == least]


def _digest(position: Position) -> int:
    digest = blake2b(position_text(position).encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def common_turn_text(known: Representative, actions: Sequence[Action]) -> str:
    """Return the text of a turn on the representative's board, the same for turns that are images of each other.

    `actions` are those of a whole turn in the position that has this representative.
    """
    images = ([image.of_action(action) for action in actions] for image in known.images)
    return min(turn_text(known.position, mapped) for mapped in images)


def actions_of_common_turn(known: Representative, text: str) -> tuple[Action, ...]:
    """Return the actions of a text by `common_turn_text`, in the position that has this representative.

    Raises NotationError if the rules do not allow such a turn.
    """
    back = known.images[0].inverse
    return tuple(back.of_action(action) for action in _parse_common(known.position, text))


@lru_cache(maxsize=4096)  # the same few turns are shown again and again
def _parse_common(position: Position, text: str) -> tuple[Action, ...]:
    return parse_turn(position, text)


@lru_cache(maxsize=4096)
def opening_key(turns: OpeningTurns, setup: ByColour[tuple[str, ...]]) -> OpeningTurns:
    """Return the alphabetically first of all openings that symmetries of the start make of this one."""
    return min((_mapped_turn(turns[0], to), _mapped_turn(turns[1], to)) for to in start_symmetries(setup))


def _mapped_turn(text: str, to: Symmetry) -> str:
    return _POINT.sub(lambda point: to[point[0]], text)
