"""The beginning of a game: its row, its clock and its first reminder."""

from gipfbot.match import Seat, Terms
from gipfbot.rules import ByColour, Colour, Ruleset
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.settings.servers import vacation_ends
from gipfbot.store import Connection, games
from gipfbot.values import StoredGame, Venue


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
    """Add a new game, and return it. Its clock runs, unless White is on vacation.

    `bank` is time carried over from another game, in seconds. `origin` is the id of the challenge that led to this
    game.
    """
    paused = terms.time_control is not None and bool(await vacation_ends(db, [seats[Colour.WHITE].user], venue.server))
    what = ruleset, seats, venue, await downtime.clock_now(db, now), terms, bank
    stored = await games.add_game(db, *what, paused=paused, origin=origin)
    await reminders.plan_reminder(db, stored.game)
    return stored
