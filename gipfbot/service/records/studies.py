"""Records of games, studies of them, and practices against the bot."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gipfbot import match
from gipfbot.characters import cut_text, keep_signs
from gipfbot.engines.engine_turns import engine_actions
from gipfbot.engines.protocol import EngineFailed, PlayRequest
from gipfbot.engines.worker import Wish, cost_of_level, request_of_level
from gipfbot.match import Game, Refused, Why, position_after
from gipfbot.match.study import (
    MOST_HIDDEN,
    MOST_PRACTICES,
    MOST_STUDIES,
    STUDY_LIFETIME,
    UNNAMED,
    Actions,
    Study,
    begins_in,
    bot_decides,
    follow_game,
    perform_in_study,
    study_game,
)
from gipfbot.notation import Record, RecordedTurn
from gipfbot.rules import ByColour, Position, Ruleset, start
from gipfbot.service.house.fair_play import find_in_own_games
from gipfbot.service.house.house_player import Engine
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Connection, Store, game_lists, games, studies
from gipfbot.values import EndedGame, HiddenUse, Note, Stale, StoredGame, StoredStudy, StoredTurn, StudyBrief

LONGEST_NAME, LONGEST_TITLE = 32, 60  # characters; Discord's names have at most 32

log = logging.getLogger(__name__)
ENGINE_SECONDS = 10  # for the engine to find a turn
PATIENCE = 20  # seconds that a person in a practice waits at most for the engine


class Studies:
    """Operations on records and studies. Only its owner can see a study. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside

    async def record(self, game_id: int, by: int) -> tuple[StoredGame, Record]:
        """Return a stored game, and the record of its complete turns, without headers.

        Does not check who asks.
        """
        async with self.store.reading() as db:
            stored, turns = await require_game(db, game_id), await games.turns_of(db, game_id)
        return stored, await self.aside.run(by, _record_of_game, stored, turns)

    async def turns(self, game_id: int, rules: Ruleset, by: int) -> tuple[RecordedTurn, ...]:
        """Return the complete turns of a game; empty if there is no such game, or if its turns cannot be played.

        Raises UnreadableGame if they cannot be read. Does not check who asks.
        """
        async with self.store.reading() as db:
            played = await games.turns_of(db, game_id)
        return await self.aside.run(by, _playable_turns, rules, played)

    async def ended_games(self, user: int, limit: int) -> list[EndedGame]:
        """Return the ended games of a person, the last to end first, at most `limit`."""
        async with self.store.reading() as db:
            return await game_lists.ended_games(db, user, limit)

    async def add_study(self, user: int, record: Record) -> tuple[StoredStudy, StudyBrief | None]:
        """Add a study of a record. Return it, and the study that was deleted to make room; None if none was deleted.

        The study that a person has not used for longest is deleted. A study of a broken record opens at its last turn.
        """
        headers = dict(record.headers)
        names = _clean_header(headers, "White") or UNNAMED[0], _clean_header(headers, "Black") or UNNAMED[1]
        turns = tuple(step.actions for step in record.turns)
        study = Study(0, record.rules, names, turns, place=len(turns) if record.broken else 0)
        study = replace(study, start_position=record.start_position)
        title = _clean_header(headers, "Event", LONGEST_TITLE)
        new = StoredStudy(study, user, title, None, record.result, _notes_in_record(record), broken=record.broken)
        async with self.store.transaction() as db:
            return await self._add(db, new)

    async def add_practice(self, user: int, title: str, study: Study, level: int) -> StoredStudy:
        """Add a practice, in which the bot plays at `level`. The practice unused for longest may be deleted."""
        async with self.store.transaction() as db:
            return (await self._add(db, StoredStudy(study, user, title, level=level)))[0]

    async def study_of_game(self, game_id: int, user: int) -> tuple[StoredStudy, StudyBrief | None]:
        """Return a person's study of a game with all complete turns so far. Add the study if they have none.

        Also return the study that was deleted to make room; None if none was deleted. Does not check whether the person
        may see the game.
        """
        async with self.store.transaction() as db:
            return await self._study_of_game(db, game_id, user)

    async def _study_of_game(self, db: Connection, game_id: int, user: int) -> tuple[StoredStudy, StudyBrief | None]:
        game = (await require_game(db, game_id)).game
        turns = tuple(turn.actions for turn in await games.turns_of(db, game_id))
        ended = game.position.result
        result, reason = (ended.score, ended.by) if ended else (None, None)
        names: ByColour[str] = (game.seats[0].name, game.seats[1].name)
        if known := await studies.study_of_game(db, game_id, user, self.now()):
            followed = replace(follow_game(known.study, turns), names=names)
            return await self._save(db, known.study, replace(known, study=followed, result=result, reason=reason)), None
        study = Study(0, game.ruleset, names, turns, place=len(turns))
        return await self._add(db, StoredStudy(study, user, "", game_id, result, reason=reason))

    async def _add(self, db: Connection, new: StoredStudy) -> tuple[StoredStudy, StudyBrief | None]:
        now = self.now()
        study_id = await studies.add_study(db, new, now, now + STUDY_LIFETIME)
        of_kind = [each for each in await studies.studies_of(db, new.user, now) if _kind(each) == _kind(new)]
        oldest = next(iter(of_kind[_MOST[_kind(new)] :]), None)
        if oldest:
            await studies.delete_study(db, oldest.id)
        return replace(new, study=replace(new.study, id=study_id)), oldest

    async def begin_hidden(self, game: Game, user: int, use: HiddenUse, begun: Actions = ()) -> StoredStudy:
        """Return a person's hidden study of the current turn of a game, with what they have entered in it.

        Begin it, after the actions `begun` of that turn, if they have none that begins there. It replaces the one of
        an earlier turn. Does not check whether the person may see the game.
        """
        async with self.store.transaction() as db:
            known = await studies.study_of_game(db, game.id, user, self.now(), use)
            if known and begins_in(known.study, game.position, begun):
                return known
            if known:
                await studies.delete_study(db, known.study.id)
            names: ByColour[str] = (game.seats[0].name, game.seats[1].name)
            study = Study(0, game.ruleset, names, (), draft=begun, start_position=game.position)
            return (await self._add(db, StoredStudy(study, user, "", game.id, hidden_for=use)))[0]

    async def hidden_study(self, study_id: int, user: int, use: HiddenUse) -> StoredStudy | None:
        """Return a hidden study as it is stored now; None if it is used up, replaced or expired."""
        async with self.store.reading() as db:
            found = await studies.load_study(db, study_id, user, self.now())
        return found if found and found.hidden_for is use else None

    async def _save(self, db: Connection, before: Study, after: StoredStudy) -> StoredStudy:
        await studies.save_study(db, before, after, self.now() + STUDY_LIFETIME)
        return after

    async def reopen(self, study_id: int, user: int, *, may_see_game: bool = True) -> StoredStudy:
        """Return a study that its owner opens again. A study of a game gets the turns played since.

        Without `may_see_game`, it gets none.
        """
        async with self.store.transaction() as db:
            found = await self._require_shown(db, study_id, user)
            if found.game is not None and may_see_game:
                return (await self._study_of_game(db, found.game, user))[0]
            return await self._save(db, found.study, found)

    async def study(self, study_id: int, user: int) -> StoredStudy:
        """Return a study as it is stored now."""
        async with self.store.reading() as db:
            return await self._require_shown(db, study_id, user)

    async def studies(self, user: int) -> list[StudyBrief]:
        """Return a person's studies, the last used first, without hidden ones."""
        async with self.store.reading() as db:
            return [each for each in await studies.studies_of(db, user, self.now()) if each.hidden_for is None]

    async def change(self, study_id: int, user: int, version: int, change: Callable[[Study], Study]) -> StoredStudy:
        """Change a study by the function `change`, and return it.

        `version` is the study's version on the pressed button. Raises Refused if it is old. Passes on a
        NotationError that `change` raises.
        """
        async with self.store.transaction() as db:
            before = await self._require_study(db, study_id, user)
            if before.study.version != version:
                raise Refused(Why.STALE)
            return await self._save(db, before.study, replace(before, study=change(before.study)))

    async def _require_shown(self, db: Connection, study_id: int, user: int) -> StoredStudy:
        found = await self._require_study(db, study_id, user)
        if found.hidden_for is not None:
            raise Refused(Why.NO_STUDY)
        return found

    async def _require_study(self, db: Connection, study_id: int, user: int) -> StoredStudy:
        found = await studies.load_study(db, study_id, user, self.now())
        if found is None:
            raise Refused(Why.NO_STUDY)
        return found

    async def delete_expired(self) -> None:
        """Delete the studies that nobody has used for STUDY_LIFETIME seconds."""
        async with self.store.transaction() as db:
            await studies.delete_expired_studies(db, self.now())


def _kind(study: StoredStudy | StudyBrief) -> str:
    """Return the kind among whose studies this one counts."""
    return "hidden" if study.hidden_for else "study" if study.level is None else "practice"


_MOST = {"hidden": MOST_HIDDEN, "study": MOST_STUDIES, "practice": MOST_PRACTICES}


def _notes_in_record(record: Record) -> dict[int, Note]:
    """Return the marks and comments of a record by the number of their turn, counted from the first turn.

    Comments before the first turn have the number 0.
    """
    steps = enumerate(record.turns, 1)
    notes = {number: Note(step.mark, step.comments) for number, step in steps if step.mark or step.comments}
    return {0: Note("", record.comments), **notes} if record.comments else notes


def _record_of_game(stored: StoredGame, turns: Sequence[StoredTurn]) -> Record:
    game = stored.game
    result = game.position.result and game.position.result.score
    return Record(game.ruleset, _recorded_turns(game.ruleset, turns), result=result)


def _playable_turns(rules: Ruleset, turns: Sequence[StoredTurn]) -> tuple[RecordedTurn, ...]:
    """Return the turns as `_recorded_turns` does; empty if they cannot be played from the start.

    A StopIteration would never reach who waits for a thread.
    """
    try:
        return _recorded_turns(rules, turns)
    except (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError):
        return ()


def _recorded_turns(rules: Ruleset, turns: Sequence[StoredTurn]) -> tuple[RecordedTurn, ...]:
    position, steps = start(rules), []
    for turn in turns:
        after = position_after(position, turn.actions)
        steps.append(RecordedTurn(turn.turn_number, turn.text, turn.actions, position, after))
        position = after
    return tuple(steps)


def _clean_header(headers: Mapping[str, str], key: str, most: int = LONGEST_NAME) -> str:
    """Return a header's value as one line of at most `most` printable characters; empty if the header is missing."""
    printable = keep_signs(headers.get(key, ""), str.isprintable, " ")
    return cut_text(" ".join(printable.split()), most).strip()


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

        If the person changes the practice meanwhile, return it as they left it. Raises Refused if it is gone, or if the
        answer would help the person in one of their games.
        """
        by_rules = False
        while bot_decides(study := stored.study):
            await self._check_fair(stored)
            found = await self._find_decision(stored)
            by_rules = by_rules or found is None
            actions = match.decide_plainly(study_game(study).current) if found is None else found
            perform = partial(perform_in_study, actions=actions)
            try:
                stored = await self.studies.change(study.id, stored.user, study.version, perform)
            except (Refused, Stale):
                stored = await self.practice(study.id, stored.user)
        return PracticeAnswer(stored, by_rules)

    async def _check_fair(self, stored: StoredStudy) -> None:
        """Raise Refused if the bot's answer would help the person in a running game against somebody else."""
        position, store = study_game(stored.study).position, self.studies.store
        if found := await find_in_own_games(store, self.aside, stored.user, [position], to_play=True):
            raise Refused(Why.ANSWERS_OWN_GAME, game=found.game)

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
        assert stored.level is not None
        request = await self.aside.run(stored.user, _practice_request, stored.study, stored.level)
        answer = await self.engine.ask(request, Wish(stored.user, cost_of_level(stored.level)))
        return await self.aside.run(stored.user, _checked, stored.study, answer.best.turn)


def _practice_request(study: Study, level: int) -> PlayRequest:
    before = match.positions_before(study.ruleset, study.tried, study.start_position)
    return request_of_level(_asked_position(study), before, level, study.id, ENGINE_SECONDS)


def _checked(study: Study, turn: str) -> Actions:
    """Return the actions of an engine's turn. Raises EngineFailed or Refused if they are not legal."""
    actions = engine_actions(_asked_position(study), turn)
    perform_in_study(study, actions)
    return actions


def _asked_position(study: Study) -> Position:
    """Return the position to ask an engine about. At the start of a turn, forced removals are still to come."""
    game = study_game(study)
    return game.current if game.draft else game.position
