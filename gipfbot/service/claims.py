"""Games without a time limit that nobody goes on with: claimed by the player who waits, won after a warning."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gipfbot import match
from gipfbot.match import Game, Refused, Status, Why
from gipfbot.match.claiming import CLAIM_WIN_WARNING
from gipfbot.match.clock import DAY
from gipfbot.store import Connection, Due, Owed, Store, Stored, due, games, outbox, users, vacations

from .batches import each
from .boards import board_of
from .playing import claimed, game_of, write_board
from .servers import holds

CLAIM = "claim"
LETTER = "claim-letter"  # a direct message


class Claims:
    """Everybody's claims. `now` tells UTC seconds. Raises Refused, and changes nothing then, where one may not."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def possible(self, stored: Stored, by: int) -> bool:
        """Return whether a player may claim a game now."""
        try:
            await self.check(stored, by)
        except Refused:
            return False
        return True

    async def which(self, ids: Sequence[int], by: int) -> tuple[list[int], tuple[int, int] | None]:
        """Return which of these games a player may claim now, and of those that he may later the first, and when."""
        open, later = list[int](), list[tuple[int, int]]()
        async with self.store.reading() as db:
            for id in ids:
                try:
                    await self._check(db, await game_of(db, id), by, None)
                except Refused as refusal:
                    later += [(refusal.facts["at"], id)] if refusal.why is Why.CLAIM_WIN_TOO_EARLY else []
                else:
                    open.append(id)
        at, first = min(later, default=(0, 0))
        return open, (first, at) if first else None

    async def check(self, stored: Stored, by: int, version: int | None = None) -> None:
        """Raise Refused unless a player may claim a game now; `version` is as for `claim`."""
        async with self.store.reading() as db:
            await self._check(db, stored, by, version)

    async def claim(self, id: int, by: int, version: int | None = None) -> tuple[int, tuple[Owed, ...]]:
        """Return until when the opponent may still play, and the warning that is to be delivered.

        `version` is that of the game for which a button was drawn.
        """
        now = self.now()
        async with self.store.transaction() as db:
            stored = await game_of(db, id)
            await self._check(db, stored, by, version)
            until, key = await _until(db, stored, now), _key(stored.game)
            await due.put(db, key, CLAIM, until, by, id)
            await games.add_event(db, id, CLAIM, by, now)
            row = await outbox.owe(db, key, CLAIM, stored.home.channel, {"key": key, "game": id}, now, id)
            return until, await claimed(db, row, now)

    async def _check(self, db: Connection, stored: Stored, by: int, version: int | None) -> None:
        if version not in (None, stored.game.version):
            raise Refused(Why.STALE)
        match.check_claim_win(stored.game, by, stored.changed_at, self.now())
        key = _key(stored.game)
        if until := await due.open_until(db, key):
            raise Refused(Why.CLAIM_WIN_PENDING, at=until if await _is_warned(db, key) else None)

    async def fresh(self, owed: Owed) -> tuple[Stored, int] | None:
        """Return the game of a warning that is owed, and until when he may play if it is posted now.

        None where the claim is void.
        """
        key = owed.payload["key"]
        async with self.store.reading() as db:
            stored = await game_of(db, owed.payload["game"])
            stands = _stands(stored.game, key) and await due.open_until(db, key)
            return (stored, await _until(db, stored, self.now())) if stands else None

    async def decide(self) -> None:
        """End the games whose warning is over, and owe the boards that tell it.

        Of whom nobody could warn nothing is taken; it is tried again each day.
        """
        async with self.store.reading() as db:
            late = await due.ready(db, CLAIM, self.now())
        await each(self.store, late, self._decide)

    async def _decide(self, db: Connection, row: Due) -> None:
        now = self.now()
        assert row.game is not None
        before = await game_of(db, row.game)
        stands = _stands(before.game, row.key)
        if stands and not await _is_warned(db, row.key):
            await outbox.owe_dropped(db, row.key, before.home.channel, now)
            await due.put_off(db, row.key, now + DAY)
            return
        if stands and (until := await _until(db, before, 0)) > now:
            await due.put_off(db, row.key, until)
            return
        if not await due.done(db, row.id, now) or not stands:
            return
        game = match.win_by_claim(before.game, row.user)
        kind = "abort" if game.status is Status.CANCELLED else "time"
        await games.save_game(db, before.game, game, by=row.user, now=now)
        await games.add_event(db, game.id, kind, row.user, now)
        called_off = kind == "abort"
        board = replace(board_of(game, aborted_by=game.colour_of(row.user) if called_off else None), claimed=called_off)
        await write_board(db, before.become(game, now), board, now)


async def _until(db: Connection, stored: Stored, since: int) -> int:
    """Return when a warning of `since` is over; time before the end of the opponent's vacation does not count."""
    game, server = stored.game, stored.home.server
    assert game.asked is not None
    known = await vacations.since(db, game.seats[game.asked].user, 0)
    return max([since, *(vacation.over_at for vacation in known if holds(vacation, server))]) + CLAIM_WIN_WARNING


async def _is_warned(db: Connection, key: str) -> bool:
    return any([await outbox.posted(db, each) for each in (key, _letter(key))])


async def warned(db: Connection, owed: Owed, now: int) -> None:
    """Let the week of a warning begin, which was posted just now."""
    stored, key = await game_of(db, owed.payload["game"]), owed.payload["key"]
    if _stands(stored.game, key):
        await due.put_off(db, key, await _until(db, stored, now))


async def warn_again(db: Connection, stored: Stored, now: int) -> None:
    """Owe the home of a game the warning of a claim that could not be posted so far, if there is one."""
    key = _key(stored.game)
    if await due.open_until(db, key) and not await _is_warned(db, key):
        await outbox.owe_dropped(db, key, stored.home.channel, now)


async def owe_letter(db: Connection, owed: Owed, now: int) -> None:
    """Owe a warning that its channel did not take to the opponent himself, unless his messages are shut."""
    game = (await game_of(db, owed.payload["game"])).game
    if game.asked is None or not _stands(game, owed.payload["key"]):
        return
    user, key = game.seats[game.asked].user, _letter(owed.key)
    if not await users.dms_shut(db, user) and not await outbox.owe_dropped(db, key, user, now):
        await outbox.owe(db, key, LETTER, user, owed.payload, now)


def _key(game: Game) -> str:
    return f"{CLAIM}:{game.id}:{game.version}"


def _letter(key: str) -> str:
    return f"{LETTER}:{key}"


def _stands(game: Game, key: str) -> bool:
    """Return whether nothing has happened in a game since it was claimed under this key."""
    return game.status is Status.RUNNING and _key(game) == key
