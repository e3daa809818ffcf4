"""The turns played from each position in finished games, and the games that are still to be counted."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Select, and_, select, update

from gipfbot.match.explorer import EXPLORED_TURNS, ExploredStep
from gipfbot.values import EndedLine, ExploredTurn, ListedGame

from .database import Connection, read_each
from .game_lists import listed_values
from .game_rows import LISTED_ROWS
from .study_tables import explored_turns
from .tables import NOW, games, save_rows_of, turns

UNCOUNTED = and_(games.c.ended_at <= NOW, games.c.explored_at.is_(None))
_ENDED = select(games.c.id, games.c.ruleset, games.c.result, games.c.level)
_SAVE = save_rows_of(explored_turns)


async def games_to_count(db: Connection, now: int, most: int) -> list[EndedLine]:
    """Return at most `most` ended games that are not counted yet, the first to end first."""
    waiting = _ENDED.where(UNCOUNTED).order_by(games.c.ended_at, games.c.id).limit(most)
    return await _ended_lines(db, waiting.params(now=now))


async def all_counted(db: Connection) -> list[int]:
    """Return the ids of all counted games. For checks only."""
    return [*await db.scalars(select(games.c.id).where(games.c.explored_at.is_not(None)))]


async def lines_of(db: Connection, ids: Collection[int]) -> list[EndedLine]:
    """Return the lines of these games, in the order of their ids."""
    return await _ended_lines(db, _ENDED.where(games.c.id.in_(ids)).order_by(games.c.id))


async def _ended_lines(db: Connection, which: Select[Any]) -> list[EndedLine]:
    """Return the lines of these games. A line against the house player is empty, so it adds nothing to the counts."""
    found = (await db.execute(which)).all()
    if not found:
        return []
    codes: dict[int, list[str]] = {row.id: [] for row in found}
    first = (
        turns.c.game.in_([row.id for row in found if row.level is None]),
        turns.c.turn_number.between(1, EXPLORED_TURNS),
    )
    played = select(turns.c.game, turns.c.actions).where(*first).order_by(turns.c.game, turns.c.turn_number)
    for row in await db.execute(played):
        codes[row.game].append(row.actions)
    return [EndedLine(row.id, row.ruleset, row.result, tuple(codes[row.id])) for row in found]


async def mark_counted(db: Connection, ids: Collection[int], now: int) -> set[int]:
    """Mark games as counted. Return those that were not marked before; count them in the same transaction."""
    fresh = update(games).where(games.c.id.in_(ids), games.c.explored_at.is_(None)).values(explored_at=now)
    return {row.id for row in await db.execute(fresh.returning(games.c.id))}


async def add_turns(db: Connection, played: Mapping[ExploredStep, ExploredTurn]) -> None:
    """Add the counts of some games to the stored counts."""
    stored = await _turns_by_step(db, {step.position for step in played})
    sums = {step: stored[step].plus(new) if step in stored else new for step, new in played.items()}
    if sums:
        await db.execute(_SAVE, [_explored_row(step, found) for step, found in sums.items()])


def _explored_row(step: ExploredStep, found: ExploredTurn) -> dict[str, Any]:
    return {**found._asdict(), "position": step.position, "newest": " ".join(map(str, found.newest))}


async def _turns_by_step(db: Connection, positions: Collection[int]) -> dict[ExploredStep, ExploredTurn]:
    rows = await db.execute(select(explored_turns).where(explored_turns.c.position.in_(positions)))
    return {ExploredStep(row.position, row.turn): _explored_turn(row) for row in rows}


def _explored_turn(row: Any) -> ExploredTurn:
    return ExploredTurn(row.turn, row.white, row.drawn, row.black, tuple(map(int, row.newest.split())))


async def turns_from(db: Connection, position: int) -> list[ExploredTurn]:
    """Return the turns that were played from the position with this key, those of the most games first."""
    found = (await _turns_by_step(db, [position])).values()
    return sorted(found, key=lambda turn: (-turn.games, turn.turn))


async def explored_between(db: Connection, first: int, last: int) -> dict[ExploredStep, ExploredTurn]:
    """Return the turns from the positions with these keys. For checks only."""
    rows = await db.execute(select(explored_turns).where(explored_turns.c.position.between(first, last)))
    return {ExploredStep(row.position, row.turn): _explored_turn(row) for row in rows}


async def listed_by_id(db: Connection, ids: Iterable[int]) -> list[ListedGame]:
    """Return games by their ids, the newest first."""
    rows = await db.execute(LISTED_ROWS.where(games.c.id.in_(list(ids))).order_by(games.c.id.desc()))
    return read_each(db, rows, "game", lambda row: ListedGame(*listed_values(row)))
