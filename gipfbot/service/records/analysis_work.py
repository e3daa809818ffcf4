"""Make the analyses that were asked for, position by position, so that a turn of a game waits for one search at most.

Of several processes, each works on another analysis.

Each position is saved when it is found. After a crash the analysis goes on where it was.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gipfbot.engines.protocol import EngineFailed, ScoredTurn, engine_actions
from gipfbot.engines.worker import Urgency, request_of_analysis
from gipfbot.match import Refused, position_after
from gipfbot.match.analysis import ANALYSIS_NODES, Actions, Found, FoundTurn, with_end
from gipfbot.rules import Position
from gipfbot.service.delivery.message_kinds import lease_for_caller
from gipfbot.service.house.house_player import Engine
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import game_name, require_game
from gipfbot.store import Connection, Store, analyses, games, outbox
from gipfbot.store.unreadable import READ_ERRORS
from gipfbot.values import AnalysisState, OutboxRow, Stale, StoredAnalysis, UnreadableGame

from .analyses import positions_of_game

log = logging.getLogger(__name__)
ANALYSIS = "analysis"  # the kind of the direct messages to those who asked
LINE_TURNS = 6  # of a line that are kept: what an engine expects after that seldom comes
MOST_FAILURES = 3  # of the engine in one position, until the analysis is given up


@dataclass(frozen=True)
class _Asked:
    """The position that an analysis comes to next, and the positions at the start of the earlier turns."""

    position: Position
    before: tuple[Position, ...]


class AnalysisWork:
    """Makes analyses, the one asked for first before the next. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], engine: Engine | None) -> None:
        self.store, self.now, self.engine = store, now, engine
        self.aside = Aside()  # its own: nobody's records wait for it

    async def search_next(self) -> tuple[OutboxRow, ...] | None:
        """Search the next position. Return the messages that are owed by that; None if there is nothing to search.

        The caller has to deliver them.
        """
        async with self.store.reading() as db:
            running = await analyses.running_games(db) if self.engine else []
        for game in running:
            async with self.store.doing_alone(f"analysis of game {game}") as is_alone:
                owed = await self._search_game(game) if is_alone else None
            if owed is not None:
                return owed
        return None

    async def _search_game(self, game: int) -> tuple[OutboxRow, ...] | None:
        """Search the next position of a game. Return what `search_next` does."""
        async with self.store.reading() as db:
            analysis = await analyses.load_analysis(db, game)
        if analysis is None or analysis.state is not AnalysisState.RUNNING:
            return None
        try:
            after = await self._continued(analysis)
            async with self.store.transaction() as db:
                await analyses.save_found(db, analysis, after)
                return await self._tell_askers(db, after)
        except Stale:
            return ()  # it was deleted or begun anew meanwhile

    async def _continued(self, analysis: StoredAnalysis) -> StoredAnalysis:
        """Return an analysis after its next position, or after it has failed there."""
        try:
            asked = await self._asked(analysis)
            best = () if asked.position.result else await self._search(asked)
        except (EngineFailed, Refused, UnreadableGame, *READ_ERRORS) as fault:
            extra = {"tell_owner": "engine"} if isinstance(fault, EngineFailed) else None
            log.warning("The analysis of game %s was given up: %s", game_name(analysis.game), fault, extra=extra)
            return replace(analysis, state=AnalysisState.FAILED)
        further = replace(analysis, found=(*analysis.found, best))
        return replace(further, state=AnalysisState.DONE) if further.is_complete else further

    async def _asked(self, analysis: StoredAnalysis) -> _Asked:
        async with self.store.reading() as db:
            game = (await require_game(db, analysis.game)).game
            turns = [turn.actions for turn in await games.turns_of(db, analysis.game)]
        place = len(analysis.found)
        *before, position = await self.aside.run(None, positions_of_game, game.ruleset, turns[:place])
        if place == analysis.turns:
            position = with_end(position, game.position.result)
        return _Asked(position, tuple(before))

    async def _search(self, asked: _Asked) -> Found:
        """Return the best turns of a position, checked by the rules. Raises EngineFailed if that fails too often."""
        assert self.engine
        request = await self.aside.run(None, request_of_analysis, asked.position, asked.before, ANALYSIS_NODES)
        for failures in range(1, MOST_FAILURES + 1):
            try:
                answer = await self.engine.ask(request, Urgency.ANALYSIS)
                return await self.aside.run(None, _read_turns, asked.position, answer.turns)
            except EngineFailed as fault:
                if failures == MOST_FAILURES:
                    raise
                log.warning("the engine failed in an analysis: %s", fault)
        raise AssertionError("the last failure is raised")

    async def _tell_askers(self, db: Connection, analysis: StoredAnalysis) -> tuple[OutboxRow, ...]:
        """Owe the message that an analysis is over to each person who waits for it. Nobody waits for it after that."""
        if analysis.state is AnalysisState.RUNNING:
            return ()
        payload: Mapping[str, object] = {"game": analysis.game, "state": analysis.state}
        owed = list[OutboxRow]()
        for user, asked_at in (await analyses.take_askers(db, analysis.game)).items():
            key = f"{ANALYSIS}:{analysis.game}:{asked_at}:{analysis.state}:{user}"
            owed += await lease_for_caller(
                db, await outbox.owe(db, key, ANALYSIS, user, payload, self.now()), self.now()
            )
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
