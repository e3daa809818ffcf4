"""Time credited to players because the process that runs the shard of their server was down while others ran.

Meanwhile nobody there can play. The others flag none of them, and after its start the process credits their clocks,
shard by shard in batches. How far it got is stored with the beats of the shard, so that nobody is credited twice.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace

from gipfbot.match.clock import credit_clock
from gipfbot.store import Connection, Store, clocks, lives, meta, shard_beats
from gipfbot.store.shard_beats import ShardBeat

from . import downtime, downtime_notice

REPLAN_KEY = "replan"  # the key that is set while all reminders have to be planned anew
CREDIT_BATCH = 50  # clocks credited in one transaction; other writers wait for at most one transaction


class ShardDowntime:
    """Credits the clocks of games on the shards of this process. Does nothing in a process that runs all shards."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._has_begun = False

    async def credit_own_shards(self) -> None:
        """Credit the clocks of the shards of this process for the time in which they did not run."""
        if not self._has_begun:
            async with self.store.transaction() as db:
                await shard_beats.begin(db, self.now())
            self._has_begun = True
        if self.store.shards is None:
            return
        while silent := await self._silent_shards():  # one that a crash has interrupted needs a second credit
            while await self._credit_next_clocks(silent[0]):
                pass

    async def _silent_shards(self) -> list[int]:
        async with self.store.reading() as db:
            return await shard_beats.silent_shards(db, self.now() - downtime.MIN_DOWNTIME)

    async def _credit_next_clocks(self, shard: int) -> bool:
        """Credit the next clocks of a shard. Return False if there were none left, so that the credit is done."""
        async with self.store.transaction() as db:
            known = await shard_beats.load_beat(db, shard)
            beat = replace(known, credit_until=known.credit_until or self.now(), last_game=known.last_game or 0)
            assert beat.credit_until is not None
            assert beat.last_game is not None
            running, last = await shard_beats.clocks_of_shard(db, shard, beat.last_game, CREDIT_BATCH)
            if last is None:
                await _end_credit(db, shard, beat)
                return False
            if running:
                shifted = [with_clock_shifted(game, beat.alive_at, beat.credit_until) for game in running]
                await clocks.save_running_clocks(db, shifted)
            await shard_beats.save_beat(db, shard, replace(beat, last_game=last))
            return True


async def _end_credit(db: Connection, shard: int, beat: ShardBeat) -> None:
    """Note that the clocks of a shard are credited, and queue the downtime notices."""
    until = beat.credit_until or beat.alive_at
    seconds = until - beat.alive_at
    if seconds >= downtime_notice.MIN_NOTICED_DOWNTIME:
        told_otherwise = await lives.untold_games(db)
        running, _ = await shard_beats.clocks_of_shard(db, shard, 0, None)
        noticed = [game for game in running if game.id not in told_otherwise]
        await downtime_notice.owe_downtime_notices(db, beat.alive_at, seconds, noticed, until)
    await shard_beats.save_beat(db, shard, ShardBeat(until, None, None))
    await demand_reminders_anew(db)


async def demand_reminders_anew(db: Connection) -> None:
    """Let all reminders be planned anew, because clocks were credited.

    Each demand has a value of its own. So a process that plans reminders sees whether another one came meanwhile.
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
