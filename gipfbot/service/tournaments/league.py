"""Leagues: in each division everybody meets everybody, season after season. Two go up, and two go down."""

from collections.abc import Mapping

from gipfbot.engines.pairing import pair_league
from gipfbot.match.tournament import (
    FEWEST_PLAYERS,
    MOST_AT_ONCE,
    TieBreak,
    cut_into_divisions,
    order_next_season,
)
from gipfbot.values.tournaments import Pairing, Played

from .kinds import Begun, TournamentKind, by_lot

MOST_PLAYERS = 64


async def begin_season(new: Played, before: Played | None, _ratings: Mapping[int, int]) -> Begun:
    """Return the divisions and all pairings of a season. Raises PairingFailed and NoAnswer.

    In the first season the lot decides who is in which division, and in each season who has which number in it.
    """
    lots = {each.id: each.lot for each in new.entries}
    numbers, pairings = dict[int, tuple[int | None, int]](), list[Pairing]()
    for division, entries in enumerate(cut_into_divisions(_order(new, before)), 1):
        drawn = sorted(entries, key=lambda entry: (lots[entry], entry))
        numbers |= {entry: (division, number) for number, entry in enumerate(drawn, 1)}
        for number, pairs in enumerate(await pair_league(drawn), 1):
            pairings += [Pairing(new.tournament.begun + 1, number, white, black) for white, black in pairs]
    return Begun(numbers, pairings)


def _order(new: Played, before: Played | None) -> list[int]:
    """Return the entries of a season, the best of the season before first, those who are new last."""
    entered = {each.seat.user: each.id for each in by_lot(new.entries)}
    if before is None:
        return [*entered.values()]
    users = {each.id: each.seat.user for each in before.entries}
    tables = [[users[row.player] for row in table] for table in LEAGUE.tables(before)]
    played = {user for table in tables for user in table}
    order = order_next_season(tables, entered, [user for user in entered if user not in played])
    return [entered[user] for user in order]


LEAGUE = TournamentKind(
    "league", TieBreak.SONNEBORN_BERGER, FEWEST_PLAYERS, MOST_PLAYERS, True, MOST_AT_ONCE, begin_season
)
