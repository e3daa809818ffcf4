"""Lanes of the delivery: a channel that is flooded, slow or silent delays no other channel and no person."""

import asyncio
from collections import Counter

import pytest
from sqlalchemy import update

from gipfbot.service.clock.vacations import VACATION
from gipfbot.store import outbox, tables
from gipfbot.ui.delivery import delivery, lanes
from gipfbot.ui.delivery.delivery import Delivery
from gipfbot.ui.delivery.lanes import MOST_LANES, Lanes
from gipfbot.ui.kit.outbox_messages import OutboxMessage
from gipfbot.values import OutboxRow
from tests.support.terms import THREE_DAYS

from .house import House

OWED = 600  # messages
FASTER = 5  # times: all waits of the bot and of Discord are shorter in these tests
SWEEP_SECONDS = 10 / FASTER
SECOND_EACH = 1 / FASTER  # a flooded channel takes 5 messages in 5 seconds
WITHIN = 15  # seconds, and messages to the flooded channel, before a message elsewhere has been posted


async def owe_many(house: House) -> None:
    """Owe the channel many messages."""
    payload = {"name": "Ann", "until": 0, "over": True, "games": []}
    async with house.store.transaction() as db:
        for number in range(OWED):
            await outbox.owe(db, f"many:{number}", VACATION, house.channel.id, payload, house.clock())


async def owe_reminder(house: House) -> None:
    """Let a reminder of Ann be due now."""
    async with house.store.transaction() as db:
        await db.execute(update(tables.due).values(at=house.clock()))


def slow_channel(house: House, patch: pytest.MonkeyPatch, seconds: float) -> asyncio.Event:
    """Let each post to the channel take so many seconds, as discord.py waits for Discord's limits.

    Return the event that a message was posted elsewhere.
    """
    send, elsewhere = Delivery._send, asyncio.Event()

    async def send_slowly(poster: Delivery, owed: OutboxRow, post: OutboxMessage) -> int:
        if owed.channel == house.channel.id:
            await asyncio.sleep(seconds)
        posted = await send(poster, owed, post)
        if owed.channel != house.channel.id:
            elsewhere.set()
        return posted

    patch.setattr(Delivery, "_send", send_slowly)
    for module, name in ((delivery, "PATIENCE_SECONDS"), (delivery, "TRY_SECONDS"), (lanes, "TURN_SECONDS")):
        patch.setattr(module, name, getattr(module, name) / FASTER)
    return elsewhere


async def sweep_often(house: House) -> None:
    """Let the bot sweep as when it runs."""
    house.bot.connected = True
    while True:
        await asyncio.gather(house.bot.sweep.coro(house.bot), asyncio.sleep(SWEEP_SECONDS))


@pytest.mark.parametrize("seconds", [SECOND_EACH, 3600], ids=["flooded", "silent"])
async def test_a_flooded_channel_delays_no_message_elsewhere(
    house: House, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    await house.begin(terms=THREE_DAYS, thread=False)
    await owe_many(house)
    elsewhere = slow_channel(house, monkeypatch, seconds)
    before = len(house.channel.messages)
    sweeps = asyncio.create_task(sweep_often(house))
    await asyncio.sleep(3 * SECOND_EACH)
    await owe_reminder(house)
    async with asyncio.timeout(WITHIN / FASTER):
        await elsewhere.wait()
    sweeps.cancel()
    flooded = len(house.channel.messages) - before
    assert (flooded > 0) == (seconds < 1)
    assert flooded <= WITHIN + 3


# ── Lanes alone ──


class Posts:
    """Rows that are due, in lanes of so many each. A row is the number of its lane, and of its place there."""

    def __init__(self, numbers: dict[int, int], seconds: float = 0) -> None:
        self.due = {lane: [1000 * lane + place for place in range(number)] for lane, number in numbers.items()}
        self.seconds, self.posted, self.at_once, self.most = seconds, list[int](), Counter[int](), 0

    async def find(self) -> dict[int, list[int]]:
        """Return what is due, two rows of each lane."""
        return {lane: rows[:2] for lane, rows in self.due.items() if rows}

    async def post(self, row: int) -> bool:
        """Post a row."""
        lane = row // 1000
        self.at_once[lane] += 1
        self.most = max(self.most, sum(self.at_once.values()))
        assert self.at_once[lane] == 1, "one at a time"
        await asyncio.sleep(self.seconds)
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
    """As many as may post at once never end; those that come later are not kept waiting."""
    monkeypatch.setattr(lanes, "TURN_SECONDS", 0)
    posts = Posts(dict.fromkeys(range(MOST_LANES), 500), seconds=0.01)
    slow = Lanes(posts.find, posts.post)
    await slow.work(0.05)
    posts.due[MOST_LANES] = [1000 * MOST_LANES]
    await slow.work(0.1)
    assert 1000 * MOST_LANES in posts.posted
    await slow.stop()
    assert not posts.due[MOST_LANES]


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
    found = iter([ValueError("a bad moment")])

    async def find() -> dict[int, list[int]]:
        await asyncio.sleep(0.01)
        if error := next(found, None):
            raise error
        return {}

    failing = Lanes(find, Posts({}).post)
    await failing.work(0)
    await asyncio.sleep(0.05)
    await failing.work()
    assert "the delivery had stopped" in caplog.text
    caplog.clear()
