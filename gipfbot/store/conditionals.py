"""Conditional lines: turns that players have chosen in advance. A line for a past turn is discarded."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update

from gipfbot.match.conditionals import ConditionalLine
from gipfbot.rules import Action

from .database import Connection, read_each
from .game_rows import parse_turns, turns_text
from .tables import conditionals

# Built once, because each turn needs it.
_LINES = select(conditionals).where(conditionals.c.game == bindparam("in_game")).order_by(conditionals.c.id)


async def add_conditional_line(
    db: Connection,
    game: int,
    user: int,
    turn_number: int,
    turns: Sequence[Sequence[Action]],
    now: int,
    drafted: int = 0,
) -> None:
    """Store a player's line that begins after `turn_number` turns and `drafted` actions of an unfinished turn.

    Does not check whether the line is legal.
    """
    begins = {"game": game, "user": user, "turn_number": turn_number, "drafted": drafted}
    values = {**begins, "turns": turns_text(turns), "created_at": now}
    await db.execute(insert(conditionals).values(values))


async def conditional_lines(db: Connection, game: int) -> list[ConditionalLine]:
    """Return the lines of a game, oldest first. Lines that cannot be read are left out."""
    rows = await db.execute(_LINES, {"in_game": game})
    return read_each(db, rows, "conditional", _line_from_row)


async def lines_in_games(db: Connection, in_games: Collection[int], user: int) -> list[tuple[int, ConditionalLine]]:
    """Return a person's lines in these games, oldest first, each after its game. Unreadable lines are left out."""
    query = select(conditionals).where(conditionals.c.game.in_(in_games), conditionals.c.user == user)
    rows = await db.execute(query.order_by(conditionals.c.id))
    return read_each(db, rows, "conditional", lambda row: (row.game, _line_from_row(row)))


def _line_from_row(row: Row[Any]) -> ConditionalLine:
    return ConditionalLine(row.id, row.user, row.turn_number, parse_turns(row.turns), row.drafted)


async def advance_line(db: Connection, line: ConditionalLine, left: ConditionalLine | None) -> None:
    """Save what is `left` of a line after its first reply; delete the line if nothing is left."""
    if left:
        values = {"turn_number": left.turn_number, "drafted": left.drafted, "turns": turns_text(left.turns)}
        await db.execute(update(conditionals).where(conditionals.c.id == line.id).values(values))
    else:
        await delete_lines(db, [line])


async def delete_lines(db: Connection, gone: Collection[ConditionalLine]) -> None:
    """Delete these lines."""
    if gone:
        await db.execute(delete(conditionals).where(conditionals.c.id.in_([line.id for line in gone])))


async def delete_lines_of_game(db: Connection, game: int) -> None:
    """Delete all lines of a game."""
    await db.execute(delete(conditionals).where(conditionals.c.game == game))
