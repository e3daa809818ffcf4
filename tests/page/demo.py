"""The demo as a process of its own: started as a person does, or forked, which costs less."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGKILL
from typing import NamedTuple

from tests.process.fork_server import Start
from tests.support.effort import LONG
from tests.support.paths import HOUSE

# What each forked demo has changed, except in full length: an analysis searches little.
SMALL_ANALYSES = """
from gipfbot.service.records import analyses
analyses.ANALYSIS_LEVEL = analyses.ANALYSIS_LEVEL._replace(nodes=300, slow_nodes=30)
"""
# What a demo that several tests share has changed: people challenge each other as often as they like.
PATIENT_PEOPLE = """
from dataclasses import replace
from functools import partial
from gipfbot import app, demo
from gipfbot.values import UNLIMITED
demo.create_bot = partial(app.create_bot, limits=replace(app.SIMULATED, pings_a_day=UNLIMITED))
"""
ARGUMENTS = ("demo", "--no-browser")
DEMO = [sys.executable, "bot.py", *ARGUMENTS]
HANGS_AFTER = 300  # seconds; only a run that hangs takes as long


class Demo(NamedTuple):
    """A running demo: its number, the wait for its exit code, and the address of its page."""

    pid: int
    ended: Callable[[], int]
    address: str

    def told(self, signal: int) -> int:
        """Send the demo a signal; return its exit code."""
        os.kill(self.pid, signal)
        return self.ended()


@contextmanager
def start_demo(complaints: Path) -> Iterator[Demo]:
    """Run `python bot.py demo`. What it writes to the standard error goes to a file."""
    with complaints.open("w") as stderr:
        process = subprocess.Popen(DEMO, stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=HOUSE)
    assert process.stdout
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), complaints.read_text()
        yield Demo(process.pid, lambda: process.wait(HANGS_AFTER), address)
    finally:
        process.kill()
        process.communicate()


@contextmanager
def fork_demo(server: Path, log: Path, changes: str = "") -> Iterator[Demo]:
    """Let a fork server run the demo, with changes of the program. All that it writes goes to a file.

    At the end it is told to stop, unless it has ended. Fail if it ended badly or printed an error.
    """
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rw") as stream:
        connection.settimeout(HANGS_AFTER)
        connection.connect(str(server))
        changes += "" if LONG else SMALL_ANALYSES
        start = Start(str(HOUSE), dict(os.environ), str(log), changes, ARGUMENTS)
        print(json.dumps(start), file=stream, flush=True)
        pid, codes = int(stream.readline()), list[int]()

        def ended() -> int:
            if not codes:
                codes.append(int(stream.readline()))
            return codes[0]

        demo = Demo(pid, ended, _wait_for_address(log))
        try:
            yield demo
            code = codes[0] if codes else demo.told(SIGINT)
            printed = log.read_text()
            assert (code, printed.splitlines()[2:]) == (0, []), printed
        finally:
            if not codes:
                os.kill(pid, SIGKILL)


def _wait_for_address(log: Path) -> str:
    """Return the address in the first of the two lines that a demo prints."""
    hung = time.monotonic() + HANGS_AFTER
    while (printed := log.read_text() if log.exists() else "").count("\n") < 2:
        assert time.monotonic() < hung, printed
        time.sleep(0.02)
    address = printed.splitlines()[0]
    assert address.startswith("http://127.0.0.1:"), printed
    return address
