"""Work in the background: the sweep for due work, turns of the house player, and long work piece by piece.

Each process makes sweeps. They share the work row by row: a sweep skips rows that another one has locked.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from gipfbot.service.house.house_player import HouseDone
from gipfbot.values import DatabaseTrouble

from .kit.client import AppClient
from .lobby.open_challenges import close_expired_challenges
from .requests.game_requests import close_expired_requests, show_outcome
from .restoring.renewed_requests import renew_open_requests

log = logging.getLogger(__name__)
Done = TypeVar("Done")
Step = tuple[str, Callable[[], Awaitable[object]]]  # what it does, for the log


class Sweep:
    """Does all due work in a fixed order. It remembers which steps failed last time."""

    def __init__(self, bot: AppClient) -> None:
        self.bot, self._failing = bot, set[str]()

    async def do_due_work(self) -> None:
        """Do all due work except the outbox. If the clocks cannot be checked, do nothing else.

        If the bot was down or disconnected, the check of the clocks first credits the lost time.
        """
        app = self.bot.app
        # Before a flag falls on a clock that a vacation was about to pause.
        await self.try_step("finishing vacations", app.vacations.finish_vacation_work)
        if await self.try_step("checking the clocks", app.flag_watch.check_flags):
            for name, work in self._steps():
                await self.try_step(name, work)

    def _steps(self) -> Sequence[Step]:
        app, bot = self.bot.app, self.bot
        return (
            ("deleting data", app.deletions.resume_all),
            ("telling of a restore", app.restore_news.tell_players),
            ("renewing requests", self._alone("renewing requests", partial(renew_open_requests, bot))),
            ("ending vacations", app.vacations.end_due_vacations),
            ("settling claims", app.win_claims.settle_due_win_claims),
            ("trying refused boards again", app.undeliverable.retry_due_boards),
            ("posting boards elsewhere", app.outbox.finish_reposts),
            ("changing reminders", app.reminders.finish_new_wishes),
            ("reminding", app.reminders.owe_due_reminders),
            ("writing digests", app.digests.owe_due_digests),
            ("owing puzzles", app.daily_puzzles.owe_due_puzzles),
            ("closing challenges", partial(close_expired_challenges, bot)),
            ("closing requests", partial(close_expired_requests, bot)),
            ("deleting studies", app.studies.delete_expired),
            ("deleting analyses", app.analyses.delete_expired),
            ("listing players", app.leaderboards.relist_changed),
            ("counting openings", self._alone("counting openings", app.explorer.count_ended)),
            ("deleting what is over", app.retention.delete_old),
        )

    def _alone(self, name: str, work: Callable[[], Awaitable[object]]) -> Callable[[], Awaitable[None]]:
        """Wrap work so that only one process at a time does it, and the others skip it."""

        async def work_alone() -> None:
            async with self.bot.app.doing_alone(name) as is_alone:
                if is_alone:
                    await work()

        return work_alone

    async def try_step(self, name: str, work: Callable[[], Awaitable[Done]]) -> Done | None:
        """Run a step and return its result; None if it fails. The first of its failures is logged with a traceback."""
        try:
            done = await work()
        except DatabaseTrouble:  # the store has logged it
            return None
        except Exception as error:
            log.error("%s failed; the next sweep tries again", name, exc_info=None if name in self._failing else error)
            self._failing.add(name)
            return None
        self._failing.discard(name)
        return done


class WorkLoop:
    """Calls `do_next` until that returns False, then rests until `wake` is called."""

    def __init__(self, bot: AppClient, name: str, do_next: Callable[[], Awaitable[bool]], pause: float = 0) -> None:
        """Prepare a loop that rests. `pause` is the seconds between two pieces of work."""
        self.bot, self.name, self.do_next, self.pause = bot, name, do_next, pause
        self._working: asyncio.Task[None] | None = None
        self._woken = False

    def wake(self) -> None:
        """Make the loop look for work. Returns at once."""
        self._woken = True
        if self.bot.connected and (self._working is None or self._working.done()):
            self._working = asyncio.create_task(self._work(), name=self.name)

    async def close(self) -> None:
        """Stop the loop. Work that is saved so far is kept."""
        if self._working:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)

    async def _work(self) -> None:
        try:
            while self._woken:
                self._woken = False
                if await self.do_next():
                    self._woken = True
                    await asyncio.sleep(self.pause)
        except DatabaseTrouble:
            pass  # the store has logged it, and the next sweep wakes the work again
        except Exception:
            log.exception("%s failed; the next sweep tries again", self.name)


class HouseLoop:
    """Works while something is due for the house player, and rests otherwise. A person never waits for it."""

    def __init__(self, bot: AppClient) -> None:
        self.bot = bot
        self._acting: asyncio.Task[None] | None = None
        self._posting = set[asyncio.Task[None]]()
        self._woken = False

    def wake(self) -> None:
        """Make the house player look for due decisions. Returns at once."""
        self._woken = True
        if self.bot.connected and (self._acting is None or self._acting.done()):
            self._acting = asyncio.create_task(self._act(), name="house player")

    async def close(self) -> None:
        """Stop the loop. Open decisions stay due."""
        tasks = [*self._posting, *([self._acting] if self._acting else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _act(self) -> None:
        try:
            while self._woken:
                self._woken = False
                while done := await self.bot.app.house.act_next():
                    task = asyncio.create_task(self._post(done), name="posting for the house player")
                    self._posting.add(task)
                    task.add_done_callback(self._posting.discard)
        except DatabaseTrouble:
            pass  # the store has logged it, and the next sweep wakes the house player again
        except Exception:
            log.exception("the house player failed; the next sweep tries again")

    async def _post(self, done: HouseDone) -> None:
        """Post the house player's messages, and show its answer where it was asked. Failed messages stay due."""
        try:
            await self.bot.delivery.deliver(done.owed)
            if done.draw:
                await show_outcome(self.bot, done.draw)
        except DatabaseTrouble:
            pass
        except Exception:
            log.exception("what the house player has decided is posted later")
