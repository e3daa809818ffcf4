"""The wiring: settings, store, service, bot. The one place that knows all rooms."""

import asyncio
import logging
import random
import signal

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from gipfbot.service.service import Service
from gipfbot.settings import Settings
from gipfbot.store import Store
from gipfbot.ui.bot import GipfBot

log = logging.getLogger(__name__)
CLOSE_WITHIN = 4  # seconds; the host is promised 5


def now() -> int:
    """Return the time in UTC seconds. Discord's own idea of it, which a simulation can move."""
    return int(discord.utils.utcnow().timestamp())


def lot() -> bool:
    """Draw whether a challenger gets White."""
    return random.random() < 0.5


def bot_of(store: Store, settings: Settings | None = None) -> GipfBot:
    """Return a bot that plays from this store."""
    return GipfBot(Service(store, now, lot), settings.heartbeat if settings else None)


async def run(settings: Settings) -> None:
    """Run the bot until SIGTERM or SIGINT. Raises discord.LoginFailure for a wrong token, Unusable for the database."""
    _point_elsewhere(settings)
    store = await Store.open(settings.database_url)
    bot = bot_of(store, settings)
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    running = asyncio.create_task(bot.start(settings.token.get_secret_value()))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    finally:
        await _close(bot, running, store)


async def _close(bot: GipfBot, running: asyncio.Task[None], store: Store) -> None:
    try:
        async with asyncio.timeout(CLOSE_WITHIN):
            await bot.close()
    except TimeoutError:
        log.warning("Discord did not say goodbye in time")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await store.close()


def _point_elsewhere(settings: Settings) -> None:
    """Make discord.py talk to a proxy or a test server where the settings name one."""
    if settings.api_url:
        Route.BASE = settings.api_url
    if settings.gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)
