"""Deadlines: what the bot must do at a time that its database holds, and how late it was.

While all processes are away for long, the bot moves the deadlines of games on purpose. What counts is the stored time.
But no time ends while the newest board of its game is still to be posted: then the moment counts at which it was.
"""

import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError

from gipfbot.store.backends.process_locks import LOCKS, WRITER
from tests.support.stores import run_statement

from .stored_courses import read_rows, require

MOST_LATE = 60  # seconds
SOON = 10.0  # seconds until a deadline that was brought forward
FORWARD = 0.5  # of the looks, after how many a deadline is brought forward
OPEN = """
WITH boards AS (SELECT game, done_at FROM outbox WHERE kind = 'board')
SELECT CASE WHEN EXISTS (SELECT game FROM boards WHERE game = games.id AND done_at IS NULL) THEN 'unseen'
            WHEN flagged THEN 'grace' ELSE 'clock' END,
       id, coalesce((SELECT max(done_at) FROM boards WHERE game = games.id AND done_at > deadline_at), deadline_at)
FROM games WHERE deadline_at IS NOT NULL
UNION ALL SELECT kind, id, at FROM due WHERE done_at IS NULL
UNION ALL SELECT 'challenge', id, expires_at FROM challenges WHERE state = 'open'
UNION ALL SELECT 'takeback', id, expires_at FROM requests WHERE kind = 'takeback' AND state = 'open'
"""
CLOCKS, UNSEEN = ("clock", "grace"), "unseen"  # the last stands for both while a board is still to be posted
ABANDONED = 0.5  # of the games whose end of time is brought forward
COLUMNS = dict.fromkeys(CLOCKS, ("games", "deadline_at"))
COLUMNS |= {"challenge": ("challenges", "expires_at"), "takeback": ("requests", "expires_at")}
IN_DUE = "due", "at"
KINDS = *CLOCKS, *CLOCKS, "reminder", "challenge", "takeback"  # that are brought forward, the first more often


class Deadline(NamedTuple):
    """What is due `at` a time, in UTC seconds: the end of a clock or of a grace, a row of `due`, or an offer's end."""

    kind: str
    id: int
    at: int


class Deadlines:
    """All open deadlines, as they were seen last, and how many of each kind were met."""

    def __init__(self, database: Path, chance: Random) -> None:
        self.database, self.chance = database, chance
        self.open, self.met, self.latest = set[Deadline](), Counter[str](), 0.0
        self.looked_at, self.made_late = 0.0, dict[Deadline, float]()  # the last is when each was made, at the earliest
        self.abandoned = set[int]()  # games in which nobody plays on, so that time runs out

    def look(self) -> None:
        """See which deadlines were met since the last look. Raises Fault if one is open too long after its time.

        Sees nothing while the database is away.
        """
        before = time.time()
        try:
            found = {Deadline(*row) for row in read_rows(self.database, OPEN)}
        except (DBAPIError, OSError):
            return
        now = time.time()
        self._note_made_late(found, before)
        missed = [due for due in found if due.kind != UNSEEN and self._begins(due) < before - MOST_LATE]
        require(not missed, "deadlines are missed by more than", MOST_LATE, "seconds at", int(before), missed)
        for deadline in self.open - found:
            if deadline.at < now:
                self.met[deadline.kind] += 1
                self.latest = max(self.latest, now - self._begins(deadline))
        self.open = found

    def _note_made_late(self, found: set[Deadline], now: float) -> None:
        """Note the reminders that were planned since the last look for a time that was over already.

        A deadline that is brought forward leaves less time than the reminder's hours before it.
        """
        for due in found - self.open if self.looked_at else ():
            if due.kind == "reminder" and due.at < self.looked_at:
                self.made_late[due] = self.looked_at
        self.looked_at = now

    def _begins(self, deadline: Deadline) -> float:
        """Return since when a deadline could have been met."""
        return self.made_late.get(deadline, deadline.at)

    def bring_forward(self) -> None:
        """Now and then, let a deadline come soon that is far away."""
        now = int(time.time())
        kind = self.chance.choice(KINDS)
        far = sorted(deadline for deadline in self.open if deadline.kind == kind and deadline.at > now + SOON)
        if not far or self.chance.random() > FORWARD:
            return
        chosen = self.chance.choice(far)
        table, column = COLUMNS.get(kind, IN_DUE)
        # As each writer does, wait until nobody else writes.
        alone = f"pg_advisory_xact_lock({LOCKS}, {WRITER}) IS NOT NULL"
        statement = f"UPDATE {table} SET {column} = ? WHERE id = ? AND {column} = ? AND {alone}"
        soon = now + self.chance.randint(1, int(SOON))
        if kind in CLOCKS and self.chance.random() < ABANDONED:
            self.abandoned.add(chosen.id)
        with suppress(DBAPIError, OSError):
            run_statement(self.database, statement, soon, chosen.id, chosen.at)

    def is_overdue(self) -> bool:
        """Return whether, at the last look, anything was open whose time had come."""
        return any(deadline.at < time.time() for deadline in self.open)

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.met.items()))
        return f"{self.met.total()} deadlines ({kinds}), the latest met {self.latest:.1f} s after its time"
