"""The sweep: all work that is due, step by step. A step that fails keeps no other step from its work.

Each process makes sweeps, but a step is done by one of them at a time. The others go on with the next step.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from gipfbot.ui.kit.client import AppClient
from gipfbot.ui.lobby.challenge_expiry import close_expired_challenges
from gipfbot.ui.requests.takeback_expiry import close_stale_takebacks
from gipfbot.ui.restoring.renewed_requests import renew_open_requests
from gipfbot.values import DatabaseTrouble

log = logging.getLogger(__name__)
Done = TypeVar("Done")
Step = tuple[str, Callable[[], Awaitable[object]]]  # what it does, for the log


class Sweep:
    """Does what is due, in the order in which it must be done. It remembers which steps failed last time."""

    def __init__(self, bot: AppClient) -> None:
        self.bot, self._failing = bot, set[str]()

    async def do_due_work(self) -> None:
        """Do all work that is due now, but for the outbox. If the clocks cannot be checked, do none of the rest.

        The rest is left also while another process checks the clocks. When the bot was down or disconnected, the check
        of the clocks credits the lost time first.
        """
        app = self.bot.app
        # Before a flag falls on a clock that a vacation was about to pause.
        await self._try_alone("finishing vacations", app.vacations.finish_vacation_work)
        if await self._try_alone("checking the clocks", app.flag_watch.check_flags):
            for name, work in self._steps():
                await self._try_alone(name, work)

    def _steps(self) -> Sequence[Step]:
        app, bot = self.bot.app, self.bot
        return (
            ("deleting data", app.deletions.resume_all),
            ("telling of a restore", app.restore_news.tell_players),
            ("renewing requests", partial(renew_open_requests, bot)),
            ("ending vacations", app.vacations.end_due_vacations),
            ("settling claims", app.win_claims.settle_due_win_claims),
            ("trying refused boards again", app.undeliverable.retry_due_boards),
            ("posting boards elsewhere", app.outbox.finish_reposts),
            ("changing reminders", app.reminders.finish_new_wishes),
            ("reminding", app.reminders.owe_due_reminders),
            ("writing digests", app.digests.owe_due_digests),
            ("owing puzzles", app.daily_puzzles.owe_due_puzzles),
            ("closing challenges", partial(close_expired_challenges, bot)),
            ("closing takebacks", partial(close_stale_takebacks, bot)),
            ("deleting studies", app.studies.delete_expired),
            ("deleting analyses", app.analyses.delete_expired),
            ("listing players", app.leaderboards.relist_changed),
            ("counting openings", app.explorer.count_ended),
            ("deleting what is over", app.retention.delete_old),
        )

    async def _try_alone(self, name: str, work: Callable[[], Awaitable[Done]]) -> Done | None:
        """Return what `try_step` does; None if another process is doing this step."""

        async def work_alone() -> Done | None:
            async with self.bot.app.doing_alone(name) as is_alone:
                return await work() if is_alone else None

        return await self.try_step(name, work_alone)

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
