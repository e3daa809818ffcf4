"""Measure how large a finished game is in the database: with all its messages, and after retention.

A game of 40 turns is played with the services, and all its rows are copied. The size of few games is taken from that of
many, so that what every database needs does not count. Free pages do not count either: they are used again.
"""

import asyncio
from collections.abc import Iterator
from itertools import islice
from random import Random

from sqlalchemy import ColumnElement, Table, Text, cast

from gipfbot.match import Seat, Side, Terms, days_per_turn
from gipfbot.rules import STANDARD
from gipfbot.service.app import App, create_app
from gipfbot.service.privacy.retention import ROW_SECONDS
from gipfbot.store import Connection, Store
from gipfbot.store.rating_tables import rated_results
from gipfbot.store.study_tables import explored_turns
from gipfbot.store.tables import challenges, events, games, outbox, seats, turns
from gipfbot.values import NO_LIMITS, OutboxRow, Venue

from .figures import Counts, Figure
from .many_games import copy_rows, number_rows
from .samples import lasting_game
from .simulation import NOW, fresh_store

KIB = 10  # at most, for each game: 10,000 of them stay well below 150 MB
TURNS = 40
COPIES = 10
PLAYERS = Seat(10**18 + 1, "a player"), Seat(10**18 + 2, "their opponent")
ID_STEP = 1000  # from the ids of one copy to those of the next


def kept_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the KiB of a finished game with all its messages, and those of one that ended two months ago."""
    full, kept = asyncio.run(_measure_games(counts.kept))
    yield Figure("kept.with_messages", full, "KiB")
    yield Figure("kept.after_retention", kept, "KiB", at_most=KIB)


async def _measure_games(number: int) -> tuple[float, float]:
    """Return the KiB of a game before and after retention."""
    sizes = [await _sizes_of_store(copies) for copies in (COPIES, COPIES + number)]
    before, after = ((many - few) / number / 1024 for few, many in zip(*sizes, strict=True))
    return before, after


async def _sizes_of_store(copies: int) -> tuple[int, int]:
    """Return the bytes of a store of so many copies of a game, before and after retention."""
    now = NOW
    async with fresh_store() as store:
        app = create_app(store, lambda: now, lambda: True, limits=NO_LIMITS)
        await _play_game(app)
        async with store.transaction() as db:
            await _copy_game_and_messages(db, copies)
        before = await _used_bytes(store)
        now += 2 * ROW_SECONDS
        await app.retention.finish_pass()
        return before, await _used_bytes(store)


async def _play_game(app: App) -> None:
    """Play a game, post all its messages, and count it for the explorer."""
    white, black = PLAYERS
    made, owed = await app.lobby.challenge(
        white, black, STANDARD, Side.WHITE, Venue(1 << 60, 1 << 60), Terms(days_per_turn(3), rated=True)
    )
    await _post(app, owed)
    _, begun = await app.lobby.accept_challenge(made.challenge.id, black)
    await _post(app, begun.owed)
    for number, actions in enumerate(islice(lasting_game(Random(1)), TURNS)):
        played = await app.games.play_actions(begun.game.id, PLAYERS[number % 2].user, actions)
        await _post(app, played.owed)
    await _post(app, (await app.games.resign(begun.game.id, white.user)).owed)
    await app.explorer.count_ended()


async def _post(app: App, leased: tuple[OutboxRow, ...]) -> None:
    """Note rows as posted, and all that is owed besides."""
    others = [await app.outbox.lease_row(row_id) for row_id in await app.outbox.deliverable_rows()]
    for owed in (*leased, *filter(None, others)):
        await app.outbox.note_delivered(owed, (1 << 60) + owed.id)


async def _copy_game_and_messages(db: Connection, copies: int) -> None:
    """Copy the only game, and all that was stored about it."""
    numbers = number_rows(1, copies)
    n = numbers.c.n
    text, next_id = cast(n, Text), n * ID_STEP
    own = {"key": outbox.c.key + ":" + text, "mark": outbox.c.mark + text, "message": outbox.c.message + next_id}
    changes: dict[Table, dict[str, ColumnElement[object]]] = {
        games: {"id": games.c.id + next_id},
        **{table: {"game": table.c.game + next_id} for table in (seats, turns, events, rated_results)},
        challenges: {"id": challenges.c.id + next_id, "game": challenges.c.game + next_id},
        outbox: {"id": outbox.c.id + next_id, "game": outbox.c.game + next_id, **own},
        explored_turns: {"position": explored_turns.c.position + n},
    }
    for table, changed in changes.items():
        (first, *_) = table.primary_key
        await copy_rows(db, table, first.is_not(None), numbers, changed)


async def _used_bytes(store: Store) -> int:
    """Return the bytes of the pages that are in use."""
    async with store.reading() as db:
        values = [
            (await db.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
            for name in ("page_count", "freelist_count", "page_size")
        ]
    return int((values[0] - values[1]) * values[2])
