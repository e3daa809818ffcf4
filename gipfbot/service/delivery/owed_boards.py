"""Queue boards in the outbox, in the transaction that changes their game."""

from dataclasses import replace
from typing import Any

from gipfbot.service.settings.servers import load_server_settings
from gipfbot.service.settings.vacation_days import vacation_end
from gipfbot.store import Connection, games, outbox
from gipfbot.values import OutboxRow, StoredGame

from . import threads
from .board_message import BOARD, BoardMessage, new_board_message, pack_board, packed_turn_serial
from .leases import lease_for_caller
from .outcomes import when_delivered


async def owe_board(
    db: Connection, stored: StoredGame, now: int, reposted_at: int | None = None, **details: Any
) -> tuple[OutboxRow, ...]:
    """Queue the board of a game, and lease its row for the caller, who then has to deliver it.

    Return a tuple with the row. The tuple is empty if earlier messages of the game have to be delivered first.
    `details` are fields of BoardMessage that the game itself does not hold. `reposted_at` is the time in UTC seconds if
    this version of the game already has a board, and None if it has none. The time gives the new board its own key.
    """
    board = replace(new_board_message(stored.game), **details)
    return await lease_for_caller(db, await enqueue_board(db, stored, board, now, reposted_at), now)


async def enqueue_board(
    db: Connection, stored: StoredGame, board: BoardMessage, now: int, reposted_at: int | None = None
) -> int:
    """Queue a board of a game. Return the id of the board's outbox row.

    If no board of the game has been posted yet and its terms ask for a thread, also queue the thread. `reposted_at` is
    the time in UTC seconds if this version of the game already has a board, and None if it has none. The time gives the
    new board its own key.
    """
    game, packed = stored.game, pack_board(await with_server_style(db, stored, board, now))
    key = f"{BOARD}:{game.id}:{game.version}"
    if reposted_at is not None:
        key += f":{reposted_at}:{stored.venue.channel}"
    row = await outbox.owe(db, key, BOARD, stored.venue.channel, packed, now, game.id)
    await threads.owe_thread(db, stored, now)
    return row


async def with_server_style(db: Connection, stored: StoredGame, board: BoardMessage, now: int) -> BoardMessage:
    """Return the board in its server's style, with the end of any vacation of the player to move."""
    mover, settings = stored.game.seats[stored.game.decider].user, await load_server_settings(db, stored.venue.server)
    until = await vacation_end(db, mover, stored.game.terms, stored.created_at, now)
    return replace(board, theme=settings.theme, flipped=settings.below == "black", vacation_until=until)


@when_delivered(BOARD)
async def note_board_message(db: Connection, owed: OutboxRow, message: int, _: int) -> None:
    """Store the message as the newest board of its game."""
    assert owed.game is not None
    await games.set_board_message(db, owed.game, packed_turn_serial(owed.payload), owed.channel, message)
