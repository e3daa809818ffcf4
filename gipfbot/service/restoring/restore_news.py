"""The news of a restore: each game that went back gets a board that says so."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from gipfbot.service.delivery.board_message import BOARD, BoardMessage, new_board_message, pack_board
from gipfbot.service.delivery.owed_boards import enqueue_board, with_server_style
from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.store import Connection, Store, due, lives, meta, outbox
from gipfbot.values import DueRow, StoredGame

RESTORE_NEWS = "restore_news"  # the kind of the task, and of the key of what it needs
SUPERSEDED = "restored"  # why an older board of the game is not posted


async def plan_restore_news(db: Connection, backup_at: int, went_back: Sequence[int] | None, now: int) -> None:
    """Plan the news for the players of games that went back. None: it may be any of the running games.

    `backup_at` is the last moment that the database knows. What was planned for an earlier restore is planned anew.
    """
    running = await lives.running_games(db)
    told = running if went_back is None else sorted({*running} & {*went_back})
    await meta.save_value(db, RESTORE_NEWS, json.dumps({"at": backup_at, "games": told}))
    await due.unschedule(db, RESTORE_NEWS)
    if told:
        await due.schedule(db, RESTORE_NEWS, RESTORE_NEWS, now, user=0)


async def is_restore_untold(db: Connection) -> bool:
    """Return whether boards that tell of a restore are still to be queued."""
    return await due.unfinished_row(db, RESTORE_NEWS) is not None


class RestoreNews:
    """Tells the players of games that went back. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.now = now
        self._work = BatchWork(store, RESTORE_NEWS, self._do_batch)

    async def tell_players(self) -> None:
        """Queue the boards of games that went back, as far as they are not queued yet.

        The clocks must be credited for the lost time before.
        """
        await self._work.go_on_with_all(self.now())

    async def _do_batch(self, db: Connection, row: DueRow) -> int | None:
        planned = json.loads(await meta.load_value(db, RESTORE_NEWS) or "{}")
        left = [game for game in planned["games"] if game > (row.game or 0)]
        for game_id in left[:BATCH_SIZE]:
            stored = await readable_game(db, game_id)
            if stored is not None and stored.game.asked is not None:
                board = replace(new_board_message(stored.game), restored_from=planned["at"])
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
