"""Taking back a turn: asked for by one player, agreed to by the other."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gipfbot import match
from gipfbot.match import Game, Refused, RequestState, TakebackRequest, Why
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.play.conditionals_on_turn import discard_conditionals
from gipfbot.service.play.turn import lease_for_caller, owe_board, require_game
from gipfbot.service.settings.servers import vacation_ends
from gipfbot.store import Connection, OutboxRow, Store, StoredGame, StoredTurn, games, outbox, takebacks

TAKEBACK = "takeback"


@dataclass(frozen=True)
class TakebackUpdate:
    """A request as it stands, its game, its message as (channel, message), and what is the caller's to deliver."""

    request: TakebackRequest
    stored: StoredGame
    message: tuple[int, int] | None = None
    owed: tuple[OutboxRow, ...] = ()


class Takebacks:
    """Requests to take back a turn. `now` tells UTC seconds.

    Every method raises Refused, and changes nothing then, where the person may not do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def request_takeback(self, game: int, by: int) -> TakebackUpdate:
        """Return a player's new request to take back his last turn, and its message to be delivered."""
        async with self.store.transaction() as db:
            stored = await require_game(db, game)
            asked = match.request_takeback(stored.game, by, await takebacks.takebacks_of(db, game), self.now())
            turns = [turn.text for turn in await games.turns_of(db, game) if turn.turn_number >= asked.turn_number]
            new = await takebacks.add_takeback(db, replace(asked, turns=tuple(turns)), self.now())
            row = await outbox.owe(
                db, _takeback_key(new.id), TAKEBACK, stored.venue.channel, {"request": new.id}, self.now(), game
            )
            return TakebackUpdate(new, stored, owed=await lease_for_caller(db, row, self.now()))

    async def current_request(self, request_id: int) -> TakebackUpdate:
        """Return a request as it stands now."""
        async with self.store.reading() as db:
            return await self._current_request(db, request_id)

    async def accept_takeback(self, request_id: int, by: int) -> TakebackUpdate:
        """Return the accepted request, and the game as it was before that turn, its board to be delivered."""
        now = self.now()
        async with self.store.transaction() as db:
            before = await self._current_request(db, request_id)
            played = await games.turns_of(db, before.stored.game.id)
            turns = [turn.actions for turn in played]
            accepted, game = match.accept_takeback(before.request, before.stored.game, by, turns, now)
            paused = await vacation_ends(db, [game.seats[game.position.mover].user], before.stored.venue.server)
            back = played[game.turn_number :]
            game = match.restart_game_clock(game, await downtime.clock_now(db, now), back[0].bank, paused=bool(paused))
            await games.save_game(db, before.stored.game, game, by=by, now=now)
            await takebacks.save_takeback(db, accepted)
            await games.add_event(
                db, game.id, TAKEBACK, before.request.by, now, {"turns": [_turn_taken_back(turn) for turn in back]}
            )
            await discard_conditionals(db, game, now)
            await reminders.plan_reminder(db, game)
            stored = before.stored.with_game(game, now)
            owed = await owe_board(db, stored, now, turns_taken_back=tuple(turn.text for turn in back))
        return TakebackUpdate(accepted, stored, before.message, owed)

    async def decline_takeback(self, request_id: int, by: int) -> TakebackUpdate:
        """Return the declined request."""
        return await self._settle_request(request_id, by, match.decline_takeback)

    async def withdraw_takeback(self, request_id: int, by: int) -> TakebackUpdate:
        """Return the request withdrawn by whoever made it."""
        return await self._settle_request(request_id, by, match.withdraw_takeback)

    async def _settle_request(
        self, request_id: int, by: int, settle: Callable[[TakebackRequest, Game, int, int], TakebackRequest]
    ) -> TakebackUpdate:
        async with self.store.transaction() as db:
            found = await self._current_request(db, request_id)
            settled = settle(found.request, found.stored.game, by, self.now())
            await takebacks.save_takeback(db, settled)
        return replace(found, request=settled)

    async def close_stale_requests(self, limit: int = 100) -> list[TakebackUpdate]:
        """Close requests whose time is over, or whose game has gone on; return them."""
        async with self.store.reading() as db:
            if not await takebacks.stale_takebacks(db, self.now(), 1):
                return []
        async with self.store.transaction() as db:
            late = await takebacks.stale_takebacks(db, self.now(), limit)
            closed = [await self._current_request(db, offer.id) for offer in late]
            for found in closed:
                await takebacks.save_takeback(db, found.request)
        return closed

    async def _current_request(self, db: Connection, request_id: int) -> TakebackUpdate:
        offer = await takebacks.load_takeback(db, request_id)
        if offer is None:
            raise Refused(Why.NO_TAKEBACK)
        stored = await require_game(db, offer.game)
        now_is = replace(offer, state=match.takeback_state(offer, stored.game, self.now()))
        return TakebackUpdate(now_is, stored, await outbox.posted_message(db, _takeback_key(request_id)))


async def requeue_takeback_request(db: Connection, stored: StoredGame, now: int) -> None:
    """Owe the home of a game its open request where that could not be posted so far."""
    for offer in await takebacks.takebacks_of(db, stored.game.id):
        if match.takeback_state(offer, stored.game, now) is RequestState.OPEN:
            await outbox.requeue_dropped(db, _takeback_key(offer.id), stored.venue.channel, now)


def _takeback_key(request_id: int) -> str:
    return f"{TAKEBACK}:{request_id}"


def _turn_taken_back(turn: StoredTurn) -> dict[str, object]:
    return {
        "turn_number": turn.turn_number,
        "text": turn.text,
        "by": turn.by,
        "how": turn.how,
        "played_at": turn.played_at,
    }
