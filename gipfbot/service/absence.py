"""When the bot was last there: what time has passed since then costs nobody anything."""

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.store import Connection, meta

ALIVE = "last_alive"
AWAY = 120  # seconds without a sign of life after which the bot counts as having been away


async def since(db: Connection, now: int, away: int | None = None) -> int | None:
    """Return since when the bot has been away until now, None where it has not; `away` is as AWAY."""
    last = int(await meta.get(db, ALIVE) or now)
    return last if now - last > (AWAY if away is None else away) else None


async def note_alive(db: Connection, now: int) -> None:
    """Note that the bot is there now."""
    await meta.put(db, ALIVE, str(now))


async def made_good(db: Connection, game: Game, mover: Colour, now: int) -> Game:
    """Return a game whose clock, `mover`'s, is about to change, with what an absence not noted yet has cost him."""
    last = await since(db, now) if game.clock else None
    return game if last is None else match.given_back(game, mover, last, now)
