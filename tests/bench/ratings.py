"""Measure leaderboards of few and of many players, and a result with ratings against one without.

A place in a leaderboard is counted from the number of players in each step of one rating point, see
`store/standings.py`: that is why a late page costs about as much as the first.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from random import Random
from time import perf_counter

from simcord.results import ResponseMessage
from sqlalchemy import insert, select

from gipfbot.match import Game, Seat, Terms
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import MOST_OF_PAIR, MonthRating, month_of, standing_now
from gipfbot.rules import STANDARD
from gipfbot.service.competing.leaderboards import ON_PAGE, Leaderboards
from gipfbot.store import Connection, Store, games, ratings, standings
from gipfbot.store.tables import games as games_table, seats
from gipfbot.ui.competing.leaderboard_texts import ME_LABEL
from gipfbot.values import Venue

from .figures import Counts, Figure
from .growth import POOL
from .ratios import FIRST, Measure, alternate_sides, ratio_figures
from .samples import random_match
from .simulation import Club, fresh_store, simulated_club, store_measure, store_played_game

FEW = 100  # players
LATER_PAGE = 50
DATABASE_RATIO, ANSWER_RATIO, RESULT_RATIO = 3, 1.2, 1.3  # times at most
HOME = Venue(1, 2)


def rating_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the ratios of the pages of a long leaderboard to the first page of a short one, and of two results.

    First come the times that the database takes, of three pages and of one's own; then the times from a command or a
    press on Discord to its answer. A result lasts from the press that resigns to the arrival of the last board.
    """
    database, answers = asyncio.run(_measure_leaderboards(counts))
    yield from ratio_figures("ratings.page_of_few", "ratings.", database, DATABASE_RATIO)
    yield from ratio_figures("ratings.answer_of_few", "ratings.answer_", answers, ANSWER_RATIO)
    results = asyncio.run(_measure_results(counts.results))
    yield from ratio_figures("ratings.result_without", "ratings.", results, RESULT_RATIO)


# ── Leaderboards ──


async def _measure_leaderboards(counts: Counts) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    last = counts.listed // ON_PAGE
    pages = {"page_1": 1, f"page_{LATER_PAGE}": min(LATER_PAGE, last), "page_last": last}
    async with AsyncExitStack() as opened:
        few, many = [await opened.enter_async_context(fresh_store()) for _ in range(2)]
        here = await opened.enter_async_context(simulated_club(few))
        now = here.bot.app.now()
        for store, players in ((few, FEW), (many, counts.listed)):
            async with store.transaction() as db:
                await _store_players(db, players, now)
        async with many.transaction() as db:
            await _list_person(db, here.seats[0], now)
        short, long = [Leaderboards(store, lambda: now) for store in (few, many)]
        database = {FIRST: _page_measure(short, 1), "me": _own_page_measure(long, counts.listed)}
        database |= {name: _page_measure(long, page) for name, page in pages.items()}
        shown = await here.show_message("gipf leaderboard", pool=POOL, scope="global")
        answers = {FIRST: _answer_measure(here, few, 1), "me": _me_measure(here, many, shown)}
        answers |= {name: _answer_measure(here, many, page) for name, page in pages.items()}
        return await alternate_sides(counts.pairs, database), await alternate_sides(counts.pairs, answers)


def _page_measure(boards: Leaderboards, page: int) -> Measure:
    async def measure() -> float:
        begun = perf_counter()
        shown = await boards.page(POOL, None, page)
        assert shown.lines
        return perf_counter() - begun

    return measure


def _own_page_measure(boards: Leaderboards, players: int) -> Measure:
    """Return a measure that looks for a player's place, and for the page on which it is."""
    rng = Random(1)

    async def measure() -> float:
        user = rng.randrange(players)
        begun = perf_counter()
        own = await boards.own_place(POOL, None, user + 1)
        assert own.page
        assert (await boards.page(POOL, None, own.page)).lines
        return perf_counter() - begun

    return measure


def _answer_measure(here: Club, store: Store, page: int) -> Measure:
    return store_measure(here, store, lambda: here.show_leaderboard(POOL, page))


def _me_measure(here: Club, store: Store, shown: ResponseMessage) -> Measure:
    """Return a measure that presses **Me** below a leaderboard."""
    return store_measure(here, store, lambda: here.press_for_picture(shown, ME_LABEL))


async def _list_person(db: Connection, seat: Seat, now: int) -> None:
    """Store the rating of a player who stands in the middle of the leaderboard."""
    game = (await games.add_game(db, STANDARD, (seat, Seat(1, "p1")), HOME, now)).game.id
    known = MonthRating(POOL, seat.user, month_of(now), Rating(), Rating(1500.0, 100.0), 9, 4, 1, game, now)
    await ratings.save_months(db, [known])
    entry = standing_now(known, 0, now)
    assert entry
    await standings.replace_standings(db, (), [entry])


async def _store_players(db: Connection, players: int, now: int) -> None:
    """Store players with random ratings, each with a name from a game of their own pair."""
    rng = Random(2)
    first = (await games.add_game(db, STANDARD, (Seat(1, "p1"), Seat(2, "p2")), HOME, now)).game.id
    row = (await db.execute(select(games_table).where(games_table.c.id == first))).one()._mapping
    copies = [{**row, "id": first + number} for number in range(1, (players + 1) // 2)]
    await db.execute(insert(games_table), copies)
    named = [
        {"game": first + at // 2, "colour": at % 2, "user": at + 1, "name": f"p{at + 1}"} for at in range(2, players)
    ]
    await db.execute(insert(seats), [{**each, "quiet": False} for each in named])
    known = [_random_rating(rng, user, first + (user - 1) // 2, now) for user in range(1, players + 1)]
    await ratings.save_months(db, known)
    await standings.fill_standings(db, [entry for each in known if (entry := standing_now(each, 0, now))])


def _random_rating(rng: Random, user: int, game: int, now: int) -> MonthRating:
    rating = Rating(rng.gauss(1500, 200), rng.uniform(40, 200))
    played = rng.randrange(1, 100)
    return MonthRating(POOL, user, month_of(now), Rating(), rating, played, played // 2, 1, game, now)


# ── Results ──


async def _measure_results(count: int) -> dict[str, list[float]]:
    """Return the seconds of results with ratings and, as FIRST, without them; `count` together."""
    async with fresh_store() as store, simulated_club(store) as here:
        sides = {}
        for rated in (False, True):
            async with store.transaction() as db:
                running = [await _store_rivals(db, here, number, rated=rated) for number in range(count // 2)]
            sides["result" if rated else FIRST] = _result_measure(here, running)
        found = await alternate_sides(count // 2, sides)
        async with store.reading() as db:
            results = await ratings.all_results(db)
        assert sum(result.counts for result in results) == 2 * (count // 2), "every rated game counts"
        return found


async def _store_rivals(db: Connection, here: Club, number: int, *, rated: bool) -> Game:
    """Store a running game after four turns. So few of the games of a pair are rated that all count."""
    rng, rival = Random(3), Seat(1000 + number // MOST_OF_PAIR, "eve")
    turns = [game.last.actions for game, _ in zip(random_match(rng), range(4), strict=False) if game.last]
    return await store_played_game(db, (here.seats[0], rival), here.venue, turns, Terms(rated=rated))


def _result_measure(here: Club, running: Sequence[Game]) -> Measure:
    left = iter(running)

    async def measure() -> float:
        return await here.resign(next(left).id)

    return measure
