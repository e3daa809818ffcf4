"""The worker: sends each process of an engine one request at a time, from people in rotation."""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple, TypeVar

from gipfbot import search
from gipfbot.installation import HOME
from gipfbot.notation import position_text
from gipfbot.rules import Position
from gipfbot.search import LEVELS, Level, level_request

from .engine_process import EngineProcess, Patience
from .fair_queue import FairQueue
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
SEATED_NODES = 200_000  # at most, of a turn of a program that the host has seated
THE_BOT = "the bot"  # the person behind its own wishes, such as puzzles
# Of each position. With potentials and in Overboard the search gains less by being compiled.
ANALYSIS_LEVEL = Level(100_000 if search.__compiled__ else 30_000, 3_000)
# A proof for a puzzle that needs more nodes is given up. Few wins in four can be proven with 10,000.
PROOF_NODES, PROOF_TURNS = (100_000, 4) if search.__compiled__ else (10_000, 3)
SMALL_COST = LEVELS[5].nodes  # of a search that takes less than two seconds, even interpreted
CLOSE_SECONDS = 0.9
CLOSED = "The bot is shutting down."


async def _nothing() -> None:
    """Do nothing before a search."""


class Wish(NamedTuple):
    """Who wishes a search, and its cost: the nodes that it may take in an official version.

    `begins` is awaited when the engine is free for it. If that raises anything, nothing is searched.
    """

    person: Hashable
    cost: int
    begins: Callable[[], Awaitable[None]] = _nothing

    @property
    def is_small(self) -> bool:
        """Whether the search takes less than two seconds, even if the bot's own engine is not compiled."""
        return self.cost <= SMALL_COST


class _Line(NamedTuple):
    """The process of an engine, and those who wait for it."""

    process: EngineProcess
    queue: FairQueue


class Worker:
    """Sends requests to engines by their names. People are served in rotation, of each the cheapest wish first.

    Each process has a queue of its own, so an engine that hangs holds up only those who ask it. Each engine has
    two processes, so a small search never waits for a large one.
    """

    def __init__(self, engines: Mapping[str, Sequence[str]] | None = None, patience: Patience | None = None) -> None:
        """Prepare the engines, given by names and commands. Adds the bot's own, `OWN`, unless it is given."""
        commands, patience = {OWN: OWN_COMMAND, **(engines or {})}, patience or Patience()
        self._lines = {  # the first of two is for small searches
            name: [_Line(_process(name, command, patience), FairQueue()) for _ in range(2)]
            for name, command in commands.items()
        }
        self._closed = False
        self.failures = Counter(dict.fromkeys(commands, 0))  # by the name of the engine

    def waiting(self) -> dict[str, int]:
        """Return how many requests wait for each engine."""
        return {name: sum(line.queue.length for line in lines) for name, lines in self._lines.items()}

    async def ask(self, request: EngineRequest[A], wish: Wish, engine: str = OWN) -> A:
        """Return an engine's answer to a request. Waits until it is the person's turn.

        Cancelling the task removes it from the queue, or ends the engine that is searching for it. Raises EngineFailed
        if the engine does not answer, answers nonsense, ends or does not exist, and after `close`.
        """
        if engine not in self._lines:
            raise EngineFailed(f"There is no engine named “{engine}”.")
        self._check_open()
        line = self._lines[engine][0 if wish.is_small else -1]
        async with line.queue.slot(wish.person, wish.cost):
            self._check_open()
            await wish.begins()
            try:
                return await line.process.exchange(request)
            except EngineFailed as fault:
                self._check_open()
                if not isinstance(fault, EngineRefused):
                    self.failures[engine] += 1
                    log.warning("%s was stopped: %s", f"the engine {engine}" if engine else "the bot's engine", fault)
                raise

    async def close(self) -> None:
        """End all engines, within a second. Waiting calls of `ask` raise EngineFailed."""
        self._closed = True
        lines = [*chain(*self._lines.values())]
        for line in lines:
            line.process.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                for line in lines:
                    async with line.queue.slot():
                        await line.process.ended()

    def _check_open(self) -> None:
        if self._closed:
            raise EngineFailed(CLOSED)


def _process(name: str, command: Sequence[str], patience: Patience) -> EngineProcess:
    """Return a process of an engine. The bot's own needs no guard."""
    return EngineProcess(command, patience, None if name else HOME, is_guarded=bool(name))


class SeatedEngine:
    """One engine of a worker, for code that uses no other."""

    def __init__(self, worker: Worker, name: str = OWN) -> None:
        self._worker, self._name = worker, name

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        """Return the engine's answer to a request, as `Worker.ask` does. Raises EngineFailed."""
        return await self._worker.ask(request, wish, self._name)


def cost_of_level(level: int) -> int:
    """Return the cost of a turn at a level from 1 to 8.

    It is that of SEATED_NODES at most, so that a person's turn goes before their analysis.
    """
    return min(LEVELS[level - 1].nodes, SEATED_NODES)


def request_of_level(
    position: Position, before: Sequence[Position], level: int, seed: int, seconds: float = DEFAULT_SECONDS
) -> PlayRequest:
    """Return the request for a turn at a level from 1 to 8. Raises ValueError for another level.

    `before` holds the positions at the start of the earlier turns, without this one. `seed` is the game's id.
    Only the last 2,000 positions are sent.
    """
    asked = level_request(position, before, level, seed)
    return PlayRequest(position_text(position), _told(before), asked.nodes, seconds, asked.seed, asked.margin)


def request_of_analysis(position: Position, before: Sequence[Position], level: Level) -> AnalyseRequest:
    """Return the request for the best turns of a position. `before` is as for `request_of_level`."""
    return AnalyseRequest(position_text(position), _told(before), level.nodes_in(position))


def _told(before: Sequence[Position]) -> tuple[str, ...]:
    return tuple(position_text(earlier) for earlier in before[-MOST_BEFORE:])
