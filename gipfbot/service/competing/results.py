"""Save games with their ratings, standings and announcements, and work out all ratings anew.

An announcement goes to the channel for results. Whether everybody there may see the game is asked when it is posted.

If a game ends in the same second as others, or after the host's clock was set back, its result may change which later
games count, and the ratings of later months. These are then worked out again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from gipfbot.match import Game, Status, Turn
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import (
    POOLS,
    PUZZLES,
    MonthRating,
    RatedResult,
    Standing,
    has_rated_result,
    has_result,
    rate_all,
    rate_month,
    rated_result,
    rating_in_month,
    result_counts,
    settle_all,
    standing_now,
)
from gipfbot.rules import ByColour
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.service.settings.servers import settings_at_venue
from gipfbot.store import Connection, Store, games, outbox, puzzles, ratings, require_alone, standings
from gipfbot.store.ratings import StartedResult
from gipfbot.values import OutboxRow, StoredGame

ANNOUNCEMENT = MessageKind("announcement", "result")
RatingChange: TypeAlias = tuple[int, int]  # a rating before and after a game

Rows = dict[str, list[tuple[Any, ...]]]


async def announcing_channel(db: Connection, stored: StoredGame) -> int | None:
    """Return the channel in which the result of a game is announced.

    Return None if its server announces no results, or if the game was played in that very channel.
    """
    channel = (await settings_at_venue(db, stored)).results
    return None if channel == stored.venue.channel else channel


async def owe_announcement(
    db: Connection, channel: int, game: int, changes: ByColour[RatingChange] | None, now: int, by: int
) -> None:
    """Owe the announcement of a result. `changes` is None if the game has changed no rating; `by` has ended it.

    The row belongs to no game, so a refusal does not hold up the game's own messages.
    """
    payload = {"game": game, "changes": changes}
    await outbox.owe(db, f"{ANNOUNCEMENT}:{game}", ANNOUNCEMENT, channel, payload, now, by=by)


def announced_changes(owed: OutboxRow) -> ByColour[RatingChange] | None:
    """Return the rating changes of White and Black in an announcement; None if no rating changed."""
    changes = owed.payload["changes"]
    return changes and tuple(tuple(change) for change in changes)


async def list_players(
    db: Connection, pool: str, newest: Mapping[int, MonthRating | None], now: int, *, after_result: bool = False
) -> None:
    """Save the standings of players in a pool, from the newest month rating of each; None stands for no rating.

    `after_result` says that the only change is one more result. Nobody leaves a leaderboard then, which saves a query.
    """
    places = await standings.listed_on(db, pool, newest)
    stored = [standing for standing in places.values() if standing]
    old = stored if after_result else await standings.standings_of(db, newest, pool)
    new = listed_standings(pool, {user: known for user, known in newest.items() if known}, places, now)
    await standings.replace_standings(db, old, new)


def listed_standings(
    pool: str, newest: Mapping[int, MonthRating], places: Collection[tuple[int, int]], now: int
) -> list[Standing]:
    """Return the standings of players in a pool on the servers of `places`, which has pairs of player and server."""
    found = (standing_now(newest[user], server, now) for user, server in sorted(places))
    return [each for each in found if each]


async def relist_player(db: Connection, user: int, now: int) -> None:
    """Save a player's standings in all pools, after a change that is not a result."""
    for pool, known in (await ratings.newest_months(db, user)).items():
        await list_players(db, pool, {user: known}, now)


async def save_and_rate(
    db: Connection, before: StoredGame, after: Game, turn: Turn | None = None, *, by: int, now: int, how: str = ""
) -> None:
    """Save a game as the store does. If it ends with a result, owe its announcement, unless the bot plays in it.

    If the result is rated, also save both players' ratings.
    """
    if before.game.status is Status.RUNNING and has_result(after):
        require_alone()
    await games.save_game(db, before.game, after, turn, by=by, now=now, how=how)
    if before.game.status is not Status.RUNNING or not has_result(after):
        return
    channel = None if after.terms.house else await announcing_channel(db, before)
    result = rated_result(after, before.venue.server, now) if has_rated_result(after) else None
    if channel is None:
        if result:
            await add_rated_result(db, result, now)
    else:
        changes = await _add_with_changes(db, result, now) if result else None
        await owe_announcement(db, channel, after.id, changes, now, by)


async def _add_with_changes(db: Connection, result: RatedResult, now: int) -> ByColour[RatingChange] | None:
    """Store the result of a game. Return the rating changes of both players; None if no rating changed."""
    before = await _newest_months(db, result)
    await add_rated_result(db, result, now)
    after = await _newest_months(db, result)
    if after == before:
        return None
    white, black = (_rating_change(before.get(user), after.get(user)) for user in (result.user, result.opponent))
    return white, black


async def _newest_months(db: Connection, result: RatedResult) -> dict[int, MonthRating]:
    """Return the newest month rating of each player of a game in its pool. Players without one are left out."""
    months = await ratings.months_around(db, result.pool, (result.user, result.opponent), result.month)
    return {each.user: each for each in months}


def _rating_change(before: MonthRating | None, after: MonthRating | None) -> RatingChange:
    old, new = (round((known.rating if known else Rating()).value) for known in (before, after))
    return old, new


async def add_rated_result(db: Connection, result: RatedResult, now: int) -> None:
    """Store the result of a game that has just ended, and both players' ratings and standings."""
    month = await ratings.results_of_month(db, result.pool, (result.user, result.opponent), result.month)
    beside = await ratings.results_beside(db, result, [known for known, _ in month])
    if not any(other.place > result.place for other in beside):
        await _add_latest_result(db, result._replace(counts=result_counts(result, beside)), month, now)
        return
    changed = await _settle_counts(db, result)
    for pool in dict.fromkeys(each.pool for each in changed):
        newest = await _rate_players(db, pool, [each for each in changed if each.pool == pool])
        await list_players(db, pool, newest, now)


async def _add_latest_result(db: Connection, result: RatedResult, known: Sequence[StartedResult], now: int) -> None:
    """Store a result on which no other depends. `known` has the other results of both players in the month."""
    await ratings.add_result(db, result)
    if result.counts:
        month = [*known, (result, None), (result.of_opponent, None)]
        newest = await _rate_players(db, result.pool, [result], month)
        await list_players(db, result.pool, newest, now, after_result=True)


async def _settle_counts(db: Connection, new: RatedResult) -> list[RatedResult]:
    """Store a new result, and decide whether it counts. Return it if it counts, and other results that changed.

    The new result may decide whether later games count. Games are settled in order, so each only once.
    """
    changed, waiting = list[RatedResult](), {new.place: new}
    while waiting:
        result = waiting.pop(min(waiting))
        month = await ratings.results_of_month(db, result.pool, (result.user,), result.month)
        beside = await ratings.results_beside(db, result, [known for known, _ in month])
        settled = result._replace(counts=result_counts(result, beside))
        if result is new:
            await ratings.add_result(db, settled)
        elif settled != result:
            await ratings.set_counts(db, settled)
        if settled != result:  # a new result did not count before
            changed.append(settled)
            waiting |= {other.place: other for other in beside if other.place > result.place}
    return changed


async def _rate_players(
    db: Connection, pool: str, changed: Iterable[RatedResult], known: Sequence[StartedResult] | None = None
) -> dict[int, MonthRating | None]:
    """Work out month ratings in a pool that depend on changed results.

    If there is one such result, `known` may hold all results of its players in its month, to save a query. Return the
    newest month rating of each player whose ratings may have changed; None if no game of theirs counts now.
    """
    waiting, newest = dict[int, set[int]](), dict[int, MonthRating | None]()
    for result in changed:
        waiting.setdefault(result.month, set()).update((result.user, result.opponent))
    while waiting:
        month = min(waiting)
        rated = await _rate_month(db, pool, month, waiting.pop(month), known)
        known = None
        for user, (months, later) in rated.items():
            newest[user] = months
            if later is not None:
                waiting.setdefault(later, set()).add(user)
    return newest


async def _rate_month(
    db: Connection,
    pool: str,
    month: int,
    users: Collection[int],
    of_month: Sequence[StartedResult] | None = None,
) -> dict[int, tuple[MonthRating | None, int | None]]:
    """Work out the ratings of players in one month, and save them.

    If a player's rating at the start of the month differs from the stored one, their opponents are rated again, too.
    Return for each player the newest month rating, and the next month if it must be worked out again.
    """
    known = {user: list[MonthRating]() for user in users}
    for each in await ratings.months_around(db, pool, users, month):
        known[each.user].append(each)
    before = {user: next((each for each in known[user] if each.month < month), None) for user in users}
    stored = {user: next((each for each in known[user] if each.month == month), None) for user in users}
    starts = {user: rating_in_month(before[user], month) for user in users}
    if of_month is None:
        of_month = await ratings.results_of_month(db, pool, users, month)
    found = [(result, start) for result, start in of_month if result.counts]
    moved = {user for user, old in stored.items() if old and old.start != starts[user]}
    if more := {result.opponent for result, _ in found if result.user in moved} - {*users}:
        return await _rate_month(db, pool, month, {*users, *more})
    starts = {result.opponent: start for result, start in found if start} | starts
    rated = dict[int, MonthRating | None]()
    for user in users:
        games = [(result, starts[result.opponent]) for result, _ in found if result.user == user]
        rated[user] = rate_month(before[user], games) if games else None
    await _save_months(db, stored, rated)
    return {user: _what_follows(known[user], before[user], stored[user], rated[user], month) for user in users}


def _what_follows(
    known: list[MonthRating],
    before: MonthRating | None,
    stored: MonthRating | None,
    rated: MonthRating | None,
    month: int,
) -> tuple[MonthRating | None, int | None]:
    """Return a player's newest month rating, and the next month if it depends on a change of this one."""
    later = [each for each in known if each.month > month]
    newest = later[-1] if later else rated or before
    return newest, later[0].month if later and rated != stored else None


async def _save_months(
    db: Connection, stored: dict[int, MonthRating | None], rated: dict[int, MonthRating | None]
) -> None:
    await ratings.save_months(db, [new for user, new in rated.items() if new and new != stored[user]])
    await ratings.delete_months(db, [old for user, old in stored.items() if old and not rated[user]])


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
    """Return the results of all rated games, one for each player, and all month ratings of games and puzzles."""
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
