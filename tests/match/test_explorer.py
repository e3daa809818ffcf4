"""The explorer counts the first turns of a game, each once."""

import pytest

from gipfbot.match import position_after
from gipfbot.match.explorer import EXPLORED_TURNS, WinRate, explored_step, explored_steps, whole_turns
from gipfbot.rules import BASIC, Kind, start
from tests.match.studies import turns_of
from tests.support.games import CIRCLE, E1, TURNS


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


def test_each_turn_is_counted_at_the_position_before_it() -> None:
    turns, position = turns_of(TURNS, BASIC), start(BASIC)
    for step, actions in zip(explored_steps(whole_turns(BASIC, turns)), turns, strict=True):
        assert step == explored_step(position, actions)
        position = position_after(position, actions)


def test_only_the_first_turns_are_counted_and_each_once() -> None:
    """Back at the start, the players may play otherwise. The 12 turns have 8 of the circle, and 4 others."""
    again = turns_of((*CIRCLE, *CIRCLE), BASIC)
    assert len(explored_steps(whole_turns(BASIC, again))) == len(CIRCLE)
    other = turns_of((*CIRCLE, *TURNS), BASIC)
    found = explored_steps(whole_turns(BASIC, other))
    assert found == explored_steps(whole_turns(BASIC, other[:EXPLORED_TURNS]))
    assert len(found) == EXPLORED_TURNS - 2, "c2 and g2 are played again"


def test_twelve_turns_are_counted_as_the_players_guide_says() -> None:
    assert EXPLORED_TURNS == 12


def test_a_turn_that_is_not_legal_is_refused() -> None:
    first, second, *_ = turns_of(TURNS, BASIC)
    in_basic = E1._replace(kind=Kind.GIPF)
    for illegal in ([first + second], [(in_basic,)]):
        with pytest.raises(ValueError, match="is not legal"):
            explored_steps(whole_turns(BASIC, illegal))
    with pytest.raises(ValueError, match="no whole turn"):
        explored_steps(whole_turns(BASIC, [first, ()]))
