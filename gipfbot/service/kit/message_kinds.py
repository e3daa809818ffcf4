"""The kinds of messages in the outbox: how each is delivered, followed up, kept and exported.

Each kind is a value in the module of its feature. `service/app.py` finds them all.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, ParamSpec, Self, TypeAlias

from gipfbot.store import Connection, games, outbox
from gipfbot.values import GivesWay, OutboxRow, SettledRow, StoredGame

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


class MessageKind(str):
    """A kind of outbox message. As text, it is the `kind` of its rows, such as "nudge".

    `name` is its name in an export. `people` are the keys of its payload that hold a person's id or name; a deletion
    replaces ids there, and the `names` of `seats`. A `direct` message goes to a person, not to a channel. A kind
    without `is_message` makes something else when it is delivered, so nothing in `ui` builds it.

    Decorators such as `@NUDGE.when_dropped` register functions that follow an event, also from other features.
    """

    def __new__(cls, key: str, *_: object, **__: object) -> Self:
        """Return the kind as text; `__init__` sets its other values."""
        return super().__new__(cls, key)

    def __init__(
        self, key: str, name: str, *, people: Sequence[str] = (), direct: bool = False, is_message: bool = True
    ) -> None:
        self.name, self.people, self.direct, self.is_message = name, people, direct, is_message
        self.check: Check | None = None  # says which settled rows something may still read; None if nothing reads any
        # The row was posted as `message`. Called with (db, row, message, now).
        self.when_delivered = Followups[[Connection, OutboxRow, int, int]]()
        # The row was needless when it was to be posted. Called with (db, row, now).
        # A followup deletes the row if its key may be queued again.
        self.when_needless = Followups[[Connection, OutboxRow, int]]()
        # The row was dropped, because its channel or its content was refused for good. Called with (db, row, now).
        self.when_dropped = Followups[[Connection, OutboxRow, int]]()
        # The row was dropped, because the person accepts no direct messages. Called with (db, row, now).
        self.when_dm_refused = Followups[[Connection, OutboxRow, int]]()
        # The game's board was queued again: queue its dropped messages of this kind again, after the board.
        # Called with (db, game, now).
        self.when_requeued = Followups[[Connection, StoredGame, int]]()

    def still_needs(self, check: Check) -> Check:
        """Register the function that says which settled rows are still needed. For use as a decorator."""
        assert self.check is None, f"two functions say which rows of the kind {self} are needed"
        self.check = check
        return check


class MessageKinds(dict[str, MessageKind]):
    """All kinds by their keys. A kind that only a newer version knows has no followups."""

    def __init__(self, kinds: Iterable[MessageKind]) -> None:
        for kind in kinds:
            if self.setdefault(kind, kind) is not kind:
                raise ValueError(f"two kinds of messages have the key {kind}: give one of them another")

    def __missing__(self, key: str) -> MessageKind:
        return MessageKind(key, key, people=("user", "by", "seats", "names"))  # as in the kinds of this version

    async def needed(self, db: Connection, rows: Sequence[SettledRow]) -> set[int]:
        """Return the ids of the settled rows that something still needs."""
        found = set[int]()
        for kind in {row.kind for row in rows}:
            if check := self[kind].check:
                found |= await check(db, [row for row in rows if row.kind == kind])
        return found

    async def requeue(self, db: Connection, stored: StoredGame, now: int) -> None:
        """Queue a game's dropped messages again, after its board was queued."""
        for kind in self.values():
            await kind.when_requeued.run(db, stored, now)


async def owe_to_caller(
    db: Connection,
    key: str,
    kind: str,
    channel: int,
    payload: Mapping[str, Any],
    now: int,
    game: int | None = None,
    *,
    by: int | None,
    gives_way: GivesWay | None = None,
) -> tuple[OutboxRow, ...]:
    """Queue a message as `outbox.owe` does, and lease its row as `lease_for_caller` does."""
    what = key, kind, channel, payload, now, game
    row = await outbox.owe_leased(db, *what, by=by, gives_way=gives_way, seconds=LEASE_SECONDS)
    return (row,) if row else ()


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Lease an outbox row for the caller, who then has to deliver it.

    Return a tuple with the row. The tuple is empty if the row cannot be delivered yet.
    """
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()


async def rows_of_standing_turns(db: Connection, turns: Mapping[int, tuple[int, int]]) -> set[int]:
    """Return the ids of the rows whose game still waits in the same turn.

    `turns` maps the id of each row to its game and turn serial.
    """
    now = await games.running_turn_serials(db, {game for game, _ in turns.values()})
    return {row for row, (game, turn_serial) in turns.items() if now.get(game) == turn_serial}
