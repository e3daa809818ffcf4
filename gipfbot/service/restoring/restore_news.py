"""The news of a restore: each game that went back gets a board that says so, and open requests get their buttons."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot.match import REQUEST_LIFETIME
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, new_board_message, pack_board
from gipfbot.service.delivery.venues import enqueue_board, with_server_style
from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.store import Connection, Store, lives, outbox
from gipfbot.values import DueRow, OutboxRow, StoredGame

REQUESTS = (CHALLENGE, TAKEBACK, DRAW)
SUPERSEDED = "restored"  # why an older board of the game is not posted


async def plan_renewals(db: Connection, backup_at: int) -> None:
    """Plan to renew the messages of requests that may have been answered in the lost time."""
    rows = await outbox.posted_ids(db, REQUESTS, backup_at - REQUEST_LIFETIME)
    await lives.save_requests_to_renew(db, rows)


class RestoreNews:
    """Tells the players of games that went back. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._work = BatchWork(store, lives.RESTORE_NEWS, self._do_batch)

    async def tell_players(self) -> None:
        """Queue the boards of games that went back, as far as they are not queued yet.

        The clocks must be credited for the lost time before.
        """
        await self._work.go_on_with_all(self.now())

    async def requests_to_renew(self, limit: int) -> list[tuple[OutboxRow, int]]:
        """Return rows of posted requests whose messages are to be renewed, with their messages, at most `limit`."""
        async with self.store.reading() as db:
            return await outbox.posted_rows(db, (await lives.requests_to_renew(db))[:limit])

    async def note_renewed(self, number: int) -> None:
        """Note that the first so many rows are done. Some of them may be gone."""
        async with self.store.transaction() as db:
            await lives.save_requests_to_renew(db, (await lives.requests_to_renew(db))[number:])

    async def has_requests(self) -> bool:
        """Return whether the messages of requests are to be renewed."""
        async with self.store.reading() as db:
            return bool(await lives.requests_to_renew(db))

    async def _do_batch(self, db: Connection, row: DueRow) -> int | None:
        backup_at, planned = await lives.planned_news(db)
        left = [game for game in planned if game > (row.game or 0)]
        for game_id in left[:BATCH_SIZE]:
            stored = await readable_game(db, game_id)
            if stored is not None and stored.game.asked is not None:
                board = replace(new_board_message(stored.game), restored_from=backup_at)
                await _owe_instead(db, stored, board, self.now())
        return left[BATCH_SIZE - 1] if len(left) > BATCH_SIZE else None


async def _owe_instead(db: Connection, stored: StoredGame, board: BoardMessage, now: int) -> None:
    """Queue a board in the place of those that are still owed for the game.

    The last of their rows is kept: what is queued after a board, such as a thread, waits for that row.
    """
    owed = await outbox.owed_ids(db, stored.game.id, BOARD)
    if not owed:
        await enqueue_board(db, stored, board, now, reposted_at=now)
        return
    for older in owed[:-1]:
        await outbox.drop_row(db, older, SUPERSEDED, now)
    packed = pack_board(await with_server_style(db, stored, board, now))
    await outbox.requeue_row(db, owed[-1], stored.venue.channel, packed, now)
