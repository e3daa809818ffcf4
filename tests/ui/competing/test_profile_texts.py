"""The texts of profiles and the plot of ratings, from made-up profiles."""

from dataclasses import replace

from gipfbot.match import Status
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import MonthRating, Uncounted
from gipfbot.notation import OFFICIAL
from gipfbot.rules import BASIC, Colour, Reason
from gipfbot.service.competing.profiles import Opening, Profile
from gipfbot.ui.competing import profile
from gipfbot.values import EndedAlike, GuessScore, OpponentScore, Score
from gipfbot.values.tournaments import Title
from tests.support.people import HOME

WHITE, BLACK = Colour
NOVEMBER = 12 * 2026 + 10
ENDS = (
    EndedAlike(WHITE, Status.OVER, WHITE, Reason.GIPF, 2),
    EndedAlike(BLACK, Status.OVER, WHITE, Reason.GIPF, 3),
    EndedAlike(BLACK, Status.OVER, BLACK, Reason.TIME, 1),
    EndedAlike(WHITE, Status.OVER, None, Reason.AGREEMENT, 1),
    EndedAlike(WHITE, Status.OVER, None, Reason.REPETITION, 1),
    EndedAlike(BLACK, Status.CANCELLED, None, None, 1),
)
BARE = Profile(1, None, NOVEMBER, (), ENDS, (), (None, None), None, (), 0, GuessScore())


def rated(month: int, value: float, pool: str = "standard") -> MonthRating:
    """Return the rating after a month in which somebody won three games in a row."""
    return MonthRating(pool, 1, month, Rating(), Rating(value, 60.4), 5, 4, 3, 1, 0)


def lines(shown: Profile) -> list[str]:
    return profile.profile_text(shown, "**Ann**", OFFICIAL, shown.titles[1:], shows_longest=True).splitlines()


def test_ends_are_counted_over_both_colours_with_the_wins() -> None:
    assert profile.ends_text(BARE) == (
        "no GIPF-piece left 5 (2 won) · cancelled 1 · draw agreed 1 · out of time 1 (1 won) · void 1"
    )


def test_every_reason_has_its_words() -> None:
    for by in Reason:
        said = profile.ends_text(replace(BARE, ends=(EndedAlike(WHITE, Status.OVER, None, by, 7),)))
        assert said.endswith(" 7")
        assert len(said) > 5


def test_draws_are_named_only_if_there_are_some() -> None:
    assert profile.score_text(Score(3, 1, 2)) == "3 won, 1 drawn, 2 lost"
    assert profile.score_text(Score(3, 0, 2)) == "3 won, 2 lost"


def test_games_that_do_not_count_are_named_with_the_reason() -> None:
    pair, away = Uncounted.PAIR, Uncounted.AWAY
    assert lines(replace(BARE, uncounted={away: 1, pair: 2}))[1] == (
        "**Rated, but not counted:** 2 because only 5 a month against one player count · 1 lost on time while away"
    )
    assert lines(replace(BARE, uncounted={away: 3}))[1] == "**Rated, but not counted:** 3 lost on time while away"
    assert not [line for line in lines(BARE) if "Not counted" in line]
    assert {*profile._UNCOUNTED} == {*Uncounted}


def title(number: int, season: int | None = None) -> Title:
    return Title(number, f"Cup {number}", season, HOME)


def test_titles_are_named_and_those_that_are_not_are_counted() -> None:
    """The first is one that the reader may not see. Of many, the newest are named."""
    hidden = title(9)
    assert lines(replace(BARE, titles=(hidden, title(3, 12), title(1))))[1] == (
        "**Won:** Cup 3, season 12 · Cup 1 · 1 more"
    )
    assert lines(replace(BARE, titles=(hidden,)))[1] == "**Won:** 1 tournament"
    many = (hidden, *(title(number) for number in range(profile.SHOWN_TITLES + 2)))
    assert lines(replace(BARE, titles=many))[1] == "**Won:** Cup 0 · Cup 1 · Cup 2 · Cup 3 · Cup 4 · 3 more"
    assert not [line for line in lines(BARE) if "Won:" in line]
    assert profile.title_text(Title(1, "*Cup*", None, HOME)) == r"\*Cup\*"


def test_void_and_cancelled_games_are_no_results() -> None:
    assert lines(replace(BARE, ends=ENDS[4:])) == [
        "**Ann** · no games with a result",
        "**As White:** no games with a result",
        "**As Black:** no games with a result",
        "**How games ended:** cancelled 1 · void 1",
    ]


def test_ratings_stand_in_the_order_of_the_pools() -> None:
    months = rated(NOVEMBER, 1499.6, "tournament"), rated(NOVEMBER, 1600.2, "basic")
    assert lines(replace(BARE, months=months))[1:3] == [
        "Basic: **1600** ±60 · 5 rated, 4 won, 3 in a row",
        "Tournament: **1500** ±60 · 5 rated, 4 won, 3 in a row",
    ]
    assert "rated" not in "\n".join(lines(replace(BARE, months=months, against=2)))


def test_points_of_guesses_come_last_if_there_are_guesses() -> None:
    for score, said in (
        (GuessScore(12, 1, 4, 7), "7 points from 12 turns"),
        (GuessScore(1, 0, 1, 1), "1 point from 1 turn"),
    ):
        assert lines(replace(BARE, guesses=score))[-1] == f"**Guesses:** {said}"
    assert "Guesses" not in "\n".join(lines(BARE))
    assert lines(replace(BARE, ends=(), guesses=GuessScore(2))) == [
        "**Ann**", "No finished games yet.", "**Guesses:** 0 points from 2 turns",
    ]  # fmt: skip


def test_names_are_escaped() -> None:
    odd = replace(BARE, opponents=(OpponentScore(2, "*@everyone*", Score(1)),))
    assert "\\*@\u200beveryone\\* (1 won, 0 lost)" in "\n".join(lines(odd))
    assert profile.profile_heading("a*b", "c_d") == "**a\\*b vs c\\_d**"


def test_opening_that_cannot_be_read_is_shown_as_stored() -> None:
    opening = Opening(BASIC, ("c2", "x*y"), 2, 3)
    assert profile.opening_text(opening, OFFICIAL) == "c2 x\\*y (Basic), in 2 of 3 games"


def test_plot_goes_on_to_this_month() -> None:
    months = rated(NOVEMBER - 11, 1500), rated(NOVEMBER - 2, 1600.4, "basic"), rated(NOVEMBER - 1, 1700)
    plot = profile.rating_plot(replace(BARE, months=months), "Ann")
    assert plot
    assert (plot.name, plot.note) == ("Ann", "7 games: 3 won, 1 drawn, 3 lost")
    assert (plot.months, plot.month_names) == ((NOVEMBER - 11, NOVEMBER), ("Dec 2025", "Nov 2026"))
    assert [(line.title, line.note) for line in plot.lines] == [("Basic", "1600 ±61"), ("Standard", "1700 ±60")]
    assert [line.points for line in plot.lines] == [
        ((NOVEMBER - 2, 1600), (NOVEMBER, 1600)),
        ((NOVEMBER - 11, 1500), (NOVEMBER - 1, 1700), (NOVEMBER, 1700)),
    ]
    assert profile.rating_plot(BARE, "Ann") is None
    later = profile.rating_plot(replace(BARE, months=(rated(NOVEMBER + 1, 1500),)), "Ann")
    assert later
    assert later.months == (NOVEMBER + 1, NOVEMBER + 1), "the host's clock was set back"
