"""The fair queue: people are served in rotation, one job at a time, and a job that is given up costs no slot."""

import asyncio
from collections.abc import Hashable

from gipfbot.engines.fair_queue import FairQueue
from tests.support.times import HANGS

ANN, BOB, CARA = "Ann", "Bob", "Cara"


class Jobs:
    """Jobs in a queue. Each runs until the event loop has gone round a few times."""

    def __init__(self) -> None:
        self.queue, self.done, self.running = FairQueue(), list[Hashable](), 0

    def begin(self, person: Hashable | None, count: int = 1, cost: int = 0) -> list[asyncio.Task[None]]:
        """Ask for so many jobs of a person."""
        return [asyncio.create_task(self._work(person, cost)) for _ in range(count)]

    async def _work(self, person: Hashable | None, cost: int) -> None:
        async with self.queue.slot(person, cost):
            self.running += 1
            assert self.running == 1, "two at once"
            for _ in range(3):
                await asyncio.sleep(0)
            self.running -= 1
            self.done.append((person, cost) if cost else person)


async def test_two_hundred_jobs_delay_another_person_by_one() -> None:
    jobs = Jobs()
    many = jobs.begin(ANN, 200)
    await asyncio.sleep(0)
    bobs = jobs.begin(BOB)
    await asyncio.gather(*bobs)
    assert jobs.done == [ANN, BOB]
    await asyncio.gather(*many)
    assert jobs.done.count(ANN) == 200


async def test_people_are_served_in_rotation() -> None:
    """Somebody who comes later waits for one job of each."""
    jobs = Jobs()
    tasks = [*jobs.begin(ANN, 4), *jobs.begin(BOB, 3)]
    await asyncio.sleep(0)
    tasks += jobs.begin(CARA, 2)
    await asyncio.gather(*tasks)
    assert jobs.done == [ANN, BOB, CARA, ANN, BOB, CARA, ANN, BOB, ANN]


async def test_cheapest_job_of_a_person_goes_first() -> None:
    """Among jobs of one cost, the first to come. A cheap job goes before nobody else's."""
    jobs = Jobs()
    tasks = jobs.begin(ANN, cost=9)
    await asyncio.sleep(0)
    tasks += [*jobs.begin(ANN, 2, cost=5), *jobs.begin(BOB, cost=7), *jobs.begin(ANN, cost=1), *jobs.begin(BOB, cost=2)]
    await asyncio.gather(*tasks)
    assert jobs.done == [(ANN, 9), (BOB, 2), (ANN, 1), (BOB, 7), (ANN, 5), (ANN, 5)]


async def test_jobs_of_nobody_come_in_their_order_among_people() -> None:
    jobs = Jobs()
    tasks = [*jobs.begin(ANN, 3), *jobs.begin(None, 2)]
    await asyncio.gather(*tasks)
    assert jobs.done == [ANN, None, None, ANN, ANN]


async def test_job_that_is_given_up_holds_up_nobody() -> None:
    """While it waits, when its slot has just come, and while it runs."""
    jobs = Jobs()
    anns, bobs, caras = jobs.begin(ANN), jobs.begin(BOB, 2), jobs.begin(CARA)
    await asyncio.sleep(0)
    bobs[0].cancel()
    await asyncio.gather(*anns, *caras)
    assert jobs.done == [ANN, BOB, CARA]
    running, next_one = jobs.begin(ANN), jobs.begin(BOB)
    await asyncio.sleep(0)
    running[0].cancel()
    await asyncio.sleep(0)
    next_one[0].cancel()  # it has the slot, and does not know it yet
    jobs.running = 0
    await asyncio.gather(*running, *next_one, return_exceptions=True)
    last = asyncio.gather(*jobs.begin(CARA, 2))
    await asyncio.wait_for(last, HANGS)
    assert jobs.done == [ANN, BOB, CARA, CARA, CARA]


async def test_job_given_up_as_its_slot_comes_is_passed_over() -> None:
    jobs = Jobs()
    holder, anns, bobs = jobs.queue.slot(CARA), jobs.begin(ANN), jobs.begin(BOB)
    async with holder:
        await asyncio.sleep(0)
        anns[0].cancel()  # it still waits in the queue when the slot is passed on
    await asyncio.wait_for(bobs[0], HANGS)
    assert jobs.done == [BOB]


async def test_failing_job_passes_the_slot_on() -> None:
    jobs = Jobs()

    async def fail() -> None:
        async with jobs.queue.slot(ANN):
            raise ValueError

    await asyncio.gather(fail(), *jobs.begin(BOB), return_exceptions=True)
    assert jobs.done == [BOB]
