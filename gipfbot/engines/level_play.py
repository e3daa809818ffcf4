"""What the levels of the house player, and analyses of games, ask of an engine."""

from collections.abc import Sequence

from gipfbot.notation import position_text
from gipfbot.rules import Position
from gipfbot.search import affordable_nodes, level_request

from .protocol import DEFAULT_SECONDS, MOST_BEFORE, AnalyseRequest, PlayRequest


def request_of_level(
    position: Position, before: Sequence[Position], level: int, seed: int, seconds: float = DEFAULT_SECONDS
) -> PlayRequest:
    """Return the request for a turn of a level, 1 to 5. Raises ValueError for another level.

    `before` holds the positions at the start of the earlier turns, without this one. `seed` is the game's id.
    Of a longer game, only the last 2,000 are told.
    """
    asked = level_request(position, before, level, seed)
    return PlayRequest(
        position_text(position), _told(before), asked.nodes, seconds, asked.seed, asked.quiet, asked.first_of
    )


def request_of_analysis(position: Position, before: Sequence[Position], nodes: int) -> AnalyseRequest:
    """Return the request for the best turns of a position. Where the search is slow, it has fewer nodes.

    `before` is as for `request_of_level`.
    """
    return AnalyseRequest(position_text(position), _told(before), affordable_nodes(position, nodes))


def _told(before: Sequence[Position]) -> tuple[str, ...]:
    return tuple(position_text(earlier) for earlier in before[-MOST_BEFORE:])
