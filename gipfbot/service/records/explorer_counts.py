"""Count the turns of finished games for the explorer, and count them again to compare."""

import logging
from collections.abc import Iterable, Sequence

from gipfbot.match.explorer import ExploredStep, explored_steps
from gipfbot.notation import parse_action_code
from gipfbot.rules import Ruleset
from gipfbot.service.kit.batches import BATCH_SIZE
from gipfbot.store import Store, explorer
from gipfbot.store.unreadable import READ_ERRORS
from gipfbot.values import EndedLine, ExploredTurn

log = logging.getLogger(__name__)
CountedTurns = dict[ExploredStep, ExploredTurn]
_SCORES = ("1-0", "1/2-1/2", "0-1")  # a void game has none of these


def steps_of_games(ended: Sequence[EndedLine]) -> list[tuple[ExploredStep, ...]]:
    """Return what counts of each of these games. Void and cancelled games have nothing that counts.

    Nor has a game whose turns cannot be read. This replays many turns: run it aside.
    """
    return [_steps_of_game(line) if line.score in _SCORES else () for line in ended]


def _steps_of_game(line: EndedLine) -> tuple[ExploredStep, ...]:
    try:
        turns = [tuple(map(parse_action_code, codes.split())) for codes in line.turns]
        return explored_steps(Ruleset.from_data(dict(line.ruleset)), turns)
    except READ_ERRORS as error:
        kind = type(error).__name__  # what it says may quote a turn
        log.warning("the explorer leaves out game %d, whose turns cannot be played: %s", line.game, kind)
        return ()


def sum_turns(games: Iterable[tuple[EndedLine, tuple[ExploredStep, ...]]]) -> CountedTurns:
    """Return in how many of these games each turn was played."""
    sums = CountedTurns()
    for line, steps in games:
        for step in steps:
            white, drawn, black = (int(line.score == score) for score in _SCORES)
            one = ExploredTurn(step.turn, white, drawn, black, (line.game,))
            sums[step] = sums[step].plus(one) if step in sums else one
    return sums


async def count_differences(store: Store) -> int:
    """Return how many rows of the explorer's table differ from a recount of all games that it has counted.

    It replays these games, which takes long. 0 means that nothing is wrong.
    """
    recounted, last = CountedTurns(), 0
    async with store.reading() as db:
        await store.backend.allow_long_work(db)
        while ended := await explorer.counted_games(db, last, BATCH_SIZE):
            for step, found in sum_turns(zip(ended, steps_of_games(ended), strict=True)).items():
                recounted[step] = recounted[step].plus(found) if step in recounted else found
            last = ended[-1].game
        stored = await explorer.all_explored_turns(db)
    return sum(stored.get(step) != recounted.get(step) for step in {*stored, *recounted})
