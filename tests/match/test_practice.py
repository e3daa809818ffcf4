"""Practices: who plays which colour, where they begin, and how they step back."""

import pytest

from gipfbot.match import Refused, Why, position_after
from gipfbot.match.practice import begin_practice, bot_decides, practice_colour, take_back_own
from gipfbot.match.study import Study, drop_tried, perform_in_study, read_study_turn, study_game
from gipfbot.notation import parse_position, parse_turn, position_text
from gipfbot.rules import Colour, Position, Push

ROW = parse_position("basic w W=b5,e2,e3,e4 B=b2,d6,h2 reserve=11-12 captured=0-0")
BLACK_TO_MOVE = parse_position("basic b W=b5,e2,h5 B=b2,d6,h2 reserve=12-12 captured=0-0")
DECIDING = parse_position("standard w W=b2,b3,Gb4,Gh5 B=d6,Ge8,Gg2 reserve=12-13 captured=0-0")
LAST_PIECE = parse_position("basic w W=b5,e2,h5 B=b2,c3,e6,g2 reserve=12-0 captured=0-11")


def played(study: Study, *texts: str) -> Study:
    """Return a practice after these turns, of the person and of the bot."""
    for text in texts:
        study = perform_in_study(study, read_study_turn(study, text))
    return study


@pytest.mark.parametrize(("position", "colour"), [(ROW, Colour.WHITE), (BLACK_TO_MOVE, Colour.BLACK)])
def test_the_person_plays_the_colour_to_move(position: Position, colour: Colour) -> None:
    study = begin_practice(position)
    assert (practice_colour(study), study.names[colour]) == (colour, "You")
    assert not bot_decides(study)
    assert bot_decides(played(study, "g2"))


def test_a_whole_turn_shown_makes_the_other_colour_the_persons() -> None:
    study = begin_practice(ROW, tuple(parse_turn(ROW, "e1-e5;xe2,e3,e4,e5")))
    assert (practice_colour(study), study.trying, bot_decides(study)) == (Colour.BLACK, False, False)
    assert "reserve=14-12" in position_text(study_game(study).position)


def test_an_own_turn_is_the_bots_to_answer() -> None:
    study = begin_practice(ROW, tuple(parse_turn(ROW, "e1-e5;xe2,e3,e4,e5")), own_turn=True)
    assert (practice_colour(study), len(study.tried), bot_decides(study)) == (Colour.WHITE, 1, True)


def test_a_push_with_a_forced_removal_is_a_whole_turn() -> None:
    push, *_ = parse_turn(ROW, "e1-e5;xe2,e3,e4,e5")
    assert practice_colour(begin_practice(ROW, (push,))) is Colour.BLACK


def test_it_begins_inside_a_turn_that_leaves_a_choice() -> None:
    """Taken back, the turn begins anew."""
    push, *_ = parse_turn(DECIDING, "b1-b5;xb2,b3,b4")
    assert isinstance(push, Push)
    study = begin_practice(DECIDING, (push,))
    assert (study.draft, practice_colour(study), bot_decides(study)) == ((push,), Colour.WHITE, False)
    assert take_back_own(study).draft == ()


@pytest.mark.parametrize("position", [LAST_PIECE, position_after(LAST_PIECE, parse_turn(LAST_PIECE, "d2"))])
def test_a_position_that_is_over_cannot_be_practised(position: Position) -> None:
    with pytest.raises(Refused) as refused:
        begin_practice(position, () if position.result else tuple(parse_turn(position, "d2")))
    assert refused.value.why is Why.OVER


def test_a_step_back_takes_back_the_bots_answer_too() -> None:
    one = played(begin_practice(ROW), "g2", "c2")
    two = played(one, "b1")
    assert take_back_own(two).tried == one.tried  # the bot thinks about it
    assert take_back_own(played(two, "d1")).tried == one.tried
    assert take_back_own(one).tried == take_back_own(take_back_own(one)).tried == drop_tried(one).tried == ()


def test_a_step_back_never_lets_the_bot_decide() -> None:
    study = played(begin_practice(BLACK_TO_MOVE), "g2", "c2", "b1")
    while study.trying:
        study = take_back_own(study)
        assert not bot_decides(study)
