"""Follows of games and of players, and whether followers see the channels of games."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, delete, func, insert, or_, select, update

from gipfbot.match import Status
from gipfbot.values import Follow, LostReason, News

from .database import Connection
from .tables import games, seats
from .unreadable import read_each
from .watching_tables import channel_checks, follows

_HOLDS = follows.c.lost.is_(None)
# Built once, because each turn needs them.
_FOR_NEWS = (
    select(follows).where(follows.c.news.in_(bindparam("wanted", expanding=True)), _HOLDS).order_by(follows.c.id)
)
_OF_GAME = _FOR_NEWS.where(follows.c.game == bindparam("in_game")).limit(bindparam("most"))
_OF_PLAYERS = _FOR_NEWS.where(follows.c.player.in_(bindparam("players", expanding=True))).limit(bindparam("most"))
MANY = 1 << 31  # more than there are


async def add_follow(db: Connection, new: Follow, now: int) -> int:
    """Store a follow; return its id. The id in `new` is ignored."""
    values = {"user": new.user, "game": new.game, "player": new.player, "name": new.name, "news": new.news}
    query = insert(follows).values(**values, lost=new.lost, created_at=now).returning(follows.c.id)
    follow_id: int = (await db.execute(query)).scalar_one()
    return follow_id


async def load_follow(db: Connection, follow_id: int) -> Follow | None:
    """Return a follow that holds, or None."""
    return await _find_follow(db, follows.c.id == follow_id)


async def follow_of_game(db: Connection, user: int, game: int) -> Follow | None:
    """Return a person's follow of a game, or None."""
    return await _find_follow(db, and_(follows.c.user == user, follows.c.game == game))


async def follow_of_player(db: Connection, user: int, player: int) -> Follow | None:
    """Return a person's follow of a player, or None."""
    return await _find_follow(db, and_(follows.c.user == user, follows.c.player == player))


async def _find_follow(db: Connection, which: ColumnElement[bool]) -> Follow | None:
    found = await _load_follows(db, and_(which, _HOLDS))
    return found[0] if found else None


async def _load_follows(db: Connection, which: ColumnElement[bool]) -> list[Follow]:
    return await _read_follows(db, select(follows).where(which).order_by(follows.c.id))


async def _read_follows(db: Connection, query: Select[Any], given: dict[str, Any] | None = None) -> list[Follow]:
    return read_each(db, await db.execute(query, given), "follow", _read_follow)


def _read_follow(row: Row[Any]) -> Follow:
    lost = None if row.lost is None else LostReason(row.lost)
    return Follow(row.id, row.user, row.game, row.player, row.name, News(row.news), lost)


async def follows_of(db: Connection, user: int) -> list[Follow]:
    """Return a person's follows that hold, oldest first. Follows of games that have ended are left out."""
    ended = select(games.c.id).where(games.c.id == follows.c.game, games.c.status != Status.RUNNING)
    return await _load_follows(db, and_(follows.c.user == user, _HOLDS, ~ended.exists()))


async def lost_follows(db: Connection, user: int) -> list[Follow]:
    """Return a person's follows that have ended without their doing, oldest first."""
    return await _load_follows(db, and_(follows.c.user == user, follows.c.lost.is_not(None)))


async def forget_lost_follows(db: Connection, user: int) -> None:
    """Delete a person's follows that have ended without their doing."""
    await db.execute(delete(follows).where(follows.c.user == user, follows.c.lost.is_not(None)))


async def followers_of_game(db: Connection, game: int, news: Collection[News], limit: int | None) -> list[Follow]:
    """Return the follows of a game for this news, oldest first, at most `limit`."""
    return await _read_follows(
        db, _OF_GAME, {"in_game": game, "wanted": [*news], "most": MANY if limit is None else limit}
    )


async def followers_of_players(
    db: Connection, players: Collection[int], news: Collection[News], limit: int | None
) -> list[Follow]:
    """Return the follows of these players for this news, oldest first, at most `limit`."""
    return await _read_follows(
        db, _OF_PLAYERS, {"players": [*players], "wanted": [*news], "most": MANY if limit is None else limit}
    )


async def count_followers(db: Connection, game: int, news: News) -> int:
    """Return how many people follow a game for this news."""
    which = follows.c.game == game, follows.c.news == news, _HOLDS
    return (await db.execute(select(func.count()).where(*which))).scalar_one()


async def set_news(db: Connection, follow_id: int, news: News) -> None:
    """Save what a follower is told."""
    await db.execute(update(follows).where(follows.c.id == follow_id).values(news=news))


async def lose_follow(db: Connection, follow_id: int, reason: LostReason) -> None:
    """Save that a follow has ended without the follower's doing."""
    await db.execute(update(follows).where(follows.c.id == follow_id, _HOLDS).values(lost=reason))


async def lose_all_follows(db: Connection, user: int, reason: LostReason) -> None:
    """Save that all follows of a person have ended without their doing."""
    await db.execute(update(follows).where(follows.c.user == user, _HOLDS).values(lost=reason))


async def lose_follows_by(db: Connection, user: int, player: int) -> None:
    """Save that a person's follows of a player, and of this player's games, have become impossible."""
    plays = select(seats.c.game).where(seats.c.game == follows.c.game, seats.c.user == player).exists()
    which = and_(follows.c.user == user, or_(follows.c.player == player, plays), _HOLDS)
    await db.execute(update(follows).where(which).values(lost=LostReason.IMPOSSIBLE))


async def lose_follows_of(db: Connection, player: int) -> None:
    """Save that all follows of a player have become impossible."""
    await db.execute(update(follows).where(follows.c.player == player, _HOLDS).values(lost=LostReason.IMPOSSIBLE))


async def delete_follow(db: Connection, follow_id: int) -> None:
    """Delete a follow."""
    await db.execute(delete(follows).where(follows.c.id == follow_id))


async def known_check(db: Connection, user: int, channel: int, since: int) -> bool | None:
    """Return whether a person was found to see a channel, at `since` or later. None if nobody has asked since then."""
    which = channel_checks.c.user == user, channel_checks.c.channel == channel, channel_checks.c.checked_at >= since
    sees: bool | None = await db.scalar(select(channel_checks.c.sees).where(*which))
    return sees


async def save_check(db: Connection, user: int, channel: int, now: int, *, sees: bool) -> None:
    """Save whether a person sees a channel."""
    which, values = and_(channel_checks.c.user == user, channel_checks.c.channel == channel), {"checked_at": now}
    changed = await db.execute(update(channel_checks).where(which).values(**values, sees=sees))
    if not changed.rowcount:
        await db.execute(insert(channel_checks).values(user=user, channel=channel, **values, sees=sees))
