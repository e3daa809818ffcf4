"""Time credited to players because the bot was down or a board was posted late."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.service.delivery import board_message
from gipfbot.service.kit.followups import Followups
from gipfbot.store import Connection, meta, outbox

# Called with (db, seconds, now) when all clocks are credited for time in which nobody could play.
when_downtime_credited = Followups[[Connection, int, int]]()
LAST_ALIVE_KEY = "last_alive"
MIN_DOWNTIME = 120  # seconds; a shorter gap between two signs of life is no downtime


async def since(db: Connection, now: int) -> int | None:
    """Return when the current downtime began, in UTC seconds, or None if the bot was not down."""
    last = await _last_alive(db, now)
    return last if now - last > MIN_DOWNTIME else None


async def clock_now(db: Connection, now: int) -> int:
    """Return the time to use for changes of a game's clock, in UTC seconds.

    This time is `now`. If `now` is before the bot's last sign of life, because the host's clock was set back, it is the
    time of that last sign of life.
    """
    return now + await rollback(db, now)


async def rollback(db: Connection, now: int) -> int:
    """Return the seconds by which the host's clock is behind the bot's last sign of life; 0 if it is not."""
    return max(0, await _last_alive(db, now) - now)


async def _last_alive(db: Connection, now: int) -> int:
    return int(await meta.load_value(db, LAST_ALIVE_KEY) or now)


async def note_alive(db: Connection, now: int) -> None:
    """Record that the bot is alive now."""
    await meta.save_value(db, LAST_ALIVE_KEY, str(now))


async def note_heartbeat(db: Connection, now: int) -> None:
    """Record that the bot is alive now, unless that would hide a downtime or a rollback of the host's clock."""
    if 0 <= now - await _last_alive(db, now) <= MIN_DOWNTIME:
        await note_alive(db, now)


async def credit_downtime(db: Connection, game: Game, mover: Colour, now: int) -> Game:
    """Return the game with its clock credited for time in which `mover`, the player to move, could not play.

    If the bot was down and that downtime is not recorded yet, the time begins with the bot's last sign of life. If a
    late board of the game is still not posted, the time begins when that board was queued. If both are true, the
    earlier moment counts. The time ends at `now`. Call this before any change of the clock.
    """
    if game.clock is None:
        return game
    moments = [at for at in (await since(db, now), await board_unseen_since(db, game.id, now)) if at is not None]
    return match.credit_game_clock(game, mover, min(moments), now) if moments else game


async def board_unseen_since(db: Connection, game: int, now: int) -> int | None:
    """Return when the late board of a game was queued, in UTC seconds; None if no late board waits to be posted."""
    owed = await outbox.owed_since(db, game, board_message.BOARD)
    return None if owed is None or is_timely(owed, now) else owed


def is_timely(created_at: int, now: int) -> bool:
    """Return whether a message is still in time at `now`, so that its reader is not credited for the wait.

    `created_at` is when the message was queued, in UTC seconds.
    """
    return now - created_at <= MIN_DOWNTIME
