"""The timelines of the database. An older copy in its place begins a new timeline. No id is given out twice.

The table `meta` holds the present timeline, the times that are lost, and who has asked to be deleted lately. People are
stored as salted hashes, so the list alone does not reveal their ids.
"""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from sqlalchemy import exists, select, union

from gipfbot.match import DAY
from gipfbot.values import THREAD

from . import due as due_tasks, meta
from .backends import backend_of
from .column_info import columns_with_people
from .database import Connection, shards_of
from .tables import games, metadata, outbox
from .timeline_file import COPY_KEY, CopyNote, Forgotten, parse_copy_note

TIMELINE_KEY, LOST_KEY, DELETED_KEY = "timeline", "lost_times", "asked_deletions"
FORMER_KEY, MOVED_KEY = "former_timelines", "moved_at"
FILE_KEY = "timeline_file:"  # followed by shards, the key of the timeline in which their process last wrote its file
RENEWED = "requests_to_renew"  # the key of the rows of the outbox whose messages may have lost their buttons
RESTORE_NEWS = "restore_news"  # the key and the kind of the task to tell the players, and the key of its data
# The key that stands for a check of what was restored: the value is empty until it is done, then what differs, as JSON.
CHECK_KEY = "restored_check"
UNKNOWN_GAP = 10_000  # ids skipped if nobody knows how many were given out in the lost time
REMEMBERED_SECONDS = 90 * DAY  # a deletion is repeated if a backup comes back within this time
LostTime: TypeAlias = tuple[int, int]  # a pair of moments: the last one of a backup, and its restore


@dataclass(frozen=True)
class Timeline:
    """The present timeline of the database."""

    token: str  # random
    heartbeats: int  # how often the timeline file was written
    alive_at: int  # when the file was last written, in UTC seconds
    # The token in the earlier timeline file, until a new file replaces it; empty if there is none.
    instead_of: str | None


def new_timeline(now: int, instead_of: str = "") -> Timeline:
    """Return a timeline that begins now."""
    return Timeline(secrets.token_hex(8), 0, now, instead_of)


async def load_timeline(db: Connection) -> Timeline | None:
    """Return the present timeline of the database; None if there is none yet."""
    return parse_timeline(await meta.load_value(db, TIMELINE_KEY))


async def lock_timeline(db: Connection) -> Timeline | None:
    """Do what `load_timeline` does. Until the transaction ends, no other one can lock or change the timeline."""
    return parse_timeline(await meta.lock_value(db, TIMELINE_KEY))


def parse_timeline(known: str | None) -> Timeline | None:
    """Parse a timeline as `meta` holds it; None if there is none."""
    return Timeline(**json.loads(known)) if known else None


async def save_timeline(db: Connection, timeline: Timeline) -> None:
    """Save the present timeline of the database."""
    await meta.save_value(db, TIMELINE_KEY, json.dumps(asdict(timeline)))


async def former_timelines(db: Connection) -> set[str]:
    """Return the tokens of the timelines that have ended because a backup was restored."""
    return set(json.loads(await meta.load_value(db, FORMER_KEY) or "[]"))


async def add_former_timelines(db: Connection, tokens: Collection[str]) -> None:
    """Note the tokens of timelines that have ended."""
    await meta.save_value(db, FORMER_KEY, json.dumps(sorted({*await former_timelines(db), *tokens})))


async def moved_at(db: Connection) -> int:
    """Return when `copy` made this database from another, in UTC seconds; 0 if it did not."""
    return int(await meta.load_value(db, MOVED_KEY) or 0)


async def note_move(db: Connection, now: int) -> None:
    """Note that `copy` made this database from another, so that earlier timeline files say nothing about it."""
    await meta.save_value(db, MOVED_KEY, str(now))


async def has_written_file(db: Connection, timeline: Timeline) -> bool:
    """Return whether this process has written its timeline file in this timeline, as far as the database knows.

    A process that runs all shards notes nothing. For such a process, return whether no other process has noted a file.
    """
    written, shards = await meta.keys_with_value(db, FILE_KEY, timeline.token), shards_of(db)
    return f"{FILE_KEY}{shards}" in written if shards else not written


async def note_written_file(db: Connection, timeline: Timeline) -> None:
    """Note that this process has written its file in this timeline. A process of all shards only deletes such notes."""
    if shards := shards_of(db):
        await meta.save_value(db, f"{FILE_KEY}{shards}", timeline.token)
    else:
        await meta.forget_values(db, FILE_KEY)


async def last_ids(db: Connection) -> dict[str, int]:
    """Return the last id that was given out, by table, for the tables that never reuse ids."""
    found, numbered = await backend_of(db).last_ids(db), numbered_tables()
    return {table: last for table, last in found.items() if table in numbered}


async def raise_ids(db: Connection, known: Mapping[str, int] | None, margin: int = 0) -> None:
    """Make the next ids follow those that were given out in the lost time.

    `known` are the last known ids, by table; up to `margin` more were given out. If `known` is None, skip UNKNOWN_GAP
    ids.
    """
    here = await last_ids(db)
    for table in numbered_tables():
        last = here.get(table, 0)
        wanted = last + UNKNOWN_GAP if known is None else max(last, known.get(table, 0) + margin)
        await backend_of(db).set_last_id(db, table, wanted)


def numbered_tables() -> list[str]:
    """Return the names of the tables that never reuse ids."""
    return [table.name for table in metadata.sorted_tables if table.dialect_options["sqlite"]["autoincrement"]]


async def lost_times(db: Connection) -> list[LostTime]:
    """Return the times that are lost because a backup was restored, the oldest first."""
    known = await meta.load_value(db, LOST_KEY)
    return [(since, until) for since, until in json.loads(known or "[]")]


def is_in_lost_time(lost: Collection[LostTime], moment: float) -> bool:
    """Return whether a moment, in UTC seconds, lies in one of these times, including its last second."""
    return any(since <= moment < until + 1 for since, until in lost)


async def add_lost_time(db: Connection, since: int, until: int) -> None:
    """Note that everything between two moments is lost."""
    await meta.save_value(db, LOST_KEY, json.dumps([*await lost_times(db), (since, until)]))


async def asked_deletions(db: Connection) -> list[Forgotten]:
    """Return the remembered requests of people for the deletion of their data."""
    return parse_deletions(await meta.load_value(db, DELETED_KEY))


def parse_deletions(known: str | None) -> list[Forgotten]:
    """Parse the remembered deletion requests as `meta` holds them."""
    return [(salt, digest, at) for salt, digest, at in json.loads(known or "[]")]


async def timeline_and_deletions(db: Connection) -> tuple[Timeline | None, list[Forgotten]]:
    """Return what `load_timeline` and `asked_deletions` do, by one query."""
    known = await meta.load_values(db, (TIMELINE_KEY, DELETED_KEY))
    return parse_timeline(known.get(TIMELINE_KEY)), parse_deletions(known.get(DELETED_KEY))


async def save_deletions(db: Connection, asked: Iterable[Forgotten], now: int) -> None:
    """Save deletion requests. Those older than REMEMBERED_SECONDS are forgotten."""
    lately = sorted({each for each in asked if each[2] > now - REMEMBERED_SECONDS}, key=lambda each: each[2])
    await meta.save_value(db, DELETED_KEY, json.dumps(lately))


async def remember_deletion(db: Connection, user: int, now: int) -> None:
    """Remember for some time that a person has asked for the deletion of their data. Only their last request counts."""
    known = await asked_deletions(db)
    before = [each for each in known if _is_person(each, user)]
    salt = before[0][0] if before else secrets.token_hex(8)
    await save_deletions(db, [*({*known} - {*before}), (salt, _hash_person(salt, user), now)], now)


def _is_person(asked: Forgotten, user: int) -> bool:
    return _hash_person(asked[0], user) == asked[1]


def _hash_person(salt: str, user: int) -> str:
    return hashlib.sha256(f"{salt}:{user}".encode()).hexdigest()


async def people_among(db: Connection, asked: Collection[Forgotten]) -> list[int]:
    """Return the people in the database who made one of these requests. Reads all stored people."""
    if not asked:
        return []
    return [user for user in await _stored_people(db) if any(_is_person(each, user) for each in asked)]


async def _stored_people(db: Connection) -> list[int]:
    columns = columns_with_people(metadata)
    found = union(*(select(column.label("person")).where(column.is_not(None)) for column in columns))
    return sorted(await db.scalars(found))


async def running_games(db: Connection) -> list[int]:
    """Return the ids of all running games, in order."""
    return sorted(await db.scalars(select(games.c.id).where(games.c.waiting_user.is_not(None))))


async def plan_news(db: Connection, backup_at: int, told: Collection[int], now: int) -> None:
    """Plan to tell the players of these games about a restore. Replaces any earlier plan.

    `backup_at` is the last moment that the restored backup knows.
    """
    await meta.save_value(db, RESTORE_NEWS, json.dumps({"at": backup_at, "games": sorted(told)}))
    await due_tasks.unschedule(db, RESTORE_NEWS)
    if told:
        await due_tasks.schedule(db, RESTORE_NEWS, RESTORE_NEWS, now, user=0)


async def planned_news(db: Connection) -> tuple[int, list[int]]:
    """Return the time of the last restored backup, and the games whose players are or were to be told."""
    planned = json.loads(await meta.load_value(db, RESTORE_NEWS) or '{"at": 0, "games": []}')
    return planned["at"], planned["games"]


async def games_to_tell_of_restore(db: Connection) -> set[int]:
    """Return the games whose players are still to be told about a restore."""
    row = await due_tasks.unfinished_row(db, RESTORE_NEWS)
    return {game for game in (await planned_news(db))[1] if game > (row.game or 0)} if row else set()


async def requests_to_renew(db: Connection) -> list[int]:
    """Return the rows of the outbox whose messages may have lost their buttons in the lost time."""
    found: list[int] = json.loads(await meta.load_value(db, RENEWED) or "[]")
    return found


async def save_requests_to_renew(db: Connection, rows: Collection[int]) -> None:
    """Save the rows of the outbox whose messages may still lack their buttons."""
    await meta.save_value(db, RENEWED, json.dumps(sorted(rows)))


async def is_known_message(db: Connection, mark: str, channel: int, message: int) -> bool:
    """Return whether a row of the outbox has this mark, or was posted as this message.

    `channel` is the person for a direct message.
    """
    posted = outbox.c.channel == channel, outbox.c.message == message, outbox.c.kind != THREAD
    found = select(exists().where(outbox.c.mark == mark) | exists().where(*posted))
    return bool(await db.scalar(found))


async def load_copy_note(db: Connection) -> CopyNote | None:
    """Return the database's note about itself as a copy; None if it is no copy."""
    return parse_copy_note(await meta.load_value(db, COPY_KEY))


async def forget_copy_note(db: Connection) -> None:
    """Note that the database is no longer a copy: the bot uses it now."""
    await meta.save_value(db, COPY_KEY, "")
