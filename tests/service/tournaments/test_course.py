"""Tournaments go on by themselves: games, rounds and seasons begin and end, each once."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from sqlalchemy import delete, event, update

from gipfbot.engines import pairing as library
from gipfbot.engines.pairing import PairingFailed
from gipfbot.match import House
from gipfbot.match.tournament import MOST_AT_ONCE, Outcome
from gipfbot.service.app import App
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.tournaments import course as going_on, swiss
from gipfbot.service.tournaments.course import AGAIN_SECONDS, BETWEEN_SEASONS
from gipfbot.service.tournaments.kinds import Begun, tournament_kinds
from gipfbot.store import due, game_lists, games, tables, tournaments
from gipfbot.store.tournament_tables import tournament_pairings
from gipfbot.values import FORMER_NAME, Stale
from gipfbot.values.tournaments import Pairing, TournamentState
from tests.service.helpers import Host, delete_all, play_on
from tests.support.people import HOUSE_PLAYER
from tests.support.times import DAY

from .playing import (
    PEOPLE,
    SWISS,
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
    with_house,
)


async def test_nothing_begins_before_its_time(app: App) -> None:
    tournament = await opened(app, 4)
    await app.tournament_course.go_on_with_due()
    assert (await stands(app, tournament)).tournament.state is TournamentState.OPEN


async def test_a_league_plays_each_against_each_season_after_season(app: App, host: Host) -> None:
    tournament = await begun(app, host, 5)
    counts = await play(app, tournament)
    assert max(counts) <= 5 * MOST_AT_ONCE // 2
    first = await stands(app, tournament, 1)
    assert sorted(sorted((each.white, each.black or 0)) for each in first.pairings) == [
        [*pair] for pair in combinations(range(1, 6), 2)
    ]
    assert all(each.outcome in (Outcome.WHITE, Outcome.BLACK) for each in first.pairings)
    assert first.tournament.starts_at == host.now + BETWEEN_SEASONS
    await join(app, tournament, 4)
    host.passes(BETWEEN_SEASONS)
    await play(app, tournament)
    second = await stands(app, tournament, 2)
    assert (second.tournament.begun, len(second.pairings)) == (2, 6)
    host.passes(BETWEEN_SEASONS)
    await app.tournament_course.go_on_with_due()
    assert (await stands(app, tournament)).tournament.state is TournamentState.CALLED_OFF


async def test_a_swiss_tournament_ends_after_its_rounds(app: App, host: Host) -> None:
    tournament = await begun(app, host, 9, replace(SWISS, rounds=9))
    await play(app, tournament)
    played = await stands(app, tournament)
    assert (played.tournament.state, played.tournament.rounds, played.tournament.begun) == (TournamentState.OVER, 4, 4)
    assert played.tournament.ended_at == host.now
    assert Counter(each.round for each in played.pairings) == dict.fromkeys(range(1, 5), 5)


async def test_a_swiss_tournament_ends_if_only_one_player_is_left(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    for number in range(1, 8):
        await app.tournaments.leave(tournament, PEOPLE[number].user)
    await app.tournament_course.go_on_with_due()
    found = (await stands(app, tournament)).tournament
    assert (found.state, found.begun) == (TournamentState.OVER, 1)


async def cannot_pair(*_: object) -> Any:
    raise PairingFailed("nobody is left who has not met")


async def test_a_round_that_cannot_be_paired_ends_a_swiss_tournament(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await begun(app, host, 8, SWISS)
    monkeypatch.setattr(swiss, "pair_swiss", cannot_pair)
    await play(app, tournament)
    found = (await stands(app, tournament)).tournament
    assert (found.state, found.begun) == (TournamentState.OVER, 1)


async def test_a_first_round_that_is_not_paired_is_tried_again_later(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Any eight players can be paired, so the library is broken. It is not asked at each sweep."""
    tournament = await opened(app, 8, SWISS)
    host.passes(DAY)
    with monkeypatch.context() as patched:
        patched.setattr(swiss, "pair_swiss", cannot_pair)
        for seconds in (0, AGAIN_SECONDS - 1):
            host.passes(seconds)
            await app.tournament_course.go_on_with_due()
    said = f"tournament {tournament} is tried again later: no pairing (nobody is left who has not met)"
    assert [record.getMessage() for record in caplog.records] == [said]
    assert (await stands(app, tournament)).tournament.state is TournamentState.OPEN
    host.passes(1)
    await app.tournament_course.go_on_with_due()
    assert await running(app, tournament)


@pytest.mark.parametrize("kind", ["league", "swiss"])
async def test_a_library_that_does_not_answer_ends_nothing(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    tournament = await opened(app, 8, SWISS if kind == "swiss" else UNOPENED)
    host.passes(DAY)
    monkeypatch.setattr(library, "_BERGER", {})
    with monkeypatch.context() as patched:
        patched.setattr(library, "LIBRARY", "not_installed")
        await app.tournament_course.go_on_with_due()
        assert (await stands(app, tournament)).tournament.state is TournamentState.OPEN
    host.passes(AGAIN_SECONDS)
    await app.tournament_course.go_on_with_due()
    assert await running(app, tournament)


@pytest.mark.parametrize(("players", "new"), [(3, UNOPENED), (7, SWISS)])
async def test_too_few_players_call_it_off(app: App, host: Host, players: int, new: Any) -> None:
    tournament = await opened(app, players, new)
    host.passes(DAY)
    await app.tournament_course.go_on_with_due()
    found = (await stands(app, tournament)).tournament
    assert (found.state, found.ended_at, found.begun) == (TournamentState.CALLED_OFF, host.now, 0)


async def test_who_has_left_the_server_before_the_start_does_not_play(app: App, host: Host) -> None:
    tournament = await opened(app, 5, house=HOUSE_PLAYER, new=replace(UNOPENED, terms=with_house()))
    host.passes(DAY)
    asked = list[Collection[int]]()

    async def gone(_: int | None, people: Collection[int]) -> Collection[int]:
        asked.append(people)
        return {PEOPLE[0].user}

    await app.tournament_course.go_on_with_due(gone)
    assert asked == [[each.user for each in PEOPLE[:5]]]  # not the bot
    users = {each.seat.user for each in await entries(app, tournament, 1)}
    assert users == {HOUSE_PLAYER.user, *(each.user for each in PEOPLE[1:5])}


async def test_a_start_that_leavers_make_too_small_is_called_off(app: App, host: Host) -> None:
    tournament = await opened(app, 4)
    host.passes(DAY)

    async def gone(_: int | None, __: Collection[int]) -> Collection[int]:
        return {PEOPLE[0].user}

    await app.tournament_course.go_on_with_due(gone)
    assert (await stands(app, tournament)).tournament.state is TournamentState.CALLED_OFF


async def test_who_leaves_loses_what_is_left(app: App, host: Host) -> None:
    tournament = await begun(app, host, 6)
    leaver = next(each for each in await entries(app, tournament, 1) if each.seat == PEOPLE[0])
    own = [each for each in (await stands(app, tournament)).pairings if leaver.id in (each.white, each.black)]
    assert [each.game is None for each in own].count(True) == 2
    await app.tournaments.leave(tournament, PEOPLE[0].user)
    await app.tournament_course.go_on_with_due()
    lost = [each for each in (await stands(app, tournament)).pairings if leaver.id in (each.white, each.black)]
    assert [each.game is None for each in lost].count(True) == 2
    assert {each.outcome is (Outcome.BLACK if each.white == leaver.id else Outcome.WHITE) for each in lost} == {True}
    games = [await app.games.game(each.game) for each in lost if each.game]
    assert {game.game.position.result is None for game in games} == {False}


async def test_two_who_have_left_get_half_a_point_each_for_what_has_not_begun(app: App, host: Host) -> None:
    tournament = await begun(app, host, 6)
    now = await stands(app, tournament)
    pairing = next(each for each in now.pairings if each.game is None)
    users = {each.id: each.seat.user for each in now.entries}
    for entry in (pairing.white, pairing.black):
        assert entry is not None
        await app.tournaments.leave(tournament, users[entry])
    await app.tournament_course.go_on_with_due()
    found = {(each.white, each.black): each for each in (await stands(app, tournament)).pairings}
    assert found[pairing.white, pairing.black].outcome is Outcome.HALF


async def test_a_deletion_resigns_and_a_former_player_stays_in_the_table(app: App, host: Host) -> None:
    tournament = await begun(app, host, 6)
    entry = next(each for each in await entries(app, tournament, 1) if each.seat == PEOPLE[0])
    await delete_all(app, PEOPLE[0].user)
    counts = await play(app, tournament)
    assert counts[-1] == 0
    (table,) = (await app.tournaments.show(tournament)).tables
    (row,) = [row for row in table if row.player == entry.id]
    assert (row.lost, row.points, len(table)) == (5, 0, 6)
    assert {each.seat.name for each in await entries(app, tournament, 1) if each.id == entry.id} == {FORMER_NAME}


async def test_two_processes_begin_a_round_once(app: App, host: Host) -> None:
    tournament = await opened(app, 4)
    host.passes(DAY)
    before = await stands(app, tournament)
    for _ in range(2):
        await app.tournament_course._begin_next(before, None, tournament_kinds()["league"])
    assert len((await stands(app, tournament)).pairings) == 6
    for _ in range(2):
        await app.tournament_course.go_on(tournament)
    async with app.games.store.reading() as db:
        assert await game_lists.count_all_running(db) == 6


async def test_two_processes_end_a_season_once(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4)
    while games := await running(app, tournament):
        await resign(app, games[0])
    before, kind = await stands(app, tournament), tournament_kinds()["league"]
    await app.tournament_course._end_season(before, kind)
    ends = host.now
    host.passes(1)
    await app.tournament_course._end_season(before, kind)
    assert (await stands(app, tournament)).tournament.starts_at == ends + BETWEEN_SEASONS


Change = Callable[[App, int], Awaitable[object]]
CHANGES: list[Change] = [
    lambda app, tournament: app.tournaments.join(tournament, PEOPLE[9]),
    lambda app, tournament: app.tournaments.leave(tournament, PEOPLE[0].user),
    lambda app, _: delete_all(app, PEOPLE[0].user),
]


@pytest.mark.parametrize("change", CHANGES, ids=["join", "leave", "delete"])
@pytest.mark.parametrize("kind", ["league", "swiss"])
async def test_people_who_come_or_go_while_it_is_paired_are_heeded(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch, kind: str, change: Change
) -> None:
    tournament, row = await opened(app, 9, SWISS if kind == "swiss" else UNOPENED), tournament_kinds()[kind]
    host.passes(DAY)
    changes = [change]

    async def begin(*known: Any) -> Begun | None:
        paired = await row.begin(*known)
        if changes:
            await changes.pop()(app, tournament)
        return paired

    monkeypatch.setitem(tournament_kinds(), kind, replace(row, begin=begin))
    await app.tournament_course.go_on_with_due()
    now = await stands(app, tournament)
    assert all(each.number for each in now.entries)
    paired = {entry for each in now.pairings for entry in (each.white, each.black) if entry}
    assert paired == {each.id for each in now.entries}


async def test_a_player_who_comes_in_the_last_moment_is_not_called_off(app: App, host: Host) -> None:
    tournament = await opened(app, 3)
    host.passes(DAY)

    async def join_meanwhile(*_: object) -> Collection[int]:
        if len(await entries(app, tournament, 1)) == 3:
            await join(app, tournament, 1, first=3)
        return ()

    for _ in range(2):
        await app.tournament_course.go_on_with_due(join_meanwhile)
    now = await stands(app, tournament)
    assert (now.tournament.state, len(now.entries)) == (TournamentState.RUNNING, 4)


async def statements_after_a_result(app: App, host: Host, players: int) -> int:
    """Return how many statements it takes to go on with a league after one of its games has ended."""
    tournament, found = await begun(app, host, players), list[str]()
    await resign(app, (await running(app, tournament))[-1])

    def note(_: object, __: object, statement: str, *___: object) -> None:
        found.append(statement)

    engine = app.games.store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    await app.tournament_course.go_on_with_due()
    event.remove(engine, "before_cursor_execute", note)
    return len(found)


async def test_a_result_costs_the_same_in_a_small_and_in_a_large_league(app: App, host: Host) -> None:
    """At most four games begin, which needs the most statements."""
    small, large = [await statements_after_a_result(app, host, players) for players in (4, 32)]
    assert 0 < large - small < 50


async def test_a_tournament_that_is_stopped_while_it_is_paired_does_not_begin(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, row = await opened(app, 4), tournament_kinds()["league"]
    host.passes(DAY)

    async def begin(*known: Any) -> Begun | None:
        await app.tournaments.stop(tournament)
        return await row.begin(*known)

    monkeypatch.setitem(tournament_kinds(), "league", replace(row, begin=begin))
    await app.tournament_course.go_on_with_due()
    now = await stands(app, tournament)
    assert (now.tournament.state, list(now.pairings)) == (TournamentState.STOPPED, [])


async def put_back(app: App, before: Pairing) -> None:
    """Store a pairing as it was before an older version went on, which knows of no tournaments."""
    async with app.games.store.transaction() as db:
        column = tournament_pairings.c
        same = column.season == before.season, column.round == before.round, column.white == before.white
        await db.execute(update(tournament_pairings).where(*same).values(**before._asdict(), decided_at=None))
        await db.execute(delete(tables.due).where(tables.due.c.kind == TOURNAMENT))


async def test_results_and_rounds_of_an_older_version_are_entered_at_the_next_start(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    for pairing in (await stands(app, tournament)).pairings:
        assert pairing.game
        await resign(app, pairing.game)
        await put_back(app, pairing)
    await app.tournament_course.go_on_with_due()
    assert (await stands(app, tournament)).tournament.begun == 1
    await app.tournament_course.look_at_all()
    await app.tournament_course.go_on_with_due()
    now = await stands(app, tournament)
    assert (now.tournament.begun, {each.outcome for each in now.pairings if each.round == 1}) == (2, {Outcome.BLACK})


async def test_a_successor_that_an_older_version_began_is_played_on(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4)
    pairing = (await stands(app, tournament)).pairings[0]
    assert pairing.game
    await play_on(app, pairing.game, "c2", "g2")
    await before_void(app, pairing.game, "b3")
    await play_on(app, pairing.game, "b3")
    follows = await app.games.next_game(pairing.game)
    assert follows
    async with app.games.store.transaction() as db:
        await games.change_terms(db, follows, tournament=None, takebacks=True)
    await put_back(app, pairing)
    await app.tournament_course.look_at_all()
    await app.tournament_course.go_on_with_due()
    terms = (await app.games.game(follows)).game.terms
    assert (terms.tournament, terms.takebacks) == (tournament, False)
    assert (await stands(app, tournament)).pairings[0] == pairing._replace(game=follows, games=2)
    await resign(app, follows)
    assert (await stands(app, tournament)).pairings[0].outcome is Outcome.WHITE  # Black in the second game


async def test_a_tournament_that_fails_holds_up_no_other(
    app: App, host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    failing, other = await opened(app, 4), await opened(app, 4)
    host.passes(DAY)

    async def fail_once(*_: object) -> Collection[int]:
        if not caplog.records:
            raise RuntimeError("Discord does not answer")
        return ()

    await app.tournament_course.go_on_with_due(fail_once)
    assert [record.getMessage() for record in caplog.records] == [f"tournament {failing} is tried again later"]
    assert (await stands(app, failing)).tournament.begun == 0
    assert await running(app, other)
    host.passes(AGAIN_SECONDS)
    await app.tournament_course.go_on_with_due(fail_once)
    assert await running(app, failing)


async def test_another_process_that_was_quicker_is_no_failure(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = await opened(app, 4)
    host.passes(DAY)

    async def begin_game(*_: object) -> Any:
        raise Stale("pairing")

    with monkeypatch.context() as patched:
        patched.setattr(going_on, "begin_game", begin_game)
        await app.tournament_course.go_on_with_due()
    assert [record for record in caplog.records if record.exc_info] == []
    async with app.games.store.reading() as db:
        assert await due.ready_rows(db, TOURNAMENT, host.now)
    await app.tournament_course.go_on_with_due()
    assert await running(app, tournament)


async def test_the_bot_plays_its_games_and_stays_by_itself(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4, replace(UNOPENED, terms=with_house()), HOUSE_PLAYER)
    games = [(await app.games.game(game)).game for game in await running(app, tournament)]
    while todo := await running(app, tournament):
        games += [(await app.games.game(game)).game for game in todo]
        await resign_as_person(app, todo[0])
        await app.tournament_course.go_on_with_due()
    for game in games:
        is_house = HOUSE_PLAYER.user in {seat.user for seat in game.seats}
        assert game.terms.house == (House(1, HOUSE_PLAYER.user) if is_house else None)
        assert not game.terms.rated
    (again,) = await entries(app, tournament, 2)
    assert again.seat == HOUSE_PLAYER
    assert again.lot in [each.lot for each in await entries(app, tournament, 1) if each.seat == HOUSE_PLAYER]
    host.passes(BETWEEN_SEASONS)
    await app.tournament_course.go_on_with_due()
    assert (await stands(app, tournament)).tournament.state is TournamentState.CALLED_OFF


async def resign_as_person(app: App, game: int) -> None:
    seats = (await app.games.game(game)).game.seats
    await app.games.resign(game, next(seat.user for seat in seats if seat != HOUSE_PLAYER))


async def test_a_season_ends_with_places_that_are_titles_of_the_first_division(app: App, host: Host) -> None:
    tournament = await begun(app, host, 12)
    await play(app, tournament)
    now = await stands(app, tournament)
    upper, lower = tournament_kinds()["league"].tables(now)
    users = {each.id: each.seat.user for each in now.entries}
    async with app.games.store.reading() as db:
        won = {user: await tournaments.titles_of(db, user, 5) for user in users.values()}
    assert [user for user in won if won[user]] == [users[upper[0].player]]
    assert (len(upper), len(lower)) == (6, 6)
    (title,) = won[users[upper[0].player]]
    assert (title.tournament, title.name, title.season) == (tournament, "Spring", 1)


async def test_a_swiss_tournament_has_one_title(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    await play(app, tournament)
    (table,) = (await app.tournaments.show(tournament)).tables
    users = {each.id: each.seat.user for each in await entries(app, tournament, 1)}
    async with app.games.store.reading() as db:
        won = [user for user in users.values() if await tournaments.titles_of(db, user, 5)]
    assert won == [users[table[0].player]]
