"""Guesses of spectators. Nobody but their author reads one before its turn is played."""

from typing import Any

from sqlalchemy import Row, and_, bindparam, case, func, insert, select, update

from gipfbot.match.guess import EXACT_POINTS, PUSH_POINTS
from gipfbot.rules import Action
from gipfbot.values import Guess, GuessScore

from .codes import actions_text, parse_actions
from .database import Connection
from .unreadable import READ_ERRORS, log_once
from .watching_tables import guesses

# Built once, because each turn needs it.
_GUESSED = (
    select(guesses.c.actions)
    .where(guesses.c.game == bindparam("in_game"), guesses.c.turn_serial == bindparam("shown_turn_serial"))
    .distinct()
)


async def save_guess(db: Connection, guess: Guess, now: int) -> None:
    """Save a person's guess of a turn. It replaces their earlier one.

    Does not check whether the turn has been played.
    """
    which = guesses.c.game == guess.game, guesses.c.turn_serial == guess.turn_serial, guesses.c.user == guess.user
    values = {"actions": actions_text(guess.actions), "guessed_at": now}
    if not (await db.execute(update(guesses).where(*which).values(values))).rowcount:
        key = {"game": guess.game, "turn_serial": guess.turn_serial, "user": guess.user}
        await db.execute(insert(guesses).values(**key, **values))


async def guess_of(db: Connection, user: int, game: int, turn_serial: int) -> Guess | None:
    """Return a person's own guess of a turn. None if there is none, or if it cannot be read."""
    which = and_(guesses.c.game == game, guesses.c.turn_serial == turn_serial, guesses.c.user == user)
    row = (await db.execute(select(guesses).where(which))).one_or_none()
    return _read_guess(db, row) if row else None


def _read_guess(db: Connection, row: Row[Any]) -> Guess | None:
    try:
        return Guess(row.game, row.turn_serial, row.user, parse_actions(row.actions), row.points)
    except READ_ERRORS as error:
        log_once(db, f"guess in game {row.game}", error)
        return None


async def guessed_turns(db: Connection, game: int, turn_serial: int) -> dict[str, tuple[Action, ...]]:
    """Return the different turns that people have guessed, by their codes. Call this only once the turn is played."""
    codes = await db.scalars(_GUESSED, {"in_game": game, "shown_turn_serial": turn_serial})
    return {text: parse_actions(text) for text in codes}


async def set_points(db: Connection, game: int, turn_serial: int, actions: str, points: int) -> None:
    """Save the points of all guesses of a turn that have these actions, by their codes."""
    which = guesses.c.game == game, guesses.c.turn_serial == turn_serial, guesses.c.actions == actions
    await db.execute(update(guesses).where(*which).values(points=points))


async def guess_score(db: Connection, user: int) -> GuessScore:
    """Return how well a person has guessed. Guesses whose turns have not been played do not count."""
    points = guesses.c.points
    counts = (func.coalesce(func.sum(case((points == value, 1), else_=0)), 0) for value in (EXACT_POINTS, PUSH_POINTS))
    query = select(func.count(), *counts, func.coalesce(func.sum(points), 0))
    row = (await db.execute(query.where(guesses.c.user == user, points.is_not(None)))).one()
    return GuessScore(*row)
