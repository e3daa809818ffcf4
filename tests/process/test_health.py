"""A bot that cannot write or does not hear Discord is not healthy: it says so, and its heartbeat stands still."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import aiohttp
import pytest

from gipfbot.installation import VERSION, revision
from gipfbot.store.backup_folder import backup_name
from gipfbot.store.schema import known_revisions
from tests.standin import StandIn
from tests.support.stores import database_url, no_longer, refusing
from tests.support.times import HANGS

from .running import HURRIED, READY_AT_ONCE, Bot
from .table import Table

# It soon takes itself for ill, and soon tries to come back to the gateway.
IMPATIENT = f"""{READY_AT_ONCE}{HURRIED}
from discord.backoff import ExponentialBackoff
from gipfbot.ui.health import health_watch
health_watch.PATIENCE_SECONDS, health_watch.REFRESH_SECONDS = 1.5, 0
ExponentialBackoff.delay = lambda self: 0.2
"""


@pytest.fixture
async def port(bot: Bot) -> int:
    """Let the bot serve its health at a free port, and return it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
    bot.settings["GIPFBOT_HTTP_PORT"] = str(found)
    return found


@pytest.fixture
async def web(port: int) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        yield session


async def health(web: aiohttp.ClientSession) -> tuple[int, list[str]]:
    """Return the status of `/healthz`, and its reasons."""
    async with web.get("/healthz") as answer:
        found: dict[str, Any] = await answer.json()
    assert found["healthy"] == (answer.status == 200)
    assert (found["version"], found["revision"], found["schema"]) == (VERSION, revision(), known_revisions()[0])
    return answer.status, found["reasons"]


async def is_alive(web: aiohttp.ClientSession) -> bool:
    """Return whether `/livez` says that the event loop turns."""
    async with web.get("/livez") as answer:
        said = await answer.json()
    assert said == {"alive": True, "version": VERSION, "revision": revision(), "schema": known_revisions()[0]}
    return answer.status == 200


async def figures(web: aiohttp.ClientSession) -> dict[str, float]:
    """Return the figures of `/metrics`, by name and labels."""
    async with web.get("/metrics") as answer:
        assert answer.status == 200
        lines = (await answer.text()).splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


async def _becomes(web: aiohttp.ClientSession, status: int) -> list[str]:
    """Wait until `/healthz` has this status; return its reasons."""
    for _ in range(200):
        found, reasons = await health(web)
        if found == status:
            return reasons
        await asyncio.sleep(0.1)
    raise AssertionError(f"the status never becomes {status}")


async def test_a_bot_that_can_write_nothing_is_not_healthy(
    bot: Bot, discord: StandIn, table: Table, web: aiohttp.ClientSession
) -> None:
    """Its heartbeat stands still, the log says why, and once there is room again all goes on."""
    bot.settings["GIPFBOT_OWNER"] = str(table.cara.id)
    await bot.start(IMPATIENT)
    await discord.wait_for(bot.heartbeat.exists, what="a heartbeat")
    await _becomes(web, 200)
    for table_name in ("meta", "outbox"):
        for act in ("INSERT", "UPDATE"):
            for statement in refusing(f"full_{table_name}_{act}", act, table_name, "database or disk is full"):
                bot.change(statement)
    bot.expect("disk is full", "failed; the next sweep", "an interaction failed", "IntegrityError", "cannot be stored")
    await (await table.send(3)).answered()
    (reason,) = await _becomes(web, 503)
    assert reason.startswith("nothing was written to the database for ")
    assert reason.endswith(": database or disk is full")
    assert await is_alive(web)
    await discord.wait_for(lambda: "is not healthy: nothing was written" in bot.log, what="a line about it")
    await discord.wait_for(lambda: discord.dm(table.cara).messages, what="a direct message to the owner")
    assert "needs a hand" in discord.dm(table.cara).last().content
    stood = bot.heartbeat.stat().st_mtime_ns
    await asyncio.sleep(0.5)
    assert bot.heartbeat.stat().st_mtime_ns == stood
    assert (await figures(web))["gipfbot_healthy"] == 0
    for table_name in ("meta", "outbox"):
        for act in ("INSERT", "UPDATE"):
            bot.change(no_longer(f"full_{table_name}_{act}", table_name))
    await _becomes(web, 200)
    await discord.wait_for(lambda: bot.heartbeat.stat().st_mtime_ns > stood, what="a heartbeat again")
    await discord.wait_for(lambda: "healthy again" in bot.log, what="a line about it")
    assert len(bot.rows("SELECT text FROM turns")) == 2
    await table.play(3)


async def test_a_lost_gateway_is_not_healthy(bot: Bot, discord: StandIn, web: aiohttp.ClientSession) -> None:
    await bot.start(IMPATIENT)
    await _becomes(web, 200)
    await discord.gateway_down()
    bot.expect("Attempting a reconnect")
    reasons = await _becomes(web, 503)
    assert reasons[-1].startswith("no connection to Discord's gateway for ")
    assert await is_alive(web)
    discord.gateway_up()
    await discord.ready()
    await _becomes(web, 200)


async def test_figures_for_prometheus(bot: Bot, discord: StandIn, table: Table, web: aiohttp.ClientSession) -> None:
    (bot.folder / "backups").mkdir()
    (bot.folder / "backups" / backup_name(datetime.now(UTC), "sqlite3")).touch()
    bot.settings["GIPFBOT_BACKUPS"] = "backups"
    await bot.start(IMPATIENT)
    await table.play(3)
    await (await discord.slash(table.ann, table.channel, "move", notation="b1-b3", game="#a1")).answered()
    await discord.wait_for(lambda: bot.rows("SELECT count(*) FROM outbox WHERE done_at IS NULL") == [0], what="calm")
    found = await figures(web)
    build = f'revision="{revision()}",schema="{known_revisions()[0]}",version="{VERSION}"'
    expected = {
        f"gipfbot_build_info{{{build}}}": 1,
        'gipfbot_interactions_total{outcome="answered",use="/move"}': 1,
        'gipfbot_interactions_total{outcome="refused",use="/move"}': 1,
        'gipfbot_messages_posted_total{kind="board"}': 1,
        "gipfbot_acknowledgement_seconds_count": 2,
        "gipfbot_running_games": 1,
        "gipfbot_outbox_rows": 0,
        "gipfbot_outbox_oldest_seconds": 0,
        "gipfbot_healthy": 1,
        "gipfbot_invalid_requests": 0,
        "gipfbot_board_seconds_count": 1,
        "gipfbot_servers": 1,
        "gipfbot_shards": 1,
        "gipfbot_shards_connected": 1,
        'gipfbot_engine_queue{engine="the bot"}': 0,
        'gipfbot_engine_failures_total{engine="the bot"}': 0,
    }
    assert {name: found[name] for name in expected} == expected
    for name in ("gipfbot_database_bytes", "gipfbot_gateway_latency_seconds", "process_resident_memory_bytes"):
        assert found[name] > 0
    for name in ("gipfbot_picture_seconds_count", "gipfbot_transaction_seconds_count"):
        assert found[name] > 1
    assert found['gipfbot_discord_requests_total{status="200"}'] > 1
    assert 0 <= found["gipfbot_backup_age_seconds"] < HANGS
    assert 0 <= found["gipfbot_event_loop_lag_seconds"] < 60


async def test_failing_posts_are_counted_by_reason(
    bot: Bot, discord: StandIn, table: Table, web: aiohttp.ClientSession
) -> None:
    await bot.start(IMPATIENT)
    discord.fail_next("POST", "/channels/{id}/messages", status=503)
    await (await table.send(3)).answered()
    await table.posted(3)
    assert (await figures(web))['gipfbot_messages_failed_total{reason="outage"}'] == 1


async def test_garbage_on_the_port_is_no_fault(bot: Bot, port: int, web: aiohttp.ClientSession) -> None:
    """The log has no warning of it, and the counts of faults stay empty."""
    await bot.start(IMPATIENT)
    for data in (bytes(range(256)) * 99, b"GET /healthz HTTP/1.1\r\nHost\r\n\r\n", b"GET / HTTP/7\r\n\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(data)
        assert (await reader.read()).startswith(b"HTTP/1.0 400 Bad Request")
        writer.close()
    assert not [name for name in await figures(web) if name.startswith("gipfbot_faults_total")]
    assert not [line for line in bot.log.splitlines() if " INFO " not in line]


async def test_an_open_connection_does_not_delay_the_end(bot: Bot, web: aiohttp.ClientSession) -> None:
    await bot.start(IMPATIENT)
    await health(web)
    began = time.monotonic()
    assert await bot.end() == 0
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("host", ["no.such.host.invalid", "[::1]", "http://127.0.0.1"])
async def test_an_address_that_is_none_is_named_with_the_reason(bot: Bot, port: int, host: str) -> None:
    bot.settings["GIPFBOT_HTTP_HOST"] = host
    assert await (await bot.launch()).wait() == 2
    said = bot.log.splitlines()[-1]
    assert said.startswith(f"Nothing can be served at {host}, port {port} (")
    assert "Unknown error" not in said


async def test_a_taken_port_is_one_sentence(bot: Bot, port: int) -> None:
    database = bot.folder / "new.sqlite3"
    bot.settings["GIPFBOT_DATABASE_URL"] = database_url(database)
    with socket.create_server(("127.0.0.1", port)):
        assert await (await bot.launch()).wait() == 2
    assert bot.log.splitlines()[-1] == (
        f"Nothing can be served at 127.0.0.1, port {port} (Address already in use): set another GIPFBOT_HTTP_PORT or "
        "GIPFBOT_HTTP_HOST."
    )
    assert not database.exists(), "it was found before there were any tables"
