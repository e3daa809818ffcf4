"""The clocks of games, in the rows of their games: read and saved apart from all else there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, case, exists, select, update

from gipfbot.match import Clock, Game, Status, Terms
from gipfbot.rules import Colour

from .database import Connection
from .tables import games, outbox


@dataclass(frozen=True)
class RunningClock:
    """What there is to know of a game whose clock runs, to change its clock alone."""

    id: int
    mover: Colour
    terms: Terms
    clock: Clock
    channel: int | None  # where its boards go, None while nothing can be posted there


def clock_columns(clock: Clock | None) -> dict[str, Any]:
    """Return the columns that a clock fills."""
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
    """Return the clock that a row of a game tells of, None without a pace."""
    return None if row.white_bank is None else _clock_in_row(row)


def _clock_in_row(row: Row[Any]) -> Clock:
    return Clock((row.white_bank, row.black_bank), row.deadline_at, row.paused_left, row.flagged, row.credited)


async def save_clock(db: Connection, game: Game) -> None:
    """Save the clock of a game in which nothing else has changed."""
    await db.execute(update(games).where(games.c.id == game.id).values(clock_columns(game.clock)))


async def running_clocks(db: Connection) -> list[RunningClock]:
    """Return the games whose clocks run."""
    channel = case((games.c.unreachable.is_(None), games.c.channel)).label("channel")
    query = select(games.c.id, games.c.waiting_seat, games.c.terms, channel, *_COLUMNS)
    rows = await db.execute(query.where(games.c.deadline_at.is_not(None)))
    return [
        RunningClock(r.id, Colour(r.waiting_seat), Terms.from_data(r.terms), _clock_in_row(r), r.channel) for r in rows
    ]


async def save_running_clocks(db: Connection, running: Sequence[RunningClock]) -> None:
    """Save the deadlines of games whose clocks run on, of which there must be one, and what was given back in them."""
    rows = [{"game": each.id, "at": each.clock.deadline, "credited": each.clock.credited} for each in running]
    same = games.c.id == bindparam("game")
    changed = update(games).where(same).values(deadline_at=bindparam("at"), credited=bindparam("credited"))
    await db.execute(changed, rows)


async def credit_untimed_games(db: Connection, seconds: int, now: int) -> None:
    """Let the last thing to happen in each running game without a time limit have happened so much later."""
    untimed = games.c.status == Status.RUNNING, games.c.white_bank.is_(None)
    later = games.c.changed_at + seconds
    await db.execute(update(games).where(*untimed).values(changed_at=case((later > now, now), else_=later)))


async def overdue_games(db: Connection, now: int, unless_owed: str) -> list[int]:
    """Return the games in which the time of the player to move is over, the longest first.

    Left out are those for which a message of the kind `unless_owed` still has to be posted.
    """
    owed = exists().where(outbox.c.game == games.c.id, outbox.c.kind == unless_owed, outbox.c.done_at.is_(None))
    late = games.c.deadline_at < now, ~owed
    return [*await db.scalars(select(games.c.id).where(*late).order_by(games.c.deadline_at))]
