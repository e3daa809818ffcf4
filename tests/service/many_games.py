"""A person with many games: how long others wait for the database while all of these games change.

`python -m tests.service.many_games` measures it.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from sqlalchemy import Column, Table, bindparam, insert, select

from gipfbot.match import Side
from gipfbot.rules import STANDARD
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.reminders import WISHES
from gipfbot.store import Connection, Store, tables
from tests.service.helpers import begin_game
from tests.support.people import ANN, CARA, DAN, HOME
from tests.support.stores import database_url
from tests.support.terms import THREE_DAYS
from tests.support.times import NOW

MANY, CHANGES = 1000, 20
SECONDS_OF_A_TURN = 0.05  # between two turns of the others


async def give_games(app: App, number: int) -> list[int]:
    """Let Ann have so many games in which she is to move. Return their ids."""
    first = (await begin_game(app, THREE_DAYS)).game.id
    copies = range(first + 1, first + number)
    async with app.games.store.transaction() as db:
        for table, column in ((tables.games, tables.games.c.id), (tables.seats, tables.seats.c.game)):
            await _copy_rows(db, table, column, first, copies)
    return [first, *copies]


async def _copy_rows(db: Connection, table: Table, column: Column[int], first: int, copies: range) -> None:
    others = [each for each in table.c if each is not column]
    sample = select(bindparam("copy"), *others).where(column == first)
    copy = insert(table).from_select([column, *others], sample)
    await db.execute(copy, [{"copy": game} for game in copies])


@dataclass
class Waits:
    """How long the turns of others took, in seconds, and how late the event loop was."""

    turns: list[float] = field(default_factory=list)
    loop: list[float] = field(default_factory=list)


async def others_play_beside(app: App, work: Callable[[], Awaitable[object]]) -> Waits:
    """Return how long others waited for their turns while `work` was done."""
    waits, task = Waits(), asyncio.ensure_future(work())
    beside = [asyncio.create_task(_play_beside(app, waits)), asyncio.create_task(_watch_loop(waits))]
    await task
    for each in beside:
        each.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    return waits


async def _play_beside(app: App, waits: Waits) -> None:
    while True:
        begun = perf_counter()
        offered, _ = await app.lobby.challenge(CARA, DAN, STANDARD, Side.WHITE, HOME, THREE_DAYS)
        await app.lobby.withdraw_challenge(offered.challenge.id, CARA.user)
        waits.turns.append((perf_counter() - begun) / 2)
        await asyncio.sleep(SECONDS_OF_A_TURN)


async def _watch_loop(waits: Waits) -> None:
    while True:
        begun = perf_counter()
        await asyncio.sleep(0.01)
        waits.loop.append(perf_counter() - begun - 0.01)


async def change_reminders(app: App, changes: int = CHANGES) -> None:
    """Let Ann change the time of her reminders so often, without waiting for the answers."""
    names = [name for name in WISHES if name != "off"]
    await asyncio.gather(*(app.reminders.set_wish(ANN.user, names[n % len(names)]) for n in range(changes)))


async def measure(number: int) -> None:
    """Print how long others wait while a person with so many games changes their reminders."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open_database(database_url(Path(folder) / "many.sqlite3"))
        app = create_app(store, lambda: NOW, lambda: True)
        await give_games(app, number)
        begun = perf_counter()
        waits = await others_play_beside(app, lambda: change_reminders(app))
        took = perf_counter() - begun
        await store.close()
    sys.stdout.write(f"{number} games, {CHANGES} changes in {took:.2f} s; others wait for their turn\n")
    for name, seconds in (("turn", waits.turns), ("loop", waits.loop)):
        ranked = sorted(seconds) or [took]
        sys.stdout.write(
            f"  {name}: median {ranked[len(ranked) // 2]:.3f} s, most {ranked[-1]:.3f} s, of {len(seconds)}\n"
        )


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if sys.argv[1:] else MANY))
