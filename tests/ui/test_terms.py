"""How terms, vacations and the settings of a server are worded."""

import pytest

from gipfbot.match import PACES, Terms, days_per_turn
from gipfbot.service.servers import ServerSettings
from gipfbot.service.vacations import Begun, Leave
from gipfbot.store import Vacation
from gipfbot.ui import server_texts, time_texts, vacation_texts

WORKDAYS = "Saturdays and Sundays (UTC) do not count"
AFTER = "after the flag has fallen"


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (Terms(), "no time limit"),
        (Terms(grace=0, weekends=False), "no time limit"),
        (Terms(days_per_turn(3)), "3 days for each turn · Saturdays and Sundays (UTC) count"),
        (Terms(days_per_turn(1), weekends=False), f"1 day for each turn · {WORKDAYS}"),
        (
            Terms(PACES["saving"], weekends=False, grace=3600),
            f"10 days each, 1 day more with each turn, at most 15 days · {WORKDAYS} · 1 hour of grace {AFTER}",
        ),
        (
            Terms(days_per_turn(2), weekends=False, grace=0, thread=True),
            f"2 days for each turn · {WORKDAYS} · no grace {AFTER} · in a thread of its own",
        ),
    ],
)
def test_terms_name_pace_weekends_grace_and_thread(terms: Terms, said: str) -> None:
    """Grace only where it is another than usual, and nothing about time where none runs."""
    assert time_texts.terms(terms) == said


def test_a_vacation_names_the_games_in_which_it_does_not_hold() -> None:
    leave = Leave(Vacation(1, 1, 0, 9), 6, (5, 10, 30))
    said = vacation_texts.begun(Begun(leave, (1,), (2, 3), ()))
    assert "Not in #a1: your time was over there before" in said
    assert "Not in #b1, #c1: the server allows fewer days a year" in said
    assert "You have used 6 days of vacation this year; the servers on which you play allow 5, 10 or 30." in said
    said = vacation_texts.begun(Begun(Leave(Vacation(1, 1, 0, 9), 29, (30,)), (), (), ()))
    assert "Not in" not in said
    assert "You have 1 day of vacation left this year, of 30." in said
    many = Begun(leave, tuple(range(1, 2000)), tuple(range(1, 2000)), ())
    assert len(vacation_texts.begun(many)) < 2000


def test_all_that_is_set_for_a_server_fits_one_message() -> None:
    long = ServerSettings("tournament", "long-saving", False, 100, 365, 10**19, True, 1000)
    said = server_texts.settings(
        long, ["see the channel", "send messages", "attach files", "make threads"], changed=True
    )
    assert len(said) < 2000
    for part in (
        "Tournament",
        "45 days",
        "4 days 4 hours",
        "365 days",
        f"<#{10**19}>",
        "thread",
        "1000 games",
        "attach",
    ):
        assert part in said
