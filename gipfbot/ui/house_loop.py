"""Let the house player act in the background: what it decides is posted while it thinks about the next game."""

import asyncio
import logging

from gipfbot.service.house.house_player import HouseDone
from gipfbot.ui.kit.client import AppClient
from gipfbot.values import DatabaseTrouble

from .requests.request_texts import draw_settled_text

log = logging.getLogger(__name__)


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
            if done.draw and done.draw.message:
                text = draw_settled_text(done.draw.stored.game, done.draw.step)
                await self.bot.delivery.strip_buttons(*done.draw.message, text)
        except DatabaseTrouble:
            pass
        except Exception:
            log.exception("what the house player has decided is posted later")
