"""Games and challenges as they are stored, and games as lists show them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gipfbot.match import Challenge, Game, Status, Turn
from gipfbot.rules import Action, ByColour, Colour

from .people import NO_VACATION_DAYS, VacationDays

NOWHERE = -1  # no channel has this id: nothing is ever posted there
CUT = "cut"  # how a turn of the bot was entered whose search was ended by time
CONDITIONAL = "conditional"  # how a turn was entered that a conditional line has played
PLAYER_LEFT = "a player left"  # why a game is unreachable though its channel takes messages


@dataclass(frozen=True)
class Venue:
    """The channel or thread in which a game's boards are posted. `server` is None for a private channel.

    A private game has PRIVATE_VENUE.

    >>> thread = Venue(server=1, channel=22, parent=2)  # a thread of channel 2
    """

    server: int | None
    channel: int
    parent: int | None = None  # the parent channel of a thread

    @property
    def is_private(self) -> bool:
        """Whether it is PRIVATE_VENUE: no board of the game is posted anywhere."""
        return self.channel == NOWHERE


PRIVATE_VENUE = Venue(None, NOWHERE)  # the venue of a game that only its player sees


@dataclass(frozen=True)
class Related:
    """What other tables hold about a game, read together with it. The defaults stand for what was not read.

    The flags say for which tables another query is needed. `server_settings` are the stored settings of its server.
    """

    server_settings: Mapping[str, Any] | None = None
    has_guesses: bool = True  # of the current turn
    has_vacation: bool = True  # whether one of its players is on vacation
    has_owed: bool = True  # whether a message is still to be posted


@dataclass(frozen=True)
class StoredGame:
    """A game, and the facts that are stored beside it. If it is `unreachable`, nothing can be posted at its venue.

    `player_left` says that it is unreachable only because a player has left the server. They may come back.

    `board_message` is the newest board that was posted, in `board_channel`. `waiting_since` is when the game began to
    wait for the player to decide; None once it is over. `notes` are private: see `note_of`. Times are UTC seconds.

    `has_requests` and `has_lines` say whether there were open requests and conditional lines when the game was read.
    They may be gone since. `last_planned` says that the last turn then was a conditional turn of its player,
    `last_cut` that time ended the bot's search for it.

    >>> from gipfbot.match import Seat, new_game
    >>> from gipfbot.rules import BASIC
    >>> game = new_game(7, BASIC, (Seat(1, "Ann"), Seat(2, "Bob")))
    >>> stored = StoredGame(game, Venue(1, 2), False, 333, 2, 1_800_000_000, 1_800_000_000, None)
    """

    game: Game
    venue: Venue
    unreachable: bool
    board_message: int | None
    board_channel: int | None
    created_at: int
    changed_at: int
    ended_at: int | None
    waiting_since: int | None = None
    notes: ByColour[str | None] = (None, None)
    has_requests: bool = False
    has_lines: bool = False
    player_left: bool = False
    last_planned: bool = False
    last_cut: bool = False
    related: Related = field(default=Related(), compare=False)

    def with_game(self, game: Game, now: int) -> "StoredGame":
        """Return this stored game as it is after `save_game` has saved the new `game`."""
        over, before = game.asked is None, self.game
        waits_on = (game.turn_number, game.asked) == (before.turn_number, before.asked)
        since = None if over else self.waiting_since if waits_on else now
        cut, ended = self.last_cut and game.turn_number == before.turn_number, now if over else None
        return replace(self, game=game, changed_at=now, ended_at=ended, waiting_since=since, last_cut=cut)

    def note_of(self, user: int) -> str:
        """Return a player's own note on the game; empty if there is none, and for everybody else."""
        colour = self.game.colour_of(user)
        return "" if colour is None else self.notes[colour] or ""


@dataclass(frozen=True)
class ListedGame:
    """A game in a list. `earlier_names` are what its players were called before, if the list can be searched."""

    id: int
    ruleset: str
    users: ByColour[int]
    names: ByColour[str]
    venue: Venue
    earlier_names: ByColour[tuple[str, ...]] = field(default=((), ()), kw_only=True)

    def colour_of(self, user: int) -> Colour:
        """Return the colour that a player has in this game. Does not check that they play in it."""
        return Colour.WHITE if self.users[Colour.WHITE] == user else Colour.BLACK


class LastListed(NamedTuple):
    """How many turns were played and taken back when a player's list of games last showed a game."""

    turn_number: int
    taken_back: int


@dataclass(frozen=True)
class EndedGame(ListedGame):
    """A game that has ended. Void, drawn and cancelled games have no winner."""

    status: Status
    winner: Colour | None
    board_message: int | None
    board_channel: int | None
    drawn: bool = False  # a draw by agreement


@dataclass(frozen=True)
class ChoosableGame(ListedGame):
    """A running game to choose. `asked` is the player who has to decide."""

    asked: Colour


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
    taken_back: int = 0
    version: int = 0
    last: Turn | None = None
    board_message: int | None = None
    board_channel: int | None = None
    last_listed: ByColour[LastListed | None] = (None, None)  # for each player; None if no list has shown it yet
    agreed_draw: bool = False  # whether the rules allow a draw by agreement
    answering: bool = False  # whether `asked` answers a question in the opponent's turn (R8.4)
    vacation: VacationDays = NO_VACATION_DAYS
    house_decides: bool = False  # whether the bot has to decide
    has_tasks: bool = True  # whether something was scheduled in the game when it was read
    stored: StoredGame | None = None  # the whole game, as it was read for the list

    @property
    def turn_serial(self) -> int:
        """The serial of the current turn, as in `Game`."""
        return self.turn_number + 2 * self.taken_back

    @property
    def turns(self) -> LastListed:
        """The numbers of turns of the game now."""
        return LastListed(self.turn_number, self.taken_back)

    @property
    def timed(self) -> bool:
        """Whether there is a time limit."""
        return self.deadline is not None or self.paused_left is not None


@dataclass(frozen=True)
class StoredTurn:
    """A turn as it was played.

    `by` is the id of the user who played it, and `how` says in what way the turn was entered. `bank` is the time that
    both players had at the start of the turn. `expected` is what the house player expected both players to decide after
    its turn; None if that was not kept.
    """

    turn_number: int
    colour: Colour
    text: str
    actions: tuple[Action, ...]
    by: int
    how: str
    played_at: int
    bank: ByColour[int] | None = None
    expected: tuple[tuple[Action, ...], ...] | None = None


@dataclass(frozen=True)
class StoredChallenge:
    """A challenge, where it was made, the message that shows it, and the last game it led to."""

    challenge: Challenge
    venue: Venue
    message: int | None = None
    game: int | None = None
    mentioned_role: int | None = None  # in the message of a seek
