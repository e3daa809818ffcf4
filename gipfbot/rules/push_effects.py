"""What a push does at the least, whatever its player removes after it."""

from typing import NamedTuple

from .actions import Push
from .engine import legal, play
from .position import Position

MOST_POSITIONS = 500  # looked at for one push; some crowded boards have 20,000


class PushEffect(NamedTuple):
    """The least that a push does. A GIPF-piece counts as two basic pieces."""

    returned: int  # basic pieces that come back to the reserve of the player who pushes
    captured: int  # basic pieces that the opponent loses
    wins: bool  # whether the push wins the game with every choice of removals


def push_effect(position: Position, push: Push) -> PushEffect | None:
    """Return the least that a legal push does: the smallest numbers of all turns that begin with it.

    The smallest numbers may come from different turns. Return None if there are too many turns to look at. Does not
    check that the push is legal.
    """
    by, ends = position.mover, _turn_ends(play(position, push))
    if ends is None:
        return None
    spent = position.reserve[by] - push.kind.worth
    return PushEffect(
        min(end.reserve[by] for end in ends) - spent,
        min(end.captured[by.other] for end in ends) - position.captured[by.other],
        all(end.result is not None and end.result.winner is by for end in ends),
    )


def _turn_ends(pushed: Position) -> set[Position] | None:
    """Return every position at the end of the turn, `pushed` being the position after its push.

    Return None after too many positions.
    """
    unfinished, seen, ends = [pushed], {pushed}, set[Position]()
    while unfinished:
        here = unfinished.pop()
        if not here.pushed or here.result:
            ends.add(here)
            continue
        fresh = {play(here, action) for action in legal(here)} - seen
        seen |= fresh
        unfinished += fresh
        if len(seen) > MOST_POSITIONS:
            return None
    return ends
