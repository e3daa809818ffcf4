"""Parts of a turn in Julio974's notation, typed while the turn is played."""

import pytest

from gipfbot.notation import (
    JULIO974,
    IllegalTurn,
    parse_turn,
    played_text,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.turns import TurnReading, read_remaining_turn
from gipfbot.rules import PASS, Action, Position
from tests.notation.helpers import along, at, game, standing
from tests.notation.positions import (
    APART,
    COLUMN,
    CROSS,
    CROSSING,
    CROSSING_OFFERS,
    FAQ_9,
    KEEPER,
    LAST_GIPF,
    NO_RESERVE,
    OFFER,
    SETUP,
    SHARED,
    THREE,
)

PARTS = [
    # position, played part, typed text, what is added, the same as actions, whether the turn is then complete
    (SETUP, "", "e1", "e1", "e1-e3", True),
    (COLUMN, "", "e2", "e2X", "e2;xe2,e3,e4,e5", True),
    # GIPF-pieces that are not written are asked, even after a bare X
    (KEEPER, "", "e2", "e2X", "e2", False),
    (KEEPER, "", "e2X", "e2X", "e2", False),
    (KEEPER, "", "e2X (3)", "e2X", "e2", False),
    (FAQ_9, "", "c2", "", "", False),
    # spots, or a row's code, decide their row
    (KEEPER, "", "e2Xe", "e2X", "e2;xe2,e4,e5", True),
    (KEEPER, "", "e2Xe3", "e2Xe3", "e2;xe2,Ge3,e4,e5", True),
    (APART, "", "XbXg;h3", "h3", "xb2,b3,b5;xg2,g3,g5;h3", True),
    (APART, "", "Xb4;h3", "Xb4", "xb2,b3,Gb4,b5", False),
    (APART, "", "Xb;h3", "X", "xb2,b3,b5", False),
    (SHARED, "", "XdXc*;b5", "Xc*;b5", "xd3,d4,d5;xe3,f3,g3;b5", True),
    (SHARED, "", "Xd;b5", "Xd", "xd3,d4,d5", False),
    (CROSS, "", "f1Xg3", "f1X5g3", "f1-f5;xf4,Gg3,h2", True),
    (LAST_GIPF, "", "Xe6", "Xe6", "xe2,e3,e4,e5,Ge6*", True),
    # of crossing rows the player is asked which goes
    (CROSS, "", "f1", "f1X", "f1-f5", False),
    (CROSSING, "", "X;b2", "", "", False),
    (CROSSING, "", "X5", "X5", "xb5,c5,d5,e5", False),
    (CROSSING, "", "X5;b2", "X5;b2", "xb5,c5,d5,e5;b2", True),
    (THREE, "", "Xe5;c2", "", "", False),
    # of an offer only the written pieces are taken
    (OFFER, "", "c2", "c2X", "c2", True),
    (OFFER, "", "c2Xe", "c2X", "c2", True),
    (OFFER, "", "c2Xe3", "c2Xe3", "c2;xGe3", True),
    (OFFER, "", "Xe2", "Xe2", "xGe2", False),
    (OFFER, "", "Xe", "", "", False),
    (NO_RESERVE, "", "Xe;c2", "", "", False),
    (NO_RESERVE, "", "Xe2;c2", "Xe2;c2", "xGe2;c2", True),
    # the remaining part
    (KEEPER, "e2", "Xe", "X", "xe2,e4,e5", True),
    (KEEPER, "e2", "Xe3", "Xe3", "xe2,Ge3,e4,e5", True),
    (KEEPER, "e2", "X", "", "", False),
    (CROSSING, "X5", "b2", "b2", "b2", True),
    (APART, "Xb4", "Xg;h3", "h3", "xg2,g3,g5;h3", True),
    (APART, "Xb", "Xg4;h3", "Xg4;h3", "xg2,g3,Gg4,g5;h3", True),
    (CROSSING_OFFERS, "X5b5", "Xe5;c2", "Xe5;c2", "xGe5;c2", True),
    (f"{OFFER} step=after", "", "Xe3", "Xe3", "xGe3", True),
    # a whole turn that begins with the played part
    (KEEPER, "e2", "e2X", "", "", False),
    (KEEPER, "e2", "e1Xe", "X", "xe2,e4,e5", True),
    (KEEPER, "e2", "d1*Xe", "X", "xe2,e4,e5", True),
    (KEEPER, "e2", "e2Xe3", "Xe3", "xe2,Ge3,e4,e5", True),
    (CROSSING, "X5", "X5;b2", "b2", "b2", True),
    (CROSSING, "X5", "X;b2", "b2", "b2", True),
    (SHARED, "Xdd2", "X;a5", "b5", "b5", True),
    (APART, "Xb4", "Xb4Xg;h3", "h3", "xg2,g3,g5;h3", True),
    (APART, "Xb4", "XgXb4;h3", "h3", "xg2,g3,g5;h3", True),
    (APART, "Xb", "XbXg4;h3", "Xg4;h3", "xg2,g3,Gg4,g5;h3", True),
    (CROSSING_OFFERS, "X5b5", "X5b5;c2", "c2X", "c2", True),
]


def played(position: Position, done: str) -> tuple[Action, ...]:
    """Return the actions that a text decides in play, without those that end the turn."""
    actions = read_turn_part(position, (), done, JULIO974) if done else ()
    return tuple(action for action in actions if action is not PASS)


@pytest.mark.parametrize(("line", "done", "typed", "written", "official", "complete"), PARTS)
def test_a_typed_part_adds_what_it_decides(
    line: str, done: str, typed: str, written: str, official: str, complete: bool
) -> None:
    start = at(line)
    begun = played(start, done)
    now = along(start, begun)
    actions = read_turn_part(start, begun, typed, JULIO974)
    assert (turn_text(now, actions, JULIO974), played_text(now, actions)) == (written, official)
    assert (along(now, actions).mover is not start.mover) == complete


REFUSED = [
    # position, played part, typed text, reason code
    (KEEPER, "e2", "b2X", "done"),
    (KEEPER, "e2", "b2Xe3", "done"),
    (APART, "Xb4", "Xb;h3", "done"),
    (APART, "Xb4", "Xbb4Xbb4;h3", "empty"),
    (APART, "Xb", "Xb4;h3", "outside"),
    (CROSSING, "X5", "Xe;b2", "no_row"),
]


@pytest.mark.parametrize(("line", "done", "typed", "code"), REFUSED)
def test_a_text_that_contradicts_the_played_part_is_refused(line: str, done: str, typed: str, code: str) -> None:
    start = at(line)
    with pytest.raises(IllegalTurn) as caught:
        read_turn_part(start, played(start, done), typed, JULIO974)
    assert caught.value.code == code


@pytest.mark.parametrize("rules", ["standard", "tournament"])
def test_every_part_of_a_played_turn_can_be_typed(rules: str) -> None:
    """After any part of a turn, its rest and its whole text complete it. Pieces that are not named stay."""
    cuts = 0
    for seed in range(12):
        for start, actions in game(rules, seed):
            end, whole = along(start, actions), turn_text(start, actions, JULIO974)
            for cut in range(len(actions)) if len(actions) > 1 else ():
                done, rest = actions[:cut], actions[cut:]
                now = along(start, done)
                for text in filter(None, (whole, turn_text(now, rest, JULIO974))):
                    reading = TurnReading(JULIO974, text, keep=True)
                    assert along(now, read_remaining_turn(reading, start, done, JULIO974.read(text))) == end, (
                        whole,
                        cut,
                        text,
                    )
                    cuts += 1
    assert cuts > 200


OTHERWISE = [
    # position, played part, the rest of the turn, its canonical text, which removes in another way
    (
        "tournament w W=Gb2,Ge8,Gf3,Gf4,Gf5,Gf6,Gf7,Gg6,Gh5 B=d5,Gd6,g2,Gg5,h3 step=after",
        "xGe8,Gg6",
        "xGf3,Gf7",
        "Xe8f7g6Xf3",
    ),
    (
        "tournament w W=Gc4,Gd4,Ge2,Ge4,Ge5,Gf2,Gf3,Gg2,Gh2 B=Gb3,Gb5,Gd3,Ge6,g6",
        "xGc4,Gd4,Ge4,Gg2",
        "h1-h3",
        "Xc4d4e4Xg2;h1",
    ),
    (
        "tournament w W=Gb4,Gc4,Gc5,Gd4,Gd6,Ge4,Ge7,Gf3,Gf7 B=Gb2,d5,f2,h2,Gh3",
        "xGb4,Gc4,Gd4,Gf3;c6",
        "xGc5,Gd6,Gf7",
        "X3*b4Xc4d4f3;c6Xc5d6f7",
    ),
]


@pytest.mark.parametrize(("line", "done", "rest", "typed"), OTHERWISE)
def test_a_whole_turn_may_follow_other_equal_removals(line: str, done: str, rest: str, typed: str) -> None:
    start = at(line)
    begun = along(start, played(start, done))
    end = along(begun, read_turn_part(start, played(start, done), typed, JULIO974))
    assert standing(end) == standing(along(begun, parse_turn(begun, rest)))
    assert end.mover is not start.mover
