"""Time in which nobody could play or see that he had to: while the bot was away, or a board waited to be posted."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.store import Connection, meta, outbox

from . import boards

ALIVE = "last_alive"
AWAY = 120  # seconds without a sign of life after which the bot counts as having been away


async def since(db: Connection, now: int) -> int | None:
    """Return since when the bot has been away until now, None where it has not."""
    last = await _last(db, now)
    return last if now - last > AWAY else None


async def moment(db: Connection, now: int) -> int:
    """Return the moment at which a clock is changed now: when the host's clock is set back, none goes back by that."""
    return now + await set_back(db, now)


async def set_back(db: Connection, now: int) -> int:
    """Return by how many seconds the host's clock is behind the last sign of life."""
    return max(0, await _last(db, now) - now)


async def _last(db: Connection, now: int) -> int:
    return int(await meta.get(db, ALIVE) or now)


async def note_alive(db: Connection, now: int) -> None:
    """Note that the bot is there now."""
    await meta.put(db, ALIVE, str(now))


async def beat(db: Connection, now: int) -> None:
    """Note that the bot is there now, unless that hid an absence, or that the host's clock was set back."""
    if 0 <= now - await _last(db, now) <= AWAY:
        await note_alive(db, now)


async def made_good(db: Connection, game: Game, mover: Colour, now: int) -> Game:
    """Return a game whose clock, `mover`'s, is about to change, with what has cost him time and is not noted yet.

    That is an absence of the bot, or a board that has not told him until now.
    """
    if game.clock is None:
        return game
    moments = [at for at in (await since(db, now), await unseen_since(db, game.id, now)) if at is not None]
    return match.credit_game_clock(game, mover, min(moments), now) if moments else game


async def unseen_since(db: Connection, game: int, now: int) -> int | None:
    """Return since when a board of a game waits to be posted, None where none has for long."""
    owed = await outbox.owed_since(db, game, boards.KIND)
    return None if owed is None or is_timely(owed, now) else owed


def is_timely(created: int, now: int) -> bool:
    """Return whether a message that has been owed since then costs nobody time if it is posted now."""
    return now - created <= AWAY
