"""Positions and their turns up to symmetry: one image of a position stands for all of them, under a short key.

Only the symmetries that keep the start of the rule set count: they turn one game into another that could be played.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from gipfbot.rules import Action, Position
from gipfbot.rules.images import Image, start_images

from .positions import position_text
from .reading import parse_turn
from .write_turn import turn_text


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
    unended = position._replace(result=None)
    found = [(image.of_position(unended), image) for image in start_images(position.rules.setup)]
    first = min((mapped for mapped, _ in found), key=_board)
    return Representative(_digest(first), first, tuple(image for mapped, image in found if mapped == first))


def _board(position: Position) -> tuple[object, ...]:
    return position.owned, position.gipf, position.odd


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
