"""Games as they are stored, and as lists show them."""

from dataclasses import dataclass, replace

from gipfbot.match import Game
from gipfbot.rules import Action, ByColour, Colour


@dataclass(frozen=True)
class Venue:
    """Where a game's boards go; a thread's id counts as a channel. Without a server it is a private channel."""

    server: int | None
    channel: int
    parent: int | None = None  # the channel that a thread belongs to


@dataclass(frozen=True)
class StoredGame:
    """A game with what the store knows beyond the match; `unreachable` when nothing can be posted at its venue."""

    game: Game
    venue: Venue
    unreachable: bool
    board_message: int | None
    board_channel: int | None
    created_at: int
    changed_at: int
    ended_at: int | None

    def with_game(self, game: Game, now: int) -> "StoredGame":
        """Return it as it stands once `save_game` has saved what has become of its game."""
        return replace(self, game=game, changed_at=now, ended_at=now if game.asked is None else None)


@dataclass(frozen=True)
class ListedGame:
    """A game in a list."""

    id: int
    ruleset: str
    users: ByColour[int]
    names: ByColour[str]
    venue: Venue


@dataclass(frozen=True)
class GameBrief(ListedGame):
    """A running game in a list: `asked` is the player waited for.

    They have time until the deadline, which ends their grace if they are `flagged`; or the clock is paused, and they
    have `paused_left`.
    """

    asked: Colour
    turn_number: int
    waiting_since: int
    unreachable: bool
    deadline: int | None = None
    paused_left: int | None = None
    flagged: bool = False

    @property
    def timed(self) -> bool:
        """Whether there is a time limit."""
        return self.deadline is not None or self.paused_left is not None


@dataclass(frozen=True)
class StoredTurn:
    """A turn as it was played: by whom, and by which way it came; the time both had when it began, if it is known."""

    turn_number: int
    colour: Colour
    text: str
    actions: tuple[Action, ...]
    by: int
    how: str
    played_at: int
    bank: ByColour[int] | None = None
