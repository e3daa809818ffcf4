"""The pages over HTTP: what others send is no fault of the bot, and nobody keeps a monitor out."""

import asyncio
import gc
import json
import logging
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gipfbot.figures import Figures
from gipfbot.ui.health import health_watch
from gipfbot.ui.health.health_watch import HttpPage
from gipfbot.ui.health.owner_watch import FaultWatch
from gipfbot.values import DatabaseTrouble, HostFigures, Trouble
from tests.support.times import HANGS

HOST = "127.0.0.1"
GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
# What a client that speaks TLS sends first.
TLS_HELLO = bytes.fromhex(
    "160301020001000103030000000000000000000000000000000000000000000000000000000000000000202f2f2f2f2f2f2f2f2f2f2f2f2f2f"
    "2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f0020"
)
MALFORMED = {
    "tls": TLS_HELLO,
    "tls later": GET + b"\r\n" + TLS_HELLO,
    "zeros": bytes(10_000),
    "noise": bytes(range(256)) * 40,
    "line ends": b"\r\n" * 1000,
    "no line end": b"G" * 100_000,
    "long path": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    "long header": GET + b"A: " + b"b" * 100_000 + b"\r\n\r\n",
    "many headers": GET + b"A: b\r\n" * 20_000 + b"\r\n",
    "no version": b"GET /healthz\r\n\r\n",
    "strange version": b"GET /healthz HTTP/9.9\r\n\r\n",
    "http 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "strange method": b"D\xc3\x96 /healthz HTTP/1.1\r\n\r\n",
    "other method": b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    "connect": b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    "star": b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "other path": b"GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
    "no path": b"GET  HTTP/1.1\r\nHost: a\r\n\r\n",
    "broken path": b"GET /%zz%ff%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "absolute": b"GET http://a:99999/healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "broken address": b"GET http://[::1/healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "two slashes": b"GET //healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": GET + b"Host: b\r\n\r\n",
    "strange host": b"GET /healthz HTTP/1.1\r\nHost: [\x01\r\n\r\n",
    "broken header": GET + b"no colon\r\n\r\n",
    "folded header": GET + b" folded: a\r\n\r\n",
    "zero in header": GET + b"A: \0\r\n\r\n",
    "text as length": GET + b"Content-Length: many\r\n\r\n",
    "negative length": GET + b"Content-Length: -1\r\n\r\n",
    "two lengths": GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "length and chunks": GET + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "broken chunk": GET + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "broken second chunk": GET + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n-5\r\n",
    "strange encoding": GET + b"Transfer-Encoding: gzip\r\n\r\n",
    "no gzip": GET + b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
    "no deflate": GET + b"Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "strange expectation": GET + b"Expect: money\r\n\r\n",
    "upgrade": GET + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello",
    "upgrade and noise": GET + b"Connection: upgrade\r\nUpgrade: h2c\r\n\r\n" + bytes(range(256)),
    "many at once": (GET + b"\r\n") * 200,
    "half a line": b"GET /heal",
    "half a header": GET + b"A: ",
    "half a body": GET + b"Content-Length: 100\r\n\r\nhalf",
    "nothing": b"",
}


class Page:
    """The pages of a bot that is healthy, with a log as in the program."""

    def __init__(self) -> None:
        self.told, self.faults = list[str](), list[Exception]()
        signs = SimpleNamespace(host_figures=self._figures)
        app = SimpleNamespace(vital_signs=signs, now=lambda: 0)
        self.bot = SimpleNamespace(
            app=app, figures=Figures(), latency=0.1, watch=SimpleNamespace(invalid=SimpleNamespace(count=0))
        )
        self.bot.guilds, self.bot.own_shards, self.bot.shard_count, self.bot.shards_connected = [], None, None, 1
        watch = SimpleNamespace(bot=self.bot, reasons=list, steady=lambda: 0, started_at=0)
        self.page, self.port = HttpPage(cast(Any, watch), {}, None, lambda: 0.0), 0
        note = SimpleNamespace(note_error=self.told.append, note=lambda *said: self.told.append(said[1]))
        self.watch = FaultWatch(cast(Any, self.bot), cast(Any, note))

    async def _figures(self) -> HostFigures:
        if self.faults:
            raise self.faults[0]
        return HostFigures(3, 0, None, 0, 0)

    async def start(self) -> None:
        await self.page.start(HOST, 0)
        assert self.page._listener
        self.port = self.page._listener.sockets[0].getsockname()[1]

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HOST, self.port)

    async def get(self, path: str) -> tuple[int, str]:
        """Return the status and the body of a page."""
        reader, writer = await self.open()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        async with asyncio.timeout(HANGS):
            head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
        writer.close()
        return int(head.split()[1]), body


@pytest.fixture
async def page(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Page]:
    page = Page()
    await page.start()
    logging.getLogger().addHandler(page.watch)
    yield page
    logging.getLogger().removeHandler(page.watch)
    await page.page.stop()


async def send(page: Page, data: bytes, *, slow: bool) -> None:
    """Send bytes, at once or in pieces, read what comes, and go without a word."""
    reader, writer = await page.open()
    for piece in (
        [data[place : place + len(data) // 5 + 1] for place in range(0, len(data), len(data) // 5 + 1)]
        if slow
        else [data]
    ):
        writer.write(piece)
        await asyncio.sleep(0.001)
    if not slow:
        writer.write_eof()
    try:
        async with asyncio.timeout(0.05):
            await reader.read()
    except (TimeoutError, ConnectionError):
        pass
    writer.transport.abort()


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("name", MALFORMED)
async def test_malformed_request_is_no_fault_of_the_bot(
    name: str, slow: bool, page: Page, caplog: pytest.LogCaptureFixture
) -> None:
    """There is no line of the log, no count, and nothing that its owner is told."""
    await send(page, MALFORMED[name], slow=slow)
    status, said = await page.get("/healthz")
    assert (status, json.loads(said)["healthy"]) == (200, True)
    await page.page.stop()
    gc.collect()  # asyncio tells of a task's error when the task is gone
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert (page.bot.figures.faults_by_kind(), page.told) == ({}, [])


async def test_own_fault_is_logged_counted_and_told(page: Page, caplog: pytest.LogCaptureFixture) -> None:
    page.faults.append(KeyError("a"))
    assert (await page.get("/metrics"))[0] == 500
    assert [(record.message, record.levelname) for record in caplog.records] == [("a page of the bot failed", "ERROR")]
    assert (page.bot.figures.faults_by_kind(), page.told) == ({"KeyError": 1}, ["KeyError"])
    caplog.clear()  # it is expected


async def test_figures_are_there_without_the_database(page: Page, caplog: pytest.LogCaptureFixture) -> None:
    """The store has said that it cannot be read, and the bot is not healthy."""
    page.faults.append(DatabaseTrouble(Trouble.LOCKED))
    status, said = await page.get("/metrics")
    assert (status, "gipfbot_shards_connected 1.0" in said) == (200, True)
    assert caplog.messages == []


async def test_half_a_request_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_watch, "REQUEST_SECONDS", 0.05)
    page = Page()
    await page.start()
    for data in (b"", GET):
        reader, writer = await page.open()
        writer.write(data)
        async with asyncio.timeout(HANGS):
            assert await reader.read() == b""
        writer.close()
    await page.page.stop()


async def test_slow_clients_keep_nobody_out(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest connections end, whether they say nothing or read nothing."""
    monkeypatch.setattr(health_watch, "MOST_CONNECTIONS", 5)
    opened = []
    for number in range(20):
        opened.append(await page.open())
        opened[-1][1].write(GET + (b"\r\n" + GET) * 1000 * (number % 2))
        await asyncio.sleep(0.001)
    assert (await page.get("/healthz"))[0] == 200
    server = page.page._runner.server
    assert server
    assert len(server.connections) <= 6
    for _, writer in opened:
        writer.close()
