"""The work of the house player and that on analyses, one piece after the other, and the end of a loop's work."""

import asyncio

from gipfbot.service.app import App
from gipfbot.service.house.house_player import HouseDone
from gipfbot.service.records.analyses import AnalysisWork
from gipfbot.ui.background import WorkLoop
from gipfbot.values import OutboxRow
from tests.support.times import HANGS


async def do_next_task(app: App) -> HouseDone | None:
    """Let the house player do the task that has been due for longest. Return None if none is due."""
    for task in (await app.house.due_tasks()).values():
        return await app.house.do_task(task)
    return None


async def search_next(work: AnalysisWork) -> tuple[OutboxRow, ...] | None:
    """Search the next position of the first analysis that can go on. Return None if none can."""
    for wish in (await work.awaited()).values():
        if (owed := await work.search_next(wish)) is not None:
            return owed
    return None


async def rest(loop: WorkLoop) -> None:
    """Wait until a loop rests."""
    assert loop._working
    await asyncio.wait_for(asyncio.shield(loop._working), HANGS)
