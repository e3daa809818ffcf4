"""Follows as they are stored: what a person is told about a game, or about the games of a player."""

from dataclasses import dataclass
from enum import StrEnum


class News(StrEnum):
    """What a follower is told."""

    EACH_TURN = "turn"
    RESULT = "result"


class LostReason(StrEnum):
    """Why a follow has ended without the follower's doing."""

    HIDDEN = "hidden"  # the follower no longer sees the game's channel
    SHUT = "shut"  # the follower takes no direct messages
    REFUSED = "refused"  # Discord refused the direct message
    IMPOSSIBLE = "impossible"  # a player does not want it; the follower is not told why


@dataclass(frozen=True)
class Follow:
    """A follow of a game, or of a player. `name` says whom: both players of the game, or the player.

    `lost` says why it has ended; None while it holds.
    """

    id: int
    user: int
    game: int | None
    player: int | None
    name: str
    news: News
    lost: LostReason | None = None
