"""Requests of one player to the other in a game: takebacks and draws. Both kinds follow the same course."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeAlias

from gipfbot import match
from gipfbot.match import Game, GameRequest, Refused, RequestKind, RequestState, Why
from gipfbot.notation import action_code
from gipfbot.rules import ByColour
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.service.play.turn import discard_conditionals, plan_house_turn, schedule_house
from gipfbot.service.settings.vacation_days import vacation_end
from gipfbot.store import Connection, Store, games, outbox, requests
from gipfbot.values import GameBrief, OutboxRow, SettledRow, StoredGame, StoredTurn, UnreadableGame

TAKEBACK, DRAW = RequestKind.TAKEBACK, RequestKind.DRAW
_DRAW_EVENTS = {
    RequestState.OPEN: "draw_offered",
    RequestState.ACCEPTED: "draw_accepted",
    RequestState.DECLINED: "draw_declined",
    RequestState.WITHDRAWN: "draw_withdrawn",
}
TAKEBACK_REQUEST = MessageKind(TAKEBACK, "request to take turns back")
DRAW_OFFER = MessageKind(DRAW, "draw offer")


@dataclass(frozen=True)
class RequestUpdate:
    """A request and its game after an operation.

    `message` holds the channel and message ids of the posted request; None if it is not posted. `owed` are the outbox
    rows that the caller has to deliver. `untaken` says that Discord does not take the message, though it takes others
    in the game's channel. A message that a closed channel has refused comes with the next board.
    """

    request: GameRequest
    stored: StoredGame
    message: tuple[int, int] | None = None
    owed: tuple[OutboxRow, ...] = ()
    untaken: bool = False


# Called with (db, update, by, now) for a request that `by` has just accepted. Returns it with the changed game.
Accept: TypeAlias = Callable[[Connection, RequestUpdate, int, int], Awaitable[RequestUpdate]]


class RequestCourse(NamedTuple):
    """The differences between the kinds of requests."""

    message: MessageKind
    accept: Accept
    events: Mapping[RequestState, str]  # events in the game's history, by the state that a request reaches
    house_grants: bool  # whether the house player agrees at once; otherwise it thinks about its answer


class Requests:
    """Operations on requests of one player to the other. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside

    async def plan(self, kind: RequestKind, game: int, by: int) -> RequestUpdate:
        """Return the request that `make` would make now, with the id 0. Makes and queues nothing."""
        async with self.store.reading() as db:
            return await _planned_request(db, kind, game, by, self.now())

    async def make(
        self,
        kind: RequestKind,
        game: int,
        by: int,
        turn_serial: int | None = None,
        planned: RequestUpdate | None = None,
    ) -> RequestUpdate:
        """Make a request, and queue its message. If the house player grants it at once, queue the board instead.

        `turn_serial` is that on the pressed button; None without a button. Raises Refused if it is old. `planned` is
        what `plan` has just returned.
        """
        now, planned = self.now(), planned or await self.plan(kind, game, by)
        if planned.stored.game.terms.house:
            await self._replay(planned, by)
        async with self.store.transaction() as db:
            planned = await _planned_request(db, kind, game, by, now)
            if turn_serial not in (None, planned.request.turn_serial):
                raise Refused(Why.STALE)
            new, house = await requests.add_request(db, planned.request, now), planned.stored.game.terms.house
            await _add_event(db, new, by, now)
            if house and COURSES[kind].house_grants:
                return await self._settle(db, new.id, house.user, RequestState.ACCEPTED)
            if house:
                await schedule_house(db, planned.stored.game, now)
            channel, payload = planned.stored.venue.channel, {"request": new.id}
            owed = await owe_to_caller(db, _message_key(new), COURSES[kind].message, channel, payload, now, game, by=by)
            return RequestUpdate(new, planned.stored, owed=owed)

    async def current(self, request_id: int) -> RequestUpdate:
        """Return a request in its present state. Does not check who asks."""
        async with self.store.reading() as db:
            return await self._current(db, request_id)

    async def open_requests(self, running: Sequence[Game | GameBrief]) -> list[GameRequest]:
        """Return the requests of these games that can be answered now, the oldest first."""
        known, now = {game.id: game for game in running}, self.now()
        if not known:
            return []
        async with self.store.reading() as db:
            found = await requests.open_requests(db, [*known])
        return [each for each in found if _is_alive(each, known[each.game], now)]

    async def draw_offered_to_house(self, game: Game) -> GameRequest | None:
        """Return the draw offer that the house player has to answer in a game; None without one."""
        if not game.terms.house or not game.ruleset.agreed_draw:
            return None
        found, house = await self.open_requests([game]), game.terms.house.user
        return next((each for each in found if each.kind is DRAW and each.by != house), None)

    async def plan_acceptance(self, request_id: int, by: int) -> RequestUpdate:
        """Return a request that a player may accept now. What that needs of its game is worked out in advance."""
        found = await self.current(request_id)
        match.settle_request(found.request, found.stored.game, by, RequestState.ACCEPTED, self.now())
        await self._replay(found, by)
        return found

    async def settle(
        self, request_id: int, by: int, state: RequestState, found: RequestUpdate | None = None
    ) -> RequestUpdate:
        """Accept, decline or withdraw a request. Accepting changes the game, and queues its board.

        `found` is what `plan_acceptance` has just returned.
        """
        if state is RequestState.ACCEPTED and found is None:
            await self.plan_acceptance(request_id, by)
        async with self.store.transaction() as db:
            return await self._settle(db, request_id, by, state)

    async def _settle(self, db: Connection, request_id: int, by: int, state: RequestState) -> RequestUpdate:
        now, found = self.now(), await self._current(db, request_id)
        settled = replace(found, request=match.settle_request(found.request, found.stored.game, by, state, now))
        await requests.save_request(db, settled.request)
        await _add_event(db, settled.request, by, now)
        if state is RequestState.ACCEPTED:
            return await COURSES[settled.request.kind].accept(db, settled, by, now)
        return settled

    async def _replay(self, found: RequestUpdate, by: int) -> None:
        """Replay the game up to the takeback's position before the transaction, which need not do it then."""
        request = found.request
        if request.turns:
            async with self.store.reading() as db:
                turns = [turn.actions for turn in await games.turns_of(db, request.game)]
            await self.aside.run(by, match.replay_turns, found.stored.game.ruleset, turns[: request.turn_number - 1])

    async def close_expired(self, limit: int = 50) -> list[RequestUpdate]:
        """Close requests that have expired, at most `limit`. Return them.

        Requests in unreadable games are skipped.
        """
        async with self.store.transaction() as db:
            old = await requests.expired_requests(db, self.now(), limit)
            closed = [found for request in old if (found := await self._readable(db, request.id))]
            for found in closed:
                await requests.save_request(db, found.request)
        return closed

    async def _readable(self, db: Connection, request_id: int) -> RequestUpdate | None:
        try:
            return await self._current(db, request_id)
        except UnreadableGame:
            return None

    async def _current(self, db: Connection, request_id: int) -> RequestUpdate:
        request = await requests.load_request(db, request_id)
        if request is None:
            raise Refused(Why.NO_REQUEST)
        stored = await require_game(db, request.game)
        current = replace(request, state=match.request_state(request, stored.game, self.now()))
        key = _message_key(request)
        message = await outbox.posted_message(db, key)
        untaken = message is None and not stored.unreachable and await outbox.was_dropped(db, key)
        return RequestUpdate(current, stored, message, untaken=untaken)


async def _planned_request(db: Connection, kind: RequestKind, game: int, by: int, now: int) -> RequestUpdate:
    """Return a player's new request, with the texts of the turns to take back. Does not store it."""
    stored = await require_game(db, game)
    request = match.make_request(kind, stored.game, by, await requests.requests_of(db, game), now)
    turns = [turn.text for turn in await games.turns_of(db, game) if turn.turn_number >= request.turn_number]
    return RequestUpdate(replace(request, turns=tuple(turns)), stored)


async def _add_event(db: Connection, request: GameRequest, by: int, now: int) -> None:
    if kind := COURSES[request.kind].events.get(request.state):
        await games.add_event(db, request.game, kind, by, now, {"turn_serial": request.turn_serial})


def _is_alive(request: GameRequest, game: Game | GameBrief, now: int) -> bool:
    """Return whether an open request can still be answered: see `match.request_state`."""
    if isinstance(game, Game):
        return match.request_state(request, game, now) is RequestState.OPEN
    in_time = request.expires_at is None or now < request.expires_at
    return request.turn_serial == game.turn_serial and in_time and not (request.kind is TAKEBACK and game.flagged)


# ── What follows an accepted request ──


async def _take_back(db: Connection, accepted: RequestUpdate, by: int, now: int) -> RequestUpdate:
    """Set the game back to before the turn, and queue its board."""
    request, before = accepted.request, accepted.stored
    played = await games.turns_of(db, request.game)
    game = match.take_back(before.game, request.turn_number, [turn.actions for turn in played])
    taken_back = played[game.turn_number :]
    game = await _with_clock_restarted(db, game, before.created_at, taken_back[0].bank, now)
    await save_and_rate(db, before, game, by=by, now=now)
    await games.add_event(db, game.id, TAKEBACK, request.by, now, {"turns": [_turn_data(turn) for turn in taken_back]})
    await discard_conditionals(db, game, now)
    await reminders.plan_reminder(db, game)
    await plan_house_turn(db, game, now)
    stored = before.with_game(game, now)
    texts = tuple(turn.text for turn in taken_back)
    owed = await owe_board(db, stored, now, by=by, turns_taken_back=texts)
    return replace(accepted, stored=stored, owed=owed)


async def _with_clock_restarted(db: Connection, game: Game, began: int, bank: ByColour[int] | None, now: int) -> Game:
    """Return the game with its clock restarted after a takeback.

    `bank` is the time that both players had before the turn, in seconds. The clock is paused if the player to move is
    on vacation. `began` is when the game began.
    """
    paused = await vacation_end(db, game.seats[game.position.mover].user, game.terms, began, now)
    return match.restart_game_clock(game, await downtime.clock_now(db, now, game.id), bank, paused=bool(paused))


def _turn_data(turn: StoredTurn) -> dict[str, object]:
    return {
        "turn_number": turn.turn_number,
        "text": turn.text,
        "actions": " ".join(map(action_code, turn.actions)),  # the text may leave out the dot
        "by": turn.by,
        "how": turn.how,
        "played_at": turn.played_at,
    }


async def _end_as_draw(db: Connection, accepted: RequestUpdate, by: int, now: int) -> RequestUpdate:
    """End the game as a draw, and queue its board."""
    stored = accepted.stored.with_game(match.agree_draw(accepted.stored.game), now)
    ratings = await save_and_rate(db, accepted.stored, stored.game, by=by, now=now)
    await reminders.plan_reminder(db, stored.game)
    return replace(accepted, stored=stored, owed=await owe_board(db, stored, now, by=by, ratings=ratings))


COURSES: Mapping[RequestKind, RequestCourse] = {
    # Its only event holds the turns: see `_take_back`.
    TAKEBACK: RequestCourse(TAKEBACK_REQUEST, _take_back, {}, house_grants=True),
    DRAW: RequestCourse(DRAW_OFFER, _end_as_draw, _DRAW_EVENTS, house_grants=False),
}


# ── Messages ──


def _message_key(request: GameRequest) -> str:
    return f"{request.kind}:{request.id}"


async def _requeue_newest(kind: RequestKind, db: Connection, stored: StoredGame, now: int) -> None:
    """Queue a game's newest request of a kind again, for its present channel, if its message was dropped.

    Only if it is open, or if the house player has declined it: nobody has been told of that then.
    """
    made = [request for request in await requests.requests_of(db, stored.game.id) if request.kind is kind]
    for request in made[-1:]:
        is_open = match.request_state(request, stored.game, now) is RequestState.OPEN
        if is_open or is_declined_by_house(request, stored.game):
            await outbox.requeue_dropped(db, _message_key(request), stored.venue.channel, now)


def is_declined_by_house(request: GameRequest, game: Game) -> bool:
    """Return whether the house player has declined a request."""
    return game.terms.house is not None and request.state is RequestState.DECLINED


async def _messages_to_keep(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the messages that an answer may still change, or that a new venue gets again."""
    about = {row.id: int(row.key.split(":")[1]) for row in rows}
    needed = await requests.ids_to_tell(db, [*about.values()])
    return {row for row, request in about.items() if request in needed}


for _kind, _course in COURSES.items():
    _course.message.when_requeued(partial(_requeue_newest, _kind))
    _course.message.still_needs(_messages_to_keep)
