"""Records of games, and the studies that people make of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gipfbot import match
from gipfbot.match import Refused, Why, position_after
from gipfbot.match.study import MOST_STUDIES, STUDY_LIFETIME, Study, follow_game
from gipfbot.notation import Record, RecordedTurn
from gipfbot.rules import ByColour, start
from gipfbot.service.play.turn import require_game
from gipfbot.store import (
    Connection,
    ListedGame,
    Note,
    Store,
    StoredGame,
    StoredStudy,
    StoredTurn,
    StudyBrief,
    game_lists,
    games,
    studies,
)

LONGEST_NAME, LONGEST_TITLE = 32, 60  # characters; a name as on Discord


class Studies:
    """Everything people can do with records and studies. `now` tells UTC seconds.

    Every method raises Refused, and changes nothing then, where the person may not do it. A study exists for nobody but
    its owner.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def record(self, game_id: int) -> tuple[StoredGame, Record]:
        """Return a game as it stands, and its complete turns as a record without headers.

        Not checked: who asks.
        """
        async with self.store.reading() as db:
            stored = await require_game(db, game_id)
            return stored, _record_of_game(stored, await games.turns_of(db, game_id))

    async def ended_games(self, user: int, limit: int) -> list[ListedGame]:
        """Return the games of this person that have ended, the last one first."""
        async with self.store.reading() as db:
            return await game_lists.ended_games(db, user, limit)

    async def add_study(self, user: int, record: Record, fault: str = "") -> tuple[StoredStudy, StudyBrief | None]:
        """Return a new study of a record, and the one that had to make room for it, if one had.

        One that breaks begins at its last turn, where `fault` is what is to be said.
        """
        headers = dict(record.headers)
        names = _clean_header(headers, "White") or "White", _clean_header(headers, "Black") or "Black"
        turns = tuple(step.actions for step in record.turns)
        study = Study(0, record.rules, names, turns, place=len(turns) if record.broken else 0)
        notes = {
            step.turn_number: Note(step.mark, step.comments) for step in record.turns if step.mark or step.comments
        }
        if record.comments:
            notes[0] = Note("", record.comments)
        title = _clean_header(headers, "Event", LONGEST_TITLE)
        new = StoredStudy(study, user, title, None, record.result, notes, fault=fault)
        async with self.store.transaction() as db:
            return await self._add(db, new)

    async def study_of_game(self, game_id: int, user: int) -> tuple[StoredStudy, StudyBrief | None]:
        """Return this person's study of a game of his own with all turns played so far: the one he has, or a new one.

        Also the one that had to make room for it, if one had.
        """
        async with self.store.transaction() as db:
            game = (await require_game(db, game_id)).game
            match.check_player(game, user)
            turns = tuple(turn.actions for turn in await games.turns_of(db, game_id))
            ended = game.position.result
            result, reason = (ended.score, ended.by) if ended else (None, None)
            if known := await studies.study_of_game(db, game_id, user, self.now()):
                now_is = replace(known, study=follow_game(known.study, turns), result=result, reason=reason)
                return await self._save(db, known.study, now_is), None
            names: ByColour[str] = (game.seats[0].name, game.seats[1].name)
            study = Study(0, game.ruleset, names, turns, place=len(turns))
            return await self._add(db, StoredStudy(study, user, "", game_id, result, reason=reason))

    async def _add(self, db: Connection, new: StoredStudy) -> tuple[StoredStudy, StudyBrief | None]:
        now = self.now()
        id = await studies.add_study(db, new, now, now + STUDY_LIFETIME)
        gone = next(iter((await studies.studies_of(db, new.user, now))[MOST_STUDIES:]), None)
        if gone:
            await studies.delete_study(db, gone.id)
        return replace(new, study=replace(new.study, id=id)), gone

    async def _save(self, db: Connection, before: Study, after: StoredStudy) -> StoredStudy:
        await studies.save_study(db, before, after, self.now() + STUDY_LIFETIME)
        return after

    async def reopen(self, study_id: int, user: int) -> StoredStudy:
        """Return a study that is reopened: one of a game has all turns played since."""
        found = await self.study(study_id, user)
        if found.game is not None:
            return (await self.study_of_game(found.game, user))[0]
        return await self.change(study_id, user, found.study.version, lambda study: study)

    async def study(self, study_id: int, user: int) -> StoredStudy:
        """Return a study as it stands."""
        async with self.store.reading() as db:
            return await self._require_study(db, study_id, user)

    async def studies(self, user: int) -> list[StudyBrief]:
        """Return this person's studies, the one touched last first."""
        async with self.store.reading() as db:
            return await studies.studies_of(db, user, self.now())

    async def change(self, study_id: int, user: int, version: int, change: Callable[[Study], Study]) -> StoredStudy:
        """Return the study after what its owner did with what was drawn for `version`. Raises NotationError too."""
        async with self.store.transaction() as db:
            before = await self._require_study(db, study_id, user)
            if before.study.version != version:
                raise Refused(Why.STALE)
            return await self._save(db, before.study, replace(before, study=change(before.study)))

    async def _require_study(self, db: Connection, study_id: int, user: int) -> StoredStudy:
        found = await studies.load_study(db, study_id, user, self.now())
        if found is None:
            raise Refused(Why.NO_STUDY)
        return found

    async def delete_expired(self) -> None:
        """Delete the studies that nobody has touched for too long."""
        async with self.store.transaction() as db:
            await studies.delete_expired_studies(db, self.now())


def _record_of_game(stored: StoredGame, turns: Sequence[StoredTurn]) -> Record:
    game = stored.game
    position, steps = start(game.ruleset), []
    for turn in turns:
        after = position_after(position, turn.actions)
        steps.append(RecordedTurn(turn.turn_number, turn.text, turn.actions, position, after))
        position = after
    result = game.position.result and game.position.result.score
    return Record(game.ruleset, tuple(steps), result=result)


def _clean_header(headers: Mapping[str, str], key: str, most: int = LONGEST_NAME) -> str:
    """Return what a header says, fit to stand in a line; empty without it."""
    printable = "".join(char if char.isprintable() else " " for char in headers.get(key, ""))
    return " ".join(printable.split())[:most].strip()


__all__ = ["ListedGame", "StoredStudy", "Studies", "StudyBrief"]
