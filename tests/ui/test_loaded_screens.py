"""Every screen with potentials keeps Discord's limits, and the desk reaches each legal act and removal."""

from collections.abc import Iterator
from random import Random

import pytest

from gipfbot.match import Game, perform
from gipfbot.rules import Action, Position, Ruleset, legal, play
from gipfbot.rules.pending import question
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, desk_actions, desk_focus, desk_screen
from tests.rules.generate_loaded import LOADED, built, power_seeking, reached
from tests.support.effort import amount

from .shown_screens import assert_fits, game_at, screens


def crowded(rules: Ruleset, number: int) -> Iterator[Position]:
    """Yield positions with potentials: built and reached ones, and where a turn leads from there."""
    for seed in range(number):
        rng = Random(seed)
        position = (built if seed % 2 else reached)(rules, rng)
        mover = position.mover
        while position.result is None and position.mover is mover:
            yield position
            position = play(position, power_seeking(position, legal(position), rng))


@pytest.mark.parametrize("rules", LOADED, ids=lambda rules: str(rules.name))
def test_each_screen_of_crowded_positions_fits(rules: Ruleset) -> None:
    for position in crowded(rules, amount(test=2, long=25)):
        for shown in screens(game_at(position)):
            assert_fits(shown)
            assert shown.rows, "nothing can be pressed"


def played_by_buttons(game: Game) -> set[Action]:
    """Return every action that some sequence of presses on the desk plays first."""
    asked = question(game.current)
    assert asked
    found, pending, seen = set[Action](), [NO_FOCUS], set[Focus]()
    while pending:
        focus = pending.pop()
        if focus in seen:
            continue
        seen.add(focus)
        for button in (button for row in desk_screen(game, focus).rows for button in row):
            verb, what = button.action.split(":", 1)
            actions = desk_actions(game, asked, verb, what)
            found.update(actions[:1])
            pending += [] if actions else [desk_focus(verb, what)]
    return found


@pytest.mark.parametrize("rules", LOADED, ids=lambda rules: str(rules.name))
def test_presses_reach_what_is_legal_and_nothing_else(rules: Ruleset) -> None:
    """A push onto a vacant spot has a button for each dot. Removals of other rows wait for their turn."""
    for position in crowded(rules, amount(test=2, long=20)):
        reachable, asked = played_by_buttons(game_at(position)), question(position)
        assert asked
        assert reachable <= {*legal(position)}
        if not asked.due:
            assert reachable >= {*asked.acts}
            assert reachable >= {way for row in asked.rows for way in row.ways}
        if asked.frees:
            assert reachable == {*legal(position)}


def test_a_press_goes_on_to_the_next_question() -> None:
    for position in crowded(LOADED[1], 4):
        game = game_at(position)
        for action in played_by_buttons(game):
            after = perform(game, game.seats[position.mover].user, [action]).game
            assert after.version > game.version
