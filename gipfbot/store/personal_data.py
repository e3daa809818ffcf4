"""Read all rows that are stored about a person, as they are in the tables, for the export of their data."""

from collections.abc import Collection
from typing import Any, TypeAlias

from sqlalchemy import Column, Table, select

from gipfbot.match.ratings import ALL_POOLS

from .database import Connection
from .rating_tables import memberships, rated_results, ratings, standings
from .study_tables import analysis_askers, puzzle_tries, puzzles, studies
from .tables import (
    blocks,
    challenges,
    channel_checks,
    conditionals,
    deletions,
    draft,
    due,
    events,
    follows,
    games,
    guesses,
    seats,
    takebacks,
    turns,
    users,
    vacations,
)

Row: TypeAlias = dict[str, Any]
# What belongs to one person: its rows are found by their id.
_OWN: dict[str, Column[Any]] = {
    "users": users.c.id,
    "studies": studies.c.user,
    "vacations": vacations.c.user,
    "follows": follows.c.user,
    "guesses": guesses.c.user,
    "blocks": blocks.c.user,
    "channel_checks": channel_checks.c.user,
    "analysis_askers": analysis_askers.c.user,
    "due": due.c.user,
    "rated_results": rated_results.c.user,
    "standings": standings.c.user,
    "memberships": memberships.c.user,
    "deletions": deletions.c.user,
}
# What a game consists of: its rows are found by the game.
_OF_GAME: tuple[Table, ...] = (seats, turns, draft, events, takebacks)


async def own_rows(db: Connection, user: int) -> dict[str, list[Row]]:
    """Return the rows that belong to a person, by table: not their games, and not the outbox."""
    found = {name: await _rows_where(db, column.table, column == user) for name, column in _OWN.items()}
    mine = (ratings.c.pool.in_(ALL_POOLS), ratings.c.user == user)
    found["ratings"] = await _rows_where(db, ratings, *mine)
    tries = select(puzzle_tries, puzzles.c.position).join(puzzles).where(puzzle_tries.c.user == user)
    found["puzzle_tries"] = [dict(row._mapping) for row in await db.execute(tries.order_by(puzzle_tries.c.id))]
    made = await _rows_where(db, challenges, challenges.c.by_user == user)
    found["challenges"] = [*made, *await _rows_where(db, challenges, challenges.c.to_user == user)]
    return found


async def _rows_where(db: Connection, table: Any, *which: Any) -> list[Row]:
    rows = await db.execute(select(table).where(*which).order_by(*table.primary_key.columns))
    return [dict(row._mapping) for row in rows]


async def game_ids(db: Connection, user: int) -> list[int]:
    """Return the ids of all games of a person, the oldest first."""
    return [*await db.scalars(select(seats.c.game).where(seats.c.user == user).order_by(seats.c.game))]


async def rows_of_games(db: Connection, user: int, ids: Collection[int]) -> dict[str, list[Row]]:
    """Return the rows of these games by table, with the conditionals of this person only."""
    found = {"games": await _rows_where(db, games, games.c.id.in_(ids))}
    for table in _OF_GAME:
        found[table.name] = await _rows_where(db, table, table.c.game.in_(ids))
    own = conditionals.c.game.in_(ids), conditionals.c.user == user
    found["conditionals"] = await _rows_where(db, conditionals, *own)
    return found


async def turns_of_games(db: Connection, ids: Collection[int]) -> tuple[list[Row], list[Row]]:
    """Return the rows of these games, and those of their turns."""
    of_games = await _rows_where(db, games, games.c.id.in_(ids))
    return of_games, await _rows_where(db, turns, turns.c.game.in_(ids))
