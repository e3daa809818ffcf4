"""What a push does at the least, compared with all turns that begin with it."""

from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import (
    PRESETS,
    PUSHES,
    Act,
    Action,
    Kind,
    Position,
    Push,
    Ruleset,
    Use,
    legal,
    open_rows,
    play,
    push_effects,
    ruleset_named,
    start,
)
from gipfbot.rules.push_effects import PushEffect, most_taken, push_effect
from tests.rules.generate import row_seeking, walk
from tests.rules.generate_loaded import power_seeking
from tests.rules.helpers import board
from tests.rules.loaded import at
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
                assert effect == least(position, push)
                assert most_taken(position, push) == most(position, push)
                seen.add((effect.returned > 0, effect.captured > 0))
    assert {(False, False), (True, False), (True, True)} <= seen


@pytest.mark.parametrize("name", ["standard+Z3", "tournament+Z6", "basic+Z6", "tournament+Z3P6"])
def test_the_least_of_pushes_and_uses_with_potentials(name: str) -> None:
    """In games that use potentials often. Rows of loaded pieces alone must lose one; removals may free pieces."""
    rng, uses, losses = Random(7), 0, 0
    for _ in range(amount(test=12, long=200)):
        for position, _, _ in walk(start(ruleset_named(name)), rng, power_seeking, 90):
            for act in [action for action in legal(position) if isinstance(action, Push | Use)][::5]:
                assert push_effect(position, act) == least(position, act)
                assert most_taken(position, act) == most(position, act)
                uses += isinstance(act, Use)
                losses += any(row.loss for row in open_rows(play(position, act)))
    assert uses > 20
    assert losses > 0


def least(position: Position, act: Act) -> PushEffect:
    """Return the least that a push or a use does, by looking at each turn."""
    me, ends = position.mover, turn_ends(play(position, act))
    spent = act.kind.worth if isinstance(act, Push) else act.put
    return PushEffect(
        min(end.reserve[me] for end in ends) - position.reserve[me] + spent,
        min(end.captured[me.other] for end in ends) - position.captured[me.other],
        all(end.result is not None and end.result.winner is me for end in ends),
    )


def most(position: Position, act: Act) -> tuple[int, int]:
    """Return the most that a push or a use brings back and captures, by looking at each turn."""
    me, ends = position.mover, turn_ends(play(position, act))
    spent = act.kind.worth if isinstance(act, Push) else act.put
    back, lost = max(end.reserve[me] for end in ends), max(end.captured[me.other] for end in ends)
    return back - position.reserve[me] + spent, lost - position.captured[me.other]


def pushed_from(position: Position, dot: str, spot: str) -> PushEffect:
    """Return the effect of a basic piece's push from a dot."""
    return push_effect(position, PUSHES[dot, spot, Kind.BASIC])


def test_a_win_is_promised_only_if_every_choice_wins() -> None:
    """The row holds Black's only GIPF-piece, which White may take or leave."""
    position = board("standard w", "W=d2,d3,d4,Gb5", "B=Gd5")
    assert pushed_from(position, "d1", "d2") == PushEffect(4, 0, wins=False)


def test_a_shared_gipf_piece_may_go_so_that_the_other_row_stays() -> None:
    """White makes e2-e5 and b4-e4. With the GIPF-piece on e4 in the first removal, the other row is a row no more."""
    position = board("standard w", "W=b4,c4,d4,e2,Ge3,e5", "B=Gb5")
    assert pushed_from(position, "e1", "e2") == PushEffect(5, 0, wins=False)


def test_a_shared_gipf_piece_stays_for_the_last_row_at_the_most() -> None:
    """In the position above. The first row brings 3 back, and leaves the GIPF-piece to the second."""
    position = board("standard w", "W=b4,c4,d4,e2,Ge3,e5", "B=Gb5")
    assert most_taken(position, PUSHES["e1", "e2", Kind.BASIC]) == (8, 0)


@pytest.mark.parametrize(
    ("head", "white", "black", "returned", "captured"),
    [
        ("standard w", "W=d2,d3,d4,Gb5", "B=d6,Gd7,Ge8", 4, 1),
        ("basic w", "W=d2,d3,d4", "B=d6,d7", 4, 2),
        ("basic b", "W=d6,d7", "B=d2,d3,d4", 4, 2),
    ],
)
def test_what_the_opponent_loses_is_counted(head: str, white: str, black: str, returned: int, captured: int) -> None:
    """The push makes d2-d5, which goes with its extension (R4.3). A GIPF-piece in it may stay."""
    assert pushed_from(board(head, white, black), "d1", "d2") == PushEffect(returned, captured, wins=False)


def test_a_freed_piece_may_break_a_row_that_would_cost_more() -> None:
    """White makes e2-e5 and h2-h5. If Black's GIPF-piece goes with the first, the row e6-h3 appears.

    Its only basic piece is h3, and without that the row h2-h5 need not go: 5 pieces return instead of 8.
    """
    position = at("standard+P6 w W=e2,e3,e4,f4,Gf5,Gg4,h3,h4,h5 B=h2,g3,Ge6[G],Gb2")
    effect = pushed_from(position, "i1", "h2")
    assert effect == least(position, PUSHES["i1", "h2", Kind.BASIC]) == PushEffect(5, 0, wins=False)


def test_a_win_that_the_player_can_give_away_is_not_promised() -> None:
    """Black has nothing to push. But White may take the own GIPF-piece from the row, and lose by R6.2."""
    position = board("standard w", "W=d2,d3,Gd4", "B=Ge8", captured="0-16")
    assert pushed_from(position, "d1", "d2") == PushEffect(3, 0, wins=False)
    assert pushed_from(position, "b1", "b2") == PushEffect(0, 0, wins=True)


def test_a_push_that_leaves_the_opponent_nothing_to_push_wins() -> None:
    """R6.1: Black has no reserve, and no row."""
    position = board("basic w", "W=d2", "B=e8", captured="0-14")
    assert pushed_from(position, "b1", "b2") == PushEffect(0, 0, wins=True)


@pytest.mark.parametrize(("stacks", "most"), [(False, 20), (True, 1_500)])
def test_a_crowded_board_is_looked_at_in_a_moment(stacks: bool, most: int) -> None:
    """Its pushes begin up to 20,000 turns. With stacks, each order of the rows may free other pieces."""
    lines = (DATA / "worst.txt").read_text(encoding="utf-8").splitlines()
    crowded = [parse_position(line.partition(" ")[2]) for line in lines if line and not line.startswith("#")]
    crowded = [position for position in crowded if bool(position.left) is stacks]
    pushes = [(position, push) for position in crowded for push in legal(position) if isinstance(push, Push)]
    pushes = pushes[:: amount(test=3, long=1)]
    played = counted_plays(pushes)
    assert played / len(pushes) < most


def counted_plays(pushes: list[tuple[Position, Push]]) -> int:
    """Return how many actions are played to find the effects of these pushes."""
    count = 0

    def counting(position: Position, action: Action) -> Position:
        nonlocal count
        count += 1
        return play(position, action)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(push_effects, "play", counting)
        for position, push in pushes:
            push_effect(position, push)
    return count
