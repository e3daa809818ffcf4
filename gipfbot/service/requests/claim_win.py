"""Wins by claim: in a stalled game without a time limit, the waiting player may claim the win.

A warning then gives the opponent a week to play. The week starts when the warning is posted, in the channel or as a
direct message.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from gipfbot import match
from gipfbot.match import DAY, Game, Refused, Seat, Status, Why
from gipfbot.match.requests import CLAIM_WIN_WARNING
from gipfbot.service.clock.downtime import when_downtime_credited
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.delivery.venues import enqueue_board
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.service.settings.vacation_days import count_vacation_days, vacations_in_game
from gipfbot.store import Connection, Store, due, games, outbox, users
from gipfbot.values import DueRow, GameBrief, OutboxRow, SettledRow, StoredGame, VacationDays

CLAIM_WIN = MessageKind("claim_win", "claim of a win")
CLAIM_WIN_DM = MessageKind("claim_win_dm", "warning of a claimed win", direct=True)


@dataclass(frozen=True)
class ClaimedWin:
    """A game whose win was just claimed, and the outbox rows that the caller has to deliver.

    `until` is when the warning ends if it is posted now, in UTC seconds.
    """

    stored: StoredGame
    until: int
    owed: tuple[OutboxRow, ...]

    @property
    def warned(self) -> Seat:
        """The player who is warned."""
        return self.stored.game.seats[self.stored.game.decider]


class WinClaims:
    """Operations on claims of wins. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def may_claim_win(self, stored: StoredGame, by: int) -> bool:
        """Return whether a player may claim the win of a game now."""
        try:
            await self.check_claim_win(stored, by)
        except Refused:
            return False
        return True

    async def claimable_games(self, among: Iterable[StoredGame], by: int) -> tuple[list[int], tuple[int, int] | None]:
        """Return the ids of the games that a player may claim now, and the next game that they may claim later.

        `among` are the games to check. The next game is a pair: its id, and the time from which the player may claim
        it, in UTC seconds. If no game may be claimed later, there is None in place of the pair.
        """
        ready, later = list[int](), list[tuple[int, int]]()
        async with self.store.reading() as db:
            for stored in among:
                try:
                    await self._check_claim_win(db, stored, by, None)
                except Refused as refusal:
                    later += [(refusal.facts["at"], stored.game.id)] if refusal.why is Why.CLAIM_WIN_TOO_EARLY else []
                else:
                    ready.append(stored.game.id)
        at, first = min(later, default=(0, 0))
        return ready, (first, at) if first else None

    async def check_claim_win(self, stored: StoredGame, by: int, version: int | None = None) -> None:
        """Raise Refused unless a player may claim the win of a game now.

        `version` is the game's version on the pressed button; None without a button.
        """
        async with self.store.reading() as db:
            await self._check_claim_win(db, stored, by, version)

    async def claim_win(self, game_id: int, by: int, version: int | None = None) -> ClaimedWin:
        """Claim the win of a game, and queue the warning to the opponent.

        `version` is the game's version on the pressed button; None without a button. Raises Refused if it is old.
        """
        now = self.now()
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            await self._check_claim_win(db, stored, by, version)
            until, key = await _warning_ends_at(db, stored, now), _claim_win_key(stored.game)
            await due.schedule(db, key, CLAIM_WIN, until, by, game_id)
            await games.add_event(db, game_id, CLAIM_WIN, by, now)
            payload = {"key": key, "game": game_id}
            owed = await owe_to_caller(db, key, CLAIM_WIN, stored.venue.channel, payload, now, game_id, by=by)
            return ClaimedWin(stored, until, owed)

    async def _check_claim_win(self, db: Connection, stored: StoredGame, by: int, version: int | None) -> None:
        if version not in (None, stored.game.version):
            raise Refused(Why.STALE)
        match.check_claim_win(stored.game, by, stored.changed_at, self.now())
        key = _claim_win_key(stored.game)
        if until := await due.scheduled_for(db, key):
            raise Refused(Why.CLAIM_WIN_PENDING, at=until if await _is_warned(db, key) else None)

    async def win_claims_to_answer(self, briefs: Sequence[GameBrief], user: int) -> dict[int, int]:
        """Return a table that maps game ids to the ends of the claim warnings that a person has got, in UTC seconds.

        `briefs` are games of this person. A claim stands only while they are to move.
        """
        waiting = (brief for brief in briefs if brief.has_tasks and brief.users[brief.asked] == user)
        asked = {brief.id: brief for brief in waiting if not brief.timed}
        if not asked:
            return {}
        async with self.store.reading() as db:
            rows = await due.unfinished_in_games(db, CLAIM_WIN, [*asked])
        keys = {_claim_key(brief.id, brief.version): brief.id for brief in asked.values()}
        return {keys[row.key]: row.at for row in rows if row.key in keys}

    async def current_warning(self, owed: OutboxRow) -> tuple[StoredGame, int] | None:
        """Return the game of a queued claim warning, and when the warning ends if it is posted now (UTC seconds).

        Return None if the claim no longer stands, because something has happened in the game since.
        """
        key = owed.payload["key"]
        async with self.store.reading() as db:
            stored = await require_game(db, owed.payload["game"])
            stands = _claim_stands(stored.game, key) and await due.scheduled_for(db, key)
            return (stored, await _warning_ends_at(db, stored, self.now())) if stands else None

    async def settle_due_win_claims(self) -> None:
        """End the claimed games whose warning is over, and queue their last boards.

        If the warning could not be delivered, the game is not awarded; the bot retries daily.
        """
        async with self.store.reading() as db:
            ready = await due.ready_rows(db, CLAIM_WIN, self.now())
        await for_each(self.store, ready, self._settle_claim, due.lock_tasks)

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
        if await due.finish_row(db, row.id, now) and stands:
            await _end_claimed_game(db, before, row.user, now)


async def _end_claimed_game(db: Connection, before: StoredGame, by: int, now: int) -> None:
    """End a claimed game as won, or as cancelled if not both players have moved. Queue its last board."""
    game = match.win_by_claim(before.game, by)
    cancelled = game.status is Status.CANCELLED
    ratings = await save_and_rate(db, before, game, by=by, now=now)
    await games.add_event(db, game.id, "cancel" if cancelled else "time", by, now)
    board = new_board_message(game, cancelled_by=game.colour_of(by) if cancelled else None)
    board = replace(board, cancelled_by_claim=cancelled, ratings=ratings)
    await enqueue_board(db, before.with_game(game, now), board, now, by=by)


async def _warning_ends_at(db: Connection, stored: StoredGame, since: int) -> int:
    """Return when a claim warning posted at `since` ends, in UTC seconds.

    If the opponent is on vacation, the week of the warning starts after their vacation.
    """
    game, began = stored.game, stored.created_at
    assert game.asked is not None
    user = game.seats[game.asked].user
    known = (await vacations_in_game(db, [user], began))[user]
    return max(since, count_vacation_days(VacationDays.by_terms(game.terms, began), known)[1]) + CLAIM_WIN_WARNING


async def _is_warned(db: Connection, key: str) -> bool:
    return any([await outbox.posted_message(db, each) for each in (key, _claim_win_dm_key(key))])


@CLAIM_WIN.when_delivered
@CLAIM_WIN_DM.when_delivered
async def start_warning_period(db: Connection, owed: OutboxRow, _: int, now: int) -> None:
    """Start the week of a claim warning that was just posted."""
    stored, key = await require_game(db, owed.payload["game"]), owed.payload["key"]
    if _claim_stands(stored.game, key):
        await due.postpone(db, key, await _warning_ends_at(db, stored, now))


@CLAIM_WIN.when_requeued
async def requeue_claim_warning(db: Connection, stored: StoredGame, now: int) -> None:
    """Queue a game's claim warning again, for its present channel, if the warning was dropped."""
    key = _claim_win_key(stored.game)
    if await due.scheduled_for(db, key) and not await _is_warned(db, key):
        await outbox.requeue_dropped(db, key, stored.venue.channel, now)


@when_downtime_credited
async def extend_warnings(db: Connection, seconds: int, _: int) -> None:
    """Extend all claim warnings by a number of seconds in which nobody could play."""
    await due.postpone_kind(db, CLAIM_WIN, seconds)


@CLAIM_WIN.when_dropped
async def owe_claim_win_dm(db: Connection, owed: OutboxRow, now: int) -> None:
    """Queue a claim warning to the opponent as a direct message, because its channel has refused it.

    Do nothing if the opponent accepts no direct messages, or if the claim no longer stands.
    """
    game = (await require_game(db, owed.payload["game"])).game
    if game.asked is None or not _claim_stands(game, owed.payload["key"]):
        return
    user, key = game.seats[game.asked].user, _claim_win_dm_key(owed.key)
    if not await users.dms_shut(db, user, now) and not await outbox.requeue_dropped(db, key, user, now):
        await outbox.owe(db, key, CLAIM_WIN_DM, user, owed.payload, now)


@CLAIM_WIN.still_needs
@CLAIM_WIN_DM.still_needs
async def warnings_to_wait_for(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the warnings of unsettled claims. No game is awarded without a warning, so it is retried daily."""
    claims = {row.id: row.key.removeprefix(f"{CLAIM_WIN_DM}:") for row in rows}
    unsettled = await due.unfinished_keys(db, [*claims.values()])
    return {row for row, claim in claims.items() if claim in unsettled}


def _claim_win_key(game: Game) -> str:
    return _claim_key(game.id, game.version)


def _claim_key(game_id: int, version: int) -> str:
    return f"{CLAIM_WIN}:{game_id}:{version}"


def _claim_win_dm_key(key: str) -> str:
    return f"{CLAIM_WIN_DM}:{key}"


def _claim_stands(game: Game, key: str) -> bool:
    """Return whether the claim with this key still stands: the game runs and has not changed since."""
    return game.status is Status.RUNNING and _claim_win_key(game) == key
