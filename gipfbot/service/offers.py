"""Taking back a turn: asked for by one player, agreed to by the other."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gipfbot import match
from gipfbot.match import Game, Refused, RequestState, TakebackRequest, Why
from gipfbot.store import Connection, Owed, Store, Stored, StoredTurn, games, offers, outbox

from . import absence, reminders
from .answers import forget
from .playing import claimed, game_of, owe_board
from .servers import away

UNDO = "undo"


@dataclass(frozen=True)
class Offered:
    """A request as it stands, its game, its message as (channel, message), and what is the caller's to deliver."""

    offer: TakebackRequest
    stored: Stored
    message: tuple[int, int] | None = None
    owed: tuple[Owed, ...] = ()


class Offers:
    """Requests to take back a turn. `now` tells UTC seconds.

    Every method raises Refused, and changes nothing then, where the person may not do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def ask(self, game: int, by: int) -> Offered:
        """Return a player's new request to take back his last turn, and its message to be delivered."""
        async with self.store.transaction() as db:
            stored = await game_of(db, game)
            asked = match.request_takeback(stored.game, by, await offers.offers_of(db, game), self.now())
            turns = [turn.text for turn in await games.turns_of(db, game) if turn.number >= asked.turn_number]
            new = await offers.add_offer(db, replace(asked, turns=tuple(turns)), self.now())
            row = await outbox.owe(db, _key(new.id), UNDO, stored.home.channel, {"offer": new.id}, self.now(), game)
            return Offered(new, stored, owed=await claimed(db, row, self.now()))

    async def offered(self, id: int) -> Offered:
        """Return a request as it stands now."""
        async with self.store.reading() as db:
            return await self._offered(db, id)

    async def accept(self, id: int, by: int) -> Offered:
        """Return the accepted request, and the game as it was before that turn, its board to be delivered."""
        now = self.now()
        async with self.store.transaction() as db:
            before = await self._offered(db, id)
            played = await games.turns_of(db, before.stored.game.id)
            turns = [turn.actions for turn in played]
            accepted, game = match.accept_takeback(before.offer, before.stored.game, by, turns, now)
            paused = await away(db, [game.seats[game.position.mover].user], before.stored.home.server)
            back = played[game.turn_number :]
            game = match.restart_game_clock(game, await absence.moment(db, now), back[0].saved, paused=bool(paused))
            await games.save_game(db, before.stored.game, game, by=by, now=now)
            await offers.save_offer(db, accepted)
            await games.add_event(db, game.id, UNDO, before.offer.by, now, {"turns": [_noted(turn) for turn in back]})
            await forget(db, game, now)
            await reminders.plan(db, game)
            stored = before.stored.become(game, now)
            owed = await owe_board(db, stored, now, taken_back=tuple(turn.text for turn in back))
        return Offered(accepted, stored, before.message, owed)

    async def decline(self, id: int, by: int) -> Offered:
        """Return the declined request."""
        return await self._settle(id, by, match.decline_takeback)

    async def withdraw(self, id: int, by: int) -> Offered:
        """Return the request withdrawn by whoever made it."""
        return await self._settle(id, by, match.withdraw_takeback)

    async def _settle(
        self, id: int, by: int, settle: Callable[[TakebackRequest, Game, int, int], TakebackRequest]
    ) -> Offered:
        async with self.store.transaction() as db:
            found = await self._offered(db, id)
            settled = settle(found.offer, found.stored.game, by, self.now())
            await offers.save_offer(db, settled)
        return replace(found, offer=settled)

    async def lapse(self, limit: int = 100) -> list[Offered]:
        """Close requests whose time is over, or whose game has gone on; return them."""
        async with self.store.reading() as db:
            if not await offers.lapsed_offers(db, self.now(), 1):
                return []
        async with self.store.transaction() as db:
            late = await offers.lapsed_offers(db, self.now(), limit)
            closed = [await self._offered(db, offer.id) for offer in late]
            for found in closed:
                await offers.save_offer(db, found.offer)
        return closed

    async def _offered(self, db: Connection, id: int) -> Offered:
        offer = await offers.load_offer(db, id)
        if offer is None:
            raise Refused(Why.NO_TAKEBACK)
        stored = await game_of(db, offer.game)
        now_is = replace(offer, state=match.takeback_state(offer, stored.game, self.now()))
        return Offered(now_is, stored, await outbox.posted(db, _key(id)))


async def ask_again(db: Connection, stored: Stored, now: int) -> None:
    """Owe the home of a game its open request where that could not be posted so far."""
    for offer in await offers.offers_of(db, stored.game.id):
        if match.takeback_state(offer, stored.game, now) is RequestState.OPEN:
            await outbox.owe_dropped(db, _key(offer.id), stored.home.channel, now)


def _key(id: int) -> str:
    return f"{UNDO}:{id}"


def _noted(turn: StoredTurn) -> dict[str, object]:
    return {"number": turn.number, "text": turn.text, "by": turn.by, "how": turn.how, "played_at": turn.played_at}
