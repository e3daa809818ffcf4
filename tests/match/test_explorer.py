"""The explorer counts the first turns of a game, each once."""

import pytest

from gipfbot.match import position_after
from gipfbot.match.explorer import EXPLORED_TURNS, explored_step, explored_steps
from gipfbot.rules import BASIC, Kind, start
from tests.match.studies import turns_of
from tests.support.games import CIRCLE, E1, TURNS


def test_each_turn_is_counted_at_the_position_before_it() -> None:
    turns, position = turns_of(TURNS, BASIC), start(BASIC)
    for step, actions in zip(explored_steps(BASIC, turns), turns, strict=True):
        assert step == explored_step(position, actions)
        position = position_after(position, actions)


def test_only_the_first_turns_are_counted_and_each_once() -> None:
    """Back at the start, the players may play otherwise. The 12 turns have 8 of the circle, and 4 others."""
    again = turns_of((*CIRCLE, *CIRCLE), BASIC)
    assert len(explored_steps(BASIC, again)) == len(CIRCLE)
    other = turns_of((*CIRCLE, *TURNS), BASIC)
    found = explored_steps(BASIC, other)
    assert found == explored_steps(BASIC, other[:EXPLORED_TURNS])
    assert len(found) == EXPLORED_TURNS - 2, "c2 and g2 are played again"


def test_twelve_turns_are_counted_as_the_players_guide_says() -> None:
    assert EXPLORED_TURNS == 12


def test_a_turn_that_is_not_legal_is_refused() -> None:
    first, second, *_ = turns_of(TURNS, BASIC)
    in_basic = E1._replace(kind=Kind.GIPF)
    for illegal in ([first + second], [(in_basic,)]):
        with pytest.raises(ValueError, match="is not legal"):
            explored_steps(BASIC, illegal)
    with pytest.raises(ValueError, match="no whole turn"):
        explored_steps(BASIC, [first, ()])
