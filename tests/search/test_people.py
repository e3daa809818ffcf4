"""The players who stand for people."""

from itertools import islice
from random import Random

from gipfbot.rules import BASIC, play, turns
from tests.search.answers import random_start
from tests.search.helpers import turn_starts
from tests.search.people import look_two_turns_ahead, take_and_save
from tests.support.games import WINS


def test_n_takes_what_can_be_taken() -> None:
    taking = 0
    for position in islice(turn_starts(BASIC, Random(1)), 100):
        ends = [end for _, end in islice(turns(position), 2000)]
        most = max(end.captured[position.mover.other] for end in ends)
        if most > position.captured[position.mover.other] and not any(end.result for end in ends):
            taking += 1
            after = position
            for action in take_and_save(position, [], 1):
                after = play(after, action)
            assert after.captured[position.mover.other] == most
    assert taking > 10


def test_n_draws_where_nothing_is_at_stake() -> None:
    position, before = random_start("standard", Random(3), 0)
    assert len({take_and_save(position, before, seed) for seed in range(9)}) > 4


def test_both_win_where_they_can() -> None:
    for player in (take_and_save, look_two_turns_ahead):
        position = WINS
        for action in player(WINS, [], 1):
            position = play(position, action)
        assert position.result
