"""The timeline of the database: how a restored backup is recognised, what was lost with it, and who is told.

All that follows at once from a restore happens in one transaction, before anything else runs. The players are told
afterwards, by `RestoreNews`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from gipfbot.match import REQUEST_LIFETIME
from gipfbot.service.clock import downtime
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, new_board_message, pack_board
from gipfbot.service.delivery.venues import enqueue_board, with_server_style
from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.requests.game_requests import COURSES
from gipfbot.store import Connection, Store, meta, outbox, timelines
from gipfbot.store.database_file import writing_fault
from gipfbot.store.timeline_file import CopyNote, Forgotten, TimelineFile, read_timeline_file, write_timeline_file
from gipfbot.store.timelines import LostTime, Timeline, new_timeline
from gipfbot.values import DueRow, OutboxRow, StoredGame

RESTORE_NEWS = timelines.RESTORE_NEWS
UNSEEN_IDS = 1000  # ids of a table that may be given out between two writings of the timeline file

log = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 10  # seconds at least between two writings of the timeline file
QUIET_SECONDS = 300  # seconds between them while no id is given out
TAG_LENGTH = 4

REQUESTS = (CHALLENGE, *(course.message for course in COURSES.values()))
SUPERSEDED = "restored"  # why an older board of the game is not posted


@dataclass(frozen=True)
class Evidence:
    """Findings at the start: the database's own timeline, its timeline file, and a note if the database is a copy."""

    timeline: Timeline | None
    file: TimelineFile | None
    note: CopyNote | None
    has_lost_file: bool = False  # whether this process had a timeline file in this timeline, and no other runs
    # Timelines that, as the database knows, ended while this process may have been away.
    former_timelines: frozenset[str] = frozenset()

    def shows_restore(self, here: dict[str, int]) -> bool:
        """Return whether the database is older than the last state that this bot has written.

        `here` are the last ids that the database has given out, by table. A database without a timeline and a timeline
        file was never used by a version that knows of timelines. A timeline whose file is gone came from elsewhere,
        without the file. But each of several processes has its own file. This process may be new, or may have missed a
        restore that another has noticed.
        """
        if self.note or self.timeline is None:
            return bool(self.note or self.file)
        if self.file is None:
            return self.has_lost_file and self.timeline.instead_of != ""
        if self.file.timeline in self.former_timelines:
            return False
        if self.file.timeline != self.timeline.token:
            return self.timeline.instead_of != self.file.timeline
        is_behind = any(last > here.get(table, 0) for table, last in self.file.sequences.items())
        return self.file.heartbeats > self.timeline.heartbeats or is_behind

    @property
    def ended_timelines(self) -> set[str]:
        """The tokens of the timelines that a restore ends."""
        return {token for token in (self.timeline and self.timeline.token, self.file and self.file.timeline) if token}

    @property
    def known_ids(self) -> dict[str, int] | None:
        """The last ids that were given out in the lost time, by table; None if nobody knows."""
        known = [each.sequences for each in (self.file, self.note) if each and each.sequences]
        tables = {table for each in known for table in each}
        return {table: max(each.get(table, 0) for each in known) for table in tables} if known else None

    @property
    def unseen_ids(self) -> int:
        """How many ids of a table may have been given out besides the known ones."""
        is_exact = (self.note and self.note.sequences) or (self.file and self.file.is_final)
        return 0 if is_exact else UNSEEN_IDS

    @property
    def asked_deletions(self) -> set[Forgotten]:
        """The people who are known outside the database to have asked for the deletion of their data."""
        return {asked for each in (self.file, self.note) if each for asked in each.deleted}

    def last_moment(self, alive_at: int) -> int:
        """Return the last moment that the restored database knows. `alive_at` is its last sign of life."""
        copied_at = self.note.copied_at if self.note else None
        return copied_at or max(alive_at, self.timeline.alive_at if self.timeline else 0)


class Timelines:
    """The timeline of the database, in memory and in its file. Without `path`, there is no file and no restore.

    `repeat_deletion` begins the deletion of a person's data again, in the transaction that is open.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        path: Path | None,
        repeat_deletion: Callable[[Connection, int], Awaitable[object]],
    ) -> None:
        self.store, self.now, self.path, self._repeat_deletion = store, now, path, repeat_deletion
        self.tag = ""  # ends the `custom_id`s of private messages; empty until the first restore
        self.lost_times: list[LostTime] = []
        self.was_killed = False  # whether the last run has ended without a word, as in a power cut
        self.replaced = asyncio.Event()  # set if the database was replaced while the bot runs
        self._writing = asyncio.Lock()
        self._timeline: Timeline | None = None  # as it was last saved
        self._written: TimelineFile | None = None
        self._place: tuple[int, int] | None = None  # of the database on its disk

    async def begin(self) -> None:
        """Detect whether the database was restored, and handle that. Call this before anything else runs.

        Raises Unusable if the timeline file cannot be read or written.
        """
        if self.path is None:
            return
        file, self._place = await asyncio.to_thread(read_timeline_file, self.path), self._current_place()
        self.was_killed = file is not None and not file.is_final
        async with self.store.transaction() as db:
            found = await self._find_evidence(db, file)
            if found.shows_restore(await timelines.last_ids(db)):
                await self._begin_anew(db, found)
            elif found.timeline is None:
                await timelines.save_timeline(db, new_timeline(self.now()))
            self.lost_times = await timelines.lost_times(db)
            self.tag = await _current_tag(db) if self.lost_times else ""
        try:
            await self.write()
        except OSError as error:
            raise writing_fault(self.path, error) from error

    async def _find_evidence(self, db: Connection, file: TimelineFile | None) -> Evidence:
        timeline, is_only = await timelines.load_timeline(db), self.store.shards is None
        has_written = timeline is not None and await timelines.has_written_file(db, timeline)
        if file and await _is_left_over(db, file, timeline, has_written=has_written):
            file = None
        lost = file is None and has_written
        if timeline and lost and not is_only:
            # While others run on the database, it was not restored: only the file of this process is gone.
            lost = self.now() - max(timeline.alive_at, await _last_alive(db)) > downtime.MIN_DOWNTIME
        former = frozenset[str]() if is_only and has_written else frozenset(await timelines.former_timelines(db))
        return Evidence(timeline, file, await timelines.load_copy_note(db), lost, former)

    async def _begin_anew(self, db: Connection, found: Evidence) -> None:
        """Handle a restore: new ids, doubted messages, deletions, and the news for the players."""
        now, last_moment = self.now(), found.last_moment(await _last_alive(db))
        since = datetime.fromtimestamp(last_moment, UTC).isoformat(" ")
        log.warning("the database was restored from a backup of %s; the players are told", since)
        await timelines.raise_ids(db, found.known_ids, found.unseen_ids)
        await outbox.doubt_owed(db)
        await self._repeat_deletions(db, found, now)
        await timelines.add_lost_time(db, min(last_moment, await _last_alive(db) or last_moment), now)
        await self._plan_news(db, found, last_moment)
        await meta.save_value(db, timelines.CHECK_KEY, "")
        await timelines.forget_copy_note(db)
        await timelines.add_former_timelines(db, found.ended_timelines)
        await timelines.save_timeline(db, _other_timeline(found, now))

    async def _repeat_deletions(self, db: Connection, found: Evidence, now: int) -> None:
        known = {*await timelines.asked_deletions(db)}
        for user in await timelines.people_among(db, found.asked_deletions - known):
            await self._repeat_deletion(db, user)
        await timelines.save_deletions(db, {*await timelines.asked_deletions(db)} | found.asked_deletions, now)

    async def _plan_news(self, db: Connection, found: Evidence, last_moment: int) -> None:
        """Plan the news for the players. If nobody has compared the games, any running game may have gone back."""
        running, went_back = await timelines.running_games(db), found.note.went_back if found.note else None
        told = running if went_back is None else {*running} & {*went_back}
        await timelines.plan_news(db, last_moment, told, self.now())
        await plan_renewals(db, last_moment)

    async def heartbeat(self) -> None:
        """Write the timeline file if ids were given out, or if it is old, but not too often.

        If the database was replaced meanwhile, only set `replaced`.
        """
        past = abs(self.now() - self._written.alive_at) if self._written else QUIET_SECONDS
        if self.path is None or past < HEARTBEAT_SECONDS:
            return
        async with self._writing:
            async with self.store.reading() as db:
                timeline, deleted = await timelines.timeline_and_deletions(db)
                found = await timelines.last_ids(db), deleted
            if self._is_replaced(timeline):
                self.replaced.set()
                return
        known = self._written and (self._written.sequences, self._written.deleted)
        if past >= QUIET_SECONDS or found != known:
            await self.write()

    async def write(self, *, is_final: bool = False) -> None:
        """Write the timeline file now. `is_final` says that nothing will be stored afterwards."""
        if self.path is None:
            return
        async with self._writing:
            async with self.store.game_transaction(None) as db:  # players do not wait for it
                # Locked, or one that hangs here would set back what others have counted.
                timeline = await timelines.lock_timeline(db)
                assert timeline, "a timeline has begun"
                timeline = replace(timeline, heartbeats=timeline.heartbeats + 1, alive_at=self.now())
                await timelines.save_timeline(db, timeline)
                ids, deleted = await timelines.last_ids(db), await timelines.asked_deletions(db)
                is_noted = await timelines.has_written_file(db, timeline)
            self._timeline = timeline
            said = TimelineFile(timeline.token, timeline.heartbeats, timeline.alive_at, is_final, ids, deleted)
            await asyncio.to_thread(write_timeline_file, self.path, said)
            self._written = said
            if timeline.instead_of is not None or not is_noted:
                await self._note_file()

    async def _note_file(self) -> None:
        """Note that the file of this timeline is written. Another process may have written its own meanwhile."""
        async with self.store.transaction() as db:
            timeline = await timelines.load_timeline(db)
            assert timeline, "a timeline has begun"
            await timelines.save_timeline(db, replace(timeline, instead_of=None))
            await timelines.note_written_file(db, timeline)

    async def end(self) -> None:
        """Write the timeline file a last time. Nothing may be stored afterwards."""
        if not self.replaced.is_set():
            await self.write(is_final=True)

    def _current_place(self) -> tuple[int, int] | None:
        """Return the device and inode of the database file; None if it is gone, or if there is none."""
        if self.store.backend.file is None:
            return None
        try:
            found = self.store.backend.file.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _is_replaced(self, timeline: Timeline | None) -> bool:
        """Return whether the database is another than at the bot's start. `timeline` is its present timeline."""
        known = self._timeline
        if known is None or timeline is None or self._current_place() != self._place:
            return known is not None
        return timeline.token != known.token or timeline.heartbeats < known.heartbeats

    def is_lost(self, moment: float) -> bool:
        """Return whether a moment, in UTC seconds, lies in a time that is lost because of a restore."""
        return timelines.is_in_lost_time(self.lost_times, moment)

    async def knows_message(self, mark: str, channel: int, message: int) -> bool:
        """Return whether a row of the outbox has this mark, or was posted as this message to a channel or person.

        Rows that were settled long ago are gone.
        """
        async with self.store.reading() as db:
            return await timelines.is_known_message(db, mark, channel, message)


async def _is_left_over(db: Connection, file: TimelineFile, timeline: Timeline | None, *, has_written: bool) -> bool:
    """Return whether a timeline file is of another database, or of a timeline that ended while this process was away.

    Such a file is of another timeline, and older than any file that this process can have written in the present one.
    """
    if timeline and file.timeline == timeline.token:
        return False
    away_until = timeline.alive_at if timeline and not has_written else 0
    return file.alive_at <= max(away_until, await timelines.moved_at(db))


async def _current_tag(db: Connection) -> str:
    timeline = await timelines.load_timeline(db)
    return timeline.token[:TAG_LENGTH] if timeline else ""


async def _last_alive(db: Connection) -> int:
    """Return when the bot was last alive, as far as the database knows; 0 if it was never."""
    return int(await meta.load_value(db, downtime.LAST_ALIVE_KEY) or 0)


def _other_timeline(found: Evidence, now: int) -> Timeline:
    """Return a new timeline whose tag differs from those of the ended timelines."""
    earlier = {each[:TAG_LENGTH] for each in found.ended_timelines}
    while True:
        timeline = new_timeline(now, found.file.timeline if found.file else "")
        if timeline.token[:TAG_LENGTH] not in earlier:
            return timeline


async def plan_renewals(db: Connection, backup_at: int) -> None:
    """Plan to renew the messages of requests that may have been answered in the lost time."""
    rows = await outbox.posted_ids(db, REQUESTS, backup_at - REQUEST_LIFETIME)
    await timelines.save_requests_to_renew(db, rows)


class RestoreNews:
    """Tells the players of games that went back. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._work = BatchWork(store, timelines.RESTORE_NEWS, self._do_batch)

    async def tell_players(self) -> None:
        """Queue the boards of games that went back, unless they are queued already.

        Call this after the clocks were credited for the lost time.
        """
        await self._work.go_on_with_all(self.now())

    async def requests_to_renew(self, limit: int) -> list[tuple[OutboxRow, int]]:
        """Return rows of posted requests whose messages are to be renewed, with their messages, at most `limit`."""
        async with self.store.reading() as db:
            return await outbox.posted_rows(db, (await timelines.requests_to_renew(db))[:limit])

    async def note_renewed(self, number: int) -> None:
        """Note that the first `number` rows are done. Some of them may be gone."""
        async with self.store.transaction() as db:
            await timelines.save_requests_to_renew(db, (await timelines.requests_to_renew(db))[number:])

    async def _do_batch(self, db: Connection, row: DueRow) -> int | None:
        backup_at, planned = await timelines.planned_news(db)
        left = [game for game in planned if game > (row.game or 0)]
        for game_id in left[:BATCH_SIZE]:
            stored = await readable_game(db, game_id)
            if stored is not None and stored.game.asked is not None:
                board = replace(new_board_message(stored.game), restored_from=backup_at)
                await _owe_instead(db, stored, board, self.now())
        return left[BATCH_SIZE - 1] if len(left) > BATCH_SIZE else None


async def _owe_instead(db: Connection, stored: StoredGame, board: BoardMessage, now: int) -> None:
    """Queue a board that replaces those still owed for the game.

    The last of their rows is kept: later rows, such as that of a thread, wait for it.
    """
    owed = await outbox.owed_ids(db, stored.game.id, BOARD)
    if not owed:
        await enqueue_board(db, stored, board, now, reposted_at=now, by=None)
        return
    for older in owed[:-1]:
        await outbox.drop_row(db, older, SUPERSEDED, now)
    packed = pack_board(await with_server_style(db, stored, board, now))
    await outbox.requeue_row(db, owed[-1], stored.venue.channel, packed, now)
