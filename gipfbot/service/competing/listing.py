"""Keep the standings in step with the ratings: who is on which leaderboard, and where."""

from collections.abc import Collection, Mapping

from gipfbot.match.rating_months import MonthRating
from gipfbot.match.standings import Standing, standing_now
from gipfbot.store import Connection, ratings, standings
from gipfbot.store.rating_tables import EVERYWHERE


async def list_players(db: Connection, pool: str, newest: Mapping[int, MonthRating | None], now: int) -> None:
    """Save the standings of players in a pool, from the newest month rating of each; None stands for no rating."""
    old = await standings.standings_of(db, newest, pool)
    unlisted = await standings.unlisted_people(db, newest)
    servers = await standings.servers_played_on(db, pool, newest)
    listed = {user: known for user, known in newest.items() if known and user not in unlisted}
    new = listed_standings(pool, listed, servers, now)
    await standings.replace_standings(db, old, new)


def listed_standings(
    pool: str, listed: Mapping[int, MonthRating], servers: Collection[tuple[int, int]], now: int
) -> list[Standing]:
    """Return the standings of players in a pool: everywhere, and on each server of `servers`, as player and server."""
    places = {*((user, EVERYWHERE) for user in listed), *servers}
    found = (standing_now(listed[user], server, now) for user, server in sorted(places) if user in listed)
    return [each for each in found if each]


async def relist_player(db: Connection, user: int, now: int) -> None:
    """Save a player's standings in all pools, after something else than a result has changed them."""
    for pool, known in (await ratings.newest_months(db, user)).items():
        await list_players(db, pool, {user: known}, now)
