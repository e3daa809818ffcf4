"""Digests: one direct message a day about all games that wait for a person, at their hour in their time zone.

If a digest is planned for well before the deadline of a turn, the reminder of that turn waits for the digest. Once the
digest has named the game, the reminder is not sent.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gipfbot.match import Refused, Why
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.service.settings.vacation_days import vacation_end_in_game
from gipfbot.store import Connection, Store, clocks, due, game_lists, games, outbox, users
from gipfbot.values import DueRow, GameBrief, OutboxRow

from .zones import find_zone, is_zone, next_hour_in_zone

DIGEST = MessageKind("digest", "daily digest", direct=True)  # and the kind of a due row
HOUR_SETTING, ZONE_SETTING = "digest", "zone"  # keys of a person's settings
DIGEST_HOURS = range(24)
DIGEST_WINDOW = 2 * 3600  # seconds; a digest that is later than this is not sent


@dataclass(frozen=True)
class DigestPlan:
    """The hour and the time zone that a person has set for their digest, and the time of the next digest.

    `hour` and `zone` are None if they are not set. `next_at` is in UTC seconds, or None if no digest is planned.
    """

    hour: int | None = None
    zone: str | None = None
    next_at: int | None = None


class Digests:
    """Operations on digests. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def plan(self, user: int) -> DigestPlan:
        """Return the plan of a person's digest."""
        async with self.store.reading() as db:
            return await digest_plan(db, user)

    async def set_plan(self, user: int, hour: int | None = None, zone: str | None = None) -> DigestPlan:
        """Set the hour and the time zone of a person's digest, and return the new plan. None keeps the current value.

        No digest comes until both are set. Raises Refused, and changes nothing, if the hour or the zone does not exist.
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
        """Turn a person's digest off."""
        async with self.store.transaction() as db:
            await users.set_setting(db, user, HOUR_SETTING, None)
            await self._reschedule(db, user)

    async def _reschedule(self, db: Connection, user: int) -> DigestPlan:
        plan = await digest_plan(db, user)
        await due.unschedule(db, _digest_key(user))
        if plan.hour is not None and plan.zone:
            next_at = next_hour_in_zone(plan.zone, plan.hour, self.now())
            await due.schedule(db, _digest_key(user), DIGEST, next_at, user)
        return await digest_plan(db, user)

    async def owe_due_digests(self) -> None:
        """Queue the digests whose hour has come, and plan the next ones.

        No digest is queued for a person who accepts no direct messages, or who has no game to list.
        """
        async with self.store.reading() as db:
            late = await due.ready_rows(db, DIGEST, self.now())
        await for_each(self.store, late, self._owe_digest, due.lock_tasks)

    async def _owe_digest(self, db: Connection, row: DueRow) -> None:
        plan = await digest_plan(db, row.user)
        if plan.hour is None or not plan.zone:
            await due.unschedule(db, row.key)
            return
        next_at = next_hour_in_zone(plan.zone, plan.hour, self.now())
        is_due = await due.reschedule(db, row.id, self.now(), next_at)
        if not is_due or await users.dms_shut(db, row.user, self.now()):
            return
        if listed := await _games_for_digest(db, row.user, self.now()):
            payload = {"at": row.at, "games": [brief.id for brief in listed]}
            await outbox.owe(db, f"{row.key}:{row.at}", DIGEST, row.user, payload, self.now())

    async def games_to_list(self, owed: OutboxRow) -> list[GameBrief]:
        """Return the games that a queued digest lists. Empty if the digest is too late or no longer wanted."""
        if self.now() - owed.payload["at"] > DIGEST_WINDOW:
            return []
        async with self.store.reading() as db:
            wanted = (await digest_plan(db, owed.channel)).next_at
            return await _games_for_digest(db, owed.channel, self.now()) if wanted else []


async def digest_plan(db: Connection, user: int) -> DigestPlan:
    """Return the plan of a person's digest."""
    settings = await users.settings_of_user(db, user)
    hour, zone = settings.get(HOUR_SETTING), settings.get(ZONE_SETTING)
    # Another version of the bot, or of the zones, may have stored values that are unknown here.
    hour, zone = hour if hour in DIGEST_HOURS else None, zone if is_zone(zone) else None
    return DigestPlan(hour, zone, await due.scheduled_for(db, _digest_key(user)))


async def _games_for_digest(db: Connection, user: int, now: int) -> list[GameBrief]:
    """Return the games that wait for a person, except games whose reminder is off or that a vacation pauses."""
    waiting, quiet = await game_lists.waiting_games(db, user), await users.quiet_games(db, user)
    known = await clocks.vacations_since(db, user, 0)
    away = {brief.id for brief in waiting if vacation_end_in_game(brief.vacation, known, now)}
    return [brief for brief in waiting if brief.id not in quiet and brief.id not in away]


async def hasten_digests(store: Store, now: int) -> None:
    """Move each digest that is planned too late to the next occurrence of its hour.

    A digest can be planned too late because the host's clock was wrong.
    """
    async with store.reading() as db:
        rows = await due.unfinished_rows(db, DIGEST)

    async def hasten(db: Connection, row: DueRow) -> None:
        plan = await digest_plan(db, row.user)
        if plan.hour is not None and plan.zone:
            await due.postpone(db, row.key, min(row.at, next_hour_in_zone(plan.zone, plan.hour, now)))

    await for_each(store, rows, hasten)


async def digest_wait_until(db: Connection, user: int, deadline: int | None, now: int) -> int | None:
    """Return the time until which the reminder of a turn waits for a digest, in UTC seconds; None if it does not wait.

    The time is DIGEST_WINDOW after the planned digest. The reminder does not wait if this time is not before
    `deadline`, the end of the turn's time. It also does not wait if the turn has no deadline, if no digest is planned,
    or if the person accepts no direct messages.
    """
    at = None if deadline is None else await next_digest(db, user, now)
    return at + DIGEST_WINDOW if at and deadline and at + DIGEST_WINDOW < deadline else None


async def next_digest(db: Connection, user: int, now: int) -> int | None:
    """Return when a person's next digest comes. None if none is planned, or if they accept no direct messages now."""
    at = await due.scheduled_for(db, _digest_key(user))
    return None if at is None or await users.dms_shut(db, user, now) else at


async def was_named_in_digest(db: Connection, reminder: DueRow, game: int, now: int) -> bool:
    """Return whether a digest has named a game in its current turn, so that the turn's `reminder` is needless.

    Ignores digests posted more than DIGEST_WINDOW before the reminder is due.
    """
    since, key = max(await games.waiting_since(db, game), reminder.at - DIGEST_WINDOW), _digest_key(reminder.user)
    # Times have ten digits until 2286, so the keys sort as the times do, and the index on keys can be used.
    sent = await outbox.payloads_posted_since(db, f"{key}:{since - DIGEST_WINDOW}", f"{key}:{now}", since)
    return any(game in payload["games"] for payload in sent)


def _digest_key(user: int) -> str:
    return f"{DIGEST}:{user}"
