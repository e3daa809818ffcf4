"""Looking at all pushes together finds what looking at each push finds."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Kind, Position, Push, Ruleset, legal, play
from gipfbot.rules.images import Image
from gipfbot.rules.symmetries import SYMMETRIES, Symmetry
from gipfbot.search import __compiled__
from gipfbot.search.evaluation import GIPF_WEIGHTS, evaluate
from gipfbot.search.layout import ALONG, DIRECTIONS, FIRST, LINE_SPOTS, STEPS, count_bits, four_in_line
from gipfbot.search.plain_tree import board_key
from gipfbot.search.row_steps import open_rows
from gipfbot.search.threats import GIPF_TAKEN, completing, most_taken, moved, reached, rows_made
from tests.search.helpers import board_of, term_arguments, turn_starts
from tests.support.effort import amount

SAMPLE = amount(test=150, long=3000)


def pushes(position: Position) -> Iterator[tuple[Push, Position]]:
    """Yield the basic pushes, and the positions before anything is removed."""
    for action in legal(position):
        if isinstance(action, Push) and action.kind is Kind.BASIC:
            yield action, play(position, action)


def rowless(rules: Ruleset) -> Iterator[Position]:
    """Yield positions in which the player has no row, and may push."""
    for position in turn_starts(rules, Random(6)):
        if not four_in_line(position.owned[position.mover]) and any(pushes(position)):
            yield position


@pytest.mark.parametrize("rules", [BASIC, STANDARD, TOURNAMENT], ids=lambda rules: rules.name)
def test_pushes_that_make_a_row_are_those_of_the_rules(rules: Ruleset) -> None:
    made = 0
    for position in islice(rowless(rules), SAMPLE):
        me = position.owned[position.mover]
        found = {*acts_with_rows(me, me | position.owned[position.mover.other])}
        expected = {number_of(push) for push, end in pushes(position) if rows_of(end, position)}
        assert found & {number_of(push) for push, _ in pushes(position)} == expected
        made += len(expected)
    assert made


@pytest.mark.parametrize("rules", [BASIC, STANDARD, TOURNAMENT], ids=lambda rules: rules.name)
def test_the_most_that_a_row_takes_in_is_that_of_the_rules(rules: Ruleset) -> None:
    taken = 0
    for position in islice(rowless(rules), SAMPLE):
        me, you = position.owned[position.mover], position.owned[position.mover.other]
        found = most_taken(me, you, position.gipf)
        expected = max((worth for _, end in pushes(position) for worth in rows_of(end, position)), default=0)
        assert found == expected
        taken += found > 0
    assert taken


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("basic w W=d2,d3,d4,e2,e3,e4 B=d6,e6,e7 reserve=9-12 captured=0-0", 2),
        ("basic w W=d2,d3,d4,e2,e3,e4,f2,f3,f4 B=d6,e6,e7,f6,f7 reserve=6-10 captured=0-0", 2),
        ("standard w W=d2,d3,d4,e2,e3,e4,Gh5 B=d6,Ge6,Gb2 reserve=10-13 captured=0-0", 3),
        ("basic w W=c2,c4,c5,d2,d4,d5 B=c6,d6,d7 reserve=9-12 captured=0-0", 2),
        ("basic w W=b2,b5,c2,c4,d2,d4,e4,e7,g5 B=e2,f2,f3 reserve=6-12 captured=0-0", 1),
    ],
)
def test_rows_of_different_lines_are_not_added_up(symmetry: Symmetry, line: str, most: int) -> None:
    """Pushes in one direction are looked at together, but each makes a row of its own."""
    position = Image(symmetry).of_position(parse_position(line))
    me, you = position.owned[position.mover], position.owned[position.mover.other]
    assert max(worth for _, end in pushes(position) for worth in rows_of(end, position)) == most
    assert most_taken(me, you, position.gipf) == most


def acts_with_rows(own: int, occupied: int) -> Iterator[int]:
    """Yield the acts of the pushes that make a row, also those on closed lines that a row would meet."""
    for direction in range(DIRECTIONS):
        number = direction // 2
        after = moved(own, reached(occupied, direction), direction, FIRST[direction])
        crossing = completing(own, (number + 1) % 3) | completing(own, (number + 2) % 3)
        made = rows_made(own, after, STEPS[number], crossing)
        yield from (ALONG * direction + line for line in range(ALONG) if made & LINE_SPOTS[ALONG * number + line])


def number_of(push: Push) -> int:
    """Return the act of a push: its direction times 7, and its line among those of the direction."""
    entry = push.entry
    number, line = divmod(entry.line, ALONG)
    return ALONG * (2 * number + (entry.shift < 0)) + line


def rows_of(end: Position, before: Position) -> list[int]:
    """Return what each row of the player takes in after a push; a GIPF-piece counts more."""
    me, you = end.owned[before.mover], end.owned[before.mover.other]
    prey = [(must | may) & you for _, must, may in open_rows(me, me | you, end.gipf, 0)]
    return [int(count_bits(spots) + (GIPF_TAKEN - 1) * count_bits(spots & end.gipf)) for spots in prey]


class Small(int):
    """A number that may not exceed 62 bits, nor may what is computed with it: compiled ones would wrap."""

    def __new__(cls, value: int) -> "Small":
        assert -(1 << 62) < value < 1 << 62
        return super().__new__(cls, value)


def _checked(name: str) -> Callable[..., Small]:
    return lambda *values: Small(getattr(int, name)(*values))


for operation in ("add", "radd", "and", "rand", "invert", "lshift", "mul", "rmul", "neg", "or", "rshift", "sub", "xor"):
    setattr(Small, f"__{operation}__", _checked(f"__{operation}__"))


@pytest.mark.skipif(__compiled__, reason="compiled numbers cannot grow")
def test_no_number_on_the_way_exceeds_62_bits() -> None:
    with pytest.raises(AssertionError):
        Small(1 << 54) << 9
    for position in islice(turn_starts(TOURNAMENT, Random(8)), SAMPLE):
        board = (*map(Small, board_of(position)),)
        me, you, gipf, *_ = board
        assert board_key(*board) > 0
        *_, reserve, other, rights = map(Small, term_arguments(board))
        evaluate(me, you, gipf, reserve, other, rights, GIPF_WEIGHTS)
        open_rows(me, Small(me | you), gipf, Small(0))
        for direction in range(DIRECTIONS):
            reach = reached(Small(me | you), direction)
            moved(me, reach, direction, FIRST[direction])
            completing(me, direction // 2)
