"""Finished games, with or without an analysis by hand, for tests of what is shown of them."""

from gipfbot.match.analysis import FoundTurn
from gipfbot.rules import Push, legal
from gipfbot.service.records.analyses import positions_of_game
from gipfbot.store import analyses, games
from gipfbot.values import AnalysisState
from tests.service.helpers import play_on
from tests.support.games import PLAYED
from tests.ui.world import World, deliver

BEST, SECOND = 250, 20  # White's best and second turn in the place of the blunder


async def finished(world: World) -> int:
    """Return a game of Ann and Bob that Ann has resigned after three turns, with its last board posted."""
    game = await world.begin()
    await play_on(world.bot.app, game, *PLAYED[:3])
    await world.bot.app.games.resign(game, world.ann.id)
    await world.bot.app.outbox.release_leases()
    await deliver(world)
    return game


async def analysed(world: World, best_score: int = BEST) -> int:
    """Return a finished game with an analysis by hand: White's second turn is a blunder, unless the best is no better.

    `best_score` is that of White's best turn in its place.
    """
    game = await finished(world)
    async with world.store.transaction() as db:
        turns = [turn.actions for turn in await games.turns_of(db, game)]
        positions = positions_of_game((await world.game(game)).ruleset, turns)
        free = [(action,) for action in legal(positions[2]) if isinstance(action, Push) and (action,) != turns[2]]
        best = tuple(
            FoundTurn(actions, score, (actions,)) for actions, score in zip(free, (best_score, SECOND), strict=False)
        )
        others = [(FoundTurn((legal(position)[0],), 10, ()),) for position in positions]
        known = await analyses.add_analysis(db, game, 3, 0, 2**40)
        found = (known.found[0], (FoundTurn(turns[1], 10, (turns[1],)),), best, others[3])
        await analyses.save_found(db, known, type(known)(game, AnalysisState.DONE, 3, found))
    return game
