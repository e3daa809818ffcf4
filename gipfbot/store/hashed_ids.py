"""Hashed ids: what is kept of people who have deleted their data, so that it protects others.

A hashed id is the id's HMAC-SHA256 with a random key of the host, cut to an integer. Without the key, nobody can tell
whose it is. Other people's blocks keep a hashed id as long as they stand. Challenges to others keep it for a day. Rated
games with others keep a hashed id of both people together until the month is over.
"""

import hmac
import secrets
from collections.abc import Collection

from sqlalchemy import delete, func, insert, select, text

from gipfbot.match import DAY, REQUEST_LIFETIME
from gipfbot.match.ratings import month_of, month_start
from gipfbot.values import is_former_player
from gipfbot.values.people import FIRST_HASHED_ID

from . import meta
from .database import Connection
from .rating_tables import COUNTS_AT_ALL, rated_results
from .tables import NOW, challenges, former_pings

KEY = "hash_key"
KEY_COLUMN = meta.value_column(KEY)  # beside rows with hashed ids, for `with_hashed_ids`
PINGS_OVER = former_pings.c.expires_at <= NOW + (REQUEST_LIFETIME - DAY)  # they are more than a day old
_ADD_GAMES = text(
    "INSERT INTO former_pairs (hashed_pair, pool, month, games, over_at) "
    "VALUES (:hashed_pair, :pool, :month, :games, :over_at) "
    "ON CONFLICT (hashed_pair, pool, month) DO UPDATE SET games = former_pairs.games + excluded.games"
)


async def hash_id(db: Connection, user: int) -> int:
    """Return the hashed id of a person. The first call creates the host's key."""
    return _hashed_id(await _require_key(db), user)


async def _require_key(db: Connection) -> str:
    key = await meta.load_value(db, KEY)
    if key is None:
        key = secrets.token_hex(32)
        await meta.save_value(db, KEY, key)
    return key


def _hashed_id(key: str, *people: int) -> int:
    """Return the hashed id of a person, or of several together, in whatever order they are given."""
    digest = hmac.digest(bytes.fromhex(key), ":".join(map(str, sorted(people))).encode(), "sha256")
    return FIRST_HASHED_ID | int.from_bytes(digest[:8]) >> 2


def with_hashed_ids(key: str | None, users: Collection[int]) -> dict[int, int]:
    """Return a table from ids, and from hashed ids, to these people.

    `key` is that of the host. It is None if nobody has deleted their data; then there are no hashed ids.
    """
    return {user: user for user in users} | ({_hashed_id(key, user): user for user in users} if key else {})


async def keep_pings(db: Connection, user: int, ids: Collection[int], now: int) -> None:
    """Note whom a person has pinged within a day by some of these challenges."""
    c = challenges.c
    recent = c.id.in_(ids), c.by_user == user, c.to_user.is_not(None), c.expires_at > pings_count_after(now)
    pings = (await db.execute(select(c.to_user, c.expires_at).where(*recent))).all()
    if pings:
        hashed = await hash_id(db, user)
        rows = [{"hashed_id": hashed, "to_user": ping.to_user, "expires_at": ping.expires_at} for ping in pings]
        await db.execute(insert(former_pings), rows)


def pings_count_after(now: int) -> int:
    """Return the time after which all challenges of the last day expire."""
    return now + REQUEST_LIFETIME - DAY


async def forget_pings(db: Connection, now: int) -> None:
    """Delete the pings of former players that are more than a day old."""
    await db.execute(delete(former_pings).where(PINGS_OVER), {"now": now})


def hash_pair(key: str | None, pair: Collection[int]) -> int:
    """Return the hashed id of two people together; 0 without the host's key, because then nothing was noted."""
    return _hashed_id(key, *pair) if key else 0


async def keep_pairs(db: Connection, user: int, now: int) -> None:
    """Note how many rated games of a person with each other one count in this month.

    Former players are left out: their games with the person were noted when their own deletion began.
    """
    r = rated_results.c
    theirs = r.user == user, r.month >= month_of(now), COUNTS_AT_ALL  # a later one, if the host's clock was set back
    query = select(r.opponent, r.pool, r.month, func.count()).where(*theirs).group_by(r.opponent, r.pool, r.month)
    found = [row for row in await db.execute(query) if not is_former_player(row.opponent)]
    await _add_games(db, [((user, opponent), pool, month, played) for opponent, pool, month, played in found])


async def add_to_pair(db: Connection, pair: Collection[int], pool: str, month: int) -> None:
    """Note that one more game of two people counts in a pool and month."""
    await _add_games(db, [(pair, pool, month, 1)])


async def _add_games(db: Connection, played: Collection[tuple[Collection[int], str, int, int]]) -> None:
    """Note pairs of people, each with a pool, a month, and how many games more count in it."""
    if played:
        key = await _require_key(db)
        names = "hashed_pair", "pool", "month", "games", "over_at"
        rows = [
            (hash_pair(key, pair), pool, month, games, month_start(month + 1)) for pair, pool, month, games in played
        ]
        await db.execute(_ADD_GAMES, [dict(zip(names, row, strict=True)) for row in rows])
