"""Make the analyses that were asked for in the background, and tell those who asked when they are over."""

import asyncio
import logging

from gipfbot.ui.kit.client import AppClient
from gipfbot.values import DatabaseTrouble

log = logging.getLogger(__name__)


class WorkLoop:
    """Works while an analysis is asked for, and rests otherwise. A turn of a game waits for one search at most."""

    def __init__(self, bot: AppClient) -> None:
        self.bot = bot
        self._working: asyncio.Task[None] | None = None
        self._woken = False

    def wake(self) -> None:
        """Look whether an analysis is asked for. Returns at once."""
        self._woken = True
        if self.bot.connected and (self._working is None or self._working.done()):
            self._working = asyncio.create_task(self._work(), name="analyses")

    async def close(self) -> None:
        """Stop. What is found so far is saved."""
        if self._working:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)

    async def _work(self) -> None:
        try:
            while self._woken:
                self._woken = False
                while (owed := await self.bot.app.analysis_work.search_next()) is not None:
                    await self.bot.delivery.deliver(owed)
        except DatabaseTrouble:
            pass  # the store has logged it, and the next sweep wakes the work again
        except Exception:
            log.exception("an analysis failed; the next sweep tries again")
