"""Start the bot again and again without loading its libraries each time.

A server imports them once and forks for each start. What the new process then runs is what `python bot.py` runs.
"""

import asyncio
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

from gipfbot.service.app import message_kinds
from gipfbot.ui.bot import message_builders
from tests.support.paths import HOUSE


class Start(NamedTuple):
    """One start: the folder to run in, its environment, the file for all output, and code that changes the program.

    `arguments` are those of the command line.
    """

    folder: str
    environment: dict[str, str]
    log: str
    changes: str = ""
    arguments: tuple[str, ...] = ()


class ForkedProcess:
    """A process that the server has forked, with what the tests need of `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, answers: asyncio.StreamReader, connection: asyncio.StreamWriter) -> None:
        self.pid, self._connection = pid, connection
        self._exit_code = asyncio.create_task(self._read_exit_code(answers))

    @property
    def returncode(self) -> int | None:
        """The exit code, negative after a signal; None while the process runs."""
        return self._exit_code.result() if self._exit_code.done() else None

    async def wait(self) -> int:
        """Return the exit code as soon as the process has ended."""
        return await asyncio.shield(self._exit_code)

    def send_signal(self, number: int) -> None:
        """Send a signal to the process."""
        os.kill(self.pid, number)

    async def _read_exit_code(self, answers: asyncio.StreamReader) -> int:
        code = int(await answers.readline())
        self._connection.close()
        await self._connection.wait_closed()
        return code


@contextmanager
def run_server(address: Path, *modules: str) -> Iterator[Path]:
    """Run a server that listens on the Unix socket `address`. It has imported the bot and more `modules`."""
    command = (sys.executable, "-m", "tests.process.fork_server", str(address), *modules)
    with subprocess.Popen(command, cwd=HOUSE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        try:
            yield address
        finally:
            server.terminate()


async def fork_process(address: Path, start: Start) -> ForkedProcess:
    """Let the server on this socket start a process."""
    answers, connection = await asyncio.open_unix_connection(address)
    connection.write(json.dumps(start).encode() + b"\n")
    return ForkedProcess(int(await answers.readline()), answers, connection)


# ── Inside the server ──


def serve(address: str, *modules: str) -> NoReturn:
    """Fork for each connection."""
    for module in ("gipfbot.__main__", "gipfbot.app", *modules):
        importlib.import_module(module)
    message_kinds()
    message_builders()
    gc.freeze()
    signal.signal(signal.SIGCHLD, reap)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)  # noqa: T201 - the one word that run_server() waits for
        while True:
            connection, _ = listener.accept()
            if not os.fork():
                listener.close()
                supervise(connection)
            connection.close()


def reap(*_: object) -> None:
    """Wait for the processes that have ended, so that their processor time counts as the server's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def supervise(connection: socket.socket) -> NoReturn:
    """Fork the process that a connection asks for. Answer its id, and its exit code once it has ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with connection, connection.makefile("rw") as stream:
        start = Start(*json.loads(stream.readline()))
        pid = os.fork()
        if not pid:
            connection.detach()
            become_bot(start)
        print(pid, file=stream, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=stream, flush=True)
    os._exit(0)


def become_bot(start: Start) -> NoReturn:
    """Run the bot in this process."""
    from gipfbot import __main__ as bot

    os.chdir(start.folder)
    os.environ.clear()
    os.environ.update(start.environment)
    log = os.open(start.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    exec(start.changes, {})
    sys.exit(bot.main([*start.arguments]))


if __name__ == "__main__":
    serve(*sys.argv[1:])
