"""What is watched over deadlines has teeth."""

import time
from pathlib import Path
from random import Random

import pytest

from tests.support.stores import run_statement, use_copy

from .deadlines import MOST_LATE, Deadlines
from .running import Begun
from .stored_courses import Fault

CLOCK = "UPDATE games SET deadline_at = ?, flagged = false"
GRACE = "UPDATE games SET deadline_at = ?, flagged = true"
REMINDER = "INSERT INTO due (key, kind, user, at) VALUES ('reminder:1:1', 'reminder', 1, ?)"
CHALLENGE = "UPDATE challenges SET state = 'open', expires_at = ?"
TAKEBACK = (
    "INSERT INTO takebacks (game, by, turn_number, turns, turn_serial, state, created_at, expires_at)"
    " VALUES (1, 1, 1, 'e2', 1, 'open', 0, ?)"
)
pytestmark = pytest.mark.sqlite
kinds = pytest.mark.parametrize("statement", [CLOCK, GRACE, REMINDER, CHALLENGE, TAKEBACK])


@pytest.fixture
def deadlines(begun: Begun, tmp_path: Path) -> Deadlines:
    use_copy(begun.database, tmp_path / "gipf.sqlite3")
    return Deadlines(tmp_path / "gipf.sqlite3", Random(1))


@kinds
def test_an_open_deadline_is_missed_after_a_minute(deadlines: Deadlines, statement: str) -> None:
    run_statement(deadlines.database, statement, int(time.time()) - MOST_LATE - 2)
    with pytest.raises(Fault, match="missed by more than 60 seconds"):
        deadlines.look()


@kinds
def test_a_deadline_of_the_last_minute_may_be_open(deadlines: Deadlines, statement: str) -> None:
    run_statement(deadlines.database, statement, int(time.time()) - 1)
    deadlines.look()
    assert len(deadlines.open) == 1


def test_a_deadline_that_is_gone_was_met(deadlines: Deadlines) -> None:
    run_statement(deadlines.database, CLOCK, int(time.time()) - 20)
    deadlines.look()
    run_statement(deadlines.database, "UPDATE games SET deadline_at = NULL")
    deadlines.look()
    assert deadlines.met == {"clock": 1}
    assert deadlines.latest >= 20


def test_a_deadline_that_was_moved_before_its_time_does_not_count(deadlines: Deadlines) -> None:
    for later in (1000, 2000):
        run_statement(deadlines.database, CLOCK, int(time.time()) + later)
        deadlines.look()
    assert not deadlines.met
