"""Which results count, and the ratings of months that follow from them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gipfbot.match import Game, Status, Terms, new_game
from gipfbot.match.glicko import RatedScore, Rating, after_idle_periods, after_period
from gipfbot.match.ratings import (
    FEWEST_FIRM_GAMES,
    LISTED_FOR,
    POOLS,
    TIME_LOSS_REST,
    MonthRating,
    RatedResult,
    has_rated_result,
    is_provisional,
    month_of,
    month_start,
    pool_of,
    rate_all,
    rate_month,
    rated_result,
    rating_in_month,
    result_counts,
    settle_all,
    standing_now,
)
from gipfbot.rules import BASIC, PRESETS, RULESETS, Colour, Reason, Result, ruleset_named
from gipfbot.rules.rulesets import OVERBOARD
from tests.support.people import ANN, BOB
from tests.support.times import DAY, HOUR

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
    assert {pool_of(ruleset) for ruleset in RULESETS.values()} | {"potentials"} == {*POOLS}


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


FIVE = [result(game) for game in range(1, 6)]


def test_five_games_of_a_pair_count_in_a_month() -> None:
    assert result_counts(result(5), FIVE)
    assert not result_counts(result(6), FIVE)
    assert not result_counts(result(6, BERT, ANNE), FIVE)


@pytest.mark.parametrize(
    "changes",
    [{"pool": "basic"}, {"month": MAY - 1}, {"opponent": CARL}, {"counts": False}, {"ended_at": FIRST + 9 * DAY}],
)
def test_a_game_elsewhere_uncounted_or_later_takes_no_place(changes: dict[str, object]) -> None:
    assert result_counts(result(6), [*FIVE[:4], FIVE[4]._replace(**changes)])  # type: ignore[arg-type]


def test_of_games_that_end_at_once_the_lower_number_comes_first() -> None:
    at_once = [one._replace(ended_at=FIRST) for one in FIVE]
    assert not result_counts(result(6, ended_at=FIRST), at_once)
    assert result_counts(result(0, ended_at=FIRST), at_once)


def test_another_loss_on_time_counts_only_after_a_rest() -> None:
    earlier = result(1, BERT, CARL, 0, late_user=BERT)
    for hours, counts in ((-1, False), (0, True)):
        late = result(2, points=1, late_user=BERT, ended_at=earlier.ended_at + TIME_LOSS_REST + hours * HOUR)
        assert result_counts(late, [earlier]) is counts
        assert result_counts(late._replace(late_user=ANNE), [earlier])
        assert result_counts(late._replace(late_user=None), [earlier])


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


def test_results_are_settled_in_the_order_in_which_games_ended() -> None:
    """The sixth game of the pair does not count, in whatever order the games were noted."""
    six = [result(game, counts=False) for game in (4, 6, 2, 1, 5, 3)]
    others = [result(7, ANNE, CARL, counts=False), result(8, pool="basic", counts=False)]
    settled = settle_all([*six, *others])
    assert [one.game for one in settled] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [one.game for one in settled if not one.counts] == [6]


def test_a_loss_on_time_after_one_that_did_not_count_is_measured_from_the_one_that_did() -> None:
    days = (1, 5, 9, 12)
    late = [result(day, ANNE, BERT + day, 0, late_user=ANNE) for day in days]
    assert [one.counts for one in settle_all(late)] == [True, False, True, False]


def test_all_ratings_follow_from_all_results() -> None:
    """In each month opponents have the rating that they had at its start."""
    june = result(2, BERT, ANNE, month=MAY + 1)
    found = rate_all([result(1), june, result(3, counts=False)])
    assert [(each.user, each.month) for each in found] == [(ANNE, MAY), (ANNE, MAY + 1), (BERT, MAY), (BERT, MAY + 1)]
    ann, bob = found[0], found[2]
    assert ann == rate_month(None, [(result(1), NEW)])
    assert bob == rate_month(None, [(result(1).of_opponent, NEW)])
    assert found[1] == rate_month(ann, [(june.of_opponent, bob.rating)])
    assert found[3] == rate_month(bob, [(june, ann.rating)])


def test_a_rating_goes_on_after_games_in_another_pool() -> None:
    basic, later = result(1, pool="basic"), result(3, pool="basic", month=MAY + 1)
    first, second, *_ = rate_all([basic, result(2), later])
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
    assert entry[:6] == ("standard", 5, ANNE, False, -1600, 1600.7)
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
