"""Analyses of finished games: who may ask for one, how it is made position by position, and what it says.

A game has one analysis, shared by all who ask for it. `AnalysisWork` makes it in the background, position by position,
as the wish of the person who has waited longest for it. Each position is saved after its search. When nobody waits any
more, the analysis stops; it goes on from there when somebody asks again, as after a crash. Several processes work on
different analyses.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple

from gipfbot.engines.engine_turns import engine_actions
from gipfbot.engines.protocol import EngineFailed, ScoredTurn
from gipfbot.engines.worker import ANALYSIS_LEVEL, Wish, request_of_analysis
from gipfbot.match import Refused, Status, Why, position_after, positions_before
from gipfbot.match.analysis import Actions, Found, FoundTurn, GameAnalysis, judge_game, with_end
from gipfbot.rules import Position, Result, Ruleset
from gipfbot.service.house.fair_play import find_in_own_games
from gipfbot.service.house.house_player import Engine, WishKey
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import game_name, require_game
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.store import Connection, Store, analyses, games, users
from gipfbot.store.database import READ_ERRORS
from gipfbot.values import AnalysisState, OutboxRow, Stale, StoredAnalysis, StoredGame, UnreadableGame

ANALYSIS_LIFETIME = 30 * 24 * 3600  # seconds after somebody last asked for it

log = logging.getLogger(__name__)
ANALYSIS = MessageKind("analysis", "note that an analysis is over", direct=True)  # to those who asked
LINE_TURNS = 6  # kept of each line: later turns that an engine expects seldom come
MOST_FAILURES = 3  # of the engine in one position, until the analysis is given up


@dataclass(frozen=True)
class AnalysisView:
    """An analysis as it is now. `judged` is its judgement; None while it is not done.

    `told_by_dm` says whether the person is told by direct message when it is done.
    """

    stored: StoredGame
    analysis: StoredAnalysis
    judged: GameAnalysis | None = None
    told_by_dm: bool = True


class Analyses:
    """Operations on analyses. `now` returns UTC seconds. Without an engine, no new analysis can be made.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it. Does not check whether a
    person may see a game.
    """

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside, *, has_engine: bool) -> None:
        self.store, self.now, self.aside, self.has_engine = store, now, aside, has_engine

    async def ask(self, game_id: int, user: int) -> AnalysisView:
        """Let a person ask for the analysis of a finished game. Begins one if there is none, or if it failed."""
        stored, turns = await self._finished_game(game_id)
        positions = await self.aside.run(user, positions_of_game, stored.game.ruleset, turns)
        await self._check_not_standing(user, positions)
        async with self.store.transaction() as db:
            analysis = await self._begin(db, game_id, len(turns), user)
            shut = await users.dms_shut(db, user, self.now())
        if analysis.state is not AnalysisState.DONE:
            return AnalysisView(stored, analysis, told_by_dm=not shut)
        return AnalysisView(stored, analysis, await self._judge(user, stored, turns, analysis))

    async def view(self, game_id: int, user: int) -> AnalysisView | None:
        """Return the analysis of a game that is done; None if there is none. Raises Refused as `ask` does."""
        async with self.store.reading() as db:
            analysis = await analyses.load_analysis(db, game_id)
        if analysis is None or analysis.state is not AnalysisState.DONE:
            return None
        stored, turns = await self._finished_game(game_id)
        return AnalysisView(stored, analysis, await self._judge(user, stored, turns, analysis))

    async def delete_expired(self) -> None:
        """Delete the analyses that nobody has asked for in ANALYSIS_LIFETIME seconds."""
        async with self.store.transaction() as db:
            await analyses.delete_expired_analyses(db, self.now())

    async def _finished_game(self, game_id: int) -> tuple[StoredGame, tuple[Actions, ...]]:
        async with self.store.reading() as db:
            stored = await require_game(db, game_id)
            turns = tuple(turn.actions for turn in await games.turns_of(db, game_id))
        if stored.game.status is Status.RUNNING:
            raise Refused(Why.ANALYSED_WHILE_RUNNING, game=game_id)
        if not turns:
            raise Refused(Why.NOTHING_TO_ANALYSE, game=game_id)
        return stored, turns

    async def _begin(self, db: Connection, game_id: int, turns: int, user: int) -> StoredAnalysis:
        """Return the analysis of a game. Start it if it is not done; the person is told when it is over."""
        known, expires_at = await analyses.load_analysis(db, game_id), self.now() + ANALYSIS_LIFETIME
        await analyses.keep_until(db, game_id, expires_at)
        if known and known.state is AnalysisState.DONE:
            return known
        await self._add_asker_check(db, game_id, user)
        if known is None:
            await analyses.delete_analysis(db, game_id)  # one that cannot be read
            known = await analyses.add_analysis(db, game_id, turns, self.now(), expires_at)
        elif known.state is AnalysisState.FAILED:
            again = replace(known, state=AnalysisState.RUNNING)
            await analyses.save_found(db, known, again)
            known = again
        if await analyses.asked_game(db, user) is None:
            await analyses.add_asker(db, user, game_id, self.now())
        return known

    async def _add_asker_check(self, db: Connection, game_id: int, user: int) -> None:
        """Raise Refused if the person waits for another analysis, or if nothing can be searched.

        An analysis that cannot be read is never done, so it is deleted instead.
        """
        asked = await analyses.asked_game(db, user)
        if asked not in (None, game_id):
            if other := await analyses.load_analysis(db, asked):
                raise Refused(Why.OTHER_ANALYSIS, game=asked, found=len(other.found) - 1, turns=other.turns)
            await analyses.delete_analysis(db, asked)
        if not self.has_engine:
            raise Refused(Why.NO_ENGINE)

    async def _judge(
        self, user: int, stored: StoredGame, turns: tuple[Actions, ...], analysis: StoredAnalysis
    ) -> GameAnalysis:
        """Return the judgement of an analysis. Raises Refused if it tells something about a game of the person."""
        ruleset, result = stored.game.ruleset, stored.game.position.result
        judged = await self.aside.run(user, _judged_game, ruleset, turns, result, analysis.found)
        positions = await self.aside.run(user, positions_of_game, ruleset, turns)
        await self._check_not_standing(user, chain(positions, _shown_lines(judged)))
        return judged

    async def _check_not_standing(self, user: int, positions: Iterable[Position]) -> None:
        if found := await find_in_own_games(self.store, self.aside, user, positions):
            raise Refused(Why.ANALYSES_OWN_GAME, game=found.game)


def positions_of_game(ruleset: Ruleset, turns: Sequence[Actions]) -> tuple[Position, ...]:
    """Return the positions of a game from its start, one more than turns. Does not check that the turns are legal.

    The last has no result if the game ended by repetition; `with_end` gives it one. Raises ValueError if the turns
    cannot be played.
    """
    return positions_before(ruleset, (*turns, ()))


@lru_cache(maxsize=16)  # a person steps through the same analysis turn by turn
def _judged_game(
    ruleset: Ruleset, turns: tuple[Actions, ...], result: Result | None, found: tuple[Found, ...]
) -> GameAnalysis:
    *positions, last = positions_of_game(ruleset, turns)
    return judge_game((*positions, with_end(last, result)), turns, found)


def _shown_lines(judged: GameAnalysis) -> list[Position]:
    """Return the positions in the better lines that are shown."""
    shown = []
    for turn in judged.marked:
        position = turn.before
        for actions in turn.best[0].line:
            position = position_after(position, actions)
            shown.append(position)
    return shown


@dataclass(frozen=True)
class _Asked:
    """The position that an analysis comes to next, and the positions at the start of the earlier turns."""

    position: Position
    before: tuple[Position, ...]


class AnalysisWish(NamedTuple):
    """The game of an analysis to go on with, and the first person who asked for it and still waits."""

    game: int
    person: int


class _Elsewhere(Exception):
    """Another process searches for an analysis."""


class AnalysisWork:
    """Makes the analyses that people wait for. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], engine: Engine | None) -> None:
        self.store, self.now, self.engine = store, now, engine
        self.aside = Aside()  # its own: nobody's records wait for it

    async def awaited(self) -> dict[WishKey, AnalysisWish]:
        """Return the analyses to go on with, in the order in which they were asked for."""
        async with self.store.reading() as db:
            awaited = await analyses.awaited_games(db) if self.engine else {}
        return {(ANALYSIS, person): AnalysisWish(game, person) for game, person in awaited.items()}

    async def search_next(self, asked: AnalysisWish) -> tuple[OutboxRow, ...] | None:
        """Search the next position of an analysis that a person waits for. Return the messages that are owed.

        The caller has to deliver them. Return None if it cannot go on now, as when another process searches for it.
        """
        async with self.store.reading() as db:
            analysis = await analyses.load_analysis(db, asked.game)
        if analysis is None or analysis.state is not AnalysisState.RUNNING:
            return None
        left = analysis.turns + 1 - len(analysis.found)  # so a person's turns go first, unless little is left
        try:
            async with AsyncExitStack() as alone:
                begins = partial(self._begin, alone, analysis, asked.person)
                wish = Wish(asked.person, left * ANALYSIS_LEVEL.nodes, begins)
                after = await self._continued(analysis, wish)
                async with self.store.transaction() as db:
                    await analyses.save_found(db, analysis, after)
                    return await self._tell_askers(db, after)
        except _Elsewhere:
            return None
        except Stale:
            return ()  # it was deleted or begun anew meanwhile, or nobody waits for it any more

    async def _begin(self, alone: AsyncExitStack, analysis: StoredAnalysis, person: int) -> None:
        """Keep other processes from a position whose search begins, until it is saved.

        Raises _Elsewhere if one is there already, and Stale if the position need not be searched any more.
        """
        await alone.aclose()  # of the try before
        work = f"analysis of game {analysis.game}"
        if not await alone.enter_async_context(self.store.doing_alone(work)):
            raise _Elsewhere
        async with self.store.reading() as db:
            is_asked = await analyses.asked_game(db, person) == analysis.game
            if not is_asked or await analyses.load_analysis(db, analysis.game) != analysis:
                raise Stale(work)

    async def _continued(self, analysis: StoredAnalysis, wish: Wish) -> StoredAnalysis:
        """Return an analysis after its next position, or after it has failed there."""
        try:
            asked = await self._asked(analysis, wish)
            best = () if asked.position.result else await self._search(asked, wish)
        except (EngineFailed, Refused, UnreadableGame, *READ_ERRORS) as fault:
            extra = {"tell_owner": "engine"} if isinstance(fault, EngineFailed) else None
            log.warning("The analysis of game %s was given up: %s", game_name(analysis.game), fault, extra=extra)
            return replace(analysis, state=AnalysisState.FAILED)
        further = replace(analysis, found=(*analysis.found, best))
        return replace(further, state=AnalysisState.DONE) if further.is_complete else further

    async def _asked(self, analysis: StoredAnalysis, wish: Wish) -> _Asked:
        async with self.store.reading() as db:
            game = (await require_game(db, analysis.game)).game
            turns = [turn.actions for turn in await games.turns_of(db, analysis.game)]
        place = len(analysis.found)
        *before, position = await self.aside.run(wish.person, positions_of_game, game.ruleset, turns[:place])
        if place == analysis.turns:
            position = with_end(position, game.position.result)
        return _Asked(position, tuple(before))

    async def _search(self, asked: _Asked, wish: Wish) -> Found:
        """Return the best turns of a position, checked by the rules. Raises EngineFailed if that fails too often."""
        assert self.engine
        what = asked.position, asked.before, ANALYSIS_LEVEL
        request = await self.aside.run(wish.person, request_of_analysis, *what)
        for failures in range(1, MOST_FAILURES + 1):
            try:
                answer = await self.engine.ask(request, wish)
                return await self.aside.run(wish.person, _read_turns, asked.position, answer.turns)
            except EngineFailed as fault:
                if failures == MOST_FAILURES:
                    raise
                log.warning("the engine failed in an analysis: %s", fault)
        raise AssertionError("the last failure is raised")

    async def _tell_askers(self, db: Connection, analysis: StoredAnalysis) -> tuple[OutboxRow, ...]:
        """Owe each person who waits for an analysis the message that it is over. Nobody waits for it after that."""
        if analysis.state is AnalysisState.RUNNING:
            return ()
        payload: Mapping[str, object] = {"game": analysis.game, "state": analysis.state}
        owed = list[OutboxRow]()
        for user, asked_at in (await analyses.take_askers(db, analysis.game)).items():
            key = f"{ANALYSIS}:{analysis.game}:{asked_at}:{analysis.state}:{user}"
            owed += await owe_to_caller(db, key, ANALYSIS, user, payload, self.now(), by=user)
        return tuple(owed)


def _read_turns(position: Position, turns: tuple[ScoredTurn, ...]) -> Found:
    """Return the turns of an engine's answer. Raises EngineFailed if one of them is illegal."""
    return tuple(
        FoundTurn(engine_actions(position, turn.turn), turn.score, _read_line(position, turn.line)) for turn in turns
    )


def _read_line(position: Position, line: tuple[str, ...]) -> tuple[Actions, ...]:
    """Return the first turns of an engine's line, up to one that the rules do not allow."""
    read = list[Actions]()
    try:
        for text in line[:LINE_TURNS]:
            read.append(engine_actions(position, text))
            position = position_after(position, read[-1])
    except EngineFailed:
        pass
    return tuple(read)
