"""The time from a turn typed on Discord to its picture, and how late the event loop is meanwhile."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from statistics import median
from time import perf_counter

from gipfbot.match import position_after
from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD, Colour, start
from gipfbot.store import Store, meta

from .figures import Counts, Figure, quantile
from .loop_delay import LoopProbe
from .samples import lasting_game
from .simulation import Club, fresh_store, simulated_club, store_played_game

SLOWER = 3  # times at most: the whole turn compared with its picture and one transaction


@dataclass
class TurnTimes:
    """What was measured in one game: seconds for each turn, and the delays of the event loop."""

    turns: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)
    draws: list[float] = field(default_factory=list)
    loop: LoopProbe = field(default_factory=LoopProbe)
    idle_loop: LoopProbe = field(default_factory=LoopProbe)


def turn_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the times of a turn, of its parts, and of a bare command, and the delays of the event loop.

    A turn lasts from its dispatch to the arrival of its picture. Its parts are drawing and encoding the picture, and
    one small transaction. The transaction is measured after each turn. The bare command is /move with “draw”, from its
    dispatch to the arrival of its answer.
    """
    run = asyncio.run(_measure_run(counts))
    whole, parts = 1000 * median(run.turns), 1000 * (median(run.draws) + median(run.commits))
    yield Figure("turn.median", whole, "ms")
    yield Figure("turn.p99", 1000 * quantile(run.turns, 0.99), "ms")
    yield Figure("turn.bare_median", 1000 * median(run.bare), "ms")
    yield Figure("turn.bare_p99", 1000 * quantile(run.bare, 0.99), "ms")
    yield Figure("turn.picture", 1000 * median(run.draws), "ms")
    yield Figure("turn.transaction", 1000 * median(run.commits), "ms")
    yield Figure("turn.to_its_parts", whole / parts, "times", at_most=SLOWER)
    yield Figure("turn.loop_idle_p99.9", 1000 * quantile(run.idle_loop.delays, 0.999), "ms")
    yield from run.loop.figures("turn")


async def _measure_run(counts: Counts) -> TurnTimes:
    run, texts = TurnTimes(), _lasting_game_texts(counts.turns)
    async with run.idle_loop.running():
        await asyncio.sleep(counts.idle)
    # The probe begins before the simulation, which waits for every task that begins inside it.
    async with run.loop.running(), fresh_store() as store, simulated_club(store) as here:
        async with store.transaction() as db:
            game = await store_played_game(db, here.seats, here.venue, ())
        run.loop.delays.clear()
        for number, text in enumerate(texts):
            await _measure_turn(run, here, store, game.id, number, text)
            await run.loop.run_beside_yardstick(counts.beside / counts.turns)
    return run


async def _measure_turn(run: TurnTimes, here: Club, store: Store, game: int, number: int, text: str) -> None:
    colour = Colour(number % 2)
    here.drawn.clear()
    run.turns.append(await here.play(colour, game, text))
    run.draws.append(here.drawn[0])
    run.commits.append(await _commit_seconds(store, number))
    run.bare.append(await here.ask_about_draws(colour))


async def _commit_seconds(store: Store, number: int) -> float:
    begun = perf_counter()
    async with store.transaction() as db:
        await meta.save_value(db, "bench", str(number))
    return perf_counter() - begun


def _lasting_game_texts(count: int) -> list[str]:
    """Return the turns of a long game as texts, made beforehand so that the loop never waits for them."""
    position, texts = start(STANDARD), []
    for actions in islice(lasting_game(Random(1)), count):
        texts.append(turn_text(position, actions))
        position = position_after(position, actions)
    return texts
