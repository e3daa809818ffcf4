"""Make the thread of a game, and tell why Discord refused to make one."""

from typing import Literal

import discord

from gipfbot.service.delivery.venues import ThreadTrouble
from gipfbot.ui.kit.client import AppClient
from gipfbot.values import OutboxRow

from . import thread_texts

ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080  # without messages; the next board reopens the thread
THREAD_EXISTS = 160004
TROUBLE_BY_CODE = {
    50024: ThreadTrouble.UNFIT,
    50083: ThreadTrouble.LOCKED,  # archived, and a post does not reopen it
    160005: ThreadTrouble.LOCKED,
    160006: ThreadTrouble.FULL,
    160007: ThreadTrouble.FULL,  # of an announcement channel
}


async def make_thread(bot: AppClient, owed: OutboxRow) -> int | None:
    """Make the thread of a game from its first board. Return the id of the thread.

    Discord gives the thread the same id as the board's message. If the thread exists already, return its id. Return
    None if the board was never posted or the game is over. Raises discord.HTTPException.
    """
    assert owed.game is not None
    stored = await bot.app.games.game(owed.game)
    board = stored.board_message
    if board is None or stored.game.asked is None:
        return None
    name = thread_texts.thread_name(stored.game)
    await bot.app.end_snapshot()
    try:
        # discord.py's own call needs the gateway, as it looks for the server in the cache.
        made = await bot.http.start_thread_with_message(
            owed.channel, board, name=name, auto_archive_duration=ARCHIVE_AFTER_MINUTES
        )
    except discord.HTTPException as error:
        if error.code != THREAD_EXISTS:
            raise
        return board
    return int(made["id"])


def thread_trouble(error: Exception) -> ThreadTrouble:
    """Return the kind of trouble with a thread that an error from Discord means."""
    if isinstance(error, discord.HTTPException) and error.code in TROUBLE_BY_CODE:
        return TROUBLE_BY_CODE[error.code]
    if isinstance(error, discord.Forbidden):
        return ThreadTrouble.FORBIDDEN
    return ThreadTrouble.GONE if isinstance(error, discord.NotFound) else ThreadTrouble.OTHER
