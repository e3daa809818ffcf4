"""The position line (notation.md section 4)."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from gipfbot.notation import (
    ImpossiblePosition,
    ParseError,
    action_code,
    parse_action_code,
    parse_position,
    position_text,
)
from gipfbot.rules import OVERBOARD, PRESETS, TOURNAMENT, Colour, Reason, Result, legal, play, start
from gipfbot.rules.geometry import LINES
from tests.notation.helpers import along, crowded, game
from tests.rules.boards_of_overboard import built_table, seek_rows, table_at
from tests.rules.generate import walk
from tests.support.effort import amount, examples

START_LINE = "overboard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=18-18 captured=0-0"
# Black has pushed. White's row e3-e6 is noted, and b2-b5 of Black, which comes first.
INSIDE = "b W=Ge3,e4,e5,Ge6,Gh5 B=b2,b3,Gb4,b5,e2 step=after"

LINES_KEPT = [
    "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0",
    "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0",
    "tournament w W= B= reserve=18-18 captured=0-0 opening=wb",
    "tournament b W=Ge8 B= reserve=16-18 captured=0-0 opening=wb",
    "tournament w W=b2,Ge8 B=Gh2 reserve=15-16 captured=0-0 opening=b",
    "tournament b W=Gb5 B=Gb2,c2 reserve=16-15 captured=0-0 opening=w",
    "tournament w W=b2,Ge8 B=Gh2,h3 reserve=15-14 captured=0-1",
    # inside a turn: before the push, and after it
    "basic w W=b5,c5,d5,e2,e3,e4,e5 B= reserve=8-15 captured=0-0",
    "basic w W=b5,c5,d5 B= reserve=12-15 captured=0-0 dealt=e",
    "basic w W=e2,e3,e4,e5 B= reserve=11-15 captured=0-0 step=after",
    "tournament w W=b3,b4,b5,c3,Ge2,Ge3,Ge4 B=Gh2 reserve=8-16 captured=0-0 dealt=e,3,1*",
    "standard w W=Gd2,e3,f3,g3 B=Gb2 reserve=13-16 captured=0-0 step=after dealt=d",
    "tournament w W=b2,Ge2,Ge3,Ge4,Ge5 B=Gh2 reserve=9-16 captured=0-0 dealt=e",
    # a row of the player who is not to move
    "basic b W=e2,e3,e4,e5 B=b2 reserve=11-14 captured=0-0",
    # finished games
    "standard b W=Gb5 B=h2 reserve=16-15 captured=0-2 result=1-0 by=gipf",
    "basic w W=b2 B=b3 reserve=0-14 captured=14-0 result=0-1 by=reserve",
    "basic b W=b2 B=b3 reserve=0-14 captured=14-0 result=0-1 by=reserve",
    "tournament b W= B=Gb2 reserve=18-16 captured=0-0 opening=wb result=0-1 by=gipf",
    "basic w W=b2 B=b3 reserve=14-14 captured=0-0 result=1-0 by=time",
    "basic w W=b2 B=b3 reserve=14-14 captured=0-0 result=0-1 by=resign",
    "basic w W=b2 B=b3 reserve=14-14 captured=0-0 result=void by=repetition",
]


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


@pytest.mark.parametrize("line", LINES_KEPT)
def test_a_line_is_read_and_written_unchanged(line: str) -> None:
    assert position_text(parse_position(line)) == line


FORGIVEN = [
    ("standard w W=Gh5,Gb5,Ge2 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0", LINES_KEPT[0]),
    ("  standard \t w captured=0-0  reserve=12-12 B=Gb2,Ge8,Gh2\tW=Gb5,Ge2,Gh5\n", LINES_KEPT[0]),
    (
        "basic w W=b2,d4,e5,f5 B= reserve=11-15 captured=0-0 dealt=a*,e,e",
        "basic w W=b2,d4,e5,f5 B= reserve=11-15 captured=0-0 dealt=e,1*",
    ),
]


@pytest.mark.parametrize(("line", "canonical"), FORGIVEN)
def test_order_and_blanks_are_forgiven(line: str, canonical: str) -> None:
    assert position_text(parse_position(line)) == canonical


GAMES = amount(test=6, long=25)
HEAD, NUMBERS = "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2", "reserve=12-12 captured=0-0"
UNREADABLE = [
    # a line with a ^ in front of the fault, and what was expected there
    (" ^", "a rule set, w or b, and the pieces"),
    ("standard^", "a rule set, w or b, and the pieces"),
    (f"^chess w W= B= {NUMBERS}", "a rule set (basic, standard, tournament, overboard)"),
    (f"^Standard w W= B= {NUMBERS}", "a rule set"),
    (f"standard ^white W= B= {NUMBERS}", "the player to move (w, b)"),
    (f"standard w B= {NUMBERS}^", "W=…"),
    (f"{HEAD}^", "reserve=…"),
    (f"{HEAD} {NUMBERS} ^clock=3", "one of W=…, B=…"),
    (f"{HEAD} {NUMBERS} ^over", "one of W=…, B=…"),
    (f"{HEAD} {NUMBERS} ^W=c2", "each field once (W= stands twice)"),
    (f"standard w W=c2,^c9 B= {NUMBERS}", "a piece on a spot"),
    (f"standard w W=^c1 B= {NUMBERS}", "a piece on a spot"),
    (f"standard w W=^gb5 B= {NUMBERS}", "a piece on a spot"),
    (f"standard w W=c2,^ B= {NUMBERS}", "a piece on a spot"),
    (f"standard w W=c2 B=Gb2,^c2 {NUMBERS}", "each spot once (c2 is named twice)"),
    (f"standard w W=c2,^c2 B= {NUMBERS}", "each spot once (c2 is named twice)"),
    (f"{HEAD} reserve=^12 captured=0-0", "two numbers such as 12-12"),
    (f"{HEAD} reserve=^12-١٢ captured=0-0", "two numbers such as 12-12"),
    (f"{HEAD} reserve=^-1-12 captured=0-0", "two numbers such as 12-12"),
    (f"{HEAD} {NUMBERS} opening=^bw", "a word behind opening= (wb, w, b)"),
    (f"{HEAD} {NUMBERS} opening=^", "a word behind opening= (wb, w, b)"),
    (f"{HEAD} {NUMBERS} step=^before", "a word behind step= (after)"),
    (f"{HEAD} {NUMBERS} dealt=^", "lines such as e, 5 or b*"),
    (f"{HEAD} {NUMBERS} dealt=e,^i", "the code of a line"),
    (f"{HEAD} {NUMBERS} result=1-0^", "by=…"),
    (f"{HEAD} {NUMBERS} by=time^", "result=…"),
    (f"{HEAD} {NUMBERS} result=^2-0 by=time", "a result (1-0, 0-1, 1/2-1/2, void)"),
    (f"{HEAD} {NUMBERS} result=1-0 by=^luck", "why the game ended (gipf,"),
]


@pytest.mark.parametrize(("marked", "expected"), UNREADABLE)
def test_the_error_shows_where_a_line_is_unreadable(marked: str, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_position(marked.replace("^", ""))
    assert caught.value.expected.startswith(expected)
    assert caught.value.at == marked.index("^")


MANY = ",".join(spot for line in LINES[:7] for spot in line.spots)
IMPOSSIBLE = [
    # line, sentence, rule
    (f"basic w W={MANY} B= reserve=0-15 captured=0-0", "White's pieces do not add up", "R2"),
    (f"{HEAD} reserve=12-11 captured=0-0", "Black's pieces do not add up: board, reserve and captured make 17", "R2"),
    (f"{HEAD} reserve=12-12 captured=1-0", "White's pieces do not add up: board, reserve and captured make 19", "R2"),
    ("basic w W=Gb2 B= reserve=13-15 captured=0-0", "In Basic White cannot have more than 0 GIPF-pieces.", "R2"),
    ("standard w W=Gb2 B=Gb5,Gc2,Gd2,Ge2 reserve=16-10 captured=0-0", "Black cannot have more than 3", "R2"),
    (f"{HEAD} {NUMBERS} opening=w", "In Standard nobody brings in GIPF-pieces: leave opening= out.", "R5"),
    ("tournament w W=Ge8,b2 B= reserve=15-18 captured=0-0 opening=wb", "White has a basic piece on the board", "R5.2"),
    ("tournament w W= B= reserve=18-18 captured=0-0", "White has all pieces in reserve, so opening=", "R5.2"),
    ("tournament w W= B=Gb2 reserve=18-16 captured=0-0", "so opening= is missing: add w to it.", "R5.2"),
    # games that are over by the rules, without a result or with another one
    ("standard w W=b2 B=Gb5 reserve=17-16 captured=0-0", "has to end with result=0-1 by=gipf.", "R6.2"),
    ("standard w W=Gb2 B=b5 reserve=16-17 captured=0-0", "has to end with result=1-0 by=gipf.", "R6.2"),
    ("basic w W=b2 B=b3 reserve=0-14 captured=14-0", "has to end with result=0-1 by=reserve.", "R6.1"),
    ("standard w W=b2 B=Gb5 reserve=17-16 captured=0-0 result=0-1 by=time", "result=0-1 by=gipf.", "R6.2"),
    # a result that the rules do not give
    (f"{HEAD} {NUMBERS} result=1-0 by=gipf", "nobody has lost this position by=gipf", "R6.2"),
    (f"{HEAD} {NUMBERS} result=1-0 by=reserve", "nobody has lost this position by=reserve", "R6.1"),
    ("standard w W=b2 B=Gb5 reserve=17-16 captured=0-0 result=1-0 by=gipf", "so that it is 1-0", "R6.2"),
    ("standard b W=e2,e3,e4,e5 B=b2 reserve=14-17 captured=0-0 result=1-0 by=gipf", "nobody has lost", "R6.2"),
    ("basic w W=b2,b3,b4,b5 B=c3 reserve=0-14 captured=11-0 result=0-1 by=reserve", "nobody has lost", "R6.1"),
    ("standard b W=Gb5 B=h2 reserve=16-15 captured=0-2 step=after result=1-0 by=gipf", "leave step=", "R6.2"),
    (f"{HEAD} {NUMBERS} result=1/2-1/2 by=agreement", "There are no draws", "R6.3"),
    (f"{HEAD} {NUMBERS} result=1-0 by=agreement", "Nobody wins by=agreement.", "R6.3"),
    (f"{HEAD} {NUMBERS} result=1-0 by=repetition", "Nobody wins by=repetition.", "R6.3"),
    (f"{HEAD} {NUMBERS} result=void by=agreement", "A game cannot end void by=agreement.", "R6"),
    (f"{HEAD} {NUMBERS} result=void by=time", "There are no draws", "R6.3"),
    # a removal step with nothing left to do
    (f"{HEAD} {NUMBERS} step=after", "White has nothing left to remove after the push", "R3.4"),
    (f"{HEAD} {NUMBERS} step=after result=1-0 by=resign", "White has nothing left to remove", "R3.4"),
    ("basic w W=e2,e3,e4,e5 B= reserve=11-15 captured=0-0 dealt=e", "still to be removed from line e", "R4.3"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "sentence", "rule"), IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_its_reason(line: str, sentence: str, rule: str) -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        parse_position(line)
    assert sentence in str(caught.value)
    assert (caught.value.rule, caught.value.code) == (rule, "impossible")


def test_rule_sets_are_looked_up_by_name() -> None:
    """The caller may pass a table with other rule sets."""
    line = position_text(start(TOURNAMENT)).replace("tournament", "club")
    with pytest.raises(ParseError):
        parse_position(line)
    assert parse_position(line, {"club": TOURNAMENT}) == start(TOURNAMENT)


@pytest.mark.parametrize("rules", [*PRESETS])
def test_every_position_of_a_game_is_read_from_its_line(rules: str) -> None:
    """This includes positions within a turn, and the results at the end."""
    inside = ended = 0
    for seed in range(GAMES):
        for position, actions in game(rules, seed):
            for cut in range(len(actions) + 1):
                now = along(position, actions[:cut])
                assert parse_position(position_text(now)) == now
                inside += cut > 0 and now.mover is position.mover
                ended += now.result is not None
    assert inside > 2 * GAMES
    assert ended >= GAMES // 3


@examples(test=40, long=100)
@given(st.integers(0, 10**6), st.sampled_from([Reason.TIME, Reason.RESIGN]), st.sampled_from([*Colour]))
def test_crowded_positions_are_read_from_their_lines(seed: int, reason: Reason, winner: Colour) -> None:
    """A line that can be read is written so that it is read as the same position."""
    position = crowded(seed)
    try:
        found = parse_position(position_text(position))
    except ImpossiblePosition:
        return
    assert found == position
    given_up = position._replace(result=Result(winner, reason))
    assert parse_position(position_text(given_up)) == given_up
