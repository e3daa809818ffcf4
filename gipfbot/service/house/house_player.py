"""The house player decides what it is asked: turns, questions within a turn (R8.4), and draws.

It finds its work in due rows, one at a time, the longest due first. A row is leased while an engine thinks, so that
another process does not think about it, too. What is decided is committed as for a person. If the game has gone on
meanwhile, it is dropped.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from gipfbot import match
from gipfbot.engines.expected_line import Line, expected_after
from gipfbot.engines.level_play import request_of_level
from gipfbot.engines.protocol import EngineFailed, EngineRequest, PlayRequest, SearchAnswer
from gipfbot.engines.turn_check import engine_actions
from gipfbot.engines.urgency_queue import Urgency
from gipfbot.match import DrawStep, Game, House, Refused
from gipfbot.rules import Action, Position
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.game_names import game_name
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.play.games import Games
from gipfbot.service.play.house_turns import HOUSE, house_key, plan_house_turn
from gipfbot.service.requests.draws import DRAW, Draws, DrawUpdate
from gipfbot.store import Store, due, games
from gipfbot.values import DueRow, OutboxRow, Stale, StoredGame, UnreadableGame

log = logging.getLogger(__name__)
BY_HOUSE, BY_FALLBACK = "house", "fallback"  # how its turn was entered: found by an engine, or by the rules alone
MOST_FAILURES = 3  # of the engine in one decision, until it is made by the rules alone
LEASE_SECONDS = 600  # of one try: longer than an engine may think
A = TypeVar("A")


class Engine(Protocol):
    """What answers the questions of the house player."""

    async def ask(self, request: EngineRequest[A], urgency: Urgency) -> A:
        """Return the answer to a request. Raises EngineFailed."""


@dataclass(frozen=True)
class HouseDone:
    """What the house player has done. The caller has to deliver `owed`, and to show the answer to a draw offer."""

    owed: tuple[OutboxRow, ...] = ()
    draw: DrawUpdate | None = None


@dataclass(frozen=True)
class _Asked:
    """A position about which an engine is asked, and the positions at the start of the earlier turns."""

    game: Game
    house: House
    position: Position
    before: tuple[Position, ...]


class HousePlayer:
    """Makes the decisions of the house player. `now` returns UTC seconds. Without an engine, the rules alone decide."""

    def __init__(self, store: Store, now: Callable[[], int], games: Games, draws: Draws, engine: Engine | None) -> None:
        self.store, self.now = store, now
        self.aside = Aside()  # its own: nobody's records or takebacks wait for the house player
        self.games, self.draws, self.engine = games, draws, engine

    async def release_leases(self) -> None:
        """Let everything be due at once that an earlier run of the bot was thinking about."""
        async with self.store.transaction() as db:
            await due.release_leases(db, HOUSE, self.now(), self.store.own_processes)

    async def act_next(self) -> HouseDone | None:
        """Make the decision that has been due for longest. Return None if none is due."""
        row = await self._lease_next()
        if row is None:
            return None
        try:
            return await self._act(row)
        except UnreadableGame:  # logged when it was first met; the row is looked at again after its lease
            return HouseDone()

    async def _lease_next(self) -> DueRow | None:
        async with self.store.reading() as db:
            rows = await due.ready_rows(db, HOUSE, self.now())
        for row in rows:
            if await self._lease(row.key):
                return row
        return None

    async def _lease(self, key: str) -> bool:
        """Lease a row that is due. Return False if another process was faster, or if it is gone."""
        async with self.store.transaction() as db:
            return await due.lease(db, key, self.now(), self.now() + LEASE_SECONDS)

    async def _act(self, row: DueRow) -> HouseDone:
        assert row.game is not None
        try:
            stored = await self.games.game(row.game)
        except Refused:
            return await self._settle(row)
        house = stored.game.terms.house
        if row.key != house_key(stored.game):
            return await self._plan_anew(row.game)
        if house is None or stored.game.asked is None:
            return await self._settle(row)
        try:
            if await self._has_draw_offer(stored.game, house):
                return await self._answer_draw(stored, house, row)
            if stored.game.house_decides:
                return await self._decide(stored, house, row)
        except (Refused, Stale) as fault:
            log.info("game %s went on while the house player was thinking: %s", game_name(row.game), fault)
        return await self._settle(row)

    async def _settle(self, row: DueRow, owed: tuple[OutboxRow, ...] = ()) -> HouseDone:
        """Delete a row that is done. A new version of the game has a row of its own, if it needs one."""
        async with self.store.transaction() as db:
            await due.unschedule(db, row.key)
        return HouseDone(owed)

    async def _plan_anew(self, game_id: int) -> HouseDone:
        """Replace a row of an older version of a game by one of its present version, if that waits for the house."""
        async with self.store.transaction() as db:
            await plan_house_turn(db, (await require_game(db, game_id)).game, self.now())
        return HouseDone()

    # ── Turns ──

    async def _decide(self, stored: StoredGame, house: House, row: DueRow) -> HouseDone:
        game = stored.game
        asked = await self._asked(game, house)
        found = await self._find_turn(asked, row)
        if found and await self._gives_up(asked, found[1], row):
            update = await self.games.resign(game.id, house.user, game.version)
            return await self._settle(row, update.owed)
        actions, how = (found[0], BY_HOUSE) if found else (match.decide_plainly(game.current), BY_FALLBACK)
        what = game.id, house.user, actions, game.version
        expected = await self._expected(asked, found[1]) if found else None
        # The same transaction plans what comes next, and so ends this row.
        return HouseDone((await self.games.play_actions(*what, sure=True, how=how, expected=expected)).owed)

    async def _expected(self, asked: _Asked, answer: SearchAnswer) -> Line | None:
        """Return what the engine expects after the turn. None in the opponent's turn (R8.4)."""
        if asked.position.mover is not asked.game.house_colour:
            return None
        return await self.aside.run(None, expected_after, asked.position, answer.best)

    async def _asked(self, game: Game, house: House) -> _Asked:
        async with self.store.reading() as db:
            turns = [turn.actions for turn in await games.turns_of(db, game.id)]
        before = await self.aside.run(None, match.positions_before, game.ruleset, turns)
        return _Asked(game, house, game.current if game.draft else game.position, before)

    async def _request(self, asked: _Asked) -> PlayRequest:
        """Return the request for the turn of the house player's level."""
        house = asked.house
        return await self.aside.run(None, request_of_level, asked.position, asked.before, house.level, asked.game.id)

    async def _find_turn(self, asked: _Asked, row: DueRow) -> tuple[tuple[Action, ...], SearchAnswer] | None:
        """Return the decision of an engine, checked by the rules. Return None if it has failed too often."""
        if self.engine is None:
            return None
        for failures in range(MOST_FAILURES):
            try:
                if failures:
                    await self._extend_lease(row)
                answer = await self.engine.ask(await self._request(asked), Urgency.TURN)
                actions = await self.aside.run(None, engine_actions, asked.position, answer.best.turn)
                match.perform(asked.game, asked.house.user, actions)
            except (EngineFailed, Refused) as fault:
                log.warning("the engine failed in game %s: %s", game_name(asked.game.id), fault)
            else:
                return actions, answer
        told = "The engine failed %d times, so the house player played by the rules alone in game %s."
        log.warning(told, MOST_FAILURES, game_name(asked.game.id), extra={"tell_owner": "engine"})
        return None

    async def _extend_lease(self, row: DueRow) -> None:
        async with self.store.transaction() as db:
            await due.postpone(db, row.key, self.now() + LEASE_SECONDS)

    async def _gives_up(self, asked: _Asked, answer: SearchAnswer, row: DueRow) -> bool:
        """Return whether the house player resigns: its loss is proven near, now and at its turn before.

        An uncut search answers a request always alike, so the turn before is searched again instead of remembered.
        """
        if asked.house.level < match.RESIGNING_LEVELS or not _is_lost(answer):
            return False
        colour = asked.game.house_colour
        earlier = [number for number, position in enumerate(asked.before) if position.mover is colour]
        if not earlier or self.engine is None:
            return False
        last = replace(asked, position=asked.before[earlier[-1]], before=asked.before[: earlier[-1]])
        try:
            await self._extend_lease(row)
            return _is_lost(await self.engine.ask(await self._request(last), Urgency.TURN))
        except EngineFailed:
            return False

    # ── Draws ──

    async def _has_draw_offer(self, game: Game, house: House) -> bool:
        if not game.ruleset.agreed_draw:
            return False
        standing = await self.draws.open_offer(game.id)
        return standing is not None and standing.step.by != house.user

    async def _answer_draw(self, stored: StoredGame, house: House, row: DueRow) -> HouseDone:
        """Answer a draw offer. If the house player has to decide something, too, that is due then."""
        score = await self._score(stored.game, house)
        accepts = score is not None and score <= match.STANDS_WORSE
        answered = await self.draws.answer(
            stored.game.id, house.user, DrawStep.ACCEPTED if accepts else DrawStep.DECLINED
        )
        if accepts or not stored.game.house_decides:
            await self._settle(row)
        else:
            async with self.store.transaction() as db:
                await due.postpone(db, row.key, self.now())
        return HouseDone(answered.owed, answered)

    async def _score(self, game: Game, house: House) -> int | None:
        """Return how the house player stands, in hundredths of a piece. None if the engine does not say it."""
        asked = await self._asked(game, house)
        request = replace(await self._request(asked), seed=None, quiet=True, first_of=1)
        try:
            score = (await self.engine.ask(request, Urgency.TURN)).best.score if self.engine else None
        except EngineFailed as fault:
            log.warning("the engine failed in game %s: %s", game_name(game.id), fault)
            return None
        return score if score is None or game.house_decides else -score


def asks_house(owed: OutboxRow) -> bool:
    """Return whether the cause of this message may ask the house player for something."""
    return owed.kind == DRAW or (owed.kind == BOARD and owed.payload.get("house") is not None)


def _is_lost(answer: SearchAnswer) -> bool:
    """Return whether a search has proven that the player who decides loses within two turns of their own."""
    loses_in = answer.best.loses_in
    return not answer.cut and loses_in is not None and loses_in <= match.LOST_TURNS
