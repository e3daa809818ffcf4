"""A person with many games: how long others wait for the database while all of these games change.

`python -m tests.service.many_games` measures it.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter

from sqlalchemy import Column, Table, bindparam, insert, select, update

from gipfbot.match import Side, Status
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.settings.users import WISHES
from gipfbot.store import Connection, Store, tables
from gipfbot.store.backends import backend_of
from tests.service.helpers import begin_game, delete_all
from tests.support.games import TURNS
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
        await backend_of(db).set_last_id(db, "games", first + number - 1)
    return [first, *copies]


async def _copy_rows(db: Connection, table: Table, column: Column[int], first: int, copies: range) -> None:
    others = [each for each in table.c if each is not column]
    sample = select(bindparam("copy"), *others).where(column == first)
    copy = insert(table).from_select([column, *others], sample)
    await db.execute(copy, [{"copy": game} for game in copies])


async def end_games(app: App, ids: Sequence[int]) -> None:
    """Let these games be over, each with a turn that Ann has played."""
    over = {"status": Status.OVER, "result": "1-0", "reason": "resign", "waiting_user": None, "ended_at": NOW}
    turn = {"turn_number": 1, "colour": 0, "text": "e1-e2", "actions": "e1e2", "by": ANN.user, "how": "typed"}
    played = {**turn, "position_hash": "0" * 32, "played_at": NOW}
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id.in_(ids)).values(over))
        await db.execute(insert(tables.turns), [{"game": game, **played} for game in ids])


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
    """Let Cara and Dan play the turns of a game."""
    offered, _ = await app.lobby.challenge(CARA, DAN, BASIC, Side.WHITE, HOME, THREE_DAYS)
    game = (await app.lobby.accept_challenge(offered.challenge.id, DAN))[1].game.id
    for number, turn in enumerate(TURNS):
        begun = perf_counter()
        await app.games.play_typed(game, (CARA, DAN)[number % 2].user, turn)
        waits.turns.append(perf_counter() - begun)
        await asyncio.sleep(SECONDS_OF_A_TURN)


async def _watch_loop(waits: Waits) -> None:
    while True:
        begun = perf_counter()
        await asyncio.sleep(0.01)
        waits.loop.append(perf_counter() - begun - 0.01)


async def change_reminders(app: App) -> None:
    """Let Ann change the time of her reminders so often, without waiting for the answers."""
    names = [name for name in WISHES if name != "off"]
    await asyncio.gather(*(app.reminders.set_wish(ANN.user, names[n % len(names)]) for n in range(CHANGES)))


async def go_away_and_return(app: App) -> None:
    """Let Ann go on vacation and come back."""
    await app.vacations.start_vacation(ANN.user, 3)
    await app.vacations.end_vacation(ANN.user)


async def delete_data(app: App) -> None:
    """Let Ann delete her data."""
    await delete_all(app, ANN.user)


WORKS = {
    f"{CHANGES} changes of the reminder": change_reminders,
    "a vacation and its end": go_away_and_return,
    "a deletion": delete_data,
}


async def measure(number: int) -> None:
    """Print how long others wait while a person with so many games changes all of them."""
    for name, work in WORKS.items():
        with tempfile.TemporaryDirectory() as folder:
            store = await Store.open_database(database_url(Path(folder) / "many.sqlite3"))
            app = create_app(store, lambda: NOW, lambda: True)
            await give_games(app, number)
            begun = perf_counter()
            waits = await others_play_beside(app, partial(work, app))
            took = perf_counter() - begun
            await store.close()
        sys.stdout.write(f"{number} games, {name}: {took:.2f} s\n")
        for what, seconds in (("a turn of others", waits.turns), ("the event loop", waits.loop)):
            ranked = sorted(seconds) or [took]
            middle, most = ranked[len(ranked) // 2], ranked[-1]
            sys.stdout.write(f"  {what}: median {middle:.3f} s, most {most:.3f} s, of {len(seconds)}\n")


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if sys.argv[1:] else MANY))
