"""Watch the bot's health, and serve `/livez`, `/healthz` and `/metrics` over HTTP.

Healthy means: in the last minute a row was written, no write has failed because of the disk, and the gateway was there.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from gipfbot.figures import Figures
from gipfbot.ui.kit import AppClient
from gipfbot.ui.kit.discord_internals import last_acknowledged
from gipfbot.values import DatabaseTrouble

TICK_SECONDS = 0.5

log = logging.getLogger(__name__)
PATIENCE_SECONDS = 60  # how long the database or the gateway may be away
WRITE_SECONDS = 20  # for one trial, which may wait for a transaction of another task
ACKNOWLEDGED_SECONDS = 100  # since Discord's last answer to a heartbeat; there is one every 41 seconds

REFRESH_SECONDS = 15  # least time between two queries for figures
STOP_SECONDS = 0.5  # for requests that are being answered when the bot stops
REQUEST_SECONDS = 30  # for a whole request, and between two on one connection
MOST_CONNECTIONS = 50  # at once, or slow clients would take the files that the bot may open
FIGURES_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# What the library logs of requests: faults of those who send them. The bot's own are logged by `_log_own_faults`.
requests_log = logging.getLogger(f"{__name__}.requests")
requests_log.setLevel(logging.CRITICAL + 1)


class LoopLag:
    """Measures the lag of the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._most = 0.0
        self._due = self._loop.time() + TICK_SECONDS
        self._handle = self._loop.call_at(self._due, self._tick)

    def take_most(self) -> float:
        """Return the greatest lag in seconds since the last call, and reset it."""
        most, self._most = max(self._most, self._loop.time() - self._due), 0.0
        return max(0.0, most)

    def stop(self) -> None:
        """Stop measuring."""
        self._handle.cancel()

    def _tick(self) -> None:
        now = self._loop.time()
        self._most = max(self._most, now - self._due)
        self._due = now + TICK_SECONDS
        self._handle = self._loop.call_at(self._due, self._tick)


class HealthWatch:
    """Watches the health of one bot. `steady` returns the seconds of a clock that nobody can set."""

    def __init__(self, bot: AppClient, steady: Callable[[], float] = time.monotonic) -> None:
        self.bot, self._steady = bot, steady
        self.started_at = self._written_at = self._gateway_at = steady()
        self._fault_at = -math.inf
        self._known_faults = 0
        self._write_error = ""
        self.unhealthy_since: float | None = None
        self.told: Callable[[list[str]], None] | None = None  # is called with the reasons at each check

    def steady(self) -> float:
        """Return the seconds of the watch's clock."""
        return self._steady()

    @property
    def can_write(self) -> bool:
        """Whether the last trial has written to the database."""
        return not self._write_error

    async def check(self) -> bool:
        """Write a row, check the gateway, and return whether the bot is healthy. Log each change of health."""
        await self._try_writing()
        found = self.reasons()
        if self.told:
            self.told(found)
        if found and self.unhealthy_since is None:
            self.unhealthy_since = self.steady()
            log.warning("the bot is not healthy: %s", "; ".join(found))
        elif not found and self.unhealthy_since is not None:
            log.warning("the bot is healthy again, after %d s", self.steady() - self.unhealthy_since)
            self.unhealthy_since = None
        return not found

    def reasons(self) -> list[str]:
        """Return why the bot is not healthy, in words; empty if it is."""
        now = self.steady()
        if self.is_gateway_live():
            self._gateway_at = now
        return [*self._database_reasons(now), *self._gateway_reasons(now)]

    def is_gateway_live(self) -> bool:
        """Return whether Discord's gateway is connected and has answered the last heartbeats."""
        acknowledged = last_acknowledged(self.bot)
        silent = acknowledged is not None and time.perf_counter() - acknowledged > ACKNOWLEDGED_SECONDS
        return self.bot.connected and math.isfinite(self.bot.latency) and not silent

    def _database_reasons(self, now: float) -> list[str]:
        signs = self.bot.app.vital_signs
        if signs.disk_faults > self._known_faults:
            self._known_faults, self._fault_at = signs.disk_faults, now
        if now - self._written_at > PATIENCE_SECONDS:
            why = f": {self._write_error}" if self._write_error else ""
            return [f"nothing was written to the database for {now - self._written_at:.0f} s{why}"]
        if now - self._fault_at <= PATIENCE_SECONDS:
            return [f"a write to the database failed {now - self._fault_at:.0f} s ago: {signs.last_disk_fault}"]
        return []

    def _gateway_reasons(self, now: float) -> list[str]:
        away = now - self._gateway_at
        return [f"no connection to Discord's gateway for {away:.0f} s"] if away > PATIENCE_SECONDS else []

    async def _try_writing(self) -> None:
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                self._write_error = await self.bot.app.vital_signs.write_trial()
        except TimeoutError:
            self._write_error = f"no end after {WRITE_SECONDS} s"
        if self._write_error:
            log.warning("the database cannot be written: %s", self._write_error)
        else:
            self._written_at = self.steady()


class HttpPage:
    """Serves the health and the figures of one bot. `steady` returns the seconds of a clock that nobody can set.

    `build` says what runs: the version, its revision, and the newest migration of the database's tables. `backups` is
    the folder of the host's backups, if known.
    """

    def __init__(
        self,
        watch: HealthWatch,
        build: Mapping[str, str],
        backups: Path | None = None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.watch, self.bot, self.build, self.backups, self.steady = watch, watch.bot, dict(build), backups, steady
        self._refresh_at = 0.0
        self._lag: LoopLag | None = None
        app = web.Application(middlewares=[_log_own_faults])
        app.add_routes([web.get("/livez", self._say_life), web.get("/healthz", self._say_health)])
        app.add_routes([web.get("/metrics", self._say_figures)])
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=requests_log,
            keepalive_timeout=REQUEST_SECONDS,
            shutdown_timeout=STOP_SECONDS,
        )
        self._listener: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> None:
        """Begin to serve. Raises OSError if the port is taken or the address is not this machine's."""
        self.bot.figures.watch_process()
        self.bot.figures.build.info(self.build)
        if self.backups:
            self.bot.figures.watch_backups()
        await self._runner.setup()
        try:
            self._listener = await asyncio.get_running_loop().create_server(self._begin_connection, host, port)
        except OSError:
            await self._runner.cleanup()
            raise
        self._lag = LoopLag()

    async def stop(self) -> None:
        """Stop serving."""
        if self._lag:
            self._lag.stop()
        if self._listener:
            self._listener.close()
        await self._runner.cleanup()

    def _begin_connection(self) -> asyncio.BaseProtocol:
        """Return the protocol of a new connection. If there are too many, the oldest ends."""
        server = self._runner.server
        assert server, "it was set up"
        for oldest in server.connections[: 1 - MOST_CONNECTIONS]:
            if oldest.transport:
                oldest.transport.abort()
        return server()

    async def _say_life(self, _: web.Request) -> web.Response:
        """Answer. That alone shows that the event loop turns; Discord and the database are not asked."""
        return web.json_response({"alive": True, **self.build})

    async def _say_health(self, _: web.Request) -> web.Response:
        found = self.watch.reasons()
        uptime = round(self.watch.steady() - self.watch.started_at)
        said = {"healthy": not found, "reasons": found, **self.build, "uptime_seconds": uptime}
        return web.json_response(said, status=503 if found else 200)

    async def _say_figures(self, _: web.Request) -> web.Response:
        figures = self.bot.figures
        figures.healthy.set(not self.watch.reasons())
        figures.gateway_latency.set(self.bot.latency)
        figures.invalid_requests.set(self.bot.watch.invalid.count)
        figures.servers.set(len(self.bot.guilds))
        figures.shards.set(len(self.bot.own_shards.ids) if self.bot.own_shards else self.bot.shard_count or 1)
        figures.shards_connected.set(self.bot.shards_connected)
        if self._lag:
            figures.loop_lag.set(self._lag.take_most())
        if self.steady() >= self._refresh_at:
            self._refresh_at = self.steady() + REFRESH_SECONDS
            with suppress(DatabaseTrouble):  # the store has logged it
                await self._read_figures(figures)
            if self.backups:
                age = await asyncio.to_thread(self.bot.app.vital_signs.backup_age, self.backups)
                figures.backup_age.set(age)
        text = await asyncio.to_thread(figures.as_text)  # it takes some milliseconds
        return web.Response(body=text, headers={"Content-Type": FIGURES_TYPE})

    async def _read_figures(self, figures: Figures) -> None:
        found = await self.bot.app.vital_signs.host_figures()
        oldest = found.oldest_owed_at
        figures.running_games.set(found.running_games)
        figures.outbox_rows.set(found.owed_messages)
        figures.outbox_oldest_seconds.set(0 if oldest is None else max(0, self.bot.app.now() - oldest))
        figures.undeliverable_servers.set(found.undeliverable_servers)
        figures.database_bytes.set(found.database_bytes)


@web.middleware
async def _log_own_faults(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Log an error of the bot while it answers a request."""
    try:
        return await handler(request)
    except web.HTTPException:
        raise
    except Exception:
        log.exception("a page of the bot failed")
        raise
