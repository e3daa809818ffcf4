"""The house player decides its turns, questions within a turn (R8.4), and draw offers.

It finds its work in due rows. Those of different people are done side by side, and engines serve the people in
rotation. A row is leased when its work begins, and anew when an engine is free for it, so that no other process works
on it. A decision is saved like a person's. If the game has gone on meanwhile, the decision is dropped.
"""

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Protocol, TypeAlias, TypeVar

from gipfbot import match
from gipfbot.engines.engine_turns import ExpectedLine, engine_actions, expected_after
from gipfbot.engines.protocol import EngineFailed, EngineRequest, PlayRequest, SearchAnswer
from gipfbot.engines.speed import Speed
from gipfbot.engines.worker import OWN, SEAT, SEATED_NODES, Wish, cost_of_level, request_of_level
from gipfbot.match import Game, GameRequest, House, Refused, RequestState
from gipfbot.rules import Action, Position
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import game_name, require_game
from gipfbot.service.play.games import Games
from gipfbot.service.play.turn import BY_FALLBACK, BY_STAND_IN, HOUSE, house_key, plan_house_turn, schedule_house
from gipfbot.service.requests.game_requests import DRAW, Requests, RequestUpdate
from gipfbot.store import Store, due, games
from gipfbot.values import DatabaseTrouble, DueRow, HouseTask, OutboxRow, Stale, StoredGame, StoredTurn, UnreadableGame
from gipfbot.values.games import CUT

from .fair_play import HeldTurns

log = logging.getLogger(__name__)
BY_HOUSE = "house"  # how its turn was entered: found by the engine that plays the game
MOST_FAILURES = 3  # of an engine in one decision; then the bot's own search decides, or else the rules alone
LEASE_SECONDS = 600  # of one search: longer than an engine may think
AGAIN_SECONDS = 3  # until the next look at a game that has changed while the house player was thinking
LONG_SECONDS = 10  # a level that thinks longer says so
LONGEST_SECONDS = 30  # a level that thinks longer is not offered
OTHERS_SECONDS = 300  # for which a row is left to processes that may have its game's engine
REST_SECONDS = 600  # for which a seated engine that has failed is not asked in other games
FAILED_OFTEN, OWN_GOES_ON = f"failed {MOST_FAILURES} times", "the bot's own search goes on"
A = TypeVar("A")
# A queue, and the person who waits in it: one of their wishes at a time.
WishKey: TypeAlias = tuple[Hashable, Hashable]


class Engine(Protocol):
    """An engine that the house player can ask."""

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        """Return the answer to a request, when it is the turn of the person who wishes it. Raises EngineFailed."""


class _Taken(Exception):
    """Another process has leased a row, or the game has gone on."""


class _Rests(Exception):
    """A seated engine has just failed, so it is not asked."""


class _Lease:
    """The lease of the row of a task, and the wish for a search: when its turn comes, the row is leased anew."""

    def __init__(self, store: Store, now: Callable[[], int], task: HouseTask) -> None:
        self.row, self.wish = task.row, Wish(task.person, cost_of_level(task.level), self.take)
        self._store, self._now, self._until = store, now, 0

    async def take(self) -> None:
        """Lease the row, for the first time or anew. Raises _Taken if it is not ours any more."""
        ours, until = max(self._now(), self._until), self._now() + LEASE_SECONDS
        async with self._store.transaction() as db:
            if not await due.lease(db, self.row.key, ours, until):
                raise _Taken
        self._until = until


@dataclass(frozen=True)
class HouseDone:
    """The result of a house player's action. The caller has to deliver `owed`, and to show the answer in `draw`."""

    owed: tuple[OutboxRow, ...] = ()
    draw: RequestUpdate | None = None


@dataclass(frozen=True)
class _Asked:
    """A position for an engine to decide, and the positions at the start of the earlier turns.

    `stands_in` says that the bot's own search is asked for the first time instead of the game's engine.
    """

    game: Game
    house: House
    position: Position
    before: tuple[Position, ...]
    wish: Wish
    engine: Engine | None = None
    stands_in: bool = False


@dataclass(frozen=True)
class _Found:
    """An engine's decision, checked by the rules."""

    asked: _Asked
    actions: tuple[Action, ...]
    answer: SearchAnswer


class HousePlayer:
    """Makes the decisions of the house player. `now` returns UTC seconds. Without an engine, the rules alone decide.

    `engine` plays for the bot itself. `seated` holds all engines by their names, `OWN` for the bot's own search.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        games: Games,
        requests: Requests,
        engine: Engine | None,
        seated: Mapping[str, Engine],
    ) -> None:
        self.store, self.now = store, now
        self.aside = Aside()  # its own: nobody's records or takebacks wait for the house player
        self.held_turns = HeldTurns(store, now, self.aside)
        self.games, self.requests, self.engine, self.seated = games, requests, engine, seated
        self._failures = dict[str, int]()  # of each seated engine since its last answer
        self._failed = dict[str, tuple[int, int]]()  # when each of them failed too often, and in which game
        self.speed: Speed | None = None  # of the bot's own search here; None if it was not measured
        self._was_interrupted = False  # by trouble with the database, which may have left a row leased

    @property
    def choosable_engines(self) -> tuple[str, ...]:
        """The names of the engines that players can choose instead of the bot itself."""
        return tuple(sorted({*self.seated} - {OWN, SEAT}))

    def thinking_seconds(self, level: int) -> float:
        """Return how long the bot may think here about a turn at a level; 0 if that is not known."""
        return 0 if self.speed is None else self.speed.seconds_of(level)

    @property
    def _own_search(self) -> Engine | None:
        return self.seated.get(OWN, self.engine)

    async def release_leases(self) -> None:
        """Release the rows that an earlier run of the bot has leased, so that they are due at once."""
        async with self.store.transaction() as db:
            await due.release_leases(db, HOUSE, self.now(), self.store.own_processes)

    async def due_tasks(self) -> dict[WishKey, HouseTask]:
        """Return what to do now, the longest due first: for each person and queue the cheapest of their tasks."""
        if self._was_interrupted:
            await self.release_leases()
            self._was_interrupted = False
        async with self.store.reading() as db:
            tasks = await due.house_tasks(db, HOUSE, self.now())
        found = dict[WishKey, HouseTask]()
        for task in sorted(tasks, key=attrgetter("level")):
            queue = task.engine, Wish(task.person, cost_of_level(task.level)).is_small
            if (queue, task.person) not in found and not await self._is_for_others(task):
                found[queue, task.person] = task
        return dict(sorted(found.items(), key=lambda item: item[1].row.at))

    async def do_task(self, task: HouseTask) -> HouseDone:
        """Make a decision that is due, unless another process does, or the game goes on before an engine is free."""
        lease = _Lease(self.store, self.now, task)
        try:
            await lease.take()
            return await self._act(lease)
        except _Taken:
            return HouseDone()
        except UnreadableGame:  # logged when it was first met; the row is looked at again after its lease
            return HouseDone()
        except DatabaseTrouble:
            self._was_interrupted = True
            raise

    async def _is_for_others(self, task: HouseTask) -> bool:
        """Return whether to leave a task to other processes, because only they may have the game's engine.

        If no process has done it after OTHERS_SECONDS, the bot's own search stands in.
        """
        row, is_seated = task.row, not task.engine or task.engine in self.seated
        if is_seated or self.store.shards is None or row.game is None or self.now() - row.at >= OTHERS_SECONDS:
            return False
        async with self.store.reading() as db:
            return not _has_stand_in(await games.turns_of(db, row.game))

    async def _act(self, lease: _Lease) -> HouseDone:
        row = lease.row
        assert row.game is not None
        try:
            stored = await self.games.game(row.game)
        except UnreadableGame:  # somebody may repair it, or another process may be able to read it
            raise
        except Refused:
            return await self._settle(row)
        house = stored.game.terms.house
        if row.key != house_key(stored.game):
            return await self._plan_anew(row.game)
        if house is None or stored.game.asked is None:
            return await self._settle(row)
        try:
            offer = await self.requests.draw_offered_to_house(stored.game)
            is_asked = offer is not None or stored.game.house_decides
            may_wait = is_asked and stored.game.terms.tournament is None
            if may_wait and (held := await self.held_turns.hold(stored.game, row.key)) is not None:
                return HouseDone(held)
            if offer:
                return await self._answer_draw(offer, stored.game, house, lease)
            if stored.game.house_decides:
                return await self._decide(stored, house, lease)
        except (Refused, Stale) as fault:
            log.info("game %s went on while the house player was thinking: %s", game_name(row.game), fault)
            return await self._put_off(row)
        return await self._settle(row)

    async def _put_off(self, row: DueRow) -> HouseDone:
        """Make a row due again soon. Does nothing if the game has planned another row meanwhile."""
        async with self.store.transaction() as db:
            await due.postpone(db, row.key, self.now() + AGAIN_SECONDS)
        return HouseDone()

    async def _settle(self, row: DueRow, owed: tuple[OutboxRow, ...] = ()) -> HouseDone:
        """Delete a row that is done. A new version of the game has a row of its own, if it needs one."""
        async with self.store.transaction() as db:
            await due.unschedule(db, row.key)
        return HouseDone(owed)

    async def _plan_anew(self, game_id: int) -> HouseDone:
        """Replace the row of a game's older version by one of its present version, if that waits for the bot."""
        stored = await self.games.game(game_id)
        offer = await self.requests.draw_offered_to_house(stored.game)
        async with self.store.transaction() as db:
            game = (await require_game(db, game_id)).game
            await plan_house_turn(db, game, self.now())
            if offer:
                await schedule_house(db, game, self.now())
        return HouseDone()

    # ── Turns ──

    async def _decide(self, stored: StoredGame, house: House, lease: _Lease) -> HouseDone:
        game = stored.game
        found = await self._find_turn(await self._asked(game, house, lease.wish))
        if offer := await self.requests.draw_offered_to_house(game):  # since the engine began to think
            return await self._answer_draw(offer, game, house, lease)
        if found is None:
            return await self._play(stored, match.decide_plainly(game.current), BY_FALLBACK)
        if await self._gives_up(found.asked, found.answer):
            update = await self.games.resign(game.id, house.user, game.version)
            return await self._settle(lease.row, update.owed)
        how = BY_STAND_IN if found.asked.stands_in else CUT if found.answer.cut else BY_HOUSE
        return await self._play(stored, found.actions, how, await self._expected(found.asked, found.answer))

    async def _play(
        self, stored: StoredGame, actions: tuple[Action, ...], how: str, expected: ExpectedLine | None = None
    ) -> HouseDone:
        """Play a decision. The same transaction removes its row, and plans the next decision, if any."""
        game = stored.game
        assert game.terms.house
        what = game.id, game.terms.house.user, actions, game.version
        return HouseDone((await self.games.play_actions(*what, sure=True, how=how, expected=expected)).owed)

    async def _expected(self, asked: _Asked, answer: SearchAnswer) -> ExpectedLine | None:
        """Return the line that the engine expects after the turn; None in the opponent's turn (R8.4)."""
        if asked.position.mover is not asked.game.house_colour:
            return None
        return await self.aside.run(asked.wish.person, expected_after, asked.position, answer.best)

    async def _asked(self, game: Game, house: House, wish: Wish) -> _Asked:
        async with self.store.reading() as db:
            turns = await games.turns_of(db, game.id)
        actions = [turn.actions for turn in turns]
        before = await self.aside.run(wish.person, match.positions_before, game.ruleset, actions)
        asked = _Asked(game, house, game.current if game.draft else game.position, before, wish, self._own_search)
        if _has_stand_in(turns):
            return asked
        engine = self.seated.get(house.engine) if house.engine else self.engine
        return replace(asked, engine=engine) if engine else replace(asked, stands_in=True)

    async def _request(self, asked: _Asked) -> PlayRequest:
        """Return the request for a turn at the house player's level."""
        request = await self.aside.run(
            asked.wish.person, request_of_level, asked.position, asked.before, asked.house.level, asked.game.id
        )
        is_own = asked.engine is self._own_search
        return request if is_own else replace(request, nodes=min(request.nodes, SEATED_NODES))

    async def _find_turn(self, asked: _Asked) -> _Found | None:
        """Return the decision of the game's engine, or else of the bot's own search. None if both fail too often."""
        if asked.engine is None:
            return None
        if asked.engine is self._own_search and not asked.stands_in:
            found = await self._ask_often(asked.engine, asked)
        else:
            found = None if asked.stands_in else await self._ask_seated(asked.engine, asked)
            found = found or await self._stand_in(asked)
        if found is None:
            _tell_host(asked, FAILED_OFTEN, "the house player played by the rules alone")
        return found

    async def _ask_seated(self, engine: Engine, asked: _Asked) -> _Found | None:
        """Return the decision of a seated engine. None if it fails MOST_FAILURES times, or rests.

        An engine that fails so often in a row, in whichever games, rests in the others: each try may last two minutes.
        """
        name, wish = asked.house.engine, asked.wish._replace(begins=partial(self._begin_unless_resting, asked))
        for _ in range(MOST_FAILURES):
            try:
                self._check_awake(asked)
                found = await self._ask_once(engine, asked, wish)
            except _Rests:
                _tell_host(asked, "has just failed in another game", OWN_GOES_ON)
                return None
            self._failures[name] = 0 if found else self._failures.get(name, 0) + 1
            if found:
                return found
            if self._failures[name] >= MOST_FAILURES:
                self._failed[name] = self.now(), asked.game.id
        _tell_host(asked, FAILED_OFTEN, OWN_GOES_ON)
        return None

    def _check_awake(self, asked: _Asked) -> None:
        """Raise _Rests if the engine of a game has just failed too often in another one."""
        since, failed_in = self._failed.get(asked.house.engine, (-REST_SECONDS, 0))
        if asked.game.id != failed_in and self.now() - since < REST_SECONDS:
            raise _Rests

    async def _begin_unless_resting(self, asked: _Asked) -> None:
        self._check_awake(asked)  # it may have failed while others waited
        await asked.wish.begins()

    async def _stand_in(self, asked: _Asked) -> _Found | None:
        """Return the decision of the bot's own search in the place of the game's engine."""
        if asked.stands_in:
            _tell_host(asked, "is not seated", OWN_GOES_ON)
        own = self._own_search
        return await self._ask_often(own, replace(asked, engine=own, stands_in=True)) if own else None

    async def _ask_often(self, engine: Engine, asked: _Asked) -> _Found | None:
        """Return the decision of one engine, checked by the rules. Return None if it has failed too often."""
        for _ in range(MOST_FAILURES):
            if found := await self._ask_once(engine, asked, asked.wish):
                return found
        return None

    async def _ask_once(self, engine: Engine, asked: _Asked, wish: Wish) -> _Found | None:
        """Return the decision of one engine, checked by the rules. Return None if it fails."""
        try:
            answer = await engine.ask(await self._request(asked), wish)
            actions = await self.aside.run(asked.wish.person, engine_actions, asked.position, answer.best.turn)
            match.perform(asked.game, asked.house.user, actions)
        except (EngineFailed, Refused) as fault:
            log.warning("the engine failed in game %s: %s", game_name(asked.game.id), fault)
            return None
        return _Found(asked, actions, answer)

    async def _gives_up(self, asked: _Asked, answer: SearchAnswer) -> bool:
        """Return whether the house player resigns: a near loss is proven both now and at its previous turn.

        The score of another engine is no proof: the bot's own search has to find the loss, too. An uncut search always
        gives the same answer, so the previous turn is searched again instead of remembered.
        """
        if asked.house.level < match.RESIGNING_LEVELS or not _is_lost(answer):
            return False
        colour, own = asked.game.house_colour, self._own_search
        earlier = [number for number, position in enumerate(asked.before) if position.mover is colour]
        if not earlier or own is None:
            return False
        last = replace(asked, position=asked.before[earlier[-1]], before=asked.before[: earlier[-1]])
        try:
            for unproven in (last,) if asked.engine is own else (asked, last):
                if not _is_lost(await own.ask(await self._request(unproven), unproven.wish)):
                    return False
        except EngineFailed:
            return False
        return True

    # ── Draws ──

    async def _answer_draw(self, offer: GameRequest, game: Game, house: House, lease: _Lease) -> HouseDone:
        """Answer a draw offer. If the house player also has a decision to make, make it due now."""
        score = await self._score(await self._asked(game, house, lease.wish))
        accepts = score is not None and score <= match.STANDS_WORSE
        state = RequestState.ACCEPTED if accepts else RequestState.DECLINED
        answered = await self.requests.settle(offer.id, house.user, state)
        if accepts or not game.house_decides:
            await self._settle(lease.row)
        else:
            async with self.store.transaction() as db:
                await due.postpone(db, lease.row.key, self.now())
        return HouseDone(answered.owed, answered)

    async def _score(self, asked: _Asked) -> int | None:
        """Return the house player's score in hundredths of a piece; None if no engine gives one.

        If the game's engine fails, the bot's own search is asked.
        """
        request = replace(await self._request(asked), seed=None)
        game, own = asked.game, self._own_search
        for engine in (own,) if asked.engine is own else (asked.engine, own):
            try:
                if engine:
                    score = (await engine.ask(request, asked.wish)).best.score
                    return score if game.house_decides else -score
            except EngineFailed as fault:
                log.warning("the engine failed in game %s: %s", game_name(game.id), fault)
        return None


def asks_house(owed: OutboxRow) -> bool:
    """Return whether the event behind a message may need a decision of the house player."""
    return owed.kind == DRAW or (owed.kind == BOARD and owed.payload.get("house") is not None)


def _has_stand_in(turns: Sequence[StoredTurn]) -> bool:
    """Return whether the bot's own search has gone on for the engine of a game with these turns."""
    return any(turn.how == BY_STAND_IN for turn in turns)


def _tell_host(asked: _Asked, why: str, instead: str) -> None:
    """Tell the host that an engine does not play as it should in a game."""
    engine = f"The engine {asked.house.engine}".rstrip()
    told = "%s %s, so %s in game %s."
    log.warning(told, engine, why, instead, game_name(asked.game.id), extra={"tell_owner": "engine"})


def _is_lost(answer: SearchAnswer) -> bool:
    """Return whether a search has proven that the player who decides loses within two turns of their own."""
    loses_in = answer.best.loses_in
    return not answer.cut and loses_in is not None and loses_in <= match.LOST_TURNS
