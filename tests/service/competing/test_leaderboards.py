"""Leaderboards: their order and pages, who is on them, and what time changes."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from sqlalchemy import insert

from gipfbot.match import Refused, Why
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import MonthRating, Standing, month_of, month_start, standing_now
from gipfbot.service.app import App
from gipfbot.service.competing.leaderboards import ON_PAGE
from gipfbot.store import Connection, Store, ratings, standings, tables
from tests.service.helpers import Host
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, EVE, OTHER_CLUB
from tests.support.times import DAY, NOW

from .ended_games import PEOPLE, THIS_MONTH, Ending, live_through


def month_rating(user: int, rating: Rating, games: int = 5, last_at: int = NOW) -> MonthRating:
    """Return a player's rating of one month; game 1 was their last."""
    return MonthRating("basic", user, month_of(last_at), Rating(), rating, games, 2, 1, 1, last_at)


async def add_entries(db: Connection, known: Sequence[MonthRating], server: int = 0) -> None:
    """Add players with these ratings, whose last game was game 1."""
    entries = [entry for each in known if (entry := standing_now(each, server, NOW))]
    await ratings.save_months(db, known)
    rows = [
        {"game": 1, "colour": 10 + each.user, "user": each.user, "name": f"P{each.user}", "quiet": False}
        for each in known
    ]
    await db.execute(insert(tables.seats), rows)
    await standings.replace_standings(db, [], entries)


async def names(app: App, server: int | None = None, page: int = 1) -> list[str]:
    shown = await app.leaderboards.page("basic", server, page)
    return [line.name for line in shown.lines]


async def test_a_result_puts_both_on_the_leaderboards(app: App, store: Store) -> None:
    await live_through(
        store, [Ending(), Ending(NOW + 1, black=2, server=OTHER_CLUB), Ending(NOW + 2, 3, 4, server=None)]
    )
    assert await names(app) == ["Ann", "Dan", "Cara", "Bob", "Eve"] or len(await names(app)) == 5
    assert await names(app, CLUB) == ["Ann", "Bob"]
    assert await names(app, OTHER_CLUB) == ["Ann", "Cara"]
    (first, *_) = (await app.leaderboards.page("basic", CLUB, 1)).lines
    assert (first.place, first.games, first.wins, first.won_in_a_row, first.last_at) == (1, 2, 2, 2, NOW + 1)
    assert first.provisional


async def test_order_is_rating_then_deviation_then_games_then_id(app: App, store: Store) -> None:
    """Two who are equal in the first three share a place."""
    strong, sure, unsure = Rating(1700, 80), Rating(1600, 60), Rating(1600, 70)
    known = [
        month_rating(11, unsure, 9),
        month_rating(12, sure, 5),
        month_rating(13, sure, 6),
        month_rating(15, sure, 6),
        month_rating(14, Rating(1600.6, 140), 5),
        month_rating(16, strong, 7),
        month_rating(17, Rating(1900, 151), 50),
        month_rating(18, Rating(1800, 60), 4),
    ]
    Random(1).shuffle(known)
    await live_through(store, [Ending(rated=False)])
    async with store.transaction() as db:
        await add_entries(db, known)
    lines = (await app.leaderboards.page("basic", None, 1)).lines
    assert [line.user for line in lines] == [16, 14, 13, 15, 12, 11, 17, 18]
    assert [line.place for line in lines] == [1, 2, 3, 3, 5, 6, 7, 8]
    assert [line.user for line in lines if line.provisional] == [17, 18]
    for line in lines:
        own = await app.leaderboards.own_place("basic", None, line.user)
        assert own.place == line.place


async def test_equals_share_a_place_also_across_pages(app: App, store: Store) -> None:
    """Equal is what is shown: what is behind the comma parts nobody."""
    alike = [month_rating(user, Rating(1600 + user / 1000, 60 + user / 1000), 7) for user in range(100, 114)]
    best, last = month_rating(7, Rating(1700, 60)), month_rating(8, Rating(1601, 60))
    other = [month_rating(9, Rating(1600.05, 60.05), 8), month_rating(10, Rating(1600.05, 60.05), 6)]
    await live_through(store, [Ending(rated=False)])
    async with store.transaction() as db:
        await add_entries(db, [*alike, best, last, *other])
    pages = [(await app.leaderboards.page("basic", None, page)).lines for page in (1, 2)]
    assert [[line.place for line in lines] for lines in pages] == [[1, 2, 3, *[4] * 7], [*[4] * 7, 18]]
    assert [line.user for line in pages[0][:3]] == [7, 8, 9]
    assert pages[1][-1].user == 10
    for page, lines in enumerate(pages, 1):
        for line in lines:
            own = await app.leaderboards.own_place("basic", None, line.user)
            assert (own.place, own.page) == (line.place, page)


async def test_a_shared_place_ends_when_deviations_part(app: App, store: Store, host: Host) -> None:
    """A steadier player's deviation grows less, so after some months two are no longer shown as equal."""
    steady, wild = month_rating(7, Rating(1600, 60, 0.05)), month_rating(8, Rating(1600, 60, 0.1))
    await live_through(store, [Ending(rated=False)])
    async with store.transaction() as db:
        await add_entries(db, [wild, steady])
    found = []
    for month in (0, 1, 2):
        host.now = max(NOW, month_start(THIS_MONTH + month))
        lines = (await app.leaderboards.page("basic", None, 1)).lines
        found.append([(line.place, line.user, round(line.rating.deviation)) for line in lines])
        assert found[-1] == [
            ((await own_place(app, line.user)), line.user, round(line.rating.deviation)) for line in lines
        ]
    assert [[place for place, *_ in each] for each in found] == [[1, 1], [1, 1], [1, 2]]
    assert found[-1] == [(1, 7, 61), (2, 8, 62)]


async def own_place(app: App, user: int) -> int | None:
    return (await app.leaderboards.own_place("basic", None, user)).place


@pytest.mark.parametrize("seed", range(3))
async def test_every_page_and_place_agree_with_a_sorted_list(app: App, store: Store, seed: int) -> None:
    """Many have the same rating, so that steps are long; entries come and go."""
    rng = Random(seed)
    values = [rng.choice((1500.0, 1500.25, 1662.31, rng.uniform(1000, 2000))) for _ in range(97)]
    known = [
        month_rating(user, Rating(value, rng.choice((60.0, 100.0, 200.0))), rng.randrange(3, 8))
        for user, value in enumerate(values, 100)
    ]
    await live_through(store, [Ending(rated=False)])
    async with store.transaction() as db:
        await add_entries(db, known)
        gone = [entry for each in known[:20] if (entry := standing_now(each, 0, NOW))]
        await standings.replace_standings(db, gone, [])

    def shown(each: MonthRating) -> tuple[object, ...]:
        firm = each.rating.deviation <= 150 and each.games >= 5
        return not firm, -round(each.rating.value), round(each.rating.deviation), -each.games

    ordered = sorted(known[20:], key=lambda each: (*shown(each), each.user))
    expected, places = [each.user for each in ordered], list[int]()
    for place, (before, each) in enumerate(pairwise([None, *ordered]), 1):
        places.append(places[-1] if before and each and shown(before) == shown(each) else place)
    assert len({*places}) < 70
    first = await app.leaderboards.page("basic", None, 1)
    assert (first.players, first.pages) == (77, 8)
    found = [line for page in range(1, 9) for line in (await app.leaderboards.page("basic", None, page)).lines]
    assert [line.user for line in found] == expected
    assert [line.place for line in found] == places
    for number, (place, user) in enumerate(zip(places, expected, strict=True), 1):
        own = await app.leaderboards.own_place("basic", None, user)
        assert (own.place, own.page) == (place, -(-number // ON_PAGE))


async def test_equal_ratings_stay_in_order_over_idle_months() -> None:
    """The one who played a month later has the smaller deviation now, whatever it was at first."""
    early = month_rating(1, Rating(1600, 60), 5, month_start(THIS_MONTH))
    later = month_rating(2, Rating(1600, 60.5), 5, month_start(THIS_MONTH + 1))
    entries = [standing_now(each, 0, month_start(THIS_MONTH + 1)) for each in (early, later)]
    assert [entry.uncertainty for entry in entries if entry] == sorted(
        (entry.uncertainty for entry in entries if entry), reverse=True
    )


@pytest.mark.parametrize("page", [0, -1, 2, 10**9])
async def test_a_page_beyond_the_end_is_refused(app: App, page: int) -> None:
    with pytest.raises(Refused) as refused:
        await app.leaderboards.page("basic", None, page)
    assert (refused.value.why, refused.value.facts) == (Why.NO_PAGE, {"pages": 1})
    with pytest.raises(Refused):
        await app.leaderboards.page("chess", None, 1)


async def test_a_player_is_absent_after_90_days_and_comes_back(app: App, store: Store, host: Host) -> None:
    await live_through(store, [Ending(), Ending(NOW + DAY, black=2)])
    host.now = NOW + 90 * DAY - 1
    await app.leaderboards.relist_changed()
    assert sorted(await names(app)) == ["Ann", "Bob", "Cara"]
    host.now += 1
    await app.leaderboards.relist_changed()
    assert sorted(await names(app)) == ["Ann", "Cara"]
    own = await app.leaderboards.own_place("basic", None, BOB.user)
    assert own.place is None
    assert own.known
    assert own.known.last_at == NOW
    await live_through(store, [Ending(host.now, 1, 3)])
    assert sorted(await names(app)) == ["Ann", "Bob", "Cara", "Dan"]
    assert sorted(await names(app, CLUB)) == ["Ann", "Bob", "Cara", "Dan"]


async def test_idle_months_make_an_entry_provisional(app: App, store: Store, host: Host) -> None:
    await live_through(store, [Ending(rated=False)])
    last = month_start(THIS_MONTH + 1) - DAY
    known = month_rating(7, Rating(1600, 149.9), 9, last)
    entry = standing_now(known, 0, last)
    assert entry
    assert (entry.provisional, entry.changes_at) == (False, month_start(THIS_MONTH + 2))
    async with store.transaction() as db:
        await add_entries(db, [known])
    host.now = month_start(THIS_MONTH + 2)
    (line,) = (await app.leaderboards.page("basic", None, 1)).lines
    assert line.rating.deviation > 150
    changed = standing_now(known, 0, host.now)
    assert changed
    assert (changed.provisional, changed.changes_at) == (True, last + 90 * DAY)


async def test_leaving_the_lists_and_coming_back(app: App, store: Store) -> None:
    await live_through(store, [Ending()])
    await app.leaderboards.set_listed(ANN.user, False)
    assert [await names(app), await names(app, CLUB)] == [["Bob"], ["Bob"]]
    assert (await app.leaderboards.own_place("basic", CLUB, ANN.user)).unlisted
    await live_through(store, [Ending(NOW + 1, black=2)])
    assert sorted(await names(app)) == ["Bob", "Cara"]
    await app.leaderboards.set_listed(ANN.user, True)
    assert sorted(await names(app, CLUB)) == ["Ann", "Bob", "Cara"]
    (line,) = [line for line in (await app.leaderboards.page("basic", None, 1)).lines if line.user == ANN.user]
    assert line.games == 2, "the rating has gone on"


async def test_who_has_left_the_server_leaves_its_leaderboard(app: App, store: Store, host: Host) -> None:
    await live_through(store, [Ending(), Ending(NOW + 1, 2, 3)])
    everybody = [each.user for each in PEOPLE]
    assert await app.leaderboards.people_to_ask_about(CLUB, everybody) == everybody
    host.now += 10
    await app.leaderboards.note_members(CLUB, {ANN.user: True, BOB.user: False})
    assert sorted(await names(app, CLUB)) == ["Ann", "Cara", "Dan"]
    assert sorted(await names(app)) == ["Ann", "Bob", "Cara", "Dan"]
    assert await app.leaderboards.is_gone(CLUB, BOB.user)
    host.now += 7 * DAY - 1
    assert await app.leaderboards.people_to_ask_about(CLUB, everybody) == [CARA.user, DAN.user, EVE.user]
    host.now += 1
    assert await app.leaderboards.people_to_ask_about(CLUB, everybody) == everybody
    await app.leaderboards.note_members(CLUB, {BOB.user: True})
    assert sorted(await names(app, CLUB)) == ["Ann", "Bob", "Cara", "Dan"]


async def test_a_new_game_on_the_server_brings_a_player_back(app: App, store: Store, host: Host) -> None:
    await live_through(store, [Ending()])
    host.now += 10
    await app.leaderboards.note_members(CLUB, {BOB.user: False})
    assert await names(app, CLUB) == ["Ann"]
    await live_through(store, [Ending(NOW + 20, 1, 2, server=OTHER_CLUB)])
    assert await names(app, CLUB) == ["Ann"]
    await live_through(store, [Ending(NOW + 30, 1, 2)])
    assert sorted(await names(app, CLUB)) == ["Ann", "Bob", "Cara"]


async def test_the_busiest_pool_is_that_of_the_last_game(app: App, store: Store) -> None:
    assert await app.leaderboards.busiest_pool(ANN.user) is None
    await live_through(store, [Ending()])
    assert await app.leaderboards.busiest_pool(ANN.user) == "basic"


def test_steps_go_down_with_the_rating() -> None:
    entries = [standing_now(month_rating(1, Rating(value, 60)), 0, NOW) for value in (1600.0, 1599.6, 1599.4, 100.0)]
    assert [isinstance(entry, Standing) and entry.step for entry in entries] == [-1600, -1600, -1599, -100]
