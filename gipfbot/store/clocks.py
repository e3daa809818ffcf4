"""The clocks of games, and the vacations that pause them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, bindparam, case, exists, insert, or_, select, update

from gipfbot.match import Clock, Game, Terms
from gipfbot.rules import Colour
from gipfbot.values import Vacation

from .database import Connection, read_each
from .tables import due, games, outbox, vacations

# Built once, because each turn needs it.
_LASTED_SINCE = (
    select(vacations)
    .where(
        vacations.c.user.in_(bindparam("users", type_=BigInteger, expanding=True)),
        vacations.c.since >= bindparam("moment", type_=BigInteger),
        or_(vacations.c.ended_at.is_(None), vacations.c.ended_at > vacations.c.since),
    )
    .order_by(vacations.c.since, vacations.c.id)
)
_CHANNEL = case((games.c.unreachable.is_(None), games.c.channel)).label("channel")


@dataclass(frozen=True)
class RunningClock:
    """A running clock, with everything needed to change it without loading its game."""

    id: int
    mover: Colour
    terms: Terms
    clock: Clock
    channel: int | None  # where the game's boards go; None while the venue is unreachable
    server: int | None = None


def clock_columns(clock: Clock | None) -> dict[str, Any]:
    """Return the values of a game's clock columns. `clock` is None without a time control."""
    saved = clock.bank if clock else (None, None)
    return {
        "white_bank": saved[0],
        "black_bank": saved[1],
        "deadline_at": clock and clock.deadline,
        "paused_left": clock and clock.paused_left,
        "credited": clock and clock.credited,
        "flagged": clock is not None and clock.flagged,
    }


_COLUMNS = [games.c[name] for name in clock_columns(None)]


def clock_from_row(row: Row[Any]) -> Clock | None:
    """Return the clock in the row of a game; None without a time control."""
    return None if row.white_bank is None else _clock_in_row(row)


def _clock_in_row(row: Row[Any]) -> Clock:
    return Clock((row.white_bank, row.black_bank), row.deadline_at, row.paused_left, row.flagged, row.credited)


async def save_clock(db: Connection, game: Game) -> None:
    """Save the clock of a game. The rest of the stored game stays as it is."""
    await db.execute(update(games).where(games.c.id == game.id).values(clock_columns(game.clock)))


async def save_clocks(db: Connection, changed: Sequence[Game]) -> None:
    """Save the clocks of games. The rest of the stored games stays as it is."""
    query = update(games).where(games.c.id == bindparam("in_game"))
    rows = [{"in_game": game.id, **clock_columns(game.clock)} for game in changed]
    if rows:
        await db.execute(query.values({name: bindparam(name) for name in clock_columns(None)}), rows)


_RUNNING = select(games.c.id, games.c.waiting_seat, games.c.terms, _CHANNEL, games.c.server, *_COLUMNS).where(
    games.c.deadline_at.is_not(None)
)


async def running_clocks(db: Connection) -> list[RunningClock]:
    """Return all running clocks. Games whose terms cannot be read are left out."""
    return read_each(db, (await db.execute(_RUNNING)).all(), "game", _running_clock)


async def next_running_clocks(
    db: Connection, after: int, limit: int | None, *among: ColumnElement[bool]
) -> tuple[list[RunningClock], int | None]:
    """Return the running clocks of the first `limit` games with an id above `after`.

    Also return the last of these ids; None if there are none. Games whose terms cannot be read are left out. With
    `among`, only games that meet these conditions count.
    """
    found = _RUNNING.where(games.c.id > after, *among).order_by(games.c.id).limit(limit)
    rows = (await db.execute(found)).all()
    return read_each(db, rows, "game", _running_clock), rows[-1].id if rows else None


def _running_clock(row: Row[Any]) -> RunningClock:
    mover, terms = Colour(row.waiting_seat), Terms.from_data(row.terms)
    return RunningClock(row.id, mover, terms, _clock_in_row(row), row.channel, row.server)


async def save_running_clocks(db: Connection, running: Sequence[RunningClock]) -> None:
    """Save the deadlines and the credited time of these running clocks. There must be at least one."""
    rows = [{"game": each.id, "at": each.clock.deadline, "credited": each.clock.credited} for each in running]
    same = games.c.id == bindparam("game")
    changed = update(games).where(same).values(deadline_at=bindparam("at"), credited=bindparam("credited"))
    await db.execute(changed, rows)


async def credit_untimed_games(db: Connection, seconds: int, now: int) -> None:
    """Move `changed_at` later by `seconds` in each running game without a time limit.

    The new time is never later than `now`.
    """
    untimed = games.c.waiting_user.is_not(None), games.c.white_bank.is_(None)
    later = games.c.changed_at + seconds
    await db.execute(update(games).where(*untimed).values(changed_at=case((later > now, now), else_=later)))


async def overdue_games(db: Connection, now: int, unless_owed: str, unless_due: str) -> list[int]:
    """Return the ids of games whose deadline is over, the longest over first.

    A game is left out if a message of the kind `unless_owed` is still to be posted for the game, or if a task of the
    kind `unless_due` is still to be done for the player to move.
    """
    busy = exists().where(due.c.user == games.c.waiting_user, due.c.kind == unless_due, due.c.done_at.is_(None))
    owed = exists().where(outbox.c.game == games.c.id, outbox.c.kind == unless_owed, outbox.c.done_at.is_(None))
    late = games.c.deadline_at < now, ~owed, ~busy
    return [*await db.scalars(select(games.c.id).where(*late).order_by(games.c.deadline_at, games.c.id))]


async def add_vacation(db: Connection, user: int, since: int, until: int) -> Vacation:
    """Store a new vacation and return it. Does not check for another vacation, or whether the days may be used."""
    values = {"user": user, "since": since, "until": until}
    vacation_id = (await db.execute(insert(vacations).values(values).returning(vacations.c.id))).scalar_one()
    return Vacation(vacation_id, user, since, until)


async def end_vacation(db: Connection, vacation_id: int, at: int) -> None:
    """Save when a vacation ended."""
    await db.execute(update(vacations).where(vacations.c.id == vacation_id).values(ended_at=at))


async def load_vacation(db: Connection, vacation_id: int) -> Vacation | None:
    """Return a vacation, current or over. None if it is gone, because its person has deleted their data."""
    found = await _find_vacations(db, vacations.c.id == vacation_id)
    return found[0] if found else None


async def current_vacation(db: Connection, user: int) -> Vacation | None:
    """Return the vacation a person is on, or None."""
    found = await _find_vacations(db, vacations.c.user == user, vacations.c.ended_at.is_(None))
    return found[0] if found else None


async def beginnings_since(db: Connection, user: int, moment: int) -> list[int]:
    """Return when a person's vacations since this moment began, the earliest first. Annulled ones count, too."""
    begun = select(vacations.c.since).where(vacations.c.user == user, vacations.c.since >= moment)
    return [*await db.scalars(begun.order_by(vacations.c.since))]


async def vacations_since(db: Connection, user: int, moment: int) -> list[Vacation]:
    """Return the vacations of a person that began at this moment or later, the oldest first.

    Vacations that were annulled, because they ended at once, are left out.
    """
    return (await vacations_of_each(db, [user], moment))[user]


async def vacations_of_each(db: Connection, people: Collection[int], moment: int) -> dict[int, list[Vacation]]:
    """Return what `vacations_since` does for each of these people."""
    found: dict[int, list[Vacation]] = {user: [] for user in people}
    for row in await db.execute(_LASTED_SINCE, {"users": [*found], "moment": moment}):
        found[row.user].append(_vacation_from_row(row))
    return found


async def vacations_of(db: Connection, people: Collection[int]) -> list[Vacation]:
    """Return the current vacations of these people."""
    return await _find_vacations(db, vacations.c.user.in_(people), vacations.c.ended_at.is_(None))


async def current_ids(db: Connection, among: Collection[int]) -> set[int]:
    """Return the ids, among these, of vacations that are not over."""
    is_current = vacations.c.id.in_(among), vacations.c.ended_at.is_(None)
    return {*await db.scalars(select(vacations.c.id).where(*is_current))}


async def _find_vacations(db: Connection, *which: ColumnElement[bool]) -> list[Vacation]:
    rows = await db.execute(select(vacations).where(*which).order_by(vacations.c.since, vacations.c.id))
    return [_vacation_from_row(row) for row in rows]


def _vacation_from_row(row: Row[Any]) -> Vacation:
    return Vacation(row.id, row.user, row.since, row.until, row.ended_at)
