"""Tournaments, entries and pairings: each is begun, played and decided once."""

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from gipfbot.match import Terms
from gipfbot.match.tournament import Encounter, Entrant, Outcome, TieBreak, bank_for_game, rank
from gipfbot.rules import BASIC
from gipfbot.store import Connection, Store, games, tournaments
from gipfbot.store.tournament_tables import tournament_entries
from gipfbot.values import Stale
from gipfbot.values.tournaments import Entry, Pairing, Title, Tournament, TournamentState
from tests.support.people import ANN, BOB, CARA, CLUB, HOME
from tests.support.times import DAY, NOW

TERMS = Terms(bank_for_game(5), rated=True, takebacks=False)
NEW = Tournament(0, "league", "Spring", HOME, ANN, BASIC, TERMS, 0, NOW + DAY, NOW)


async def opened(db: Connection, new: Tournament = NEW) -> Tournament:
    """Return a stored tournament that Ann, Bob and Cara have joined."""
    tournament = replace(new, id=await tournaments.add_tournament(db, new))
    for lot, seat in enumerate((ANN, BOB, CARA)):
        await tournaments.add_entry(db, tournament.id, 1, seat, lot, NOW)
    return tournament


async def paired(db: Connection) -> tuple[Tournament, list[Entry], Pairing]:
    """Return a tournament, its entries, and the pairing of Ann and Bob; Cara has a bye."""
    tournament = await opened(db)
    ann, bob, cara = entries = await tournaments.entries_of(db, tournament.id, 1)
    pairing = Pairing(1, 1, ann.id, bob.id)
    bye = Pairing(1, 1, cara.id, None, outcome=Outcome.BYE)
    await tournaments.add_pairings(db, tournament.id, [pairing, bye], NOW)
    return tournament, entries, pairing


async def test_a_tournament_comes_back_as_it_was_stored(store: Store) -> None:
    async with store.transaction() as db:
        tournament = await opened(db)
        assert await tournaments.load_tournament(db, tournament.id) == tournament
        assert await tournaments.load_tournament(db, 99) is None


async def test_a_servers_tournaments_are_listed_the_newest_first(store: Store) -> None:
    async with store.transaction() as db:
        first, second = await opened(db), await opened(db)
        await opened(db, replace(NEW, venue=replace(HOME, server=CLUB + 1)))
        await tournaments.save_tournament(db, first, replace(first, state=TournamentState.RUNNING, begun=1))
        assert [each.id for each in await tournaments.tournaments_on(db, CLUB, [*TournamentState], 5)] == [
            second.id,
            first.id,
        ]
        await tournaments.save_tournament(db, second, replace(second, state=TournamentState.STOPPED))
        assert await tournaments.tournaments_on(db, CLUB, [TournamentState.OPEN], 5) == []


async def test_a_season_is_begun_once(store: Store) -> None:
    async with store.transaction() as db:
        before = await opened(db)
        begun = replace(before, state=TournamentState.RUNNING, begun=1, starts_at=NOW + 2 * DAY)
        await tournaments.save_tournament(db, before, begun)
        assert await tournaments.load_tournament(db, before.id) == begun
        with pytest.raises(Stale):
            await tournaments.save_tournament(db, before, begun)


async def test_nobody_enters_twice(store: Store) -> None:
    async with store.transaction() as db:
        tournament = await opened(db)
    with pytest.raises(IntegrityError):
        async with store.transaction() as db:
            await tournaments.add_entry(db, tournament.id, 1, BOB, 9, NOW)


async def test_an_entry_goes_before_the_beginning_and_stays_after_it(store: Store) -> None:
    async with store.transaction() as db:
        tournament = await opened(db)
        ann, bob, cara = await tournaments.entries_of(db, tournament.id, 1)
        await tournaments.number_entries(db, {ann.id: (1, 2), bob.id: (1, 1)})
        for entry in (bob, cara):
            await tournaments.delete_entry(db, entry.id)
        await tournaments.note_left(db, bob.id, NOW + 1)
        await tournaments.note_left(db, bob.id, NOW + 2)
        assert await tournaments.entries_of(db, tournament.id, 1) == [
            ann._replace(division=1, number=2),
            bob._replace(division=1, number=1, left_at=NOW + 1),
        ]


async def test_a_person_who_leaves_all_stays_where_it_has_begun(store: Store) -> None:
    async with store.transaction() as db:
        begun, still_open = await opened(db), await opened(db)
        entry = (await tournaments.entries_of(db, begun.id, 1))[1]
        await tournaments.number_entries(db, {entry.id: (None, 1)})
        await tournaments.leave_tournaments(db, BOB.user, NOW + 1)
        assert (await tournaments.entries_of(db, begun.id, 1))[1].left_at == NOW + 1
        assert [each.seat for each in await tournaments.entries_of(db, still_open.id, 1)] == [ANN, CARA]


async def test_the_first_of_the_first_division_has_a_title(store: Store) -> None:
    """So has the first of a tournament with rounds. The newest comes first, and a season that is played has none."""
    async with store.transaction() as db:
        league, cup, running = [await opened(db, each) for each in (NEW, replace(NEW, rounds=3, name="Cup"), NEW)]
        first, lower, third = await tournaments.entries_of(db, league.id, 1)
        await tournaments.number_entries(db, {first.id: (1, 1), third.id: (1, 2), lower.id: (2, 1)})
        played = await tournaments.entries_of(db, cup.id, 1)
        for entry in (*played, *await tournaments.entries_of(db, running.id, 1)):
            await tournaments.number_entries(db, {entry.id: (None, entry.id)})
        tables = [
            rank([Entrant(each.id, each.lot) for each in table], [], TieBreak.BUCHHOLZ)
            for table in ((first, third), (lower,), played)
        ]
        await tournaments.note_places(db, tables)
        titles = Title(cup.id, "Cup", None, HOME), Title(league.id, "Spring", 1, HOME)
        assert await tournaments.titles_of(db, ANN.user, 9) == [*titles]
        assert await tournaments.titles_of(db, ANN.user, 1) == [titles[0]]
        assert await tournaments.titles_of(db, BOB.user, 9) == await tournaments.titles_of(db, CARA.user, 9) == []


async def test_a_person_finds_the_tournaments_that_go_on(store: Store) -> None:
    async with store.transaction() as db:
        first, over = await opened(db), await opened(db)
        await tournaments.save_tournament(db, over, replace(over, state=TournamentState.OVER, ended_at=NOW))
        assert [(tournament, entry.seat) for tournament, entry in await tournaments.entered_in(db, BOB.user)] == [
            (first.id, BOB)
        ]
        (entry,) = [each for _, each in await tournaments.entered_in(db, BOB.user)]
        await tournaments.number_entries(db, {entry.id: (1, 1)})
        running = replace(first, state=TournamentState.RUNNING, begun=1)
        await tournaments.save_tournament(db, first, running)
        assert len(await tournaments.entered_in(db, BOB.user)) == 1
        await tournaments.save_tournament(db, running, replace(running, begun=2))
        assert await tournaments.entered_in(db, BOB.user) == []


async def test_a_pairing_has_one_game_at_a_time_and_one_outcome(store: Store) -> None:
    async with store.transaction() as db:
        tournament, (ann, bob, cara), pairing = await paired(db)
        first, second = [(await games.add_game(db, BASIC, (ANN, BOB), HOME, NOW)).game.id for _ in range(2)]
        await tournaments.note_game(db, tournament.id, pairing, first)
        with pytest.raises(Stale):
            await tournaments.note_game(db, tournament.id, pairing, second)
        assert await tournaments.pairing_of_game(db, second) is None
        assert await tournaments.pairing_of_game(db, first) == (tournament.id, pairing._replace(game=first, games=1))
        await tournaments.note_game(db, tournament.id, pairing._replace(game=first, games=1), second)
        assert await tournaments.pairing_of_game(db, first) is None
        for outcome in (Outcome.BLACK, Outcome.WHITE):
            await tournaments.decide_pairing(db, tournament.id, pairing, outcome, NOW + 1, late=True)
        again = pairing._replace(game=second, games=2)
        with pytest.raises(Stale):
            await tournaments.note_game(db, tournament.id, again, first)
        played = await tournaments.load_played(db, tournament, 1)
        assert played.pairings[0] == again._replace(outcome=Outcome.BLACK, late=True)
        assert played.encounters() == [
            Encounter(ann.id, bob.id, Outcome.BLACK, late=True),
            Encounter(cara.id, None, Outcome.BYE),
        ]


async def test_a_season_that_is_called_off_says_when(store: Store) -> None:
    async with store.transaction() as db:
        tournament = await opened(db)
        await tournaments.note_called_off(db, tournament.id, 1, NOW)
        rows = (await db.execute(tournament_entries.select())).all()
        assert [row.called_off_at for row in rows] == [NOW] * 3
