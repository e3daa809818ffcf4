"""Measure whether a turn takes longer if more games are stored, or if its game has more turns.

Each comparison has two sides: few and many games, or early and late in a game. Turns are measured in pairs, one turn on
each side. Each side goes first in half of the pairs. The figure is the median ratio of the pairs, because a machine
that becomes slower slows both turns of a pair.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import islice
from random import Random
from statistics import median
from typing import Any

from sqlalchemy import JSON, Row, delete, insert, literal, select, update

from gipfbot.match import Game, Seat
from gipfbot.notation import turn_text
from gipfbot.rules import Action, turns
from gipfbot.store import Connection, Store
from gipfbot.store.tables import games, outbox, seats, turns as played_turns
from gipfbot.values import Venue

from .figures import Counts, Figure
from .samples import lasting_game, random_match
from .simulation import Club, fresh_store, serve_from_store, simulated_club, store_played_game

Sides = tuple[list[float], list[float]]
Play = Callable[[int, int], Awaitable[float]]  # the number of the pair and of its side -> seconds
DIFFERENT = 20  # per cent of difference at most
FEW = 10  # stored games
YOUNG = 5  # the turn number that the short game has reached


def flat_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the median times of a turn with few and with many stored games, and early and late in a game.

    For each of the two pairs of times, also yield the difference in per cent.
    """
    few, many = asyncio.run(_measure_store_sizes(counts))
    yield from _comparison_figures("flat.games", (f"{FEW}", f"{FEW << counts.doublings}"), (few, many))
    young, old = asyncio.run(_measure_game_ages(counts))
    yield from _comparison_figures("flat.turn", (f"{YOUNG}", f"{counts.old}"), (young, old))


def _comparison_figures(name: str, sides: tuple[str, str], seconds: Sides) -> Iterator[Figure]:
    for side, measured in zip(sides, seconds, strict=True):
        yield Figure(f"{name}_{side}", 1000 * median(measured), "ms")
    ratio = median(second / first for first, second in zip(*seconds, strict=True))
    yield Figure(f"{name}_difference", 100 * abs(ratio - 1), "%", at_most=DIFFERENT)


async def _measure_pairs(count: int, play: Play) -> Sides:
    sides: Sides = ([], [])
    for pair in range(count):
        for side in (0, 1) if pair % 2 else (1, 0):
            sides[side].append(await play(pair, side))
    return sides


# ── Few and many stored games: the same game is played in two stores ──


async def _measure_store_sizes(counts: Counts) -> Sides:
    async with AsyncExitStack() as opened:
        stores = [await opened.enter_async_context(fresh_store()) for _ in range(2)]
        for store, doublings in zip(stores, (0, counts.doublings), strict=True):
            await _fill_store(store, doublings)
        here = await opened.enter_async_context(simulated_club(stores[0]))
        played = list(islice(lasting_game(Random(2)), counts.pairs))
        started = [await _add_played_game(store, here, ()) for store in stores]

        async def play(pair: int, side: int) -> float:
            serve_from_store(here.bot, stores[side])
            stored = await here.bot.app.games.game(started[side].id)
            text = turn_text(stored.game.position, played[pair])
            return await here.play(stored.game.position.mover, started[side].id, text)

        return await _measure_pairs(counts.pairs, play)


async def _fill_store(store: Store, doublings: int) -> None:
    """Store ten random games, some of them ended. Then double their number `doublings` times.

    The copies have other players.
    """
    rng, home = Random(3), Venue(1, 2)
    async with store.transaction() as db:
        for number in range(FEW):
            played = [game.last.actions for game in islice(random_match(rng), 4 * number + 4) if game.last]
            await store_played_game(db, (Seat(10 + 2 * number, "ann"), Seat(11 + 2 * number, "bob")), home, played)
        for doubling in range(doublings):
            await _double_games(db, FEW << doubling)


async def _double_games(db: Connection, shift: int) -> None:
    """Copy all games with their seats, turns and outbox rows. The payloads of the copied rows are empty.

    In a copy, game ids are higher by `shift`, and user ids by twice as much.
    """
    copies = {
        games: {"id": games.c.id + shift, "waiting_user": games.c.waiting_user + 2 * shift},
        seats: {"game": seats.c.game + shift, "user": seats.c.user + 2 * shift},
        played_turns: {"game": played_turns.c.game + shift, "by": played_turns.c.by + 2 * shift},
        outbox: {
            "game": outbox.c.game + shift,
            "key": literal(f"{shift}:") + outbox.c.key,
            "mark": literal(f"{shift}:") + outbox.c.mark,
            "payload": literal({}, JSON),
        },
    }
    for table, moved in copies.items():
        columns = [column for column in table.c if table is not outbox or column.name != "id"]
        copy = select(*(moved.get(column.name, column) for column in columns))
        await db.execute(insert(table).from_select(columns, copy))


async def _add_played_game(store: Store, here: Club, played: Sequence[tuple[Action, ...]]) -> Game:
    async with store.transaction() as db:
        return await store_played_game(db, here.seats, here.venue, played)


# ── Early and late: two games in one store, each restored after every turn ──


async def _measure_game_ages(counts: Counts) -> Sides:
    rng = Random(4)
    played = list(islice(lasting_game(rng), counts.old - 1))
    async with fresh_store() as store, simulated_club(store) as here:
        sides = [await _add_played_game(store, here, played[: length - 1]) for length in (YOUNG, counts.old)]
        texts = [[turn_text(game.position, turn.actions) for turn, _ in turns(game.position)] for game in sides]

        async def play(pair: int, side: int) -> float:
            game = sides[side]
            async with store.reading() as db:
                row = (await db.execute(select(games).where(games.c.id == game.id))).one()
            seconds = await here.play(game.position.mover, game.id, rng.choice(texts[side]))
            async with store.transaction() as db:
                await _restore_game(db, row)
            return seconds

        return await _measure_pairs(counts.pairs, play)


async def _restore_game(db: Connection, row: Row[Any]) -> None:
    """Restore the row of a game, and delete the later turns. The version stays: keys of posted boards contain it."""
    was = {name: value for name, value in row._mapping.items() if name not in ("id", "version")}
    await db.execute(
        delete(played_turns).where(played_turns.c.game == row.id, played_turns.c.turn_number > row.turn_number)
    )
    await db.execute(update(games).where(games.c.id == row.id).values(was))
