"""What the explorer says of made-up positions."""

from dataclasses import replace

import pytest

from gipfbot.match import position_after
from gipfbot.match.explorer import EXPLORED_TURNS
from gipfbot.match.study import Study, study_game
from gipfbot.notation import JULIO974, OFFICIAL, parse_turn
from gipfbot.rules import BASIC, Colour, Reason, Result, start
from gipfbot.service.records.explorer import ExplorerView, NextTurn
from gipfbot.ui.records import explorer
from gipfbot.values import ExploredTurn, ListedGame
from tests.match.studies import turns_of
from tests.support.games import CIRCLE, TURNS
from tests.support.people import ANN, BOB, HOME
from tests.ui.positions import GIPF_ROW

ACTIONS = turns_of(TURNS, BASIC)
LONG = turns_of((*CIRCLE, *CIRCLE), BASIC)
NEXT = NextTurn("abcd", ACTIONS[0], ExploredTurn("c2", 2, 1, 3), in_record=False)


def view(turns: int = 0, *, over: bool = False) -> ExplorerView:
    """Return a view of a position after so many turns, from which nothing was played."""
    study = Study(0, BASIC, ("White", "Black"), LONG, turns)
    position = study_game(study).position
    if over:
        position = position._replace(result=Result(Colour.WHITE, Reason.RESERVE))
    return ExplorerView(study, position, (), 0, 0, ())


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (view(), explorer.UNKNOWN_POSITION),
        (view(EXPLORED_TURNS - 1), explorer.UNKNOWN_POSITION),
        (view(EXPLORED_TURNS), explorer.too_late_text()),
        (view(2, over=True), explorer.GAME_ENDS),
        (view(EXPLORED_TURNS, over=True), explorer.GAME_ENDS),
        (replace(view(EXPLORED_TURNS), games=1), "Played next, in 1 finished game:"),
        (replace(view(), games=2), "Played next, in 2 finished games:"),
    ],
)
def test_the_sentence_says_why_nothing_follows(shown: ExplorerView, said: str) -> None:
    heading, sentence = explorer.explorer_text(shown, study_game(shown.study), OFFICIAL).splitlines()
    assert heading.startswith("**Explorer** · Basic · ")
    assert sentence == said


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((1, 0, 0), "White won 100 %"),
        ((0, 1, 0), "drawn 100 %"),
        ((1, 0, 2), "White won 33 %, Black won 67 %"),
        ((1, 1, 1), "White won 34 %, drawn 33 %, Black won 33 %"),
        ((199, 0, 1), "White won 100 %, Black won 0 %"),
        ((3, 1, 3), "White won 43 %, drawn 14 %, Black won 43 %"),
    ],
)
def test_shares_come_to_a_hundred(counts: tuple[int, int, int], said: str) -> None:
    assert explorer.results_text(ExploredTurn("c2", *counts)) == said


def test_a_turn_is_written_in_the_notation_of_the_reader() -> None:
    shown, turn = view(2), NEXT._replace(actions=LONG[2])
    line = explorer.next_turn_line(shown, turn, OFFICIAL)
    assert line == "**c1-c3** · 6 games · White won 33 %, drawn 17 %, Black won 50 %"
    other = explorer.next_turn_line(shown, turn._replace(in_record=True), JULIO974)
    assert other.startswith("**c1** · played here · 6 games · ")
    assert explorer.next_turn_labels(replace(shown, next_turns=(turn,)), OFFICIAL) == ["▶ c1-c3"]


def test_turns_that_differ_only_in_what_they_remove_have_labels_of_their_own() -> None:
    turns = [parse_turn(GIPF_ROW, text) for text in ("xd3,d4,d5;c2", "xGd2,d3,d4,d5;c2", "xd3,d4,d5;b3")]
    shown = replace(view(), position=GIPF_ROW, next_turns=tuple(NEXT._replace(actions=turn) for turn in turns))
    assert explorer.next_turn_labels(shown, OFFICIAL) == ["▶ x…;c2", "▶ x…;c2 (2)", "▶ x…;b3"]


def test_turns_that_are_not_shown_are_counted() -> None:
    shown = replace(view(), next_turns=(NEXT,), games=9, other_turns=2)
    assert explorer.other_turns_text(shown) == "And 2 other turns, in 3 finished games."
    assert explorer.other_turns_text(replace(shown, other_turns=1, games=7)) == (
        "And 1 other turn, in 1 finished game."
    )
    assert explorer.other_turns_text(replace(shown, other_turns=0)) == ""


def test_names_of_players_are_escaped() -> None:
    game = ListedGame(3, "basic", (ANN.user, BOB.user), ("*Ann*", "Bob"), HOME)
    assert explorer.newest_games_text([game]) == "Newest games: **#c1** \\*Ann\\* vs Bob"
    assert explorer.newest_games_text([]) == ""


def test_the_position_after_a_turn_is_named() -> None:
    after = view(1)
    assert after.position == position_after(start(BASIC), ACTIONS[0])
    text = explorer.explorer_text(after, study_game(after.study), OFFICIAL)
    assert text.startswith("**Explorer** · Basic · after **1. White c2**\n")
