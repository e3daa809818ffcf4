"""The steps of a checked game, which the explorer's counts are compared with."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from gipfbot.match.explorer import EXPLORED_TURNS, explored_steps, whole_turns
from gipfbot.rules import BASIC
from gipfbot.service.checking.game_check import Replayed
from gipfbot.service.checking.opening_counts import steps_of_replayed
from gipfbot.store.game_rows import WholeGame
from tests.match.studies import turns_of
from tests.support.games import CIRCLE, TURNS

PLAYED = turns_of((*CIRCLE, *TURNS), BASIC)


def replayed(turns: int, *, broken: bool) -> Replayed:
    """Return a replay of the first turns of a game; it is broken if the next one could not be played."""
    along = [*whole_turns(BASIC, PLAYED[:turns])]
    return Replayed([before for before, _ in along], [tuple(actions) for _, actions in along], broken=broken)


@pytest.mark.parametrize(
    ("row", "found", "counts"),
    [
        ({}, replayed(5, broken=False), True),
        ({}, replayed(5, broken=True), False),
        ({}, replayed(EXPLORED_TURNS, broken=True), True),
        ({"level": 3}, replayed(5, broken=False), False),
        ({"result": "void"}, replayed(5, broken=False), False),
    ],
)
def test_the_same_games_count_as_for_the_explorer(row: dict[str, Any], found: Replayed, counts: bool) -> None:
    """A game that breaks among its first turns, one against the bot and a void one do not count."""
    game = WholeGame(cast("Any", SimpleNamespace(**{"level": None, "result": "1-0", **row})), (), (), ())
    steps = explored_steps(whole_turns(BASIC, PLAYED[: len(found.turns)]))
    assert steps_of_replayed(game, found) == (steps if counts else ())
