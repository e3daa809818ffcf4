"""Kill the bot at moments that a seed chooses: from inside at an exact one, or from outside at any time."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

BEFORE_COMMIT, AFTER_COMMIT = "before a commit", "after a commit"
AFTER_POST, BEFORE_DONE = "after a post", "before a row is done"
OUTSIDE = "from outside"
INSIDE = BEFORE_COMMIT, AFTER_COMMIT, AFTER_POST, BEFORE_DONE
MOMENTS = (*INSIDE, OUTSIDE)
# A kill at a commit waits for a transaction that has written to one of these; the empty name stands for any.
COMMON = "", "turns", "games", "outbox"  # those to which most transactions write
RARE = "challenges", "requests", "conditionals", "events", "meta", "tournament_pairings"
TABLES = "", "turns", *COMMON, *RARE
LATEST, FEW = 8, 2  # how often the moment comes at most until the process dies; the same for what is rare
LONGEST = 4.0  # seconds at most until a kill from outside
START_SECONDS = 0.8  # in which a kill from outside hits the start
KILLED = "killed"  # the file in which the process notes, just before it dies, at which moment it does

# What the program runs before its start: what people wait for comes soon, and the process kills itself.
CHANGES = """
import os, pathlib, signal, weakref
from discord.http import HTTPClient
from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect
from gipfbot.service.delivery import outbox
from gipfbot.service.restoring import timelines
from gipfbot.service.tournaments import course
from gipfbot.ui.bot import GipfBot

outbox.FIRST_WAIT = timelines.HEARTBEAT_SECONDS = 0
course.BETWEEN_SEASONS = 1
GipfBot.sweep.change_interval(seconds=1)
GipfBot.pulse.change_interval(seconds=1)
moment, table, left = {moment!r}, {table!r}, {nth}
commit, send_message = DefaultDialect.do_commit, HTTPClient.send_message
written, committed = weakref.WeakKeyDictionary(), set()  # tables: by each open transaction, by the last one committed

def reach(here, tables=()):
    global left
    if here != moment or (table and table not in tables):
        return
    left -= 1
    if left == 0:
        pathlib.Path({note!r}).write_text(here)
        os.kill(os.getpid(), signal.SIGKILL)

@event.listens_for(Engine, "before_cursor_execute")
def note_statement(connection, cursor, statement, *_):
    words = statement.split(None, 3)
    if words[0] in ("INSERT", "DELETE"):
        written.setdefault(connection, set()).add(words[2])
    elif words[0] == "UPDATE":
        written.setdefault(connection, set()).add(words[1])
        if words[1] == "outbox" and "done_at=" in statement:
            reach("before a row is done")

@event.listens_for(Engine, "commit")
def before_commit(connection):
    committed.clear()
    committed.update(written.get(connection, ()))
    reach("before a commit", committed)

def do_commit(self, connection):
    commit(self, connection)
    reach("after a commit", committed)

async def send(self, *given, **named):
    answer = await send_message(self, *given, **named)
    reach("after a post")
    return answer

DefaultDialect.do_commit, HTTPClient.send_message = do_commit, send
"""


@dataclass(frozen=True)
class Kill:
    """A kill that is planned.

    From inside, the process dies when its moment comes for the `nth` time. At a commit, only transactions count that
    have written to `table`, if that is not empty. From outside, the process is killed after so many `seconds`.
    """

    number: int
    moment: str
    table: str = ""
    nth: int = 1
    seconds: float = 0.0
    lapses: bool = False  # whether Discord has forgotten all nonces when the bot is started again

    def changes(self) -> str:
        """Return the code to put into the program before its start."""
        return CHANGES.format(moment=self.moment, table=self.table, nth=self.nth, note=KILLED)


NO_KILL = Kill(0, "never")


def plan_kills(chance: Random) -> Iterator[Kill]:
    """Yield kills without end. Each five of them have one of each moment. Some hit the start itself."""
    number = 0
    while True:
        for moment in chance.sample(MOMENTS, len(MOMENTS)):
            number += 1
            yield _plan_kill(number, moment, chance)


def _plan_kill(number: int, moment: str, chance: Random) -> Kill:
    lapses, at_start = chance.random() < 0.5, chance.random() < 0.1
    if moment == OUTSIDE:
        seconds = chance.uniform(0, START_SECONDS if at_start else LONGEST)
        return Kill(number, moment, seconds=seconds, lapses=lapses)
    if moment in (AFTER_POST, BEFORE_DONE):
        return Kill(number, moment, nth=1 if at_start else chance.randint(1, LATEST), lapses=lapses)
    table = "" if at_start else chance.choice(TABLES)
    most = LATEST if table in COMMON and not at_start else FEW
    return Kill(number, moment, table, chance.randint(1, most), lapses=lapses)


class Kills(Counter[str]):
    """How often the bot was killed at each moment."""

    def note(self, folder: Path) -> str:
        """Count the kill that the process has noted in its folder, else one from outside. Return its moment."""
        noted = folder / KILLED
        moment = noted.read_text() if noted.exists() else OUTSIDE
        noted.unlink(missing_ok=True)
        self[moment] += 1
        return moment

    def rare(self, least: int) -> list[str]:
        """Return the moments inside that were reached less than `least` times."""
        return [moment for moment in INSIDE if self[moment] < least]

    def __str__(self) -> str:
        return ", ".join(f"{self[moment]} {moment}" for moment in MOMENTS)
