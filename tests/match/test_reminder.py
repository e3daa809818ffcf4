"""When a player is reminded of a turn."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    Clock,
    Game,
    ReminderWish,
    Terms,
    credit_game_clock,
    days_per_turn,
    new_game,
    remind_at,
    start_game_clock,
)
from gipfbot.rules import BASIC, Colour
from tests.match.helpers import SEATS
from tests.support.times import DAY, HOUR

MONDAY = 4 * DAY + 100 * 7 * DAY


def game(days: int = 4, since: int = MONDAY, *, weekends: bool = True) -> Game:
    """Return a game that begins then."""
    return start_game_clock(new_game(1, BASIC, SEATS, Terms(days_per_turn(days), weekends)), since)


@pytest.mark.parametrize(
    ("wish", "after"),
    [
        (ReminderWish(25), 3 * DAY),
        (ReminderWish(50), 2 * DAY),
        (ReminderWish(10), 4 * DAY - 4 * DAY // 10),
        (ReminderWish(hours=12), 4 * DAY - 12 * HOUR),
        (ReminderWish(hours=48), 2 * DAY),
        (ReminderWish(hours=1000), 2 * DAY),
    ],
)
def test_a_reminder_comes_at_its_share_or_hours(wish: ReminderWish, after: int) -> None:
    assert remind_at(game(), wish) == MONDAY + after


def test_a_weekend_left_out_is_no_part_of_the_share() -> None:
    """Of four days from Wednesday on, the last one is the Tuesday after."""
    wednesday = MONDAY + 2 * DAY
    assert remind_at(game(since=wednesday, weekends=False), ReminderWish(25)) == wednesday + 5 * DAY
    assert remind_at(game(since=wednesday, weekends=False), ReminderWish(hours=30)) == wednesday + 6 * DAY - 30 * HOUR


def test_credit_puts_a_reminder_off_as_much() -> None:
    assert (
        remind_at(credit_game_clock(game(), Colour.WHITE, MONDAY, MONDAY + DAY), ReminderWish(25)) == MONDAY + 4 * DAY
    )


def test_paused_and_flagged_players_are_not_reminded() -> None:
    running = game()
    assert running.clock
    for clock in (None, Clock((1, 1), paused_left=5), replace(running.clock, flagged=True)):
        assert remind_at(replace(running, clock=clock), ReminderWish(25)) is None
