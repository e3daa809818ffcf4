"""Whole games, compared line by line with their stored positions (see golden.py)."""

from pathlib import Path

import pytest

from gipfbot.notation import parse_position, parse_turn, position_text, read_record, turn_text
from tests.notation.golden import positions, sheets
from tests.notation.helpers import along

EXAMPLE = next(sheet for sheet in sheets() if sheet.stem == "example")
LAST = "tournament b W=b5,c6,Gd5,d6,e2,e3,e5,g3,Gg5 B=b4,Gc4,c5,d2,e7,e8,Gf4,g2,h2 reserve=5-1 captured=2-6"


@pytest.mark.parametrize("sheet", sheets(), ids=lambda sheet: sheet.stem)
def test_a_game_gives_its_stored_positions(sheet: Path) -> None:
    """The lines are also read back, and the turns are canonical."""
    lines = sheet.with_suffix(".positions").read_text(encoding="utf-8").splitlines()
    assert positions(sheet).splitlines() == lines
    assert [position_text(parse_position(line)) for line in lines] == lines
    for step in read_record(sheet.read_text(encoding="utf-8")).turns:
        long = turn_text(step.before, step.actions, reserve=step.text.endswith(")"))
        assert long.replace(" ", "") == step.text
        short = turn_text(step.before, step.actions, long=False)
        assert along(step.before, parse_turn(step.before, short)) == step.after


def test_the_games_have_every_hard_case() -> None:
    """These are rows before the push, several removals in a turn, GIPF-pieces captured and kept, uses, both endings."""
    turns = [step.text for sheet in sheets() for step in read_record(sheet.read_text(encoding="utf-8")).turns]
    ends = [sheet.with_suffix(".positions").read_text(encoding="utf-8").splitlines()[-1] for sheet in sheets()]
    assert len(sheets()) >= 10
    assert sum(turn.startswith("x") for turn in turns) > 12
    assert sum(turn.count("x") > 1 for turn in turns) > 7
    assert sum("*" in turn for turn in turns) > 20
    assert sum(">" in turn for turn in turns) > 10
    assert all(any(put in turn for turn in turns) for put in ("+1", "+2"))
    names = {"overboard", "basic+Z6", "standard+Z3", "standard+P3", "tournament+Z6P6"}
    assert names <= {end.partition(" ")[0] for end in ends}
    assert {end.rpartition("=")[2] for end in ends} >= {"gipf", "reserve"}


def test_the_example_game_ends_as_its_article_says() -> None:
    assert positions(EXAMPLE).splitlines()[-1] == LAST
    record = read_record(EXAMPLE.read_text(encoding="utf-8"))
    assert (len(record.turns), record.rules.name, record.result) == (41, "tournament", "1-0")
