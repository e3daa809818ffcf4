"""Games of Ann against the bot."""

from dataclasses import replace

from gipfbot.match import UNTIMED, House, Seat, Side, Terms
from gipfbot.rules import STANDARD, Position, Ruleset
from gipfbot.service.app import App
from gipfbot.service.house.house_player import HouseDone
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.service.play.turn import HOUSE
from gipfbot.store import due
from gipfbot.values import StoredGame, Venue
from tests.service.helpers import posted, put
from tests.support.background_work import do_next_task
from tests.support.people import ANN, HOME

BOT = Seat(10**18 + 99, "GIPF Casual")


async def begin(
    app: App,
    side: Side = Side.WHITE,
    level: int = 2,
    terms: Terms = UNTIMED,
    ruleset: Ruleset = STANDARD,
    venue: Venue = HOME,
) -> GameUpdate:
    """Return a new game of Ann against the bot. It is private with PRIVATE_VENUE."""
    terms = replace(terms, house=House(level, BOT.user))
    return await app.lobby.challenge_house(ANN, BOT, ruleset, side, venue, terms)


async def act(app: App) -> list[HouseDone]:
    """Let the house player do all that is due."""
    done = list[HouseDone]()
    while one := await do_next_task(app):
        done.append(one)
    return done


async def placed(app: App, position: Position, level: int = 2, side: Side = Side.WHITE) -> int:
    """Return a game of Ann against the bot at this position."""
    stored = (await begin(app, side, level, ruleset=position.rules)).stored
    await put(app, stored, position=position)
    await posted(app.games.store)
    return stored.game.id


async def planned(app: App) -> list[str]:
    """Return the keys of all that the house player has to do."""
    async with app.games.store.reading() as db:
        return [row.key for row in await due.unfinished_rows(db, HOUSE)]


async def game(app: App, game_id: int) -> StoredGame:
    return await app.games.game(game_id)
