"""Tournaments as they are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gipfbot.match import Seat, Terms
from gipfbot.match.tournament import Encounter, Outcome
from gipfbot.rules import Ruleset

from .games import Venue


class TournamentState(StrEnum):
    """Where a tournament stands."""

    OPEN = "open"  # people may join, and nothing has begun
    RUNNING = "running"
    OVER = "over"
    CALLED_OFF = "called off"  # too few had joined
    STOPPED = "stopped"  # by who may do so


@dataclass(frozen=True)
class Tournament:
    """A tournament. `kind` is the key of its row. Times are UTC seconds.

    `begun` is the season (of a league) or the round (of a Swiss tournament) that was begun last; 0 before the start.
    `starts_at` is when the first round or the next season begins; 0 while one is played. `rounds` is 0 in a league.
    """

    id: int
    kind: str
    name: str
    venue: Venue
    organiser: Seat
    ruleset: Ruleset
    terms: Terms
    rounds: int
    starts_at: int
    created_at: int
    state: TournamentState = TournamentState.OPEN
    begun: int = 0
    ended_at: int | None = None

    @property
    def season(self) -> int:
        """The season that runs or ran last. It is 1 before the first, and in a Swiss tournament."""
        return 1 if self.rounds else max(1, self.begun)

    @property
    def joins(self) -> int:
        """The season of those who join now."""
        return 1 if self.rounds else self.begun + 1


class Entry(NamedTuple):
    """A player's part in a tournament; in a league, in one season of it. The bot may have one.

    `division` counts from 1; it is None before the season begins, and in a Swiss tournament. `number` is the player's
    in the table of pairings, and None before the beginning. `left_at` is when the player left after the beginning.
    """

    id: int
    season: int
    seat: Seat
    lot: int
    division: int | None = None
    number: int | None = None
    left_at: int | None = None


class Title(NamedTuple):
    """What a player has won: a tournament with rounds, or a season of a league. `season` is None without seasons."""

    tournament: int
    name: str
    season: int | None
    venue: Venue


class PartOf(NamedTuple):
    """The tournament that a game belongs to, and its season in a league, or else its round."""

    name: str
    season: int | None
    round: int | None


class Pairing(NamedTuple):
    """Who plays whom, by the ids of their entries. `black` is None in a bye.

    `game` is the last of its games, and `games` is how many of them have begun: a void game is played again. `outcome`
    is None until the pairing is decided. `late` says that its loser lost on time.
    """

    season: int
    round: int
    white: int
    black: int | None
    game: int | None = None
    games: int = 0
    outcome: Outcome | None = None
    late: bool = False


@dataclass(frozen=True)
class Played:
    """A tournament with the entries and pairings of a season; of a Swiss tournament, with all of them."""

    tournament: Tournament
    entries: Sequence[Entry]
    pairings: Sequence[Pairing]

    def encounters(self) -> list[Encounter]:
        """Return the pairings that are decided, for the table."""
        decided = (each for each in self.pairings if each.outcome)
        return [Encounter(each.white, each.black, each.outcome, each.late) for each in decided if each.outcome]
