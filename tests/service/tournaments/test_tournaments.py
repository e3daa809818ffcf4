"""Tournaments as people use them: what each may do, what is refused, and what a stop leaves."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from gipfbot.engines import pairing as library
from gipfbot.match import House, Status, Why
from gipfbot.rules import OVERBOARD
from gipfbot.service.app import App, create_app
from gipfbot.service.clock import downtime
from gipfbot.service.tournaments.course import BETWEEN_SEASONS
from gipfbot.service.tournaments.tournaments import LONGEST_NAME, MOST_OPEN, MOST_ROUNDS
from gipfbot.store import Store, ratings
from gipfbot.store.tournament_tables import tournaments
from gipfbot.values import Limits, Venue
from gipfbot.values.tournaments import Tournament, TournamentState
from tests.service.helpers import Host, assert_refused, begin_game, delete_all, play_on, posted
from tests.service.privacy.kept import pass_over
from tests.support.people import ANN, BOB, CLUB, HOME, HOUSE_PLAYER, OTHER_CLUB
from tests.support.times import DAY, NOW

from .playing import (
    PEOPLE,
    SWISS,
    TERMS,
    UNOPENED,
    before_void,
    begun,
    entries,
    join,
    opened,
    play,
    resign,
    running,
    stands,
)

# What is wrong with a new tournament, and what it is told.
UNFIT: dict[str, tuple[Tournament, Why, dict[str, Any]]] = {
    "version": (replace(UNOPENED, ruleset=OVERBOARD), Why.NOT_IN_TOURNAMENTS, {}),
    "kind": (replace(UNOPENED, kind="knockout"), Why.NOT_OFFERED, {"option": "kind", "value": "knockout"}),
    "league with rounds": (replace(UNOPENED, rounds=3), Why.NOT_OFFERED, {"option": "rounds", "value": 3}),
    "Swiss without": (replace(SWISS, rounds=0), Why.NOT_OFFERED, {"option": "rounds", "value": 0}),
    "less than none": (replace(SWISS, rounds=-1), Why.NOT_OFFERED, {"option": "rounds", "value": -1}),
    "too many": (
        replace(SWISS, rounds=MOST_ROUNDS + 1),
        Why.NOT_OFFERED,
        {"option": "rounds", "value": MOST_ROUNDS + 1},
    ),
    "name": (replace(UNOPENED, name=" \n"), Why.NOT_OFFERED, {"option": "name", "value": ""}),
    "level": (
        replace(UNOPENED, terms=replace(TERMS, house=House(9, HOUSE_PLAYER.user))),
        Why.NOT_OFFERED,
        {"option": "level", "value": 9},
    ),
}


@pytest.mark.parametrize("what", UNFIT)
async def test_an_unfit_tournament_is_not_opened(app: App, what: str) -> None:
    new, why, facts = UNFIT[what]
    assert await assert_refused(why, app.tournaments.open(new)) == facts
    assert await app.tournaments.on_server(CLUB) == []


async def test_without_the_library_none_is_opened(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "LIBRARY", "not_installed")
    await assert_refused(Why.NO_TOURNAMENTS, app.tournaments.open(UNOPENED))


async def test_the_most_rounds_and_a_long_name_are_taken(app: App) -> None:
    opened, owed = await app.tournaments.open(replace(SWISS, rounds=MOST_ROUNDS, name=" A " + "b" * 99))
    assert opened.name == "A " + "b" * (LONGEST_NAME - 2)
    assert await app.tournaments.on_server(CLUB) == [opened]
    assert [(row.kind, row.channel) for row in owed] == [("tournament", HOME.channel)]


async def test_a_server_has_so_many_that_go_on(app: App) -> None:
    for _ in range(MOST_OPEN):
        await app.tournaments.open(UNOPENED)
    assert await assert_refused(Why.TOO_MANY_TOURNAMENTS, app.tournaments.open(UNOPENED)) == {"most": MOST_OPEN}
    await app.tournaments.open(replace(UNOPENED, venue=Venue(OTHER_CLUB, 5)))
    await app.tournaments.stop(1)
    await app.tournaments.open(UNOPENED)
    assert len(await app.tournaments.on_server(CLUB)) == MOST_OPEN


async def test_what_this_version_does_not_know_is_in_nobodys_way(app: App) -> None:
    """A newer version has a kind more, or has written what cannot be read."""
    for values in ({"kind": "knockout"}, {"state": "paused"}):
        tournament = await opened(app, 0)
        async with app.games.store.transaction() as db:
            await db.execute(update(tournaments).where(tournaments.c.id == tournament).values(**values))
    for _ in range(MOST_OPEN):
        await opened(app, 0)
    assert len(await app.tournaments.on_server(CLUB)) == MOST_OPEN


async def test_a_tournament_of_an_unknown_kind_is_not_shown(app: App) -> None:
    tournament = await opened(app, 0)
    async with app.games.store.transaction() as db:
        await db.execute(update(tournaments).values(kind="knockout"))
    for act in ACTS.values():
        await assert_refused(Why.NO_TOURNAMENT, act(app, tournament))


async def test_who_leaves_between_two_seasons_has_played_the_first(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4)
    await play(app, tournament)
    await app.tournaments.join(tournament, PEOPLE[0])
    shown = await app.tournaments.leave(tournament, PEOPLE[0].user)
    assert list(shown.entered) == []
    assert [each.left_at for each in await entries(app, tournament, 1)] == [None] * 4


async def test_a_full_list_leaves_room_for_what_is_over(app: App, host: Host) -> None:
    over = await begun(app, host, 8, SWISS)
    await play(app, over)
    going_on = [await opened(app, 0) for _ in range(MOST_OPEN)]
    assert [each.id for each in await app.tournaments.on_server(CLUB)] == [*reversed(going_on), over]


async def test_a_server_lists_what_goes_on_before_what_is_over(app: App, host: Host) -> None:
    over, stopped, last = [await begun(app, host, 8, SWISS) for _ in range(3)]
    await play(app, over)
    await app.tournaments.stop(stopped)
    new = await opened(app, 0)
    assert [each.id for each in await app.tournaments.on_server(CLUB)] == [new, last, over]
    assert await app.tournaments.on_server(OTHER_CLUB) == []


ACTS: dict[str, Callable[[App, int], Awaitable[object]]] = {
    "show": lambda app, tournament: app.tournaments.show(tournament),
    "join": lambda app, tournament: app.tournaments.join(tournament, ANN),
    "leave": lambda app, tournament: app.tournaments.leave(tournament, PEOPLE[0].user),
    "games": lambda app, tournament: app.tournaments.games_of(tournament, ANN.user),
    "stop": lambda app, tournament: app.tournaments.stop(tournament),
}


@pytest.mark.parametrize("act", ACTS)
async def test_there_is_no_such_tournament(app: App, act: str) -> None:
    await assert_refused(Why.NO_TOURNAMENT, ACTS[act](app, 7))


@pytest.mark.parametrize("act", ["join", "leave", "stop"])
async def test_nothing_is_done_in_what_is_over(app: App, act: str) -> None:
    tournament = await opened(app, 2)
    await app.tournaments.stop(tournament)
    await assert_refused(Why.TOURNAMENT_OVER, ACTS[act](app, tournament))
    assert len(await entries(app, tournament, 1)) == 2


async def test_people_join_before_the_start_and_are_shown(app: App) -> None:
    tournament = await opened(app, 2)
    shown = await app.tournaments.join(tournament, ANN)
    assert [each.seat for each in shown.entered] == [*PEOPLE[:2], ANN]
    assert (shown.has_entered(ANN.user), shown.has_entered(BOB.user)) == (True, False)
    assert (shown.entry_of(ANN.user), list(shown.tables)) == (None, [])
    await assert_refused(Why.TOURNAMENT_JOINED, app.tournaments.join(tournament, ANN))
    assert len((await app.tournaments.show(tournament)).entered) == 3


async def test_nobody_joins_a_swiss_tournament_after_its_start(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    await assert_refused(Why.TOURNAMENT_STARTED, app.tournaments.join(tournament, ANN))


async def test_a_tournament_is_full(app: App) -> None:
    tournament = await opened(app, 64, SWISS)
    assert await assert_refused(Why.TOURNAMENT_FULL, app.tournaments.join(tournament, ANN)) == {"most": 64}
    await app.tournaments.leave(tournament, PEOPLE[0].user)
    await app.tournaments.join(tournament, ANN)


async def test_joining_needs_room_for_the_games_of_all_tournaments(store: Store, host: Host) -> None:
    app = create_app(store, lambda: host.now, lambda: True, limits=Limits(running_games=7))
    first, second, third = [await opened(app, 0) for _ in range(3)]
    await begin_game(app)  # one of Ann's
    await app.tournaments.join(first, ANN)
    await app.tournaments.join(second, ANN)
    assert await assert_refused(Why.TOURNAMENT_NO_ROOM, app.tournaments.join(third, ANN)) == {"most": 7, "room": 3}
    await app.tournaments.leave(first, ANN.user)
    await app.tournaments.join(third, ANN)
    await begin_game(app)
    await assert_refused(Why.TOURNAMENT_NO_ROOM, app.tournaments.join(first, ANN))


async def test_games_of_tournaments_do_not_count_for_the_servers_limit(app: App, host: Host) -> None:
    await app.servers.change(CLUB, {"cap": 1})
    tournament = await begun(app, host, 4)
    assert await running(app, tournament)
    await app.lobby.check_cap(CLUB, PEOPLE[0].user)
    await begin_game(app)
    assert (await assert_refused(Why.TOO_MANY_GAMES, app.lobby.check_cap(CLUB, ANN.user)))["plays"] == 1


async def test_games_that_have_begun_need_room_once(store: Store, host: Host) -> None:
    app = create_app(store, lambda: host.now, lambda: True, limits=Limits(running_games=6))
    tournament = await begun(app, host, 4)
    await app.tournaments.join(tournament, PEOPLE[0])
    assert await assert_refused(Why.TOURNAMENT_NO_ROOM, app.tournaments.join(await opened(app, 0), PEOPLE[0]))


async def test_who_joins_a_running_league_plays_in_its_next_season(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4)
    shown = await app.tournaments.join(tournament, ANN)
    assert [each.seat for each in shown.entered] == [ANN]
    assert (shown.entry_of(ANN.user), shown.has_entered(ANN.user)) == (None, True)
    shown = await app.tournaments.join(tournament, PEOPLE[0])  # stays
    assert (shown.entry_of(PEOPLE[0].user) is None, shown.has_entered(PEOPLE[0].user)) == (False, True)
    await assert_refused(Why.TOURNAMENT_JOINED, app.tournaments.join(tournament, PEOPLE[0]))
    await join(app, tournament, 2, first=1)
    await play(app, tournament)
    host.passes(BETWEEN_SEASONS)
    await app.tournament_course.go_on_with_due()
    second = await stands(app, tournament)
    assert (second.tournament.begun, {each.seat for each in second.entries}) == (2, {ANN, *PEOPLE[:3]})


async def test_who_leaves_before_the_start_has_never_been_in(app: App) -> None:
    tournament = await opened(app, 2)
    shown = await app.tournaments.leave(tournament, PEOPLE[0].user)
    assert [each.seat for each in shown.entered] == [PEOPLE[1]]
    await assert_refused(Why.NOT_IN_TOURNAMENT, app.tournaments.leave(tournament, PEOPLE[0].user))
    await app.tournaments.join(tournament, PEOPLE[0])


async def test_who_leaves_a_season_leaves_the_next_one_too(app: App, host: Host) -> None:
    tournament, other = await begun(app, host, 5), await opened(app, 1, UNOPENED)
    await app.tournaments.join(tournament, PEOPLE[0])
    host.passes(60)
    shown = await app.tournaments.leave(tournament, PEOPLE[0].user)
    assert shown.entry_of(PEOPLE[0].user) is None
    assert [each.left_at for each in shown.played.entries if each.seat == PEOPLE[0]] == [host.now]
    assert list(shown.entered) == []
    assert len(await entries(app, other, 1)) == 1
    await assert_refused(Why.NOT_IN_TOURNAMENT, app.tournaments.leave(tournament, PEOPLE[0].user))
    await assert_refused(Why.NOT_IN_TOURNAMENT, app.tournaments.leave(tournament, ANN.user))
    await app.tournament_course.go_on_with_due()
    mine = await app.tournaments.games_of(tournament, PEOPLE[0].user)
    assert [each.outcome is None for each in mine] == [False] * 4
    assert await running(app, tournament)


async def test_a_player_leaves_a_swiss_tournament_in_a_later_round(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    for game in await running(app, tournament):
        await resign(app, game)
    await app.tournament_course.go_on_with_due()
    assert (await stands(app, tournament)).tournament.begun == 2
    shown = await app.tournaments.leave(tournament, PEOPLE[0].user)
    assert shown.entry_of(PEOPLE[0].user) is None
    await app.tournament_course.go_on_with_due()
    mine = await app.tournaments.games_of(tournament, PEOPLE[0].user)
    assert [each.outcome is None for each in mine] == [False, False]


async def test_a_player_finds_their_pairings(app: App, host: Host) -> None:
    tournament = await begun(app, host, 5)
    found = await app.tournaments.games_of(tournament, PEOPLE[0].user)
    entry = next(each.id for each in await entries(app, tournament, 1) if each.seat == PEOPLE[0])
    assert [entry in (each.white, each.black) for each in found] == [True] * 4
    assert [each.game is None for each in found].count(False) == 3
    assert await app.tournaments.games_of(tournament, ANN.user) == []


async def test_a_tournament_shows_the_table_of_each_division(app: App, host: Host) -> None:
    tournament = await begun(app, host, 12)
    await resign(app, (await running(app, tournament))[0])
    upper, lower = (await app.tournaments.show(tournament)).tables
    assert (len(upper), len(lower)) == (6, 6)
    assert sorted(row.points for row in (*upper, *lower)) == [0] * 11 + [2]


async def test_a_tournament_with_the_bot_is_not_rated(app: App) -> None:
    rated, house = replace(TERMS, rated=True), House(3, HOUSE_PLAYER.user)
    alone, _ = await app.tournaments.open(replace(UNOPENED, terms=rated))
    with_bot, _ = await app.tournaments.open(replace(UNOPENED, terms=replace(rated, house=house)), HOUSE_PLAYER)
    assert (alone.terms.rated, with_bot.terms.rated) == (True, False)
    assert (await stands(app, with_bot.id)).tournament == with_bot
    assert [each.seat for each in await entries(app, with_bot.id, 1)] == [HOUSE_PLAYER]


async def test_a_stop_before_the_start_calls_the_entries_off(app: App, host: Host) -> None:
    tournament = await opened(app, 4)
    stopped = await app.tournaments.stop(tournament)
    assert (stopped.state, stopped.starts_at, stopped.ended_at) == (TournamentState.STOPPED, 0, NOW)
    assert (await stands(app, tournament)).tournament == stopped
    host.passes(DAY)
    await app.tournament_course.go_on_with_due()
    assert list((await stands(app, tournament)).pairings) == []


async def test_a_stopped_tournament_keeps_what_was_played(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    await app.tournaments.stop(tournament)
    before = await app.tournaments.show(tournament)
    host.passes(40 * DAY)
    await pass_over(app)
    assert await app.tournaments.show(tournament) == before


async def test_who_deletes_their_data_leaves_what_goes_on_and_nothing_else(app: App, host: Host) -> None:
    over, running_one = [await begun(app, host, 8, SWISS) for _ in range(2)]
    await play(app, over)
    await delete_all(app, PEOPLE[0].user)
    left = [[each.left_at for each in await entries(app, each, 1)].count(None) for each in (over, running_one)]
    assert left == [8, 7]


@pytest.fixture
async def stopped(app: App, host: Host) -> list[int]:
    """Return the games of a rated tournament that is stopped while three of them run; one has ended before."""
    tournament = await begun(app, host, 4, replace(UNOPENED, terms=replace(TERMS, rated=True, grace=0)))
    games = await running(app, tournament)
    for game in games:
        await play_on(app, game, "c2", "g2", "d2", "f2")
    await resign(app, games[0])
    await app.tournaments.stop(tournament)
    return games


async def rated_people(app: App) -> set[int]:
    async with app.games.store.reading() as db:
        return {user for user in (each.user for each in PEOPLE) if await ratings.newest_months(db, user)}


async def test_running_games_of_a_stopped_tournament_become_friendly(app: App, stopped: list[int]) -> None:
    terms = [(await app.games.game(game)).game.terms for game in stopped]
    assert [(each.tournament, each.rated) for each in terms] == [(1, True)] + [(None, False)] * (len(stopped) - 1)


@pytest.mark.parametrize("by_time", [True, False])
async def test_they_go_on_to_their_end_and_change_nothing(
    app: App, host: Host, stopped: list[int], by_time: bool
) -> None:
    rated, before = await rated_people(app), (await stands(app, 1)).pairings
    assert len(rated) == 2
    if by_time:
        await posted(app.games.store)
        host.passes(5 * DAY + 1)
        async with app.games.store.transaction() as db:
            await downtime.note_alive(db, host.now)
        await app.flag_watch.check_flags()
    else:
        for game in stopped[1:]:
            await resign(app, game)
    await app.tournament_course.look_at_all()
    await app.tournament_course.go_on_with_due()
    assert {(await app.games.game(game)).game.status for game in stopped} == {Status.OVER}
    assert await rated_people(app) == rated
    assert (await stands(app, 1)).pairings == before


async def test_a_void_game_of_a_stopped_tournament_is_followed_by_a_friendly_one(app: App, stopped: list[int]) -> None:
    await before_void(app, stopped[1], "b3")
    before = (await stands(app, 1)).pairings
    await play_on(app, stopped[1], "b3")
    again = await app.games.next_game(stopped[1])
    assert again
    terms = (await app.games.game(again)).game.terms
    assert (terms.tournament, terms.rated) == (None, False)
    assert (await stands(app, 1)).pairings == before
