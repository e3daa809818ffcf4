"""Answers left in advance: the lines of a game's players. Those for turns that are past have lapsed."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, insert, select, update

from gipfbot.match.conditionals import ConditionalLine
from gipfbot.rules import Action

from .codes import parse_turns, turns_text
from .database import Connection
from .tables import conditionals


async def add_conditional_line(
    db: Connection, game: int, user: int, turn_number: int, turns: Sequence[Sequence[Action]], now: int
) -> None:
    """Keep a line of a player, whose first turn comes after `number` others. Not checked: whether it is legal."""
    values = {"game": game, "user": user, "turn_number": turn_number, "turns": turns_text(turns), "created_at": now}
    await db.execute(insert(conditionals).values(values))


async def conditional_lines(db: Connection, game: int) -> list[ConditionalLine]:
    """Return all lines of a game, oldest first."""
    rows = await db.execute(select(conditionals).where(conditionals.c.game == game).order_by(conditionals.c.id))
    return [ConditionalLine(row.id, row.user, row.turn_number, parse_turns(row.turns)) for row in rows]


async def advance_line(db: Connection, line: ConditionalLine) -> None:
    """Keep what is left of a line after its answer, if anything."""
    if left := line.remaining_line:
        values = {"turn_number": left.turn_number, "turns": turns_text(left.turns)}
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
