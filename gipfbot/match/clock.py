"""Time in a game that lasts for weeks (R6.4). Pure: `now` is an argument.

Moments are UTC seconds, durations seconds. Where weekends are left out, Saturday and Sunday (UTC) do not count, and no
deadline falls within them. A clock is changed by whatever happens to the game: a turn, a pause, a fallen flag.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from gipfbot.rules import ByColour, Colour

HOUR = 3600
DAY = 24 * HOUR
DAYS_PER_TURN = (1, 2, 3, 5, 7, 14)
DEFAULT_GRACE = 12 * HOUR
_WEEK, _WORK_WEEK = 7 * DAY, 5 * DAY
_A_MONDAY = 4 * DAY  # 1970-01-05: the time that counts is counted from there


@dataclass(frozen=True)
class TimeControl:
    """How much time a player has at first, what each turn adds, and how much he can save up at most.

    Days per turn are the case in which each turn fills the clock up again.
    """

    first: int
    increment: int
    cap: int

    @property
    def per_turn(self) -> bool:
        """Whether every turn starts with the same time."""
        return self.increment >= self.cap


def days_per_turn(days: int) -> TimeControl:
    """Return the pace of so many days for each turn."""
    return TimeControl(days * DAY, days * DAY, days * DAY)


# What is offered, by name; without a pace nobody's time runs.
TIME_CONTROLS: Mapping[str, TimeControl | None] = {
    "none": None,
    **{str(days): days_per_turn(days) for days in DAYS_PER_TURN},
    "short-saving": TimeControl(5 * DAY, 12 * HOUR, 7 * DAY),
    "saving": TimeControl(10 * DAY, DAY, 15 * DAY),
    "long-saving": TimeControl(30 * DAY, DAY, 45 * DAY),
}


@dataclass(frozen=True)
class Terms:
    """What two people agree on besides the rules; without a pace nobody's time runs."""

    time_control: TimeControl | None = None
    weekends: bool = True  # whether they count
    grace: int = DEFAULT_GRACE  # to finish a turn after the flag has fallen
    thread: bool = False  # whether its boards go to a thread of its own

    def data(self) -> dict[str, Any]:
        """Return the terms as plain data; `from_data` reads it back."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Terms":
        """Return the terms that `data` described. Raises TypeError or KeyError for anything else."""
        time_control = data["time_control"] and TimeControl(**data["time_control"])
        return cls(time_control, data["weekends"], data["grace"], data.get("thread", False))


UNTIMED = Terms()


@dataclass(frozen=True)
class Clock:
    """The time of both players. That of the player to move runs until `deadline`, or stands still with `left`.

    `fallen` tells that his flag has fallen, and that the deadline ends the grace he has to finish his turn; `given` is
    the time given back to him in this turn because nobody could play.
    """

    bank: ByColour[int]
    deadline: int | None = None
    paused_left: int | None = None
    flagged: bool = False
    credited: int = 0


def counted_time(since: int, until: int, terms: Terms) -> int:
    """Return how much of the time between two moments counts; negative if the second comes first."""
    return until - since if terms.weekends else _counted_since_monday(until) - _counted_since_monday(since)


def moment_after(moment: int, duration: int, terms: Terms) -> int:
    """Return the last moment up to which no more than this duration counts."""
    if terms.weekends:
        return moment + duration
    weeks, rest = divmod(_counted_since_monday(moment) + duration, _WORK_WEEK)
    return _A_MONDAY + weeks * _WEEK + rest


def moment_before(moment: int, duration: int, terms: Terms) -> int:
    """Return the moment from which on as much counts until the one given."""
    return moment_after(moment, -duration, terms)


def _counted_since_monday(moment: int) -> int:
    """Return how much time has counted since that Monday, weekends left out."""
    weeks, rest = divmod(moment - _A_MONDAY, _WEEK)
    return weeks * _WORK_WEEK + min(rest, _WORK_WEEK)


def start_clock(terms: Terms, now: int, *, paused: bool = False, bank: ByColour[int] | None = None) -> Clock | None:
    """Return the clock of a game that begins, White's running; None without a pace. `saved` is what is carried over."""
    if terms.time_control is None:
        return None
    first = terms.time_control.first
    return _run_clock(Clock(bank or (first, first)), Colour.WHITE, terms, now, paused)


def switch_clock(clock: Clock, by: Colour, terms: Terms, now: int, *, paused: bool = False) -> Clock:
    """Return the clock after a turn, the other player's running, or standing still if he has `pause_running_clock` his games.

    What is left to whoever has moved is his for the next turn, with the increment on top up to the cap.
    """
    assert terms.time_control
    left = remaining_time(clock, terms, now)
    time = max(left, min(terms.time_control.cap, left + terms.time_control.increment))
    saved = (time, clock.bank[1]) if by is Colour.WHITE else (clock.bank[0], time)
    return _run_clock(Clock(saved), by.other, terms, now, paused)


def restart_clock(clock: Clock, mover: Colour, terms: Terms, now: int, *, paused: bool = False) -> Clock:
    """Return the clock of a turn that begins anew for `mover`, with all that either has saved."""
    return _run_clock(Clock(clock.bank), mover, terms, now, paused)


def _run_clock(clock: Clock, mover: Colour, terms: Terms, now: int, paused: bool) -> Clock:
    time = clock.bank[mover]
    return replace(clock, paused_left=time) if paused else replace(clock, deadline=moment_after(now, time, terms))


def remaining_time(clock: Clock, terms: Terms, now: int) -> int:
    """Return the time left to the player to move; none after his flag has fallen."""
    if clock.flagged:
        return 0
    return clock.paused_left or 0 if clock.deadline is None else max(0, counted_time(now, clock.deadline, terms))


def is_overdue(clock: Clock, now: int) -> bool:
    """Return whether the time, or the grace, of the player to move is over."""
    return clock.deadline is not None and now > clock.deadline


def pause_running_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock standing still; one that stands, and one whose flag has fallen, stays as it is."""
    if clock.deadline is None or clock.flagged:
        return clock
    return replace(clock, deadline=None, paused_left=remaining_time(clock, terms, now))


def resume_paused_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock running again with what was left; one that runs stays as it is."""
    return (
        clock
        if clock.paused_left is None
        else replace(clock, deadline=moment_after(now, clock.paused_left, terms), paused_left=None)
    )


def credit_clock(clock: Clock, mover: Colour, terms: Terms, since: int, until: int, most: int | None = None) -> Clock:
    """Return the clock as if it had stood still between two moments, during which nobody could move.

    Where it began to run only after the first of them, its player has all his time from the second one on, or as much
    as `most` of it, but no more.
    """
    if clock.deadline is None:
        return clock
    whole = terms.grace if clock.flagged else clock.bank[mover]
    most = whole if most is None else min(whole, most)
    deadline = moment_after(until, min(most, counted_time(since, clock.deadline, terms)), terms)
    return replace(clock, deadline=deadline, credited=clock.credited + counted_time(clock.deadline, deadline, terms))


def flag_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock after the flag of the player to move has fallen: he has his grace from now on."""
    return replace(clock, deadline=moment_after(now, terms.grace, terms), flagged=True)
