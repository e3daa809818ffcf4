"""The game that follows a void one (R6.3) is its rematch, and takes over what players have set."""

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import Refused, Why
from gipfbot.rules import BASIC
from gipfbot.service.app import App
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.store import tables
from tests.service.helpers import begin_game, play_texts, repeat
from tests.support.people import ANN, BOB
from tests.support.terms import THREE_DAYS


async def game_after_one_turn(app: App) -> int:
    """Return a game of Ann, White, and Bob after her first turn."""
    game = (await begin_game(app, THREE_DAYS, BASIC)).game
    await play_texts(app, game.id, ["c2"])
    return game.id


async def ends_void(app: App, game_id: int) -> int:
    """Let Bob's turn make the position stand for the third time; return the game that follows."""
    game = (await app.games.game(game_id)).game
    turn = match.perform(game, BOB.user, match.read_typed_turn(game, BOB.user, "g2")).turn
    assert turn
    async with app.games.store.transaction() as db:
        await repeat(db, game_id, match.position_hash(turn.after))
    await app.games.play_typed(game_id, BOB.user, "g2")
    return (await app.games.running_games(BOB.user))[-1].id


async def test_a_void_game_has_no_other_rematch(app: App) -> None:
    """The game that follows it has one, once it is over."""
    game_id = await game_after_one_turn(app)
    again = await ends_void(app, game_id)
    assert again != game_id
    for by in (ANN, BOB):
        with pytest.raises(Refused) as refused:
            await app.lobby.rematch(game_id, by)
        assert (refused.value.why, refused.value.facts) == (Why.REMATCH_BEGUN, {"game": again})
    await app.games.resign(again, ANN.user)
    await app.lobby.rematch(again, BOB)


async def test_settings_and_notes_go_over_to_the_next_game(app: App) -> None:
    """White of the new game, Bob, wants no reminders of it, so none is planned. Ann does."""
    game_id, notes, reminders = await game_after_one_turn(app), app.notes, app.reminders
    await notes.set_note(game_id, ANN.user, "plays c2")
    await reminders.turn_off_for_game(BOB.user, game_id)
    again = await ends_void(app, game_id)
    assert await notes.note(again, ANN.user) == "plays c2"
    assert await notes.note(again, BOB.user) == ""
    assert (await reminders.reminder_settings(BOB.user)).quiet_games == (again,)
    assert (await reminders.reminder_settings(ANN.user)).quiet_games == ()
    async with app.games.store.reading() as db:
        planned = (await db.execute(select(tables.due).where(tables.due.c.kind == REMINDER))).all()
    assert planned == []
    await app.games.play_typed(again, BOB.user, "c2")
    async with app.games.store.reading() as db:
        planned = (await db.execute(select(tables.due).where(tables.due.c.kind == REMINDER))).all()
    assert [(row.user, row.game) for row in planned] == [(ANN.user, again)]
