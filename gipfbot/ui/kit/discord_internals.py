"""The private parts of discord.py that the bot uses: check each of them before an update.

A test finds those that stand elsewhere, and fails for another version than the one that was read.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands
from discord.shard import EventItem, EventType
from discord.state import AutoShardedConnectionState

READ_IN = {"discord.py": "2.7.1"}


def end_global_limit(client: discord.Client) -> None:
    """Release all requests that wait for the end of Discord's global rate limit."""
    client.http._global_over.set()


async def fetch_whole_guild(client: discord.Client, server: int, person: int) -> discord.Guild:
    """Ask Discord for a server, with its channels, its active threads and one member.

    Raises discord.HTTPException if Discord cannot tell.
    """
    guild = await client.fetch_guild(server, with_counts=False)
    for channel in await guild.fetch_channels():
        guild._add_channel(channel)
    guild._add_member(await guild.fetch_member(person))
    for thread in await guild.active_threads():
        guild._add_thread(thread)
    return guild


async def send_suggestions(
    interaction: discord.Interaction[Any], command: app_commands.Command[Any, ..., Any], option: str
) -> None:
    """Suggest values for the option into which a person types. Raises what discord.py would log with a traceback."""
    await command._invoke_autocomplete(interaction, option, interaction.namespace)


def last_acknowledged(bot: discord.Client) -> float | None:
    """Return when Discord last answered a heartbeat, by `perf_counter`; None if discord.py does not know.

    With several shards, return the earliest of these moments.
    """
    keepers = [getattr(socket, "_keep_alive", None) for socket in _sockets(bot)]
    found: list[float] = [moment for keeper in keepers if (moment := getattr(keeper, "_last_ack", None)) is not None]
    return min(found, default=None)


def _sockets(bot: discord.Client) -> list[object]:
    """Return the connections to the gateway, one for each shard."""
    if isinstance(bot, discord.AutoShardedClient):
        return [shard._parent.ws for shard in bot.shards.values()]
    return [getattr(bot, "ws", None)]


class ShardedState(AutoShardedConnectionState[Any]):
    """The state that discord.py keeps of all servers."""

    def parse_ready(self, data: Any) -> None:
        """Begin a new session of a shard. Forget its servers that have removed the bot, as discord.py's Client does."""
        stay = {int(guild["id"]) for guild in data["guilds"]}
        for guild in [*self.guilds]:
            if guild.shard_id == data["shard"][0] and guild.id not in stay:
                self._remove_guild(guild)
        super().parse_ready(data)


class Reconnects(asyncio.PriorityQueue[EventItem]):
    """The queue of events that discord.py handles for its shards, one after the other.

    A shard that needs a new session joins the queue only when it is its turn. So shards that resume a session never
    wait for it. `wait_for_turn` is called with the number of the shard.
    """

    def __init__(self, wait_for_turn: Callable[[int], Awaitable[None]]) -> None:
        super().__init__()
        self._wait_for_turn = wait_for_turn
        self._waiting = set[asyncio.Task[None]]()

    def put_nowait(self, item: EventItem) -> None:
        """Put an event into the queue, at once or when it is the turn of its shard."""
        if item.shard is None or item.type not in (EventType.identify, EventType.reconnect):
            super().put_nowait(item)
            return
        task = asyncio.create_task(self._put_in_turn(item, item.shard.id), name=f"shard {item.shard.id}")
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _put_in_turn(self, item: EventItem, shard: int) -> None:
        with suppress(Exception):  # `before_identify_hook` meets the error again, and discord.py ends the bot with it
            await self._wait_for_turn(shard)
        super().put_nowait(item)

    def stop(self) -> None:
        """Let no shard join the queue any more."""
        for task in self._waiting:
            task.cancel()


class ShardedClient(discord.AutoShardedClient):
    """A client on some shards, whose state is a `ShardedState`. `_reconnects` must be set before the login."""

    _reconnects: Reconnects

    def _get_state(self, **options: Any) -> ShardedState:
        known = {"dispatch": self.dispatch, "handlers": self._handlers, "hooks": self._hooks, "http": self.http}
        return ShardedState(**known, **options)

    async def _async_setup_hook(self) -> None:
        await super()._async_setup_hook()
        self._AutoShardedClient__queue = self._reconnects
