"""Work in the background: turns of the house player, and long work that is done piece by piece."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from gipfbot.service.house.house_player import HouseDone
from gipfbot.values import DatabaseTrouble

from .kit.client import AppClient
from .requests.game_requests import show_outcome

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


class HouseLoop:
    """Works while something is due for the house player, and rests otherwise. A person never waits for it."""

    def __init__(self, bot: AppClient) -> None:
        self.bot = bot
        self._acting: asyncio.Task[None] | None = None
        self._posting = set[asyncio.Task[None]]()
        self._woken = False

    def wake(self) -> None:
        """Let the house player look for what is due. Returns at once."""
        self._woken = True
        if self.bot.connected and (self._acting is None or self._acting.done()):
            self._acting = asyncio.create_task(self._act(), name="house player")

    async def close(self) -> None:
        """Stop. What is not decided stays due."""
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
        """Post what the house player owes, and show its answer where it was asked. What fails stays owed."""
        try:
            await self.bot.delivery.deliver(done.owed)
            if done.draw:
                await show_outcome(self.bot, done.draw)
        except DatabaseTrouble:
            pass
        except Exception:
            log.exception("what the house player has decided is posted later")
