"""Games as they are stored, and as lists show them."""

from dataclasses import dataclass, replace

from gipfbot.match import Game
from gipfbot.rules import Action, ByColour, Colour


@dataclass(frozen=True)
class Venue:
    """The channel or thread in which a game's boards are posted. `server` is None for a private channel."""

    server: int | None
    channel: int
    parent: int | None = None  # the channel that a thread belongs to


@dataclass(frozen=True)
class StoredGame:
    """A game, and the facts that are stored beside it. If it is `unreachable`, nothing can be posted at its venue."""

    game: Game
    venue: Venue
    unreachable: bool
    board_message: int | None
    board_channel: int | None
    created_at: int
    changed_at: int
    ended_at: int | None

    def with_game(self, game: Game, now: int) -> "StoredGame":
        """Return this stored game as it is after `save_game` has saved the new `game`."""
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
    """A running game in a list. `asked` is the player who has to decide.

    While the clock runs, `deadline` is the end of that player's time, or of their grace if they are `flagged`. While
    the clock is paused, `paused_left` is their time in seconds. Without a time limit, both fields are None.
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
    """A turn as it was played.

    `by` is the id of the user who played it, and `how` says in what way the turn was entered. `bank` is the time that
    both players had at the start of the turn.
    """

    turn_number: int
    colour: Colour
    text: str
    actions: tuple[Action, ...]
    by: int
    how: str
    played_at: int
    bank: ByColour[int] | None = None
