"""Time in which nobody could play or see that he had to: while the bot was away, or a board waited to be posted."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.service.delivery import board_message
from gipfbot.service.kit.followups import Followups
from gipfbot.store import Connection, meta, outbox

# Run when all clocks are credited with time in which nobody could play: (db, seconds, now).
when_downtime_credited = Followups[[Connection, int, int]]()
LAST_ALIVE_KEY = "last_alive"
MIN_DOWNTIME = 120  # seconds without a sign of life after which the bot counts as having been away


async def since(db: Connection, now: int) -> int | None:
    """Return since when the bot has been away until now, None where it has not."""
    last = await _last_alive(db, now)
    return last if now - last > MIN_DOWNTIME else None


async def clock_now(db: Connection, now: int) -> int:
    """Return the moment at which a clock is changed now: when the host's clock is set back, none goes back by that."""
    return now + await rollback(db, now)


async def rollback(db: Connection, now: int) -> int:
    """Return by how many seconds the host's clock is behind the last sign of life."""
    return max(0, await _last_alive(db, now) - now)


async def _last_alive(db: Connection, now: int) -> int:
    return int(await meta.load_value(db, LAST_ALIVE_KEY) or now)


async def note_alive(db: Connection, now: int) -> None:
    """Note that the bot is there now."""
    await meta.save_value(db, LAST_ALIVE_KEY, str(now))


async def note_heartbeat(db: Connection, now: int) -> None:
    """Note that the bot is there now, unless that hid an absence, or that the host's clock was set back."""
    if 0 <= now - await _last_alive(db, now) <= MIN_DOWNTIME:
        await note_alive(db, now)


async def credit_downtime(db: Connection, game: Game, mover: Colour, now: int) -> Game:
    """Return a game whose clock, `mover`'s, is about to change, with what has cost him time and is not noted yet.

    That is an absence of the bot, or a board that has not told him until now.
    """
    if game.clock is None:
        return game
    moments = [at for at in (await since(db, now), await board_unseen_since(db, game.id, now)) if at is not None]
    return match.credit_game_clock(game, mover, min(moments), now) if moments else game


async def board_unseen_since(db: Connection, game: int, now: int) -> int | None:
    """Return since when a board of a game waits to be posted, None where none has for long."""
    owed = await outbox.owed_since(db, game, board_message.BOARD)
    return None if owed is None or is_timely(owed, now) else owed


def is_timely(created_at: int, now: int) -> bool:
    """Return whether a message that has been owed since then costs nobody time if it is posted now."""
    return now - created_at <= MIN_DOWNTIME
