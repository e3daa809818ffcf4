"""The kinds of tournaments. Each is a row in a module of its own; `tournament_kinds` finds them all."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from gipfbot.match.tournament import Entrant, Standing, TieBreak, rank
from gipfbot.service.kit.discovery import defined_in
from gipfbot.values.tournaments import Entry, Pairing, Played


class Begun(NamedTuple):
    """What a new season or round begins with.

    `numbers` are the division, if there is one, and the number in the table of pairings of each entry, by its id.
    Entries that have kept theirs are left out.
    """

    numbers: Mapping[int, tuple[int | None, int]]
    pairings: Sequence[Pairing]


# Called with the season that begins or goes on, the season before it, and the ratings of its players by their ids.
# Returns None if there is nothing left to pair.
Begin: TypeAlias = Callable[[Played, Played | None, Mapping[int, int]], Awaitable[Begun | None]]


@dataclass(frozen=True)
class TournamentKind:
    """A kind of tournament, such as a league. `key` is what is stored."""

    key: str
    tie_break: TieBreak
    fewest: int  # players, without whom it does not begin
    most: int
    seasons: bool  # whether another season follows; else it ends after its rounds
    most_at_once: int  # games of one player; others wait
    begin: Begin

    def tables(self, played: Played) -> list[list[Standing]]:
        """Return the table of each division, the first first; of a tournament without divisions its only one."""
        divisions = sorted({each.division or 0 for each in played.entries if each.number is not None})
        return [self._table(played, division) for division in divisions]

    def _table(self, played: Played, division: int) -> list[Standing]:
        entries = [each for each in played.entries if each.number is not None and (each.division or 0) == division]
        ids = {each.id for each in entries}
        encounters = [each for each in played.encounters() if each.white in ids]
        return rank([Entrant(each.id, each.lot) for each in entries], encounters, self.tie_break)

    def asked_to_stay(self, played: Played) -> list[Entry]:
        """Return who is asked at the end of a season whether they stay: not who has left, or lost all games on time."""
        rows = [row for table in self.tables(played) for row in table]
        late = {row.player for row in rows if row.played and row.lost_late == row.played}
        return [each for each in played.entries if each.left_at is None and each.id not in late]


@cache
def tournament_kinds() -> dict[str, TournamentKind]:
    """Return all kinds of tournaments by their keys."""
    return {each.key: each for each in defined_in("gipfbot.service", TournamentKind)}


def by_lot(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of their lots."""
    return sorted(entries, key=lambda each: (each.lot, each.id))
