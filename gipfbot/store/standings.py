"""Leaderboards: the standings of players, and how many are in each step of one rating point.

A player's place follows from the number of players in better steps, and of those before the player in the same step.
Wide steps, of WIDE rating points each, keep the sums short. They are in the same table, with COARSE added to their
number. So neither the last page of a long leaderboard nor a player's own place reads all players.

The order is that of the values as they are shown, because who is shown as equal shares a place. A deviation grows each
month, so the shown one is worked out when it is read.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Double,
    Integer,
    Row,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    true,
    tuple_,
    update,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from gipfbot.match.glicko import MOST_DEVIATION, SCALE
from gipfbot.match.ratings import Standing, month_of, rating_in_month
from gipfbot.values import ListedStanding, named_player

from .database import Connection
from .rating_tables import EVERYWHERE, memberships, rated_results, ratings, standing_steps, standings
from .ratings import read_month
from .tables import NOW, save_rows_of, seats, users

LISTED_SETTING = "leaderboard"  # a person's setting: whether leaderboards show them
WIDE = 64
COARSE = 1_000_000_000
Step: TypeAlias = tuple[str, int, bool, int]  # pool, server, provisional, step
_COLUMNS = [standings.c[name] for name in Standing._fields]
_PLACE = standings.c.provisional, standings.c.step
_STEP_KEY = [standing_steps.c[name] for name in ("pool", "server", "provisional", "step")]
CHANGING = standings.c.changes_at <= NOW
_SAVE_STANDING = save_rows_of(standings)
_ADD_TO_STEP = text(
    "INSERT INTO standing_steps (pool, server, provisional, step, players) "
    "VALUES (:pool, :server, :provisional, :step, :players) "
    "ON CONFLICT (pool, server, provisional, step) DO UPDATE SET players = standing_steps.players + excluded.players"
)


async def replace_standings(db: Connection, old: Collection[Standing], new: Collection[Standing]) -> None:
    """Replace the stored standings `old` by `new`, and update the counts of the steps."""
    kept = {_key(each) for each in new}
    await _delete_standings(db, [each for each in old if _key(each) not in kept])
    if changed := [each._asdict() for each in new if each not in old]:
        await db.execute(_SAVE_STANDING, changed)
    await _count_steps(db, old, new)


def _key(of: Standing) -> tuple[str, int, int]:
    return of.pool, of.server, of.user


async def _delete_standings(db: Connection, old: Sequence[Standing]) -> None:
    if old:
        keys = standings.c.pool, standings.c.server, standings.c.user
        await db.execute(delete(standings).where(tuple_(*keys).in_([_key(each) for each in old])))


async def _count_steps(db: Connection, old: Iterable[Standing], new: Iterable[Standing]) -> None:
    change = Counter[Step](step for each in new for step in _steps_of(each))
    change.subtract(step for each in old for step in _steps_of(each))
    names = [column.name for column in _STEP_KEY]
    changed = {step: number for step, number in change.items() if number}
    if changed:
        rows = [{**dict(zip(names, step, strict=True)), "players": number} for step, number in changed.items()]
        await db.execute(_ADD_TO_STEP, rows)


def _steps_of(standing: Standing) -> Iterator[Step]:
    for step in (standing.step, _wide_step(standing.step)):
        yield standing.pool, standing.server, standing.provisional, step


def _wide_step(step: int) -> int:
    """Return the stored number of the wide step that contains a step."""
    return COARSE + step // WIDE


def _wide_steps_of(pool: str | BindParameter[Any], server: int | BindParameter[Any]) -> ColumnElement[bool]:
    s = standing_steps.c
    return and_(s.pool == pool, s.server == server, s.provisional.in_((False, True)), s.step > COARSE // 2)


async def standings_of(db: Connection, users: Collection[int], pool: str | None = None) -> list[Standing]:
    """Return the stored standings of these people: in one pool, or in all if `pool` is None."""
    mine = standings.c.user.in_(users), true() if pool is None else standings.c.pool == pool
    return [Standing(*row) for row in await db.execute(select(*_COLUMNS).where(*mine))]


async def all_standings(db: Connection) -> list[Standing]:
    """Return all stored standings, in the order of their keys."""
    keys = standings.c.pool, standings.c.server, standings.c.user
    return [Standing(*row) for row in await db.execute(select(*_COLUMNS).order_by(*keys))]


async def all_steps(db: Connection) -> list[tuple[Any, ...]]:
    """Return the rows of all steps with at least one player, in the order of their keys."""
    taken = select(standing_steps).where(standing_steps.c.players > 0)
    return [tuple(row) for row in await db.execute(taken.order_by(*_STEP_KEY))]


def step_rows(listed: Iterable[Standing]) -> list[tuple[Any, ...]]:
    """Return the rows that `all_steps` returns if these are all standings, in any order."""
    players = Counter(step for each in listed for step in _steps_of(each))
    return [(*step, number) for step, number in players.items()]


async def fill_standings(db: Connection, new: Sequence[Standing]) -> None:
    """Replace all stored standings, and count all steps anew."""
    for table in (standings, standing_steps):
        await db.execute(delete(table))
    if new:
        await db.execute(insert(standings), [each._asdict() for each in new])
    await _count_steps(db, (), new)


async def changing_standings(db: Connection, now: int, limit: int) -> list[tuple[int, str]]:
    """Return player and pool of standings that become provisional by `now`, or leave the leaderboard."""
    c = standings.c
    changing = select(c.user, c.pool).where(CHANGING).order_by(c.changes_at).limit(limit)
    rows = await db.execute(changing, {"now": now})
    return [(row.user, row.pool) for row in rows]


async def listed_on(
    db: Connection, pool: str, people: Collection[int] | None
) -> dict[tuple[int, int], Standing | None]:
    """Return the leaderboards of a pool that show each of these players, if their last game is not old.

    Maps pairs of a player and a server to the stored standing, or None. The servers are those on which a game of theirs
    that counts has ended, if they have not left since, and server 0, which stands for all. Leaves out players who have
    left all leaderboards in their settings. If `people` is None, returns those of all players.
    """
    given = {"pool": pool} if people is None else {"pool": pool, "people": [*people]}
    rows = await db.execute(_LISTED_OF_ALL if people is None else _LISTED_OF_SOME, given)
    return {
        (row.player, row.place): Standing(*row[3:]) if row[3] is not None else None
        for row in rows
        if is_listed(row.settings)
    }


def _listed_statement(who: ColumnElement[bool]) -> Select[Any]:
    r, m = rated_results.c, memberships.c
    since = m.is_member.is_(False), m.asked_at >= r.ended_at
    gone = select(m.user).where(m.server == r.server, m.user == r.user, *since).exists()
    mine = who, r.pool == bindparam("pool"), r.counts
    here = select(r.user, case((gone, EVERYWHERE), else_=r.server).label("server")).where(*mine)
    places = here.union(select(r.user, literal(EVERYWHERE)).where(*mine)).subquery()
    p = places.c
    stored = and_(standings.c.pool == bindparam("pool"), standings.c.server == p.server, standings.c.user == p.user)
    known = places.outerjoin(users, users.c.id == p.user).outerjoin(standings, stored)
    return select(p.user.label("player"), p.server.label("place"), users.c.settings, *_COLUMNS).select_from(known)


# Built once, because building it takes as long as running it.
_LISTED_OF_ALL = _listed_statement(true())
_LISTED_OF_SOME = _listed_statement(rated_results.c.user.in_(bindparam("people", expanding=True)))


async def is_unlisted(db: Connection, user: int) -> bool:
    """Return whether a person has left all leaderboards in their settings."""
    return not is_listed(await db.scalar(select(users.c.settings).where(users.c.id == user)))


def is_listed(settings: Mapping[str, Any] | None) -> bool:
    """Return whether leaderboards show a person with these settings. They do by default."""
    return (settings or {}).get(LISTED_SETTING) is not False


async def count_standings(db: Connection, pool: str, server: int) -> int:
    """Return how many players a leaderboard has."""
    s = standing_steps.c
    return await db.scalar(select(func.coalesce(func.sum(s.players), 0)).where(_wide_steps_of(pool, server))) or 0


def _shown_deviation() -> ColumnElement[float]:
    """Return the deviation that is shown of a standing, in the month of the statement: see `rating_in_month`."""
    r, now = ratings.c, bindparam("now_month", type_=Integer)
    idle = case((now - r.month > 1, now - r.month - 1), else_=0)
    squared = r.deviation * r.deviation + idle * SCALE * SCALE * r.volatility * r.volatility
    return func.round(func.sqrt(case((squared > MOST_DEVIATION**2, MOST_DEVIATION**2), else_=squared)))


_SHOWN = _shown_deviation()
# An outer join, so that the standings are read first.
_WITH_RATING = standings.outerjoin(
    ratings,
    and_(ratings.c.pool == standings.c.pool, ratings.c.user == standings.c.user, ratings.c.month == standings.c.month),
)


async def standings_page(
    db: Connection, pool: str, server: int, skipped: int, limit: int, now: int
) -> list[ListedStanding]:
    """Return at most `limit` lines of a leaderboard after the first `skipped`."""
    first = max(0, skipped - 1)  # the line before the page may share its place with the page's first
    rows = await _rows_after(db, pool, server, first, limit + skipped - first, month_of(now))
    place = first + 1
    if first and len(rows) > 1 and _shown(rows[0]) == _shown(rows[1]):
        place, _ = await place_of(db, pool, server, rows[0].user, now) or (place, 0)
    lines = list[ListedStanding]()
    for at, row in enumerate(rows):
        place = place if not at or _shown(row) == _shown(rows[at - 1]) else first + at + 1
        lines.append(_listed(row, place, now))
    return lines[skipped - first :]


def _shown(row: Row[Any]) -> tuple[Any, ...]:
    """Return what players who share a place have in common."""
    return row.provisional, row.step, row.shown, row.games


async def _rows_after(
    db: Connection, pool: str, server: int, skipped: int, limit: int, month: int
) -> Sequence[Row[Any]]:
    """Return at most `limit` rows of a leaderboard after the first `skipped`, with what is shown in a month."""
    found = await _step_at(db, pool, server, skipped)
    if found is None:
        return []
    provisional, step, before = found
    there, s = (_of_board(pool, server), tuple_(*_PLACE) >= (provisional, step)), standings.c
    order = *_PLACE, _SHOWN, s.games.desc(), s.uncertainty, s.user
    page = select(*_COLUMNS, _SHOWN.label("shown")).select_from(_WITH_RATING).where(*there).order_by(*order)
    p, r = page.limit(limit).offset(skipped - before).subquery().c, ratings.c
    query = (
        select(ratings, p.provisional, p.step, p.shown, seats.c.name)
        .where(r.pool == p.pool, r.user == p.user, r.month == p.month)
        .where(seats.c.game == func.coalesce(_newest_game_there(p), r.last_game), seats.c.user == r.user)
        .order_by(p.provisional, p.step, p.shown, p.games.desc(), p.uncertainty, p.user)
    )
    return (await db.execute(query, {"now_month": month})).all()


def _newest_game_there(of: ReadOnlyColumnCollection[str, Any]) -> ScalarSelect[int]:
    """Return a player's last game that counts on the leaderboard's server, where they have the name of its seat.

    A name of another server may be meant for that one only.
    """
    r = rated_results.c
    mine = r.user == of.user, r.pool == of.pool, r.server == of.server, r.counts
    return select(r.game).where(*mine).order_by(r.ended_at.desc(), r.game.desc()).limit(1).scalar_subquery()


def _listed(row: Row[Any], place: int, now: int) -> ListedStanding:
    known = read_month(row)
    counts = known.games, known.wins, known.won_in_a_row, known.last_at
    name, rating = named_player(known.user, row.name), rating_in_month(known, month_of(now))
    return ListedStanding(place, known.user, name, rating, *counts, row.provisional)


def _of_board(pool: str | BindParameter[Any], server: int | BindParameter[Any]) -> ColumnElement[bool]:
    return and_(standings.c.pool == pool, standings.c.server == server)


async def _step_at(db: Connection, pool: str, server: int, skipped: int) -> tuple[bool, int, int] | None:
    """Return the step of the line after `skipped` others, and the number of players in better steps."""
    wide = await _first_step_through(db, _wide_steps_of(pool, server), skipped)
    if wide is None:
        return None
    provisional, number, before = wide
    s, first = standing_steps.c, (number - COARSE) * WIDE
    inside = s.pool == pool, s.server == server, s.provisional == provisional, s.step.between(first, first + WIDE - 1)
    found = await _first_step_through(db, and_(*inside), skipped - before)
    return found and (found[0], found[1], before + found[2])


async def _first_step_through(db: Connection, which: ColumnElement[bool], skipped: int) -> tuple[bool, int, int] | None:
    """Return the first of these steps at which the sum of players exceeds `skipped`, and the sum before it."""
    s = standing_steps.c
    through = func.sum(s.players).over(order_by=(s.provisional, s.step)).label("through")
    sums = select(s.provisional, s.step, s.players, through).where(which).subquery()
    query = select(sums).where(sums.c.through > skipped, sums.c.players > 0).order_by(sums.c.through).limit(1)
    row = (await db.execute(query)).one_or_none()
    return None if row is None else (row.provisional, row.step, row.through - row.players)


def _own(name: str) -> BindParameter[Any]:
    """Return a bind parameter for the value in this column of a player's own standing."""
    return bindparam(f"own_{name}", type_=standings.c[name].type)


def _before_statement() -> Select[Any]:
    """Return the statement that counts the players before a player.

    It counts those in better wide steps, in better steps, and in the same step those who are shown as better. The last
    number is of those who are shown as equal, but stand before the player.
    """
    s, c = standing_steps.c, standings.c
    pool, server, provisional, step = map(_own, ("pool", "server", "provisional", "step"))
    uncertainty, games, user = map(_own, ("uncertainty", "games", "user"))
    wide, shown = bindparam("own_wide_step", type_=Integer), bindparam("own_shown", type_=Double)
    better = tuple_(s.provisional, s.step) < tuple_(provisional, wide)
    above = select(func.coalesce(func.sum(s.players), 0)).where(_wide_steps_of(pool, server), better)
    near = s.pool == pool, s.server == server, s.provisional == provisional
    inside = s.step.between((wide - COARSE) * WIDE, step - 1)
    nearer = select(func.coalesce(func.sum(s.players), 0)).where(*near, inside)
    same_step = _of_board(pool, server), c.provisional == provisional, c.step == step
    beside = select(func.count()).select_from(_WITH_RATING).where(*same_step)
    surer = beside.where(or_(shown > _SHOWN, and_(shown == _SHOWN, c.games > games)))
    first = or_(c.uncertainty < uncertainty, and_(c.uncertainty == uncertainty, c.user < user))
    equal = beside.where(shown == _SHOWN, c.games == games, first)
    return select(*(each.scalar_subquery() for each in (above, nearer, surer, equal)))


# Built once, like those above: **Me** runs these statements too.
_OWN = (
    select(*_COLUMNS, _SHOWN)
    .select_from(_WITH_RATING)
    .where(_of_board(_own("pool"), _own("server")), standings.c.user == _own("user"))
)
_BEFORE_OWN = _before_statement()


async def place_of(db: Connection, pool: str, server: int, user: int, now: int) -> tuple[int, int] | None:
    """Return a player's place in a leaderboard, and their line, both from 1; None if they are not on it.

    Players who are shown as equal share the place of the first of them.
    """
    given = {"own_pool": pool, "own_server": server, "own_user": user, "now_month": month_of(now)}
    row = (await db.execute(_OWN, given)).one_or_none()
    if row is None:
        return None
    *own, shown = row
    values = {f"own_{name}": value for name, value in zip(Standing._fields, own, strict=True)}
    place = given | values | {"own_wide_step": _wide_step(values["own_step"]), "own_shown": shown}
    *better, equal = (await db.execute(_BEFORE_OWN, place)).one()
    return 1 + sum(better), 1 + sum(better) + equal


async def ask_again(db: Connection, server: int, people: Collection[int], asked_before: int) -> list[int]:
    """Return the people whose membership of a server Discord was last asked about before `asked_before`, or never."""
    m = memberships.c
    fresh = select(m.user).where(m.server == server, m.user.in_(people), m.asked_at > asked_before)
    known = {row.user for row in await db.execute(fresh)}
    return [user for user in people if user not in known]


async def save_membership(db: Connection, server: int, user: int, is_member: bool, now: int) -> None:
    """Save Discord's latest answer to whether a person is on a server."""
    same, values = (
        (memberships.c.server == server, memberships.c.user == user),
        {"is_member": is_member, "asked_at": now},
    )
    if not (await db.execute(update(memberships).where(*same).values(values))).rowcount:
        await db.execute(insert(memberships).values(server=server, user=user, **values))


async def is_gone(db: Connection, server: int, user: int) -> bool:
    """Return whether a person is not on a server, by Discord's latest answer."""
    m = memberships.c
    return await db.scalar(select(m.is_member).where(m.server == server, m.user == user)) is False
