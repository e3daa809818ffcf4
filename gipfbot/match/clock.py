"""The clock of a game that lasts for weeks (R6.4). Pure: `now` is an argument.

Moments are UTC seconds, durations seconds. If weekends are left out, Saturday and Sunday (UTC) do not count, and no
deadline falls within them. Turns, pauses and falling flags change a clock.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from gipfbot.rules import ByColour, Colour

HOUR = 3600
DAY = 24 * HOUR
DAYS_PER_TURN = (1, 2, 3, 5, 7, 14)
DEFAULT_GRACE = 12 * HOUR
_WEEK, _WORK_WEEK = 7 * DAY, 5 * DAY
_A_MONDAY = 4 * DAY  # 1970-01-05: counted time starts there


@dataclass(frozen=True)
class TimeControl:
    """The time a player has at first, what each turn adds, and the most they can save up.

    With days per turn each turn fills the clock up again.
    """

    first: int
    increment: int
    cap: int

    @property
    def per_turn(self) -> bool:
        """Whether every turn starts with the same time."""
        return self.increment >= self.cap


def days_per_turn(days: int) -> TimeControl:
    """Return the time control of so many days for each turn."""
    return TimeControl(days * DAY, days * DAY, days * DAY)


# The time controls on offer, by name. "none" is a game without a time limit.
TIME_CONTROLS: Mapping[str, TimeControl | None] = {
    "none": None,
    **{str(days): days_per_turn(days) for days in DAYS_PER_TURN},
    "short-saving": TimeControl(5 * DAY, 12 * HOUR, 7 * DAY),
    "saving": TimeControl(10 * DAY, DAY, 15 * DAY),
    "long-saving": TimeControl(30 * DAY, DAY, 45 * DAY),
}


@dataclass(frozen=True)
class Terms:
    """What two people agree on besides the rules."""

    time_control: TimeControl | None = None  # None is a game without a time limit
    weekends: bool = True  # whether they count
    grace: int = DEFAULT_GRACE  # seconds to finish a turn once flagged
    thread: bool = False  # whether the game gets a thread of its own

    def data(self) -> dict[str, Any]:
        """Return the terms as plain data; `from_data` reads it back."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Terms":
        """Return the terms that `data` packed. Missing fields keep their defaults, unknown ones are passed over.

        Raises TypeError or AttributeError for anything else.
        """
        known = _known_fields(cls, data)
        if known.get("time_control"):
            known["time_control"] = TimeControl(**_known_fields(TimeControl, known["time_control"]))
        return cls(**known)


def _known_fields(kind: type[TimeControl | Terms], data: dict[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in data.items() if name in names}


UNTIMED = Terms()


@dataclass(frozen=True)
class Clock:
    """The time of both players. The clock of the player to move either runs until `deadline` or is paused."""

    bank: ByColour[int]  # seconds each had at the start of the turn
    deadline: int | None = None
    paused_left: int | None = None  # seconds left while the clock is paused
    flagged: bool = False  # whether the flag has fallen: then the deadline ends the grace
    credited: int = 0  # seconds credited in this turn, as nobody could play


def counted_time(since: int, until: int, terms: Terms) -> int:
    """Return the seconds that count between two moments; negative if the second comes first."""
    return until - since if terms.weekends else _counted_since_monday(until) - _counted_since_monday(since)


def moment_after(moment: int, duration: int, terms: Terms) -> int:
    """Return the latest moment by which no more than this duration has counted."""
    if terms.weekends:
        return moment + duration
    weeks, rest = divmod(_counted_since_monday(moment) + duration, _WORK_WEEK)
    return _A_MONDAY + weeks * _WEEK + rest


def moment_before(moment: int, duration: int, terms: Terms) -> int:
    """Return the latest moment from which on this duration counts until the given one."""
    return moment_after(moment, -duration, terms)


def _counted_since_monday(moment: int) -> int:
    """Return the seconds that have counted since _A_MONDAY, weekends left out."""
    weeks, rest = divmod(moment - _A_MONDAY, _WEEK)
    return weeks * _WORK_WEEK + min(rest, _WORK_WEEK)


def start_clock(terms: Terms, now: int, *, paused: bool = False, bank: ByColour[int] | None = None) -> Clock | None:
    """Return the clock at the start of a game, with White's time running; None without a time control.

    `bank` is time carried over from another game.
    """
    if terms.time_control is None:
        return None
    first = terms.time_control.first
    return _run_clock(Clock(bank or (first, first)), Colour.WHITE, terms, now, paused)


def switch_clock(clock: Clock, by: Colour, terms: Terms, now: int, *, paused: bool = False) -> Clock:
    """Return the clock after a turn `by` a player: the other player's time runs, unless it is `paused`.

    The player who has moved keeps the time they have left, plus the increment up to the cap.
    """
    assert terms.time_control
    left = remaining_time(clock, terms, now)
    time = max(left, min(terms.time_control.cap, left + terms.time_control.increment))
    bank = (time, clock.bank[1]) if by is Colour.WHITE else (clock.bank[0], time)
    return _run_clock(Clock(bank), by.other, terms, now, paused)


def restart_clock(clock: Clock, mover: Colour, terms: Terms, now: int, *, paused: bool = False) -> Clock:
    """Return the clock of a turn that starts again for `mover`, with the whole bank of both."""
    return _run_clock(Clock(clock.bank), mover, terms, now, paused)


def _run_clock(clock: Clock, mover: Colour, terms: Terms, now: int, paused: bool) -> Clock:
    time = clock.bank[mover]
    return replace(clock, paused_left=time) if paused else replace(clock, deadline=moment_after(now, time, terms))


def remaining_time(clock: Clock, terms: Terms, now: int) -> int:
    """Return the seconds left to the player to move; 0 once flagged."""
    if clock.flagged:
        return 0
    return clock.paused_left or 0 if clock.deadline is None else max(0, counted_time(now, clock.deadline, terms))


def is_overdue(clock: Clock, now: int) -> bool:
    """Return whether the time of the player to move, or once flagged their grace, is over."""
    return clock.deadline is not None and now > clock.deadline


def pause_running_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock paused. A clock that is paused already, or flagged, does not change."""
    if clock.deadline is None or clock.flagged:
        return clock
    return replace(clock, deadline=None, paused_left=remaining_time(clock, terms, now))


def resume_paused_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock running again with the time that was left. A clock that runs does not change."""
    if clock.paused_left is None:
        return clock
    return replace(clock, deadline=moment_after(now, clock.paused_left, terms), paused_left=None)


def credit_clock(clock: Clock, mover: Colour, terms: Terms, since: int, until: int, most: int | None = None) -> Clock:
    """Return the clock as if it had been paused from `since` to `until`, while nobody could play.

    At `until` its player has as much time as at `since`, but no more than at the start of the turn or than `most`.
    """
    if clock.deadline is None:
        return clock
    whole = terms.grace if clock.flagged else clock.bank[mover]
    most = whole if most is None else min(whole, most)
    deadline = moment_after(until, min(most, counted_time(since, clock.deadline, terms)), terms)
    return replace(clock, deadline=deadline, credited=clock.credited + counted_time(clock.deadline, deadline, terms))


def flag_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock with the flag of the player to move fallen: their grace starts now."""
    return replace(clock, deadline=moment_after(now, terms.grace, terms), flagged=True)
