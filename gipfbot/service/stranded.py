"""Boards that could not be posted, or only late: nobody loses time in which he could not see that it was his turn.

Of a board that its channel refuses the player to move is told himself, and it is tried again. Until one of the two has
reached him his clock stands still, though not for ever.
"""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match import Game
from gipfbot.match.clock import DAY, HOUR, counted_time
from gipfbot.store import Connection, Due, Owed, Store, Stored, due, outbox, users

from . import absence, boards, clockwork
from .batches import each
from .boards import Board
from .playing import dressed, game_of
from .servers import away
from .unsaid import owe_again

STRANDED = "stranded"  # a direct message
KNOCK = "knock"  # a board that is to be tried again
PATIENCE = 14 * DAY  # seconds for which a clock stands, and the last board of a game is tried


class Stranded:
    """Looks after all of them. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def board(self, owed: Owed) -> Board:
        """Return a board that is owed, with the clock as it is if it is posted now."""
        assert owed.game is not None
        board = boards.unpack(owed.game, owed.payload)
        if _is_as_told(owed, self.now()):
            return board
        async with self.store.reading() as db:
            seen = await _seen_by_board(db, owed, self.now())
            return await dressed(db, seen, boards.with_clock(board, seen.game)) if seen else board

    async def letter(self, owed: Owed) -> Game | None:
        """Return the game of a letter that is owed, with its clock as it is if that is posted now.

        None where the game has gone on, or its board is tried again.
        """
        async with self.store.reading() as db:
            seen = await _seen_by_letter(db, owed, self.now())
            return seen.game if seen else None

    async def knock(self) -> None:
        """Owe those boards again for which it is time, as their games stand now."""
        async with self.store.reading() as db:
            late = await due.ready(db, KNOCK, self.now())
        await each(self.store, late, self._knock)

    async def _knock(self, db: Connection, row: Due) -> None:
        await due.cancel(db, row.key)
        assert row.game is not None
        stored = await game_of(db, row.game)
        id = _board_of(row.key)
        payload = await outbox.dropped(db, id)
        if payload is None or await outbox.owes(db, row.game, boards.KIND):
            return
        board = boards.with_clock(boards.unpack(row.game, payload), stored.game)
        again = boards.pack(await dressed(db, stored, board))
        await outbox.owe_again(db, id, stored.home.channel, again, self.now())
        await owe_again(db, stored, self.now())


async def strand(db: Connection, owed: Owed, now: int) -> None:
    """Look after a game whose board, which has just been dropped, was not taken, unless a newer one is owed.

    It is tried again after an hour, then ever more rarely, at least once a day.
    """
    assert owed.game is not None
    stored, waited = await game_of(db, owed.game), now - owed.first_tried_at
    game = stored.game
    if await outbox.owes(db, game.id, boards.KIND) or (game.asked is None and waited > PATIENCE):
        return
    user = game.seats[game.position.mover].user
    await due.forget(db, KNOCK, game.id, "")
    await due.put(db, _knock(owed.id), KNOCK, now + _gap(game, waited), user, game.id)
    if game.asked is None or await _has_letter(db, owed.id):
        return
    if waited <= PATIENCE:
        await clockwork.stop(db, _unseen(game, owed, now), now)
    elif not await away(db, [user], stored.home.server):  # he has known of nothing for so long: he may have left
        await clockwork.go_on(db, game, now)
    if not await users.dms_shut(db, user):
        payload = {"game": game.id, "version": game.version, "row": owed.id}
        await outbox.owe(db, _letter(owed.id), STRANDED, user, payload, now)


def _gap(game: Game, waited: int) -> int:
    """Return after how many seconds a board is tried again; no grace, which does not stand still, is over by then."""
    gap = min(max(waited, HOUR), DAY)
    return min(gap, game.terms.grace // 2) if game.clock and game.clock.flagged else gap


async def taken(db: Connection, owed: Owed, now: int) -> None:
    """Note that a board was posted: none of its game is tried again, and time for which it was not seen counts not."""
    assert owed.game is not None
    seen = None if _is_as_told(owed, now) else await _seen_by_board(db, owed, now)
    await due.forget(db, KNOCK, owed.game, "")
    if seen:
        await clockwork.save(db, seen.game)


async def told(db: Connection, owed: Owed, now: int) -> None:
    """Let the clock go on of somebody whose letter was posted."""
    if seen := await _seen_by_letter(db, owed, now):
        await clockwork.save(db, seen.game)


async def is_untold(db: Connection, game: int) -> bool:
    """Return whether a board of a game was not taken, and its player has had no letter either."""
    knock = await due.open_of(db, KNOCK, game)
    return knock is not None and not await _has_letter(db, _board_of(knock))


def _is_as_told(owed: Owed, now: int) -> bool:
    """Return whether a board that is posted now changes nothing about the clock that it shows."""
    return absence.is_timely(owed.created_at, now) and owed.payload.get("left") is None


async def _seen_by_board(db: Connection, owed: Owed, now: int) -> Stored | None:
    """Return the game of a board as it is once that is posted; None where it is about another turn, or ends it."""
    assert owed.game is not None
    stored = await game_of(db, owed.game)
    game = stored.game
    if game.clock is None or game.asked is None or boards.serial_of(owed.payload) != game.turn_serial:
        return None
    if not await _has_letter(db, owed.id):
        stored = replace(stored, game=_unseen(game, owed, now))
    return await _going_on(db, stored, now)


async def _seen_by_letter(db: Connection, owed: Owed, now: int) -> Stored | None:
    stored = await game_of(db, owed.payload["game"])
    waits = await due.open_until(db, _knock(owed.payload["row"])) is not None
    if not waits or stored.game.version != owed.payload["version"]:
        return None
    return await _going_on(db, replace(stored, game=_unseen(stored.game, owed, now)), now)


def _unseen(game: Game, owed: Owed, now: int) -> Game:
    """Return a game as if its clock had stood still since a message was owed that tells the player to move of his turn.

    More than he had then he does not have now.
    """
    left, deadline = owed.payload.get("left"), owed.payload.get("deadline")
    if left is None and deadline is not None:
        left = max(0, counted_time(owed.created_at, deadline, game.terms))
    return match.credit_game_clock(game, game.position.mover, min(owed.created_at, now), now, left)


async def _going_on(db: Connection, stored: Stored, now: int) -> Stored:
    """Return a game in which the player to move is told of his turn now: his clock goes on, unless he is away."""
    game = stored.game
    if await away(db, [game.seats[game.position.mover].user], stored.home.server):
        return stored
    return replace(stored, game=match.resume_game_clock(game, await absence.moment(db, now)))


async def _has_letter(db: Connection, board: int) -> bool:
    return await outbox.posted(db, _letter(board)) is not None


def _letter(board: int) -> str:
    return f"{STRANDED}:{board}"


def _knock(board: int) -> str:
    return f"{KNOCK}:{board}"


def _board_of(knock: str) -> int:
    return int(knock.removeprefix(f"{KNOCK}:"))
