"""What follows when an outbox row is posted, dropped or needless, who delivers it, and how long it is kept.

The module that causes the event need not import the modules whose functions run.

Each feature registers its followups for its own kinds of rows.

Each feature that reads settled rows of a kind registers a function that says which of them it may still read.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, ParamSpec, TypeAlias

from gipfbot.store import Connection, games, outbox
from gipfbot.values import OutboxRow, SettledRow, StoredGame

Arguments = ParamSpec("Arguments")

LEASE_SECONDS = 15  # seconds a leased row is left alone; the nonce covers a post that takes longer

# Called with (db, rows), where all rows are of its kind. Returns the ids of those that are still needed.
Check: TypeAlias = Callable[[Connection, Sequence[SettledRow]], Awaitable[set[int]]]


class Followups(Generic[Arguments]):
    """Functions that run one after the other whenever an event happens."""

    def __init__(self) -> None:
        self._registered = list[Callable[Arguments, Awaitable[None]]]()

    def __call__(self, followup: Callable[Arguments, Awaitable[None]]) -> Callable[Arguments, Awaitable[None]]:
        """Register a function to run at the event. For use as a decorator."""
        self._registered.append(followup)
        return followup

    async def run(self, *arguments: Arguments.args, **keywords: Arguments.kwargs) -> None:
        """Run all registered functions, in the order of their registration."""
        for followup in self._registered:
            await followup(*arguments, **keywords)


class FollowupsByKind(Generic[Arguments]):
    """Functions that run whenever an event happens to an outbox row of their kind."""

    def __init__(self) -> None:
        self._registered: dict[str, Followups[Arguments]] = {}

    def __call__(
        self, *kinds: str
    ) -> Callable[[Callable[Arguments, Awaitable[None]]], Callable[Arguments, Awaitable[None]]]:
        """Return a decorator that registers a function for outbox rows of these kinds."""

        def register(followup: Callable[Arguments, Awaitable[None]]) -> Callable[Arguments, Awaitable[None]]:
            for kind in kinds:
                self._registered.setdefault(kind, Followups())(followup)
            return followup

        return register

    async def run(self, kind: str, *arguments: Arguments.args, **keywords: Arguments.kwargs) -> None:
        """Run the functions that are registered for this kind of outbox row."""
        if kind in self._registered:
            await self._registered[kind].run(*arguments, **keywords)


# The row was posted as `message`. Called with (db, row, message, now).
when_delivered = FollowupsByKind[[Connection, OutboxRow, int, int]]()
# The row was needless when it was to be posted. Called with (db, row, now).
# A followup deletes the row if its key may be queued again.
when_needless = FollowupsByKind[[Connection, OutboxRow, int]]()
# The row was dropped, because its channel or its content was refused for good. Called with (db, row, now).
when_dropped = FollowupsByKind[[Connection, OutboxRow, int]]()
# The row was dropped, because the person accepts no direct messages. Called with (db, row, now).
when_dm_refused = FollowupsByKind[[Connection, OutboxRow, int]]()


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Lease an outbox row for the caller, who then has to deliver it.

    Return a tuple with the row. The tuple is empty if the row cannot be delivered yet.
    """
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()


# Called with (db, game, now) after the game's board was queued, so that the board is posted first.
requeue_messages = Followups[[Connection, StoredGame, int]]()


class NeededRows:
    """The registered functions by kind of row. Rows of a kind without one are not needed once they are settled."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}

    def __call__(self, *kinds: str) -> Callable[[Check], Check]:
        """Return a decorator that registers a function for settled rows of these kinds."""

        def register(check: Check) -> Check:
            for kind in kinds:
                assert kind not in self._checks, f"two functions say which rows of the kind {kind} are needed"
                self._checks[kind] = check
            return check

        return register

    async def among(self, db: Connection, rows: Sequence[SettledRow]) -> set[int]:
        """Return the ids of those of these settled rows that something still needs."""
        found = set[int]()
        for kind in {row.kind for row in rows} & self._checks.keys():
            found |= await self._checks[kind](db, [row for row in rows if row.kind == kind])
        return found


still_needs = NeededRows()


async def rows_of_standing_turns(db: Connection, turns: Mapping[int, tuple[int, int]]) -> set[int]:
    """Return those of these rows whose game still waits in the same turn.

    `turns` maps the ids of rows to a game and the turn serial that the row is about.
    """
    now = await games.running_turn_serials(db, {game for game, _ in turns.values()})
    return {row for row, (game, turn_serial) in turns.items() if now.get(game) == turn_serial}
