"""How long the bot's own search takes here."""

from itertools import count

import pytest

from gipfbot.engines import speed
from gipfbot.engines.speed import Speed, measure_speed
from gipfbot.search import LEVELS


def test_speed_is_measured_until_it_takes_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock tells the processor time: here, each look at it takes 10, then 50, then 200 milliseconds."""
    monkeypatch.setattr(speed, "MEASURED_SECONDS", 0.1)
    times = iter([0, 0.01, 1, 1.05, 2, 2.2] * 2)
    found = measure_speed(lambda: next(times))
    assert 1_600 / 0.2 <= found.plain <= 1_700 / 0.2
    assert 1_600 / 0.2 <= found.slow <= 1_700 / 0.2


def test_a_level_takes_as_long_as_the_slower_search() -> None:
    assert Speed(100_000, 10_000).seconds_of(8) == LEVELS[7].nodes / 100_000
    assert Speed(100_000_000, 1_000).seconds_of(8) == LEVELS[7].slow_nodes / 1_000


def test_the_processor_time_of_the_thread_is_taken() -> None:
    ticks = count(0, 1)
    assert measure_speed(lambda: float(next(ticks))).plain > 0
