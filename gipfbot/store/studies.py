"""Studies: records that one person steps through. Each is kept for some time after its last use."""

from typing import Any

from sqlalchemy import ColumnElement, Row, and_, case, delete, func, insert, select, update

from gipfbot.match.study import UNNAMED, Study
from gipfbot.notation import parse_position, position_text
from gipfbot.rules import ByColour, Reason, Ruleset
from gipfbot.rules.sentences import Sentence
from gipfbot.values import HiddenUse, Note, Stale, StoredStudy, StudyBrief, named_player

from .broken_records import broken_data, read_broken
from .database import Connection, read_each
from .game_rows import (
    HOUSE,
    SEAT_COLUMNS,
    actions_text,
    parse_actions,
    parse_turns,
    read_house,
    turns_text,
    with_seats,
)
from .names import split_names
from .study_tables import studies
from .tables import NOW, games

_WITH_GAME = with_seats(studies, studies.c.game, isouter=True).outerjoin(games, games.c.id == studies.c.game)
EXPIRED = studies.c.expires_at <= NOW


async def add_study(db: Connection, new: StoredStudy, now: int, expires_at: int) -> int:
    """Store a new study; return its id. The id in `new` is ignored."""
    study = new.study
    notes = {str(number): [note.mark, *note.comments] for number, note in new.notes.items()}
    values = {
        **_study_columns(study),
        "turns": turns_text(study.turns),
        "user": new.user,
        "game": new.game,
        "title": new.title,
        "ruleset": study.ruleset.data(),
        "result": new.result,
        "reason": new.reason,
        "fault": new.fault,
        "broken": new.broken and broken_data(new.broken),
        "level": new.level,
        "hidden_for": new.hidden_for,
        "notes": notes,
        "begin": None if study.start_position is None else position_text(study.start_position),
        "created_at": now,
        "expires_at": expires_at,
    }
    study_id: int = (await db.execute(insert(studies).values(values).returning(studies.c.id))).scalar_one()
    return study_id


def _study_columns(study: Study) -> dict[str, Any]:
    """Return the column values that change when somebody steps, tries a turn or opens a study again."""
    return {
        "white": study.names[0],
        "black": study.names[1],
        "place": study.place,
        "tried": turns_text(study.tried),
        "draft": actions_text(study.draft),
        "version": study.version,
    }


async def load_study(db: Connection, study_id: int, user: int, now: int) -> StoredStudy | None:
    """Return a person's study; None if they have none with this id, or it has expired, or it cannot be read."""
    return await _find_study(db, and_(studies.c.id == study_id, studies.c.user == user), now)


async def study_of_game(
    db: Connection, game: int, user: int, now: int, hidden_for: HiddenUse | None = None
) -> StoredStudy | None:
    """Return this person's study of a game, or their hidden study for this use; None if there is none."""
    which = studies.c.user == user, studies.c.game == game, studies.c.hidden_for.is_not_distinct_from(hidden_for)
    return await _find_study(db, and_(*which), now)


async def _find_study(db: Connection, which: ColumnElement[bool], now: int) -> StoredStudy | None:
    of_game = select(studies, *SEAT_COLUMNS, HOUSE).select_from(_WITH_GAME)
    row = (await db.execute(of_game.where(which, studies.c.expires_at > now))).first()
    found = read_each(db, [row] if row else [], "study", _stored_study)
    return found[0] if found else None


def _stored_study(row: Row[Any]) -> StoredStudy:
    turns, tried = parse_turns(row.turns), parse_turns(row.tried)
    ruleset, names = Ruleset.from_data(row.ruleset), _names_of(row)
    begin = None if row.begin is None else parse_position(row.begin, {ruleset.name: ruleset})
    study = Study(row.id, ruleset, names, turns, row.place, tried, parse_actions(row.draft), row.version, begin)
    notes = {int(number): Note(mark, tuple(comments)) for number, (mark, *comments) in row.notes.items()}
    reason = None if row.reason is None else Reason(row.reason)
    hidden_for = row.hidden_for and HiddenUse(row.hidden_for)
    broken = row.broken and read_broken(row.broken)
    return StoredStudy(
        study, row.user, row.title, row.game, row.result, notes, reason, row.fault, row.level, hidden_for, broken
    )


async def save_study(db: Connection, before: Study, after: StoredStudy, expires_at: int) -> None:
    """Save a study after a step. Raises Stale if the stored one is no longer `before`."""
    same = studies.c.id == before.id, studies.c.version == before.version
    values = {**_study_columns(after.study), "result": after.result, "reason": after.reason, "expires_at": expires_at}
    if after.study.turns != before.turns:
        values["turns"] = turns_text(after.study.turns)
    if not (await db.execute(update(studies).where(*same).values(values))).rowcount:
        raise Stale(f"study {before.id}, version {before.version}")


async def studies_of(db: Connection, user: int, now: int) -> list[StudyBrief]:
    """Return a person's studies, the hidden ones among them, the last used first."""
    names = "id", "game", "white", "black", "title", "ruleset", "level", "hidden_for"
    columns = (studies.c[name] for name in names)
    query = select(*columns, _turn_count(studies.c.turns).label("counted"), *SEAT_COLUMNS, HOUSE).where(
        studies.c.user == user, studies.c.expires_at > now
    )
    order = studies.c.expires_at.desc(), studies.c.id.desc()
    rows = (await db.execute(query.select_from(_WITH_GAME).order_by(*order))).all()
    return read_each(db, rows, "study", _study_brief)


def _study_brief(row: Row[Any]) -> StudyBrief:
    ruleset, names = Ruleset.from_data(row.ruleset), _names_of(row)
    people = (
        {}
        if row.white_user is None
        else {
            row.white_user: (names[0], row.white_name, *split_names(row.white_earlier_names)),
            row.black_user: (names[1], row.black_name, *split_names(row.black_earlier_names)),
        }
    )
    hidden_for = row.hidden_for and HiddenUse(row.hidden_for)
    return StudyBrief(row.id, row.game, names, row.title, ruleset.name, row.counted, row.level, people, hidden_for)


def _names_of(row: Row[Any]) -> ByColour[str]:
    """Return the names of the players in the study of a row. Those made of words are Sentences."""
    if row.white_user is not None:
        house = read_house(row.house)
        return named_player(row.white_user, row.white, house), named_player(row.black_user, row.black, house)
    if row.level is not None:
        return Sentence(row.white), Sentence(row.black)
    white, black = UNNAMED
    return white if row.white == white else row.white, black if row.black == black else row.black


def _turn_count(turns: ColumnElement[str]) -> ColumnElement[int]:
    """Return an SQL expression that counts the turns in a column without parsing them."""
    return case((turns == "", 0), else_=func.length(turns) - func.length(func.replace(turns, ";", "")) + 1)


async def delete_study(db: Connection, study_id: int) -> None:
    """Delete a study."""
    await db.execute(delete(studies).where(studies.c.id == study_id))


async def delete_expired_studies(db: Connection, now: int) -> None:
    """Delete expired studies."""
    await db.execute(delete(studies).where(EXPIRED), {"now": now})
