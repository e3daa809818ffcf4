"""The watch over all clocks: it flags players whose time is over, and credits time in which nobody could play.

While the process of a shard is down, nobody on its servers can play. Other processes do not flag these players. When
the process starts again, it credits their clocks, shard by shard, in batches. Its progress is stored with the shard's
heartbeats, so that nobody is credited twice.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

from gipfbot import match
from gipfbot.match.clock import credit_clock
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.board_message import BOARD, new_board_message
from gipfbot.service.delivery.venues import enqueue_board
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.settings.puzzle_channel import hasten_daily_puzzles
from gipfbot.store import Connection, Store, clocks, due, games, meta, outbox, shard_heartbeats, timelines, tried_again
from gipfbot.store.shard_heartbeats import ShardHeartbeat

from . import digests, downtime, reminders
from .downtime import REPLAN_KEY, ClockCredit
from .vacations import PAUSING

CREDIT_BATCH = 50  # clocks credited in one transaction; other writers wait for at most one transaction

log = logging.getLogger(__name__)
TELL_OWNER = {"tell_owner": "clock"}
CLOCK_JUMP = 300  # seconds; a smaller error of the host's clock between two passes is no jump


class ShardDowntime:
    """Credits the clocks of games on the shards of this process. Does nothing in a process that runs all shards."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._has_begun = False

    async def credit_own_shards(self) -> None:
        """Credit the clocks of the shards of this process for the time in which they did not run."""
        if not self._has_begun:
            async with self.store.transaction() as db:
                await shard_heartbeats.begin(db, self.now())
            self._has_begun = True
        if self.store.shards is None:
            return
        while silent := await self._silent_shards():  # after an interrupted credit, a second is needed
            while await self._credit_next_clocks(silent[0]):
                pass

    async def _silent_shards(self) -> list[int]:
        async with self.store.reading() as db:
            return await shard_heartbeats.silent_shards(db, self.now() - downtime.MIN_DOWNTIME)

    async def _credit_next_clocks(self, shard: int) -> bool:
        """Credit the next clocks of a shard. Return False if none were left."""
        async with self.store.transaction() as db:
            known = await shard_heartbeats.load_heartbeat(db, shard)
            heartbeat = replace(known, credit_until=known.credit_until or self.now(), last_game=known.last_game or 0)
            assert heartbeat.credit_until is not None
            assert heartbeat.last_game is not None
            running, last = await shard_heartbeats.clocks_of_shard(db, shard, heartbeat.last_game, CREDIT_BATCH)
            if last is None:
                await _end_shard_credit(db, shard, heartbeat)
                return False
            if running:
                shifted = [with_clock_shifted(game, heartbeat.alive_at, heartbeat.credit_until) for game in running]
                await clocks.save_running_clocks(db, shifted)
            await shard_heartbeats.save_heartbeat(db, shard, replace(heartbeat, last_game=last))
            return True


async def _end_shard_credit(db: Connection, shard: int, heartbeat: ShardHeartbeat) -> None:
    """Note that the clocks of a shard are credited, and queue the downtime notices."""
    until = heartbeat.credit_until or heartbeat.alive_at
    seconds = until - heartbeat.alive_at
    if seconds >= downtime.MIN_NOTICED_DOWNTIME:
        told_otherwise = await timelines.games_to_tell_of_restore(db)
        running, _ = await shard_heartbeats.clocks_of_shard(db, shard, 0, None)
        noticed = [game for game in running if game.id not in told_otherwise]
        await downtime.owe_downtime_notices(db, heartbeat.alive_at, seconds, noticed, until)
    await shard_heartbeats.save_heartbeat(db, shard, ShardHeartbeat(until, None, None))
    await demand_reminders_anew(db)


async def demand_reminders_anew(db: Connection) -> None:
    """Demand that all reminders are planned again, because clocks were credited.

    Each demand has its own value, so a process that plans reminders notices a newer demand.
    """
    await meta.save_value(db, REPLAN_KEY, secrets.token_hex(8))


def with_clock_shifted(
    game: clocks.RunningClock, since: int, until: int, *, credited: bool = True
) -> clocks.RunningClock:
    """Return the game as if its clock had been paused from `since` to `until`.

    Boards show this pause as credit only if `credited` is True. A clock that has been started since then loses nothing.
    """
    if since == until:
        return game
    clock = credit_clock(game.clock, game.mover, game.terms, since, until)
    if since < until and (clock.deadline or 0) < (game.clock.deadline or 0):
        return game
    return replace(game, clock=clock if credited else replace(clock, credited=game.clock.credited))


class FlagWatch:
    """Watches all clocks, in passes.

    `now` returns UTC seconds. `ticks` returns seconds of a clock that cannot be set.
    """

    def __init__(self, store: Store, now: Callable[[], int], ticks: Callable[[], float]) -> None:
        self.store, self.now, self.ticks = store, now, ticks
        self.shard_downtime = ShardDowntime(store, now)
        self._last_reading: tuple[int, float] | None = None

    async def check_flags(self) -> bool:
        """Make one pass over all clocks: credit downtime, then flag the players whose time is over.

        If the host's clock has jumped since the last pass, shift all clocks by the jump, flag nobody, and return False.

        Players are flagged in order, the longest overdue first, and the boards of their games are queued. A player
        whose grace is over loses the game. A game whose board is still to be posted is left for a later pass, and so is
        a game whose clock a vacation is about to pause.

        Several processes may flag players at once, but only one credits clocks. Until it is done, the others flag
        nobody, and return False.
        """
        if not await self._is_all_well():
            async with self.store.doing_alone("crediting clocks") as is_alone:
                if not (await self._credit_lost_time() if is_alone else await self._is_settled()):
                    return False
        await self.shard_downtime.credit_own_shards()
        async with self.store.reading() as db:
            overdue = await clocks.overdue_games(db, self.now(), unless_owed=BOARD, unless_due=PAUSING)
        await for_each(self.store, overdue, self._check_flag, self._lock_games)
        return True

    async def _is_all_well(self) -> bool:
        """Record that the bot is alive. Return False if there may be clocks to credit, or reminders to plan anew."""
        reading = self.now(), self.ticks()
        if self._last_reading is None or await self.note_heartbeat() != "":
            return False
        self._last_reading = reading
        return True

    async def _credit_lost_time(self) -> bool:
        """Credit all clocks for downtime and jumps of the host's clock. Return False after a jump."""
        await self._resume_credit()
        first = self._last_reading is None
        jump = await self._clock_jump()
        if not jump and await self.note_heartbeat() is not None:
            await self._replan_reminders()
            return True
        await self._credit_downtime(self.now(), jump, first=first)
        await self._replan_reminders()
        return not jump

    @tried_again
    async def note_heartbeat(self) -> str | None:
        """Record that the bot is alive, also in the middle of a long pass.

        Return the demand to plan all reminders anew; empty if there is none. After a downtime or a rollback of the
        host's clock, do nothing and return None: the next pass credits it.
        """
        async with self.store.game_transaction(None) as db:  # other writers need not wait for it
            return await downtime.note_heartbeat(db, self.now())

    async def _clock_jump(self) -> int:
        """Return the seconds by which the host's clock has jumped since the last pass; negative for a jump back.

        In the first pass of a process, only a jump back can be seen. A jump forward looks like downtime. If another
        process of the same machine has settled the jump already, return 0.
        """
        last, self._last_reading = self._last_reading, (self.now(), self.ticks())
        if last is None:
            async with self.store.reading() as db:
                jump: float = -await downtime.rollback(db, self.now())
        else:
            jump = (self._last_reading[0] - last[0]) - (self._last_reading[1] - last[1])
        if abs(jump) <= CLOCK_JUMP or await self._is_settled():
            return 0
        log.warning("the clock of this machine jumped by %d s; all deadlines moved with it", jump, extra=TELL_OWNER)
        return round(jump)

    async def _is_settled(self) -> bool:
        async with self.store.reading() as db:
            return await downtime.is_alive(db, self.now())

    async def _credit_downtime(self, now: int, jump: int, *, first: bool) -> None:
        """Record that the bot is alive. Credit all clocks for downtime, and shift them by any jump of the host's clock.

        In the `first` pass a rollback also reduces the credit that boards show, because that credit was given while the
        clock was ahead.
        """
        async with self.store.transaction() as db:
            without_jump = now - jump
            last_alive = await downtime.since(db, without_jump)
            if last_alive is None and not jump:
                await downtime.note_alive(db, now)
                return
            since = without_jump if last_alive is None else last_alive
            credit = ClockCredit(since, without_jump, now, jump_credited=first)
            await downtime.save_clock_credit(db, credit)
        await self._finish_credit()

    async def _resume_credit(self) -> None:
        """Finish a credit that a crash interrupted. If it has credited no clock yet, leave it to the next credit."""
        async with self.store.reading() as db:
            if await downtime.load_clock_credit(db) is None:
                return
        async with self.store.transaction() as db:
            credit = await downtime.load_clock_credit(db)
            if credit and not credit.last_game and credit.without_jump == credit.now:
                await downtime.save_clock_credit(db, None)
        if credit:
            await self._finish_credit()

    async def _finish_credit(self) -> None:
        """Credit the remaining clocks, in batches. A crash loses no credit, and none is given twice."""
        while await self._credit_next_clocks():
            pass

    async def _credit_next_clocks(self) -> bool:
        """Credit the next clocks. Return False if none were left."""
        async with self.store.reading() as db:  # before the transaction, because there may be many
            noticed = await _clocks_to_notice(db)
        async with self.store.transaction() as db:
            credit = await downtime.load_clock_credit(db)
            if credit is None:
                return False
            running, last = await clocks.next_running_clocks(db, credit.last_game, CREDIT_BATCH)
            if last is None:
                await _end_credit(db, credit, noticed)
                return False
            if running:
                await clocks.save_running_clocks(db, [_with_credit(game, credit) for game in running])
            await downtime.save_clock_credit(db, replace(credit, last_game=last))
            return True

    async def _replan_reminders(self) -> None:
        """Plan all reminders again if clocks were credited. A repetition after a crash does no harm.

        If another process credits clocks meanwhile, the next pass plans all reminders once more.
        """
        async with self.store.reading() as db:
            demand = await meta.load_value(db, REPLAN_KEY)
            if not demand:
                return
            running = [game.id for game in await clocks.running_clocks(db)]
        await for_each(self.store, running, _plan_reminder_of_game)
        await digests.hasten_digests(self.store, self.now())
        await hasten_daily_puzzles(self.store, self.now())
        async with self.store.transaction() as db:
            if await meta.load_value(db, REPLAN_KEY) == demand:
                await meta.save_value(db, REPLAN_KEY, "")

    async def _lock_games(self, db: Connection, among: Sequence[int]) -> list[int]:
        """Lock the games whose clocks are credited for all lost time. Another process may still credit the others."""
        if not await downtime.is_alive(db, self.now()):
            return []
        silent = await shard_heartbeats.silent_games(db, among, self.now() - downtime.MIN_DOWNTIME)
        return await due.lock_games(db, [game for game in among if game not in silent])

    async def _check_flag(self, db: Connection, game_id: int) -> None:
        before = await require_game(db, game_id)
        now = self.now()
        after = match.apply_time(before.game, now)
        if after is before.game:
            return
        asked = before.game.seats[before.game.current.decider].user
        ratings = await save_and_rate(db, before, after, by=asked, now=now)
        await reminders.plan_reminder(db, after)
        await games.add_event(db, game_id, "flagged" if after.clock else "time", asked, now)
        credited = before.game.clock.credited if before.game.clock else 0
        board = replace(new_board_message(after), credited=credited, ratings=ratings)
        await enqueue_board(db, before.with_game(after, now), board, now, reposted_at=now, by=asked)


async def _clocks_to_notice(db: Connection) -> list[clocks.RunningClock]:
    """Return the clocks that downtime notices name; empty until all of them are credited.

    A game that gets a board, because it was restored from a backup, needs no notice.
    """
    credit = await downtime.load_clock_credit(db)
    if credit is None or credit.without_jump - credit.since < downtime.MIN_NOTICED_DOWNTIME:
        return []
    _, last = await clocks.next_running_clocks(db, credit.last_game, 1)
    if last is not None:
        return []
    told_otherwise = await timelines.games_to_tell_of_restore(db)
    return [game for game in await clocks.running_clocks(db) if game.id not in told_otherwise]


async def _end_credit(db: Connection, credit: ClockCredit, noticed: list[clocks.RunningClock]) -> None:
    """Note that all clocks are credited. Credit the rest, with one statement each, and queue the downtime notices."""
    seconds_down, now = credit.without_jump - credit.since, credit.now
    await downtime.owe_downtime_notices(db, credit.since, seconds_down, noticed, now)
    if credit.since < now:  # untimed games and warnings are only ever given more time
        await downtime.when_downtime_credited.run(db, now - credit.since, now)
        await clocks.credit_untimed_games(db, now - credit.since, now)
    if credit.without_jump != now:  # while the clock was wrong, messages may have been put off for days
        await outbox.retry_all_now(db, now)
        await due.postpone_kind(db, reminders.WEEKLY, now - credit.without_jump)
    await shard_heartbeats.shift_heartbeats(db, now - credit.since, now)
    await downtime.note_alive(db, now)
    await downtime.save_clock_credit(db, None)
    await demand_reminders_anew(db)


def _with_credit(game: clocks.RunningClock, credit: ClockCredit) -> clocks.RunningClock:
    """Return the game with its clock credited. Boards show the downtime as credit, and the jump if `jump_credited`."""
    in_time = with_clock_shifted(game, credit.since, credit.without_jump)
    return with_clock_shifted(in_time, credit.without_jump, credit.now, credited=credit.jump_credited)


async def _plan_reminder_of_game(db: Connection, game_id: int) -> None:
    await reminders.plan_reminder(db, (await require_game(db, game_id)).game)
