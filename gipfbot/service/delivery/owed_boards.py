"""Boards that are owed: written to the outbox in the transaction that changes their game."""

from dataclasses import replace
from typing import Any

from gipfbot.service.settings.servers import load_server_settings, vacation_ends
from gipfbot.store import Connection, OutboxRow, StoredGame, outbox
from gipfbot.store.outbox import LEASE_SECONDS

from . import board_message, threads


async def owe_board(
    db: Connection, stored: StoredGame, now: int, reposted_at: int | None = None, **details: Any
) -> tuple[OutboxRow, ...]:
    """Write down a board that is owed; return it claimed, or nothing where others of its game go first.

    `told` is what the game does not tell of itself; `again` is as for `enqueue_board`.
    """
    board = replace(board_message.new_board_message(stored.game), **details)
    return await lease_for_caller(db, await enqueue_board(db, stored, board, now, reposted_at), now)


async def enqueue_board(
    db: Connection, stored: StoredGame, board: board_message.BoardMessage, now: int, reposted_at: int | None = None
) -> int:
    """Return the outbox row of a board that is owed; `again` is when, if it is not the first of this version."""
    game, packed = stored.game, board_message.pack_board(await with_server_style(db, stored, board))
    key = f"board:{game.id}:{game.version}" + ("" if reposted_at is None else f":{reposted_at}:{stored.venue.channel}")
    row = await outbox.owe(db, key, board_message.BOARD, stored.venue.channel, packed, now, game.id)
    await threads.owe_thread(db, stored, now)
    return row


async def with_server_style(
    db: Connection, stored: StoredGame, board: board_message.BoardMessage
) -> board_message.BoardMessage:
    """Return a board of a game as its server wants it to look, with until when the player to move is on vacation."""
    mover, server = stored.game.seats[stored.game.position.mover].user, stored.venue.server
    looks = await load_server_settings(db, server)
    until = (await vacation_ends(db, [mover], server)).get(mover)
    return replace(board, theme=looks.theme, flipped=looks.below == "black", vacation_until=until)


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Return a row of the outbox, which is now the caller's to deliver, or nothing where it cannot be now."""
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()
