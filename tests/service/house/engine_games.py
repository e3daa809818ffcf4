"""Games against an engine that a person has chosen."""

from dataclasses import replace

from gipfbot.match import UNTIMED, Game, House, Seat, Side
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.store import games
from tests.support.people import ANN, HOME

GF1 = Seat(10**18 + 99, "gf1 Casual")


async def begin(app: App, engine: str) -> Game:
    """Return a new game in which Ann, Black, has chosen this engine."""
    terms = replace(UNTIMED, house=House(5, GF1.user, engine))
    return (await app.lobby.challenge_house(ANN, GF1, STANDARD, Side.BLACK, HOME, terms)).game


async def entered(app: App, game_id: int) -> list[str]:
    """Return how the turns of a game were entered."""
    async with app.games.store.reading() as db:
        return [turn.how for turn in await games.turns_of(db, game_id)]
