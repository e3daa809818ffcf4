"""Engines that behave in one way each: `python fake_engine.py WAY [ARGUMENT]`. All are real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TURN = "e1-e3"
ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else ""


def requests() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def tell(request: dict[str, Any], **fields: Any) -> None:
    answer = {"id": request["id"], "turn": TURN, "score": 7, "depth": 1, "nodes": 2, "line": [TURN], **fields}
    say(json.dumps(answer) + "\n")


def good() -> None:
    """Answer with the same turn always. The depth is the process, by which tests tell processes apart."""
    for request in requests():
        tell(request, depth=os.getpid())


def late() -> None:
    """Take a second to start."""
    time.sleep(1)
    good()


def gate() -> None:
    """Answer only when the file exists that the argument names."""
    for request in requests():
        while not Path(ARGUMENT).exists():
            time.sleep(0.01)
        tell(request)


def silent() -> None:
    for _ in requests():
        pass


def deaf() -> None:
    """Neither read nor answer."""
    time.sleep(1000)


def endless() -> None:
    """Write one line for ever."""
    next(requests())
    while True:
        say("x" * 10_000)


def twice() -> None:
    """Write two lines at once."""
    for request in requests():
        say(json.dumps({"id": request["id"]}) + "\nWhat else?\n")


def chatty() -> None:
    """Answer, and go on talking."""
    for request in requests():
        tell(request)
        time.sleep(0.3)
        say("What else?\n")


def greeting() -> None:
    say("Welcome to my engine!\n")
    good()


def blank() -> None:
    """Write blank lines between the answers, some with blanks, and end lines as on Windows."""
    for request in requests():
        say("\r\n \n\n")
        tell(request)
        say("\r\n")


def said() -> None:
    """Say what the argument holds, with the request's id in place of ID."""
    for request in requests():
        say(ARGUMENT.replace("ID", str(request["id"])) + "\n")


def crash() -> None:
    next(requests())
    sys.exit("Traceback:\n  a line\nMemoryError: no\x1b[31m room")


def loud() -> None:
    """Complain much, then answer."""
    for request in requests():
        sys.stderr.write("what a difficult position!\n" * 20_000)
        sys.stderr.flush()
        tell(request)


def parent() -> None:
    """Start another process, write its number to the file that the argument names, and never answer."""
    child = subprocess.Popen(["sleep", "1000"])
    Path(ARGUMENT).write_text(str(child.pid), encoding="ascii")
    silent()


def abandon() -> None:
    """As `parent`, but end at once."""
    child = subprocess.Popen(["sleep", "1000"])
    Path(ARGUMENT).write_text(str(child.pid), encoding="ascii")


def leave() -> None:
    """Start another process as a daemon does, with a session and files of its own, and go on as a good engine.

    It survives the end of its input and of its terminal. Its number is in the file that the argument names.
    """
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        for fd in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), fd)
        Path(ARGUMENT).write_text(str(os.getpid()), encoding="ascii")
        os.execve("/bin/sleep", ["sleep", "1000"], {})
    os.wait()
    good()


def stubborn() -> None:
    """As `leave`, but survive the end of the input and every signal that can be survived."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    leave()
    time.sleep(1000)


def nosy() -> None:
    """Answer with the names of all environment variables, as an error, and with how nice it is."""
    for request in requests():
        say(json.dumps({"id": request["id"], "error": f"{os.nice(0)} {' '.join(sorted(os.environ))}"[:500]}) + "\n")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
