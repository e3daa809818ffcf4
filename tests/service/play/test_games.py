"""The use cases on a real database: what is saved, what is owed, and what happens at the same moment."""

import asyncio
from dataclasses import replace

import pytest

from gipfbot.match import Refused, Status, Why
from gipfbot.notation import parse_position
from gipfbot.rules import Reason
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import unpack_board
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.service.play.games import LONGEST_NOTE
from gipfbot.service.play.turn import count_repetitions
from gipfbot.store import games
from gipfbot.values import Stale
from tests.match.helpers import CHOICE
from tests.service.helpers import Host, begin_game, begun, deliver, put
from tests.support.games import E1
from tests.support.people import ANN, BOB


async def test_a_turn_is_saved_with_the_board_it_owes(app: App) -> None:
    """The outbox row holds the whole turn, so that another process can post it later."""
    begin = await deliver(app, await begin_game(app))
    done = await app.games.play_actions(begin.game.id, ANN.user, [E1], 0)
    assert done.turn
    (leased,) = done.owed
    board = unpack_board(done.game.id, leased.payload)
    assert (board.text, board.before, board.position) == (done.turn.text, done.turn.before, done.turn.after)


async def test_boards_of_a_game_are_delivered_in_order(app: App) -> None:
    """A board can be leased only after the one before it is posted."""
    begin = await begin_game(app)
    done = await app.games.play_actions(begin.game.id, ANN.user, [E1])
    assert (done.turn is not None, done.owed, await app.outbox.deliverable_rows()) == (True, (), [])
    await deliver(app, begin)
    assert len(await app.outbox.deliverable_rows(game=begin.game.id)) == 1


async def test_of_two_simultaneous_turns_one_counts(app: App) -> None:
    """The other is refused, and one turn stands."""
    game = (await begin_game(app)).game
    attempts = [
        app.games.play_actions(game.id, ANN.user, [E1], 0),
        app.games.play_typed(game.id, ANN.user, "e1-e3"),
    ]
    results = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(result, GameUpdate) for result in results) == 1
    assert sum(isinstance(result, Refused | Stale) for result in results) == 1
    assert (await app.games.game(game.id)).game.turn_number == 1


async def test_r6_3_and_faq_7_three_repetitions_void_the_game(app: App) -> None:
    """The position after this turn has stood twice before: the game ends void, and nobody wins."""
    stored = (await begin_game(app)).stored
    played = await app.games.play_actions(stored.game.id, ANN.user, [E1])
    assert played.turn
    for times in (2, 3):
        await put(app, await app.games.game(stored.game.id), position=stored.game.position)
        played = await app.games.play_actions(stored.game.id, ANN.user, [E1])
        assert (played.game.status is Status.OVER) == (times == 3)
    assert played.game.position.result
    assert played.game.position.result.by is Reason.REPETITION
    assert played.game.position.result.winner is None


async def test_r6_3_the_start_counts_as_a_position(app: App) -> None:
    """A game that comes back to its start twice is void: that position stands for the third time."""
    stored = (await begin_game(app)).stored
    back = stored.game.position
    for again in (2, 3):
        turn = replace(
            (await app.games.play_actions(stored.game.id, ANN.user, [E1])).turn, after=back, turn_number=again * 10
        )  # type: ignore[type-var]
        assert turn
        async with app.games.store.transaction() as db:
            assert await count_repetitions(db, turn.after, stored.game.id) == again
            before = (await games.load_game(db, stored.game.id)).game  # type: ignore[union-attr]
            after = replace(before, position=back, version=before.version + 1, turn_number=again * 10)
            await games.save_game(db, before, after, turn, by=1, how="typed", now=0)


async def test_a_winning_turn_returns_when_the_game_ended(app: App, host: Host) -> None:
    """It is the time that is stored."""
    stored = (await begin_game(app)).stored
    position = parse_position("standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0")
    await put(app, stored, position=position)
    host.passes(60)
    done = await app.games.play_typed(stored.game.id, ANN.user, "xd2,d3,d4,d5,Gd6")
    assert done.stored.ended_at == host.now == (await app.games.game(stored.game.id)).ended_at


async def test_a_typed_turn_may_leave_a_choice_open(app: App) -> None:
    """What the text decides is kept as a draft. The board is owed once the turn is complete."""
    stored = (await deliver(app, await begin_game(app))).stored
    await put(app, stored, position=parse_position(CHOICE))
    half = await app.games.play_typed(stored.game.id, ANN.user, "b1-b5")
    assert (half.turn, half.owed, len(half.game.draft)) == (None, (), 1)
    assert (await app.games.game(stored.game.id)).game == half.game
    whole = await app.games.play_typed(stored.game.id, ANN.user, "xb2,b3,b4")
    assert whole.turn
    assert len(whole.owed) == 1


async def test_a_stale_button_ends_no_game(app: App) -> None:
    """A player who confirmed the end of an older state has not agreed to end the present one."""
    game = (await begin_game(app)).game
    await app.games.play_actions(game.id, ANN.user, [E1], 0)
    for end in (app.games.resign, app.games.cancel_game):
        with pytest.raises(Refused) as refusal:
            await end(game.id, ANN.user, 0)
        assert refusal.value.why is Why.STALE
    assert (await app.games.cancel_game(game.id, BOB.user, 1)).game.status is Status.CANCELLED


async def test_a_completed_turn_returns_the_games_still_waiting(app: App) -> None:
    """One half of a turn does not, and nobody else's games are among them."""
    first, second = await begun(app), await begun(app)
    await app.games.play_typed(second, ANN.user, "c2")
    third = await begun(app)
    done = await app.games.play_actions(first, ANN.user, [E1])
    assert [brief.id for brief in done.waiting] == [third]
    assert list(done.waiting) == await app.games.waiting_games(ANN.user)
    stored = await app.games.game(third)
    await put(app, stored, position=parse_position(CHOICE))
    half = await app.games.play_typed(third, ANN.user, "b1-b5")
    assert (half.turn, half.waiting) == (None, ())


async def test_a_note_is_its_owners_alone_until_removed(app: App) -> None:
    first, second = await begun(app), await begun(app)
    notes = app.notes
    await notes.set_note(first, ANN.user, "  keep e5\nclosed ")
    await notes.set_note(second, BOB.user, "bob's")
    assert await notes.note(first, ANN.user) == "keep e5\nclosed"
    assert await notes.note(first, BOB.user) == ""
    assert await notes.note(second, ANN.user) == ""
    listed = await app.games.running_games(ANN.user)
    assert [brief.stored.note_of(ANN.user) for brief in listed if brief.stored] == ["keep e5\nclosed", ""]
    await notes.set_note(first, ANN.user, " ")
    assert [await notes.note(game, ANN.user) for game in (first, second)] == ["", ""]


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
    assert (await app.games.game(game_id)).note_of(99) == ""
    assert await notes.note(game_id, ANN.user) == "x" * LONGEST_NOTE


async def test_a_finished_game_keeps_its_note(app: App) -> None:
    game_id, notes = await begun(app), app.notes
    await notes.set_note(game_id, ANN.user, "well played")
    await app.games.resign(game_id, ANN.user)
    assert await notes.note(game_id, ANN.user) == "well played"
