"""Processes that tests start, seen from outside."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

from gipfbot.engines.engine_process import Patience
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
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == os.getpid() and {b"engine", os.fsencode(FAKE)} & {*command} and is_running(int(folder.name)):
            found.append(int(folder.name))
    return found


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(HANGS):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
