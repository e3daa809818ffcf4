"""The beginning of a game, and what it asks of the house player.

What the house player has to do is a due row, which outlives crashes and restores with its game. It is bound to a
version of the game, so a row is never mistaken for a newer one.
"""

from gipfbot.match import Game, Seat, Terms
from gipfbot.rules import ByColour, Colour, Ruleset
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.clock.vacations import begin_in_vacation
from gipfbot.store import Connection, due, games
from gipfbot.values import StoredGame, Venue

HOUSE = "house"  # the kind of the due row
BY_STAND_IN = "stand-in"  # how a turn was entered: the bot's own search goes on for the game's engine from here on
BY_FALLBACK = "fallback"  # the same: no engine gave an answer, so it is the first turn that the rules allow


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


async def plan_house_turn(db: Connection, game: Game, now: int) -> None:
    """Plan a decision of the house player, if the game waits for it. Its other plans in this game are over."""
    if game.terms.house:
        await due.unschedule_in_game(db, HOUSE, game.id, "")
        if game.house_decides and game.asked is not None:
            await schedule_house(db, game, now)


async def schedule_house(db: Connection, game: Game, now: int) -> None:
    """Schedule a look of the house player at a game against it: it may be asked for a turn, or for a draw."""
    assert game.terms.house
    await due.schedule(db, house_key(game), HOUSE, now, game.terms.house.user, game.id)


def house_key(game: Game) -> str:
    """Return the key of the house player's due row for this version of a game."""
    return f"{HOUSE}:{game.id}:{game.version}"
