"""Work in the background: the sweep for due work, turns of the house player, and long work piece by piece.

Each process makes sweeps. They share the work row by row: a sweep skips rows that another one has locked.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Generic, TypeVar

from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.reminders import NEW_WISH, REMINDER, WEEKLY
from gipfbot.service.clock.undeliverable import RETRY
from gipfbot.service.clock.vacations import VACATION, VACATION_WORK
from gipfbot.service.delivery.venues import LEFT_THREAD
from gipfbot.service.house.house_player import HouseDone, WishKey
from gipfbot.service.records.analyses import AnalysisWish
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.service.restoring.timelines import RESTORE_NEWS
from gipfbot.service.settings.puzzle_channel import DAILY_PUZZLE
from gipfbot.values import DatabaseTrouble, DueWork, HouseTask

from .kit.client import AppClient
from .lobby.open_challenges import close_expired_challenges
from .requests.game_requests import close_expired_requests, show_outcome
from .restoring.renewed_requests import renew_open_requests

log = logging.getLogger(__name__)
Done = TypeVar("Done")
W = TypeVar("W")
MOST_AT_ONCE = 100  # wishes of one queue: each holds a game in memory
# What it does, for the log; the kinds of tasks and the other work that it does; how.
Step = tuple[str, Collection[str], Callable[[], Awaitable[object]]]


class Sweep:
    """Does all due work in a fixed order. It remembers which steps failed last time.

    One statement asks what is due. A step that has nothing to do asks nothing.
    """

    def __init__(self, bot: AppClient) -> None:
        self.bot, self._failing = bot, set[str]()

    async def do_due_work(self) -> frozenset[str] | None:
        """Do all due work except the outbox. If the clocks cannot be checked, do nothing else.

        If the bot was down or disconnected, the check of the clocks first credits the lost time. Return what
        `what_is_due` returned last.
        """
        app = self.bot.app
        # Before a flag falls on a clock that a vacation was about to pause.
        due = await self._do_steps([("finishing vacations", VACATION_WORK, app.vacations.finish_vacation_work)])
        if await self.try_step("checking the clocks", app.flag_watch.check_flags):
            due = await self._do_steps(self._steps())
            await self.try_step("deleting what is over", app.retention.delete_old)
        return due

    async def what_is_due(self) -> frozenset[str] | None:
        """Return what is due now. None if that cannot be found out: then each step looks for itself."""
        app = self.bot.app
        return await self.try_step("asking what is due", lambda: app.what_is_due(app.now()))

    async def _do_steps(self, steps: Sequence[Step]) -> frozenset[str] | None:
        """Do the steps that have something to do. What a step makes due is done by the steps after it.

        Return what is due then.
        """
        due = await self.what_is_due()
        for name, does, work in steps:
            if due is None or not due.isdisjoint(does):
                await self.try_step(name, work)
                due = await self.what_is_due()
        return due

    def _steps(self) -> Sequence[Step]:
        app, bot = self.bot.app, self.bot
        return (
            ("deleting data", {DueWork.DELETIONS, DueWork.FORMER_PINGS}, app.deletions.resume_all),
            ("telling of a restore", {RESTORE_NEWS}, app.restore_news.tell_players),
            self._alone("renewing requests", {DueWork.RENEWALS}, partial(renew_open_requests, bot)),
            ("ending vacations", {VACATION, *VACATION_WORK}, app.vacations.end_due_vacations),
            ("settling claims", {CLAIM_WIN}, app.win_claims.settle_due_win_claims),
            ("trying refused boards again", {RETRY}, app.undeliverable.retry_due_boards),
            ("posting boards elsewhere", {LEFT_THREAD}, app.outbox.finish_reposts),
            ("changing reminders", {NEW_WISH}, app.reminders.finish_new_wishes),
            ("reminding", {REMINDER}, app.reminders.owe_due_reminders),
            ("reminding without a clock", {WEEKLY}, app.reminders.owe_weekly_reminders),
            ("writing digests", {DIGEST}, app.digests.owe_due_digests),
            ("owing puzzles", {DAILY_PUZZLE}, app.daily_puzzles.owe_due_puzzles),
            ("closing challenges", {DueWork.CHALLENGES}, partial(close_expired_challenges, bot)),
            ("closing requests", {DueWork.REQUESTS}, partial(close_expired_requests, bot)),
            ("deleting studies", {DueWork.STUDIES}, app.studies.delete_expired),
            ("deleting analyses", {DueWork.EXPIRED_ANALYSES}, app.analyses.delete_expired),
            ("listing players", {DueWork.STANDINGS}, app.leaderboards.relist_changed),
            ("going on with held turns", {DueWork.HELD_TURNS}, app.house.held_turns.release),
            self._alone("counting openings", {DueWork.ENDED_GAMES}, app.explorer.count_ended),
        )

    def _alone(self, name: str, does: Collection[str], work: Callable[[], Awaitable[object]]) -> Step:
        """Return a step that only one process at a time does. The others skip it."""

        async def work_alone() -> None:
            async with self.bot.app.doing_alone(name) as is_alone:
                if is_alone:
                    await work()

        return name, does, work_alone

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


class WishLoop(ABC, Generic[W]):
    """Does what people wish, side by side: one wish of a person in each queue. It rests until `wake` is called."""

    name: str

    def __init__(self, bot: AppClient) -> None:
        self.bot = bot
        self._looking: asyncio.Task[None] | None = None
        self._doing = dict[WishKey, asyncio.Task[None]]()
        self._numbers, self._begun = count(1), dict[WishKey, int]()  # when each was begun last
        self._woken = self.has_failed = False

    @abstractmethod
    async def find(self) -> Mapping[WishKey, W]:
        """Return the wishes that can be done now, those that have waited longest first."""

    @abstractmethod
    async def do(self, wish: W) -> bool:
        """Do what is wished. Return whether to look for other wishes at once."""

    def wake(self) -> None:
        """Make the loop look for wishes. Returns at once."""
        self._woken = True
        if self.bot.connected and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look(), name=self.name)

    async def close(self) -> None:
        """Stop the loop. What is not done yet stays to be done."""
        tasks = [*self._doing.values(), *([self._looking] if self._looking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self) -> None:
        self.has_failed = False
        while self._woken:
            self._woken = False
            found = await self._try(self.find()) or {}
            if not found:
                self._begun.clear()
            at_once = Counter(queue for queue, _ in self._doing)
            for key in sorted(found, key=lambda each: self._begun.get(each, 0)):  # if too many wait, in rotation, too
                if key not in self._doing and at_once[key[0]] < MOST_AT_ONCE:
                    at_once[key[0]] += 1
                    self._begun[key] = next(self._numbers)
                    self._doing[key] = asyncio.create_task(self._do(key, found[key]), name=self.name)

    async def _do(self, key: WishKey, wish: W) -> None:
        try:
            looks_again = await self._try(self.do(wish))
        finally:
            del self._doing[key]
        if looks_again:
            self.wake()

    async def _try(self, work: Awaitable[Done]) -> Done | None:
        """Return the result of some work; None if it fails. Then the next sweep wakes the loop again."""
        try:
            return await work
        except DatabaseTrouble:
            self.has_failed = True  # the store has logged it
        except Exception:
            self.has_failed = True
            log.exception("%s failed; the next sweep tries again", self.name)
        return None


class HouseLoop(WishLoop[HouseTask]):
    """Lets the house player decide what is due. A person never waits for it."""

    name = "the house player"

    def __init__(self, bot: AppClient) -> None:
        super().__init__(bot)
        self._posting = set[asyncio.Task[None]]()

    async def close(self) -> None:
        """Stop the loop. Open decisions stay due, and what is not posted stays owed."""
        await super().close()
        for task in self._posting:
            task.cancel()
        await asyncio.gather(*self._posting, return_exceptions=True)

    async def find(self) -> Mapping[WishKey, HouseTask]:
        """Return the tasks of the house player that are due."""
        return await self.bot.app.house.due_tasks()

    async def do(self, wish: HouseTask) -> bool:
        """Do a task, and begin to post what is said then."""
        done = await self.bot.app.house.do_task(wish)
        posting = asyncio.create_task(self._post(done), name="posting for the house player")
        self._posting.add(posting)
        posting.add_done_callback(self._posting.discard)
        return True

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


class AnalysisLoop(WishLoop[AnalysisWish]):
    """Makes the analyses that people wait for, position by position."""

    name = "analyses"

    async def find(self) -> Mapping[WishKey, AnalysisWish]:
        """Return the analyses that somebody waits for."""
        return await self.bot.app.analysis_work.awaited()

    async def do(self, wish: AnalysisWish) -> bool:
        """Search the next position of an analysis. If that was the last, tell all who asked."""
        owed = await self.bot.app.analysis_work.search_next(wish)
        if owed is not None:
            await self.bot.delivery.deliver(owed)
        return owed is not None
