"""The house player decides its turns, questions within a turn (R8.4), and draw offers.

It finds its work in due rows, one at a time, the longest due first. A row is leased while an engine thinks, so that no
other process works on it. A decision is saved like a person's. If the game has gone on meanwhile, the decision is
dropped.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from gipfbot import match
from gipfbot.engines.engine_turns import ExpectedLine, engine_actions, expected_after
from gipfbot.engines.protocol import EngineFailed, EngineRequest, PlayRequest, SearchAnswer
from gipfbot.engines.worker import OWN, SEAT, Urgency, request_of_level
from gipfbot.match import Game, GameRequest, House, Refused, RequestState
from gipfbot.rules import Action, Position
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import game_name, require_game
from gipfbot.service.play.games import Games
from gipfbot.service.play.turn import BY_FALLBACK, BY_STAND_IN, HOUSE, house_key, plan_house_turn, schedule_house
from gipfbot.service.requests.game_requests import DRAW, Requests, RequestUpdate
from gipfbot.store import Store, due, games
from gipfbot.values import DatabaseTrouble, DueRow, OutboxRow, Stale, StoredGame, StoredTurn, UnreadableGame

log = logging.getLogger(__name__)
BY_HOUSE = "house"  # how its turn was entered: found by the engine that plays the game
MOST_FAILURES = 3  # of an engine in one decision; then the bot's own search decides, or else the rules alone
LEASE_SECONDS = 600  # of one try: longer than an engine may think
AGAIN_SECONDS = 3  # until the next look at a game that has changed while the house player was thinking
OTHERS_SECONDS = 300  # for which a row is left to processes that may have its game's engine
REST_SECONDS = 600  # for which a seated engine that has failed is not asked in other games
FAILED_OFTEN, OWN_GOES_ON = f"failed {MOST_FAILURES} times", "the bot's own search goes on"
A = TypeVar("A")


class Engine(Protocol):
    """An engine that the house player can ask."""

    async def ask(self, request: EngineRequest[A], urgency: Urgency) -> A:
        """Return the answer to a request. Raises EngineFailed."""


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
        self.games, self.requests, self.engine, self.seated = games, requests, engine, seated
        self._failed = dict[str, tuple[int, int]]()  # when each seated engine failed last, and in which game
        self._was_interrupted = False  # by trouble with the database, which may have left a row leased

    @property
    def choosable_engines(self) -> tuple[str, ...]:
        """The names of the engines that players can choose instead of the bot itself."""
        return tuple(sorted({*self.seated} - {OWN, SEAT}))

    @property
    def _own_search(self) -> Engine | None:
        return self.seated.get(OWN, self.engine)

    async def release_leases(self) -> None:
        """Release the rows that an earlier run of the bot has leased, so that they are due at once."""
        async with self.store.transaction() as db:
            await due.release_leases(db, HOUSE, self.now(), self.store.own_processes)

    async def act_next(self) -> HouseDone | None:
        """Make the decision that has been due for longest. Return None if none is due."""
        try:
            if self._was_interrupted:
                await self.release_leases()
                self._was_interrupted = False
            row = await self._lease_next()
            return None if row is None else await self._act(row)
        except UnreadableGame:  # logged when it was first met; the row is looked at again after its lease
            return HouseDone()
        except DatabaseTrouble:
            self._was_interrupted = True
            raise

    async def _lease_next(self) -> DueRow | None:
        async with self.store.reading() as db:
            rows = await due.ready_rows(db, HOUSE, self.now())
        for row in rows:
            if not await self._is_for_others(row) and await self._lease(row.key):
                return row
        return None

    async def _is_for_others(self, row: DueRow) -> bool:
        """Return whether to leave a row to other processes, because only they may have the game's engine.

        If no process has done the row after OTHERS_SECONDS, the bot's own search stands in.
        """
        if self.store.shards is None or row.game is None or self.now() - row.at >= OTHERS_SECONDS:
            return False
        try:
            house = (await self.games.game(row.game)).game.terms.house
            if house is None or not house.engine or house.engine in self.seated:
                return False
            async with self.store.reading() as db:
                return not _has_stand_in(await games.turns_of(db, row.game))
        except Refused:  # the game is gone; `_act` settles the row
            return False

    async def _lease(self, key: str) -> bool:
        """Lease a row that is due. Return False if another process was faster, or if it is gone."""
        async with self.store.transaction() as db:
            return await due.lease(db, key, self.now(), self.now() + LEASE_SECONDS)

    async def _act(self, row: DueRow) -> HouseDone:
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
            if offer := await self.requests.draw_offered_to_house(stored.game):
                return await self._answer_draw(offer, stored.game, house, row)
            if stored.game.house_decides:
                return await self._decide(stored, house, row)
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

    async def _decide(self, stored: StoredGame, house: House, row: DueRow) -> HouseDone:
        game = stored.game
        found = await self._find_turn(await self._asked(game, house), row)
        if offer := await self.requests.draw_offered_to_house(game):  # since the engine began to think
            return await self._answer_draw(offer, game, house, row)
        if found is None:
            return await self._play(stored, match.decide_plainly(game.current), BY_FALLBACK)
        if await self._gives_up(found.asked, found.answer, row):
            update = await self.games.resign(game.id, house.user, game.version)
            return await self._settle(row, update.owed)
        how = BY_STAND_IN if found.asked.stands_in else BY_HOUSE
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
        return await self.aside.run(None, expected_after, asked.position, answer.best)

    async def _asked(self, game: Game, house: House) -> _Asked:
        async with self.store.reading() as db:
            turns = await games.turns_of(db, game.id)
        before = await self.aside.run(None, match.positions_before, game.ruleset, [turn.actions for turn in turns])
        asked = _Asked(game, house, game.current if game.draft else game.position, before, self._own_search)
        if _has_stand_in(turns):
            return asked
        engine = self.seated.get(house.engine) if house.engine else self.engine
        return replace(asked, engine=engine) if engine else replace(asked, stands_in=True)

    async def _request(self, asked: _Asked) -> PlayRequest:
        """Return the request for a turn at the house player's level."""
        house = asked.house
        return await self.aside.run(None, request_of_level, asked.position, asked.before, house.level, asked.game.id)

    async def _find_turn(self, asked: _Asked, row: DueRow) -> _Found | None:
        """Return the decision of the game's engine, or else of the bot's own search. None if both fail too often."""
        if asked.engine is None:
            return None
        found = None if asked.stands_in else await self._ask_game_engine(asked.engine, asked, row)
        if found is None and (asked.stands_in or asked.engine is not self._own_search):
            found = await self._stand_in(asked, row)
        if found is None:
            _tell_host(asked, FAILED_OFTEN, "the house player played by the rules alone")
        return found

    async def _ask_game_engine(self, engine: Engine, asked: _Asked, row: DueRow) -> _Found | None:
        """Return the decision of the engine that plays a game.

        A seated engine that has just failed is not asked in other games for a while: each try may last two minutes, and
        all games against the bot would wait.
        """
        name, game = asked.house.engine, asked.game.id
        since, failed_in = self._failed.get(name, (-REST_SECONDS, 0))
        if engine is not self._own_search and game != failed_in and self.now() - since < REST_SECONDS:
            _tell_host(asked, "has just failed in another game", OWN_GOES_ON)
            return None
        found = await self._ask_often(engine, asked, row)
        if found is None and engine is not self._own_search:
            self._failed[name] = self.now(), game
            _tell_host(asked, FAILED_OFTEN, OWN_GOES_ON)
        return found

    async def _stand_in(self, asked: _Asked, row: DueRow) -> _Found | None:
        """Return the decision of the bot's own search in the place of the game's engine."""
        if asked.stands_in:
            _tell_host(asked, "is not seated", OWN_GOES_ON)
        await self._extend_lease(row)
        own = self._own_search
        return await self._ask_often(own, replace(asked, engine=own, stands_in=True), row) if own else None

    async def _ask_often(self, engine: Engine, asked: _Asked, row: DueRow) -> _Found | None:
        """Return the decision of one engine, checked by the rules. Return None if it has failed too often."""
        for failures in range(MOST_FAILURES):
            try:
                if failures:
                    await self._extend_lease(row)
                answer = await engine.ask(await self._request(asked), Urgency.TURN)
                actions = await self.aside.run(None, engine_actions, asked.position, answer.best.turn)
                match.perform(asked.game, asked.house.user, actions)
            except (EngineFailed, Refused) as fault:
                log.warning("the engine failed in game %s: %s", game_name(asked.game.id), fault)
            else:
                return _Found(asked, actions, answer)
        return None

    async def _extend_lease(self, row: DueRow) -> None:
        async with self.store.transaction() as db:
            await due.postpone(db, row.key, self.now() + LEASE_SECONDS)

    async def _gives_up(self, asked: _Asked, answer: SearchAnswer, row: DueRow) -> bool:
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
                await self._extend_lease(row)
                if not _is_lost(await own.ask(await self._request(unproven), Urgency.TURN)):
                    return False
        except EngineFailed:
            return False
        return True

    # ── Draws ──

    async def _answer_draw(self, offer: GameRequest, game: Game, house: House, row: DueRow) -> HouseDone:
        """Answer a draw offer. If the house player also has a decision to make, make it due now."""
        score = await self._score(game, house)
        accepts = score is not None and score <= match.STANDS_WORSE
        state = RequestState.ACCEPTED if accepts else RequestState.DECLINED
        answered = await self.requests.settle(offer.id, house.user, state)
        if accepts or not game.house_decides:
            await self._settle(row)
        else:
            async with self.store.transaction() as db:
                await due.postpone(db, row.key, self.now())
        return HouseDone(answered.owed, answered)

    async def _score(self, game: Game, house: House) -> int | None:
        """Return the house player's score in hundredths of a piece; None if no engine gives one.

        If the game's engine fails, the bot's own search is asked.
        """
        asked = await self._asked(game, house)
        request = replace(await self._request(asked), seed=None, quiet=True, first_of=1)
        own = self._own_search
        for engine in (own,) if asked.engine is own else (asked.engine, own):
            try:
                if engine:
                    score = (await engine.ask(request, Urgency.TURN)).best.score
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
