"""Tournaments go on by themselves: games, rounds and seasons begin and end, each once."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from gipfbot.engines import pairing
from gipfbot.match import Seat, Terms
from gipfbot.match.tournament import MOST_AT_ONCE, Outcome, bank_for_game
from gipfbot.rules import BASIC
from gipfbot.service.app import App
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.tournaments.course import BETWEEN_SEASONS, NOBODY, TournamentCourse, due_key
from gipfbot.service.tournaments.kinds import tournament_kinds
from gipfbot.store import due, game_lists, tournaments
from gipfbot.store.tournament_tables import tournament_pairings
from gipfbot.values import FORMER_NAME
from gipfbot.values.tournaments import Played, Tournament, TournamentState
from tests.service.helpers import Host, delete_all
from tests.support.people import ANN, HOME
from tests.support.times import DAY, NOW

TERMS = Terms(bank_for_game(5), takebacks=False)
UNOPENED = Tournament(0, "league", "Spring", HOME, ANN, BASIC, TERMS, 0, NOW + DAY, NOW)
PEOPLE = [Seat(1000 + number, f"P{number}") for number in range(20)]


@pytest.fixture
def course(app: App) -> TournamentCourse:
    return TournamentCourse(app.games.store, app.now, app.games)


async def opened(course: TournamentCourse, players: int, kind: str = "league", rounds: int = 0) -> int:
    """Open a tournament that so many people have joined."""
    async with course.store.transaction() as db:
        new = replace(UNOPENED, kind=kind, rounds=rounds)
        tournament = await tournaments.add_tournament(db, new)
        await due.schedule(db, due_key(tournament, "start"), TOURNAMENT, new.starts_at, NOBODY)
    await join(course, tournament, 1, players)
    return tournament


async def join(course: TournamentCourse, tournament: int, season: int, players: int, first: int = 0) -> None:
    async with course.store.transaction() as db:
        for lot, seat in enumerate(PEOPLE[first : first + players]):
            await tournaments.add_entry(db, tournament, season, seat, lot, NOW)


async def now_of(course: TournamentCourse, tournament: int, season: int = 1) -> Played:
    async with course.store.reading() as db:
        found = await tournaments.load_tournament(db, tournament)
        assert found
        return await tournaments.load_played(db, found, season)


async def play(app: App, course: TournamentCourse, tournament: int, season: int = 1, seed: int = 0) -> list[int]:
    """Let one player of each running game resign, by lot, until none runs. Return how many games ran at each time."""
    random, running = Random(seed), list[int]()
    while True:
        await course.go_on_with_due()
        played = await now_of(course, tournament, season)
        games = [each.game for each in played.pairings if each.game and each.outcome is None]
        running.append(len(games))
        if not games:
            return running
        most = Counter(entry for each in played.pairings if each.game in games for entry in (each.white, each.black))
        assert max(most.values()) <= tournament_kinds()[played.tournament.kind].most_at_once
        game = random.choice(games)
        seats = (await app.games.game(game)).game.seats
        await app.games.resign(game, random.choice(seats).user)


async def test_nothing_begins_before_its_time(course: TournamentCourse) -> None:
    tournament = await opened(course, 4)
    await course.go_on_with_due()
    assert (await now_of(course, tournament)).tournament.state is TournamentState.OPEN


async def test_a_league_plays_each_against_each_season_after_season(
    app: App, course: TournamentCourse, host: Host
) -> None:
    tournament = await opened(course, 5)
    host.passes(DAY)
    running = await play(app, course, tournament)
    assert max(running) <= 5 * MOST_AT_ONCE // 2
    first = await now_of(course, tournament)
    assert sorted(sorted((each.white, each.black or 0)) for each in first.pairings) == [
        [*pair] for pair in combinations(range(1, 6), 2)
    ]
    assert all(each.outcome in (Outcome.WHITE, Outcome.BLACK) for each in first.pairings)
    assert first.tournament.starts_at == host.now + BETWEEN_SEASONS
    await join(course, tournament, 2, 4)
    host.passes(BETWEEN_SEASONS)
    await play(app, course, tournament, 2)
    second = await now_of(course, tournament, 2)
    assert (second.tournament.begun, len(second.pairings)) == (2, 6)
    host.passes(BETWEEN_SEASONS)
    await course.go_on_with_due()
    assert (await now_of(course, tournament)).tournament.state is TournamentState.CALLED_OFF


async def test_a_swiss_tournament_ends_after_its_rounds(app: App, course: TournamentCourse, host: Host) -> None:
    tournament = await opened(course, 9, "swiss", rounds=9)
    host.passes(DAY)
    await play(app, course, tournament)
    played = await now_of(course, tournament)
    assert (played.tournament.state, played.tournament.rounds, played.tournament.begun) == (TournamentState.OVER, 4, 4)
    assert played.tournament.ended_at == host.now
    assert Counter(each.round for each in played.pairings) == dict.fromkeys(range(1, 5), 5)


async def test_a_library_without_an_answer_is_asked_again_at_the_next_sweep(
    app: App, course: TournamentCourse, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await opened(course, 8, "swiss", rounds=2)
    host.passes(DAY)
    with monkeypatch.context() as slow:
        slow.setattr(pairing, "PATIENCE", 0)
        await course.go_on_with_due()
    assert (await now_of(course, tournament)).tournament.state is TournamentState.OPEN
    await play(app, course, tournament)
    assert (await now_of(course, tournament)).tournament.begun == 2


@pytest.mark.parametrize(("kind", "players"), [("league", 3), ("swiss", 7)])
async def test_too_few_players_call_it_off(course: TournamentCourse, host: Host, kind: str, players: int) -> None:
    tournament = await opened(course, players, kind, rounds=0 if kind == "league" else 3)
    host.passes(DAY)
    await course.go_on_with_due()
    assert (await now_of(course, tournament)).tournament.state is TournamentState.CALLED_OFF


async def test_who_leaves_loses_what_is_left(app: App, course: TournamentCourse, host: Host) -> None:
    tournament = await opened(course, 6)
    host.passes(DAY)
    await course.go_on_with_due()
    async with course.store.transaction() as db:
        await tournaments.note_left(db, 1, host.now)
    await course.go_on(tournament)
    lost = [each for each in (await now_of(course, tournament)).pairings if 1 in (each.white, each.black)]
    assert [each.game is None for each in lost].count(True) == 2
    assert {each.outcome is (Outcome.BLACK if each.white == 1 else Outcome.WHITE) for each in lost} == {True}


async def test_deletion_resigns_and_the_table_keeps_a_former_player(
    app: App, course: TournamentCourse, host: Host
) -> None:
    """The others play on to the end. In the tournament that has not begun, the person has no entry any more."""
    running, still_open = await opened(course, 6), await opened(course, 6)
    host.passes(DAY)
    await course.go_on(running)
    await delete_all(app, PEOPLE[0].user)
    assert [each.seat for each in (await now_of(course, still_open)).entries] == PEOPLE[1:6]
    await play(app, course, running)
    played = await now_of(course, running)
    former = played.entries[0]
    assert (former.seat.name, former.left_at) == (FORMER_NAME, host.now)
    assert former.seat.user != PEOPLE[0].user
    (table,) = tournament_kinds()["league"].tables(played)
    assert [(row.place, row.played, row.lost) for row in table if row.player == former.id] == [(6, 5, 5)]
    assert len(played.pairings) == len(played.encounters()) == 15


async def test_two_processes_begin_a_round_once(app: App, course: TournamentCourse, host: Host) -> None:
    tournament = await opened(course, 4)
    host.passes(DAY)
    before = await now_of(course, tournament)
    kind = tournament_kinds()["league"]
    for _ in range(2):
        await course._begin_next(before, None, kind)
    assert len((await now_of(course, tournament)).pairings) == 6
    for _ in range(2):
        await course.go_on(tournament)
    async with course.store.reading() as db:
        assert await game_lists.count_all_running(db) == 6


async def test_a_result_of_an_older_version_is_entered_later(app: App, course: TournamentCourse, host: Host) -> None:
    tournament = await opened(course, 4)
    host.passes(DAY)
    await course.go_on_with_due()
    pairing = (await now_of(course, tournament)).pairings[0]
    assert pairing.game
    async with course.store.transaction() as db:  # an older version does not know the pairing of a game
        await db.execute(
            tournament_pairings.update().where(tournament_pairings.c.game == pairing.game).values(game=None)
        )
    await app.games.resign(pairing.game, (await app.games.game(pairing.game)).game.seats[0].user)
    async with course.store.transaction() as db:
        await db.execute(
            tournament_pairings.update()
            .where(tournament_pairings.c.white == pairing.white)
            .where(tournament_pairings.c.black == pairing.black)
            .values(game=pairing.game)
        )
    await course.go_on(tournament)
    assert (await now_of(course, tournament)).pairings[0].outcome is Outcome.BLACK
