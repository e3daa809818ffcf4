"""Time that lasts for weeks: what counts, what a turn adds, and what stops it."""

import pytest
from hypothesis import given, strategies as some

from gipfbot.match.clock import (
    TIME_CONTROLS,
    Clock,
    Terms,
    TimeControl,
    add_increment,
    counted_time,
    credit_clock,
    days_per_turn,
    flag_clock,
    is_over_weekend,
    moment_after,
    pause_running_clock,
    remaining_time,
    restart_clock,
    resume_paused_clock,
    start_clock,
    stop_clock,
)
from gipfbot.rules import Colour
from tests.rules.helpers import BLACK, WHITE
from tests.support.terms import SAVING, THREE_DAYS
from tests.support.times import DAY, HOUR, parse_moment

WORKDAYS = Terms(days_per_turn(3), weekends=False)


def at(text: str) -> int:
    """Return a moment of January 2026, the 5th of which is a Monday: `day hour:minute`."""
    return parse_moment(f"2026-01-{text}")


def switch_clock(clock: Clock, by: Colour, terms: Terms, now: int, *, paused: bool = False) -> Clock:
    """Return the clock after a turn of `by` in which the opponent had nothing to decide."""
    stopped = add_increment(stop_clock(clock, by, terms, now), by, terms)
    return restart_clock(stopped, by.other, terms, now, paused=paused)


@pytest.mark.parametrize(
    ("since", "until", "hours"),
    [
        ("05 00:00", "06 00:00", 24),
        ("09 18:00", "12 06:00", 12),  # Friday evening to Monday morning
        ("10 09:00", "11 21:00", 0),  # within a weekend
        ("10 09:00", "12 01:00", 1),
        ("05 00:00", "19 00:00", 240),
        ("12 06:00", "09 18:00", -12),
    ],
)
def test_weekends_do_not_count_if_left_out(since: str, until: str, hours: int) -> None:
    assert counted_time(at(since), at(until), WORKDAYS) == hours * HOUR
    assert counted_time(at(since), at(until), THREE_DAYS) == at(until) - at(since)


@pytest.mark.parametrize(
    ("begun", "over"),
    [
        ("05 09:00", False),  # Monday to Thursday
        ("06 23:59", False),  # Tuesday to Friday
        ("08 09:00", True),  # Thursday to Tuesday
        ("10 09:00", True),  # Saturday to the end of Wednesday
    ],
)
def test_an_uncounted_weekend_before_the_deadline_is_noticed(begun: str, over: bool) -> None:
    """Also one at which the turn begins. Not one that counts, and not while the clock is paused."""
    clock = start_clock(WORKDAYS, at(begun))
    assert clock
    assert is_over_weekend(clock, WORKDAYS, WHITE) is over
    assert not is_over_weekend(clock, THREE_DAYS, WHITE)
    paused = start_clock(WORKDAYS, at(begun), paused=True)
    assert paused
    assert not is_over_weekend(paused, WORKDAYS, WHITE)


def test_an_uncounted_weekend_of_the_grace_is_noticed() -> None:
    """Twelve hours after a Friday noon end on Monday. After a Friday morning, they end on Friday."""
    for flagged_at, over in (("09 12:01", True), ("09 11:59", False)):
        late = Clock((0, 0), moment_after(at(flagged_at), WORKDAYS.grace, WORKDAYS), flagged=True)
        assert is_over_weekend(late, WORKDAYS, WHITE) is over


@pytest.mark.parametrize(
    ("moment", "hours", "end"),
    [
        ("05 12:00", 72, "08 12:00"),
        ("08 12:00", 72, "13 12:00"),  # Thursday, Friday, Monday
        ("09 12:00", 12, "12 00:00"),  # used up when the weekend begins: no flag falls before Monday
        ("10 12:00", 1, "12 01:00"),
        ("10 12:00", 0, "12 00:00"),
        ("05 00:00", 24 * 14, "23 00:00"),
    ],
)
def test_a_deadline_never_falls_within_a_weekend(moment: str, hours: int, end: str) -> None:
    assert moment_after(at(moment), hours * HOUR, WORKDAYS) == at(end)


@given(some.integers(0, 2**33), some.integers(0, 400 * DAY), some.booleans())
def test_a_deadline_is_the_last_moment_of_its_duration(moment: int, time: int, weekends: bool) -> None:
    terms = Terms(days_per_turn(3), weekends=weekends)
    end = moment_after(moment, time, terms)
    assert counted_time(moment, end, terms) == time
    assert counted_time(moment, end + 1, terms) == time + 1


def test_without_a_time_control_no_clock_runs() -> None:
    assert start_clock(Terms(), at("05 00:00")) is None


def test_days_per_turn_start_anew_each_turn() -> None:
    clock = start_clock(THREE_DAYS, at("05 00:00"))
    assert clock == Clock((3 * DAY, 3 * DAY), at("08 00:00"))
    assert switch_clock(clock, WHITE, THREE_DAYS, at("07 00:00")) == Clock((3 * DAY, 3 * DAY), at("10 00:00"))


def test_saved_time_is_used_added_to_and_capped() -> None:
    clock = start_clock(SAVING, at("05 00:00"))
    assert clock
    clock = switch_clock(clock, WHITE, SAVING, at("09 00:00"))
    assert clock == Clock((7 * DAY, 10 * DAY), at("19 00:00"))
    clock = switch_clock(clock, BLACK, SAVING, at("09 12:00"))
    assert clock.bank == (7 * DAY, 10 * DAY + DAY // 2)
    for _ in range(8):
        clock = switch_clock(switch_clock(clock, WHITE, SAVING, at("09 12:00")), BLACK, SAVING, at("09 12:00"))
    assert clock.bank == (12 * DAY, 12 * DAY)


def test_time_carried_over_is_kept_above_the_cap() -> None:
    clock = start_clock(SAVING, 0, bank=(20 * DAY, 5 * DAY))
    assert clock
    assert switch_clock(clock, WHITE, SAVING, DAY).bank == (19 * DAY, 5 * DAY)


def test_a_pause_and_a_turn_in_it_cost_nothing() -> None:
    clock = start_clock(THREE_DAYS, at("05 00:00"))
    assert clock
    still = pause_running_clock(clock, THREE_DAYS, at("06 00:00"))
    assert still == Clock((3 * DAY, 3 * DAY), None, 2 * DAY)
    assert pause_running_clock(still, THREE_DAYS, at("07 00:00")) == still
    assert remaining_time(still, THREE_DAYS, at("20 00:00")) == 2 * DAY
    assert resume_paused_clock(still, THREE_DAYS, at("20 00:00")) == Clock((3 * DAY, 3 * DAY), at("22 00:00"))
    assert switch_clock(still, WHITE, THREE_DAYS, at("20 00:00")).deadline == at("23 00:00")
    assert resume_paused_clock(clock, THREE_DAYS, at("20 00:00")) == clock


def test_a_turn_of_a_paused_player_starts_paused() -> None:
    clock = start_clock(SAVING, 0, paused=True)
    assert clock == Clock((10 * DAY, 10 * DAY), None, 10 * DAY)
    assert switch_clock(clock, WHITE, SAVING, 5 * DAY, paused=True) == Clock((11 * DAY, 10 * DAY), None, 10 * DAY)


def test_a_flagged_player_has_one_grace_and_no_time() -> None:
    clock = start_clock(WORKDAYS, at("05 00:00"))
    assert clock
    down = flag_clock(clock, WORKDAYS, at("09 18:00"))
    assert (down.deadline, down.flagged) == (at("12 06:00"), True)
    assert remaining_time(down, WORKDAYS, at("09 18:00")) == 0
    assert pause_running_clock(down, WORKDAYS, at("09 19:00")) == down


def test_time_in_which_nobody_could_play_is_credited() -> None:
    clock = start_clock(WORKDAYS, at("05 00:00"))
    assert clock
    back = credit_clock(clock, WHITE, WORKDAYS, at("06 00:00"), at("12 00:00"))
    assert (back.deadline, back.credited) == (at("14 00:00"), 4 * DAY)
    still = pause_running_clock(clock, WORKDAYS, at("06 00:00"))
    assert credit_clock(still, WHITE, WORKDAYS, at("06 00:00"), at("12 00:00")) == still


@pytest.mark.parametrize(("most", "days"), [(None, 10), (4 * DAY, 4), (20 * DAY, 10)])
def test_a_credit_leaves_no_more_than_the_most(most: int | None, days: int) -> None:
    clock = start_clock(SAVING, at("05 00:00"))
    assert clock
    back = credit_clock(clock, WHITE, SAVING, at("05 00:00"), at("07 00:00"), most)
    assert back.deadline == at("07 00:00") + days * DAY


def test_a_clock_started_meanwhile_gets_no_more_than_its_time() -> None:
    """Somebody has played after the bot came back, and before it noticed its downtime."""
    clock = start_clock(SAVING, at("20 00:00"))
    assert clock
    back = credit_clock(clock, WHITE, SAVING, at("06 00:00"), at("20 00:05"))
    assert (back.deadline, back.credited) == (at("30 00:05"), 5 * 60)
    grace = flag_clock(clock, SAVING, at("20 00:00"))
    assert credit_clock(grace, WHITE, SAVING, at("06 00:00"), at("20 00:05")).deadline == at("20 12:05")


@pytest.mark.parametrize("terms", [Terms(), THREE_DAYS, WORKDAYS, SAVING])
def test_terms_are_stored_by_value(terms: Terms) -> None:
    assert Terms.from_data(terms.data()) == terms


def test_terms_of_old_games_have_what_held_then() -> None:
    assert Terms.from_data({}) == Terms(None, weekends=True, grace=12 * HOUR, thread=False, rated=False, vacation=30)


def test_the_time_controls_on_offer() -> None:
    per_turn = {str(days): TimeControl(days * DAY, days * DAY, days * DAY) for days in (1, 2, 3, 5, 7, 14)}
    saving = {
        "short-saving": TimeControl(5 * DAY, 12 * HOUR, 7 * DAY),
        "saving": TimeControl(10 * DAY, DAY, 15 * DAY),
        "long-saving": TimeControl(30 * DAY, DAY, 45 * DAY),
    }
    assert {"none": None, **per_turn, **saving} == TIME_CONTROLS
    assert [control.per_turn for control in (*per_turn.values(), *saving.values())] == [True] * 6 + [False] * 3
