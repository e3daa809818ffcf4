"""A running game in the notebook, and the boards that it must post."""

from collections import deque
from dataclasses import dataclass, field

from gipfbot.match import Terms
from gipfbot.rules import Action

from .clocks import Plain
from .people import Person


@dataclass
class Expected:
    """A board that must be posted: its kind, its pings and its turn."""

    kind: str
    pinged: frozenset[int]
    since: int
    turn: str | None = None


@dataclass
class Watched:
    """A running game. Moments are times on the host's clock."""

    id: int
    players: tuple[Person, Person]
    terms: Terms
    clock: Plain | None
    lasts: int  # turns until a player gives up
    changed: int
    number: int = 0
    serial: int = 0
    over: bool = False
    private: bool = False  # whether nothing of it may be posted in a channel
    boards: deque[Expected] = field(default_factory=deque)
    remind_at: int | None = None
    reminded: bool = False
    weekly: dict[int, list[tuple[int, str]]] = field(default_factory=dict)  # by turn serial: when reminded, and how
    may_remind: bool = False  # whether a reminder may come or not, because the wish changed too late
    nudged: bool = False
    quiet: set[int] = field(default_factory=set)
    since: int = 0  # since when the game has waited for the player to move
    seen: int = 0  # when the last late board was posted
    claimed_until: int | None = None
    draw_offered: int = -1  # the turn serial at which a draw was offered last
    resumed: int = 0  # when the clock ran on after a vacation
    loosened: tuple[int, int] = (-1, 0)  # a turn serial, and the unnoticed downtime in which its clock began to run
    arranged: int = -1  # the turn serial for which the next acts in a game against the bot were scheduled
    foreseen: dict[int, tuple[Action, ...]] = field(default_factory=dict)  # turns with a reply, by turn serial

    @property
    def mover(self) -> Person:
        """The player to move."""
        return self.players[self.number % 2]

    @property
    def other(self) -> Person:
        """The player who waits."""
        return self.players[1 - self.number % 2]

    @property
    def clock_is_loose(self) -> int:
        """The seconds that the bot's clock may give to the player to move on top."""
        return self.clock.loose[self.number % 2] if self.clock else 0

    @property
    def both(self) -> frozenset[int]:
        """The ids of both players, without the bot's."""
        return frozenset(person.user for person in self.people)

    @property
    def people(self) -> tuple[Person, ...]:
        """The players who are people."""
        return tuple(player for player in self.players if not player.is_bot)

    @property
    def is_against_bot(self) -> bool:
        """Whether the bot is one of the players."""
        return len(self.people) < len(self.players)

    def expect(self, kind: str, turn: str | None = None) -> None:
        """Expect another board; of a private game, none."""
        self.over = kind in ("won", "off", "drawn", "void")
        if self.private:
            return
        nobody = kind == "answered" or self.mover.is_bot
        pinged = self.both if self.over else frozenset[int]() if nobody else frozenset({self.mover.user})
        self.boards.append(Expected(kind, pinged, self.changed, turn))
