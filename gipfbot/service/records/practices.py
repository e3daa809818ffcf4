"""Practices: positions that a person plays on against the bot, privately, without a game, a clock or a rating."""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial

from gipfbot import match
from gipfbot.engines.protocol import EngineFailed, PlayRequest, engine_actions
from gipfbot.engines.worker import Urgency, request_of_level
from gipfbot.match import Refused, Why
from gipfbot.match.study import Actions, Study, bot_decides, perform_in_study, study_game
from gipfbot.rules import Position
from gipfbot.service.house.house_player import Engine
from gipfbot.service.kit.aside import Aside
from gipfbot.values import Stale, StoredStudy

from .studies import Studies

log = logging.getLogger(__name__)
ENGINE_SECONDS = 10  # in which the engine must have found a turn
PATIENCE = 20  # seconds; a person who waits for their exercise waits no longer for the search that runs


@dataclass(frozen=True)
class PracticeAnswer:
    """A practice after the bot's answer. `by_rules` says that the engine gave none, so that the rules alone decided."""

    stored: StoredStudy
    by_rules: bool = False


class Practices:
    """Operations on practices. Only its owner can see a practice. Without an engine, the bot answers by the rules."""

    def __init__(self, studies: Studies, aside: Aside, engine: Engine | None) -> None:
        self.studies, self.aside, self.engine = studies, aside, engine

    async def begin(self, user: int, title: str, practice: Study, level: int) -> StoredStudy:
        """Begin a practice, made by `begin_practice`, against the bot at a level."""
        return await self.studies.add_practice(user, title, practice, level)

    async def practice(self, study_id: int, user: int) -> StoredStudy:
        """Return a practice as it is stored now. Raises Refused if there is none, or if it is another study."""
        stored = await self.studies.study(study_id, user)
        if stored.level is None:
            raise Refused(Why.NO_STUDY)
        return stored

    async def answer(self, stored: StoredStudy) -> PracticeAnswer:
        """Let the bot decide until the person is asked, or until the game is over.

        If the person changes the practice meanwhile, return it as they left it. Raises Refused if it is gone.
        """
        by_rules = False
        while bot_decides(study := stored.study):
            found = await self._find_decision(stored)
            by_rules = by_rules or found is None
            actions = match.decide_plainly(study_game(study).current) if found is None else found
            perform = partial(perform_in_study, actions=actions)
            try:
                stored = await self.studies.change(study.id, stored.user, study.version, perform)
            except (Refused, Stale):
                stored = await self.practice(study.id, stored.user)
        return PracticeAnswer(stored, by_rules)

    async def _find_decision(self, stored: StoredStudy) -> Actions | None:
        """Return the decision of the engine, checked by the rules. None if it fails or is too late."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask_engine(stored)
        except TimeoutError:
            log.warning("the engine was too late in a practice")
        except (EngineFailed, Refused) as fault:
            log.warning("The engine failed in a practice: %s", fault, extra={"tell_owner": "engine"})
        return None

    async def _ask_engine(self, stored: StoredStudy) -> Actions:
        if self.engine is None:
            raise EngineFailed("There is no engine.")
        request = await self.aside.run(stored.user, _practice_request, stored)
        answer = await self.engine.ask(request, Urgency.PRACTICE)
        return await self.aside.run(stored.user, _checked, stored.study, answer.best.turn)


def _practice_request(stored: StoredStudy) -> PlayRequest:
    assert stored.level is not None
    study, position = stored.study, _asked_position(stored.study)
    before = match.positions_before(study.ruleset, study.tried, study.start_position)
    return request_of_level(position, before, stored.level, study.id, ENGINE_SECONDS)


def _checked(study: Study, turn: str) -> Actions:
    """Return the actions of an engine's turn. Raises EngineFailed or Refused if they are not legal."""
    actions = engine_actions(_asked_position(study), turn)
    perform_in_study(study, actions)
    return actions


def _asked_position(study: Study) -> Position:
    """Return the position about which an engine is asked: of a turn that begins, with its forced removals to come."""
    game = study_game(study)
    return game.current if game.draft else game.position
