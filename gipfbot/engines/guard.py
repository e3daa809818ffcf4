"""Runs a seated program, and ends it with all that it has started: `python guard.py COMMAND…`. For Linux.

A process whose parent has ended becomes a child of the guard, whichever group and session it has chosen. So everything
stays below the guard. It ends all of that when the program ends, at SIGTERM, and when the bot is gone, even if it was
killed: then nobody can write to the standard input any more. The program reads that input, the guard does not.

It runs as a file of its own, and imports nothing of the bot.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ADOPT_ORPHANS, MAY_BE_DUMPED = 36, 4  # for prctl
NOT_STARTED = 127
TRIES, PAUSE = 1000, 0.005  # to kill what there is; seconds between two


def run_to_the_end(command: list[str]) -> int:
    """Run a command. Return its wait status when nothing is left of it."""
    _prctl(ADOPT_ORPHANS, 1)
    signals, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # it is told by the pipe
    try:
        program = os.posix_spawnp(command[0], command, os.environ, setsigdef=(signal.SIGPIPE, signal.SIGXFSZ))
    except OSError as fault:
        sys.stderr.write(f"{fault}\n")
        return NOT_STARTED << 8
    status = _wait(program, signals)
    _kill_all()
    return status


def _wait(program: int, signals: int) -> int:
    """Wait until the program ends, and return its status; or until it must end."""
    poll = select.poll()
    poll.register(0, 0)  # the standard input; reports only that nobody can write any more
    poll.register(signals, select.POLLIN)
    while True:
        ready = [fd for fd, _ in poll.poll()]
        if signals not in ready or signal.SIGTERM in os.read(signals, 1000):
            return signal.SIGKILL
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                return ended[1]


def _kill_all() -> None:
    """Kill all children, then those whom they leave to the guard, until there is none.

    Gives up on what runs as another user.
    """
    with suppress(ChildProcessError):
        for _ in range(TRIES):
            for child in _children():
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(PAUSE)


def _children() -> Iterator[int]:
    own = os.getpid()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1]) == own:
                yield int(folder.name)


def _prctl(option: int, value: int) -> None:
    """Set an option of this process, if Python can call the system."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def end_like(status: int) -> int:
    """Return the exit code in a wait status. If a signal ended the program, end by the same one, without a core."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        _prctl(MAY_BE_DUMPED, 0)
        with suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(end_like(run_to_the_end(sys.argv[1:])))
