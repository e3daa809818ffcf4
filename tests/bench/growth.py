"""Measure whether answers that look at many games take longer when a bot has a thousand times as many.

A store of few games and one of many are asked in turn. Each game has two turns, and each player has as many games in
one store as in the other. All games are on the server that is asked about, and most have ended.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from random import Random
from time import perf_counter

import simcord
from sqlalchemy import and_, update

from gipfbot.match import Terms, resign_game
from gipfbot.match.explorer import explored_step
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import MonthRating, month_of
from gipfbot.rules import STANDARD, Colour, distinct_pushes, start
from gipfbot.store import Connection, Store, explorer, games
from gipfbot.store.rating_tables import ratings
from gipfbot.store.ratings import save_months
from gipfbot.store.study_tables import explored_turns
from gipfbot.store.tables import games as games_table, seats
from gipfbot.ui.kit.texts import EXPLORER_LABEL
from gipfbot.values import ExploredTurn
from gipfbot.values.figures import MOST_NEWEST

from .figures import Counts, Figure
from .many_games import ANYBODY, copy_game, copy_rows, number_rows
from .ratios import FIRST, Measure, alternate_sides, ratio_figures
from .samples import random_match
from .simulation import NOW, Club, fresh_store, simulated_club, store_measure, store_played_game

RATIO = 1.2  # times at most
GAMES_EACH = 20  # of each player, in both stores
FEW = 1000  # games
ASKED = 20  # players whose profiles are asked for, in turn
MONTHS = 3  # of ratings of each player
POOL = "standard"
SAMPLE = 1  # the id of the game that has ended and is copied


def growth_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the ratios of answers with many stored games to those with few, each from a command to its picture.

    Before them comes how long it took to write the many games.
    """
    written, answers = asyncio.run(_measure_answers(counts))
    yield Figure("growth.written", written, "s")
    for name, sides in answers.items():
        yield from ratio_figures(f"growth.{name}_of_few", f"growth.{name}_", sides, RATIO)


async def _measure_answers(counts: Counts) -> tuple[float, dict[str, dict[str, list[float]]]]:
    """Return the seconds in which the many games were written, and those of each answer on both sides."""
    async with AsyncExitStack() as opened:
        stores = [await opened.enter_async_context(fresh_store()) for _ in range(2)]
        here = await opened.enter_async_context(simulated_club(stores[0]))
        asked = [here.join(f"player {number}") for number in range(ASKED)]
        for store, number, running in zip(stores, (FEW, counts.many), (FEW // 10, counts.many // 100), strict=True):
            begun = perf_counter()
            async with store.transaction() as db:
                await _fill_store(db, here, number, running)
                await _seat_members(db, asked, number)
            written = perf_counter() - begun
        players, board = cycle(asked), await here.show_board(SAMPLE)
        answers: dict[str, Measure] = {
            "live": lambda: here.show_picture("gipf live"),
            "profile": lambda: here.show_picture("gipf profile", player=next(players)),
            "explorer": lambda: here.press_for_picture(board, EXPLORER_LABEL),
        }
        found = {name: await _compare_stores(counts.pairs, here, stores, ask) for name, ask in answers.items()}
        return written, found


async def _compare_stores(rounds: int, here: Club, stores: Sequence[Store], ask: Measure) -> dict[str, list[float]]:
    """Return the seconds of an answer from the store of few games, as FIRST, and from that of many."""
    few, many = stores
    sides = {FIRST: store_measure(here, few, ask), "of_many": store_measure(here, many, ask)}
    return await alternate_sides(rounds, sides)


# ── A store of many games, written by SQL ──


async def _fill_store(db: Connection, here: Club, number: int, running: int) -> None:
    """Store so many games with two turns each, of which the newest run, and ratings of their players."""
    played = [game.last.actions for game in islice(random_match(Random(1)), 2) if game.last]
    ended, runs = [await store_played_game(db, here.seats, here.venue, played, Terms(rated=True)) for _ in range(2)]
    loser = here.seats[Colour.WHITE].user
    await games.save_game(db, ended, resign_game(ended, loser), by=loser, now=NOW)
    assert ended.id == SAMPLE
    await explorer.mark_counted(db, [ended.id], NOW)
    await _fill_explorer(db, number)
    players = number * 2 // GAMES_EACH
    await copy_game(db, ended.id, runs.id, (1, number - running), players)
    await copy_game(db, runs.id, runs.id, (number - running + 1, number), players)
    await _rate_players(db, players, month_of(here.bot.app.now()))


async def _fill_explorer(db: Connection, number: int) -> None:
    """Store that so many games were played with each first turn, and as many other positions."""
    begin, newest = start(STANDARD), tuple(range(SAMPLE + 1 + MOST_NEWEST, SAMPLE + 1, -1))  # copies of the sample
    steps = [explored_step(begin, [push]) for push in distinct_pushes(begin)]
    await explorer.add_turns(db, {step: ExploredTurn(step.turn, number, 0, number, newest) for step in steps})
    others = number_rows(1, number)
    one = and_(explored_turns.c.position == steps[0].position, explored_turns.c.turn == steps[0].turn)
    await copy_rows(db, explored_turns, one, others, {"position": others.c.n})


async def _rate_players(db: Connection, players: int, month: int) -> None:
    """Store ratings of all players for the last months."""
    first = [
        MonthRating(POOL, ANYBODY, month - number, Rating(), Rating(1500, 100), GAMES_EACH, 9, 1, 1, NOW)
        for number in range(MONTHS)
    ]
    await save_months(db, first)
    others = number_rows(1, players - 1)
    await copy_rows(db, ratings, ratings.c.user == ANYBODY, others, {"user": ANYBODY + others.c.n})


async def _seat_members(db: Connection, members: Sequence[simcord.MemberActor], number: int) -> None:
    """Give members of the server the seats of players whose last games run."""
    players = number * 2 // GAMES_EACH
    for place, member in enumerate(members, start=30):
        player = ANYBODY + (number - place) % players
        for column in (seats.c.user, games_table.c.waiting_user, ratings.c.user):
            await db.execute(update(column.table).where(column == player).values({column.name: member.id}))
