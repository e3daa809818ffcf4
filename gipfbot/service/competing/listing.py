"""Keep the standings in step with the ratings: who is on which leaderboard, and where."""

from collections.abc import Collection, Mapping

from gipfbot.match.ratings import MonthRating, Standing, standing_now
from gipfbot.store import Connection, ratings, standings


async def list_players(
    db: Connection, pool: str, newest: Mapping[int, MonthRating | None], now: int, *, after_result: bool = False
) -> None:
    """Save the standings of players in a pool, from the newest month rating of each; None stands for no rating.

    `after_result` says that nothing but one more result has changed. Then nobody leaves a leaderboard, and a query is
    saved.
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
    """Save a player's standings in all pools, after something else than a result has changed them."""
    for pool, known in (await ratings.newest_months(db, user)).items():
        await list_players(db, pool, {user: known}, now)
