"""The house player in the match: its terms, its clock, and its decisions by the rules alone."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    House,
    Refused,
    Seat,
    Terms,
    advance_clock,
    check_level,
    days_per_turn,
    decide_plainly,
    new_game,
    pause_game_clock,
    perform,
    positions_before,
    resume_game_clock,
    start_game_clock,
)
from gipfbot.notation import parse_action_code, parse_position
from gipfbot.rules import BASIC, OVERBOARD, PRESETS, Action, Colour, Ruleset, legal, play, start
from tests.rules.boards_of_overboard import ASKS
from tests.support.games import CROSSING
from tests.support.times import DAY, NOW

ANN, BOT = Seat(1, "Ann"), Seat(2, "GIPF Casual")
TERMS = Terms(days_per_turn(3), house=House(2, BOT.user))


def test_terms_are_read_back_with_the_house() -> None:
    assert Terms.from_data(TERMS.data()) == TERMS
    old = {name: value for name, value in TERMS.data().items() if name != "house"}
    assert Terms.from_data(old) == replace(TERMS, house=None)


def test_unknown_fields_of_the_house_are_passed_over() -> None:
    data = TERMS.data()
    data["house"]["mood"] = "good"
    assert Terms.from_data(data) == TERMS


@pytest.mark.parametrize("seats", [(ANN, BOT), (BOT, ANN)])
def test_house_has_a_colour_and_decides_in_turn(seats: tuple[Seat, Seat]) -> None:
    game = new_game(1, BASIC, seats, TERMS)
    assert game.house_colour is Colour(seats.index(BOT))
    assert game.house_decides is (seats[0] is BOT)
    assert not new_game(1, BASIC, seats).house_decides


def test_clock_of_the_house_is_always_paused() -> None:
    game = start_game_clock(new_game(1, BASIC, (ANN, BOT), TERMS), NOW)
    assert game.clock
    assert game.clock.deadline == NOW + 3 * DAY
    for player, deadline in ((ANN, None), (BOT, NOW + 4 * DAY)):
        performed = perform(game, player.user, decide_plainly(game.position))
        game = advance_clock(performed, NOW + DAY).game
        assert game.clock
        assert game.clock.deadline == deadline
        kept = resume_game_clock(pause_game_clock(game, NOW + DAY), NOW + DAY)
        assert kept.clock == game.clock
        assert (game.clock.paused_left is not None) is game.house_decides


def test_plain_decision_is_a_legal_whole_turn() -> None:
    position = parse_position(CROSSING)
    after = position
    for action in decide_plainly(position):
        assert action in legal(after)
        after = play(after, action)
    assert after.result or after.mover is not position.mover


@pytest.mark.parametrize("rules", PRESETS.values())
def test_plain_decisions_lead_through_a_game(rules: Ruleset) -> None:
    position, turns = start(rules), list[tuple[Action, ...]]()
    while position.result is None and len(turns) < 60:
        turns.append(decide_plainly(position))
        for action in turns[-1]:
            position = play(position, action)
    before = positions_before(rules, turns)
    assert len(before) == len(turns)
    assert before[0] == start(rules)


def test_plain_answer_in_the_opponents_turn_ends_with_the_answer() -> None:
    position = ASKS
    for action in decide_plainly(position):
        position = play(position, action)
    assert position.rules == OVERBOARD
    assert (position.mover, position.decider) != (ASKS.mover, ASKS.decider)


def test_turns_that_cannot_be_played_raise_a_value_error() -> None:
    with pytest.raises(ValueError, match="cannot be played"):
        positions_before(OVERBOARD, [[parse_action_code(code) for code in ("a4b4", "xe:")]])


@pytest.mark.parametrize("level", [0, 9, -1])
def test_levels_are_one_to_eight(level: int) -> None:
    with pytest.raises(Refused):
        check_level(level)
    for known in range(1, 9):
        check_level(known)
