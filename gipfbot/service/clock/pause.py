"""Pause and resume clocks. Saving a clock also plans the reminder of the player to move."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.service.delivery.venues import before_relocation
from gipfbot.store import Connection, clocks
from gipfbot.values import StoredGame

from . import downtime, reminders


async def pause_and_save(db: Connection, game: Game, now: int) -> Game:
    """Pause the clock of the player to move, and return the game.

    Exception: an overdue clock, or the clock of a flagged player, runs on. Downtime that is not recorded yet is
    credited first.
    """
    in_time = await downtime.credit_downtime(db, game, game.decider, now)
    return await save_clock_and_reminder(db, match.pause_game_clock(in_time, await downtime.clock_now(db, now)))


async def pause_since_and_save(db: Connection, game: Game, since: int, now: int) -> Game:
    """Pause the clock of the player to move as `pause_and_save` would have done at `since`, and return the game.

    After the host's clock was set back, the clock is paused as of now.
    """
    if await downtime.rollback(db, now):
        return await pause_and_save(db, game, now)
    in_time = await downtime.credit_downtime(db, game, game.decider, since)
    return await save_clock_and_reminder(db, match.pause_game_clock(in_time, since))


async def resume_and_save(db: Connection, game: Game, now: int) -> Game:
    """Resume the clock of the player to move with the time they have left, and return the game.

    If the bot was down and that downtime is not recorded yet, the clock resumes as of the downtime's beginning. The
    next pass of the flag watch then credits the whole downtime.
    """
    return await save_clock_and_reminder(
        db, match.resume_game_clock(game, await downtime.since(db, now) or await downtime.clock_now(db, now))
    )


async def annul_pause_and_save(db: Connection, game: Game, paused_at: int, now: int) -> Game:
    """Resume the clock of the player to move as if it had run since `paused_at`, and return the game.

    In a downtime that is not recorded yet, or after the host's clock was set back, the clock is resumed as usual.
    """
    if await downtime.since(db, now) or await downtime.rollback(db, now):
        return await resume_and_save(db, game, now)
    return await save_clock_and_reminder(db, match.resume_game_clock(game, paused_at))


@before_relocation
async def credit_before_relocation(db: Connection, stored: StoredGame, now: int) -> None:
    """Credit the player to move for downtime and for the delay of a board that is not posted yet.

    This happens before a relocation, because the relocation drops the board's outbox row.
    """
    game = stored.game
    if game.asked is not None and game.clock:
        await save_clock_and_reminder(db, await downtime.credit_downtime(db, game, game.decider, now))


async def save_clock_and_reminder(db: Connection, game: Game) -> Game:
    """Save a game in which only the clock has changed, and plan its reminder. Return the game."""
    await clocks.save_clock(db, game)
    await reminders.plan_reminder(db, game)
    return game
