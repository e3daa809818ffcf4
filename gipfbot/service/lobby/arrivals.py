"""The bot's arrival on servers, where it is owed one welcome, and its removal from them."""

from collections.abc import Callable, Collection, Mapping, Sequence

from gipfbot.match import DAY
from gipfbot.service.clock.undeliverable import RETRY
from gipfbot.service.kit.message_kinds import MessageKind, lease_for_caller
from gipfbot.store import Connection, Store, due, games, outbox, servers, timelines
from gipfbot.values import OutboxRow

WELCOME = MessageKind("welcome", "welcome")
WELCOME_WITHIN = DAY  # seconds after the bot has joined; later nobody is greeted
REMOVED = "the bot was removed from the server"


class Arrivals:
    """Arrivals on servers, and departures. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def new_servers(self, joined: Mapping[int, int]) -> list[int]:
        """Return the servers whose arrival is not noted yet. `joined` says when the bot joined each, by server."""
        async with self.store.reading() as db:
            known = await servers.present_servers(db)
        return [server for server, at in joined.items() if known.get(server) != at]

    async def count_servers(self) -> int:
        """Return on how many servers the bot is, whichever process has their shards."""
        async with self.store.reading() as db:
            return await servers.count_present_servers(db)

    async def note_arrival(self, server: int, joined_at: int, channels: Sequence[int]) -> tuple[OutboxRow, ...]:
        """Note that the bot joined a server at this time, and queue its welcome to the first of `channels`.

        If a channel refuses the welcome, the next one gets it. Nothing is queued for an arrival that is noted already
        or longer ago than WELCOME_WITHIN. Games that became unreachable when the bot was removed are reachable again.
        Boards that were refused meanwhile are tried again in the next sweep. If the bot joined in a time that a restore
        has lost, it has welcomed the server already. Return the outbox rows that the caller has to deliver.
        """
        async with self.store.transaction() as db:
            if await servers.was_joined_at(db, server, joined_at):
                return ()
            await servers.save_arrival(db, server, joined_at)
            await games.set_server_reachable(db, server, REMOVED)
            await due.hasten_on_server(db, RETRY, server, self.now())
            was_welcomed = timelines.is_in_lost_time(await timelines.lost_times(db), joined_at)
            if not channels or was_welcomed or self.now() - joined_at > WELCOME_WITHIN:
                return ()
            row = await _owe_welcome(db, server, joined_at, channels, self.now())
            return await lease_for_caller(db, row, self.now())

    async def note_departure(self, server: int) -> None:
        """Note that the bot was removed from a server. The running games there become unreachable."""
        async with self.store.transaction() as db:
            await servers.save_departure(db, server, self.now())
            await games.set_server_unreachable(db, server, REMOVED)

    async def note_departures(self, present: Collection[int]) -> None:
        """Note that the bot was removed from all servers of this process that are not in `present`."""
        async with self.store.reading() as db:
            left = (await servers.present_servers(db)).keys() - present
        shards = self.store.shards
        for server in [server for server in left if shards is None or shards.has_server(server)]:
            await self.note_departure(server)

    async def is_welcome_due(self, owed: OutboxRow) -> bool:
        """Return whether the bot is still on the server since the arrival for which a welcome is owed."""
        async with self.store.reading() as db:
            return await servers.was_joined_at(db, owed.payload["server"], owed.payload["joined_at"])


async def _owe_welcome(db: Connection, server: int, joined_at: int, channels: Sequence[int], now: int) -> int:
    """Queue a welcome to the first of `channels`; the payload holds the others. Return the id of its row."""
    first, *others = channels
    payload = {"server": server, "joined_at": joined_at, "others": others}
    return await outbox.owe(db, f"{WELCOME}:{server}:{joined_at}:{first}", WELCOME, first, payload, now)


@WELCOME.when_dropped
async def try_next_channel(db: Connection, owed: OutboxRow, now: int) -> None:
    """Queue a welcome that a channel refused to the next channel, if there is another."""
    server, joined_at, others = (owed.payload[name] for name in ("server", "joined_at", "others"))
    if others and await servers.was_joined_at(db, server, joined_at):
        await _owe_welcome(db, server, joined_at, others, now)
