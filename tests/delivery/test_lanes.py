"""Lanes of the delivery: a channel that is flooded, slow or silent delays no other channel and no person."""

import asyncio
from collections import Counter

import pytest

from gipfbot.service.clock.vacations import VACATION
from gipfbot.store import outbox
from gipfbot.ui.bot import SWEEP_SECONDS
from gipfbot.ui.delivery import delivery, lanes
from gipfbot.ui.delivery.delivery import Delivery
from gipfbot.ui.delivery.lanes import MOST_LANES, Lanes
from gipfbot.ui.kit.outbox_messages import OutboxMessage
from gipfbot.ui.kit.request_watch import Pace
from gipfbot.values import OutboxRow
from tests.support.terms import THREE_DAYS
from tests.support.times import HANGS
from tests.support.virtual_loop import loop_time, run_at_once

from .house import House

OWED = 600  # messages


async def owe_many(house: House) -> None:
    """Owe the channel many messages."""
    payload = {"name": "Ann", "until": 0, "over": True, "games": []}
    async with house.store.transaction() as db:
        for number in range(OWED):
            await outbox.owe(db, f"many:{number}", VACATION, house.channel.id, payload, house.clock())


class FloodedChannel:
    """A channel that takes only as many messages as it was told to, and the messages that arrive elsewhere."""

    def __init__(self, house: House, patch: pytest.MonkeyPatch) -> None:
        self.room, self.tried = asyncio.Semaphore(0), asyncio.Event()
        self.posted, self.elsewhere = asyncio.Queue[int](), asyncio.Queue[int]()
        send = Delivery._send

        async def send_slowly(poster: Delivery, owed: OutboxRow, post: OutboxMessage) -> int:
            is_here = owed.channel == house.channel.id
            if is_here:
                self.tried.set()
                await self.room.acquire()
            message = await send(poster, owed, post)
            (self.posted if is_here else self.elsewhere).put_nowait(message)
            return message

        patch.setattr(Delivery, "_send", send_slowly)
        patch.setattr(delivery, "PATIENCE_SECONDS", 0)  # a sweep never waits for its lanes

    async def take(self, count: int) -> None:
        """Let so many messages arrive in the channel."""
        for _ in range(count):
            self.room.release()
            await self.posted.get()


@pytest.mark.parametrize("taken", [5, 0], ids=["flooded", "silent"])
async def test_a_flooded_channel_delays_no_message_elsewhere(
    house: House, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    """The first sweep after a reminder is due posts it, while the channel takes nothing more."""
    await house.begin(terms=THREE_DAYS, thread=False)
    await owe_many(house)
    flooded = FloodedChannel(house, monkeypatch)
    house.bot.connected = True
    async with asyncio.timeout(HANGS):
        await house.bot.sweep.coro(house.bot)
        await flooded.take(taken)
        await flooded.tried.wait()
        await house.reach_reminder()
        await house.bot.sweep.coro(house.bot)
        await flooded.elsewhere.get()
    assert flooded.posted.empty()
    assert flooded.elsewhere.empty()


async def test_no_more_lanes_post_than_requests_go_out_in_a_second(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    posting, most = Counter[int](), list[int]()

    async def send(_: Delivery, owed: OutboxRow, __: OutboxMessage) -> int:
        posting[owed.channel] += 1
        most.append(sum(posting.values()))
        await asyncio.sleep(0.01)
        posting[owed.channel] -= 1
        return owed.id

    monkeypatch.setattr(Delivery, "_send", send)
    async with house.store.transaction() as db:
        for person in range(1, 10):
            payload = {"name": "Ann", "until": 0, "over": True, "games": []}
            await outbox.owe(db, f"many:{person}", VACATION, person, payload, house.clock())
    house.bot.watch.spread(2)
    await house.bot.delivery.finish_sweep()
    assert (len(most), max(most)) == (9, 2)


# ── Lanes alone ──


class Posts:
    """Rows that are due, in lanes of so many each. A row is the number of its lane, and of its place there.

    `found` rows of each lane are found at a time.
    """

    def __init__(self, numbers: dict[int, int], found: int = 2) -> None:
        self.found = found
        self.due = {lane: [1000 * lane + place for place in range(number)] for lane, number in numbers.items()}
        self.posted, self.at_once, self.most = list[int](), Counter[int](), 0

    async def find(self) -> dict[int, list[int]]:
        """Return the first rows of each lane."""
        return {lane: rows[: self.found] for lane, rows in self.due.items() if rows}

    async def post(self, row: int) -> bool:
        """Post a row."""
        lane = row // 1000
        self.at_once[lane] += 1
        self.most = max(self.most, sum(self.at_once.values()))
        assert self.at_once[lane] == 1, "one at a time"
        await asyncio.sleep(0)
        self.at_once[lane] -= 1
        self.due[lane].remove(row)
        self.posted.append(row)
        return True


async def test_lanes_post_in_order_and_few_at_once() -> None:
    posts = Posts(dict.fromkeys(range(3 * MOST_LANES), 5))
    await Lanes(posts.find, posts.post).work()
    assert len(posts.posted) == 15 * MOST_LANES
    assert posts.most == MOST_LANES
    for lane in range(3 * MOST_LANES):
        of_lane = [row for row in posts.posted if row // 1000 == lane]
        assert of_lane == sorted(of_lane)


async def test_slow_lanes_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as may post at once have much to post. One that comes later waits for a turn of each."""
    monkeypatch.setattr(lanes, "TURN_SECONDS", -1)  # a turn is one message
    posts, late = Posts(dict.fromkeys(range(MOST_LANES), 50), found=50), 1000 * MOST_LANES
    slow = Lanes(posts.find, posts.post)
    await slow.work(0)
    posts.due[MOST_LANES] = [late]
    await slow.work()
    assert posts.posted.index(late) <= 2 * MOST_LANES
    assert len(posts.posted) == 50 * MOST_LANES + 1


async def test_a_lane_that_rests_waits_for_the_next_sweep() -> None:
    tried = list[int]()

    async def post(row: int) -> bool:
        tried.append(row)
        return row != 1000

    async def find() -> dict[int, list[int]]:
        left = {1: [1000, 1001], 2: [2000]}
        return {lane: rows for lane, rows in left.items() if rows[-1] not in tried}

    resting = Lanes(find, post)
    await resting.work()
    assert sorted(tried) == [1000, 2000]
    await resting.work()
    assert sorted(tried) == [1000, 1000, 2000]


async def test_lanes_that_failed_are_started_again(caplog: pytest.LogCaptureFixture) -> None:
    found, fails = iter([ValueError("a bad moment")]), asyncio.Event()

    async def find() -> dict[int, list[int]]:
        await fails.wait()
        if error := next(found, None):
            raise error
        return {}

    failing = Lanes(find, Posts({}).post)
    await failing.work(0)
    fails.set()
    await asyncio.wait({task for task in asyncio.all_tasks() if task.get_name() == "lanes"})
    await failing.work()
    assert "the delivery had stopped" in caplog.text
    caplog.clear()


class SlowRequests:
    """Messages to channels of their own, each of so many requests. Requests go out slowly, and then take a moment."""

    def __init__(self, most_a_second: int, requests: int, messages: int) -> None:
        self.pace, self.requests = Pace(most_a_second, loop_time), requests
        self.due, self.posted, self.given_up = dict.fromkeys(range(messages), 0.0), list[int](), 0
        self.lanes = Lanes(self.find, self.post, lambda: most_a_second)

    async def find(self) -> dict[int, list[int]]:
        """Return the messages that are due, each in its lane."""
        return {row: [row] for row, at in self.due.items() if at <= loop_time()}

    async def post(self, row: int) -> bool:
        """Post a message, unless its try is over before. Then it is due again a minute later."""
        try:
            async with asyncio.timeout(delivery.TRY_SECONDS):
                for _ in range(self.requests):
                    await self.pace.wait()
                    await asyncio.sleep(0.15)
        except TimeoutError:
            self.due[row], self.given_up = loop_time() + 60, self.given_up + 1
            return False
        del self.due[row]
        self.posted.append(row)
        return True

    async def sweep_for(self, seconds: float, more_every: float) -> None:
        """Let the bot sweep, while more messages become due."""
        until = loop_time() + seconds
        while loop_time() < until:
            await self.lanes.work(delivery.PATIENCE_SECONDS)
            for _ in range(int(SWEEP_SECONDS / more_every)):
                self.due[len(self.due) + len(self.posted)] = loop_time()
            await asyncio.sleep(SWEEP_SECONDS)
        await self.lanes.work()


@pytest.mark.parametrize("requests", [1, 5], ids="{} to a message".format)
@pytest.mark.parametrize("most_a_second", [1, 2, 3], ids="{} a second".format)
def test_slow_requests_let_no_message_be_tried_in_vain(most_a_second: int, requests: int) -> None:
    """At first there are far more messages than could be tried at once."""

    async def post_all() -> SlowRequests:
        slow = SlowRequests(most_a_second, requests, messages=200)
        await slow.sweep_for(600, more_every=2 * requests / most_a_second)
        return slow

    slow = run_at_once(post_all())
    assert (slow.due, slow.given_up) == ({}, 0)
    assert len(slow.posted) > 200
