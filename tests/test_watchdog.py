"""The watchdog: it asks whether the event loop turns, and nothing else."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from gipfbot import watchdog
from gipfbot.watchdog import HANGS, MOST_MISSED, LoopWatch, place_of, tell_systemd
from tests.support.paths import HOUSE


class Loop:
    """An event loop that turns when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def call_soon_threadsafe(self, turn: Any) -> None:
        self.asked.append(turn)

    def turn(self) -> None:
        for turn in self.asked:
            turn()
        self.asked.clear()


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Return a socket that hears what systemd hears."""
    name = str(tmp_path / "notify") if request.param == "path" else f"gipf-notify-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name if request.param == "path" else f"\0{name}")
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", name if request.param == "path" else f"@{name}")
        yield listening


def heard(systemd: socket.socket) -> list[str]:
    said = []
    while True:
        try:
            said.append(systemd.recv(1000).decode())
        except BlockingIOError:
            return said


async def test_systemd_hears_that_the_loop_runs_and_then_each_turn(systemd: socket.socket) -> None:
    watch = LoopWatch(lambda _: None, 3600)
    watch.begin()
    assert heard(systemd) == ["READY=1"]
    for _ in range(2):
        assert not watch.look(asyncio.get_running_loop())
        await asyncio.sleep(0)
        assert heard(systemd) == ["WATCHDOG=1"]
    watch.end()


@pytest.mark.parametrize("address", [None, "", "nowhere", "/nowhere/notify", "@nobody-listens"])
def test_without_systemd_nothing_is_told(address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if address is not None:
        monkeypatch.setenv("NOTIFY_SOCKET", address)
    tell_systemd("READY=1")


def test_a_full_socket_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other side may be busy. The loop would hang in what shows that it turns."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as silent:
        silent.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        for _ in range(1000):
            tell_systemd("WATCHDOG=1")


def test_a_loop_hangs_that_misses_all_looks_of_a_minute() -> None:
    watch, loop = LoopWatch(lambda _: None), Loop()
    assert MOST_MISSED * watchdog.LOOK_SECONDS == 60
    found = [watch.look(loop) for _ in range(MOST_MISSED + 1)]  # type: ignore[arg-type]
    assert found == [False] * MOST_MISSED + [True]


def test_a_slow_loop_does_not_hang() -> None:
    """One turn is enough, and begins the minute anew."""
    watch, loop = LoopWatch(lambda _: None), Loop()
    for _ in range(5):
        assert not any(watch.look(loop) for _ in range(MOST_MISSED))  # type: ignore[arg-type]
        loop.turn()


def test_a_machine_that_was_asleep_kills_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """All clocks go on by hours, but nobody has looked meanwhile. The loop turns as soon as it wakes up."""
    watch, loop, waits = LoopWatch(lambda _: None), Loop(), list[float]()

    def sleep(seconds: float | None = None) -> bool:
        waits.append(seconds or 0)  # on the clock, the last one took hours
        if len(waits) > 1:
            loop.turn()
        return len(waits) > 3

    monkeypatch.setattr(watch._over, "wait", sleep)
    monkeypatch.setattr(watch, "_end", lambda _: pytest.fail("it was ended"))
    watch._look_often(loop, 0)  # type: ignore[arg-type]
    assert len(waits) == 4


def test_a_closed_loop_counts_as_one_that_does_not_turn() -> None:
    """It may hang at its end, too."""
    loop = asyncio.new_event_loop()
    loop.close()
    watch = LoopWatch(lambda _: None)
    assert [watch.look(loop) for _ in range(MOST_MISSED + 1)][-1]


HANGING = """
    import asyncio, logging, sys, time
    from gipfbot import watchdog
    logging.basicConfig(format="%(message)s")

    def hang():
        while True:
            time.sleep(0.01)

    async def main():
        watchdog.LoopWatch({told}, 0.01).begin()
        hang()

    asyncio.run(main())
"""


def run(program: str) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-c", dedent(program)]
    return subprocess.run(words, cwd=HOUSE, capture_output=True, text=True, check=False, timeout=60)


def test_a_process_whose_loop_hangs_ends_with_a_code_of_its_own() -> None:
    """It says in which code it hangs, on one line."""
    done = run(HANGING.format(told="print"))
    assert done.returncode == HANGS
    (said,) = done.stderr.splitlines()
    assert said.startswith("the event loop has not turned for a minute, in <string>:")
    assert " hang, called in <string>:" in said
    assert said.endswith(": the process ends, to be started again")


def test_it_ends_even_if_its_last_words_hang() -> None:
    """Whatever holds up the loop may hold up the log and the disk as well."""
    done = run(
        "from gipfbot import watchdog; watchdog.LAST_WORDS_SECONDS = 0.1\n"
        + dedent(HANGING.format(told="lambda _: time.sleep(3600)"))
    )
    assert (done.returncode, done.stderr) == (HANGS, "")


def test_the_place_of_code_is_named_from_the_inside() -> None:
    said = place_of(sys._current_frames()[threading.get_ident()])
    assert said.startswith("test_watchdog.py:")
    assert "test_the_place_of_code_is_named_from_the_inside, called in " in said
    assert place_of(None) == ""
