"""What is watched over deadlines has teeth."""

import time
from pathlib import Path
from random import Random

import pytest

from tests.support import stores
from tests.support.stores import create_empty, run_statement, use_copy

from .deadlines import MOST_LATE, SOON, Deadlines
from .running import Begun
from .stored_courses import Fault

CLOCK = "UPDATE games SET deadline_at = ?, flagged = false"
GRACE = "UPDATE games SET deadline_at = ?, flagged = true"
REMINDER = """INSERT INTO due (key, kind, "user", at) VALUES ('reminder:1:1', 'reminder', 1, ?)"""
CHALLENGE = "UPDATE challenges SET state = 'open', expires_at = ?"
TAKEBACK = (
    "INSERT INTO requests (game, kind, by, turn_number, turns, turn_serial, state, created_at, expires_at)"
    " VALUES (1, 'takeback', 1, 1, 'e2', 1, 'open', 0, ?)"
)
on_sqlite = pytest.mark.sqlite
kinds = pytest.mark.parametrize("statement", [CLOCK, GRACE, REMINDER, CHALLENGE, TAKEBACK])


@pytest.fixture
def deadlines(begun: Begun, tmp_path: Path) -> Deadlines:
    use_copy(begun.database, tmp_path / "gipf.sqlite3")
    run_statement(tmp_path / "gipf.sqlite3", "UPDATE outbox SET done_at = 0")  # long ago
    for without_limit in ("UPDATE games SET deadline_at = NULL", "DELETE FROM due WHERE kind = 'reminder'"):
        run_statement(tmp_path / "gipf.sqlite3", without_limit)
    return Deadlines(tmp_path / "gipf.sqlite3", Random(1))


@kinds
@on_sqlite
def test_an_open_deadline_is_missed_after_a_minute(deadlines: Deadlines, statement: str) -> None:
    run_statement(deadlines.database, statement, int(time.time()) - MOST_LATE - 2)
    with pytest.raises(Fault, match="missed by more than 60 seconds"):
        deadlines.look()


@on_sqlite
def test_a_reminder_that_was_planned_too_late_counts_from_then(deadlines: Deadlines) -> None:
    deadlines.look()
    run_statement(deadlines.database, REMINDER, int(time.time()) - 6 * 3600)
    deadlines.look()
    assert len(deadlines.open) == 1
    deadlines.made_late = {due: made - MOST_LATE - 2 for due, made in deadlines.made_late.items()}
    with pytest.raises(Fault, match="missed by more than 60 seconds"):
        deadlines.look()


@kinds
@on_sqlite
def test_a_deadline_of_the_last_minute_may_be_open(deadlines: Deadlines, statement: str) -> None:
    run_statement(deadlines.database, statement, int(time.time()) - 1)
    deadlines.look()
    assert len(deadlines.open) == 1


@on_sqlite
def test_a_time_ends_when_the_board_was_posted_at_the_earliest(deadlines: Deadlines) -> None:
    late = int(time.time()) - MOST_LATE - 2
    run_statement(deadlines.database, CLOCK, late)
    run_statement(deadlines.database, "UPDATE outbox SET done_at = NULL")
    deadlines.look()
    run_statement(deadlines.database, "UPDATE outbox SET done_at = ?", late + 10)
    deadlines.look()
    run_statement(deadlines.database, "UPDATE outbox SET done_at = ?", late)
    with pytest.raises(Fault, match="missed"):
        deadlines.look()


@on_sqlite
def test_a_deadline_that_is_gone_was_met(deadlines: Deadlines) -> None:
    run_statement(deadlines.database, CLOCK, int(time.time()) - 20)
    deadlines.look()
    run_statement(deadlines.database, "UPDATE games SET deadline_at = NULL")
    deadlines.look()
    assert deadlines.met == {"clock": 1}
    assert deadlines.latest >= 20


@on_sqlite
def test_a_deadline_that_was_moved_before_its_time_does_not_count(deadlines: Deadlines) -> None:
    for later in (1000, 2000):
        run_statement(deadlines.database, CLOCK, int(time.time()) + later)
        deadlines.look()
    assert not deadlines.met


async def test_a_far_deadline_is_brought_forward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only fleets do so, on PostgreSQL."""
    monkeypatch.setattr(stores, "POSTGRES", True)
    await create_empty(tmp_path / "database")
    deadlines = Deadlines(tmp_path / "database", Random(1))
    run_statement(deadlines.database, REMINDER, int(time.time()) + 10_000)
    for _ in range(100):
        deadlines.look()
        deadlines.bring_forward()
    (brought,) = deadlines.open
    assert brought.at <= time.time() + SOON
