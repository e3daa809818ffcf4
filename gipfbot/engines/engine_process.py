"""The process of one engine: started by the first request, replaced when it fails, ended when it is idle.

An engine cannot fill the memory, block the event loop or outlive the bot. The length of its lines is limited, unasked
output ends it, and its whole process group is killed. A program that the host has seated runs under a guard, which also
ends what has left the group.
"""

import asyncio
import errno
import logging
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from gipfbot.notation.errors import excerpt

from .protocol import LONGEST_LINE, BadLine, EngineFailed, EngineRefused, EngineRequest, parse_answer, request_line

A = TypeVar("A")
log = logging.getLogger(__name__)
NICENESS = 19
COMPLAINT = 2000  # bytes kept of an engine's standard error
LONGEST_COMPLAINT = 200  # characters of an engine's standard error in an error message
COMPLAINT_PAUSE = 0.05  # seconds between two reads of its standard error, which may be endless
KEPT_FROM_ENGINES = "GIPFBOT_"  # the prefix of the bot's settings, one of which is its token
# Only Linux has what the guard needs. Without `site`, it starts fast.
GUARD: tuple[str, ...] = ()
if sys.platform == "linux":
    GUARD = sys.executable, "-I", "-S", str(Path(__file__).with_name("guard.py"))


class Patience(NamedTuple):
    """How long to wait for engines, in seconds."""

    idle: float = 180  # without a request, until the engine is ended
    guard: float = 15  # after the request's own seconds, until a silent engine is replaced
    start: float = 30  # in addition, for the first answer of a new process


class EngineProcess:
    """An engine, whose process may or may not run. It answers one request at a time."""

    def __init__(
        self, command: Sequence[str], patience: Patience, folder: Path | None = None, *, is_guarded: bool = False
    ) -> None:
        """Prepare the engine. Its process will start in `folder`, or else in the current folder."""
        self._command, self._folder, self._guard = tuple(command), folder, GUARD if is_guarded else ()
        self._patience = patience
        self._running: _Running | None = None
        self._idle_end: asyncio.TimerHandle | None = None
        self._closed = False
        self._ids = count(1)

    async def exchange(self, request: EngineRequest[A]) -> A:
        """Return the answer to a request. Raises EngineFailed.

        A process is killed if its answer is wrong, late, or no longer awaited. The next request starts another.
        """
        request_id = next(self._ids)
        if self._idle_end:
            self._idle_end.cancel()
        try:
            line = await self._answer(request_line(request_id, request), request.seconds)
            return parse_answer(line, request_id, request)
        except EngineRefused:
            raise
        except BadLine as fault:
            self.kill()
            raise EngineFailed(f"The engine's answer makes no sense: {fault}") from None
        except BaseException:
            self.kill()
            raise
        finally:
            if self._is_alive:
                self._idle_end = asyncio.get_running_loop().call_later(self._patience.idle, self.kill)

    def kill(self) -> None:
        """Kill the process, if it runs, with all that it has started."""
        if self._running:
            self._running.kill()

    def close(self) -> None:
        """Kill the process, and start no other."""
        self._closed = True
        if self._idle_end:
            self._idle_end.cancel()
        self.kill()

    async def ended(self) -> None:
        """Wait until a killed process is gone."""
        if self._running:
            await self._running.ended

    @property
    def _is_alive(self) -> bool:
        return self._running is not None and self._running.is_alive

    async def _answer(self, line: bytes, seconds: float) -> bytes:
        waits = seconds + self._patience.guard + (0 if self._is_alive else self._patience.start)
        try:
            async with asyncio.timeout(waits):
                return await (await self._ready()).ask(line)
        except TimeoutError:
            raise EngineFailed(f"The engine did not answer within {waits:g} seconds.") from None

    async def _ready(self) -> "_Running":
        """Return the running process. Start one if there is none."""
        if not (self._running and self._running.is_alive):
            self.kill()  # an ended process may have left its pipes to another one
            self._running = await _start(self._command, self._folder, self._guard)
            if self._closed:
                self.kill()
        return self._running


async def _start(command: Sequence[str], folder: Path | None, guard: Sequence[str]) -> "_Running":
    """Start a process, without the bot's settings in its environment. Raises EngineFailed if that fails."""
    known = {name: value for name, value in os.environ.items() if not name.upper().startswith(KEPT_FROM_ENGINES)}
    running = partial(_Running, signal.SIGTERM if guard else signal.SIGKILL)
    loop = asyncio.get_running_loop()
    try:
        if guard:
            _require_program(command[0])
        _, started = await loop.subprocess_exec(
            running, *guard, *command, cwd=folder, env=known, start_new_session=True
        )
    except (OSError, ValueError) as fault:
        raise EngineFailed(f"The engine cannot be started: {fault}.") from None
    return started


def _require_program(name: str) -> None:
    """Raise OSError or ValueError unless a name leads to a program. A guard would say so only when it has started."""
    if shutil.which(name) is None:
        Path(name).stat()  # says what is wrong with it, unless it may not be run
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


class _Running(asyncio.SubprocessProtocol):
    """A running process. The future `ended` is done when the process is gone and its pipes are closed."""

    def __init__(self, end: signal.Signals) -> None:
        """Prepare. The signal `end` makes the process end with all that it has started."""
        self._end = end
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_alive = True
        self._asked: asyncio.Future[bytes] | None = None
        self._heard = b""
        self._complaint = b""

    async def ask(self, line: bytes) -> bytes:
        """Write a line, and return the engine's next line. Raises EngineFailed if it ends or writes too much."""
        if not self.is_alive:
            raise EngineFailed(self._last_words())
        self._asked = asyncio.get_running_loop().create_future()
        cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0)).write(line)
        return await self._asked

    def kill(self) -> None:
        """Kill the process with all that it has started. Reads and writes nothing more.

        Closing the whole transport would take the exit code from asyncio, which then complains in the log.
        """
        self._kill_group(self._end)
        for pipe in filter(None, map(self._transport.get_pipe_transport, (0, 1, 2))):
            pipe.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Give the process the lowest priority, before it has done much."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._group = self._transport.get_pid()
        try:
            os.setpriority(os.PRIO_PGRP, self._group, NICENESS)
        except ProcessLookupError:
            pass  # it has ended already
        except OSError as fault:
            log.warning("an engine is as urgent as the bot itself: %s", fault)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Read the engine's output."""
        if fd == 1:
            self._hear(data)
            return
        self._complaint = (self._complaint + data)[-COMPLAINT:]
        pipe = cast("asyncio.ReadTransport", self._transport.get_pipe_transport(fd))
        pipe.pause_reading()
        asyncio.get_running_loop().call_later(COMPLAINT_PAUSE, _resume, pipe)

    def process_exited(self) -> None:
        """Kill the remaining processes of the group. The last output may still come."""
        self._kill_group(signal.SIGKILL)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that no more output can come."""
        self._transport.close()
        self._fail(self._last_words())
        self.ended.set_result(None)

    def _hear(self, data: bytes) -> None:
        self._heard = (self._heard + data).lstrip()
        line, end, rest = self._heard.partition(b"\n")
        if len(line) > LONGEST_LINE:
            self._fail(f"The engine's answer is longer than {LONGEST_LINE:,} bytes.")
            self.kill()
        elif end and self._asked and not self._asked.done() and not rest.strip():
            self._heard = b""
            self._asked.set_result(line)
        elif end:
            self._fail("The engine says more than it was asked.")
            self.kill()

    def _fail(self, sentence: str) -> None:
        if self._asked and not self._asked.done():
            self._asked.set_exception(EngineFailed(sentence))

    def _last_words(self) -> str:
        code = self._transport.get_returncode() or 0
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        lines = self._complaint.decode("utf-8", "replace").strip().splitlines()
        return f"The engine {how}{': ' + excerpt(lines[-1], length=LONGEST_COMPLAINT) if lines else ''}."

    def _kill_group(self, end: signal.Signals) -> None:
        """Kill the process group, only once, because its number may be reused afterwards."""
        if self.is_alive:
            self.is_alive = False
            with suppress(OSError):
                os.killpg(self._group, end)


def _resume(pipe: asyncio.ReadTransport) -> None:
    if not pipe.is_closing():
        pipe.resume_reading()
