"""Overboard (section 8), rule by rule."""

from random import Random

import pytest

from gipfbot.notation import position_text
from gipfbot.rules import (
    OVERBOARD,
    PRESETS,
    STANDARD,
    Colour,
    Kind,
    Position,
    Push,
    Reason,
    Result,
    Ruleset,
    Stage,
    legal,
    play,
    ruleset_named,
)
from gipfbot.rules.changes import Pushed, Removed, events, moves
from gipfbot.rules.geometry import LINES
from gipfbot.rules.pending import Asked, question
from tests.rules.boards_of_overboard import (
    FIRST_TABLE,
    OUT_OF_TURN,
    ROW,
    after_codes,
    built_table,
    codes_of,
    seek_rows,
    table_at,
)
from tests.rules.generate import walk
from tests.rules.helpers import BLACK, SYMMETRIES, WHITE, counts, image, side
from tests.support.effort import amount


def owners(position: Position) -> list[str]:
    return [row.owner.letter for row in position.noted]


# --- R8.1 ---------------------------------------------------------------------------------------------------------


def test_r8_1_each_side_has_three_gipf_pieces_and_18_basic_pieces_in_reserve() -> None:
    assert FIRST_TABLE.reserve == (18, 18)
    assert FIRST_TABLE.mover is WHITE
    assert side(FIRST_TABLE, WHITE) == "Gb5,Ge2,Gh5"
    assert side(FIRST_TABLE, BLACK) == "Gb2,Ge8,Gh2"


def test_r8_1_a_rule_set_names_its_course_and_old_ones_have_the_official_one() -> None:
    assert Ruleset.from_data(OVERBOARD.data()) == OVERBOARD
    old = {key: value for key, value in STANDARD.data().items() if key not in ("course", "gipf_apart", "draws")}
    assert Ruleset.from_data(old) == STANDARD


def test_r8_1_it_is_known_by_name_and_not_among_the_presets() -> None:
    assert ruleset_named("overboard") is OVERBOARD
    assert OVERBOARD not in PRESETS.values()


# --- R8.2 ---------------------------------------------------------------------------------------------------------


def test_r8_2_a_push_moves_every_piece_of_the_line_and_its_gaps() -> None:
    position = after_codes(table_at("w W=Gb5,e3,Ge6 B=Ge4,Gb2"), "e1e2")
    assert side(position, WHITE) == "Gb5,e2,e4,Ge7"
    assert side(position, BLACK) == "Gb2,Ge5"
    assert position.mover is BLACK


@pytest.mark.parametrize(("colour", "reserve"), [("w", (17, 18)), ("b", (16, 18))])
def test_r8_2_a_basic_piece_pushed_over_the_edge_returns_to_its_owner(colour: str, reserve: tuple[int, int]) -> None:
    sides = ("W=Gb5,e8 B=Gb2", "W=Gb5,c3 B=Gb2,e8")[colour == "b"]
    before = table_at(f"w {sides}")
    after = after_codes(before, "e1e2")
    assert "e8" not in after.pieces()
    assert after.reserve == reserve


def test_r8_2_a_push_that_would_push_a_gipf_piece_off_is_illegal() -> None:
    position = table_at("w W=Gb5,e5 B=Ge8,Gb2")
    assert "e1e2" not in codes_of(position)
    assert "e9e8" in codes_of(position)


def test_r8_2_the_direction_of_a_push_counts_for_every_entry() -> None:
    """A GIPF-piece on the last spot of a line closes exactly the entry at the other end."""
    closed = 42 - len(legal(table_at("w W=Gb5 B=Gh2")))
    assert closed == 6


def test_r8_2_a_push_to_a_vacant_first_spot_moves_the_line_too() -> None:
    position = after_codes(table_at("w W=Gb5,e4 B=Gb2,e7"), "e1e2")
    assert {"e2", "e5", "e8"} <= {*position.pieces()}


def test_r8_2_the_moves_of_a_push_end_on_the_far_dot() -> None:
    before = table_at("w W=Gb5,e8,e3 B=Gb2")
    (push,) = (action for action in legal(before) if codes_of(before)[legal(before).index(action)] == "e1e2")
    assert moves(before, push) == (("e8", "e9"), ("e3", "e4"), ("e1", "e2"))  # type: ignore[arg-type]
    assert isinstance(events(before, push, play(before, push))[0], Pushed)


# --- R8.3 ---------------------------------------------------------------------------------------------------------


def test_r8_3_all_standing_rows_are_noted_the_movers_first() -> None:
    position = after_codes(table_at("b W=e2,e3,e4,e5,Gb5 B=g2,g3,g4,g5,Gb2"), "h6h5")
    assert owners(position) == ["b", "w"]
    assert position.mover is BLACK
    assert position.pushed


def test_r8_3_the_movers_rows_are_resolved_before_the_opponents() -> None:
    position = after_codes(table_at("b W=e2,e3,e4,e5,Gb5 B=g2,g3,g4,g5,Gb2"), "h6h5")
    assert codes_of(position) == ["xg:g2g3g4g5"]
    assert codes_of(after_codes(position, "xg:g2g3g4g5")) == ["xe:e2e3e4e5"]


def test_r8_3_a_row_is_noted_with_all_its_spots() -> None:
    position = after_codes(table_at("w W=d4,e3,e5,e6,e7,Gb5 B=Gb2"), "a4b4")
    assert position_text(position).endswith("step=after rows=we3-e7 asked=w")


def test_r8_3_its_basic_pieces_go_home_first() -> None:
    position = after_codes(ROW, "a4b4")
    assert codes_of(position) == ["xe:e3e4e5e6"]
    assert after_codes(position, "xe:e3e4e5e6").reserve == (14 - 1 + 4, 15)


def test_r8_3_each_end_is_answered_by_itself_and_its_run_goes_as_a_whole() -> None:
    position = after_codes(ROW, "a4b4", "xe:e3e4e5e6")
    assert position.stage is Stage.ENDS
    assert codes_of(position) == ["xe:", "xe:e2", "xe:e7e8", "xe:e2e7e8"]
    over = after_codes(position, "xe:e7e8")
    assert side(over, BLACK) == "Gb2,e2,Gh2"
    assert over.reserve == (17, 17)
    assert over.mover is BLACK


@pytest.mark.parametrize(
    ("black", "white", "run"),
    [
        ("e7,e8,Gb2", "Gb5", ["xe:", "xe:e7e8"]),
        ("e8,Gb2", "Gb5", []),
        ("e7,Ge8", "Gb5", ["xe:", "xe:e7"]),
        ("Ge7,e8", "Gb5", []),
        ("e7,Gb2", "Ge8", ["xe:", "xe:e7"]),
    ],
    ids=[
        "to the end of the line",
        "not over a vacancy",
        "up to a GIPF-piece",
        "no GIPF-piece",
        "up to the row's colour",
    ],
)
def test_r8_3_a_run_begins_next_to_the_row_and_ends_at_what_is_not_basic(
    black: str, white: str, run: list[str]
) -> None:
    position = after_codes(table_at(f"w W=d4,e3,e5,e6,{white} B={black}"), "a4b4", "xe:e3e4e5e6")
    assert codes_of(position) == run or (not run and position.mover is BLACK)


def test_r8_3_at_a_row_of_the_opponent_the_mover_takes_their_own_pieces() -> None:
    position = after_codes(OUT_OF_TURN, "a4b4", "xe:e4e5")
    assert position.stage is Stage.ENDS
    assert position.decider is BLACK
    assert after_codes(position, "xe:e2e7e8").reserve == (18, 17)


def test_r8_3_the_mover_chooses_the_order_within_each_group() -> None:
    position = after_codes(table_at("w W=d4,e3,e5,e6,b2,b3,b5,Gh5 B=Gg5,Gh2"), "a4b4")
    assert owners(position) == ["w", "w"]
    assert codes_of(position) == ["xb:b2b3b4b5", "xe:e3e4e5e6"]
    assert codes_of(after_codes(position, "xe:e3e4e5e6")) == ["xb:b2b3b4b5"]


def test_r8_3_a_piece_that_is_gone_is_missing_in_the_other_row() -> None:
    crossing = table_at("w W=d4,e3,e5,e6,b4,c4,f3,Gh5 B=Gb2,Gh2")
    position = after_codes(crossing, "a4b4")
    assert len(position.noted) == 2
    first, second = (code.split(":")[0] for code in codes_of(position))
    after = after_codes(position, next(code for code in codes_of(position) if code.startswith(first)))
    assert "e4" not in codes_of(after)[0]
    assert codes_of(after)[0].startswith(second)


def test_r8_3_a_row_that_has_lost_all_its_pieces_is_still_asked_about_its_ends() -> None:
    position = table_at("w W=Gb5,Gh5 B=Gb2,b4,Gh2 step=after rows=wc4-f3 asked=w")
    assert codes_of(position) == ["x4:"]
    assert codes_of(after_codes(position, "x4:")) == ["x4:", "x4:b4"]
    assert after_codes(position, "x4:", "x4:b4").reserve == (18, 18)


def test_r8_3_the_owner_names_gipf_pieces_of_the_row_or_none() -> None:
    position = after_codes(table_at("w W=d4,Ge3,e5,Ge6,Gh5 B=Gb2,Gh2"), "a4b4", "xe:e4e5")
    assert position.stage is Stage.GIPF
    assert codes_of(position) == ["xe:", "xe:e3", "xe:e6", "xe:e3e6"]
    after = after_codes(position, "xe:e3")
    assert "e3" not in after.pieces()
    assert after.reserve == (18 - 1, 18)


def test_r8_3_when_the_game_is_decided_the_other_rows_lapse() -> None:
    position = table_at("w W=d4,Ge3,e5,e6,b2,b3,b5 B=Gg5,Gh2")
    position = after_codes(position, "a4b4", "xe:e4e5e6", "xe:e3")
    assert position.result == Result(BLACK, Reason.GIPF)
    assert position.noted == ()
    assert {"b2", "b3", "b4", "b5"} <= {*position.pieces()}


def test_r8_3_a_step_that_can_take_nothing_is_not_asked() -> None:
    position = after_codes(table_at("w W=d4,e3,e5,e6,Gh5 B=Gb2"), "a4b4", "xe:e3e4e5e6")
    assert position.mover is BLACK


# --- R8.4 ---------------------------------------------------------------------------------------------------------


def test_r8_4_the_owner_is_asked_in_the_other_players_turn() -> None:
    position = after_codes(OUT_OF_TURN, "a4b4", "xe:e4e5", "xe:")
    assert position.mover is BLACK
    assert position.decider is WHITE
    asked = question(position)
    assert asked
    assert (asked.by, asked.stage, asked.asks) == (WHITE, Stage.GIPF, frozenset({Asked.GIVE_UP}))
    assert asked.rows[0].toggles == (("e3",), ("e6",))
    over = after_codes(position, "xe:e6")
    assert over.decider is over.mover is WHITE
    assert "e6" not in over.pieces()


def test_r8_4_a_gipf_piece_of_the_other_colour_is_never_taken() -> None:
    """Not at the end of a row either: a run ends before it."""
    for seed in range(30):
        rng = Random(seed)
        for before, action, after in walk(built_table(rng), rng, seek_rows, 60):
            for colour in Colour:
                lost = before.owned[colour] & before.gipf & ~(after.owned[colour] & after.gipf)
                if lost and getattr(action, "taken", 0) & lost:
                    assert before.decider is colour


def test_r8_4_an_event_names_who_decided_and_what_left_the_game() -> None:
    position = after_codes(OUT_OF_TURN, "a4b4", "xe:e4e5", "xe:")
    action = legal(position)[1]
    (event,) = events(position, action, play(position, action))
    assert isinstance(event, Removed)
    assert (event.by, [spot for spot, _ in event.captured], event.returned) == (WHITE, ["e3"], ())
    none = legal(position)[0]
    assert events(position, none, play(position, none)) == ()


# --- R8.5 ---------------------------------------------------------------------------------------------------------


def test_r8_5_a_player_without_a_gipf_piece_loses_at_once() -> None:
    position = after_codes(table_at("b W=d4,Ge3,e5,e6 B=Gb2,Gh2"), "a4b4", "xe:e4e5e6", "xe:e3")
    assert position.result == Result(BLACK, Reason.GIPF)
    assert legal(position) == ()
    assert position.mover is WHITE


FULL = "b2,b3,b4,b5,c2,c3,d2,d3,e2,e3,f2,f3,g2,g3,h2,h3,c6,e6"


def test_r8_5_a_player_without_a_reserve_passes_and_does_not_lose() -> None:
    position = table_at(f"w W={FULL},Gh5 B=Gd7,Ge8")
    assert codes_of(position) == ["-"]
    asked = question(position)
    assert asked
    assert asked.asks == {Asked.PASS}
    assert asked.forced is None


def test_r8_5_a_pass_notes_no_rows() -> None:
    position = after_codes(table_at(f"w W={FULL},Gh5 B=Gd7,Ge8"), "-")
    assert (position.mover, position.noted, position.result) == (BLACK, (), None)


def test_r8_5_a_player_with_a_reserve_does_not_pass() -> None:
    assert "-" not in codes_of(FIRST_TABLE)


def test_r8_5_a_draw_may_be_agreed_in_overboard_only() -> None:
    assert OVERBOARD.agreed_draw
    assert not any(rules.agreed_draw for rules in PRESETS.values())


# --- R8.6, R8.7 ---------------------------------------------------------------------------------------------------


def test_r8_6_there_are_no_potentials() -> None:
    with pytest.raises(ValueError, match="no potentials in Overboard"):
        ruleset_named("overboard+Z3")


def test_r8_7_eighteen_entries_are_closed_at_the_start_to_both_sides() -> None:
    assert len(legal(FIRST_TABLE)) == 24
    assert len(legal(FIRST_TABLE._replace(mover=BLACK))) == 24


def test_r8_7_no_gipf_piece_can_move_at_the_start() -> None:
    for action in legal(FIRST_TABLE):
        assert play(FIRST_TABLE, action).gipf == FIRST_TABLE.gipf


def test_the_question_lists_each_step_of_a_row() -> None:
    position = after_codes(ROW, "a4b4")
    asked = question(position)
    assert asked
    assert asked.forced == legal(position)[0]
    assert asked.rows[0].must == ("e3", "e4", "e5", "e6")
    asked = question(after_codes(position, "xe:e3e4e5e6"))
    assert asked
    assert asked.asks == {Asked.ENDS}
    assert asked.forced is None
    assert asked.rows[0].toggles == (("e2",), ("e7", "e8"))
    assert asked.rows[0].removal(["e7", "e8"]) in asked.rows[0].ways
    assert asked.rows[0].removal(["e7"]) is None


def test_a_noted_row_is_shown_with_what_may_be_taken_at_its_ends() -> None:
    first, second = (question(after_codes(ROW, *codes)) for codes in (["a4b4"], ["a4b4", "xe:e3e4e5e6"]))
    assert first
    assert second
    core = ("e3", "e4", "e5", "e6")
    assert (first.rows[0].core, first.rows[0].stretch) == (core, core)
    assert (second.rows[0].core, second.rows[0].stretch) == (core, ("e2", *core, "e7", "e8"))


def test_the_order_of_two_rows_is_asked_even_if_they_share_nothing() -> None:
    asked = question(after_codes(table_at("w W=d4,e3,e5,e6,b2,b3,b5,Gh5 B=Gg5,Gh2"), "a4b4"))
    assert asked
    assert asked.asks == {Asked.ROW, Asked.ORDER}
    assert asked.forced is None


# --- properties ---------------------------------------------------------------------------------------------------


def basic_total(position: Position, colour: Colour) -> int:
    """Return a player's basic pieces, on the board and in reserve."""
    standing = [piece for piece in position.pieces().values() if piece == (colour, Kind.BASIC, ())]
    return len(standing) + position.reserve[colour]


@pytest.mark.usefixtures("untraced")
def test_games_that_seek_rows_reach_400_turns_and_keep_all_basic_pieces() -> None:
    for seed in range(amount(test=3, long=40)):
        position, rng, turns, rows = FIRST_TABLE, Random(seed), 0, 0
        while turns < 400 and (actions := legal(position)):
            assert len({*actions}) == len(actions)
            after = play(position, seek_rows(position, actions, rng))
            for colour in Colour:
                assert basic_total(after, colour) == 18
                assert (after.owned[colour] & after.gipf).bit_count() <= 3
            assert after.owned[0] & after.owned[1] == 0
            assert after.captured == (0, 0)
            turns += after.mover is not position.mover
            rows += len(after.noted) > len(position.noted)
            position = after
        assert position.result or turns == 400
        assert rows > 20


@pytest.mark.usefixtures("untraced")
def test_the_twelve_images_have_the_same_counts_in_overboard() -> None:
    compared = 0
    for seed in range(amount(test=12, long=200)):
        position = built_table(Random(seed))
        count = counts(position, 1)
        if count[0] <= 150:
            assert all(counts(image(position, symmetry), 1) == count for symmetry in SYMMETRIES)
            compared += 1
    assert compared > 3


def test_r8_7_no_row_holds_a_gipf_piece_while_all_stand_on_the_corners() -> None:
    """So in a game from the start no owner is ever asked: the centre cannot be reached, and a row would need it."""
    corners = {spot: piece.owner for spot, piece in FIRST_TABLE.pieces().items()}
    reached = {spot for push in legal(FIRST_TABLE) if isinstance(push, Push) for spot in LINES[push.entry.line].spots}
    assert "e5" not in reached
    for line in LINES:
        for first in range(len(line.spots) - 3):
            four = {*line.spots[first : first + 4]}
            owners = {corners[spot] for spot in four & corners.keys()}
            assert not owners or len(owners) == 2 or "e5" in four
