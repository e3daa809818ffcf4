"""Servers, by their Discord ids: settings, when the bot joined or left, counts of games, channels refusing boards."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import and_, bindparam, func, insert, or_, select, union_all, update

from gipfbot.match import DAY
from gipfbot.rules import Colour
from gipfbot.values import PLAYER_LEFT, FollowedGame, PoolResults, ServerLanguage

from .database import Connection, read_each
from .game_lists import listed_values
from .game_rows import LISTED_ROWS
from .tables import arrivals, follows, games, seats, servers, turns

_OF_MANAGER = "manager_language"  # among the settings; no setting has this name
LANGUAGE = (  # the columns of a ServerLanguage
    servers.c.settings["language"].as_string().label("chosen"),
    servers.c.language.label("written"),
    servers.c.settings[_OF_MANAGER].as_string().label("manager"),
)
_SETTINGS = select(servers.c.settings).where(servers.c.id == bindparam("server"))  # built once: each turn needs it

_OF_PEOPLE = games.c.level.is_(None)  # no figure counts games against the house player
_WON_BY = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}
# If the player to move has left, the channel is not at fault.
_REFUSED = and_(games.c.unreachable.is_not(None), games.c.waiting_user.is_not(None), games.c.unreachable != PLAYER_LEFT)


async def settings_of_server(db: Connection, server: int) -> dict[str, Any]:
    """Return a server's settings by name; empty if none was set."""
    return await db.scalar(_SETTINGS, {"server": server}) or {}


async def save_server_settings(db: Connection, server: int, settings: dict[str, Any]) -> None:
    """Save a server's settings: JSON values by name. Does not check whether they are known."""
    changed = await db.execute(update(servers).where(servers.c.id == server).values(settings=settings))
    if not changed.rowcount:
        await db.execute(insert(servers).values(id=server, settings=settings))


async def language_of_server(db: Connection, server: int) -> ServerLanguage:
    """Return the language of a server."""
    row = (await db.execute(select(*LANGUAGE).where(servers.c.id == server))).one_or_none()
    return ServerLanguage(*row) if row else ServerLanguage()


async def set_language(db: Connection, server: int, code: str | None) -> None:
    """Save the language in which the bot writes on a server; None for English."""
    changed = await db.execute(update(servers).where(servers.c.id == server).values(language=code))
    if not changed.rowcount and code:
        await db.execute(insert(servers).values(id=server, settings={}, language=code))


async def set_language_of_manager(db: Connection, server: int, code: str) -> None:
    """Save the language of the manager who first opened a server's settings."""
    await save_server_settings(db, server, {**await settings_of_server(db, server), _OF_MANAGER: code})


async def present_servers(db: Connection) -> dict[int, int]:
    """Return when the bot joined each of its present servers, by server."""
    rows = await db.execute(select(arrivals.c.server, arrivals.c.joined_at).where(arrivals.c.left_at.is_(None)))
    return {row.server: row.joined_at for row in rows}


async def count_present_servers(db: Connection) -> int:
    """Return how many servers the bot is known to be in."""
    return await db.scalar(select(func.count()).select_from(arrivals).where(arrivals.c.left_at.is_(None))) or 0


async def was_joined_at(db: Connection, server: int, joined_at: int) -> bool:
    """Return whether the bot is known to have joined a server at this time, and to be there still."""
    there = arrivals.c.server == server, arrivals.c.joined_at == joined_at, arrivals.c.left_at.is_(None)
    return await db.scalar(select(arrivals.c.server).where(*there)) is not None


async def save_arrival(db: Connection, server: int, joined_at: int) -> None:
    """Note when the bot joined a server. It counts as present there from now on."""
    values = {"joined_at": joined_at, "left_at": None}
    changed = await db.execute(update(arrivals).where(arrivals.c.server == server).values(values))
    if not changed.rowcount:
        await db.execute(insert(arrivals).values(server=server, **values))


async def save_departure(db: Connection, server: int, now: int) -> None:
    """Note when the bot was removed from a server. Does nothing if the bot is not known to be there."""
    there = arrivals.c.server == server, arrivals.c.left_at.is_(None)
    await db.execute(update(arrivals).where(*there).values(left_at=now))


async def count_running_on_server(db: Connection, server: int) -> int:
    """Return how many games are running on a server."""
    running = games.c.server == server, games.c.waiting_user.is_not(None), _OF_PEOPLE
    return await db.scalar(select(func.count()).where(*running)) or 0


async def count_results(db: Connection, server: int) -> list[PoolResults]:
    """Return how many games ended on a server, by pool and by result.

    One index has all values that it reads: 100,000 games take some hundredths of a second.
    """
    way = games.c.pool, games.c.result
    ended = games.c.server == server, games.c.ended_at.is_not(None), _OF_PEOPLE
    rows = await db.execute(select(*way, func.count().label("number")).where(*ended).group_by(*way))
    return [PoolResults(row.pool, _WON_BY.get(row.result), row.result is None, row.number) for row in rows]


async def count_turns_by_day(db: Connection, server: int, since: int) -> dict[int, int]:
    """Return how many turns were played on a server since a time, by the number of the day (UTC).

    Days without turns are left out, and so are turns that were taken back.
    """
    # A game has turns since then only if it has ended since then, or began to wait for its player since then.
    here = and_(games.c.server == server, _OF_PEOPLE)
    ended = select(games.c.id).where(here, games.c.ended_at.is_not(None), games.c.ended_at >= since)
    running = select(games.c.id).where(here, games.c.waiting_user.is_not(None), games.c.waiting_since >= since)
    active, day = union_all(ended, running).subquery(), (turns.c.played_at // DAY).label("day")
    played = active.join(turns, and_(turns.c.game == active.c.id, turns.c.played_at >= since))
    rows = await db.execute(select(day, func.count().label("number")).select_from(played).group_by(day))
    return {row.day: row.number for row in rows}


async def most_followed_games(
    db: Connection, server: int, channels: Collection[int], player: int, most: int
) -> list[FollowedGame]:
    """Return at most `most` running games of a server that somebody follows, those with the most followers first.

    Only games count that `player` plays, or that are in these channels or their threads. Unreadable games are left out.
    """
    # With the colours, the database finds the seats by game, not among all games of the player.
    own = seats.c.game == games.c.id, seats.c.colour.in_(Colour), seats.c.user == player
    plays = select(seats.c.game).where(*own).exists()
    here = or_(func.coalesce(games.c.parent, games.c.channel).in_(channels), plays)
    running = games.c.server == server, games.c.waiting_user.is_not(None), follows.c.lost.is_(None), here
    counted = select(games.c.id, func.count().label("followers")).join(follows, follows.c.game == games.c.id)
    order = func.count().desc(), games.c.id
    top = counted.where(*running).group_by(games.c.id).order_by(*order).limit(most).subquery()
    query = LISTED_ROWS.add_columns(top.c.followers).join(top, top.c.id == games.c.id)
    rows = await db.execute(query.order_by(top.c.followers.desc(), games.c.id))
    return read_each(db, rows, "game", lambda row: FollowedGame(*listed_values(row), row.followers))


async def count_undeliverable_servers(db: Connection) -> int:
    """Return how many servers have a running game whose boards cannot be posted."""
    return await db.scalar(select(func.count(games.c.server.distinct())).where(_REFUSED, games.c.server > 0)) or 0


async def refusing_channels(db: Connection, server: int, most: int) -> list[int]:
    """Return the channels of a server where boards of running games cannot be posted, at most `most`."""
    found = select(games.c.channel).distinct().where(_REFUSED, games.c.server == server).order_by(games.c.channel)
    return [*await db.scalars(found.limit(most))]
