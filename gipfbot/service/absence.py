"""When the bot was last there: what time has passed since then costs nobody anything."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.store import Connection, meta

ALIVE = "last_alive"
AWAY = 120  # seconds without a sign of life after which the bot counts as having been away


async def since(db: Connection, now: int) -> int | None:
    """Return since when the bot has been away until now, None where it has not."""
    last = await _last(db, now)
    return last if now - last > AWAY else None


async def moment(db: Connection, now: int) -> int:
    """Return the moment at which a clock is changed now: when the host's clock is set back, none goes back by that."""
    return max(now, await _last(db, now))


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
    """Return a game whose clock, `mover`'s, is about to change, with what an absence not noted yet has cost him."""
    last = await since(db, now) if game.clock else None
    return game if last is None else match.given_back(game, mover, last, now)
