"""A server of PostgreSQL whose machine goes without a word: the bot notices it, and does not wait for ever."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url, process_locks
from tests.standin.interaction import eventually
from tests.support.postgres import SUPERUSER, Server

PORT = 5432  # a socket of PostgreSQL has it in its name
HOLDERS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = {which} AND database = {here} AND granted"


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


@asynccontextmanager
async def served_by_tcp(folder: Path) -> AsyncIterator[int]:
    """Return a context manager with a port of this machine that leads to the socket of a server."""

    async def carry_both(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_server = await asyncio.open_unix_connection(folder / f".s.PGSQL.{PORT}")
        await asyncio.gather(carry(reader, to_server[1]), carry(to_server[0], writer))

    door = await asyncio.start_server(carry_both, "127.0.0.1", 0)
    async with door:
        yield int(door.sockets[0].getsockname()[1])


async def test_the_system_closes_a_connection_whose_server_is_gone(
    postgres_store: Store, postgres_url: str, server: Server
) -> None:
    name = backend_of_url(postgres_url).url.database
    async with served_by_tcp(server.folder) as port:
        store = Store.open_to_read(f"postgresql+asyncpg://{SUPERUSER}@127.0.0.1:{port}/{name}")
        async with store.reading() as db:
            driver = (await db.get_raw_connection()).driver_connection
            assert driver
            used: socket.socket = driver._transport.get_extra_info("socket")
            options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
            assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert [used.getsockopt(socket.IPPROTO_TCP, option) for option in options] == [30, 10, 3, 75_000]
        await store.close()


async def test_locks_whose_server_does_not_answer_are_taken_again(
    server: Server, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's process stands still, and ends only once the bot has given it up."""
    monkeypatch.setattr(process_locks, "HOLDER_LOOKS", 0.05)
    monkeypatch.setattr(process_locks, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(process_locks, "HOLDER_TRIES", 1_000)
    backend = backend_of_url(empty_url)
    here = f"(SELECT oid FROM pg_database WHERE datname = '{backend.url.database}')"
    holders = HOLDERS.format(which=process_locks.PROCESS, here=here)
    others = f"SELECT pid FROM pg_stat_activity WHERE datname = '{backend.url.database}'"
    async with backend.hold() as lost:
        [(standing,)] = server.execute(holders)
        os.kill(standing, signal.SIGSTOP)
        try:
            await eventually(lambda: {*server.execute(others)} > {(standing,)}, "another connection")
        finally:
            os.kill(standing, signal.SIGCONT)
        await eventually(lambda: server.execute(holders) not in ([], [(standing,)]), "the lock")
        assert not lost.done()
