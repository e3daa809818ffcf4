"""Do one kind of long work in the background, one piece after the other, and rest while there is none."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from gipfbot.ui.kit.client import AppClient
from gipfbot.values import DatabaseTrouble

log = logging.getLogger(__name__)


class WorkLoop:
    """Calls `do_next` as long as that returns True. It rests when it returns False, until it is woken again."""

    def __init__(self, bot: AppClient, name: str, do_next: Callable[[], Awaitable[bool]], pause: float = 0) -> None:
        """Prepare a loop that rests. `pause` is the seconds between two pieces of work."""
        self.bot, self.name, self.do_next, self.pause = bot, name, do_next, pause
        self._working: asyncio.Task[None] | None = None
        self._woken = False

    def wake(self) -> None:
        """Look whether there is something to do. Returns at once."""
        self._woken = True
        if self.bot.connected and (self._working is None or self._working.done()):
            self._working = asyncio.create_task(self._work(), name=self.name)

    async def close(self) -> None:
        """Stop. What is saved so far is kept."""
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
