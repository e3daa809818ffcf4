"""Draws by agreement: one player offers a draw, and the other may accept. Offers are events of their game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gipfbot import match
from gipfbot.match import DrawEvent, DrawStep, Game
from gipfbot.service.clock import reminders
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.kit.message_kinds import MessageKind, lease_for_caller, rows_of_standing_turns
from gipfbot.service.play.beginning import schedule_house
from gipfbot.store import Connection, Store, games, outbox
from gipfbot.values import OutboxRow, SettledRow, StoredGame

DRAW = MessageKind("draw", "draw offer", people=("by",))
TURN_SERIAL = "turn_serial"  # in the data of an event


@dataclass(frozen=True)
class DrawUpdate:
    """A game and its newest step about a draw, after an operation.

    `message` holds the channel and message ids of the posted offer; None if it is not posted. `owed` are the outbox
    rows that the caller has to deliver.
    """

    stored: StoredGame
    step: DrawEvent
    message: tuple[int, int] | None = None
    owed: tuple[OutboxRow, ...] = ()


class Draws:
    """Operations on draw offers. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def check_offer(self, game: int, by: int) -> StoredGame:
        """Return the game, if this player may offer a draw in it now."""
        async with self.store.reading() as db:
            stored = await require_game(db, game)
            match.offer_draw(stored.game, by, await _draw_events(db, game))
            return stored

    async def offer(self, game: int, by: int) -> DrawUpdate:
        """Offer a draw, and queue the message with the offer."""
        now = self.now()
        async with self.store.transaction() as db:
            stored = await require_game(db, game)
            made = match.offer_draw(stored.game, by, await _draw_events(db, game))
            await _add_draw_event(db, game, made, now)
            if stored.game.terms.house:
                await schedule_house(db, stored.game, now)
            row = await outbox.owe(db, _draw_key(game, made), DRAW, stored.venue.channel, _offer_data(made), now, game)
            return DrawUpdate(stored, made, owed=await lease_for_caller(db, row, now))

    async def open_offer(self, game: int) -> DrawUpdate | None:
        """Return the draw offer that can be answered in a game now; None without one. Does not check who asks."""
        async with self.store.reading() as db:
            stored = await require_game(db, game)
            made = match.open_draw_offer(stored.game, await _draw_events(db, game))
            if made is None:
                return None
            return DrawUpdate(stored, made, await outbox.posted_message(db, _draw_key(game, made)))

    async def is_offered_to_house(self, game: Game) -> bool:
        """Return whether the house player has a draw offer to answer in a game."""
        if not game.terms.house or not game.ruleset.agreed_draw:
            return False
        made = await self.open_offer(game.id)
        return made is not None and made.step.by != game.terms.house.user

    async def declined_by_house(self, game: int, turn_serial: int) -> DrawUpdate | None:
        """Return how the house player declined the draw offer of a turn; None if it did not."""
        async with self.store.reading() as db:
            stored = await require_game(db, game)
            house = stored.game.terms.house
            declined = house and DrawEvent(DrawStep.DECLINED, house.user, turn_serial)
            return DrawUpdate(stored, declined) if declined and declined in await _draw_events(db, game) else None

    async def answer(self, game: int, by: int, step: DrawStep) -> DrawUpdate:
        """Accept, decline or withdraw the open draw offer of a game. Accepting ends the game and queues its board."""
        now = self.now()
        async with self.store.transaction() as db:
            before = await require_game(db, game)
            events = await _draw_events(db, game)
            answered, after = match.answer_draw(before.game, by, step, events)
            await _add_draw_event(db, game, answered, now)
            posted = await outbox.posted_message(db, _draw_key(game, events[-1]))
            if step is not DrawStep.ACCEPTED:
                return DrawUpdate(before, answered, posted)
            stored = before.with_game(after, now)
            await save_and_rate(db, before, after, by=by, now=now)
            await reminders.plan_reminder(db, after)
            return DrawUpdate(stored, answered, posted, await owe_board(db, stored, now))


async def _draw_events(db: Connection, game: int) -> list[DrawEvent]:
    found = await games.events_of_kinds(db, game, [*DrawStep])
    return [DrawEvent(DrawStep(kind), by, data[TURN_SERIAL]) for kind, by, data in found]


async def _add_draw_event(db: Connection, game: int, step: DrawEvent, now: int) -> None:
    await games.add_event(db, game, step.step, step.by, now, {TURN_SERIAL: step.turn_serial})


def _declined_offer(stored: StoredGame, events: Sequence[DrawEvent]) -> DrawEvent | None:
    """Return the last draw offer of a game if the house player has declined it."""
    house = stored.game.terms.house
    if not house or not events or (events[-1].step, events[-1].by) != (DrawStep.DECLINED, house.user):
        return None
    return events[-2]


def _draw_key(game: int, offer: DrawEvent) -> str:
    return f"{DRAW}:{game}:{offer.turn_serial}:{offer.by}"


@DRAW.still_needs
async def draws_of_this_turn(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the offers whose turn still waits: an answer changes their message, and a new venue gets it anew."""
    turns = {row.id: row.key.split(":")[1:3] for row in rows}
    return await rows_of_standing_turns(db, {row: (int(game), int(serial)) for row, (game, serial) in turns.items()})


def _offer_data(offer: DrawEvent) -> dict[str, int]:
    return {"by": offer.by, TURN_SERIAL: offer.turn_serial}


@DRAW.when_requeued
async def requeue_draw_offer(db: Connection, stored: StoredGame, now: int) -> None:
    """Queue a game's draw offer again, for its present channel, if its message was dropped.

    The offer is open, or the house player has declined it, of which nobody has been told then.
    """
    events = await _draw_events(db, stored.game.id)
    made = match.open_draw_offer(stored.game, events) or _declined_offer(stored, events)
    if made:
        await outbox.requeue_dropped(db, _draw_key(stored.game.id, made), stored.venue.channel, now)
