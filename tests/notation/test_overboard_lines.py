"""Position lines and action codes of Overboard (notation.md section 4)."""

from random import Random

import pytest

from gipfbot.notation import (
    ImpossiblePosition,
    ParseError,
    action_code,
    parse_action_code,
    parse_position,
    position_text,
)
from gipfbot.rules import OVERBOARD, Colour, Reason, Result, legal, play, start
from tests.rules.boards_of_overboard import built_table, seek_rows, table_at
from tests.rules.generate import walk
from tests.support.effort import amount

START_LINE = "overboard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=18-18 captured=0-0"
# Black has pushed. White's row e3-e6 is noted, and b2-b5 of Black, which comes first.
INSIDE = "b W=Ge3,e4,e5,Ge6,Gh5 B=b2,b3,Gb4,b5,e2 step=after"


def test_the_line_of_the_start() -> None:
    assert position_text(start(OVERBOARD)) == START_LINE
    assert parse_position(START_LINE) == start(OVERBOARD)


@pytest.mark.usefixtures("untraced")
def test_every_state_of_a_turn_is_written_and_read_back() -> None:
    """Also its actions, as codes."""
    stages = set[object]()
    for seed in range(amount(test=30, long=400)):
        rng = Random(seed)
        for before, action, after in walk(built_table(rng), rng, seek_rows, 60):
            assert parse_position(position_text(after)) == after
            assert parse_action_code(action_code(action)) == action
            stages.add((before.stage, before.decider is before.mover, bool(before.noted)))
    assert len(stages) == 5


@pytest.mark.parametrize(
    "rows",
    [
        "rows=bb2-b5,we3-e6 asked=b",
        "rows=we3-e6,bb2-b5 asked=b",
    ],
)
def test_rows_without_a_stage_may_stand_in_any_order(rows: str) -> None:
    position = table_at(f"{INSIDE} {rows}")
    assert position_text(position).endswith("rows=bb2-b5,we3-e6 asked=b")
    assert [action_code(action) for action in legal(position)] == ["xb:b2b3b5"]


def test_the_row_in_work_comes_first_with_its_stage() -> None:
    position = table_at("b W=Ge3,Ge6,Gh5 B=Gb4,e2 step=after rows=we3-e6/ends asked=b")
    assert [action_code(action) for action in legal(position)] == ["xe:", "xe:e2"]
    asked = play(position, legal(position)[1])
    assert position_text(asked).endswith("step=after rows=we3-e6/gipf asked=w")
    assert asked.decider is Colour.WHITE


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("w W=Gb5,Ge2,Gh5,Gd3 B=Gb2", "R8.1"),
        ("w W=Gb5 B=Gb2 opening=wb", "R8.6"),
        ("w W=Gb5 B=Gb2 step=after", "R8.3"),
        ("w W=Gb5 B=Gb2 dealt=e", "R8.6"),
        ("w W=e2,e3,e4,e5,Gb5 B=Gb2 rows=we2-e5 asked=w", "R8.3"),
        ("w W=Ge2,Gb5 B=Gb2,e3 step=after rows=we2-e5 asked=w", "R8.3"),
        ("w W=e2,e3,e4,e5,e6,Gb5 B=Gb2 step=after rows=we2-e5 asked=w", "R8.3"),
        ("w W=e2,e3,e4,e5,Gb5 B=Gb2 step=after rows=we2-e5/gipf asked=w", "R8.3"),
        ("w W=Ge2,Gb5 B=Gb2 step=after rows=we2-e5/ends asked=w", "R8.3"),
        ("w W=Gh2,Gb5 B=Gb2 step=after rows=we2-e5/gipf asked=w", "R8.3"),
        ("w W=Ge2,Gb5 B=Gb2 step=after rows=we2-e5/gipf asked=b", "R8.4"),
        ("w W=Gb5,c2,c3,c4,c5 B=Gb2 step=after rows=we2-e5 asked=w", "R8.3"),
        ("w W=Gb5 B=Gg2 step=after rows=we2-e5,we3-e6 asked=w", "R8.3"),
        ("b W=Ge3,Gh5 B=b2,b3,Gb4,b5 step=after rows=we3-e6/gipf,bb2-b5 asked=w", "R8.3"),
        ("w W=b5 B=Gb2", "R8.5"),
        ("w W=b5 B=b2", "R8.5"),
        ("b W=b5 B=Gb2 result=1-0 by=gipf", "R8.5"),
        ("b W=Gb5 B=Gb2 result=1-0 by=gipf", "R8.5"),
        ("b W=Gb5 B=Gb2 result=1-0 by=reserve", "R8.5"),
        ("b W=Gb5 B=Gb2 result=1-0 by=agreement", "R6"),
        ("b W=Ge2,Gh5 B=b2 step=after rows=we2-e5/gipf asked=w result=1-0 by=gipf", "R8.5"),
    ],
)
def test_an_impossible_position_is_refused_with_its_rule(line: str, rule: str) -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        table_at(line)
    assert caught.value.rule.startswith(rule)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("overboard w W=Gb5 B=Gb2 reserve=17-18 captured=0-0", "R2"),
        ("overboard w W=Gb5 B=Gb2 reserve=17-18 captured=1-0", "R8.3"),
    ],
)
def test_basic_pieces_and_reserve_add_up_to_18_and_nothing_is_captured(line: str, rule: str) -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        parse_position(line)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    "rows",
    [
        "rows=we2-e5", "asked=w", "rows= asked=w", "rows=e2-e5 asked=w", "rows=we2-e4 asked=w", "rows=we2-g3 asked=w",
        "rows=we2-e5/all asked=w", "rows=we2-e5,wb2-b5/ends asked=w", "rows=we2-e5 asked=x", "rows=we2-e5, asked=w",
    ],
)  # fmt: skip
def test_an_unreadable_row_is_an_error(rows: str) -> None:
    with pytest.raises(ParseError):
        table_at(f"w W=e2,e3,e4,e5,Gb5 B=Gb2 step=after {rows}")


def test_basic_pieces_of_a_row_go_before_its_gipf_pieces_are_asked_about() -> None:
    with pytest.raises(ImpossiblePosition, match="The basic pieces of we2-e5 go before"):
        table_at("w W=e2,Ge3,Gb5 B=Gb2 step=after rows=we2-e5/gipf asked=w")


def test_only_overboard_has_rows() -> None:
    line = "basic w W=e2,e3,e4,e5 B=b2 reserve=11-14 captured=0-0 step=after rows=we2-e5 asked=w"
    with pytest.raises(ParseError, match="only Overboard"):
        parse_position(line)


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ("1/2-1/2 by=agreement", Result(None, Reason.AGREEMENT)),
        ("0-1 by=resign", Result(Colour.BLACK, Reason.RESIGN)),
        ("void by=repetition", Result(None, Reason.REPETITION)),
    ],
)
def test_a_finished_game_says_how_it_ended(end: str, result: Result) -> None:
    line = f"{START_LINE} result={end}"
    assert parse_position(line).result == result
    assert position_text(parse_position(line)) == line


def test_the_end_by_gipf_pieces_is_read() -> None:
    assert table_at("b W=Gb5 B=b2 result=1-0 by=gipf").result == Result(Colour.WHITE, Reason.GIPF)


def test_all_37_spots_may_be_full() -> None:
    white = "b2,b3,b4,b5,c2,c3,c4,c5,c6,d2,d3,d4,d5,d6,d7,e2,e3,e4,Gh5"
    black = "e5,e6,e7,e8,f2,f3,f4,f5,f6,f7,g2,g3,g4,g5,g6,h2,h3,Gh4"
    position = table_at(f"w W={white} B={black}")
    assert len(position.pieces()) == 37
    assert parse_position(position_text(position)) == position
