"""Clocks that pause and resume, each saved together with the reminder that its player then needs."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.service.delivery.venues import before_relocation
from gipfbot.store import Connection, clocks
from gipfbot.values import StoredGame

from . import downtime, reminders


async def pause_and_save(db: Connection, game: Game, now: int) -> Game:
    """Pause the clock of the player to move; return the game. A clock whose flag has fallen runs on."""
    in_time = await downtime.credit_downtime(db, game, game.position.mover, now)
    return await save_clock_and_reminder(db, match.pause_game_clock(in_time, await downtime.clock_now(db, now)))


async def resume_and_save(db: Connection, game: Game, now: int) -> Game:
    """Let the clock of the player to move run on with the time they have left; return the game.

    In a downtime that is not noted yet it runs from its beginning: the next pass of the flag watch credits all of it.
    """
    return await save_clock_and_reminder(
        db, match.resume_game_clock(game, await downtime.since(db, now) or await downtime.clock_now(db, now))
    )


@before_relocation
async def credit_before_relocation(db: Connection, stored: StoredGame, now: int) -> None:
    """Credit the time that a late board has cost its player: only its row tells, which is about to be dropped."""
    game = stored.game
    if game.asked is not None and game.clock:
        await save_clock_and_reminder(db, await downtime.credit_downtime(db, game, game.position.mover, now))


async def save_clock_and_reminder(db: Connection, game: Game) -> Game:
    """Save a game in which only the clock has changed, and plan its reminder; return it."""
    await clocks.save_clock(db, game)
    await reminders.plan_reminder(db, game)
    return game
