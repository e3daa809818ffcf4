"""Processes that tests start, seen from outside."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

from gipfbot.engines.engine_process import GUARD, Patience
from gipfbot.notation import position_text
from gipfbot.rules import STANDARD, start
from tests.support.paths import HOUSE
from tests.support.times import HANGS

FAKE = HOUSE / "tests" / "engines" / "fake_engine.py"
BOARD = position_text(start(STANDARD))
PATIENT = Patience(idle=HANGS, guard=HANGS, start=HANGS)
ENGINE = (sys.executable, str(HOUSE / "bot.py"), "engine")


def fake(way: str, argument: object = "") -> tuple[str, ...]:
    """Return the command of an engine that behaves in this way. Without `site`, it starts fast."""
    return sys.executable, "-S", str(FAKE), way, str(argument)


def is_running(pid: int) -> bool:
    """Return whether a process runs. One that is dead, but not yet waited for, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def engines_of_test() -> list[int]:
    """Return the processes of engines that this process has started and that run."""
    own = children(os.getpid())
    under_guards = [engine for guard in own if is_guard(guard) for engine in children(guard)]
    return [
        pid for pid in (*own, *under_guards) if {b"engine", os.fsencode(FAKE)} & {*command(pid)} and not is_guard(pid)
    ]


def guards_of_test() -> list[int]:
    """Return the guards of engines that this process has started and that run."""
    return [pid for pid in children(os.getpid()) if is_guard(pid)]


def children(parent: int) -> list[int]:
    """Return the running processes that a process has started."""
    found = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [pid for pid in found if parent_of(pid) == parent and is_running(pid)]


def is_guard(pid: int) -> bool:
    return os.fsencode(GUARD[-1]) in command(pid)


def command(pid: int) -> list[bytes]:
    """Return the command of a process; an empty one if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


def parent_of(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(HANGS):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
