"""The texts of a server's figures and the plot of its turns, from made-up figures."""

from dataclasses import replace

import pytest

from gipfbot.match.clock import DAY
from gipfbot.match.explorer import WinRate
from gipfbot.service.competing.profiles import ServerFigures
from gipfbot.ui.competing import profile
from gipfbot.values import FollowedGame, PoolResults, Venue
from tests.rules.helpers import BLACK, WHITE
from tests.support.people import ANN, CLUB, HALL
from tests.support.times import parse_moment

THE_22ND = parse_moment("2026-11-22 00:00") // DAY
FIGURES = ServerFigures(
    12,
    (
        PoolResults("overboard", None, False, 2),
        PoolResults("standard", WHITE, False, 33),
        PoolResults("standard", BLACK, False, 28),
        PoolResults("standard", None, True, 3),
        PoolResults("basic", WHITE, False, 1),
        PoolResults(None, BLACK, False, 1),
    ),
    THE_22ND,
    (*(0,) * 28, 4, 1),
    (),
)


def lines(figures: ServerFigures, name: str = "Club") -> list[str]:
    return profile.server_figures_text(figures, name).splitlines()


def test_figures_as_text() -> None:
    """Pools come in their order. Only those with a winner are named."""
    assert lines(FIGURES) == [
        "**Club** · 12 running, 65 finished, 3 cancelled",
        "5 turns in the last 30 days",
        "**Basic:** White won 100 % of 1 game. That is too few to tell; in the long run, 21 to 100 % is likely.",
        "**Standard:** White won 54 % of 61 games. In the long run, 42 to 66 % is likely.",
    ]


def test_nothing_has_ended_and_nobody_moves() -> None:
    assert lines(replace(FIGURES, results=(), turns=(0,) * 30)) == [
        "**Club** · 12 running, 0 finished",
        profile.NO_TURNS_LATELY,
        profile.NO_WINNER_YET,
    ]


@pytest.mark.parametrize(
    ("wins", "games", "said"),
    [
        (0, 20, "0 % of 20 games. In the long run, 0 to 16 % is likely."),
        (81, 263, "31 % of 263 games. In the long run, 26 to 37 % is likely."),
        (14, 22, "64 % of 22 games. That is too few to tell; in the long run, 43 to 80 % is likely."),
    ],
)
def test_win_rates_as_text(wins: int, games: int, said: str) -> None:
    assert profile.win_rate_text(WinRate(wins, games)) == f"White won {said}"


def test_names_of_servers_and_players_are_escaped() -> None:
    assert lines(FIGURES, "a*b @everyone")[0].startswith("**a\\*b @\u200beveryone** · ")
    game = FollowedGame(7, "tournament", (1, ANN.user), ("*Zoe*", "Ann"), Venue(CLUB, HALL), 1)
    said = profile.followed_text(game)
    assert said == "**Most followed:** 1 follower\n**#g1** \\*Zoe\\* vs Ann · Tournament"


def test_plot_names_each_day_up_to_today() -> None:
    plot = profile.turns_plot(FIGURES)
    assert plot
    assert (plot.title, plot.note) == ("Turns a day", "5 turns in the last 30 days (UTC)")
    assert (plot.days[0], plot.days[-2:]) == (("24 Oct", 0), (("21 Nov", 4), ("22 Nov", 1)))
    assert len(plot.days) == 30
    assert profile.turns_plot(replace(FIGURES, turns=(0,) * 30)) is None
    one = profile.turns_plot(replace(FIGURES, turns=(0, 1)))
    assert one
    assert (one.note, one.days) == ("1 turn in the last 30 days (UTC)", (("21 Nov", 0), ("22 Nov", 1)))
