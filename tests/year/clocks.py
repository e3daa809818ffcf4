"""A plain second clock to check the bot's: it counts seconds day by day, and has no deadline."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from gipfbot.match import Terms
from tests.support.times import DAY, HOUR

SWEEP = 10  # seconds between two sweeps of the bot
AWAY = 120  # seconds that a board may be late without credit


def counts(moment: int, weekends: bool) -> bool:
    """Return whether the day of a moment counts."""
    return weekends or datetime.fromtimestamp(moment, UTC).weekday() < 5


def counted(since: int, until: int, weekends: bool) -> int:
    """Return how much of the time between two moments counts."""
    if until < since:
        return -counted(until, since, weekends)
    total = 0
    while since < until:
        end = min(until, (since // DAY + 1) * DAY)
        total += end - since if counts(since, weekends) else 0
        since = end
    return total


def ahead(since: int, time: int, weekends: bool) -> int:
    """Return the moment at which so much time has counted."""
    while time > 0:
        end = (since // DAY + 1) * DAY
        step = min(time, end - since) if counts(since, weekends) else 0
        time -= step
        since = since + step if step and not time else end
    return since


def last(since: int, time: int, weekends: bool) -> int:
    """Return the last moment at which no more than this time has counted."""
    return ahead(since, time + 1, weekends) - 1 if time >= 0 else since


@dataclass
class Plain:
    """The time of two players, 0 and 1. `loose` is how many seconds more the bot's clock may give to each."""

    terms: Terms
    at: int
    saved: list[int] = field(default_factory=list)
    mover: int = 0
    left: int = 0
    stands: bool = False
    flagged: bool = False
    loose: list[int] = field(default_factory=lambda: [0, 0])
    were: list[list[int]] = field(default_factory=list)  # the banks of both at the start of each turn

    @classmethod
    def begun(cls, terms: Terms, at: int, *, stands: bool) -> "Plain":
        """Return the clock of a new game."""
        assert terms.time_control
        first = terms.time_control.first
        return cls(terms, at, [first, first], left=first, stands=stands)

    def begun_anew(self, *, stands: bool) -> "Plain":
        """Return the clock of the game that follows this one with colours swapped: both keep their time."""
        saved, loose = self.saved[::-1], self.loose[::-1]
        return Plain(self.terms, self.at, saved, left=saved[0], stands=stands, loose=loose)

    def tick(self, now: int) -> None:
        """Let time pass, backwards after a rollback of the host's clock."""
        if not self.stands:
            self.left -= counted(self.at, now, self.terms.weekends)
        self.at = now

    def turn(self, now: int, *, stands: bool) -> None:
        """Let the player to move complete their turn."""
        self.tick(now)
        assert self.terms.time_control
        self.were.append([*self.saved])
        left, pace = max(0, self.left), self.terms.time_control
        self.saved[self.mover] = max(left, min(pace.cap, left + pace.increment))
        if pace.per_turn:
            self.loose[self.mover] = 0
        self.begin(1 - self.mover, now, stands=stands)

    def back(self, turns: int, now: int, *, stands: bool) -> None:
        """Take turns back: both players have the banks of the start of the first of these turns."""
        self.saved = self.were[-turns]
        del self.were[-turns:]
        self.begin(self.mover if turns % 2 == 0 else 1 - self.mover, now, stands=stands)

    def begin(self, mover: int, now: int, *, stands: bool) -> None:
        """Begin a turn of this player with their whole bank."""
        self.mover, self.left, self.at, self.stands, self.flagged = mover, self.saved[mover], now, stands, False

    def pause(self, now: int) -> None:
        """Pause the clock, unless it runs in grace."""
        self.tick(now)
        self.stands = not self.flagged and self.left >= 0

    def resume(self, now: int) -> None:
        """End the pause."""
        self.tick(now)
        self.stands = False

    def nobody(self, since: int, until: int) -> None:
        """Credit the downtime of the bot between two moments."""
        self.goes_along(since, until)
        if not self.stands:
            self.loose[self.mover] += SWEEP

    def unseen(self, since: int, now: int) -> None:
        """Credit the time since a board was due, if that is long ago."""
        if now - since > AWAY:
            self.goes_along(since, now)

    def goes_along(self, since: int, until: int) -> None:
        """Count nothing between two moments. Afterwards nobody has more than their whole time."""
        self.tick(since)
        self.at = until
        if not self.stands:
            self.left = min(self.left, self.terms.grace if self.flagged else self.saved[self.mover])

    def fall(self, now: int) -> None:
        """Flag the player to move: now the grace runs."""
        self.left, self.at, self.flagged = self.terms.grace, now, True

    def reminds_at(self, share: int, hours: int) -> int:
        """Return when this player is reminded: at a share of their time, or some hours before its end."""
        weekends, time = self.terms.weekends, self.saved[self.mover]
        if not hours:
            return last(self.at, self.left - time * share // 100, weekends)
        half = last(self.at, self.left - time // 2, weekends)
        return max(half, last(self.at, self.left, weekends) - hours * HOUR)
