"""Work out all ratings and leaderboards anew, from the games and the first tries at puzzles alone."""

from collections.abc import Callable, Iterable
from typing import Any

from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import (
    POOLS,
    PUZZLES,
    MonthRating,
    RatedResult,
    Standing,
    has_rated_result,
    rate_all,
    rated_result,
    settle_all,
)
from gipfbot.store import Connection, Store, puzzles, ratings, standings

from .results import listed_standings

Rows = dict[str, list[tuple[Any, ...]]]


async def rebuild_ratings(store: Store, now: Callable[[], int]) -> dict[str, tuple[int, int]]:
    """Write all ratings and standings anew, in one transaction.

    Return for each table how many rows it has now, and how many of its rows are different from before: changed, new, or
    gone. If nothing was wrong, none is different.
    """
    async with store.transaction() as db:
        await store.backend.allow_long_work(db)
        before = await _all_rows(db)
        both, months = await _work_out(db)
        await ratings.fill_ratings(db, both, months)
        await puzzles.save_all_ratings(db)
        await standings.fill_standings(db, await _listed_players(db, months, now()))
        after = await _all_rows(db)
    return {name: (len(rows), len({*rows} ^ {*before[name]})) for name, rows in after.items()}


async def rating_differences(db: Connection, now: int) -> dict[str, tuple[int, int]]:
    """Return for each table how many rows it has, and how many rows a rebuild would change. Writes nothing.

    Standings that time has changed are left out: the bot lists these players anew by itself.
    """
    stored = await _all_rows(db)
    both, months = await _work_out(db)
    listed = await standings.all_standings(db)
    aged = {(each.pool, each.user) for each in listed if each.changes_at <= now}
    expected: Rows = {
        "results": [tuple(each) for each in both],
        "ratings": [tuple(each) for each in months],
        "standings": [
            tuple(each) for each in await _listed_players(db, months, now) if (each.pool, each.user) not in aged
        ],
        "steps": standings.step_rows(listed),
        "puzzles": _rated_puzzles(stored["puzzles"], months),
    }
    left_out = {tuple(each) for each in listed if (each.pool, each.user) in aged}
    return {name: (len(rows), len(({*rows} - left_out) ^ {*expected[name]})) for name, rows in stored.items()}


async def _work_out(db: Connection) -> tuple[list[RatedResult], list[MonthRating]]:
    """Return the results of all rated games, for each player, and all month ratings: of games and of puzzles."""
    results = settle_all(await _results_of_games(db))
    months = rate_all([*results, *await puzzles.all_results(db)])
    return [each for result in results for each in (result, result.of_opponent)], months


async def _results_of_games(db: Connection) -> list[RatedResult]:
    """Return the results of all rated games. A game counts for the server where it ended, even if it was moved."""
    ended_on = {known.game: known.server for known in await ratings.all_results(db)}
    found = await ratings.games_with_result(db)
    return [
        rated_result(game, ended_on.get(game.id, server), ended_at)
        for game, server, ended_at in found
        if has_rated_result(game)
    ]


async def _listed_players(db: Connection, months: list[MonthRating], now: int) -> list[Standing]:
    new = []
    for pool in POOLS:
        newest = {each.user: each for each in months if each.pool == pool}
        places = [place for place in await standings.listed_on(db, pool, None) if place[0] in newest]
        new += listed_standings(pool, newest, places, now)
    return new


def _rated_puzzles(known: Iterable[tuple[int, float]], months: list[MonthRating]) -> list[tuple[int, float]]:
    """Return the puzzles with their newest ratings."""
    newest = {-each.user: each.rating.value for each in months if each.pool == PUZZLES}
    return [(puzzle, newest.get(puzzle, Rating().value)) for puzzle, _ in known]


async def _all_rows(db: Connection) -> Rows:
    return {
        "results": [tuple(each) for each in await ratings.all_results(db)],
        "ratings": [tuple(each) for each in await ratings.all_months(db)],
        "standings": [tuple(each) for each in await standings.all_standings(db)],
        "steps": await standings.all_steps(db),
        "puzzles": await puzzles.all_ratings(db),
    }
