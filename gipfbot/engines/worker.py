"""The worker: sends engines one request at a time, the most urgent first. It never blocks the event loop."""

import asyncio
import heapq
import logging
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from enum import IntEnum
from itertools import count
from typing import TypeVar

from gipfbot.installation import HOME
from gipfbot.notation import position_text
from gipfbot.rules import Position
from gipfbot.search import affordable_nodes, level_request

from .engine_process import EngineProcess, Patience
from .protocol import (
    DEFAULT_SECONDS,
    MOST_BEFORE,
    AnalyseRequest,
    EngineFailed,
    EngineRefused,
    EngineRequest,
    PlayRequest,
)

A = TypeVar("A")
log = logging.getLogger(__name__)
OWN = ""  # the name of the bot's own engine
SEAT = "house"  # the name of an engine that plays for the bot instead
OWN_COMMAND = (sys.executable, "-m", "gipfbot", "engine")  # run in the folder that holds gipfbot
CLOSE_SECONDS = 0.9
CLOSED = "The bot is shutting down."


class Urgency(IntEnum):
    """The urgency of a request. Lower numbers go first."""

    PRACTICE = 0  # a short search that a person waits for
    TURN = 1
    ANALYSIS = 2
    PUZZLE = 3


class UrgencyQueue:
    """A queue for a slot that one task holds at a time. The task with the slot is never interrupted."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @asynccontextmanager
    async def slot(self, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for the slot, and hold it until the end of the `with` block. A cancelled task leaves the queue."""
        await self._wait_for_slot(urgency)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait_for_slot(self, urgency: Urgency) -> None:
        if not self._taken:
            self._taken = True
            return
        place = asyncio.get_running_loop().create_future()
        waiting = (urgency, next(self._numbers), place)
        heapq.heappush(self._waiting, waiting)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # the task got the slot just before it was cancelled
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                place.set_result(None)
                return
        self._taken = False


class Worker:
    """Sends requests to engines by their names. All engines share one queue, so only one searches at a time."""

    def __init__(self, engines: Mapping[str, Sequence[str]] | None = None, patience: Patience | None = None) -> None:
        """Prepare the engines, given by names and commands. Adds the bot's own, `OWN`, unless it is given."""
        commands = {OWN: OWN_COMMAND, **(engines or {})}
        patience = patience or Patience()
        self._engines = {
            name: EngineProcess(command, patience, None if name else HOME) for name, command in commands.items()
        }
        self._queue = UrgencyQueue()
        self._closed = False

    async def ask(self, request: EngineRequest[A], urgency: Urgency, engine: str = OWN) -> A:
        """Return an engine's answer to a request. More urgent requests go first.

        Cancelling the task removes it from the queue, or ends the engine that is searching for it. Raises EngineFailed
        if the engine does not answer, answers nonsense, ends or does not exist, and after `close`.
        """
        if engine not in self._engines:
            raise EngineFailed(f"There is no engine named “{engine}”.")
        self._check_open()
        async with self._queue.slot(urgency):
            self._check_open()
            try:
                return await self._engines[engine].exchange(request)
            except EngineFailed as fault:
                self._check_open()
                if not isinstance(fault, EngineRefused):
                    log.warning("%s was stopped: %s", f"the engine {engine}" if engine else "the bot's engine", fault)
                raise

    async def close(self) -> None:
        """End all engines, within a second. Waiting calls of `ask` raise EngineFailed."""
        self._closed = True
        for engine in self._engines.values():
            engine.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS), self._queue.slot(Urgency.PRACTICE):
                for engine in self._engines.values():
                    await engine.ended()

    def _check_open(self) -> None:
        if self._closed:
            raise EngineFailed(CLOSED)


class SeatedEngine:
    """One engine of a worker, for code that uses no other."""

    def __init__(self, worker: Worker, name: str = OWN) -> None:
        self._worker, self._name = worker, name

    async def ask(self, request: EngineRequest[A], urgency: Urgency) -> A:
        """Return the engine's answer to a request, as `Worker.ask` does. Raises EngineFailed."""
        return await self._worker.ask(request, urgency, self._name)


def request_of_level(
    position: Position, before: Sequence[Position], level: int, seed: int, seconds: float = DEFAULT_SECONDS
) -> PlayRequest:
    """Return the request for a turn at a level from 1 to 5. Raises ValueError for another level.

    `before` holds the positions at the start of the earlier turns, without this one. `seed` is the game's id.
    Only the last 2,000 positions are sent.
    """
    asked = level_request(position, before, level, seed)
    return PlayRequest(
        position_text(position), _told(before), asked.nodes, seconds, asked.seed, asked.quiet, asked.first_of
    )


def request_of_analysis(position: Position, before: Sequence[Position], nodes: int) -> AnalyseRequest:
    """Return the request for the best turns of a position. It has fewer nodes if the search is slow there.

    `before` is as for `request_of_level`.
    """
    return AnalyseRequest(position_text(position), _told(before), affordable_nodes(position, nodes))


def _told(before: Sequence[Position]) -> tuple[str, ...]:
    return tuple(position_text(earlier) for earlier in before[-MOST_BEFORE:])
