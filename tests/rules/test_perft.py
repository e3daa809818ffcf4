"""Counts of full turns, read from tests/data/perft.

A file holds positions as the position line writes them, each with a title above it and, for each depth below it, the
counts A D C of section 9. All of them come from a naive program, those of the starts also from the rule text.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Position, perft, start
from tests.rules.boards_of_overboard import as_table
from tests.rules.helpers import board
from tests.rules.naive import naive_perft
from tests.rules.naive_overboard import turns_of
from tests.rules.naive_potentials import plain_turns
from tests.rules.plain import plain
from tests.support.effort import amount
from tests.support.paths import DATA

FILES = sorted((DATA / "perft").glob("*.perft"))
ENGINE = amount(test=150_000, long=10**9)  # turns that the engine counts of one position
NAIVE = amount(test=1_000, long=4_000)  # turns that the naive definition counts of one position


class Counted(NamedTuple):
    """A position and its counts."""

    title: str
    position: Position
    counts: tuple[tuple[int, int, int], ...]  # for the depths from 1


def parse(line: str) -> Position:
    """Return the position of a position line, checking its reserves."""
    if "left=" in line or line.startswith(OVERBOARD.name):
        return parse_position(line)
    name, mover, white, black, *fields = line.split()
    values = dict(field.split("=") for field in fields)
    position = board(f"{name} {mover}", white, black, values["captured"], values.get("opening", ""))
    assert values["reserve"] == "{}-{}".format(*position.reserve), line
    return position


def read(path: Path) -> Iterator[Counted]:
    """Yield the positions of a file."""
    for block in path.read_text(encoding="utf-8").split("\n\n")[1:]:
        title, position, *rest = block.strip().splitlines()
        rows = [tuple(int(word) for word in line.split()) for line in rest]
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1)), title
        counts = tuple((a, d, c) for _, a, d, c in rows)
        yield Counted(title.removeprefix("# "), parse(position.removeprefix("position ")), counts)


ALL = [pytest.param(counted, id=f"{path.stem}: {counted.title}") for path in FILES for counted in read(path)]


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("counted", ALL)
def test_the_engine_counts_what_the_file_says(counted: Counted) -> None:
    """It counts to every depth of the file; `make test` leaves out depths with many turns."""
    expected = counted.counts[:1] + tuple(count for count in counted.counts[1:] if count[0] <= ENGINE)
    found = [*perft(counted.position, len(expected))]
    assert [one.depth for one in found] == [*range(1, len(expected) + 1)]
    assert tuple((one.entries, one.turns, one.positions) for one in found) == expected


@pytest.mark.parametrize("counted", ALL)
def test_the_naive_definition_counts_what_the_file_says(counted: Counted) -> None:
    """Depths with many turns are left out."""
    for depth, expected in enumerate(counted.counts, 1):
        if counted.position.rules is OVERBOARD:
            assert depth > 1 or len(turns_of(as_table(counted.position))) == expected[0]
        elif expected[0] <= NAIVE and not counted.position.left:
            assert naive_perft(counted.position, depth) == expected
        elif depth == 1 and expected[0] <= NAIVE:
            assert len(plain_turns(plain(counted.position))) == expected[0]


def test_the_three_starts_are_counted() -> None:
    """The first file counts from the three starts. There are other files, too."""
    counted = list(read(next(path for path in FILES if path.stem == "start")))
    assert [one.position for one in counted] == [start(BASIC), start(STANDARD), start(TOURNAMENT)]
    assert len(ALL) > 20
