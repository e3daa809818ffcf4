"""Boards that could not be posted, or only late: nobody loses time in which he could not see that it was his turn.

Of a board that its channel refuses the player to move is told himself, and it is tried again. Until one of the two has
reached him his clock stands still, though not for ever.
"""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match import Game
from gipfbot.match.clock import DAY, HOUR, counted_time
from gipfbot.service.clock import downtime, pause
from gipfbot.service.kit.batches import for_each
from gipfbot.service.play import board_message
from gipfbot.service.play.board_message import BoardMessage
from gipfbot.service.play.turn import require_game, with_server_style
from gipfbot.service.settings.servers import vacation_ends
from gipfbot.store import Connection, DueRow, OutboxRow, Store, StoredGame, due, outbox, users

from .requeue import requeue_requests

UNDELIVERABLE = "undeliverable"  # a direct message
RETRY = "retry"  # a board that is to be tried again
RETRY_PATIENCE = 14 * DAY  # seconds for which a clock stands, and the last board of a game is tried


class UndeliverableBoards:
    """Looks after all of them. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def board_to_post(self, owed: OutboxRow) -> BoardMessage:
        """Return a board that is owed, with the clock as it is if it is posted now."""
        assert owed.game is not None
        board = board_message.unpack_board(owed.game, owed.payload)
        if _shows_clock_as_is(owed, self.now()):
            return board
        async with self.store.reading() as db:
            seen = await _game_after_board(db, owed, self.now())
            return (
                await with_server_style(db, seen, board_message.with_clock_shown(board, seen.game)) if seen else board
            )

    async def fallback_dm_game(self, owed: OutboxRow) -> Game | None:
        """Return the game of a letter that is owed, with its clock as it is if that is posted now.

        None where the game has gone on, or its board is tried again.
        """
        async with self.store.reading() as db:
            seen = await _game_after_fallback_dm(db, owed, self.now())
            return seen.game if seen else None

    async def retry_due_boards(self) -> None:
        """Owe those boards again for which it is time, as their games stand now."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, RETRY, self.now())
        await for_each(self.store, late, self._retry_board)

    async def _retry_board(self, db: Connection, row: DueRow) -> None:
        await due.unschedule(db, row.key)
        assert row.game is not None
        stored = await require_game(db, row.game)
        id = _row_of_retry_key(row.key)
        payload = await outbox.dropped_payload(db, id)
        if payload is None or await outbox.is_owed_for(db, row.game, board_message.BOARD):
            return
        board = board_message.with_clock_shown(board_message.unpack_board(row.game, payload), stored.game)
        again = board_message.pack_board(await with_server_style(db, stored, board))
        await outbox.requeue_row(db, id, stored.venue.channel, again, self.now())
        await requeue_requests(db, stored, self.now())


async def note_undeliverable(db: Connection, owed: OutboxRow, now: int) -> None:
    """Look after a game whose board, which has just been dropped, was not taken, unless a newer one is owed.

    It is tried again after an hour, then ever more rarely, at least once a day.
    """
    assert owed.game is not None
    stored, waited = await require_game(db, owed.game), now - owed.first_tried_at
    game = stored.game
    if await outbox.is_owed_for(db, game.id, board_message.BOARD) or (game.asked is None and waited > RETRY_PATIENCE):
        return
    user = game.seats[game.position.mover].user
    await due.unschedule_in_game(db, RETRY, game.id, "")
    await due.schedule(db, _retry_key(owed.id), RETRY, now + _retry_gap(game, waited), user, game.id)
    if game.asked is None or await _has_fallback_dm(db, owed.id):
        return
    if waited <= RETRY_PATIENCE:
        await pause.pause_and_save(db, _with_unseen_time_credited(game, owed, now), now)
    elif not await vacation_ends(
        db, [user], stored.venue.server
    ):  # he has known of nothing for so long: he may have left
        await pause.resume_and_save(db, game, now)
    if not await users.dms_shut(db, user):
        payload = {"game": game.id, "version": game.version, "row": owed.id}
        await outbox.owe(db, _fallback_dm_key(owed.id), UNDELIVERABLE, user, payload, now)


def _retry_gap(game: Game, waited: int) -> int:
    """Return after how many seconds a board is tried again; no grace, which does not stand still, is over by then."""
    gap = min(max(waited, HOUR), DAY)
    return min(gap, game.terms.grace // 2) if game.clock and game.clock.flagged else gap


async def note_board_delivered(db: Connection, owed: OutboxRow, now: int) -> None:
    """Note that a board was posted: none of its game is tried again, and time for which it was not seen counts not."""
    assert owed.game is not None
    seen = None if _shows_clock_as_is(owed, now) else await _game_after_board(db, owed, now)
    await due.unschedule_in_game(db, RETRY, owed.game, "")
    if seen:
        await pause.save_clock_and_reminder(db, seen.game)


async def note_fallback_dm_delivered(db: Connection, owed: OutboxRow, now: int) -> None:
    """Let the clock go on of somebody whose letter was posted."""
    if seen := await _game_after_fallback_dm(db, owed, now):
        await pause.save_clock_and_reminder(db, seen.game)


async def is_player_untold(db: Connection, game: int) -> bool:
    """Return whether a board of a game was not taken, and its player has had no letter either."""
    knock = await due.scheduled_key(db, RETRY, game)
    return knock is not None and not await _has_fallback_dm(db, _row_of_retry_key(knock))


def _shows_clock_as_is(owed: OutboxRow, now: int) -> bool:
    """Return whether a board that is posted now changes nothing about the clock that it shows."""
    return downtime.is_timely(owed.created_at, now) and owed.payload.get("paused_left") is None


async def _game_after_board(db: Connection, owed: OutboxRow, now: int) -> StoredGame | None:
    """Return the game of a board as it is once that is posted; None where it is about another turn, or ends it."""
    assert owed.game is not None
    stored = await require_game(db, owed.game)
    game = stored.game
    if game.clock is None or game.asked is None or board_message.packed_turn_serial(owed.payload) != game.turn_serial:
        return None
    if not await _has_fallback_dm(db, owed.id):
        stored = replace(stored, game=_with_unseen_time_credited(game, owed, now))
    return await _with_clock_resumed(db, stored, now)


async def _game_after_fallback_dm(db: Connection, owed: OutboxRow, now: int) -> StoredGame | None:
    stored = await require_game(db, owed.payload["game"])
    waits = await due.scheduled_for(db, _retry_key(owed.payload["row"])) is not None
    if not waits or stored.game.version != owed.payload["version"]:
        return None
    return await _with_clock_resumed(db, replace(stored, game=_with_unseen_time_credited(stored.game, owed, now)), now)


def _with_unseen_time_credited(game: Game, owed: OutboxRow, now: int) -> Game:
    """Return a game as if its clock had stood still since a message was owed that tells the player to move of his turn.

    More than he had then he does not have now.
    """
    left, deadline = owed.payload.get("paused_left"), owed.payload.get("deadline")
    if left is None and deadline is not None:
        left = max(0, counted_time(owed.created_at, deadline, game.terms))
    return match.credit_game_clock(game, game.position.mover, min(owed.created_at, now), now, left)


async def _with_clock_resumed(db: Connection, stored: StoredGame, now: int) -> StoredGame:
    """Return a game in which the player to move is told of his turn now: his clock goes on, unless he is away."""
    game = stored.game
    if await vacation_ends(db, [game.seats[game.position.mover].user], stored.venue.server):
        return stored
    return replace(stored, game=match.resume_game_clock(game, await downtime.clock_now(db, now)))


async def _has_fallback_dm(db: Connection, row_id: int) -> bool:
    return await outbox.posted_message(db, _fallback_dm_key(row_id)) is not None


def _fallback_dm_key(row_id: int) -> str:
    return f"{UNDELIVERABLE}:{row_id}"


def _retry_key(row_id: int) -> str:
    return f"{RETRY}:{row_id}"


def _row_of_retry_key(retry_key: str) -> int:
    return int(retry_key.removeprefix(f"{RETRY}:"))
