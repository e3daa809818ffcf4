"""A message is known by the mark of its row."""

from gipfbot.match import Seat, Side
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.values import OutboxRow, Venue

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME = Venue(10, 20)


async def begun(service: App) -> OutboxRow:
    """Return the first board of a new game, leased."""
    offered, _ = await service.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    (board,) = (await service.lobby.accept_challenge(offered.challenge.id, BOB))[1].owed
    return board


async def test_a_message_seen_with_a_mark_settles_its_row(service: App) -> None:
    """It is as if it had been noted: the next board finds it as the older one."""
    board = await begun(service)
    assert board.game
    assert await service.outbox.confirm(board.mark, HOME.channel, 77) is None
    assert await service.outbox.message_with_mark(board.mark) == 77
    assert (await service.games.game(board.game)).board_message == 77
    (then,) = (await service.games.play_typed(board.game, ANN.user, "c2")).owed
    assert await service.outbox.confirm(then.mark, HOME.channel, 78) == (HOME.channel, 77)


async def test_a_mark_that_nothing_is_owed_under_settles_nothing(service: App) -> None:
    """Nor does the right mark in another channel."""
    board = await begun(service)
    await service.outbox.confirm("0" * 16, HOME.channel, 77)
    await service.outbox.confirm(board.mark, HOME.channel + 1, 77)
    assert await service.outbox.message_with_mark(board.mark) is None
    await service.outbox.note_delivered(board, 78)
    await service.outbox.confirm(board.mark, HOME.channel, 79)
    assert await service.outbox.message_with_mark(board.mark) == 78


async def test_a_post_that_is_noted_twice_has_effects_once(service: App) -> None:
    """Its button was pressed before Discord's answer to the post arrived, and the game has gone on since."""
    board = await begun(service)
    assert board.game
    await service.outbox.confirm(board.mark, HOME.channel, 77)
    (then,) = (await service.games.play_typed(board.game, ANN.user, "c2")).owed
    assert await service.outbox.note_delivered(board, 77) is None
    assert await service.outbox.note_delivered(then, 78) == (HOME.channel, 77)
    assert await service.outbox.note_delivered(board, 77) is None
    assert (await service.games.game(board.game)).board_message == 78


async def test_a_message_that_is_known_is_not_written_again(service: App) -> None:
    board = await begun(service)
    await service.outbox.note_delivered(board, 77)
    written = service.outbox.store.transaction
    service.outbox.store.transaction = None  # type: ignore[method-assign,assignment]  # whoever writes, fails
    await service.outbox.confirm(board.mark, HOME.channel, 77)
    service.outbox.store.transaction = written  # type: ignore[method-assign]
