"""Watch whether the event loop turns. Tell systemd that it does, and end a process whose loop hangs.

Neither Discord nor the database is asked: the bot waits for them for as long as it takes.
"""

import asyncio
import logging
import os
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

LOOK_SECONDS, MOST_MISSED = 5.0, 12  # a loop that misses so many looks in a row, for a minute, hangs
HANGS = 13  # the exit code of a process whose event loop hangs
LAST_WORDS_SECONDS = 5.0  # for what is logged and noted about it, which may hang, too
FRAMES = 5  # of the code that does not return, in the log
# How the states begin that `systemctl status` shows, and that `make update` of any version waits for.
OPENING, WAITING, HEALTHY = "opening the database", "waiting for Discord", "healthy"
_lasting = dict[str, str]()

log = logging.getLogger(__name__)


def tell_systemd(state: str) -> None:
    """Send a state such as `READY=1` to systemd, if it has started this process and wants to know.

    Libraries for this are either no longer kept, or need a compiler. Never waits, and never fails.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)


def say_status(said: str, **lasting: str) -> None:
    """Tell systemd in words what the bot is doing. Each later state ends with what is `lasting`, such as `tables`."""
    _lasting.update(lasting)
    known = ", ".join(f"{name}={value}" for name, value in _lasting.items())
    tell_systemd(f"STATUS={' '.join(said.split())}{f' ({known})' if known else ''}")


def say_health(reasons: list[str]) -> None:
    """Tell systemd whether the bot is healthy. `reasons` say why it is not."""
    say_status(f"not healthy: {'; '.join(reasons)}" if reasons else HEALTHY)


class LoopWatch:
    """Ends this process if its event loop does not turn for a minute. `told` is called with a sentence before that.

    It counts its own looks instead of seconds. While the machine sleeps, or the process is stopped, it does not look
    either.
    """

    def __init__(self, told: Callable[[str], None], look_seconds: float = LOOK_SECONDS) -> None:
        self._told, self._look_seconds = told, look_seconds
        self._turns, self._missed = 0, 0
        self._over = threading.Event()

    def begin(self) -> None:
        """Watch the running event loop from now on, and tell systemd that the bot is ready."""
        looks = asyncio.get_running_loop(), threading.get_ident()
        threading.Thread(target=self._look_often, args=looks, name="watchdog", daemon=True).start()
        tell_systemd("READY=1")

    def end(self) -> None:
        """Stop watching. Until then the loop has to end, too."""
        self._over.set()

    def _turn(self) -> None:
        self._turns += 1
        tell_systemd("WATCHDOG=1")

    def _look_often(self, loop: asyncio.AbstractEventLoop, thread: int) -> None:
        while not self._over.wait(self._look_seconds):
            if self.look(loop):
                self._end(thread)

    def look(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Ask the loop to turn once more. Return whether it has missed too many looks in a row."""
        self._missed = 0 if self._turns else self._missed + 1
        self._turns = 0
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._turn)
        return self._missed > MOST_MISSED

    def _end(self, thread: int) -> None:
        """End the process at once. What is not committed is rolled back, as after a kill."""
        said = f"the event loop has not turned for a minute, in {place_of(sys._current_frames().get(thread))}"
        words = threading.Thread(target=self._say, args=(said,), daemon=True)
        words.start()
        words.join(LAST_WORDS_SECONDS)
        os._exit(HANGS)

    def _say(self, said: str) -> None:
        self._told(said)
        log.critical("%s: the process ends, to be started again", said)


def place_of(frame: FrameType | None) -> str:
    """Return where code is, the innermost function first, on one line."""
    frames = reversed(traceback.extract_stack(frame)[-FRAMES:]) if frame else ()
    return ", called in ".join(f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in frames)
