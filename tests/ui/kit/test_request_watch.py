"""Counts of requests: what lies within the window, and when requests stop and go on."""

import asyncio
from contextlib import suppress
from types import SimpleNamespace
from typing import cast
from unittest.mock import Mock

import pytest
from aiohttp import TraceRequestEndParams, TraceRequestExceptionParams, TraceRequestStartParams
from discord.http import Route
from multidict import CIMultiDict
from yarl import URL

from gipfbot.ui.kit import request_watch
from gipfbot.ui.kit.request_watch import (
    ALL,
    FEW_INVALID,
    FIRST_HOLD,
    INVALID_SECONDS,
    MOST_A_SECOND,
    MOST_INVALID,
    MOST_RECENT,
    NO_ANSWER,
    POSTS,
    RECENT_SECONDS,
    Holds,
    InvalidRequests,
    Pace,
    RecentRequests,
    RequestWatch,
    SlidingCount,
)
from tests.support.steady_clock import Seconds
from tests.support.times import HANGS
from tests.support.virtual_loop import loop_time, run_at_once


def test_sliding_count_forgets_what_is_older_than_its_window() -> None:
    seconds = Seconds()
    count = SlidingCount(10, seconds)
    for _ in range(5):
        count.add()
        seconds.now += 3
    assert count.count == 3, "those 3, 6 and 9 seconds ago"
    seconds.now += 100
    assert count.count == 0


def test_sliding_count_remembers_no_more_than_its_window() -> None:
    seconds = Seconds()
    count = SlidingCount(1, seconds)
    for _ in range(1000):
        count.add()
        seconds.now += 0.5
    assert len(count._moments) <= 3


def test_invalid_requests_stop_at_the_limit_and_go_on_at_half_of_it() -> None:
    """In between, it makes a difference where they come from."""
    seconds = Seconds()
    invalid = InvalidRequests(seconds)
    stopped_at = []
    for number in range(1, MOST_INVALID + 1):
        invalid.add()
        seconds.now += INVALID_SECONDS / MOST_INVALID / 2
        stopped_at += [number] if invalid.stopped else []
    assert stopped_at == [MOST_INVALID]
    assert MOST_INVALID == 5000, "half of what Discord bans for"
    counts = []
    while invalid.stopped:
        counts.append(invalid.count)
        seconds.now += 1
    assert counts[-1] > FEW_INVALID >= invalid.count
    assert len(counts) <= INVALID_SECONDS
    invalid.add()
    assert not invalid.stopped


def test_held_requests_wait_twice_as_long_each_time_until_one_is_taken() -> None:
    """Refusals of requests that were sent before the wait count once."""
    seconds = Seconds()
    holds, waits = Holds(seconds), list[float | None]()
    for _ in range(8):
        waits += [holds.begin(POSTS), holds.begin(POSTS)]
        assert holds.lasts(POSTS)
        assert not holds.lasts("GET /channels//messages")
        seconds.now += waits[-2] or 0
        assert not holds.lasts(POSTS)
    assert waits == [5, None, 10, None, 20, None, 40, None, 80, None, 160, None, 300, None, 300, None]
    holds.note_taken(POSTS)
    assert holds.begin(POSTS) == FIRST_HOLD


def test_hold_of_all_requests_is_one_of_each() -> None:
    holds = Holds(Seconds())
    holds.begin(ALL)
    holds.note_taken(POSTS)
    assert holds.lasts(POSTS)
    assert holds.lasts("GET /users/@me")


def test_requests_are_busy_above_the_rate() -> None:
    seconds = Seconds()
    recent = RecentRequests(seconds)
    busy = []
    for _ in range(MOST_RECENT + 1):
        recent.add()
        busy.append(recent.busy)
    assert busy == [False] * MOST_RECENT + [True]
    seconds.now += RECENT_SECONDS
    assert not recent.busy


def test_process_with_half_the_shards_stops_at_half_the_invalid_requests() -> None:
    invalid = InvalidRequests(Seconds(), share=0.5)
    for number in range(MOST_INVALID // 2):
        assert not invalid.stopped, number
        invalid.add()
    assert invalid.stopped
    assert invalid.few == FEW_INVALID // 2


async def wait_in(pace: Pace, gone: list[float], tries: float = HANGS) -> None:
    """Note when the pace has let a request go out, unless it is given up before."""
    with suppress(TimeoutError):
        async with asyncio.timeout(tries):
            await pace.wait()
            gone.append(loop_time())


def test_pace_lets_so_many_go_out_in_each_second() -> None:
    """Requests asked for at once go out in groups, each a second after the one before."""
    most, gone = 15, list[float]()

    async def ask() -> None:
        pace = Pace(most, loop_time)
        await asyncio.gather(*(wait_in(pace, gone) for _ in range(3 * most)))

    run_at_once(ask())
    assert gone == pytest.approx([0] * most + [RECENT_SECONDS] * most + [2 * RECENT_SECONDS] * most)


def test_request_that_is_given_up_takes_no_time_from_others() -> None:
    gone = list[float]()

    async def ask() -> None:
        pace = Pace(1, loop_time)
        given_up = [wait_in(pace, gone, 2.5) for _ in range(20)]
        await asyncio.gather(*given_up, wait_in(pace, gone))

    run_at_once(ask())
    assert gone == pytest.approx([0, 1, 2, 3])


def test_pace_delays_nothing_after_a_rest() -> None:
    gone = list[float]()

    async def ask() -> None:
        pace = Pace(4, loop_time)
        for _ in range(45):
            await pace.wait()
        await asyncio.sleep(60)
        begun = loop_time()
        await pace.wait()
        gone.append(loop_time() - begun)

    run_at_once(ask())
    assert gone == [0]


@pytest.mark.parametrize(("share", "most"), [(1, MOST_A_SECOND), (0.5, MOST_A_SECOND // 2)])
async def test_requests_wait_in_a_lone_process_too(monkeypatch: pytest.MonkeyPatch, share: float, most: int) -> None:
    """Answers to interactions never do. Discord refuses the 51st request of a second, of all processes together."""
    delays, session = list[float](), Mock()

    async def wait(seconds: float) -> None:
        delays.append(seconds)

    watch = RequestWatch(lambda: None, share)
    watch.trace.freeze()
    monkeypatch.setattr(request_watch, "asyncio", SimpleNamespace(sleep=wait))
    for path in ["/channels/1/messages", "/webhooks/1/token/messages/@original"] * (most + 1):
        request = TraceRequestStartParams("POST", URL(Route.BASE + path), CIMultiDict())
        await watch.trace.on_request_start.send(session, SimpleNamespace(), request)
    assert delays[:-1] == [0] * most
    assert delays[-1] == pytest.approx(RECENT_SECONDS, abs=0.5)


@pytest.mark.parametrize(
    ("method", "path", "left", "until"),
    [
        ("POST", "/channels/7/messages", "4", 0),
        ("POST", "/channels/7/messages", "1", 4.5),
        ("POST", "/channels/7/messages", "0", 4.5),
        ("POST", "/channels/7/messages", None, 0),
        ("GET", "/channels/7/messages", "0", 0),
        ("PATCH", "/channels/7/messages/8", "1", 0),
        ("POST", "/channels/8/messages", "0", 0),
    ],
)
def test_last_messages_that_a_channel_takes_are_left_to_people(
    method: str, path: str, left: str | None, until: float
) -> None:
    """As Discord says when a message was posted there."""

    async def noted() -> float:
        watch = RequestWatch(lambda: None)
        for known in ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "0"}, headers_of(left)):
            response = SimpleNamespace(status=200, headers=CIMultiDict(known))
            request = SimpleNamespace(method=method, url=URL(Route.BASE + path), response=response)
            await watch._end(None, SimpleNamespace(), cast("TraceRequestEndParams", request))
        assert watch.takes_edits(7) is (method != "PATCH")
        return watch.posts_until(7)

    assert run_at_once(noted()) == until


async def test_each_request_to_discord_is_counted_by_its_status() -> None:
    """Also one without an answer. What goes to its gateway or its files is not."""
    found = list[str]()
    watch = RequestWatch(lambda: None, 1, found.append)
    for address in (f"{Route.BASE}/channels/7/messages", "https://cdn.example.com/icon.png"):
        for status in (200, 429, 503):
            request = SimpleNamespace(
                method="GET",
                url=URL(address),
                response=SimpleNamespace(status=status, headers=CIMultiDict({"Via": ""})),
            )
            await watch._end(None, SimpleNamespace(), cast("TraceRequestEndParams", request))
        failed = SimpleNamespace(url=URL(address), exception=TimeoutError())
        await watch._fail(None, SimpleNamespace(), cast("TraceRequestExceptionParams", failed))
    assert found == ["200", "429", "503", NO_ANSWER]


def headers_of(left: str | None) -> dict[str, str]:
    """Return what Discord says of the messages that a channel still takes."""
    return {"X-RateLimit-Remaining": left, "X-RateLimit-Reset-After": "4.5"} if left else {}
