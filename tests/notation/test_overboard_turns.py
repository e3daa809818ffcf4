"""Turns of Overboard as text, in records and in play (notation.md section 3)."""

from itertools import islice
from random import Random

import pytest

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    IllegalTurn,
    Notation,
    OpenTurn,
    ParseError,
    action_code,
    completions,
    parse_turn,
    position_text,
    read_record,
    read_turn_part,
    record_text,
    turn_text,
)
from gipfbot.notation.suggest import suggest_turns
from gipfbot.rules import OVERBOARD, Action, Position, legal, turns
from tests.notation.helpers import along
from tests.rules.boards_of_overboard import (
    FIRST_TABLE,
    OUT_OF_TURN,
    ROW,
    after_codes,
    built_table,
    reached_table,
    seek_rows,
    table_at,
)
from tests.rules.generate import walk
from tests.support.effort import amount

OWN_GIPF = table_at("w W=d4,e3,Ge5,e6,Gb5,Gh5 B=e2,e7,e8,Gb2,Gh2")
TWO_ROWS = table_at("w W=d4,e3,e5,e6,b2,b3,b5,Gh5 B=Gg5,Gh2,e2")
# Black's push completes White's row e3-e6, with GIPF-pieces in it, and lets White's row h2-h5 stand as well.
ASKED_FIRST = table_at("b W=d4,Ge3,e5,Ge6,h2,h3,h4,h5 B=e2,Gb2,Gc2")
PASSES = table_at("w W=b2,b3,b4,b5,c2,c3,d2,d3,e2,e3,f2,f3,g2,g3,h2,h3,c6,e6,Gh5 B=Gd7,Ge8")


def in_play(position: Position, text: str, *codes: str) -> list[str]:
    """Return the codes of what a typed text adds to a turn that began with these codes."""
    done = [*codes]
    here, actions = position, list[Action]()
    for code in done:
        after = after_codes(here, code)
        actions.append(next(one for one in legal(here) if action_code(one) == code))
        here = after
    return [action_code(action) for action in read_turn_part(position, actions, text)]


# --- Writing and reading back -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("untraced")
def test_every_turn_is_read_back_in_both_notations() -> None:
    """Its text is canonical: what it is read as is written the same."""
    longest = 0
    for seed in range(amount(test=16, long=300)):
        position = (built_table, reached_table)[seed % 2](Random(seed))
        texts = {notation: set[str]() for notation in NOTATIONS.values()}
        some = [*islice(turns(position), 0, 400, 7)]
        for turn, end in some:
            for notation, seen in texts.items():
                text = turn_text(position, turn.actions, notation)
                actions = parse_turn(position, text, notation)
                assert along(position, actions) == end
                assert turn_text(position, actions, notation) == text
                seen.add(text)
                longest = max(longest, text.count("x"))
        assert all(len(seen) == len(some) for seen in texts.values())
    assert longest > 2


@pytest.mark.usefixtures("untraced")
def test_every_beginning_of_a_turn_can_be_written() -> None:
    for seed in range(amount(test=12, long=200)):
        rng, begun = Random(seed), list[Action]()
        first = built_table(rng)
        for before, action, after in walk(first, rng, seek_rows, 30):
            if not before.pushed:
                first, begun = before, []
            begun.append(action)
            assert turn_text(first, begun).startswith(turn_text(first, begun[:1]))
            if after.mover is first.mover and after.stage is None and after.noted:
                assert ";" in turn_text(first, begun) or len(begun) == 1 or not any(a.taken for a in begun[1:])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "notation"),
    [("c1-c2", OFFICIAL), ("c1-d2", OFFICIAL), ("c1", JULIO974), ("c1*", JULIO974), ("g1*", JULIO974)],
)
def test_a_push_is_written_with_its_dot(text: str, notation: Notation) -> None:
    assert turn_text(FIRST_TABLE, parse_turn(FIRST_TABLE, text, notation), notation) == text


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_a_row_is_a_list_in_the_official_form(notation: Notation) -> None:
    push = {"official": "a4-b4", "julio974": "a4"}[notation.name]
    lists = "xe3,e4,e5,e6,e7*,e8*"
    for text in (f"{push};{lists}", f"{push} ; x e8, e7*,e6,e5, e4,e3"):
        actions = parse_turn(ROW, text, notation)
        assert turn_text(ROW, actions, notation) == f"{push};{lists}"
    end = along(ROW, actions)
    assert {"e7", "e8"}.isdisjoint(end.pieces())
    assert "e2" in end.pieces()


def test_julio974_may_leave_out_the_first_semicolon() -> None:
    assert parse_turn(ROW, "a4xe3,e4,e5,e6", JULIO974) == parse_turn(ROW, "a4-b4;xe3,e4,e5,e6")


def test_a_star_marks_what_is_not_the_movers_in_rows_of_both_colours() -> None:
    actions = parse_turn(OUT_OF_TURN, "a4-b4;xe2,Ge3,e4,e5")
    assert turn_text(OUT_OF_TURN, actions) == "a4-b4;xe2,Ge3*,e4*,e5*"


def test_a_reserve_is_written_on_request() -> None:
    assert turn_text(FIRST_TABLE, parse_turn(FIRST_TABLE, "c1-c2 (17)"), reserve=True) == "c1-c2 (17)"


def test_one_list_may_cover_several_rows() -> None:
    apart = parse_turn(TWO_ROWS, "a4-b4;xb2,b3,b4,b5;xe3,e4,e5,e6")
    joined = parse_turn(TWO_ROWS, "a4-b4;xb2,b3,b4,b5,e3,e4,e5,e6")
    assert along(TWO_ROWS, joined) == along(TWO_ROWS, apart)
    assert turn_text(TWO_ROWS, joined) == turn_text(TWO_ROWS, apart)


def test_the_order_that_sorts_first_is_written() -> None:
    """It is neither the order played nor that of the lines."""
    position = table_at("w W=b3,c3,d3,e3,g2,g3,g4,g5,Gd7 B=Ge8")
    actions = parse_turn(position, "h6-h5;xg2,g3,g4,g5;xb3,c3,d3,e3")
    assert turn_text(position, actions) == "h6-h5;xb3,c3,d3,e3;xg2,g3,g4,g5"


def test_a_pass_is_written_alike_in_both_notations() -> None:
    for notation in NOTATIONS.values():
        (action,) = parse_turn(PASSES, "Pass", notation)
        assert turn_text(PASSES, [action], notation) == "pass"
    assert in_play(PASSES, "pass") == ["-"]


# --- Refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "text", "code"),
    [
        (FIRST_TABLE, "e1-e2", "held"),
        (FIRST_TABLE, "c2", "no_dot"),
        (FIRST_TABLE, "c1-c3", "no_line"),
        (FIRST_TABLE, "d4", "inside"),
        (FIRST_TABLE, "Gc1-c2", "no_gipf"),
        (FIRST_TABLE, "Zc1-c2", "no_potential"),
        (FIRST_TABLE, "pass", "no_pass"),
        (FIRST_TABLE, "-", "none"),
        (FIRST_TABLE, "xe2", "no_push"),
        (FIRST_TABLE, "c1-c2;xc2", "no_row"),
        (PASSES, "c1-c2", "reserve"),
        (PASSES, "xe2", "reserve"),
        (ROW, "a4-b4;xe3,e4,e5", "must"),
        (ROW, "a4-b4;xe3,e4,e5,e6,e7", "run"),
        (ROW, "a4-b4;xe3,e4,e5,e6,b4", "outside"),
        (ROW, "a4-b4;xe3,e4,e5,e6,c4", "empty"),
        (ROW, "a4-b4;xe3*,e4,e5,e6", "own"),
        (ROW, "a4-b4;xGe3,e4,e5,e6", "not_gipf"),
        (OWN_GIPF, "a4-b4;xe3,e4,e5,e6", "gipf"),
        (TWO_ROWS, "a4-b4;xe3,e4;xe5,e6;xb2,b3,b4,b5", "must"),
        (table_at("b W=d4,e3,e5,e6,Gh5 B=b2,b3,b5,Gg5"), "a4-b4;xe3*,e4*,e5*,e6*;xb2,b3,b4,b5", "together"),
    ],
)
def test_an_illegal_turn_is_refused_with_its_reason(position: Position, text: str, code: str) -> None:
    with pytest.raises(IllegalTurn) as caught:
        parse_turn(position, text)
    assert caught.value.code == code
    assert caught.value.rule.startswith(("R8", "R3"))
    with pytest.raises(IllegalTurn) as caught:
        read_turn_part(position, (), text)
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["a4-b4;x", "x", "a4-b4;", "a4-b4;c1-c2", "xe3;a4-b4", "passes", "", "a4-b4;pass"])
def test_a_bare_x_and_other_scraps_cannot_be_read(text: str) -> None:
    for notation in NOTATIONS.values():
        with pytest.raises(ParseError):
            parse_turn(ROW, text.replace("a4-b4", "a4") if notation is JULIO974 else text, notation)


def test_a_record_lists_the_choices_that_a_turn_leaves_open() -> None:
    with pytest.raises(OpenTurn) as caught:
        parse_turn(ROW, "a4-b4")
    assert caught.value.choices == (
        "a4-b4;xe2*,e3,e4,e5,e6", "a4-b4;xe2*,e3,e4,e5,e6,e7*,e8*", "a4-b4;xe3,e4,e5,e6", "a4-b4;xe3,e4,e5,e6,e7*,e8*",
    )  # fmt: skip


def test_what_leaves_no_choice_need_not_be_written() -> None:
    position = table_at("w W=d4,e3,e5,e6,Gh5 B=Gb2")
    assert parse_turn(position, "a4-b4") == parse_turn(position, "a4-b4;xe3,e4,e5,e6")


# --- In play ------------------------------------------------------------------------------------------------------


def test_in_play_an_open_choice_is_left_to_ask() -> None:
    assert in_play(ROW, "a4-b4") == ["a4b4"]
    assert in_play(TWO_ROWS, "a4-b4;xe3,e4,e5,e6") == ["a4b4", "xe:e3e4e5e6", "xe:", "xb:b2b3b4b5"]


def test_in_play_a_list_decides_its_row() -> None:
    assert in_play(ROW, "a4-b4;xe3,e4,e5,e6,e2") == ["a4b4", "xe:e3e4e5e6", "xe:e2"]
    assert in_play(OWN_GIPF, "a4-b4;xe3,e4,Ge5,e6") == ["a4b4", "xe:e3e4e6", "xe:", "xe:e5"]


def test_in_play_a_turn_stops_before_the_question_to_the_opponent() -> None:
    assert in_play(OUT_OF_TURN, "a4-b4;xe2,e4,e5") == ["a4b4", "xe:e4e5", "xe:e2"]


@pytest.mark.parametrize("text", ["a4-b4;xe2,Ge3,e4,e5", "a4-b4;xe4,e5,Ge3*,Ge6*"])
def test_in_play_what_the_opponent_decides_may_not_be_written(text: str) -> None:
    assert parse_turn(OUT_OF_TURN, text)
    with pytest.raises(IllegalTurn, match="White decides") as caught:
        in_play(OUT_OF_TURN, text)
    assert (caught.value.code, caught.value.rule) == ("asked", "R8.4")


def test_in_play_nothing_may_stand_behind_the_question_to_the_opponent() -> None:
    whole = "a4-b4;xe4*,e5*;xh2*,h3*,h4*,h5*"
    assert parse_turn(ASKED_FIRST, whole)
    with pytest.raises(IllegalTurn) as caught:
        in_play(ASKED_FIRST, whole)
    assert caught.value.code == "asked"
    assert in_play(ASKED_FIRST, "a4-b4;xe4*,e5*") == ["a4b4", "xe:e4e5", "xe:"]


BEGUN = "a4b4", "xe:e4e5", "xe:"


@pytest.mark.parametrize(
    ("text", "code"),
    [("-", "xe:"), ("–", "xe:"), ("xGe3", "xe:e3"), ("xGe3*,Ge6*", "xe:e3e6"), (" x Ge6 ", "xe:e6")],
)
def test_the_owner_answers_with_a_list_or_a_dash(text: str, code: str) -> None:
    assert in_play(ASKED_FIRST, text, *BEGUN) == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("xe3", "gipf"), ("xGe5", "outside"), ("pass", "asked"), ("c1-c2", "asked"), ("xh2", "outside"),
        ("xGe3;xh2,h3,h4,h5", "outside"),
    ],
)  # fmt: skip
def test_another_answer_of_the_owner_is_refused(text: str, code: str) -> None:
    with pytest.raises(IllegalTurn) as caught:
        in_play(ASKED_FIRST, text, *BEGUN)
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["xh2,h3,h4,h5", "a4-b4;xe4,e5,Ge3;xh2*,h3*,h4*,h5*"])
def test_after_the_answer_the_mover_writes_the_rest_or_all_of_the_turn(text: str) -> None:
    assert in_play(ASKED_FIRST, text, *BEGUN, "xe:e3") == ["xh:h2h3h4h5"]


def test_a_text_that_contradicts_what_was_played_is_refused() -> None:
    with pytest.raises(IllegalTurn) as caught:
        in_play(ASKED_FIRST, "a4-b4;xe4,e5;xh2*,h3*,h4*,h5*", *BEGUN, "xe:e3")
    assert caught.value.code == "done"


@pytest.mark.parametrize("text", ["xe2*", "xe2*,e3,e4,e5,e6", "a4-b4;xe2*,e3,e4,e5,e6"])
def test_a_row_in_work_may_be_written_as_a_whole_or_without_what_is_gone(text: str) -> None:
    assert in_play(ROW, text, "a4b4", "xe:e3e4e5e6") == ["xe:e2"]


def test_the_dash_is_no_push() -> None:
    with pytest.raises(IllegalTurn) as caught:
        in_play(ROW, "-")
    assert caught.value.code == "none"


@pytest.mark.parametrize("text", ["c1-c2", "xe2", "-"])
def test_who_has_no_reserve_is_not_told_to_push(text: str) -> None:
    with pytest.raises(IllegalTurn) as caught:
        in_play(PASSES, text)
    assert "push" not in str(caught.value)
    assert caught.value.sentences[-1].endswith("has no piece in reserve and can only pass: write pass.")


# --- Completion and suggestions -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("untraced")
def test_every_beginning_of_a_turn_finds_it() -> None:
    for seed in range(amount(test=8, long=100)):
        rng = Random(seed)
        position = built_table(rng)
        for notation in NOTATIONS.values():
            for found in rng.sample(all_found := completions(position, (), "", 60, notation), min(6, len(all_found))):
                typed = found.text[: rng.randrange(2, len(found.text) + 1)]
                assert found.text in [one.text for one in completions(position, (), typed, 1_000, notation)]
                actions = read_turn_part(position, (), found.text, notation)
                end = along(position, actions)
                assert end.mover is not position.mover or end.decider is not position.mover


def test_an_answer_is_completed() -> None:
    begun = [*read_turn_part(ASKED_FIRST, (), "a4-b4;xe4*,e5*")]
    assert [found.text for found in completions(ASKED_FIRST, begun, "", 9)] == [
        "-", "xGe3*", "xGe6*", "xGe3*,Ge6*",
    ]  # fmt: skip
    assert [found.text for found in completions(ASKED_FIRST, begun, "xge6", 9)] == ["xGe6*"]


def test_a_pass_is_completed() -> None:
    assert [found.text for found in completions(PASSES, (), "pa", 9)] == ["pass"]
    assert completions(PASSES, (), "e1", 9) == []


def test_similar_turns_are_suggested_and_can_be_played() -> None:
    assert suggest_turns(FIRST_TABLE, (), "c1c3")[0] == "c1-c2"
    for found in suggest_turns(OUT_OF_TURN, (), "a4-b4;xe3,e4", in_play=True):
        assert in_play(OUT_OF_TURN, found)
    for found in suggest_turns(OUT_OF_TURN, (), "a4-b4;xe3,e4"):
        assert parse_turn(OUT_OF_TURN, found)


# --- Records ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("untraced")
def test_whole_games_are_written_and_read_in_both_notations() -> None:
    for seed in range(amount(test=3, long=30)):
        rng, position, texts = Random(seed), FIRST_TABLE, list[str]()
        while len(texts) < 60 and not position.result:
            begun, actions = position, list[Action]()
            for _, action, after in walk(position, rng, seek_rows, 99):
                actions.append(action)
                position = after
                if after.mover is not begun.mover:
                    break
            texts.append(turn_text(begun, actions))
        record = read_record('[Rules "Overboard"]\n' + " ".join(texts))
        assert not record.broken
        assert record.rules is OVERBOARD
        assert record.end == position
        for notation in NOTATIONS.values():
            again = read_record(record_text(record, notation))
            assert (again.end, len(again.turns), again.notation) == (position, len(texts), notation)


def test_a_record_may_begin_inside_no_turn_but_with_a_pass() -> None:
    text = f'[Position "{position_text(PASSES)}"]\n1. pass b6-c6 2. *'
    record = read_record(text)
    assert len(record.turns) == 2


def test_a_draw_in_overboard_is_no_fault() -> None:
    assert read_record('[Rules "Overboard"]\n1. c1-c2 1/2-1/2').warnings == ()
