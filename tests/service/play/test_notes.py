"""Notes on a real database: each player's own."""

import pytest

from gipfbot.match import Refused, Why
from gipfbot.service.app import App
from gipfbot.service.play.notes import LONGEST_NOTE
from tests.service.helpers import begun
from tests.support.people import ANN, BOB


async def test_a_note_is_its_owners_alone_until_removed(app: App) -> None:
    first, second = await begun(app), await begun(app)
    notes = app.notes
    await notes.set_note(first, ANN.user, "  keep e5\nclosed ")
    await notes.set_note(second, BOB.user, "bob's")
    assert await notes.note(first, ANN.user) == "keep e5\nclosed"
    assert await notes.note(first, BOB.user) == ""
    assert await notes.notes_on_games([first, second], ANN.user) == {first: "keep e5\nclosed"}
    assert await notes.notes_on_games([second], ANN.user) == {}
    await notes.set_note(first, ANN.user, " ")
    assert await notes.notes_on_games([first, second], ANN.user) == {}


async def test_notes_on_others_games_and_long_notes_are_refused(app: App) -> None:
    game_id, notes = await begun(app), app.notes
    await notes.set_note(game_id, ANN.user, "x" * LONGEST_NOTE)
    for game, user, text, why in (
        (game_id, 99, "mine", Why.NOT_A_PLAYER),
        (game_id + 1, ANN.user, "mine", Why.NO_GAME),
        (game_id, ANN.user, "x" * (LONGEST_NOTE + 1), Why.NOTE_TOO_LONG),
    ):
        with pytest.raises(Refused) as refused:
            await notes.set_note(game, user, text)
        assert refused.value.why is why
    with pytest.raises(Refused):
        await notes.note(game_id, 99)
    assert await notes.note_unchecked(game_id, 99) == ""
    assert await notes.note(game_id, ANN.user) == "x" * LONGEST_NOTE


async def test_a_finished_game_keeps_its_note(app: App) -> None:
    game_id, notes = await begun(app), app.notes
    await notes.set_note(game_id, ANN.user, "well played")
    await app.games.resign(game_id, ANN.user)
    assert await notes.note(game_id, ANN.user) == "well played"
