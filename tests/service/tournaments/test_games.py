"""Games of tournaments: how they end is entered at once, and what players may not do in them."""

from dataclasses import replace

import pytest

from gipfbot.match import Refused, RequestKind, Terms, Why
from gipfbot.match.tournament import Outcome, bank_for_game
from gipfbot.rules import BASIC
from gipfbot.service.app import App
from gipfbot.service.clock import downtime
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.play.turn import begin_game
from gipfbot.store import due, games, tournaments
from gipfbot.values.tournaments import Pairing, PartOf, Tournament
from tests.service.helpers import Host, play_on, posted
from tests.support.people import ANN, BOB, HOME
from tests.support.times import DAY, NOW

from .playing import before_void

TERMS = Terms(bank_for_game(5), takebacks=False, grace=0)


@pytest.fixture
async def game(app: App) -> int:
    """Return the game of Ann, White, and Bob in a tournament."""
    new = Tournament(0, "league", "Spring", HOME, ANN, BASIC, TERMS, 0, NOW, NOW)
    async with app.games.store.transaction() as db:
        tournament = await tournaments.add_tournament(db, new)
        for lot, seat in enumerate((ANN, BOB)):
            await tournaments.add_entry(db, tournament, 1, seat, lot, NOW)
        ann, bob = await tournaments.entries_of(db, tournament, 1)
        pairing = Pairing(1, 1, ann.id, bob.id)
        await tournaments.add_pairings(db, tournament, [pairing], NOW)
        begun = await begin_game(db, BASIC, (ANN, BOB), HOME, replace(TERMS, tournament=tournament), NOW)
        await tournaments.note_game(db, tournament, pairing, begun.game.id)
    return begun.game.id


async def paired(app: App) -> Pairing:
    """Return the only pairing as it is stored."""
    async with app.games.store.reading() as db:
        (pairing,) = await tournaments.pairings_of(db, 1, 1)
        return pairing


async def has_to_go_on(app: App) -> bool:
    """Return whether a tournament has something to do."""
    async with app.games.store.reading() as db:
        return bool(await due.ready_rows(db, TOURNAMENT, app.now()))


async def test_a_resignation_is_entered_in_its_transaction(app: App, game: int) -> None:
    await play_on(app, game, "c2", "g2")
    assert not await has_to_go_on(app)
    await app.games.resign(game, ANN.user)
    assert await paired(app) == Pairing(1, 1, 1, 2, game, 1, Outcome.BLACK)
    assert await has_to_go_on(app)


async def test_a_game_is_part_of_a_season_or_of_a_round(app: App, game: int) -> None:
    """Other games are part of none, and so is one whose tournament is gone."""
    found = (await app.games.game(game)).game
    assert await app.tournaments.part_of(found) == PartOf("Spring", 1, None)
    async with app.games.store.transaction() as db:
        tournament = await tournaments.load_tournament(db, 1)
        assert tournament
        await tournaments.save_tournament(db, tournament, replace(tournament, rounds=3))
    assert await app.tournaments.part_of(found) == PartOf("Spring", None, 1)
    for terms in (TERMS, replace(TERMS, tournament=99)):
        assert await app.tournaments.part_of(replace(found, terms=terms)) is None


async def test_a_loss_on_time_is_entered_as_late(app: App, game: int, host: Host) -> None:
    await posted(app.games.store)
    host.passes(5 * DAY + 1)
    async with app.games.store.transaction() as db:
        await downtime.note_alive(db, host.now)
    await app.flag_watch.check_flags()
    pairing = await paired(app)
    assert (pairing.outcome, pairing.late) == (Outcome.BLACK, True)


async def test_a_void_game_is_played_on_and_the_third_is_half_a_point_each(app: App, game: int) -> None:
    games = [game]
    for number in range(1, 4):
        await play_on(app, games[-1], "c2", "g2")
        await before_void(app, games[-1], "b3")
        await play_on(app, games[-1], "b3")
        pairing = await paired(app)
        assert pairing.games == min(number + 1, 3)
        if number < 3:
            assert pairing.outcome is None
            assert pairing.game is not None
            games.append(pairing.game)
    assert await paired(app) == Pairing(1, 1, 1, 2, games[-1], 3, Outcome.HALF)
    assert await app.games.next_game(games[0]) == games[1]
    assert await app.games.next_game(games[-1]) is None
    found = [(await app.games.game(each)).game for each in games]
    assert [each.seats[0].user for each in found] == [ANN.user, BOB.user, ANN.user]
    assert {await app.tournaments.part_of(each) for each in found} == {PartOf("Spring", 1, None)}


async def test_the_winner_of_a_successor_is_told_apart_although_colours_have_changed(app: App, game: int) -> None:
    async with app.games.store.transaction() as db:
        stored = await app.games.game(game)
        again = await app.games._restart_game(db, stored)
    assert again
    await app.games.resign(again.game.id, BOB.user)  # White in this game
    assert (await paired(app)).outcome is Outcome.WHITE


async def test_both_games_of_a_pairing_have_seven_vacation_days(app: App, game: int, host: Host) -> None:
    """The second one has what is left to both."""
    async with app.games.store.transaction() as db:
        await games.change_terms(db, game, vacation=7)
    await app.vacations.start_vacation(BOB.user, 3)
    host.passes(3 * DAY)
    await app.vacations.end_due_vacations()
    async with app.games.store.transaction() as db:
        again = await app.games._restart_game(db, await app.games.game(game))
    assert again
    assert again.game.terms.vacation == 4


async def test_a_vacation_that_goes_on_holds_in_the_next_game_too(app: App, game: int, host: Host) -> None:
    async with app.games.store.transaction() as db:
        await games.change_terms(db, game, vacation=7)
    status, _ = await app.vacations.start_vacation(BOB.user, 7)
    assert status.current
    host.passes(DAY // 2)
    async with app.games.store.transaction() as db:
        again = await app.games._restart_game(db, await app.games.game(game))
    assert again
    assert again.game.terms.vacation == 6
    assert again.game.clock
    assert again.game.clock.deadline is None, "Bob is White in this game, and away"


async def test_nobody_cancels_takes_back_or_asks_for_a_rematch(app: App, game: int) -> None:
    with pytest.raises(Refused) as refused:
        await app.games.cancel_game(game, ANN.user)
    assert refused.value.why is Why.TOURNAMENT_NOT_CANCELLED
    await play_on(app, game, "c2")
    with pytest.raises(Refused) as refused:
        await app.requests.make(RequestKind.TAKEBACK, game, ANN.user)
    assert refused.value.why is Why.NO_TAKEBACKS
    await app.games.resign(game, ANN.user)
    with pytest.raises(Refused) as refused:
        await app.lobby.rematch(game, BOB)
    assert refused.value.why is Why.TOURNAMENT_NO_REMATCH
