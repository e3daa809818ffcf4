"""Token buckets: how many uses at once, how many in the long run, and how much is remembered."""

import pytest

from gipfbot.ui.kit.token_buckets import TokenBuckets
from gipfbot.values import DEFAULT_LIMITS
from tests.support.times import HOUR, NOW

ANN, BOB = 1, 2


def test_full_bucket_gives_its_tokens_at_once() -> None:
    buckets = TokenBuckets(3, per_minute=60)
    assert [buckets.take(ANN, NOW) for _ in range(5)] == [0, 0, 0, 1, 1]
    assert buckets.take(BOB, NOW) == 0, "each person has a bucket"


@pytest.mark.parametrize("per_minute", [1, 7, 45, 59, 60, 61, 120])
def test_token_is_there_after_the_seconds_told_and_not_before(per_minute: int) -> None:
    """Also if the person goes on trying: a refusal takes nothing."""
    buckets, now = TokenBuckets(2, per_minute), NOW
    for _ in range(50):
        if wait := buckets.take(ANN, now):
            assert [buckets.take(ANN, now + second) for second in range(wait)] == [*range(wait, 0, -1)]
            now += wait
            assert buckets.take(ANN, now) == 0


def test_bucket_holds_no_more_than_its_size() -> None:
    buckets = TokenBuckets(3, per_minute=60)
    buckets.take(ANN, NOW)
    assert [buckets.take(ANN, NOW + HOUR) for _ in range(4)] == [0, 0, 0, 1]


def test_clock_rollback_gives_no_tokens_and_costs_none() -> None:
    buckets = TokenBuckets(2, per_minute=60)
    buckets.take(ANN, NOW)
    assert [buckets.take(ANN, NOW - HOUR) for _ in range(2)] == [0, 1]
    assert buckets.take(ANN, NOW - HOUR + 1) == 0


def test_full_buckets_are_forgotten() -> None:
    """However many people act, only those of the last seconds are remembered."""
    buckets = TokenBuckets(3, per_minute=60)
    for person in range(10_000):
        buckets.take(person, NOW + person // 10)
        assert len(buckets) <= 20
    buckets.take(ANN, NOW + HOUR)
    assert len(buckets) == 1


def test_bucket_that_is_not_full_is_remembered() -> None:
    buckets = TokenBuckets(3, per_minute=6)
    for _ in range(3):
        buckets.take(ANN, NOW)
    for person in range(2, 100):
        buckets.take(person, NOW + 1)
    assert buckets.take(ANN, NOW + 2) == 8


def test_fast_player_meets_no_limit() -> None:
    """Who steps through a study presses three times a second for half a minute."""
    buckets = TokenBuckets(DEFAULT_LIMITS.interaction_burst, DEFAULT_LIMITS.interactions_per_minute)
    assert not any(buckets.take(ANN, NOW + press // 3) for press in range(90))
    typed = TokenBuckets(DEFAULT_LIMITS.suggestion_burst, DEFAULT_LIMITS.suggestions_per_minute)
    assert not any(typed.take(ANN, NOW + key // 6) for key in range(300))
