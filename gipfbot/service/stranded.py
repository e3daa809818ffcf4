"""Boards that were not taken where they belong: the player to move is told himself, and they are tried again.

Where he can be told nowhere, his clock stands still meanwhile, though not for ever.
"""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match import Game
from gipfbot.match.clock import DAY, HOUR
from gipfbot.store import Connection, Due, Owed, Store, Stored, clocks, due, outbox, users

from . import absence, boards, reminders
from .batches import each
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

    async def knock(self) -> None:
        """Owe those boards again for which it is time, as their games stand now, with clocks that run."""
        async with self.store.reading() as db:
            late = await due.ready(db, KNOCK, self.now())
        await each(self.store, late, self._knock)

    async def _knock(self, db: Connection, row: Due) -> None:
        await due.cancel(db, row.key)
        assert row.game is not None
        stored = await game_of(db, row.game)
        id = int(row.key.removeprefix(f"{KNOCK}:"))
        payload = await outbox.dropped(db, id)
        if payload is None or await outbox.owes(db, row.game, boards.KIND):
            return
        stored = await self._resumed(db, stored)
        board = boards.with_clock(boards.unpack(row.game, payload), stored.game)
        again = boards.pack(await dressed(db, stored, board))
        await outbox.owe_again(db, id, stored.home.channel, again, self.now())
        await owe_again(db, stored, self.now())

    async def _resumed(self, db: Connection, stored: Stored) -> Stored:
        game, server = stored.game, stored.home.server
        if game.clock is None or await away(db, [game.seats[game.position.mover].user], server):
            return stored
        resumed = match.resumed(game, await absence.moment(db, self.now()))
        return replace(stored, game=await _save(db, resumed))

    async def fresh(self, owed: Owed) -> Stored | None:
        """Return the game of a letter that is owed; None where it has gone on, or its board is tried again."""
        async with self.store.reading() as db:
            stored = await game_of(db, owed.payload["game"])
            lost = await outbox.dropped(db, owed.payload["row"]) is not None
        return stored if lost and stored.game.version == owed.payload["version"] else None

    async def refused(self, owed: Owed) -> None:
        """Let the clock stand still of somebody who does not take his letter; the next refusal writes another."""
        async with self.store.transaction() as db:
            stored = await game_of(db, owed.payload["game"])
            if stored.game.version == owed.payload["version"]:
                await _stop(db, stored.game, owed.payload["since"], self.now())
            await outbox.forget(db, owed.id)


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
    if game.asked is None:
        return
    if await users.dms_shut(db, user):
        await _stop(db, game, owed.created_at, now)
        return
    payload = {"game": game.id, "version": game.version, "row": owed.id, "since": owed.created_at}
    await outbox.owe(db, f"{STRANDED}:{owed.id}", STRANDED, user, payload, now)


async def taken(db: Connection, game: int) -> None:
    """Note that a board of a game was taken: none that was not is tried again."""
    await due.forget(db, KNOCK, game, "")


async def _stop(db: Connection, game: Game, since: int, now: int) -> None:
    """Stop a clock, unless its player has known of nothing for so long that he may be taken to have left."""
    if game.clock and game.asked is not None and now - since <= PATIENCE:
        in_time = await absence.made_good(db, game, game.position.mover, now)
        await _save(db, match.paused(in_time, await absence.moment(db, now)))


async def _save(db: Connection, game: Game) -> Game:
    await clocks.save_clock(db, game)
    await reminders.plan(db, game)
    return game
