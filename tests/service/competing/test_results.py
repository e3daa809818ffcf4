"""Ratings are written with the result, and come out the same whatever the order."""

from collections.abc import Callable
from random import Random

import pytest

from gipfbot.match import Refused, Terms
from gipfbot.match.clock import days_per_turn
from gipfbot.match.ratings import MonthRating, month_of, month_start
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, Reason, Result, ruleset_named
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.competing.results import rebuild_ratings
from gipfbot.store import Store, ratings
from tests.service.helpers import Host, basic_game_after, begin_game, passes, posted
from tests.support.people import ANN, BOB, CARA
from tests.support.times import DAY, HOUR, NOW

from .ended_games import (
    BLACK_WINS,
    DRAWN,
    RATED,
    THIS_MONTH,
    WHITE_LATE,
    WHITE_WINS,
    Ending,
    begin_games,
    counted_games,
    end_game,
    live_through,
    rating_rows,
)


async def newest(store: Store, user: int, pool: str = "basic") -> MonthRating | None:
    async with store.reading() as db:
        return (await ratings.newest_months(db, user)).get(pool)


async def test_resigning_a_rated_game_rates_both(app: App) -> None:
    game = await basic_game_after(app, 4, RATED)
    await app.games.resign(game, BOB.user)
    ann, bob = [await newest(app.games.store, user) for user in (ANN.user, BOB.user)]
    assert ann
    assert bob
    assert ann.rating.value == pytest.approx(1662.31, abs=0.01)
    assert bob.rating.value == pytest.approx(1337.69, abs=0.01)
    assert (ann.games, ann.wins, ann.won_in_a_row, bob.games, bob.wins, bob.won_in_a_row) == (1, 1, 1, 1, 0, 0)
    assert (ann.last_game, ann.last_at, ann.month) == (game, NOW, THIS_MONTH)


async def test_a_refused_resignation_rates_nobody(app: App) -> None:
    game = await basic_game_after(app, 4, RATED)
    with pytest.raises(Refused):
        await app.games.resign(game, CARA.user)
    assert await newest(app.games.store, ANN.user) is None


async def test_each_way_to_end_a_game_rates_it(app: App, flag_watch: FlagWatch, host: Host) -> None:
    late = await basic_game_after(app, 4, Terms(days_per_turn(1), grace=HOUR, rated=True))
    claimed = await basic_game_after(app, 4, RATED)
    await passes(flag_watch, host, DAY + HOUR)
    await passes(flag_watch, host, 2 * HOUR)
    assert await counted_games(app.games.store) == [late]
    await posted(app.games.store)
    host.now += 31 * DAY
    (warning,) = (await app.win_claims.claim_win(claimed, BOB.user)).owed
    await app.outbox.note_delivered(warning, 900)
    host.now += 8 * DAY
    await app.win_claims.settle_due_win_claims()
    assert await counted_games(app.games.store) == [late, claimed]


async def test_games_that_never_count(store: Store, app: App) -> None:
    void = Result(None, Reason.REPETITION)
    await live_through(store, [Ending(turns=3), Ending(rated=False), Ending(result=void)])
    await app.games.cancel_game((await begin_game(app, RATED)).game.id, ANN.user)
    assert {name: len(rows) for name, rows in (await rating_rows(store)).items()} == {
        "rated_results": 0,
        "ratings": 0,
        "standings": 0,
        "standing_steps": 0,
    }


async def test_pools_are_rated_apart_and_overboard_is_not_rated(store: Store) -> None:
    sets = [BASIC, STANDARD, ruleset_named("tournament+Z3"), OVERBOARD]
    await live_through(store, [Ending(ruleset=ruleset, result=DRAWN) for ruleset in sets])
    async with store.reading() as db:
        found = await ratings.newest_months(db, ANN.user)
    assert {pool: each.games for pool, each in found.items()} == {
        "basic": 1,
        "standard": 1,
        "potentials": 1,
    }


async def test_five_games_of_a_pair_count_in_a_pool_and_month(store: Store) -> None:
    seven = [Ending(NOW + at, white=at % 2, black=1 - at % 2) for at in range(7)]
    others = [Ending(NOW + 8, ruleset=STANDARD), Ending(NOW + 9, black=2), Ending(month_start(THIS_MONTH + 1))]
    await live_through(store, [*seven, *others])
    assert await counted_games(store) == [1, 2, 3, 4, 5, 8, 9, 10]


async def test_one_loss_on_time_counts_in_a_week_for_a_player_who_is_away(store: Store) -> None:
    """Also in other pools and against others; the other player's own losses do not matter. All winners get theirs."""
    times = (0, 1, 168 * HOUR - 1, 168 * HOUR, 168 * HOUR + 1)
    late = [
        Ending(NOW + at, black=1 + place % 3, ruleset=(BASIC, STANDARD)[place % 2], result=WHITE_LATE)
        for place, at in enumerate(times)
    ]
    won = Ending(NOW + 2, result=WHITE_WINS)
    other = Ending(NOW + 3, white=1, black=0, result=WHITE_LATE)
    await live_through(store, [*late, won, other])
    assert await counted_games(store, ANN.user) == [1, 4, 6, 7]
    assert await counted_games(store) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("earlier", [0, 1])
async def test_a_result_noted_later_changes_no_decision(store: Store, earlier: int) -> None:
    """Games end in one second, or the host's clock was set back: the order in which they were noted decides."""
    endings = [Ending(NOW - earlier, result=WHITE_LATE), Ending(NOW, black=2, result=WHITE_LATE)]
    first, second = await begin_games(store, endings)
    await end_game(store, second, endings[1])
    assert await counted_games(store, ANN.user) == [2]
    await end_game(store, first, endings[0])
    assert await counted_games(store, ANN.user) == ([1, 2] if earlier else [2]), "a later loss is none before it"
    assert await counted_games(store) == [1, 2]
    assert await newest(store, CARA.user)


def random_endings(seed: int, months: int, number: int) -> list[Ending]:
    rng = Random(seed)
    found = []
    for _ in range(number):
        white, black = rng.sample(range(5), 2)
        month = THIS_MONTH + rng.randrange(months) * rng.choice((1, 1, 3))
        at = month_start(month) + rng.randrange(28) * DAY + rng.choice((0, 0, rng.randrange(DAY)))
        result = rng.choice((WHITE_WINS, BLACK_WINS, DRAWN, WHITE_LATE, Result(None, Reason.REPETITION)))
        ruleset, server = rng.choice((BASIC, BASIC, STANDARD)), rng.choice((1, 2, None))
        found.append(Ending(at, white, black, result, ruleset, server, rng.choice((3, 4, 30)), rng.random() < 0.9))
    return found


Shuffle = Callable[[list[int], list[Ending], Random], list[int]]


def inside_months(ids: list[int], endings: list[Ending], rng: Random) -> list[int]:
    """Return an order in which the months come one after the other."""
    rng.shuffle(ids)
    return sorted(ids, key=lambda at: month_of(endings[at].at))


def anyhow(ids: list[int], _: list[Ending], rng: Random) -> list[int]:
    rng.shuffle(ids)
    return ids


@pytest.mark.parametrize("shuffled", [inside_months, anyhow])
@pytest.mark.parametrize("seed", range(4))
async def test_any_order_gives_the_same_bits_as_a_rebuild(store: Store, seed: int, shuffled: Shuffle) -> None:
    endings = random_endings(seed, 3, 60)
    begun = await begin_games(store, endings)
    for at in shuffled([*range(len(endings))], endings, Random(seed)):
        await end_game(store, begun[at], endings[at])
    written = await rating_rows(store)
    last = max(how.at for how in endings)
    assert len(written["ratings"]) > 20
    assert 20 < len(await counted_games(store)) < 50
    changed = await rebuild_ratings(store, lambda: last)
    rebuilt = await rating_rows(store)
    for name in ("rated_results", "ratings"):
        assert written[name] == rebuilt[name]
    assert [changed[name][1] for name in ("results", "ratings")] == [0, 0]
    assert {table: difference for table, (_, difference) in (await rebuild_ratings(store, lambda: last)).items()} == {
        "results": 0,
        "ratings": 0,
        "standings": 0,
        "steps": 0,
        "puzzles": 0,
    }


async def test_idle_months_raise_the_deviation_at_the_next_start(store: Store) -> None:
    await live_through(store, [Ending(month_start(THIS_MONTH + month)) for month in (0, 1, 4)])
    async with store.reading() as db:
        first, second, third = [each for each in await ratings.all_months(db) if each.user == ANN.user]
    assert second.start == first.rating
    idle = (second.rating.deviation**2 + 2 * (173.7178 * second.rating.volatility) ** 2) ** 0.5
    assert third.start == second.rating._replace(deviation=third.start.deviation)
    assert third.start.deviation == pytest.approx(idle)
    assert [each.games for each in (first, second, third)] == [1, 2, 3]
