"""`/healthz` and `/metrics` over HTTP, for a host's monitoring."""

import os
import time
from collections.abc import Callable

from aiohttp import web

from gipfbot.figures import Figures
from gipfbot.values import VERSION, Unusable

from .health_watch import HealthWatch
from .loop_lag import LoopLag

REFRESH_SECONDS = 15  # the database is asked for figures at most once in this time
STOP_SECONDS = 0.5  # for requests that are being answered when the bot ends
FIGURES_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class HttpPage:
    """Serves the health and the figures of one bot. `steady` returns the seconds of a clock that nobody can set."""

    def __init__(self, watch: HealthWatch, steady: Callable[[], float] = time.monotonic) -> None:
        self.watch, self.bot, self.steady = watch, watch.bot, steady
        self._refresh_at = 0.0
        self._lag: LoopLag | None = None
        app = web.Application()
        app.add_routes([web.get("/healthz", self._say_health), web.get("/metrics", self._say_figures)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=STOP_SECONDS)

    async def start(self, host: str, port: int) -> None:
        """Begin to serve. Raises Unusable if the port is taken or the address is not this machine's."""
        self.bot.figures.watch_process()
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            await self._runner.cleanup()
            right = "set another GIPFBOT_HTTP_PORT or GIPFBOT_HTTP_HOST"
            why = os.strerror(error.errno) if error.errno else str(error)
            raise Unusable(f"Nothing can be served at {host}, port {port} ({why}): {right}.") from error
        self._lag = LoopLag()

    async def stop(self) -> None:
        """Stop serving."""
        if self._lag:
            self._lag.stop()
        await self._runner.cleanup()

    async def _say_health(self, _: web.Request) -> web.Response:
        found = self.watch.reasons()
        uptime = round(self.watch.steady() - self.watch.started_at)
        said = {"healthy": not found, "reasons": found, "version": VERSION, "uptime_seconds": uptime}
        return web.json_response(said, status=503 if found else 200)

    async def _say_figures(self, _: web.Request) -> web.Response:
        figures = self.bot.figures
        figures.healthy.set(not self.watch.reasons())
        figures.gateway_latency.set(self.bot.latency)
        figures.invalid_requests.set(self.bot.watch.invalid.count)
        figures.commits.set(self.bot.app.vital_signs.commits)
        if self._lag:
            figures.loop_lag.set(self._lag.take_most())
        if self.steady() >= self._refresh_at:
            self._refresh_at = self.steady() + REFRESH_SECONDS
            await self._read_figures(figures)
        return web.Response(body=figures.as_text(), headers={"Content-Type": FIGURES_TYPE})

    async def _read_figures(self, figures: Figures) -> None:
        found = await self.bot.app.vital_signs.host_figures()
        oldest = found.oldest_owed_at
        figures.running_games.set(found.running_games)
        figures.outbox_rows.set(found.owed_messages)
        figures.outbox_oldest_seconds.set(0 if oldest is None else max(0, self.bot.app.now() - oldest))
        figures.undeliverable_servers.set(found.undeliverable_servers)
        figures.database_bytes.set(found.database_bytes)
