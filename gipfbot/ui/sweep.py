"""The sweep: all work that is due, step by step. A step that fails keeps no other step from its work.

Each process makes sweeps. They share the work row by row: what one has locked, the others leave out.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from gipfbot.ui.kit.client import AppClient
from gipfbot.ui.restoring.renewed_requests import renew_open_requests
from gipfbot.values import DatabaseTrouble

from .lobby.challenge_answers import close_expired_challenges
from .requests.game_requests import close_expired_requests

log = logging.getLogger(__name__)
Done = TypeVar("Done")
Step = tuple[str, Callable[[], Awaitable[object]]]  # what it does, for the log


class Sweep:
    """Does what is due, in the order in which it must be done. It remembers which steps failed last time."""

    def __init__(self, bot: AppClient) -> None:
        self.bot, self._failing = bot, set[str]()

    async def do_due_work(self) -> None:
        """Do all work that is due now, but for the outbox. If the clocks cannot be checked, do none of the rest.

        When the bot was down or disconnected, the check of the clocks credits the lost time first.
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
        """Return work that one process does at a time: its steps are whole, or cost too much to be done in vain."""

        async def work_alone() -> None:
            async with self.bot.app.doing_alone(name) as is_alone:
                if is_alone:
                    await work()

        return work_alone

    async def try_step(self, name: str, work: Callable[[], Awaitable[Done]]) -> Done | None:
        """Return what a step returns; None if it fails. The log has a traceback when a step begins to fail."""
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
