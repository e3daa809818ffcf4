"""The interval of a share, against values that others have worked out."""

import pytest

from gipfbot.match.win_rate import WinRate


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # Worked out by hand: z²/n = 3.84146, so (1 + 1.92073 ± 1.92073) / 4.84146
        (1, 1, 0.2065, 1.0000),
    ],
)
def test_interval_is_the_published_one(wins: int, games: int, low: float, high: float) -> None:
    assert WinRate(wins, games).wilson_interval() == pytest.approx((low, high), abs=0.00005)
    mirrored = WinRate(games - wins, games).wilson_interval()
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=0.00005)


def test_interval_holds_the_share_and_narrows_with_more_games() -> None:
    widths = []
    for games in (1, 2, 7, 61, 1000, 100_000):
        for wins in {0, 1, games // 3, games}:
            rate = WinRate(wins, games)
            low, high = rate.wilson_interval()
            assert 0 <= low <= rate.share <= high <= 1
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
