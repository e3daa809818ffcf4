"""People, places and games for the tests of the store."""

from random import Random

from gipfbot.match import Game, Performed, Seat, perform
from gipfbot.rules import STANDARD, ByColour, Ruleset, legal
from gipfbot.store import Connection, Store, games
from gipfbot.values import StoredGame, Trouble, Venue
from tests.rules.generate import at_random, row_seeking
from tests.support.people import ANN, BOB, HOME
from tests.support.times import NOW

MESSAGE = 10**18 + 30


async def added(
    store: Store, ruleset: Ruleset = STANDARD, seats: ByColour[Seat] = (ANN, BOB), home: Venue = HOME, now: int = NOW
) -> Game:
    """Store a new game and return it."""
    async with store.transaction() as db:
        return (await games.add_game(db, ruleset, seats, home, now)).game


async def loaded(store: Store, game_id: int) -> StoredGame:
    """Return a stored game; fail if there is none."""
    async with store.reading() as db:
        stored = await games.load_game(db, game_id)
    assert stored
    return stored


def answered(game: Game, rng: Random) -> Performed:
    """Return the game after one action of a player who mostly seeks rows."""
    assert game.asked is not None
    policy = row_seeking if rng.random() < 0.8 else at_random
    return perform(game, game.seats[game.asked].user, [policy(game.current, legal(game.current), rng)])


async def save(db: Connection, before: Game, after: Performed, now: int = NOW) -> None:
    """Save what the player to move has done."""
    assert before.asked is not None
    by = before.seats[before.asked].user
    await games.save_game(db, before, after.game, after.turn, by=by, how="buttons", now=now)


async def played(store: Store, game: Game, turns: int, now: int = NOW) -> Game:
    """Play so many turns of a stored game; return the game after them."""
    rng, until = Random(game.id), game.turn_number + turns
    while game.turn_number < until:
        after = answered(game, rng)
        async with store.transaction() as db:
            await save(db, game, after, now)
        game = after.game
    return game


def current_trouble(store: Store) -> Trouble | None:
    """Return what is wrong with the database now. A type checker takes an attribute for what it was before."""
    return store.troubles.current


async def fill_with_a_game(url: str) -> None:
    """Make the tables of a database, and a game of 4 turns."""
    store = await Store.open_database(url)
    await played(store, await added(store), 4)
    await store.close()
