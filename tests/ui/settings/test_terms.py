"""How terms, vacations and the settings of a server are worded."""

from dataclasses import replace

import pytest

from gipfbot.match import TIME_CONTROLS, Refused, Terms, Why, days_per_turn
from gipfbot.service.clock.vacations import VacationStatus
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.clock import vacations
from gipfbot.ui.kit import clock_texts, refusal_texts
from gipfbot.ui.kit.components import Select
from gipfbot.ui.settings import server
from gipfbot.ui.settings.server import server_settings_rows
from gipfbot.values import Vacation
from tests.support.times import HOUR

HOUR_OF_GRACE = "1 hour of grace for a late turn that wins · 1 day of vacation a year"
NOTHING = "no grace for a late turn · no days of vacation a year"
LONG = ServerSettings(
    rules="tournament",
    pace="long-saving",
    weekends=False,
    grace=100,
    vacation=364,
    channel=10**19,
    threads=True,
    cap=999,
    challengers=10**19,
    results=10**19,
)
TEN_DAYS = "10 days in all, plus 1 day per turn; at most 15 days saved up"
WORKDAYS = "Saturdays and Sundays (UTC) do not count"


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (Terms(), "no time limit"),
        (Terms(grace=0, weekends=False), "no time limit"),
        (
            Terms(days_per_turn(3)),
            "3 days for each turn",
        ),
        (
            Terms(TIME_CONTROLS["saving"], weekends=False, grace=HOUR, vacation=1),
            f"{TEN_DAYS} · {WORKDAYS} · {HOUR_OF_GRACE}",
        ),
        (
            Terms(days_per_turn(2), weekends=False, grace=0, thread=True, vacation=0),
            f"2 days for each turn · {WORKDAYS} · {NOTHING} · in a thread of its own",
        ),
    ],
)
def test_terms_name_pace_weekends_grace_vacation_and_thread(terms: Terms, said: str) -> None:
    """Without a time limit nothing else is said about time."""
    assert clock_texts.terms_text(terms) == said


def test_vacation_status_names_the_excepted_games() -> None:
    leave = VacationStatus(Vacation(1, 1, 0, 9), (0, 4, 24), (5, 10, 30), (1,), (2, 3))
    for said in (vacations.vacation_started_text(leave), vacations.vacation_status_text(leave)):
        assert "Not paused in #a1: your time was already over. Win with this turn or you lose." in said
        assert "Not paused in #b1, #c1: your vacation days there are used up." in said
        assert "0 to 24 vacation days left this year: each game counts its own." in said
    own = "You're on vacation, back <t:9:R>. Your clocks are paused"
    assert vacations.own_vacation_line(leave) == f"{own}, but not in #a1, #b1, #c1."
    everywhere = VacationStatus(Vacation(1, 1, 0, 9), (1,), (30,))
    said = vacations.vacation_started_text(everywhere)
    assert "Not in" not in said
    assert "1 of 30 vacation days left this year." in said
    assert vacations.own_vacation_line(everywhere) == f"{own}."
    many = replace(leave, flagged=tuple(range(1, 2000)), used_up=tuple(range(1, 2000)))
    assert len(vacations.vacation_started_text(many)) < 2000
    assert len(vacations.own_vacation_line(many)) < 250


def test_vacation_status_says_how_many_games_run_again_which_and_when() -> None:
    leave = VacationStatus(Vacation(1, 1, 0, 99), (0,), (5, 10), shorter={1: 7, 2: 5, 3: 7})
    said = vacations.vacation_started_text(leave)
    runs_again = "In 3 games your vacation days run out before that, and your clock runs again: "
    assert f"\n{runs_again}<t:5:f> in #b1; <t:7:f> in #a1, #c1.\n" in said
    assert "0 vacation days left this year." in said
    assert vacations.own_vacation_line(leave).endswith("Your clocks are paused; for less time in #a1, #b1, #c1.")
    many = replace(leave, shorter={game: game // 2 for game in range(2, 2000)})
    said = vacations.vacation_started_text(many)
    assert "In 1,998 games" in said
    assert f"<t:5:f> in {game_name(10)}, {game_name(11)}; later in 1,988 games." in said
    assert len(said) < 2000
    assert len(vacations.own_vacation_line(many)) < 250


def test_announcement_separates_games_whose_clock_is_not_paused() -> None:
    timed, untimed = [(1, "Bob"), (2, "Cara")], [(3, "Dan")]
    away = "Ann is on vacation until <t:9:D>"
    stands = f"{away}. Ann's clock is paused: #a1 vs Bob, #b1 vs Cara."
    assert vacations.vacation_announcement("Ann", 9, timed, over=False) == stands
    assert vacations.vacation_announcement("Ann", 9, [], over=False, untimed=untimed) == f"{away}: #c1 vs Dan."
    both = vacations.vacation_announcement("Ann", 9, timed, over=False, untimed=untimed)
    assert both == f"{stands} No clock runs in #c1 vs Dan."
    runs = " Still running, as Ann's time was already over: #d1 vs Eve."
    assert (
        vacations.vacation_announcement("Ann", 9, timed, over=False, untimed=untimed, runs=[(4, "Eve")]) == both + runs
    )
    alone = vacations.vacation_announcement("Ann", 9, [], over=False, untimed=untimed, runs=[(4, "Eve")])
    assert alone == f"{away}: #c1 vs Dan.{runs}"
    shorter = vacations.vacation_announcement("Ann", 9, [(1, "Bob", 5), (2, "Cara")], over=False)
    assert shorter == f"{away}. Ann's clock is paused: #a1 vs Bob until <t:5:D>, #b1 vs Cara."


def test_end_of_a_vacation_names_the_deadlines() -> None:
    back = "Ann is back from vacation. The clock is running again"
    games = [(1, "Bob", 5), (2, "Cara", 6)]
    until = "#a1 vs Bob until <t:5:R>, #b1 vs Cara until <t:6:R>"
    assert vacations.vacation_announcement("Ann", 9, games, over=True) == f"{back}: {until}."
    assert vacations.vacation_announcement("Ann", 9, [], over=True) == "Ann is back from vacation."


def test_announcement_fits_one_message() -> None:
    """Games that are not named are counted."""
    games = [(game_id, "*" * 32) for game_id in range(1, 200)]
    said = vacations.vacation_announcement("_" * 32, 10**10, games, over=False, untimed=games, runs=games)
    assert len(said) < 2000
    named = said.count("vs") // 3
    assert said.count(f" and {199 - named} more") == 3


def test_refusal_says_what_to_do_next() -> None:
    for why, said in {
        Why.OVER: "This game is over. **Rematch** below its last board or **/gipf challenge** starts another.",
        Why.CLAIM_WIN_TIMED: "once your opponent's time and grace are over, you win without a claim.",
    }.items():
        assert refusal_texts.refusal_text(Refused(why)).endswith(said)


def test_without_days_left_nobody_is_told_to_choose_fewer() -> None:
    said = "of vacation left this year; nothing was changed."
    assert refusal_texts.refusal_text(Refused(Why.VACATION_TOO_LONG, left=0)) == f"You have no days {said}"
    assert (
        refusal_texts.refusal_text(Refused(Why.VACATION_TOO_LONG, left=1))
        == f"You have 1 day {said} Choose fewer days."
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (None, "You play 10 games here; this server allows 2. Finish 9 first: **/gipf games** lists yours."),
        ("Bob", "Bob plays 10 games here; this server allows 2. Try again when 9 are over."),
    ],
)
def test_refusal_for_too_many_games_counts_them(name: str | None, said: str) -> None:
    assert refusal_texts.refusal_text(Refused(Why.TOO_MANY_GAMES, name=name, cap=2, plays=10)) == said


def test_text_above_each_page_is_short() -> None:
    missing = "View Channel, Send Messages, Attach Files, Create Public Threads"
    lacks = server.GAMES_PLACE.lacks.format(channel=f"<#{LONG.channel}>", permissions=missing)
    for page in server.PAGE_LABELS:
        assert len(server.server_settings_text(LONG, page, [lacks])) < 600


@pytest.mark.parametrize("page", server.PAGE_LABELS)
def test_each_page_fits_one_message(page: str) -> None:
    """Discord allows 25 choices in a select, 100 characters in an id and in a choice, and 80 on a button."""
    places = dict.fromkeys(("channel", "results", "challengers"), 10**19)
    rows = server_settings_rows(LONG, page, places, manages_roles=True)
    assert len(rows) <= 9
    selects = [row for row in rows if isinstance(row, Select)]
    for select in selects:
        assert select.chosen in [value for _, value in select.options]
        assert len(select.options) <= 25
        assert all(len(label) <= 80 for label, _ in select.options), "a phone shows it in two lines"
    buttons = [button for row in rows if isinstance(row, tuple) for button in row]
    assert all(len(button.label) <= 40 for button in buttons)
    unset = {text.place_text.unset_label for text in server.SERVER_TEXTS.values() if text.place_text}
    assert {button.style for button in buttons if button.label in unset} <= {"secondary"}, "they are no switches"
    ids = [*(button.action for button in buttons), *(select.action for select in selects)]
    assert len({*ids}) == len(ids)
