"""The simulated year on a small scale. `make year` runs it in its full size, with the same checks."""

from dataclasses import replace
from pathlib import Path

import pytest

from gipfbot.service.checking.database_check import DatabaseCheck
from tests.support import stores

from .course import Plan
from .living import live, quick_store
from .tournaments import TournamentPlan, live_tournaments

TINY = Plan(games=6, players=14, clubs=2, days=25, seed=2)
SMALL = Plan(games=90, players=28, clubs=2, days=150, seed=19)
CUPS = TournamentPlan(tournaments=4, people=24, clubs=2, days=50, kills=20, restores=1, downtimes=2, seed=1)


@pytest.mark.usefixtures("untraced")
async def test_each_message_is_said_in_the_language_of_its_readers(tmp_path: Path) -> None:
    """Each message is also built in a longer language, which shows what no sentence says, and what is cut."""
    year = await live(TINY, tmp_path)
    assert min(year.host.spoken[code] for code in ("de", "en")) > 10
    assert year.watch.counts["games"] >= TINY.games


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
async def test_a_small_year_has_no_wrong_clock_or_stuck_game(tmp_path: Path) -> None:
    """Each message is checked against a notebook. Every kind of event happens in the year."""
    year = await live(SMALL, tmp_path)
    counts = year.watch.counts
    rare = """absences jumps crashes outages vacations claims taken_back flags quiet digest
        flagged reminder call nudge downtime_notice lapsed answered off won draw drawn shown mentions"""
    private = "games", "reminders", "rematches", "ends told", "turns told"
    rare_ones = *rare.split(), *(f"private {what}" for what in private), "moved into a channel", "weekly reminders"
    assert {name: counts[name] for name in rare_ones if not counts[name]} == {}
    assert min(year.host.spoken[code] for code in ("de", "en")) > 100
    assert counts["games"] >= SMALL.games
    assert counts["turns"] > 4 * SMALL.games
    assert counts["rated results"] > SMALL.games / 2
    async with quick_store(tmp_path) as store:
        check = DatabaseCheck(store, year.host.now)
        assert [sentence async for sentence in check.differences()] == []
        assert check.checked.games >= SMALL.games


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
async def test_no_tournament_of_a_small_year_is_stuck_or_miscounted(tmp_path: Path) -> None:
    """A naive recount is held against the database after each mishap."""
    year = await live_tournaments(CUPS, tmp_path / "cups.sqlite3")
    counts = year.counts
    held = "tournaments", "kills", "restores", "downtimes", "seasons", "rounds", "lost on time", "games after void ones"
    assert {name: counts[name] for name in held if not counts[name]} == {}
    assert counts["pairings"] > 40


@pytest.mark.slow
@pytest.mark.usefixtures("untraced", "server")
async def test_two_processes_hold_tournaments_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "POSTGRES", True)
    year = await live_tournaments(replace(CUPS, tournaments=2, processes=2), tmp_path / "cups")
    assert year.counts["kills"] > 0
    assert year.counts["pairings"] > 15
