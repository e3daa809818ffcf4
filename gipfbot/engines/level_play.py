"""What the levels of the house player ask of its engine."""

from collections.abc import Sequence

from gipfbot.notation import position_text
from gipfbot.rules import Position
from gipfbot.search import level_request

from .protocol import DEFAULT_SECONDS, MOST_BEFORE, PlayRequest


def request_of_level(
    position: Position, before: Sequence[Position], level: int, seed: int, seconds: float = DEFAULT_SECONDS
) -> PlayRequest:
    """Return the request for a turn of a level, 1 to 5. Raises ValueError for another level.

    `before` holds the positions at the start of the earlier turns, without this one. `seed` is the game's id.
    Of a longer game, only the last 2,000 are told.
    """
    asked = level_request(position, before, level, seed)
    lines = tuple(position_text(earlier) for earlier in before[-MOST_BEFORE:])
    return PlayRequest(position_text(position), lines, asked.nodes, seconds, asked.seed, asked.quiet, asked.first_of)
