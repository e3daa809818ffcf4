"""Boards that could not be posted, or only late: nobody loses time in which he could not see that it was his turn.

Of a board that its channel refuses the player to move is told himself, and it is tried again. Until one of the two has
reached him his clock stands still, though not for ever.
"""

from collections.abc import Callable

from gipfbot import match
from gipfbot.match import Game
from gipfbot.match.clock import DAY, HOUR
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
        return boards.with_clock(board, seen) if seen else board

    async def letter(self, owed: Owed) -> Game | None:
        """Return the game of a letter that is owed, with its clock as it is if that is posted now.

        None where the game has gone on, or its board is tried again.
        """
        async with self.store.reading() as db:
            return await _seen_by_letter(db, owed, self.now())

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
    game, waited = (await game_of(db, owed.game)).game, now - owed.created_at
    if await outbox.owes(db, game.id, boards.KIND) or (game.asked is None and waited > PATIENCE):
        return
    user, again = game.seats[game.position.mover].user, now + min(max(waited, HOUR), DAY)
    await due.forget(db, KNOCK, game.id, "")
    await due.put(db, f"{KNOCK}:{owed.id}", KNOCK, again, user, game.id)
    if game.asked is None or await _has_letter(db, owed.id):
        return
    if waited > PATIENCE:  # he has known of nothing for so long that he may be taken to have left
        await clockwork.go_on(db, game, now)
        return
    unseen = match.given_back(game, game.position.mover, owed.created_at, now)
    stopped = await clockwork.stop(db, unseen, now)
    if not await users.dms_shut(db, user):
        payload = {"game": game.id, "version": stopped.version, "row": owed.id}
        await outbox.owe(db, _letter(owed.id), STRANDED, user, payload, now)


async def taken(db: Connection, owed: Owed, now: int) -> None:
    """Note that a board was posted: none of its game is tried again, and time for which it was not seen counts not."""
    assert owed.game is not None
    seen = None if _is_as_told(owed, now) else await _seen_by_board(db, owed, now)
    await due.forget(db, KNOCK, owed.game, "")
    if seen:
        await clockwork.save(db, seen)


async def told(db: Connection, owed: Owed, now: int) -> None:
    """Let the clock go on of somebody whose letter was posted."""
    if seen := await _seen_by_letter(db, owed, now):
        await clockwork.save(db, seen)


async def is_untold(db: Connection, game: int) -> bool:
    """Return whether a board of a game was not taken, and its player has had no letter either."""
    knock = await due.open_of(db, KNOCK, game)
    return knock is not None and not await _has_letter(db, _board_of(knock))


def _is_as_told(owed: Owed, now: int) -> bool:
    """Return whether a board that is posted now changes nothing about the clock that it shows."""
    return absence.is_timely(owed.created_at, now) and owed.payload.get("left") is None


async def _seen_by_board(db: Connection, owed: Owed, now: int) -> Game | None:
    """Return the game of a board as it is once that is posted; None where it is about another turn, or ends it."""
    assert owed.game is not None
    stored = await game_of(db, owed.game)
    game = stored.game
    if game.clock is None or game.asked is None or boards.serial_of(owed.payload) != game.serial:
        return None
    since = now if await _has_letter(db, owed.id) else owed.created_at
    return await _seen(db, stored, since, now)


async def _seen_by_letter(db: Connection, owed: Owed, now: int) -> Game | None:
    stored = await game_of(db, owed.payload["game"])
    lost = await outbox.dropped(db, owed.payload["row"]) is not None
    if not lost or stored.game.version != owed.payload["version"]:
        return None
    return await _seen(db, stored, owed.created_at, now)


async def _seen(db: Connection, stored: Stored, since: int, now: int) -> Game:
    """Return a game as it is once the player to move is told of his turn, which he could not know of since then.

    His clock goes on with all that he had, unless he is on vacation.
    """
    mover = stored.game.position.mover
    game = match.given_back(stored.game, mover, since, now)
    if await away(db, [game.seats[mover].user], stored.home.server):
        return game
    return match.resumed(game, await absence.moment(db, now))


async def _has_letter(db: Connection, board: int) -> bool:
    return await outbox.posted(db, _letter(board)) is not None


def _letter(board: int) -> str:
    return f"{STRANDED}:{board}"


def _board_of(knock: str) -> int:
    return int(knock.removeprefix(f"{KNOCK}:"))
