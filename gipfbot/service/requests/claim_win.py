"""Games without a time limit that nobody goes on with: claimed by the player who waits, won after a warning."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gipfbot import match
from gipfbot.match import Game, Refused, Status, Why
from gipfbot.match.claim_win import CLAIM_WIN_WARNING
from gipfbot.match.clock import DAY
from gipfbot.service.kit.batches import for_each
from gipfbot.service.play.board_message import new_board_message
from gipfbot.service.play.turn import enqueue_board, lease_for_caller, require_game
from gipfbot.service.settings.servers import vacation_holds
from gipfbot.store import Connection, DueRow, OutboxRow, Store, StoredGame, due, games, outbox, users, vacations

CLAIM_WIN = "claim_win"
CLAIM_WIN_DM = "claim_win_dm"  # a direct message


class WinClaims:
    """Everybody's claims. `now` tells UTC seconds. Raises Refused, and changes nothing then, where one may not."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def may_claim_win(self, stored: StoredGame, by: int) -> bool:
        """Return whether a player may claim a game now."""
        try:
            await self.check_claim_win(stored, by)
        except Refused:
            return False
        return True

    async def claimable_games(self, game_ids: Sequence[int], by: int) -> tuple[list[int], tuple[int, int] | None]:
        """Return which of these games a player may claim now, and of those that he may later the first, and when."""
        open, later = list[int](), list[tuple[int, int]]()
        async with self.store.reading() as db:
            for id in game_ids:
                try:
                    await self._check_claim_win(db, await require_game(db, id), by, None)
                except Refused as refusal:
                    later += [(refusal.facts["at"], id)] if refusal.why is Why.CLAIM_WIN_TOO_EARLY else []
                else:
                    open.append(id)
        at, first = min(later, default=(0, 0))
        return open, (first, at) if first else None

    async def check_claim_win(self, stored: StoredGame, by: int, version: int | None = None) -> None:
        """Raise Refused unless a player may claim a game now; `version` is as for `claim`."""
        async with self.store.reading() as db:
            await self._check_claim_win(db, stored, by, version)

    async def claim_win(self, game_id: int, by: int, version: int | None = None) -> tuple[int, tuple[OutboxRow, ...]]:
        """Return until when the opponent may still play, and the warning that is to be delivered.

        `version` is that of the game for which a button was drawn.
        """
        now = self.now()
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            await self._check_claim_win(db, stored, by, version)
            until, key = await _warning_ends_at(db, stored, now), _claim_win_key(stored.game)
            await due.schedule(db, key, CLAIM_WIN, until, by, game_id)
            await games.add_event(db, game_id, CLAIM_WIN, by, now)
            row = await outbox.owe(
                db, key, CLAIM_WIN, stored.venue.channel, {"key": key, "game": game_id}, now, game_id
            )
            return until, await lease_for_caller(db, row, now)

    async def _check_claim_win(self, db: Connection, stored: StoredGame, by: int, version: int | None) -> None:
        if version not in (None, stored.game.version):
            raise Refused(Why.STALE)
        match.check_claim_win(stored.game, by, stored.changed_at, self.now())
        key = _claim_win_key(stored.game)
        if until := await due.scheduled_for(db, key):
            raise Refused(Why.CLAIM_WIN_PENDING, at=until if await _is_warned(db, key) else None)

    async def current_warning(self, owed: OutboxRow) -> tuple[StoredGame, int] | None:
        """Return the game of a warning that is owed, and until when he may play if it is posted now.

        None where the claim is void.
        """
        key = owed.payload["key"]
        async with self.store.reading() as db:
            stored = await require_game(db, owed.payload["game"])
            stands = _claim_stands(stored.game, key) and await due.scheduled_for(db, key)
            return (stored, await _warning_ends_at(db, stored, self.now())) if stands else None

    async def settle_due_claims(self) -> None:
        """End the games whose warning is over, and owe the boards that tell it.

        Of whom nobody could warn nothing is taken; it is tried again each day.
        """
        async with self.store.reading() as db:
            late = await due.ready_rows(db, CLAIM_WIN, self.now())
        await for_each(self.store, late, self._settle_claim)

    async def _settle_claim(self, db: Connection, row: DueRow) -> None:
        now = self.now()
        assert row.game is not None
        before = await require_game(db, row.game)
        stands = _claim_stands(before.game, row.key)
        if stands and not await _is_warned(db, row.key):
            await outbox.requeue_dropped(db, row.key, before.venue.channel, now)
            await due.postpone(db, row.key, now + DAY)
            return
        if stands and (until := await _warning_ends_at(db, before, 0)) > now:
            await due.postpone(db, row.key, until)
            return
        if not await due.finish_row(db, row.id, now) or not stands:
            return
        game = match.win_by_claim(before.game, row.user)
        kind = "cancel" if game.status is Status.CANCELLED else "time"
        await games.save_game(db, before.game, game, by=row.user, now=now)
        await games.add_event(db, game.id, kind, row.user, now)
        called_off = kind == "cancel"
        board = replace(
            new_board_message(game, cancelled_by=game.colour_of(row.user) if called_off else None),
            cancelled_by_claim=called_off,
        )
        await enqueue_board(db, before.with_game(game, now), board, now)


async def _warning_ends_at(db: Connection, stored: StoredGame, since: int) -> int:
    """Return when a warning of `since` is over; time before the end of the opponent's vacation does not count."""
    game, server = stored.game, stored.venue.server
    assert game.asked is not None
    known = await vacations.vacations_since(db, game.seats[game.asked].user, 0)
    return (
        max([since, *(vacation.over_at for vacation in known if vacation_holds(vacation, server))]) + CLAIM_WIN_WARNING
    )


async def _is_warned(db: Connection, key: str) -> bool:
    return any([await outbox.posted_message(db, each) for each in (key, _claim_win_dm_key(key))])


async def start_warning_period(db: Connection, owed: OutboxRow, now: int) -> None:
    """Let the week of a warning begin, which was posted just now."""
    stored, key = await require_game(db, owed.payload["game"]), owed.payload["key"]
    if _claim_stands(stored.game, key):
        await due.postpone(db, key, await _warning_ends_at(db, stored, now))


async def requeue_claim_warning(db: Connection, stored: StoredGame, now: int) -> None:
    """Owe the home of a game the warning of a claim that could not be posted so far, if there is one."""
    key = _claim_win_key(stored.game)
    if await due.scheduled_for(db, key) and not await _is_warned(db, key):
        await outbox.requeue_dropped(db, key, stored.venue.channel, now)


async def owe_claim_win_dm(db: Connection, owed: OutboxRow, now: int) -> None:
    """Owe a warning that its channel did not take to the opponent himself, unless his messages are shut."""
    game = (await require_game(db, owed.payload["game"])).game
    if game.asked is None or not _claim_stands(game, owed.payload["key"]):
        return
    user, key = game.seats[game.asked].user, _claim_win_dm_key(owed.key)
    if not await users.dms_shut(db, user) and not await outbox.requeue_dropped(db, key, user, now):
        await outbox.owe(db, key, CLAIM_WIN_DM, user, owed.payload, now)


def _claim_win_key(game: Game) -> str:
    return f"{CLAIM_WIN}:{game.id}:{game.version}"


def _claim_win_dm_key(key: str) -> str:
    return f"{CLAIM_WIN_DM}:{key}"


def _claim_stands(game: Game, key: str) -> bool:
    """Return whether nothing has happened in a game since it was claimed under this key."""
    return game.status is Status.RUNNING and _claim_win_key(game) == key
