"""Pause and resume clocks. Saving a clock also plans the reminder of the player to move."""

from collections.abc import Sequence

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
    in_time, clock_now = await downtime.credit_until_now(db, game, game.decider, now)
    return await save_clock_and_reminder(db, match.pause_game_clock(in_time, clock_now))


async def with_pause_since(db: Connection, game: Game, since: int, now: int) -> Game:
    """Return the game with the clock paused as `pause_and_save` would have done at `since`. Does not save it.

    After the host's clock was set back, the clock is paused as of now.
    """
    moment = await downtime.clock_now(db, now, game.id) if await downtime.rollback(db, now, game.id) else since
    in_time = await downtime.credit_downtime(db, game, game.decider, min(moment, now))
    return match.pause_game_clock(in_time, moment)


async def resume_and_save(db: Connection, game: Game, now: int) -> Game:
    """Resume the clock of the player to move with the time they have left, and return the game."""
    return await save_clock_and_reminder(db, await with_clock_resumed(db, game, now))


async def with_clock_resumed(db: Connection, game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move resumed with the time they have left. Does not save it."""
    return match.resume_game_clock(game, await downtime.resumption_moment(db, now, game.id))


async def with_pause_annulled(db: Connection, game: Game, paused_at: int, now: int) -> Game:
    """Return the game with the clock of the player to move as if it had run since `paused_at`. Does not save it.

    In a downtime that is not recorded yet, or after the host's clock was set back, the clock is resumed as usual.
    """
    moment = await downtime.resumption_moment(db, now, game.id)
    return match.resume_game_clock(game, paused_at if moment == now else moment)


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


async def save_clocks_and_reminders(db: Connection, user: int, changed: Sequence[Game]) -> None:
    """Save games that wait for one person, in which only the clock has changed, and plan their reminders."""
    await clocks.save_clocks(db, changed)
    await reminders.plan_reminders(db, user, changed)
