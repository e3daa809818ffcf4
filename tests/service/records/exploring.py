"""Games that have ended, and what the explorer counts of them."""

from collections.abc import Sequence
from random import Random

from gipfbot.match import Status
from gipfbot.match.study import Study
from gipfbot.rules import BASIC, Ruleset, legal
from gipfbot.service.app import App
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.service.checking.opening_counts import KEYS, LEAST_KEY
from gipfbot.store import Store, explorer
from gipfbot.values import ExploredTurn
from tests.rules.generate import row_seeking
from tests.service.helpers import begin_game, play_on
from tests.support.people import ANN, BOB


async def count_all(app: App) -> int:
    """Let the sweep count all games that have ended. Return how many it counted."""
    total = 0
    while found := await app.explorer.count_ended():
        total += found
    return total


async def ended(app: App, *turns: str, ruleset: Ruleset = BASIC, white_wins: bool = True) -> int:
    """Return a game of Ann, White, and Bob with these turns, which one of them has resigned."""
    game = (await begin_game(app, ruleset=ruleset)).game
    await play_on(app, game.id, *turns)
    await app.games.resign(game.id, BOB.user if white_wins else ANN.user)
    return game.id


async def played_out(app: App, ruleset: Ruleset, seed: int, most: int = 400) -> int:
    """Return a game of random actions. If it is not over after so many, the player who is asked resigns."""
    game, rng = (await begin_game(app, ruleset=ruleset)).game, Random(seed)
    for _ in range(most):
        if game.asked is None:
            break
        action = row_seeking(game.current, legal(game.current), rng)
        game = (await app.games.play_actions(game.id, game.seats[game.asked].user, [action])).game
    if game.status is Status.RUNNING:
        assert game.asked is not None
        await app.games.resign(game.id, game.seats[game.asked].user)
    return game.id


def at_start(ruleset: Ruleset = BASIC) -> Study:
    """Return a study that shows the start of a game."""
    return Study(0, ruleset, ("White", "Black"), ())


async def table(store: Store) -> Sequence[ExploredTurn]:
    """Return all counted turns."""
    async with store.reading() as db:
        return list((await explorer.explored_between(db, LEAST_KEY, LEAST_KEY + KEYS - 1)).values())


async def count_differences(store: Store) -> int:
    """Return how many counts differ from a recount of all games, as the check of the database finds it."""
    found = [said async for said in DatabaseCheck(store, lambda: 0).differences() if said.startswith("counts of the")]
    return int(found[0].rpartition(": ")[2]) if found else 0
