"""A message is known by the mark of its row."""

from gipfbot.service.app import App
from gipfbot.store import OutboxRow

from .helpers import ANN, HOME, begin_game


async def first_board(app: App) -> OutboxRow:
    """Return the first board of a new game, leased."""
    (board,) = (await begin_game(app)).owed
    return board


async def test_a_message_seen_with_a_mark_settles_its_row(app: App) -> None:
    """It is as if it had been noted: the next board finds it as the older one."""
    board = await first_board(app)
    assert board.game
    assert await app.outbox.confirm(board.mark, HOME.channel, 77) is None
    assert await app.outbox.message_with_mark(board.mark) == 77
    assert (await app.games.game(board.game)).board_message == 77
    (then,) = (await app.games.play_typed(board.game, ANN.user, "c2")).owed
    assert await app.outbox.confirm(then.mark, HOME.channel, 78) == (HOME.channel, 77)


async def test_a_mark_that_nothing_is_owed_under_settles_nothing(app: App) -> None:
    """Nor does the right mark in another channel."""
    board = await first_board(app)
    await app.outbox.confirm("0" * 16, HOME.channel, 77)
    await app.outbox.confirm(board.mark, HOME.channel + 1, 77)
    assert await app.outbox.message_with_mark(board.mark) is None
    await app.outbox.note_delivered(board, 78)
    await app.outbox.confirm(board.mark, HOME.channel, 79)
    assert await app.outbox.message_with_mark(board.mark) == 78


async def test_a_post_that_is_noted_twice_has_effects_once(app: App) -> None:
    """Its button was pressed before Discord's answer to the post arrived, and the game has gone on since."""
    board = await first_board(app)
    assert board.game
    await app.outbox.confirm(board.mark, HOME.channel, 77)
    (then,) = (await app.games.play_typed(board.game, ANN.user, "c2")).owed
    assert await app.outbox.note_delivered(board, 77) is None
    assert await app.outbox.note_delivered(then, 78) == (HOME.channel, 77)
    assert await app.outbox.note_delivered(board, 77) is None
    assert (await app.games.game(board.game)).board_message == 78


async def test_a_message_that_is_known_is_not_written_again(app: App) -> None:
    board = await first_board(app)
    await app.outbox.note_delivered(board, 77)
    written = app.outbox.store.transaction
    app.outbox.store.transaction = None  # type: ignore[method-assign,assignment]  # whoever writes, fails
    await app.outbox.confirm(board.mark, HOME.channel, 77)
    app.outbox.store.transaction = written  # type: ignore[method-assign]
