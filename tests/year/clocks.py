"""A plain clock kept beside the bot's: it counts seconds day by day, and knows of no deadline."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from gipfbot.match import Terms
from tests.support.times import DAY, HOUR

SWEEP = 10  # seconds between two looks of the bot
AWAY = 120  # seconds that a board may be late at nobody's cost


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
    """Return when so much time has counted, on a clock that is looked at later on."""
    while time > 0:
        end = (since // DAY + 1) * DAY
        step = min(time, end - since) if counts(since, weekends) else 0
        time -= step
        since = since + step if step and not time else end
    return since


def last(since: int, time: int, weekends: bool) -> int:
    """Return the last moment up to which no more than this time has counted."""
    return ahead(since, time + 1, weekends) - 1 if time >= 0 else since


@dataclass
class Plain:
    """The time of two players, numbered 0 and 1. `loose` is by how much the bot's clock may be kinder to each."""

    terms: Terms
    at: int
    saved: list[int] = field(default_factory=list)
    mover: int = 0
    left: int = 0
    stands: bool = False
    flagged: bool = False
    loose: list[int] = field(default_factory=lambda: [0, 0])
    were: list[list[int]] = field(default_factory=list)  # what both had saved when each turn began

    @classmethod
    def begun(cls, terms: Terms, at: int, *, stands: bool) -> "Plain":
        """Return the clock of a game that begins."""
        assert terms.time_control
        first = terms.time_control.first
        return cls(terms, at, [first, first], left=first, stands=stands)

    def tick(self, now: int) -> None:
        """Let time pass; back where the host's clock was set back."""
        if not self.stands:
            self.left -= counted(self.at, now, self.terms.weekends)
        self.at = now

    def turn(self, now: int, *, stands: bool) -> None:
        """Let the player to move complete his turn."""
        self.tick(now)
        assert self.terms.time_control
        self.were.append([*self.saved])
        left, pace = max(0, self.left), self.terms.time_control
        self.saved[self.mover] = max(left, min(pace.cap, left + pace.increment))
        if pace.per_turn:
            self.loose[self.mover] = 0
        self.begin(1 - self.mover, now, stands=stands)

    def back(self, turns: int, now: int, *, stands: bool) -> None:
        """Take turns back: both have what they had when the first of them began."""
        self.saved = self.were[-turns]
        del self.were[-turns:]
        self.begin(self.mover if turns % 2 == 0 else 1 - self.mover, now, stands=stands)

    def begin(self, mover: int, now: int, *, stands: bool) -> None:
        """Let a turn of this player begin with all that he has saved."""
        self.mover, self.left, self.at, self.stands, self.flagged = mover, self.saved[mover], now, stands, False

    def pause(self, now: int) -> None:
        """Let the clock stand still, but for a grace."""
        self.tick(now)
        self.stands = not self.flagged and self.left >= 0

    def resume(self, now: int) -> None:
        """Let it go on."""
        self.tick(now)
        self.stands = False

    def nobody(self, since: int, until: int) -> None:
        """Let nothing count between two moments, in which the bot was away."""
        self.goes_along(since, until)
        if not self.stands:
            self.loose[self.mover] += SWEEP

    def unseen(self, since: int, now: int) -> None:
        """Let nothing have counted since a moment at which a board was to be posted, if that is long ago."""
        if now - since > AWAY:
            self.goes_along(since, now)

    def goes_along(self, since: int, until: int) -> None:
        """Let nothing count between two moments; more than his time nobody has then."""
        self.tick(since)
        self.at = until
        if not self.stands:
            self.left = min(self.left, self.terms.grace if self.flagged else self.saved[self.mover])

    def fall(self, now: int) -> None:
        """Let the flag fall: now the grace runs."""
        self.left, self.at, self.flagged = self.terms.grace, now, True

    def reminds_at(self, share: int, hours: int) -> int:
        """Return when this player is to be reminded: at a share of his time, or so many hours before its end."""
        weekends, time = self.terms.weekends, self.saved[self.mover]
        if not hours:
            return last(self.at, self.left - time * share // 100, weekends)
        half = last(self.at, self.left - time // 2, weekends)
        return max(half, last(self.at, self.left, weekends) - hours * HOUR)
