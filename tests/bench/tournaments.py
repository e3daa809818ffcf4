"""Measure whether a small tournament is shown as fast among many large ones, and what a result in one costs.

A store of few tournaments and one of many are asked in turn. Most have ended, and each has had all its rounds.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random

from gipfbot.match import Seat, Terms
from gipfbot.match.tournament import Outcome, bank_for_game
from gipfbot.rules import STANDARD
from gipfbot.store import Connection, tournaments
from gipfbot.store.tournament_tables import tournament_entries, tournament_pairings, tournaments as tournament_table
from gipfbot.values.tournaments import Pairing, Tournament, TournamentState

from .figures import Counts, Figure
from .many_games import ANYBODY, copy_rows, number_rows
from .ratios import FIRST, alternate_sides, ratio_figures
from .samples import random_match
from .simulation import NOW, Club, fresh_store, simulated_club, store_measure, store_played_game

SHOWN_RATIO, ENTERED_RATIO = 1.2, 1.3  # times at most
FEW_STORED, SIZE, SMALL, ROUNDS = 10, 64, 8, 6
NAME = "The small one"
TERMS = Terms(bank_for_game(5), rated=True)


def tournament_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the ratios of what is shown of a tournament among many to the same among few, and of two results."""
    shown, results = asyncio.run(_measure_tournaments(counts))
    yield from ratio_figures("tournaments.show_of_few", "tournaments.show_", shown, SHOWN_RATIO)
    yield from ratio_figures("tournaments.other_result", "tournaments.", results, ENTERED_RATIO)


async def _measure_tournaments(counts: Counts) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the seconds until the small tournament is shown, and those of results; of both sides each."""
    async with AsyncExitStack() as opened:
        stores = [await opened.enter_async_context(fresh_store()) for _ in range(2)]
        here = await opened.enter_async_context(simulated_club(stores[0]))
        for store, number in zip(stores, (FEW_STORED, counts.tournaments), strict=True):
            async with store.transaction() as db:
                small = await _fill_store(db, here, number)
        ask = partial(here.show_picture, "gipf-tournament show", tournament=NAME)
        few, many = (store_measure(here, store, ask) for store in stores)
        shown = await alternate_sides(counts.pairs, {FIRST: few, "of_many": many})
        async with stores[1].transaction() as db:
            games = [await _store_games(db, here, small, number) for number in range(1, counts.pairs + 1)]
        others, own = (iter(each) for each in zip(*games, strict=True))
        results = {
            FIRST: store_measure(here, stores[1], lambda: here.resign(next(others))),
            "result": store_measure(here, stores[1], lambda: here.resign(next(own))),
        }
        return shown, await alternate_sides(counts.pairs, results)


async def _fill_store(db: Connection, here: Club, number: int) -> int:
    """Store so many tournaments of SIZE that are over, and one of SMALL that runs. Return its id.

    The first two players of the small one are those of the club.
    """
    new = Tournament(0, "swiss", "A cup", here.venue, here.seats[0], STANDARD, TERMS, ROUNDS, 0, NOW)
    over = replace(new, state=TournamentState.OVER, begun=ROUNDS, ended_at=NOW)
    sample = await _store_tournament(db, over, [Seat(ANYBODY + at, "anybody") for at in range(SIZE)])
    copies = number_rows(1, number - 1)
    n = copies.c.n
    e, p = tournament_entries.c, tournament_pairings.c
    await copy_rows(db, tournament_table, tournament_table.c.id == sample, copies, {"id": sample + n})
    shifted = {"tournament": sample + n, "id": e.id + SIZE * n, "user": e.user + SIZE * n}
    await copy_rows(db, tournament_entries, e.tournament == sample, copies, shifted)
    paired = {"tournament": sample + n, "white": p.white + SIZE * n, "black": p.black + SIZE * n}
    await copy_rows(db, tournament_pairings, p.tournament == sample, copies, paired)
    running = replace(new, name=NAME, state=TournamentState.RUNNING, begun=ROUNDS)
    members = [*here.seats, *(Seat(ANYBODY - 1 - at, "anybody") for at in range(SMALL - 2))]
    return await _store_tournament(db, running, members)


async def _store_tournament(db: Connection, new: Tournament, seats: Sequence[Seat]) -> int:
    """Store a tournament of these players in which White has won each round."""
    tournament = await tournaments.add_tournament(db, new)
    await tournaments.save_tournament(db, replace(new, id=tournament), replace(new, id=tournament))
    for lot, seat in enumerate(seats):
        await tournaments.add_entry(db, tournament, 1, seat, lot, NOW)
    ids = [entry.id for entry in await tournaments.entries_of(db, tournament, 1)]
    await tournaments.number_entries(db, {entry: (None, number) for number, entry in enumerate(ids, 1)})
    half = len(ids) // 2
    pairs = [
        (ids[at], ids[half + (at + number) % half], number) for number in range(1, ROUNDS + 1) for at in range(half)
    ]
    rows = [Pairing(1, number, white, black, outcome=Outcome.WHITE) for white, black, number in pairs]
    await tournaments.add_pairings(db, tournament, rows, NOW)
    return tournament


async def _store_games(db: Connection, here: Club, tournament: int, number: int) -> tuple[int, int]:
    """Store two games of the club's players: any one, and one of the tournament."""
    played = [game.last.actions for game in islice(random_match(Random(number)), 4) if game.last]
    terms = TERMS, replace(TERMS, tournament=tournament)
    other, own = [(await store_played_game(db, here.seats, here.venue, played, each)).id for each in terms]
    white, black, *_ = [entry.id for entry in await tournaments.entries_of(db, tournament, 1)]
    pairing = Pairing(1, ROUNDS + number, white, black)
    await tournaments.add_pairings(db, tournament, [pairing], NOW)
    await tournaments.note_game(db, tournament, pairing, own)
    return other, own
