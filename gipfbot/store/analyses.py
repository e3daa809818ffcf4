"""Analyses of finished games. An analysis grows place by place, and is kept for some time after its last use."""

from typing import Any

from sqlalchemy import and_, delete, exists, insert, select, update

from gipfbot.match.analysis import Found, FoundTurn
from gipfbot.values import AnalysisState, Stale, StoredAnalysis

from .database import Connection, read_each
from .game_rows import actions_text, parse_actions
from .study_tables import analyses, analysis_askers
from .tables import NOW

EXPIRED = and_(analyses.c.expires_at <= NOW, ~exists().where(analysis_askers.c.game == analyses.c.game))
_RUNNING = and_(analyses.c.game == analysis_askers.c.game, analyses.c.state == AnalysisState.RUNNING)
AWAITED = and_(analysis_askers.c.user > 0, _RUNNING)  # all: by the key, because no query reads a whole table
_AWAITED = (
    select(analysis_askers.c.game, analysis_askers.c.user)
    .where(AWAITED)
    .order_by(analysis_askers.c.asked_at, analysis_askers.c.user)
)


async def add_analysis(db: Connection, game: int, turns: int, now: int, expires_at: int) -> StoredAnalysis:
    """Store a new analysis of a game with this many turns. Its place 0 has no best turns."""
    new = StoredAnalysis(game, AnalysisState.RUNNING, turns, ((),))
    times = {"created_at": now, "expires_at": expires_at}
    await db.execute(insert(analyses).values(game=game, turns=turns, **_found_columns(new), **times))
    return new


async def load_analysis(db: Connection, game: int) -> StoredAnalysis | None:
    """Return the analysis of a game. None if there is none, or if it cannot be read."""
    row = (await db.execute(select(analyses, analyses.c.game.label("id")).where(analyses.c.game == game))).one_or_none()
    found = read_each(db, [row] if row else [], "analysis", _stored_analysis)
    return found[0] if found else None


async def awaited_games(db: Connection) -> dict[int, int]:
    """Return the games whose analyses somebody waits for, each with the first who asked for it. These come in order."""
    first = dict[int, int]()
    for game, user in await db.execute(_AWAITED):
        first.setdefault(game, user)
    return first


async def save_found(db: Connection, before: StoredAnalysis, after: StoredAnalysis) -> None:
    """Save the progress of an analysis. Raises Stale if the stored one is no longer `before`."""
    same = analyses.c.game == before.game, analyses.c.places == len(before.found), analyses.c.state == before.state
    if not (await db.execute(update(analyses).where(*same).values(_found_columns(after)))).rowcount:
        raise Stale(f"analysis of game {before.game}, place {len(before.found)}")


async def keep_until(db: Connection, game: int, expires_at: int) -> None:
    """Keep an analysis until a later time."""
    await db.execute(update(analyses).where(analyses.c.game == game).values(expires_at=expires_at))


async def delete_analysis(db: Connection, game: int) -> None:
    """Delete the analysis of a game. Nobody waits for it any more."""
    await db.execute(delete(analysis_askers).where(analysis_askers.c.game == game))
    await db.execute(delete(analyses).where(analyses.c.game == game))


async def delete_expired_analyses(db: Connection, now: int) -> None:
    """Delete expired analyses that nobody waits for."""
    await db.execute(delete(analyses).where(EXPIRED), {"now": now})


async def add_asker(db: Connection, user: int, game: int, now: int) -> None:
    """Store that a person waits for an analysis. They must not be waiting for another."""
    await db.execute(insert(analysis_askers).values(user=user, game=game, asked_at=now))


async def asked_game(db: Connection, user: int) -> int | None:
    """Return the game whose analysis a person waits for, or None."""
    game: int | None = await db.scalar(select(analysis_askers.c.game).where(analysis_askers.c.user == user))
    return game


async def take_askers(db: Connection, game: int) -> dict[int, int]:
    """Delete the list of people who wait for an analysis. Return when each of them asked for it."""
    gone = delete(analysis_askers).where(analysis_askers.c.game == game)
    rows = await db.execute(gone.returning(analysis_askers.c.user, analysis_askers.c.asked_at))
    return {row.user: row.asked_at for row in rows}


def _found_columns(analysis: StoredAnalysis) -> dict[str, Any]:
    found = [[_found_turn_data(turn) for turn in best] for best in analysis.found]
    return {"state": analysis.state, "places": len(found), "found": found}


def _found_turn_data(turn: FoundTurn) -> list[Any]:
    return [turn.score, actions_text(turn.actions), *map(actions_text, turn.line)]


def _stored_analysis(row: Any) -> StoredAnalysis:
    found = tuple(_found(best) for best in row.found)
    return StoredAnalysis(row.game, AnalysisState(row.state), row.turns, found)


def _found(best: list[list[Any]]) -> Found:
    return tuple(
        FoundTurn(parse_actions(codes), score, tuple(map(parse_actions, line))) for score, codes, *line in best
    )
