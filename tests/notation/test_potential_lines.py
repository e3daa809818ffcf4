"""Position lines and action codes of games with potentials: parse and write are twins."""

from random import Random

import pytest

from gipfbot.notation import ImpossiblePosition, NotationError, parse_position, position_text
from gipfbot.notation.action_codes import action_code, parse_action_code
from gipfbot.rules import Position, legal, play, start
from tests.rules.generate_loaded import LOADED, built, power_seeking
from tests.support.effort import amount

STACKS = (
    "standard+Z3P6 w W=Zc3,pc4[P],Gd4[GG] B=Ge5[G],Pe6,f5[G],zf6 reserve=6-11 captured=3-0 left=Z0P3-Z1P4",
    "tournament+Z6P6 w W= B= reserve=18-18 captured=0-0 opening=wb left=Z6P6-Z6P6",
    "basic+P4 b W=Pb5,pe2[pP] B=b2,Pe8 reserve=13-13 captured=0-0 left=P1-P2",
)


@pytest.mark.parametrize("line", STACKS)
def test_a_line_with_potentials_is_read_and_written_alike(line: str) -> None:
    assert position_text(parse_position(line)) == line


def everywhere(rules_number: int, seed: int) -> list[Position]:
    """Return the positions of one game, and of a few actions from a crowded board."""
    rules, rng = LOADED[rules_number], Random(seed)
    found: list[Position] = []
    for here in (start(rules), built(rules, rng)):
        now = here
        for _ in range(80):
            found.append(now)
            if not (actions := legal(now)):
                break
            now = play(now, power_seeking(now, actions, rng))
    return found


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("number", range(len(LOADED)))
def test_every_position_of_a_game_is_read_from_its_line(number: int) -> None:
    for seed in range(amount(test=6, long=60)):
        for position in everywhere(number, seed):
            assert parse_position(position_text(position)) == position, position_text(position)


def test_every_action_is_read_from_its_code() -> None:
    for number in range(len(LOADED)):
        for position in everywhere(number, 1)[::7]:
            for action in legal(position):
                assert parse_action_code(action_code(action)) == action


HEAD, TAIL = "standard+Z3P6 w", "captured=0-0 left=Z3P6-Z3P6"
REFUSED = {
    f"{HEAD} W=Gb5,pc4 B=Ge8 reserve=16-16 {TAIL}": "no such piece or stack as pc4",
    f"{HEAD} W=Gb5,zc4[P] B=Ge8 reserve=16-15 {TAIL}": "no such piece or stack as zc4",
    f"{HEAD} W=Gb5,c4[Gp] B=Ge8 reserve=15-14 {TAIL}": "no such piece or stack as c4",
    f"{HEAD} W=Gb5,c4[P] B=Ge8 reserve=15-15 {TAIL}": "no such piece or stack as c4",
    f"{HEAD} W=Gb5,Zc4 B=Ge8 reserve=15-16 {TAIL}": "White has 4 potentials Z",
    f"{HEAD} W=Gb5 B=Ge8 reserve=16-16 captured=0-0": "left=Z3P6-Z3P6",
    f"{HEAD} W=Gb5 B=Ge8 reserve=16-16 captured=0-0 left=P6Z3-P6Z3": "potentials such as",
    f"{HEAD} W=Gb5,Tc4 B=Ge8 reserve=15-16 {TAIL}": "a piece on a spot",
    "standard w W=Gb5,Zc4 B=Ge8 reserve=15-16 captured=0-0": "a piece on a spot",
    "standard w W=Gb5 B=Ge8 reserve=16-16 captured=0-0 left=Z3-Z3": "no potentials",
    "standard+Z99 w W= B= reserve=18-18 captured=0-0": "3 to 6 ZÈRTZ-potentials, not 99",
    "standard+Z2 w W= B= reserve=18-18 captured=0-0": "3 to 6 ZÈRTZ-potentials, not 2",
    "standard+P3Z3 w W= B= reserve=18-18 captured=0-0": "in the order",
    "standard+D3 w W= B= reserve=18-18 captured=0-0": "no potential D",
    "standard+ w W= B= reserve=18-18 captured=0-0": "Behind the \\+",
    "chess+Z3 w W= B= reserve=18-18 captured=0-0": "no rule set chess",
    "tournament+Z3 w W=Ge8 B= reserve=16-18 captured=0-0 opening=wb left=Z2-Z3": "brought in a potential",
}


@pytest.mark.parametrize(("line", "reason"), REFUSED.items())
def test_an_impossible_line_is_refused(line: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_position(line)


def test_without_a_reserve_a_line_must_end_unless_a_potential_can_be_used() -> None:
    rest = "B=Ge8 reserve=0-16 captured=15-0 left=Z2-Z3"
    assert legal(parse_position(f"standard+Z3 w W=Gc4,Zb4 {rest}")) != ()
    with pytest.raises(ImpossiblePosition, match="by=reserve"):
        parse_position(f"standard+Z3 w W=Gc4,Ze2 {rest}")
