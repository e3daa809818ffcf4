"""The puzzle of the day on servers that have a channel for it, and the solution and the solvers on the day after."""

from collections.abc import Callable

from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.service.settings.servers import DAILY_PUZZLE, load_server_settings, puzzle_day, puzzle_day_start
from gipfbot.store import Connection, Store, due, outbox, puzzles
from gipfbot.values import DueRow, OutboxRow, PuzzleSolvers, StoredPuzzle

from .making import store_shipped

PUZZLE_SOLUTION = MessageKind("puzzle_solution", "solution of a puzzle of the day")


class DailyPuzzles:
    """Operations on puzzles of the day. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def owe_due_puzzles(self) -> None:
        """Owe each server its puzzle of the day, with the solution of its last one before it."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, DAILY_PUZZLE, self.now())
        await for_each(self.store, late, self._owe_puzzle, due.lock_tasks)

    async def _owe_puzzle(self, db: Connection, row: DueRow) -> None:
        server, today = row.user, puzzle_day(self.now())
        channel = (await load_server_settings(db, server)).puzzles
        if channel is None:
            await due.unschedule(db, row.key)
            return
        if not await due.reschedule(db, row.id, self.now(), puzzle_day_start(today + 1)):
            return
        if await puzzles.puzzle_of_day(db, server, today) is None:
            await self._begin_day(db, server, today, channel)

    async def _begin_day(self, db: Connection, server: int, today: int, channel: int) -> None:
        await store_shipped(db, self.now())
        drawn, last = await puzzles.draw_for_day(db, server), await puzzles.last_day(db, server, today)
        if last is not None:
            old = await puzzles.puzzle_of_day(db, server, last)
            await self._owe(db, PUZZLE_SOLUTION, channel, {"server": server, "day": last, "puzzle": old})
        if drawn is not None:
            await puzzles.add_day(db, server, today, drawn)
            await self._owe(db, DAILY_PUZZLE, channel, {"server": server, "day": today, "puzzle": drawn})

    async def _owe(self, db: Connection, kind: str, channel: int, payload: dict[str, int | None]) -> None:
        key = f"{kind}:{payload['server']}:{payload['day']}"
        await outbox.owe(db, key, kind, channel, payload, self.now())

    async def is_wanted(self, owed: OutboxRow) -> bool:
        """Return whether a server still wants a message about puzzles there, and whether its day is not over.

        A solution may be posted until the end of the day after.
        """
        async with self.store.reading() as db:
            channel = (await load_server_settings(db, owed.payload["server"])).puzzles
        lasts = puzzle_day(owed.created_at) == puzzle_day(self.now())
        return channel == owed.channel and lasts

    async def puzzle(self, owed: OutboxRow) -> StoredPuzzle | None:
        """Return the puzzle that a message is about; None if it cannot be read."""
        async with self.store.reading() as db:
            return await puzzles.load_puzzle(db, owed.payload["puzzle"])

    async def solvers(self, owed: OutboxRow) -> PuzzleSolvers:
        """Return who solved the puzzle whose solution is owed, on its server and on its day."""
        server, day, puzzle = (owed.payload[name] for name in ("server", "day", "puzzle"))
        async with self.store.reading() as db:
            when = puzzle_day_start(day), puzzle_day_start(day + 1)
            return await puzzles.solvers_on_server(db, puzzle, server, *when)
