"""Digests: one direct message a day, at an hour of a person's own, on all games that wait for him.

A single reminder of a turn waits for the digest that comes before the time for it is over, and then is needless.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gipfbot.match import Refused, Why
from gipfbot.service.kit.batches import for_each
from gipfbot.service.settings.servers import vacation_ends
from gipfbot.store import Connection, DueRow, GameBrief, OutboxRow, Store, due, game_lists, games, outbox, users

from .timezones import ZONES, find_zone, next_hour_in_zone

DIGEST = "digest"  # a direct message
HOUR_SETTING, ZONE_SETTING = "digest", "zone"  # settings
DIGEST_HOURS = range(24)
DIGEST_WINDOW = 2 * 3600  # seconds after its hour in which a digest is sent, or not at all


@dataclass(frozen=True)
class DigestPlan:
    """When a person gets his digest: the hour and the zone as he has set them, and the moment of the next one."""

    hour: int | None = None
    zone: str | None = None
    next_at: int | None = None


class Digests:
    """Everybody's digests. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def plan(self, user: int) -> DigestPlan:
        """Return what a person has set."""
        async with self.store.reading() as db:
            return await digest_plan(db, user)

    async def set_plan(self, user: int, hour: int | None = None, zone: str | None = None) -> DigestPlan:
        """Return when a person gets his digest from now on; what is None stays as it is. None comes without a zone.

        Raises Refused, and changes nothing then, where there is no such hour or zone.
        """
        if hour is not None and hour not in DIGEST_HOURS:
            raise Refused(Why.NOT_OFFERED, option="digest", value=hour)
        wanted = {HOUR_SETTING: hour, ZONE_SETTING: zone and find_zone(zone)}
        async with self.store.transaction() as db:
            for key, value in wanted.items():
                if value is not None:
                    await users.set_setting(db, user, key, value)
            return await self._reschedule(db, user)

    async def turn_off(self, user: int) -> None:
        """Note that a person wants no digest."""
        async with self.store.transaction() as db:
            await users.set_setting(db, user, HOUR_SETTING, None)
            await self._reschedule(db, user)

    async def _reschedule(self, db: Connection, user: int) -> DigestPlan:
        known = await digest_plan(db, user)
        await due.unschedule(db, _digest_key(user))
        if known.hour is not None and known.zone:
            await due.schedule(
                db, _digest_key(user), DIGEST, next_hour_in_zone(known.zone, known.hour, self.now()), user
            )
        return await digest_plan(db, user)

    async def owe_due_digests(self) -> None:
        """Owe the digests whose hour has come, where there is anything to tell."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, DIGEST, self.now())
        await for_each(self.store, late, self._owe_digest)

    async def _owe_digest(self, db: Connection, row: DueRow) -> None:
        known = await digest_plan(db, row.user)
        if known.hour is None or not known.zone:
            await due.unschedule(db, row.key)
            return
        again = next_hour_in_zone(known.zone, known.hour, self.now())
        if not await due.reschedule(db, row.id, self.now(), again) or await users.dms_shut(db, row.user):
            return
        if listed := await _games_for_digest(db, row.user):
            payload = {"at": row.at, "games": [brief.id for brief in listed]}
            await outbox.owe(db, f"{row.key}:{row.at}", DIGEST, row.user, payload, self.now())

    async def games_to_list(self, owed: OutboxRow) -> list[GameBrief]:
        """Return what is to be told in a digest that is owed; nothing where it is too late, or no longer wanted."""
        if self.now() - owed.payload["at"] > DIGEST_WINDOW:
            return []
        async with self.store.reading() as db:
            return await _games_for_digest(db, owed.channel) if (await digest_plan(db, owed.channel)).next_at else []


async def digest_plan(db: Connection, user: int) -> DigestPlan:
    """Return when a person gets the digest."""
    known = await users.settings_of_user(db, user)
    hour, zone = known.get(HOUR_SETTING), known.get(ZONE_SETTING)
    # What an earlier version of the bot, or of the zones, knew and this one does not is passed over.
    hour, zone = hour if hour in DIGEST_HOURS else None, zone if zone in ZONES else None
    return DigestPlan(hour, zone, await due.scheduled_for(db, _digest_key(user)))


async def _games_for_digest(db: Connection, user: int) -> list[GameBrief]:
    """Return the games that wait for a person, but for those he wants no reminders of, or in which his clock stands."""
    waiting, quiet = await game_lists.waiting_games(db, user), await users.quiet_games(db, user)
    servers = {brief.venue.server for brief in waiting}
    rests = {server for server in servers if await vacation_ends(db, [user], server)}
    return [brief for brief in waiting if brief.id not in quiet and brief.venue.server not in rests]


async def hasten_digests(store: Store, now: int) -> None:
    """Let each digest come at its next hour, if it was planned for a later one by a clock that was wrong."""
    async with store.reading() as db:
        planned = await due.unfinished_rows(db, DIGEST)

    async def hasten(db: Connection, row: DueRow) -> None:
        known = await digest_plan(db, row.user)
        if known.hour is not None and known.zone:
            await due.postpone(db, row.key, min(row.at, next_hour_in_zone(known.zone, known.hour, now)))

    await for_each(store, planned, hasten)


async def digest_wait_until(db: Connection, user: int, deadline: int | None) -> int | None:
    """Return until when a single reminder waits for the digest before a deadline, None where none comes in time."""
    at = await due.scheduled_for(db, _digest_key(user))
    if at is None or deadline is None or await users.dms_shut(db, user):
        return None
    return at + DIGEST_WINDOW if at + DIGEST_WINDOW < deadline else None


async def was_named_in_digest(db: Connection, reminder: DueRow, game: int, now: int) -> bool:
    """Return whether a digest that was sent makes a reminder of a turn needless: one in this turn, which named it.

    It is the one that the reminder has waited for, or one sent shortly before it, whatever its hour was then.
    """
    since, key = max(await games.waiting_since(db, game), reminder.at - DIGEST_WINDOW), _digest_key(reminder.user)
    # Times have ten digits until 2286, so these keys sort as they do; the key's own index finds them.
    sent = await outbox.payloads_posted_since(db, f"{key}:{since - DIGEST_WINDOW}", f"{key}:{now}", since)
    return any(game in payload.get("games", (game,)) for payload in sent)


def _digest_key(user: int) -> str:
    return f"{DIGEST}:{user}"
