"""The worker: asks engines one thing at a time, the most urgent first. It never blocks the event loop."""

import asyncio
import logging
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from .engine_process import EngineProcess, Patience
from .protocol import EngineFailed, EngineRefused, EngineRequest
from .urgency_queue import Urgency, UrgencyQueue

A = TypeVar("A")
log = logging.getLogger(__name__)
OWN = ""  # the name of the bot's own engine
SEAT = "house"  # the name of an engine that plays for the bot instead
OWN_COMMAND = (sys.executable, str(Path(__file__).parents[2] / "bot.py"), "engine")
CLOSE_SECONDS = 0.9
CLOSED = "The bot is shutting down."


class Worker:
    """Asks engines, each by its name. There is one queue for all: only one engine searches at a time."""

    def __init__(self, engines: Mapping[str, Sequence[str]] | None = None, patience: Patience | None = None) -> None:
        """Prepare the engines: names and commands. The bot's own, `OWN`, is added unless it is given."""
        commands = {OWN: OWN_COMMAND, **(engines or {})}
        patience = patience or Patience()
        self._engines = {name: EngineProcess(command, patience) for name, command in commands.items()}
        self._queue = UrgencyQueue()
        self._closed = False

    async def ask(self, request: EngineRequest[A], urgency: Urgency, engine: str = OWN) -> A:
        """Return an engine's answer to a request. It waits until nothing more urgent is asked.

        A task that is cancelled here leaves the queue, or ends the engine that is searching for it. Raises EngineFailed
        if the engine does not answer, answers nonsense or ends, if there is none of this name, and after `close`.
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
        """End all engines, within a second. Those who wait for an answer get EngineFailed."""
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
    """One engine of a worker, for those who ask no other."""

    def __init__(self, worker: Worker, name: str = OWN) -> None:
        self._worker, self._name = worker, name

    async def ask(self, request: EngineRequest[A], urgency: Urgency) -> A:
        """Return the engine's answer to a request, as `Worker.ask` does. Raises EngineFailed."""
        return await self._worker.ask(request, urgency, self._name)
