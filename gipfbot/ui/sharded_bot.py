"""The bot on several shards, or on some of a bot's shards. Discord sends a server's events over one of them."""

import asyncio
import logging
import math
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
from discord.http import Route

from gipfbot.installation import USER_AGENT
from gipfbot.service.app import App
from gipfbot.values import DatabaseTrouble, Shards

from .bot import GipfBot
from .kit.discord_internals import Reconnects, ShardedClient

log = logging.getLogger(__name__)
ADVICE_SECONDS = 3
ADVICE_PAUSES = (1.0, 2.0, 4.0)  # seconds before the next try
NO_ANSWER = (aiohttp.ClientError, OSError, TimeoutError)
PASSING, SERVER_ERRORS = (403, 429), 500  # Discord forbids nobody to ask: it blocks, and says so of every request
GATEWAY_SECONDS = 30  # for the first connection to the gateway
AGAIN_SECONDS = 2  # until the database is asked again for a turn to identify
EARLY_SECONDS = 10  # a shard connects at most so early, because discord.py does not read a connection that waits
LATE_SECONDS = 1  # a shard may still identify so long after its turn


class GatewayAdvice(NamedTuple):
    """Discord's advice for a bot: how many shards it should have, and how many may identify at once."""

    shards: int = 1
    at_once: int = 1


SMALL_BOT = GatewayAdvice()


async def ask_gateway(token: str) -> GatewayAdvice:
    """Ask Discord about the shards of a bot. If it refuses, return the advice for small bots: the login says why.

    Tries several times. Raises one of NO_ANSWER if Discord cannot be reached or is overloaded, because a large bot must
    not start like a small one.
    """
    for pause in ADVICE_PAUSES:
        with suppress(*NO_ANSWER):
            return await _ask_once(token)
        await asyncio.sleep(pause)
    return await _ask_once(token)


async def _ask_once(token: str) -> GatewayAdvice:
    headers = {"Authorization": f"Bot {token}", "User-Agent": USER_AGENT}
    limit = aiohttp.ClientTimeout(ADVICE_SECONDS)
    async with (
        aiohttp.ClientSession(headers=headers, timeout=limit) as session,
        session.get(f"{Route.BASE}/gateway/bot") as answer,
    ):
        if answer.status in PASSING or answer.status >= SERVER_ERRORS:
            answer.raise_for_status()
        try:
            said = await answer.json()
            return GatewayAdvice(int(said["shards"]), int(said["session_start_limit"]["max_concurrency"]))
        except (aiohttp.ContentTypeError, ValueError, KeyError, TypeError):
            return SMALL_BOT


class ShardedBot(GipfBot, ShardedClient):
    """The bot on some shards. It counts as connected while all of them are.

    `at_once` is how many shards of the bot may identify at once, in all processes together.
    """

    def __init__(
        self, app: App, shards: Shards, at_once: int = 1, heartbeat: Path | None = None, owner: int | None = None
    ) -> None:
        super().__init__(app, heartbeat, owner, shards)
        self._at_once, self._live = at_once, set[int]()
        self._turns = dict[int, float]()  # turns of the shards that wait or connect, by the clock of the event loop
        self._reconnects = Reconnects(self._wait_for_turn)

    async def launch_shard(self, gateway: Any, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard for the first time. Raises one of NO_ANSWER if the first shard cannot reach the gateway.

        discord.py itself would try again without end, each time with a traceback.
        """
        if initial:
            async with asyncio.timeout(GATEWAY_SECONDS):
                await (await self.http.ws_connect(str(gateway))).close()
        await self._wait_for_turn(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    @property
    def shards_connected(self) -> int:
        """How many shards of this process are connected to Discord's gateway."""
        return len(self._live)

    def _note_shards(self) -> None:
        self.connected = self.is_ready() and len(self._live) == len(self.shard_ids or ())

    async def on_ready(self) -> None:
        """Record which servers the bot is on, once all shards are connected."""
        await super().on_ready()
        self._note_shards()

    async def on_shard_ready(self, shard: int) -> None:
        """Record that a shard is connected with a new session, and which servers the bot is on."""
        self._live.add(shard)
        if self.is_ready():
            await super().on_ready()
        self._note_shards()

    async def on_shard_resumed(self, shard: int) -> None:
        """Record that a shard is connected again."""
        self._live.add(shard)
        self._note_shards()

    async def on_shard_disconnect(self, shard: int) -> None:
        """Record that a shard has lost its connection."""
        self._live.discard(shard)
        self._note_shards()

    async def on_resumed(self) -> None:
        """Do nothing: the event of the shard says more."""

    async def on_disconnect(self) -> None:
        """Do nothing: the event of the shard says more."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a shard's turn to identify. The turns are shared by all processes.

        discord.py calls this before each IDENTIFY. Raises TimeoutError if a shard has missed its turn and the next one
        is far off. The shard then connects again.
        """
        shard = shard_id or 0
        wait = self._turns.pop(shard, -math.inf) - self.loop.time()
        if wait < -LATE_SECONDS:
            wait = await self._reserve_turn(shard)
        if wait > EARLY_SECONDS:
            raise TimeoutError(f"shard {shard} may identify in {wait:.0f} s only")
        await asyncio.sleep(max(0, wait))

    async def _wait_for_turn(self, shard: int) -> None:
        """Wait until a shard should connect: shortly before it may identify."""
        wait = await self._reserve_turn(shard)
        self._turns[shard] = self.loop.time() + wait
        await asyncio.sleep(max(0, wait - EARLY_SECONDS))

    async def _reserve_turn(self, shard: int) -> int:
        """Return in how many seconds a shard may identify. Waits for the database."""
        while True:
            with suppress(DatabaseTrouble):  # the store has logged it
                return await self.app.identify_turns.reserve(shard, self._at_once)
            await asyncio.sleep(AGAIN_SECONDS)

    async def close(self) -> None:
        """Let no shard connect any more, and disconnect."""
        self._reconnects.stop()
        await super().close()
