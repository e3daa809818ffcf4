"""What a push does at the least, compared with all turns that begin with it."""

from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import PRESETS, PUSHES, Kind, Position, Push, Ruleset, legal, play, start
from gipfbot.rules.pieces import WORTH
from gipfbot.rules.push_effects import PushEffect, push_effect
from tests.rules.generate import row_seeking, walk
from tests.rules.helpers import board
from tests.support.effort import amount
from tests.support.paths import DATA


def turn_ends(position: Position) -> list[Position]:
    """Return the position at the end of each turn that goes on from here, once for each way."""
    if not position.pushed or position.result:
        return [position]
    return [end for action in legal(position) for end in turn_ends(play(position, action))]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_least_is_the_least_of_all_turns(rules: Ruleset) -> None:
    """In games that seek rows, at the start of each turn."""
    seen, rng = set[tuple[bool, bool]](), Random(5)
    for _ in range(amount(test=4, long=30)):
        for position, _, _ in walk(start(rules), rng, row_seeking, 120):
            for push in [action for action in legal(position) if isinstance(action, Push)][::4]:
                effect = push_effect(position, push)
                assert effect is None or effect == least(position, push)
                seen.add((bool(effect and effect.returned), bool(effect and effect.captured)))
    assert {(False, False), (True, False), (True, True)} <= seen


def least(position: Position, push: Push) -> PushEffect:
    """Return the least that a push does, by looking at each turn."""
    me, ends = position.mover, turn_ends(play(position, push))
    return PushEffect(
        min(end.reserve[me] for end in ends) - position.reserve[me] + WORTH[push.kind],
        min(end.captured[me.other] for end in ends) - position.captured[me.other],
        all(end.result is not None and end.result.winner is me for end in ends),
    )


def pushed_from(position: Position, dot: str, spot: str) -> PushEffect | None:
    """Return the effect of a basic piece's push from a dot."""
    return push_effect(position, PUSHES[dot, spot, Kind.BASIC])


def test_a_win_is_promised_only_if_every_choice_wins() -> None:
    """The row holds Black's only GIPF-piece, which White may take or leave."""
    position = board("standard w", "W=d2,d3,d4,Gb5", "B=Gd5")
    assert pushed_from(position, "d1", "d2") == PushEffect(4, 0, wins=False)


def test_a_push_that_leaves_the_opponent_nothing_to_push_wins() -> None:
    """R6.1: Black has no reserve, and no row."""
    position = board("basic w", "W=d2", "B=e8", captured="0-14")
    assert pushed_from(position, "b1", "b2") == PushEffect(0, 0, wins=True)


def test_a_crowded_board_gives_up() -> None:
    lines = (DATA / "worst.txt").read_text(encoding="utf-8").splitlines()
    crowded = [parse_position(line.partition(" ")[2]) for line in lines if line and not line.startswith("#")]
    effects = [push_effect(p, push) for p in crowded for push in legal(p) if isinstance(push, Push)]
    assert None in effects
    assert PushEffect(0, 0, wins=False) in effects
