"""The queue of those who ask engines."""

import asyncio

from gipfbot.engines.urgency_queue import Urgency, UrgencyQueue
from tests.support.times import HANGS


async def test_a_task_cancelled_as_its_turn_comes_passes_it_on() -> None:
    queue, served = UrgencyQueue(), list[str]()

    async def take(name: str) -> None:
        async with queue.slot(Urgency.TURN):
            served.append(name)

    async with queue.slot(Urgency.PUZZLE):
        first, second = asyncio.create_task(take("first")), asyncio.create_task(take("second"))
        await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first, second], timeout=HANGS)
    assert (first.cancelled(), served) == (True, ["second"])


async def test_an_error_within_the_slot_frees_it() -> None:
    queue = UrgencyQueue()
    for _ in range(2):
        try:
            async with asyncio.timeout(HANGS), queue.slot(Urgency.TURN):
                raise LookupError
        except LookupError:
            pass
