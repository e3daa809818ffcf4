"""Which settled rows of the outbox something still needs. They keep their payload, and stay for as long.

Each feature that reads settled rows of a kind registers a function that says which of them it may still read.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from gipfbot.store import Connection, games
from gipfbot.values import SettledRow

# Called with (db, rows), where all rows are of its kind. Returns the ids of those that are still needed.
Check: TypeAlias = Callable[[Connection, Sequence[SettledRow]], Awaitable[set[int]]]


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
