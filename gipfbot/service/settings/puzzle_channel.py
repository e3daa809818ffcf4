"""When the puzzle of the day is posted to the channel that a server has chosen for it."""

from gipfbot.match import DAY, HOUR
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.store import Connection, Store, due
from gipfbot.values import DueRow

DAILY_PUZZLE = MessageKind("daily_puzzle", "puzzle of the day")  # and the kind of a due row
PUZZLE_HOUR = 8  # of the day in UTC, at which a new puzzle is posted


def puzzle_day(now: int) -> int:
    """Return the number of the puzzle's day that a time in UTC seconds belongs to."""
    return (now - PUZZLE_HOUR * HOUR) // DAY


def puzzle_day_start(day: int) -> int:
    """Return when a puzzle's day begins, in UTC seconds."""
    return day * DAY + PUZZLE_HOUR * HOUR


async def plan_daily_puzzles(db: Connection, server: int, channel: int | None, now: int) -> None:
    """Plan a server's next puzzle of the day at once. With None as `channel`, no more puzzles come.

    If the server has had a puzzle on this day, the next one comes on the next day.
    """
    await due.unschedule(db, _key(server))
    if channel is not None:
        await due.schedule(db, _key(server), DAILY_PUZZLE, now, server)


async def hasten_daily_puzzles(store: Store, now: int) -> None:
    """Move each puzzle of the day that is planned too late to the next day. The host's clock can have been wrong."""
    async with store.reading() as db:
        rows = await due.unfinished_rows(db, DAILY_PUZZLE)

    async def hasten(db: Connection, row: DueRow) -> None:
        await due.postpone(db, row.key, min(row.at, puzzle_day_start(puzzle_day(now) + 1)))

    await for_each(store, rows, hasten)


def _key(server: int) -> str:
    return f"{DAILY_PUZZLE}:{server}"
