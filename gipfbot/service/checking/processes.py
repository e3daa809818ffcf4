"""Check parts of a database in processes of their own: `python -m gipfbot.service.checking.processes` is one of them.

It reads the database and one part after the other from its standard input, pickled, and writes what it has found. It
ends when nobody can write that input any more, so it does not outlive the command or the bot.
"""

import asyncio
import gc
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import ceil
from pathlib import Path
from typing import Any, BinaryIO

from gipfbot.installation import HOME
from gipfbot.store import Store
from gipfbot.store.backends import reading_faults
from gipfbot.store.troubles import opening
from gipfbot.values import Unusable

from .parts import Found, Part

LOWEST = 19  # priority
CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")  # of a container
COLLECTOR_WAITS = 10_000, 20, 50  # as those of the bot: what is read lives long
LENGTH = 8  # bytes that say how long the next object is
KILLED = "A process that replayed games has ended, perhaps because memory was short: make room, then try again."


class PartProcess:
    """A process that checks one part at a time."""

    def __init__(self, process: Process) -> None:
        assert process.stdin, "it is a pipe"
        assert process.stdout, "it is a pipe"
        self.pid, self._input, self._output = process.pid, process.stdin, process.stdout

    async def check(self, part: Part) -> Found:
        """Return what is found in a part. Raises Damaged or another Unusable."""
        try:
            await self.send(part)
            length = int.from_bytes(await self._output.readexactly(LENGTH))
            answer = pickle.loads(await self._output.readexactly(length))
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Unusable(KILLED) from error
        if isinstance(answer, Unusable):
            raise answer
        assert isinstance(answer, Found)
        return answer

    async def send(self, value: Part | str) -> None:
        """Send a part, or first of all the database."""
        self._input.write(_framed(value))
        await self._input.drain()


@asynccontextmanager
async def part_processes(number: int, url: str, *, gently: bool = False) -> AsyncIterator[list[PartProcess]]:
    """Start processes, and kill them at the end. `gently` gives them the lowest priority."""
    async with AsyncExitStack() as running:
        yield [await running.enter_async_context(_started(url, gently=gently)) for _ in range(number)]


@asynccontextmanager
async def _started(url: str, *, gently: bool) -> AsyncIterator[PartProcess]:
    command = sys.executable, "-m", __name__, *(["gently"] if gently else [])
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=HOME, start_new_session=True)
    try:
        started = PartProcess(process)
        with suppress(OSError):  # one that has ended already fails at its first part
            await started.send(url)
        yield started
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def usable_cores() -> int:
    """Return how many cores this process may use. A container may have fewer than its machine."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # there is no such limit, or it says `max`
        quota, period = map(int, CPU_LIMIT.read_text(encoding="ascii").split())
        cores = min(cores, ceil(quota / period))
    return max(1, cores)


def _framed(value: object) -> bytes:
    data = pickle.dumps(value)
    return len(data).to_bytes(LENGTH) + data


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Check the parts that are read, until there are no more."""
    url: str = _read(source)
    gc.freeze()
    gc.set_threshold(*COLLECTOR_WAITS)
    with suppress(EOFError):
        asyncio.run(_serve_from(url, source, sink))


async def _serve_from(url: str, source: BinaryIO, sink: BinaryIO) -> None:
    """Check parts in one store: another for each part would prepare the same statements again. Ends by EOFError."""
    store = Store.open_to_read(url)
    try:
        while True:
            sink.write(_framed(await _checked(store, _read(source))))  # nothing else waits for this loop
            sink.flush()
    finally:
        await store.close()


async def _checked(store: Store, part: Part) -> Found | Unusable:
    try:
        with opening(store.name), reading_faults(store.backend):  # the command or the bot says what is wrong
            return await part.check(store)
    except Unusable as error:
        return error


def _read(source: BinaryIO) -> Any:
    length = source.read(LENGTH)
    if len(length) < LENGTH:
        raise EOFError
    return pickle.loads(source.read(int.from_bytes(length)))


if __name__ == "__main__":
    if "gently" in sys.argv[1:]:
        os.nice(LOWEST)
    with suppress(EOFError, BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)
