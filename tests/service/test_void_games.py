"""The game that follows a void one by itself (R6.3): it is the rematch, and what players have set goes over to it."""

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import Refused, Seat, Side, Terms, Why, days_per_turn
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.reminders import REMINDER, Reminders
from gipfbot.service.play.notes import Notes
from gipfbot.store import Store, tables
from gipfbot.values import Venue

from .test_flag_watch import repeat

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
NOW = 1_800_000_000


@pytest.fixture
def service(store: Store) -> App:
    return create_app(store, lambda: NOW, lambda: True)


async def begun(service: App) -> int:
    """Return a game of Ann, White, and Bob after her first turn."""
    terms = Terms(days_per_turn(3))
    offered, _ = await service.lobby.challenge(ANN, BOB, BASIC, Side.WHITE, Venue(10, 20), terms)
    id = (await service.lobby.accept_challenge(offered.challenge.id, BOB))[1].game.id
    await service.games.play_typed(id, ANN.user, "c2")
    return id


async def ends_void(service: App, id: int) -> int:
    """Let Bob's turn make the position stand for the third time; return the game that follows."""
    game = (await service.games.game(id)).game
    turn = match.perform(game, BOB.user, match.read_typed_turn(game, BOB.user, "g2")).turn
    assert turn
    async with service.games.store.transaction() as db:
        await repeat(db, id, match.position_hash(turn.after))
    await service.games.play_typed(id, BOB.user, "g2")
    return (await service.games.running_games(BOB.user))[-1].id


async def test_a_void_game_has_no_other_rematch(service: App) -> None:
    """But the one that follows it has, once it is over."""
    id = await begun(service)
    again = await ends_void(service, id)
    assert again != id
    for by in (ANN, BOB):
        with pytest.raises(Refused) as refused:
            await service.lobby.rematch(id, by)
        assert (refused.value.why, refused.value.facts) == (Why.REMATCH_BEGUN, {"game": again})
    await service.games.resign(again, ANN.user)
    await service.lobby.rematch(again, BOB)


async def test_what_players_have_set_and_noted_goes_over(service: App) -> None:
    """White of the new game, Bob, wants no reminders of it, so none is planned; Ann does."""
    id, notes, reminders = await begun(service), Notes(service.games.store), Reminders(service.games.store, lambda: NOW)
    await notes.set_note(id, ANN.user, "plays c2")
    await reminders.turn_off_for_game(BOB.user, id)
    again = await ends_void(service, id)
    assert await notes.notes_on_games([again], ANN.user) == {again: "plays c2"}
    assert await notes.notes_on_games([again], BOB.user) == {}
    assert (await reminders.reminder_settings(BOB.user)).quiet_games == (again,)
    assert (await reminders.reminder_settings(ANN.user)).quiet_games == ()
    async with service.games.store.reading() as db:
        planned = (await db.execute(select(tables.due).where(tables.due.c.kind == REMINDER))).all()
    assert planned == []
    await service.games.play_typed(again, BOB.user, "c2")
    async with service.games.store.reading() as db:
        planned = (await db.execute(select(tables.due).where(tables.due.c.kind == REMINDER))).all()
    assert [(row.user, row.game) for row in planned] == [(ANN.user, again)]
