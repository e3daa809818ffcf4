"""The names of a person in their running games and open challenges on a server.

A nickname belongs to one server, so each is used there alone.
"""

from typing import Any

from sqlalchemy import BigInteger, Text, bindparam, or_, select, update

from gipfbot.match import RequestState

from .database import Connection
from .tables import challenges, games, seats

MOST_EARLIER_NAMES = 5  # of a player in a game
_USER, _SERVER = bindparam("named_user", type_=BigInteger), bindparam("on_server", type_=BigInteger)
_NAME = bindparam("present_name", type_=Text)
_OTHER_SEATS = (
    select(seats.c.game, seats.c.name, seats.c.earlier_names)
    .join(games, games.c.id == seats.c.game)
    .where(seats.c.user == _USER, seats.c.name != _NAME, games.c.server == _SERVER, games.c.waiting_user.is_not(None))
)
_SIDES = {"by_name": challenges.c.by_user, "to_name": challenges.c.to_user}
_IS_OPEN_THERE = challenges.c.state == RequestState.OPEN, challenges.c.server == _SERVER
_OTHER_CHALLENGES = {
    name: (user == _USER, challenges.c[name] != _NAME, *_IS_OPEN_THERE) for name, user in _SIDES.items()
}
# Whether a running game or an open challenge of a person on a server has another name: see `name_parameters`.
HAS_OTHER_NAME = or_(
    _OTHER_SEATS.exists(), *(select(challenges.c.id).where(*which).exists() for which in _OTHER_CHALLENGES.values())
)
_RENAME = (
    update(seats)
    .where(seats.c.game == bindparam("in_game"), seats.c.user == bindparam("player"))
    .values(name=bindparam("new_name"), earlier_names=bindparam("before"))
)


def name_parameters(user: int, server: int, name: str) -> dict[str, Any]:
    """Return the parameters of HAS_OTHER_NAME for a person who has this name on a server."""
    return {"named_user": user, "on_server": server, "present_name": name}


async def rename_in_games(db: Connection, user: int, server: int, name: str, limit: int) -> int:
    """Give a person this name in at most `limit` running games of a server that have another. Return in how many."""
    rows = (await db.execute(_OTHER_SEATS.limit(limit), name_parameters(user, server, name))).all()
    if rows:
        new = {"player": user, "new_name": name}
        befores = [(row.game, _with_earlier(row.name, split_names(row.earlier_names), name)) for row in rows]
        await db.execute(_RENAME, [{"in_game": game, "before": before, **new} for game, before in befores])
    return len(rows)


def _with_earlier(before: str, earlier: tuple[str, ...], now: str) -> str:
    kept = [name for name in earlier if name not in (before, now)]
    return "\n".join([before, *kept][:MOST_EARLIER_NAMES])


def split_names(stored: str | None) -> tuple[str, ...]:
    """Return the names in a column of earlier names, the newest first."""
    return tuple((stored or "").splitlines())


async def rename_in_challenges(db: Connection, user: int, server: int, name: str) -> None:
    """Give a person this name in all open challenges of a server, by them and to them."""
    for column, which in _OTHER_CHALLENGES.items():
        change = update(challenges).where(*which).values({column: name})
        await db.execute(change, name_parameters(user, server, name))
