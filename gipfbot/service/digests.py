"""Digests: one direct message a day, at an hour of a person's own, on all games that wait for him.

A single reminder of a turn waits for the digest that comes before the time for it is over, and then is needless.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gipfbot.match import Refused, Why
from gipfbot.store import Brief, Connection, Due, Owed, Store, due, games, outbox, users

from .batches import each
from .servers import away
from .zones import ZONES, next_time, zone_named

DIGEST = "digest"  # a direct message
HOUR, ZONE = "digest", "zone"  # settings
HOURS = range(24)
WITHIN = 2 * 3600  # seconds after its hour in which a digest is sent, or not at all


@dataclass(frozen=True)
class Plan:
    """When a person gets his digest: the hour and the zone as he has set them, and the moment of the next one."""

    hour: int | None = None
    zone: str | None = None
    next: int | None = None


class Digests:
    """Everybody's digests. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def plan(self, user: int) -> Plan:
        """Return what a person has set."""
        async with self.store.reading() as db:
            return await _plan(db, user)

    async def choose(self, user: int, hour: int | None = None, zone: str | None = None) -> Plan:
        """Return when a person gets his digest from now on; what is None stays as it is. None comes without a zone.

        Raises Refused, and changes nothing then, where there is no such hour or zone.
        """
        if hour is not None and hour not in HOURS:
            raise Refused(Why.NOT_OFFERED, option="digest", value=hour)
        wanted = {HOUR: hour, ZONE: zone and zone_named(zone)}
        async with self.store.transaction() as db:
            for key, value in wanted.items():
                if value is not None:
                    await users.set_setting(db, user, key, value)
            return await self._write(db, user)

    async def off(self, user: int) -> None:
        """Note that a person wants no digest."""
        async with self.store.transaction() as db:
            await users.set_setting(db, user, HOUR, None)
            await self._write(db, user)

    async def _write(self, db: Connection, user: int) -> Plan:
        known = await _plan(db, user)
        await due.cancel(db, _key(user))
        if known.hour is not None and known.zone:
            await due.put(db, _key(user), DIGEST, next_time(known.zone, known.hour, self.now()), user)
        return await _plan(db, user)

    async def owe(self) -> None:
        """Owe the digests whose hour has come, where there is anything to tell."""
        async with self.store.reading() as db:
            late = await due.ready(db, DIGEST, self.now())
        await each(self.store, late, self._owe)

    async def _owe(self, db: Connection, row: Due) -> None:
        known = await _plan(db, row.user)
        if known.hour is None or not known.zone:
            await due.cancel(db, row.key)
            return
        again = next_time(known.zone, known.hour, self.now())
        if not await due.repeat(db, row.id, self.now(), again) or await users.dms_shut(db, row.user):
            return
        if listed := await _listed(db, row.user):
            payload = {"at": row.at, "games": [brief.id for brief in listed]}
            await outbox.owe(db, f"{row.key}:{row.at}", DIGEST, row.user, payload, self.now())

    async def fresh(self, owed: Owed) -> list[Brief]:
        """Return what is to be told in a digest that is owed; nothing where it is too late, or no longer wanted."""
        if self.now() - owed.payload["at"] > WITHIN:
            return []
        async with self.store.reading() as db:
            return await _listed(db, owed.channel) if (await _plan(db, owed.channel)).next else []


async def _plan(db: Connection, user: int) -> Plan:
    known = await users.settings(db, user)
    hour, zone = known.get(HOUR), known.get(ZONE)
    # What an earlier version of the bot, or of the zones, knew and this one does not is passed over.
    hour, zone = hour if hour in HOURS else None, zone if zone in ZONES else None
    return Plan(hour, zone, await due.open_until(db, _key(user)))


async def _listed(db: Connection, user: int) -> list[Brief]:
    """Return the games that wait for a person, but for those he wants no reminders of, or in which his clock stands."""
    waiting, quiet = await games.waiting_games(db, user), await users.quiet_games(db, user)
    servers = {brief.home.server for brief in waiting}
    rests = {server for server in servers if await away(db, [user], server)}
    return [brief for brief in waiting if brief.id not in quiet and brief.home.server not in rests]


async def come_no_later(store: Store, now: int) -> None:
    """Let each digest come at its next hour, if it was planned for a later one by a clock that was wrong."""
    async with store.reading() as db:
        planned = await due.waiting(db, DIGEST)

    async def hasten(db: Connection, row: Due) -> None:
        known = await _plan(db, row.user)
        if known.hour is not None and known.zone:
            await due.put_off(db, row.key, min(row.at, next_time(known.zone, known.hour, now)))

    await each(store, planned, hasten)


async def covers(db: Connection, user: int, deadline: int | None) -> int | None:
    """Return until when a single reminder waits for the digest before a deadline, None where none comes in time."""
    at = await due.open_until(db, _key(user))
    if at is None or deadline is None or await users.dms_shut(db, user):
        return None
    return at + WITHIN if at + WITHIN < deadline else None


async def told(db: Connection, reminder: Due, game: int, now: int) -> bool:
    """Return whether a digest that was sent makes a reminder of a turn needless: one in this turn, which named it.

    It is the one that the reminder has waited for, or one sent shortly before it, whatever its hour was then.
    """
    since, key = max(await games.waiting_since(db, game), reminder.at - WITHIN), _key(reminder.user)
    # Times have ten digits until 2286, so these keys sort as they do; the key's own index finds them.
    sent = await outbox.posted_since(db, f"{key}:{since - WITHIN}", f"{key}:{now}", since)
    return any(game in payload.get("games", (game,)) for payload in sent)


def _key(user: int) -> str:
    return f"{DIGEST}:{user}"
