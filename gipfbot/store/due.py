"""Tasks that are due at a time. Each is a row with a key of its own, and is done at most once.

On PostgreSQL a sweep locks the rows that it works on, so two processes share the work and neither waits for the other.
SQLite has no such locks, and needs none.
"""

import json
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import (
    BindParameter,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from gipfbot.match import House, Refused, Terms, check_level
from gipfbot.values import DueRow, HouseTask

from .database import READ_ERRORS, Connection, process_of
from .tables import NOW, due, games, seats

UNTOLD = "untold"  # a kind that no sweep does: what a person's next command says about a private game
# Built once, because each turn needs them.
_KNOWN, _NAMES = due.alias("known"), ("key", "kind", "at", "user", "game")
_NEW = select(*(bindparam(name, type_=due.c[name].type) for name in _NAMES))
_ADD = insert(due).from_select(_NAMES, _NEW.where(~exists().where(_KNOWN.c.key == bindparam("key"))))
_NOT_KEPT = or_(due.c.key != bindparam("kept"), due.c.done_at.is_(None))
_DELETE_IN_GAME = delete(due).where(due.c.game == bindparam("in_game"), due.c.kind == bindparam("of_kind"), _NOT_KEPT)
_READY = (
    select(due.c.id, due.c.key, due.c.game, due.c.user, due.c.at)
    .where(due.c.done_at.is_(None), due.c.at <= NOW, due.c.kind == bindparam("of_kind"))
    .order_by(due.c.at, due.c.id)
)
# Of a person's games with the same terms, and so with the same level and engine, only the one that has waited longest.
_TERMS = cast(games.c.terms, Text)  # as text, so that a broken one breaks no other
_PLACE = func.row_number().over(partition_by=(seats.c.user, _TERMS), order_by=(due.c.at, due.c.id))
_PERSON = and_(seats.c.game == due.c.game, seats.c.user != due.c.user)
_FIRST = (
    _READY.order_by(None)
    .add_columns(seats.c.user.label("person"), _TERMS.label("terms"), _PLACE.label("place"))
    .select_from(due.outerjoin(games, games.c.id == due.c.game).outerjoin(seats, _PERSON))
    .subquery()
)
_HOUSE_TASKS = select(_FIRST).where(_FIRST.c.place == 1).order_by(_FIRST.c.at, _FIRST.c.id)
# A held task whose other game has gone on.
_OTHER_VERSION = exists().where(games.c.id == due.c.waits_for, games.c.version != due.c.waits_for_version)
GONE_ON = and_(due.c.waits_for > 0, due.c.waits_for_version.is_not(None), _OTHER_VERSION)

_AMONG: BindParameter[int] = bindparam("among", expanding=True)
_GAMES = select(games.c.id).where(games.c.id.in_(_AMONG)).with_for_update(skip_locked=True)
_TASKS = (
    select(due.c.id, due.c.at).where(due.c.id.in_(_AMONG), due.c.done_at.is_(None)).with_for_update(skip_locked=True)
)


async def schedule(db: Connection, key: str, kind: str, at: int, user: int, game: int | None = None) -> None:
    """Schedule a task for a time. Does nothing if a row already has this key, even a task that is done."""
    await db.execute(_ADD, {"key": key, "kind": kind, "at": at, "user": user, "game": game})


async def schedule_in_untimed_games(db: Connection, kind: str, after: int, earliest: int) -> None:
    """Schedule a task in each running game without a time limit that has no unfinished one of this kind.

    It is due `after` seconds from the moment since which the game waits, but at `earliest` at the earliest. It concerns
    nobody by name, and its key is `kind:game`.
    """
    at = games.c.waiting_since + after
    lacks = ~exists().where(due.c.game == games.c.id, due.c.kind == kind, due.c.done_at.is_(None))
    untimed = games.c.waiting_user.is_not(None), games.c.white_bank.is_(None), lacks
    key = literal(f"{kind}:").concat(cast(games.c.id, Text))
    tasks = select(key, literal(kind), case((at > earliest, at), else_=earliest), literal(0), games.c.id)
    await db.execute(insert(due).from_select(_NAMES, tasks.where(*untimed)))


async def ready_rows(db: Connection, kind: str, now: int) -> list[DueRow]:
    """Return the unfinished tasks of a kind that are due now, the longest due first."""
    return [DueRow(*row) for row in await db.execute(_READY, {"now": now, "of_kind": kind})]


async def house_tasks(db: Connection, kind: str, now: int) -> list[HouseTask]:
    """Return the tasks of the house player that are due now, the longest due first.

    Of a person's games with the same terms, only one is there: the others are due after it.
    """
    found = []
    for row in await db.execute(_HOUSE_TASKS, {"now": now, "of_kind": kind}):
        house = _read_house(row.terms)
        task = DueRow(row.id, row.key, row.game, row.user, row.at)
        found.append(HouseTask(task, row.person, house.level if house else 1, house.engine if house else ""))
    return found


def _read_house(terms: str | None) -> House | None:
    try:
        house = Terms.from_data(json.loads(terms or "")).house
        if house:
            check_level(house.level)
    except (*READ_ERRORS, Refused):  # the game is gone, or the code that loads it logs why it cannot be read
        return None
    return house


async def unfinished_rows(db: Connection, kind: str) -> list[DueRow]:
    """Return the unfinished tasks of a kind, due or not, the earliest first."""
    query = select(due.c.id, due.c.key, due.c.game, due.c.user, due.c.at).where(due.c.done_at.is_(None))
    return [DueRow(*row) for row in await db.execute(query.where(due.c.kind == kind).order_by(due.c.at, due.c.id))]


async def unfinished_row(db: Connection, key: str) -> DueRow | None:
    """Return the task with this key; None if it is done or unknown."""
    query = select(due.c.id, due.c.key, due.c.game, due.c.user, due.c.at).where(due.c.key == key)
    row = (await db.execute(query.where(due.c.done_at.is_(None)))).one_or_none()
    return DueRow(*row) if row else None


async def unfinished_in_games(db: Connection, kind: str, games: Collection[int]) -> list[DueRow]:
    """Return the unfinished tasks of a kind in these games, due or not."""
    query = select(due.c.id, due.c.key, due.c.game, due.c.user, due.c.at).where(due.c.game.in_(games))
    return [DueRow(*row) for row in await db.execute(query.where(due.c.kind == kind, due.c.done_at.is_(None)))]


async def unfinished_keys(db: Connection, among: Collection[str]) -> set[str]:
    """Return the keys, among these, of unfinished tasks."""
    return {*await db.scalars(select(due.c.key).where(due.c.key.in_(among), due.c.done_at.is_(None)))}


async def scheduled_for(db: Connection, key: str) -> int | None:
    """Return when the task with this key is due; None if it is done or unknown."""
    at: int | None = await db.scalar(select(due.c.at).where(due.c.key == key, due.c.done_at.is_(None)))
    return at


async def scheduled_key(db: Connection, kind: str, game: int) -> str | None:
    """Return the key of an unfinished task of this kind in a game, or None."""
    found = select(due.c.key).where(due.c.game == game, due.c.kind == kind, due.c.done_at.is_(None))
    key: str | None = await db.scalar(found)
    return key


async def postpone(db: Connection, key: str, at: int) -> None:
    """Set another time for the task with this key."""
    await db.execute(update(due).where(due.c.key == key).values(at=at))


async def hasten_on_server(db: Connection, kind: str, server: int, now: int) -> None:
    """Make a kind's unfinished tasks in unreachable running games of a server due now."""
    there = games.c.server == server, games.c.waiting_user.is_not(None), games.c.unreachable.is_not(None)
    tasks = due.c.game.in_(select(games.c.id).where(*there)), due.c.kind == kind, due.c.done_at.is_(None)
    await db.execute(update(due).where(*tasks, due.c.at > now).values(at=now))


async def reschedule(db: Connection, row_id: int, now: int, at: int, key: str | None = None) -> bool:
    """Set another time, and another key, for a task that is due now. Return False if it is done or not yet due.

    If `key` is None, the key stays.
    """
    late = due.c.id == row_id, due.c.done_at.is_(None), due.c.at <= now
    return bool((await db.execute(update(due).where(*late).values(at=at, key=key or due.c.key))).rowcount)


async def lease(db: Connection, key: str, now: int, until: int) -> bool:
    """Lease the task with this key until a later time. Return False if it is not due yet, done or gone."""
    late = due.c.key == key, due.c.done_at.is_(None), due.c.at <= now
    return bool((await db.execute(update(due).where(*late).values(at=until, leased_by=process_of(db)))).rowcount)


async def hold(db: Connection, key: str, until: int, game: int, version: int) -> bool:
    """Hold the task with this key while another game has this version. Return whether it was never held before."""
    was_held = await db.scalar(select(due.c.waits_for).where(due.c.key == key)) is not None
    held = {"at": until, "waits_for": game, "waits_for_version": version}
    await db.execute(update(due).where(due.c.key == key).values(**held))
    return not was_held


async def release_held(db: Connection, now: int) -> None:
    """Make the held tasks due now whose other game has gone on."""
    await db.execute(update(due).where(GONE_ON).values(at=now, waits_for_version=None))


async def held_for(db: Connection, key: str) -> int | None:
    """Return the game for which the task with this key is held; None if it is not held."""
    held = due.c.key == key, due.c.waits_for_version.is_not(None)
    game: int | None = await db.scalar(select(due.c.waits_for).where(*held))
    return game


async def release_leases(db: Connection, kind: str, now: int, processes: Collection[int] | None = None) -> None:
    """Make the leased tasks of a kind due now: those of some processes, or of all. Only for a start."""
    if processes is None:
        await hasten_kind(db, kind, now)
        return
    leased = due.c.kind == kind, due.c.done_at.is_(None), due.c.at > now, due.c.leased_by.in_(processes)
    await db.execute(update(due).where(*leased).values(at=now))


async def hasten_kind(db: Connection, kind: str, now: int) -> None:
    """Make all unfinished tasks of a kind due now."""
    await db.execute(update(due).where(due.c.kind == kind, due.c.done_at.is_(None), due.c.at > now).values(at=now))


async def postpone_kind(db: Connection, kind: str, seconds: int) -> None:
    """Move all unfinished tasks of a kind later by so many seconds."""
    waits = due.c.kind == kind, due.c.done_at.is_(None)
    await db.execute(update(due).where(*waits).values(at=due.c.at + seconds))


async def finish_row(db: Connection, row_id: int, now: int) -> bool:
    """Mark a task as done. Return False if it was done before, or is gone."""
    unfinished = due.c.id == row_id, due.c.done_at.is_(None)
    return bool((await db.execute(update(due).where(*unfinished).values(done_at=now))).rowcount)


async def set_game(db: Connection, key: str, game: int) -> None:
    """Save another game for the task with this key, such as the last game that a long task has done."""
    await db.execute(update(due).where(due.c.key == key).values(game=game))


async def unschedule(db: Connection, key: str) -> bool:
    """Delete the task with this key. Return False if there is none."""
    return bool((await db.execute(delete(due).where(due.c.key == key))).rowcount)


async def unschedule_of_user(db: Connection, kind: str, user: int) -> None:
    """Delete the tasks of a kind that concern a person."""
    await db.execute(delete(due).where(due.c.user == user, due.c.kind == kind))


async def take_games(db: Connection, kind: str, user: int) -> list[int]:
    """Delete the tasks of a kind that concern a person. Return their games, in order."""
    gone = delete(due).where(due.c.user == user, due.c.kind == kind).returning(due.c.game)
    return sorted(await db.scalars(gone))


async def unschedule_in_game(db: Connection, kind: str, game: int, key: str) -> None:
    """Delete the tasks of a kind in a game. Keep the task with this key if it is done."""
    await db.execute(_DELETE_IN_GAME, {"in_game": game, "of_kind": kind, "kept": key})


async def unschedule_unfinished(db: Connection, kind: str, games: Collection[int]) -> None:
    """Delete the tasks of a kind in these games that are not done."""
    await db.execute(delete(due).where(due.c.game.in_(games), due.c.kind == kind, due.c.done_at.is_(None)))


async def schedule_anew(db: Connection, kind: str, rows: Mapping[str, DueRow], games: Collection[int]) -> None:
    """Replace the tasks of a kind in these games by `rows`, which maps keys to tasks.

    A task that is done and has one of these keys stays, and is not scheduled again. The ids of `rows` do not count.
    """
    past = or_(due.c.key.not_in([*rows]), due.c.done_at.is_(None))
    await db.execute(delete(due).where(due.c.game.in_(games), due.c.kind == kind, past))
    done = {*await db.scalars(select(due.c.key).where(due.c.key.in_([*rows])))}
    new = [row for key, row in rows.items() if key not in done]
    if new:
        values = [{"key": row.key, "kind": kind, "at": row.at, "user": row.user, "game": row.game} for row in new]
        await db.execute(insert(due), values)


async def lock_games(db: Connection, among: Collection[int]) -> list[int]:
    """Lock these games, except those that another transaction has locked. Return the locked ones in their order."""
    free = {*await db.scalars(_GAMES, {"among": [*among]})}
    return [game for game in among if game in free]


async def lock_tasks(db: Connection, rows: Sequence[DueRow]) -> list[DueRow]:
    """Lock these tasks and their games. Return the locked tasks in their order.

    Leaves out tasks that have changed since they were loaded, or that another transaction has locked, or whose game it
    has locked.
    """
    free = {*await lock_games(db, [row.game for row in rows if row.game])}
    wanted = [row.id for row in rows if row.game in free or not row.game]
    times = {row.id: row.at for row in await db.execute(_TASKS, {"among": wanted})}
    return [row for row in rows if times.get(row.id) == row.at]
