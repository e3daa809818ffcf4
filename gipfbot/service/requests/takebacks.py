"""Takebacks: one player asks to take back a turn, and the other may agree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gipfbot import match
from gipfbot.match import Game, Refused, RequestState, TakebackRequest, Why
from gipfbot.rules import Action, ByColour
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.kit.message_kinds import MessageKind, lease_for_caller
from gipfbot.service.play.beginning import plan_house_turn
from gipfbot.service.play.turn import discard_conditionals
from gipfbot.service.settings.vacation_days import vacation_end
from gipfbot.store import Connection, Store, games, outbox, takebacks
from gipfbot.values import GameBrief, OutboxRow, SettledRow, StoredGame, StoredTurn, UnreadableGame

TAKEBACK = MessageKind("takeback", "request to take turns back")


@dataclass(frozen=True)
class TakebackUpdate:
    """A takeback request and its game after an operation.

    `message` holds the channel and message ids of the posted request; None if it is not posted. `owed` are the outbox
    rows that the caller has to deliver.
    """

    request: TakebackRequest
    stored: StoredGame
    message: tuple[int, int] | None = None
    owed: tuple[OutboxRow, ...] = ()


class Takebacks:
    """Operations on takeback requests. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside

    async def request_takeback(self, game: int, by: int) -> TakebackUpdate:
        """Request to take back a player's last turn, and queue the message with the request.

        The house player accepts at once; then the board is queued instead.
        """
        now = self.now()
        await self._replay_for_house(game, by)
        async with self.store.transaction() as db:
            planned = await _planned_request(db, game, by, now)
            new = await takebacks.add_takeback(db, planned.request, now)
            if house := planned.stored.game.terms.house:
                return await self._accept(db, new.id, house.user, now)
            key, channel = _takeback_key(new.id), planned.stored.venue.channel
            row = await outbox.owe(db, key, TAKEBACK, channel, {"request": new.id}, now, game)
            return TakebackUpdate(new, planned.stored, owed=await lease_for_caller(db, row, now))

    async def plan_takeback(self, game: int, by: int) -> TakebackUpdate:
        """Return the request that `request_takeback` would make now, with the id 0. Makes and queues nothing."""
        async with self.store.reading() as db:
            return await _planned_request(db, game, by, self.now())

    async def open_requests(self, running: Sequence[Game | GameBrief]) -> dict[int, TakebackRequest]:
        """Return a table that maps the ids of these games to their open takeback requests."""
        known, now = {game.id: game for game in running}, self.now()
        async with self.store.reading() as db:
            found = await takebacks.open_takebacks(db, [*known])
        return {each.game: each for each in found if _is_alive(each, known[each.game], now)}

    async def current_request(self, request_id: int) -> TakebackUpdate:
        """Return a takeback request in its present state. Does not check who asks."""
        async with self.store.reading() as db:
            return await self._current_request(db, request_id)

    async def accept_takeback(self, request_id: int, by: int) -> TakebackUpdate:
        """Accept a takeback request: set the game back to before the turn, and queue its board."""
        now = self.now()
        await self._replay_before(request_id, by)
        async with self.store.transaction() as db:
            return await self._accept(db, request_id, by, now)

    async def _accept(self, db: Connection, request_id: int, by: int, now: int) -> TakebackUpdate:
        before = await self._current_request(db, request_id)
        played = await games.turns_of(db, before.stored.game.id)
        turns = [turn.actions for turn in played]
        accepted, game = match.accept_takeback(before.request, before.stored.game, by, turns, now)
        taken_back = played[game.turn_number :]
        game = await _with_clock_restarted(db, game, before.stored.created_at, taken_back[0].bank, now)
        await save_and_rate(db, before.stored, game, by=by, now=now)
        await takebacks.save_takeback(db, accepted)
        data = {"turns": [_turn_data(turn) for turn in taken_back]}
        await games.add_event(db, game.id, TAKEBACK, before.request.by, now, data)
        await discard_conditionals(db, game, now)
        await reminders.plan_reminder(db, game)
        await plan_house_turn(db, game, now)
        stored = before.stored.with_game(game, now)
        owed = await owe_board(db, stored, now, turns_taken_back=tuple(turn.text for turn in taken_back))
        return TakebackUpdate(accepted, stored, before.message, owed)

    async def _replay_before(self, request_id: int, by: int) -> None:
        """Replay the game that a takeback leads back to, so that this need not be done in a transaction."""
        async with self.store.reading() as db:
            found = await self._current_request(db, request_id)
            turns = [turn.actions for turn in await games.turns_of(db, found.stored.game.id)]
        await self._replay(found, turns, by)

    async def _replay_for_house(self, game: int, by: int) -> None:
        """Do what `_replay_before` does for a request that is not made yet, if the house player accepts it."""
        async with self.store.reading() as db:
            planned = await _planned_request(db, game, by, self.now())
            if planned.stored.game.terms.house is None:
                return
            turns = [turn.actions for turn in await games.turns_of(db, game)]
        await self._replay(planned, turns, by)

    async def _replay(self, found: TakebackUpdate, turns: Sequence[Sequence[Action]], by: int) -> None:
        await self.aside.run(by, match.replay_turns, found.stored.game.ruleset, turns[: found.request.turn_number - 1])

    async def decline_takeback(self, request_id: int, by: int) -> TakebackUpdate:
        """Decline a takeback request."""
        return await self._settle_request(request_id, by, match.decline_takeback)

    async def withdraw_takeback(self, request_id: int, by: int) -> TakebackUpdate:
        """Withdraw a takeback request for the player who made it."""
        return await self._settle_request(request_id, by, match.withdraw_takeback)

    async def _settle_request(
        self, request_id: int, by: int, settle: Callable[[TakebackRequest, Game, int, int], TakebackRequest]
    ) -> TakebackUpdate:
        async with self.store.transaction() as db:
            found = await self._current_request(db, request_id)
            settled = settle(found.request, found.stored.game, by, self.now())
            await takebacks.save_takeback(db, settled)
        return replace(found, request=settled)

    async def close_stale_requests(self, limit: int = 50) -> list[TakebackUpdate]:
        """Close takeback requests that have expired or whose game has gone on. Return them.

        At most `limit` requests are closed. Requests in unreadable games are skipped.
        """
        async with self.store.reading() as db:
            if not await takebacks.stale_takebacks(db, self.now(), 1):
                return []
        async with self.store.transaction() as db:
            stale = await takebacks.stale_takebacks(db, self.now(), limit)
            closed = [found for request in stale if (found := await self._readable_request(db, request.id))]
            for found in closed:
                await takebacks.save_takeback(db, found.request)
        return closed

    async def _readable_request(self, db: Connection, request_id: int) -> TakebackUpdate | None:
        try:
            return await self._current_request(db, request_id)
        except UnreadableGame:
            return None

    async def _current_request(self, db: Connection, request_id: int) -> TakebackUpdate:
        request = await takebacks.load_takeback(db, request_id)
        if request is None:
            raise Refused(Why.NO_TAKEBACK)
        stored = await require_game(db, request.game)
        current = replace(request, state=match.takeback_state(request, stored.game, self.now()))
        return TakebackUpdate(current, stored, await outbox.posted_message(db, _takeback_key(request_id)))


async def _planned_request(db: Connection, game: int, by: int, now: int) -> TakebackUpdate:
    """Return a player's new takeback request, with the texts of its turns. Does not store it."""
    stored = await require_game(db, game)
    request = match.request_takeback(stored.game, by, await takebacks.takebacks_of(db, game), now)
    turns = [turn.text for turn in await games.turns_of(db, game) if turn.turn_number >= request.turn_number]
    return TakebackUpdate(replace(request, turns=tuple(turns)), stored)


async def _with_clock_restarted(db: Connection, game: Game, began: int, bank: ByColour[int] | None, now: int) -> Game:
    """Return the game with its clock restarted after a takeback.

    `bank` is the time that both players had before the turn, in seconds. The clock is paused if the player to move is
    on vacation. `began` is when the game began.
    """
    paused = await vacation_end(db, game.seats[game.position.mover].user, game.terms, began, now)
    return match.restart_game_clock(game, await downtime.clock_now(db, now, game.id), bank, paused=bool(paused))


def _is_alive(request: TakebackRequest, game: Game | GameBrief, now: int) -> bool:
    """Return whether an open request can still be answered: see `match.takeback_state`."""
    if isinstance(game, Game):
        return match.takeback_state(request, game, now) is RequestState.OPEN
    return request.turn_serial == game.turn_serial and not game.flagged and now < request.expires_at


@TAKEBACK.when_requeued
async def requeue_takeback_request(db: Connection, stored: StoredGame, now: int) -> None:
    """Queue a game's open takeback request again, for its present channel, if its message was dropped."""
    for request in await takebacks.takebacks_of(db, stored.game.id):
        if match.takeback_state(request, stored.game, now) is RequestState.OPEN:
            await outbox.requeue_dropped(db, _takeback_key(request.id), stored.venue.channel, now)


@TAKEBACK.still_needs
async def messages_of_open_requests(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the messages of requests that are open: an answer changes them, and a new venue gets them anew."""
    requests = {row.id: int(row.key.removeprefix(f"{TAKEBACK}:")) for row in rows}
    still_open = await takebacks.open_ids(db, [*requests.values()])
    return {row for row, request in requests.items() if request in still_open}


def _takeback_key(request_id: int) -> str:
    return f"{TAKEBACK}:{request_id}"


def _turn_data(turn: StoredTurn) -> dict[str, object]:
    return {
        "turn_number": turn.turn_number,
        "text": turn.text,
        "by": turn.by,
        "how": turn.how,
        "played_at": turn.played_at,
    }
