"""The beginning of a game: its row, its clock and its first reminder."""

from gipfbot.match import Seat, Terms
from gipfbot.rules import ByColour, Colour, Ruleset
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.clock.vacations import begin_in_vacation
from gipfbot.store import Connection, games
from gipfbot.values import StoredGame, Venue

from .house_turns import plan_house_turn


async def begin_game(
    db: Connection,
    ruleset: Ruleset,
    seats: ByColour[Seat],
    venue: Venue,
    terms: Terms,
    now: int,
    bank: ByColour[int] | None = None,
    origin: int | None = None,
) -> StoredGame:
    """Add a new game, and return it. Its clock runs, unless White is on vacation or the house player.

    `bank` is time carried over from another game, in seconds. `origin` is the id of the challenge that led to this
    game.
    """
    away = [await begin_in_vacation(db, seat.user, terms, now) for seat in seats]
    paused = terms.time_control is not None and away[Colour.WHITE] is not None
    what = ruleset, seats, venue, await downtime.clock_now(db, now), terms, bank
    stored = await games.add_game(db, *what, paused=paused, origin=origin)
    await reminders.plan_reminder(db, stored.game)
    await plan_house_turn(db, stored.game, now)
    return stored
