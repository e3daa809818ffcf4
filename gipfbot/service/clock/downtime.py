"""Time in which a player could not play, or not see their turn: the bot was down, or a board was not posted yet."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.service.delivery import board_message
from gipfbot.service.kit.followups import Followups
from gipfbot.store import Connection, meta, outbox

# Run when all clocks are credited with time in which nobody could play: (db, seconds, now).
when_downtime_credited = Followups[[Connection, int, int]]()
LAST_ALIVE_KEY = "last_alive"
MIN_DOWNTIME = 120  # seconds without a sign of life; a shorter gap is no downtime


async def since(db: Connection, now: int) -> int | None:
    """Return since when the bot has been down until now, None if it has not."""
    last = await _last_alive(db, now)
    return last if now - last > MIN_DOWNTIME else None


async def clock_now(db: Connection, now: int) -> int:
    """Return the moment for a change to a clock: now, or the last sign of life if the host's clock was set back."""
    return now + await rollback(db, now)


async def rollback(db: Connection, now: int) -> int:
    """Return the seconds by which the host's clock is behind the last sign of life."""
    return max(0, await _last_alive(db, now) - now)


async def _last_alive(db: Connection, now: int) -> int:
    return int(await meta.load_value(db, LAST_ALIVE_KEY) or now)


async def note_alive(db: Connection, now: int) -> None:
    """Note that the bot is alive now."""
    await meta.save_value(db, LAST_ALIVE_KEY, str(now))


async def note_heartbeat(db: Connection, now: int) -> None:
    """Note that the bot is alive now, unless that would hide a downtime or a rollback of the host's clock."""
    if 0 <= now - await _last_alive(db, now) <= MIN_DOWNTIME:
        await note_alive(db, now)


async def credit_downtime(db: Connection, game: Game, mover: Colour, now: int) -> Game:
    """Return the game with its clock, `mover`'s, credited with a downtime that is not noted yet.

    That is a downtime of the bot that lasts until now, or the wait of a board that is not posted yet. Call this
    before the clock changes.
    """
    if game.clock is None:
        return game
    moments = [at for at in (await since(db, now), await board_unseen_since(db, game.id, now)) if at is not None]
    return match.credit_game_clock(game, mover, min(moments), now) if moments else game


async def board_unseen_since(db: Connection, game: int, now: int) -> int | None:
    """Return since when a board of a game has waited to be posted, None if none is late."""
    owed = await outbox.owed_since(db, game, board_message.BOARD)
    return None if owed is None or is_timely(owed, now) else owed


def is_timely(created_at: int, now: int) -> bool:
    """Return whether a message that is owed since then costs nobody time if it is posted now."""
    return now - created_at <= MIN_DOWNTIME
