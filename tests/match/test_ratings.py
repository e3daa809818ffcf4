"""Which results count, and the ratings of months that follow from them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gipfbot.match import Game, Status, Terms, new_game
from gipfbot.match.glicko import RatedScore, Rating, after_idle_periods, after_period
from gipfbot.match.ratings import (
    COUNTED_POOLS,
    FEWEST_FIRM_GAMES,
    LISTED_FOR,
    MOST_OF_PAIR,
    POOLS,
    MonthRating,
    RatedResult,
    Uncounted,
    decide_result,
    has_rated_result,
    is_provisional,
    month_of,
    month_start,
    pool_of,
    rate_all,
    rate_month,
    rated_result,
    rating_in_month,
    standing_now,
)
from gipfbot.rules import BASIC, PRESETS, RULESETS, Colour, Reason, Result, ruleset_named
from gipfbot.rules.rulesets import OVERBOARD
from tests.support.people import ANN, BOB
from tests.support.times import DAY

WON = Result(Colour.WHITE, Reason.RESIGN)

ANNE, BERT, CARL = 1, 2, 3
MAY = 12 * 2026 + 4
FIRST = month_start(MAY)
NEW = Rating()


def ended(result: Result | None = WON, turns: int = 4, **changes: object) -> Game:
    game = new_game(1, BASIC, (ANN, BOB), Terms(rated=True))
    position = game.position._replace(result=result)
    return replace(game, **{"position": position, "turn_number": turns, "status": Status.OVER, **changes})  # type: ignore[arg-type]


def test_every_rule_set_has_its_pool() -> None:
    assert {name: pool_of(ruleset) for name, ruleset in RULESETS.items()} == {name: name for name in RULESETS}
    for name in PRESETS:
        assert pool_of(ruleset_named(f"{name}+Z3")) == "potentials"
    assert pool_of(replace(OVERBOARD, name="another")) == "overboard"
    assert {pool_of(ruleset) for ruleset in RULESETS.values()} | {"potentials"} == {*COUNTED_POOLS}
    assert {*COUNTED_POOLS} - {*POOLS} == {"overboard"}, "it is never rated"


@pytest.mark.parametrize("reason", [Reason.GIPF, Reason.RESERVE, Reason.TIME, Reason.RESIGN])
def test_a_won_rated_game_may_count(reason: Reason) -> None:
    game = ended(Result(Colour.BLACK, reason))
    assert has_rated_result(game)
    result = rated_result(game, None, 0)
    assert (result.user, result.points, result.of_opponent.user, result.of_opponent.points) == (
        ANN.user,
        0,
        BOB.user,
        1,
    )
    assert (result.opponent, result.of_opponent.opponent) == (BOB.user, ANN.user)
    assert not result.counts, "that is found out from the other games"
    assert result.late_user == (ANN.user if reason is Reason.TIME else None)


def test_a_draw_gives_half_a_point_to_both() -> None:
    game = ended(Result(None, Reason.AGREEMENT))
    assert has_rated_result(game)
    result = rated_result(game, None, 0)
    assert [result.points, result.of_opponent.points] == [0.5, 0.5]


def test_other_games_never_count() -> None:
    assert not has_rated_result(ended(turns=3))
    assert not has_rated_result(ended(Result(None, Reason.REPETITION)))
    assert not has_rated_result(ended(None, status=Status.CANCELLED))
    assert not has_rated_result(ended(None, status=Status.RUNNING))
    assert not has_rated_result(ended(terms=Terms(rated=False)))


def test_terms_from_before_ratings_are_unrated() -> None:
    old = {name: value for name, value in Terms(rated=True).data().items() if name != "rated"}
    assert not Terms.from_data(old).rated
    assert Terms.from_data(Terms(rated=True).data()).rated


def test_months_agree_with_the_calendar() -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC)
    while moment.year < 2110:
        for at in (moment, moment - timedelta(seconds=1)):
            assert month_of(round(at.timestamp())) == 12 * at.year + at.month - 1
        if moment.day == 1:
            assert month_start(12 * moment.year + moment.month - 1) == moment.timestamp()
        moment += timedelta(days=1)


def result(game: int, user: int = ANNE, opponent: int = BERT, points: float = 1, **changes: object) -> RatedResult:
    """Return a result of May that counts. The game with the number 3 ended on the third day."""
    plain = RatedResult(game, user, opponent, "standard", MAY, 0, FIRST + game * DAY, points, None, counts=True)
    return plain._replace(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("of_pair", [0, MOST_OF_PAIR - 1])
def test_the_first_games_of_a_pair_count_for_both(of_pair: int) -> None:
    both = decide_result(result(6), of_pair, away=False)
    assert both == (result(6), result(6).of_opponent)
    assert all(each.counts_at_all for each in both)


def test_a_game_after_five_of_a_pair_counts_for_nobody() -> None:
    for late_user in (None, BERT):
        both = decide_result(result(6, late_user=late_user), MOST_OF_PAIR, away=late_user is not None)
        assert [(each.counts, each.uncounted, each.counts_at_all) for each in both] == [
            (False, Uncounted.PAIR, False)
        ] * 2


@pytest.mark.parametrize("late_user", [ANNE, BERT])
def test_a_loss_on_time_while_away_counts_for_the_winner_only(late_user: int) -> None:
    both = decide_result(result(1, points=float(late_user == BERT), late_user=late_user), 0, away=True)
    assert {each.user: (each.counts, each.uncounted) for each in both} == {
        late_user: (False, Uncounted.AWAY),
        ANNE + BERT - late_user: (True, None),
    }
    assert all(each.counts_at_all for each in both), "it is one of the five of the pair"


def month_rating(**changes: object) -> MonthRating:
    """Return Ann's rating after May."""
    known = MonthRating("standard", ANNE, MAY, NEW, Rating(1600, 100, 0.06), 7, 4, 2, 40, FIRST + 20 * DAY)
    return known._replace(**changes)  # type: ignore[arg-type]


def test_months_without_games_only_raise_the_deviation() -> None:
    known = month_rating()
    assert rating_in_month(None, MAY) == NEW
    assert rating_in_month(known, MAY) == rating_in_month(known, MAY + 1) == known.rating
    assert rating_in_month(known, MAY + 3) == after_idle_periods(known.rating, 2)


def test_a_month_adds_its_games_to_those_before() -> None:
    """The games come in any order. A loss ends the wins in a row."""
    games = [result(3, points=1), result(1, points=1), result(2, points=0, opponent=CARL)]
    opponents = [Rating(1500, 90), Rating(1700, 80), Rating(1400, 70)]
    found = rate_month(month_rating(month=MAY - 1), list(zip(games, opponents, strict=True)))
    scores = [RatedScore(opponent, each.points) for each, opponent in zip(games, opponents, strict=True)]
    rating = Rating(1600, 100, 0.06)
    assert found == MonthRating(
        "standard", ANNE, MAY, rating, after_period(rating, scores), 10, 6, 1, 3, FIRST + 3 * DAY
    )


def test_the_last_game_is_the_one_that_ended_last() -> None:
    games = [(result(3, ended_at=FIRST), NEW), (result(1, points=0), NEW), (result(2), NEW)]
    assert rate_month(None, games)[-3:] == (1, 2, FIRST + 2 * DAY)


def test_the_first_month_begins_with_a_new_players_rating() -> None:
    found = rate_month(None, [(result(1, points=0.5), NEW), (result(2), NEW)])
    assert (found.start, found.games, found.wins, found.won_in_a_row) == (NEW, 2, 1, 1)


def of_both(*results: RatedResult) -> list[RatedResult]:
    """Return these results for both players of each."""
    return [each for one in results for each in (one, one.of_opponent)]


def test_a_result_rates_only_those_for_whom_it_counts() -> None:
    """The loser's rating of last month is still the one that the winner is rated against."""
    april, lost = result(1, BERT, CARL, month=MAY - 1), result(2, late_user=BERT)
    found = rate_all([*of_both(april), *decide_result(lost, 0, away=True)])
    assert [(each.user, each.month) for each in found] == [(ANNE, MAY), (BERT, MAY - 1), (CARL, MAY - 1)]
    assert found[0] == rate_month(None, [(lost, found[1].rating)])


def test_all_ratings_follow_from_all_results() -> None:
    """In each month opponents have the rating that they had at its start."""
    june = result(2, BERT, ANNE, month=MAY + 1)
    found = rate_all(of_both(result(1), june, result(3, counts=False)))
    assert [(each.user, each.month) for each in found] == [(ANNE, MAY), (ANNE, MAY + 1), (BERT, MAY), (BERT, MAY + 1)]
    ann, bob = found[0], found[2]
    assert ann == rate_month(None, [(result(1), NEW)])
    assert bob == rate_month(None, [(result(1).of_opponent, NEW)])
    assert found[1] == rate_month(ann, [(june.of_opponent, bob.rating)])
    assert found[3] == rate_month(bob, [(june, ann.rating)])


def test_a_rating_goes_on_after_games_in_another_pool() -> None:
    basic, later = result(1, pool="basic"), result(3, pool="basic", month=MAY + 1)
    first, second, *_ = rate_all(of_both(basic, result(2), later))
    assert (first.pool, first.month, second.month) == ("basic", MAY, MAY + 1)
    assert (second.start, second.games) == (first.rating, 2)


def test_an_entry_is_firm_after_some_games_with_a_small_deviation() -> None:
    assert not is_provisional(month_rating(games=FEWEST_FIRM_GAMES), MAY)
    assert is_provisional(month_rating(games=FEWEST_FIRM_GAMES - 1), MAY)
    assert not is_provisional(month_rating(rating=Rating(1600, 150)), MAY)
    assert is_provisional(month_rating(rating=Rating(1600, 150.1)), MAY)
    assert is_provisional(month_rating(rating=Rating(1600, 150)), MAY + 2)


def test_an_entry_is_listed_for_90_days_after_the_last_game() -> None:
    known = month_rating(rating=Rating(1600.7, 60, 0.06))
    until = known.last_at + LISTED_FOR
    assert LISTED_FOR == 90 * DAY
    assert standing_now(known, 5, until) is None
    entry = standing_now(known, 5, until - 1)
    assert entry
    assert entry[:6] == ("standard", 5, ANNE, False, -1601, 1600.7)
    assert (entry.games, entry.month, entry.changes_at) == (7, MAY, until)


@pytest.mark.parametrize(("deviation", "softens"), [(149.9, MAY + 2), (149.4, MAY + 3), (149.1, None)])
def test_an_entry_changes_when_its_deviation_grows_too_large(deviation: float, softens: int | None) -> None:
    """Without that, when it leaves the leaderboard, in August here."""
    known = month_rating(rating=Rating(1600, deviation, 0.06))
    until = known.last_at + LISTED_FOR
    entry = standing_now(known, 0, known.last_at)
    assert entry
    assert (entry.provisional, entry.changes_at) == (False, month_start(softens) if softens else until)
    if softens:
        later = standing_now(known, 0, month_start(softens))
        assert later
        assert (later.provisional, later.changes_at) == (True, until)


def test_equal_ratings_are_ordered_by_their_deviations_in_every_month() -> None:
    """A player who was idle is compared with the deviation that they have by now."""
    idle, active = month_rating(month=MAY - 1), month_rating()
    grown = active._replace(rating=rating_in_month(idle, MAY + 1))
    first, second, third = (standing_now(known, 0, FIRST + 25 * DAY) for known in (active, idle, grown))
    assert first
    assert second
    assert third
    assert first.uncertainty < second.uncertainty == pytest.approx(third.uncertainty)
