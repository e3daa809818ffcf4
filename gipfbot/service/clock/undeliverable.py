"""Boards that a channel refuses, or that are posted late. Nobody loses time while they cannot see their turn.

If a channel refuses a board, the bot tells the player to move in a direct message (the fallback DM), and retries the
board. The player's clock is paused until the board or the DM arrives, for two weeks at most.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from gipfbot import match
from gipfbot.match import DAY, HOUR, Game
from gipfbot.match.clock import counted_time
from gipfbot.service.clock import downtime, pause, reminders
from gipfbot.service.delivery import board_message
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.delivery.venues import with_server_style
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.loaded_games import readable_game, require_game
from gipfbot.service.kit.message_kinds import MessageKind, MessageKinds
from gipfbot.service.settings.vacation_days import decider_away_until
from gipfbot.store import Connection, Store, due, outbox, users
from gipfbot.values import DueRow, OutboxRow, SettledRow, StoredGame

# A fallback DM.
UNDELIVERABLE = MessageKind("undeliverable", "note on a board that could not be posted", direct=True)
RETRY = "retry"  # the kind of the due row of a board that is retried
RETRY_PATIENCE = 14 * DAY  # the longest pause of a clock, and the longest retry of a game's last board, in seconds


class UndeliverableBoards:
    """Operations on undeliverable boards. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], kinds: MessageKinds) -> None:
        self.store, self.now, self.kinds = store, now, kinds

    async def board_to_post(self, owed: OutboxRow) -> BoardMessage:
        """Return a queued board. It shows the clock as it will be if the board is posted now."""
        board = board_message.board_of(owed)
        if _shows_clock_as_is(owed, self.now()):
            return board
        async with self.store.reading() as db:
            stored = await _game_of_late_board(db, owed)
            if stored is None or stored.game.clock is None:
                return board
            seen = await _with_credit_for_board(db, stored, owed, self.now())
            return await with_server_style(db, seen, board_message.with_clock_shown(board, seen.game), self.now())

    async def fallback_dm_game(self, owed: OutboxRow) -> Game | None:
        """Return the game of a queued fallback DM, with the clock as it will be if the DM is posted now.

        Return None if the game has gone on, or if its board is no longer retried.
        """
        async with self.store.reading() as db:
            seen = await _game_after_fallback_dm(db, owed, self.now())
            return seen.game if seen else None

    async def note_turn_seen(self, game_id: int, user: int, message: int) -> StoredGame | None:
        """Resume the clock of a player who sees their turn on a private message, while its board is undeliverable.

        The private message counts as the fallback DM. During a vacation the clock stays paused. Return the game; None
        if nothing was changed, since the clock runs or the player has been told already.
        """
        async with self.store.reading() as db:
            if not await is_player_untold(db, game_id):
                return None
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            game, retry_key = stored.game, await due.scheduled_key(db, RETRY, game_id)
            if retry_key is None or not _waits_paused(game, user) or not await is_player_untold(db, game_id):
                return None
            row = _row_of_retry_key(retry_key)
            payload = {"game": game_id, "version": game.version, "row": row}
            told = await outbox.owe(db, _fallback_dm_key(row), UNDELIVERABLE, user, payload, self.now())
            await outbox.mark_posted(db, told, message, self.now())
            return await _with_clock_resumed_and_saved(db, stored, self.now())

    async def retry_due_boards(self) -> None:
        """Queue again the undeliverable boards whose retry is due, with their clocks as they are now."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, RETRY, self.now())
        await for_each(self.store, late, self._retry_board, due.lock_tasks)

    async def _retry_board(self, db: Connection, row: DueRow) -> None:
        await due.unschedule(db, row.key)
        assert row.game is not None
        stored = await require_game(db, row.game)
        row_id = _row_of_retry_key(row.key)
        payload = await outbox.dropped_payload(db, row_id)
        if payload is None or await outbox.is_owed_for(db, row.game, board_message.BOARD):
            return
        board = board_message.with_clock_shown(board_message.unpack_board(row.game, payload), stored.game)
        packed = board_message.pack_board(await with_server_style(db, stored, board, self.now()))
        is_known = await _has_fallback_dm(db, row_id)
        await outbox.requeue_row(db, row_id, stored.venue.channel, packed, self.now(), is_known=is_known)
        await self.kinds.requeue(db, stored, self.now())


@board_message.BOARD.when_dropped
async def note_undeliverable(db: Connection, owed: OutboxRow, now: int) -> None:
    """Plan the retry of a board that was dropped. Pause the player's clock, and queue the fallback DM.

    For the house player, only the retry is planned.

    After RETRY_PATIENCE, the clock is resumed instead. No fallback DM is queued if one was posted for this board, or if
    the player accepts no direct messages. Do nothing if a newer board is queued, if the game is unreadable, or if the
    game has ended and its board was retried for RETRY_PATIENCE.
    """
    assert owed.game is not None
    stored, waited = await readable_game(db, owed.game), now - owed.first_tried_at
    if stored is None:
        return
    game = stored.game
    if await outbox.is_owed_for(db, game.id, board_message.BOARD) or (game.asked is None and waited > RETRY_PATIENCE):
        return
    user = game.seats[game.decider].user
    await due.unschedule_in_game(db, RETRY, game.id, "")
    await due.schedule(db, _retry_key(owed.id), RETRY, now + _retry_gap(game, waited), user, game.id)
    if game.asked is None or game.house_decides or await _has_fallback_dm(db, owed.id):
        return
    await _pause_or_resume(db, stored, owed, now)
    if not await users.dms_shut(db, user, now):
        payload = {"game": game.id, "version": game.version, "row": owed.id}
        await outbox.owe(db, _fallback_dm_key(owed.id), UNDELIVERABLE, user, payload, now)


async def _pause_or_resume(db: Connection, stored: StoredGame, owed: OutboxRow, now: int) -> None:
    """Pause the clock of a player who cannot see their turn.

    After RETRY_PATIENCE, resume the clock instead, unless the player is on vacation.
    """
    game = stored.game
    if now - owed.first_tried_at <= RETRY_PATIENCE:
        await pause.pause_and_save(db, _with_unseen_time_credited(game, owed, now), now)
    elif not await _is_decider_away(db, stored, now):
        await pause.resume_and_save(db, game, now)


def _retry_gap(game: Game, waited: int) -> int:
    """Return the seconds until the next try to post a board: an hour at first, a day at most.

    The gap grows with the seconds `waited` so far. Grace cannot be paused, so for a flagged player the gap is at most
    half the grace.
    """
    gap = min(max(waited, HOUR), DAY)
    return min(gap, game.terms.grace // 2) if game.clock and game.clock.flagged else gap


@board_message.BOARD.when_delivered
async def note_board_delivered(db: Connection, owed: OutboxRow, _: int, now: int) -> None:
    """Stop the retries of a game's board after a board was posted.

    If the board was late or its clock was paused, credit the time in which the player could not see the turn, and
    resume their clock, unless they are on vacation. Without a time limit, the week before their reminder begins.
    """
    assert owed.game is not None
    seen = None if _shows_clock_as_is(owed, now) else await _game_of_late_board(db, owed)
    await due.unschedule_in_game(db, RETRY, owed.game, "")
    if seen and seen.game.clock:
        await pause.save_clock_and_reminder(db, (await _with_credit_for_board(db, seen, owed, now)).game)
    elif seen and not await _has_fallback_dm(db, owed.id):
        await reminders.begin_weeks_anew(db, seen.game, now)


@UNDELIVERABLE.when_delivered
async def note_fallback_dm_delivered(db: Connection, owed: OutboxRow, _: int, now: int) -> None:
    """Resume the clock of a player whose fallback DM was posted."""
    if seen := await _game_after_fallback_dm(db, owed, now):
        await pause.save_clock_and_reminder(db, seen.game)


@UNDELIVERABLE.when_needless
@UNDELIVERABLE.when_dm_refused
async def forget_fallback_dm(db: Connection, owed: OutboxRow, _: int) -> None:
    """Delete the outbox row of a fallback DM that was not posted.

    The DM can then be queued again when the board is refused again.
    """
    await outbox.delete_row(db, owed.id)


@board_message.BOARD.still_needs
async def boards_to_retry(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the dropped boards that are tried again."""
    retried = await due.unfinished_keys(db, [_retry_key(row.id) for row in rows])
    return {row.id for row in rows if _retry_key(row.id) in retried}


@UNDELIVERABLE.still_needs
async def dms_of_stored_boards(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the fallback DMs whose board is stored. They prevent a second DM for the same board."""
    boards = {row.id: int(row.key.removeprefix(f"{UNDELIVERABLE}:")) for row in rows}
    stored = await outbox.stored_rows(db, [*boards.values()])
    return {row for row, board in boards.items() if board in stored}


async def is_player_untold(db: Connection, game: int) -> bool:
    """Return whether a game's board waits for a retry, and no fallback DM has reached the player to move."""
    retry_key = await due.scheduled_key(db, RETRY, game)
    return retry_key is not None and not await _has_fallback_dm(db, _row_of_retry_key(retry_key))


async def games_with_untold_player(db: Connection, among: Collection[int]) -> set[int]:
    """Return the games in `among` for which `is_player_untold` is true. Few have a board that is retried."""
    retried = [row.game for row in await due.unfinished_in_games(db, RETRY, among)]
    return {game for game in retried if game and await is_player_untold(db, game)}


def _waits_paused(game: Game, user: int) -> bool:
    """Return whether a game waits for this person, with their clock paused."""
    asked = None if game.asked is None else game.seats[game.asked].user
    return asked == user and game.clock is not None and game.clock.paused_left is not None


async def _with_clock_resumed_and_saved(db: Connection, stored: StoredGame, now: int) -> StoredGame:
    """Resume the clock of a game, unless its player is on vacation. Return the game."""
    resumed = await _with_clock_resumed(db, stored, now)
    await pause.save_clock_and_reminder(db, resumed.game)
    return resumed


def _shows_clock_as_is(owed: OutboxRow, now: int) -> bool:
    """Return whether a queued board can be posted with the clock that was stored in it.

    A board that is late needs a new clock, and so does a board that was queued with a paused clock.
    """
    return downtime.is_timely(owed.created_at, now) and owed.payload.get("paused_left") is None


async def _game_of_late_board(db: Connection, owed: OutboxRow) -> StoredGame | None:
    """Return the game of a queued board.

    Return None if the game has ended, if the board asks for something else, or if the game is unreadable. The caller
    then posts the board as it was queued.
    """
    assert owed.game is not None
    stored = await readable_game(db, owed.game)
    asks = stored and stored.game.asked is not None and board_message.shows_decision(owed.payload, stored.game)
    return stored if asks else None


async def _with_credit_for_board(db: Connection, stored: StoredGame, owed: OutboxRow, now: int) -> StoredGame:
    """Return the game, with its clock credited and running, as it will be if this queued board is posted now."""
    if not await _has_fallback_dm(db, owed.id):
        stored = replace(stored, game=_with_unseen_time_credited(stored.game, owed, now))
    return await _with_clock_resumed(db, stored, now)


async def _game_after_fallback_dm(db: Connection, owed: OutboxRow, now: int) -> StoredGame | None:
    stored = await readable_game(db, owed.payload["game"])
    waits = await due.scheduled_for(db, _retry_key(owed.payload["row"])) is not None
    if stored is None or not waits or stored.game.version != owed.payload["version"]:
        return None
    return await _with_clock_resumed(db, replace(stored, game=_with_unseen_time_credited(stored.game, owed, now)), now)


def _with_unseen_time_credited(game: Game, owed: OutboxRow, now: int) -> Game:
    """Return the game with its clock credited for the time since the message about the turn was queued.

    The player never gets more time than they had when the message was queued.
    """
    most, deadline = owed.payload.get("paused_left"), owed.payload.get("deadline")
    if most is None and deadline is not None:
        most = max(0, counted_time(owed.created_at, deadline, game.terms))
    return match.credit_game_clock(game, game.decider, min(owed.created_at, now), now, most)


async def _with_clock_resumed(db: Connection, stored: StoredGame, now: int) -> StoredGame:
    """Return the game with its clock running again, unless the player to move is on vacation."""
    game = stored.game
    if await _is_decider_away(db, stored, now):
        return stored
    return replace(stored, game=match.resume_game_clock(game, await downtime.clock_now(db, now, game.id)))


async def _is_decider_away(db: Connection, stored: StoredGame, now: int) -> bool:
    """Return whether the player to move is on a vacation that pauses their clock in this game."""
    return await decider_away_until(db, stored, stored.game, now) is not None


async def _has_fallback_dm(db: Connection, row_id: int) -> bool:
    return await outbox.posted_message(db, _fallback_dm_key(row_id)) is not None


def _fallback_dm_key(row_id: int) -> str:
    return f"{UNDELIVERABLE}:{row_id}"


def _retry_key(row_id: int) -> str:
    return f"{RETRY}:{row_id}"


def _row_of_retry_key(retry_key: str) -> int:
    return int(retry_key.removeprefix(f"{RETRY}:"))
