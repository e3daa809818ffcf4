"""A message is known by the mark of its row."""

import pytest

from gipfbot.match import Side
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.service.delivery.outbox import LONGEST_WAIT
from gipfbot.service.kit.message_kinds import LEASE_SECONDS
from gipfbot.values import OutboxRow, Venue
from tests.service.helpers import Host, begin_game, deliver
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB, HOME


async def first_board(app: App) -> OutboxRow:
    """Return the first board of a new game, leased."""
    (board,) = (await begin_game(app)).owed
    return board


async def test_a_message_seen_with_a_mark_settles_its_row(app: App) -> None:
    """It counts as noted: the next board finds it as the older one."""
    board = await first_board(app)
    assert board.game
    assert await app.outbox.confirm(board.mark, HOME.channel, 77) is None
    assert await app.outbox.message_with_mark(board.mark) == 77
    assert (await app.games.game(board.game)).board_message == 77
    (then,) = (await app.games.play_typed(board.game, ANN.user, "c2")).owed
    assert await app.outbox.confirm(then.mark, HOME.channel, 78) == (HOME.channel, 77)


async def test_an_unknown_mark_settles_nothing(app: App) -> None:
    """Nor does the right mark in another channel."""
    board = await first_board(app)
    await app.outbox.confirm("0" * 16, HOME.channel, 77)
    await app.outbox.confirm(board.mark, HOME.channel + 1, 77)
    assert await app.outbox.message_with_mark(board.mark) is None
    await app.outbox.note_delivered(board, 78)
    await app.outbox.confirm(board.mark, HOME.channel, 79)
    assert await app.outbox.message_with_mark(board.mark) == 78


async def test_a_post_that_is_noted_twice_has_effects_once(app: App) -> None:
    """Its button was pressed before Discord answered the post, and the game has gone on since."""
    board = await first_board(app)
    assert board.game
    await app.outbox.confirm(board.mark, HOME.channel, 77)
    (then,) = (await app.games.play_typed(board.game, ANN.user, "c2")).owed
    assert await app.outbox.note_delivered(board, 77) is None
    assert await app.outbox.note_delivered(then, 78) == (HOME.channel, 77)
    assert await app.outbox.note_delivered(board, 77) is None
    assert (await app.games.game(board.game)).board_message == 78


async def test_a_known_message_is_not_written_again(app: App) -> None:
    board = await first_board(app)
    await app.outbox.note_delivered(board, 77)
    written = app.outbox.store.transaction
    app.outbox.store.transaction = None  # type: ignore[method-assign,assignment]  # a write fails
    await app.outbox.confirm(board.mark, HOME.channel, 77)
    app.outbox.store.transaction = written  # type: ignore[method-assign]


async def test_a_refused_board_makes_its_game_unreachable(app: App) -> None:
    """Nothing more is tried there. Once the game is relocated, its board is owed in the new channel."""
    done = await begin_game(app)
    (owed,) = done.owed
    await app.outbox.note_channel_refusal(owed, "gone")
    assert (await app.games.game(done.game.id)).unreachable
    assert [brief.unreachable for brief in await app.games.waiting_games(ANN.user)] == [True]
    moved = await app.venues.relocate(done.game.id, Venue(CLUB, 21))
    assert not moved.stored.unreachable
    (again,) = moved.owed
    assert again.channel == 21
    assert await app.outbox.lease_row(owed.id) is None


@pytest.mark.slow
async def test_a_failed_post_is_retried_ever_more_rarely(app: App, host: Host) -> None:
    _, (first,) = await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    owed: OutboxRow | None = first
    waits = []
    for _ in range(14):
        assert owed
        assert await app.outbox.lease_row(owed.id) is None
        await app.outbox.retry_later(owed)
        began = host.now
        while not await app.outbox.deliverable_rows():
            host.passes(5)
        waits.append(host.now - began)
        owed = await app.outbox.lease_row(first.id)
    assert waits == sorted(waits)
    assert waits[0] < LEASE_SECONDS
    assert waits[-1] == LONGEST_WAIT


async def test_a_posted_board_makes_its_game_reachable_again(app: App) -> None:
    done = await begin_game(app)
    await app.outbox.note_channel_refusal(done.owed[0], "a passing refusal")
    played = await app.games.play_actions(done.game.id, ANN.user, [E1])
    await deliver(app, played)
    assert not (await app.games.game(done.game.id)).unreachable
