"""The clock of a game that lasts for weeks (R6.4). Pure: `now` is an argument.

Moments are UTC seconds. Durations are seconds. If the terms leave weekends out, Saturday and Sunday (UTC) do not count,
and no deadline falls on them. A clock changes by turns, pauses, credits and flags.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from gipfbot.rules import ByColour, Colour

from .house import House

HOUR = 3600
DAY = 24 * HOUR
DAYS_PER_TURN = (1, 2, 3, 5, 7, 14)
DEFAULT_GRACE = 12 * HOUR
DEFAULT_VACATION_DAYS = 30  # days a year
_WEEK, _WORK_WEEK = 7 * DAY, 5 * DAY
_A_MONDAY = 4 * DAY  # 1970-01-05: counted time starts there


@dataclass(frozen=True)
class TimeControl:
    """A time control in seconds: the time at the start, the increment per turn, and the most that can be saved up.

    With days per turn, the increment refills the clock on each turn.
    """

    first: int
    increment: int
    cap: int

    @property
    def per_turn(self) -> bool:
        """Whether each turn refills the clock, so that no time can be saved up."""
        return self.increment >= self.cap


def days_per_turn(days: int) -> TimeControl:
    """Return the time control with this number of days for each turn."""
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
    """The terms of a game besides its rules: time, weekends, grace, thread, ratings, vacation and house player.

    >>> Terms(days_per_turn(3), weekends=False).time_control.first // DAY
    3
    """

    time_control: TimeControl | None = None  # None is a game without a time limit
    weekends: bool = True  # whether time on weekends counts
    grace: int = DEFAULT_GRACE  # seconds to finish a turn once flagged
    thread: bool = False  # whether the game gets a thread of its own
    rated: bool = False  # whether its result may change ratings; games from before there were ratings are unrated
    vacation: int = DEFAULT_VACATION_DAYS  # days a year on which a player's clock may be paused in this game
    rated_if_finished: bool = False  # whether `rated` was left open: only if both had finished a game between people
    newcomer: bool = False  # whether one of the players had finished no game when this one began
    house: House | None = None  # the bot as one of the players; None between two people
    tournament: int | None = None  # the tournament whose game it is: then nobody can cancel it, and no rematch follows
    takebacks: bool = True  # whether players may ask to take turns back

    def data(self) -> dict[str, Any]:
        """Return the terms as plain data. `Terms.from_data` reads the data back."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Terms":
        """Return the terms in `data`, as `Terms.data()` writes them.

        Missing fields keep their defaults; unknown ones are ignored. Raises TypeError or AttributeError if `data` has
        another shape.
        """
        known = _known_fields(cls, data)
        if known.get("time_control"):
            known["time_control"] = TimeControl(**_known_fields(TimeControl, known["time_control"]))
        if known.get("house"):
            known["house"] = House(**_known_fields(House, known["house"]))
        return cls(**known)


def _known_fields(kind: type[TimeControl | House | Terms], data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name in _FIELDS[kind]}


_FIELDS = {kind: frozenset(field.name for field in fields(kind)) for kind in (TimeControl, House, Terms)}
UNTIMED = Terms()


@dataclass(frozen=True)
class Clock:
    """The time of both players.

    While the clock of the player to move runs, `deadline` is set. While it is paused, `paused_left` is set.

    If a flagged player's turn waits for an answer of the opponent (R8.4), their bank is negative. It then holds their
    grace, which `held_grace` returns.

    White has two days left of their bank, Black three:

    >>> Clock((2 * DAY, 3 * DAY), deadline=1_800_000_000).bank[Colour.WHITE] // DAY
    2
    """

    bank: ByColour[int]  # seconds that each player had at the start of the turn
    deadline: int | None = None
    paused_left: int | None = None  # seconds left to the player to move while the clock is paused
    flagged: bool = False  # whether the player to move is flagged; then `deadline` is the end of their grace
    credited: int = 0  # seconds credited in this turn for time in which nobody could play

    def held_grace(self, of: Colour) -> int:
        """Return the seconds of grace that a flagged player has when their turn goes on after an answer (R8.4).

        Return 0 if this player is not flagged, or if their grace runs.
        """
        return max(0, -self.bank[of])


def counted_time(since: int, until: int, terms: Terms) -> int:
    """Return the counted seconds from `since` to `until`; negative if `until` comes first.

    Weekends do not count if `terms` leave them out.
    """
    return until - since if terms.weekends else _counted_since_monday(until) - _counted_since_monday(since)


def moment_after(moment: int, duration: int, terms: Terms) -> int:
    """Return the latest moment that is `duration` seconds of counted time after `moment`.

    Weekends do not count if `terms` leave them out.
    """
    if terms.weekends:
        return moment + duration
    weeks, rest = divmod(_counted_since_monday(moment) + duration, _WORK_WEEK)
    return _A_MONDAY + weeks * _WEEK + rest


def moment_before(moment: int, duration: int, terms: Terms) -> int:
    """Return the latest moment that is `duration` seconds of counted time before `moment`.

    Weekends do not count if `terms` leave them out.
    """
    return moment_after(moment, -duration, terms)


def is_over_weekend(clock: Clock, terms: Terms, mover: Colour) -> bool:
    """Return whether an uncounted weekend lies between the start of the turn and the deadline.

    A turn that begins at a weekend counts, too. False if the clock of the player to move is paused. After a pause, a
    weekend before the pause may also count.
    """
    if clock.deadline is None or terms.weekends:
        return False
    given = terms.grace if clock.flagged else clock.bank[mover] + clock.credited
    end = _counted_since_monday(clock.deadline)
    week, rest = divmod(end - given, _WORK_WEEK)
    return not rest or end // _WORK_WEEK > week


def _counted_since_monday(moment: int) -> int:
    """Return the seconds from _A_MONDAY to `moment`, without weekends."""
    weeks, rest = divmod(moment - _A_MONDAY, _WEEK)
    return weeks * _WORK_WEEK + min(rest, _WORK_WEEK)


def start_clock(terms: Terms, now: int, *, paused: bool = False, bank: ByColour[int] | None = None) -> Clock | None:
    """Return the clock at the start of a game, with White's time running or `paused`.

    Return None if the terms have no time control. `bank` is time carried over from another game. If it is None, both
    players get the starting time of the time control.
    """
    if terms.time_control is None:
        return None
    first = terms.time_control.first
    return _run_clock(Clock(bank or (first, first)), Colour.WHITE, terms, now, paused)


def stop_clock(clock: Clock, by: Colour, terms: Terms, now: int) -> Clock:
    """Return the clock stopped, with the time left to `by` in their bank. Assumes that their time was running."""
    return _with_bank(clock, by, remaining_time(clock, terms, now))


def hold_grace(clock: Clock, by: Colour, terms: Terms, now: int) -> Clock:
    """Return the clock stopped, with the grace left to `by`, who is flagged, held until their turn goes on (R8.4).

    At least one second is held, so that the player stays flagged.
    """
    assert clock.deadline is not None
    return _with_bank(clock, by, -max(1, counted_time(now, clock.deadline, terms)))


def add_increment(clock: Clock, to: Colour, terms: Terms) -> Clock:
    """Return a stopped clock with the increment added to the bank of a player, up to the cap."""
    assert terms.time_control
    left = clock.bank[to]
    return _with_bank(clock, to, max(left, min(terms.time_control.cap, left + terms.time_control.increment)))


def _with_bank(clock: Clock, of: Colour, time: int) -> Clock:
    return Clock((time, clock.bank[1]) if of is Colour.WHITE else (clock.bank[0], time))


def restart_clock(clock: Clock, mover: Colour, terms: Terms, now: int, *, paused: bool = False) -> Clock:
    """Return the clock with the turn of `mover` started anew at `now`, running or `paused`.

    The banks of both players do not change. If the grace of `mover` is held, it runs on, and cannot be paused.
    """
    if held := clock.held_grace(mover):
        return replace(_with_bank(clock, mover, 0), deadline=moment_after(now, held, terms), flagged=True)
    return _run_clock(Clock(clock.bank), mover, terms, now, paused)


def _run_clock(clock: Clock, mover: Colour, terms: Terms, now: int, paused: bool) -> Clock:
    time = clock.bank[mover]
    return replace(clock, paused_left=time) if paused else replace(clock, deadline=moment_after(now, time, terms))


def remaining_time(clock: Clock, terms: Terms, now: int) -> int:
    """Return the seconds left to the player to move; 0 if they are flagged."""
    if clock.flagged:
        return 0
    return clock.paused_left or 0 if clock.deadline is None else max(0, counted_time(now, clock.deadline, terms))


def is_overdue(clock: Clock, now: int) -> bool:
    """Return whether the player to move has used up their time or, once flagged, their grace."""
    return clock.deadline is not None and now > clock.deadline


def pause_running_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock paused. A clock that is already paused, or is flagged, does not change."""
    if clock.deadline is None or clock.flagged:
        return clock
    return replace(clock, deadline=None, paused_left=remaining_time(clock, terms, now))


def resume_paused_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock running again with the time that was left. A running clock does not change."""
    if clock.paused_left is None:
        return clock
    return replace(clock, deadline=moment_after(now, clock.paused_left, terms), paused_left=None)


def credit_clock(clock: Clock, mover: Colour, terms: Terms, since: int, until: int, most: int | None = None) -> Clock:
    """Return the clock credited for the time from `since` to `until`, in which nobody could play.

    At `until` the player to move, `mover`, has as much time as at `since`. They never have more than at the start of
    the turn (or of the grace), nor more than `most` seconds. A paused clock does not change.
    """
    if clock.deadline is None:
        return clock
    whole = terms.grace if clock.flagged else clock.bank[mover]
    most = whole if most is None else min(whole, most)
    deadline = moment_after(until, min(most, counted_time(since, clock.deadline, terms)), terms)
    return replace(clock, deadline=deadline, credited=clock.credited + counted_time(clock.deadline, deadline, terms))


def flag_clock(clock: Clock, terms: Terms, now: int) -> Clock:
    """Return the clock with the player to move flagged. Their grace starts at `now`."""
    return replace(clock, deadline=moment_after(now, terms.grace, terms), flagged=True)
