"""Conditional lines from turns tried in a study of a game: whole turns are cut where the decision passes (R8.4)."""

import pytest

from gipfbot.match import Game, Refused, Why, perform
from gipfbot.match.conditionals import position_after_part, read_conditional
from gipfbot.match.study import Actions, Study, perform_in_study, read_study_turn
from gipfbot.match.tried_lines import tried_line
from gipfbot.notation import action_code
from gipfbot.rules import BASIC, Colour, Position
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK, ASKS_TWICE
from tests.support.people import ANN, BOB

from .helpers import game, go_on

TURN = "a4-b4;xe4,e5,e6,e7"  # White's in ASKS_BACK, before Black is asked


def tried(position: Position, *texts: str) -> tuple[Actions, ...]:
    """Return the turns of a study from this position in which these texts were typed; an unfinished turn comes last."""
    study = Study(1, position.rules, ("ann", "bob"), (), start_position=position)
    for text in texts:
        study = perform_in_study(study, read_study_turn(study, text))
    return (*study.tried, study.draft) if study.draft else study.tried


def codes(line: tuple[Actions, ...]) -> list[str]:
    return [" ".join(map(action_code, actions)) for actions in line]


def refused(playing: Game, by: int, turns: tuple[Actions, ...]) -> Refused:
    with pytest.raises(Refused) as caught:
        tried_line(playing, by, turns)
    return caught.value


def test_a_whole_turn_with_an_answer_is_a_line() -> None:
    line = tried_line(game(ASKS), BOB.user, tried(ASKS, "a4-b4;xe4,e5", "xGe3"))
    assert line == read_conditional(game(ASKS), BOB.user, "if a4-b4;xe4,e5 then xGe3")


def test_an_answer_after_which_the_mover_goes_on_is_a_line() -> None:
    """The turn is unfinished in the study. What is forced after the answer is left out."""
    line = tried_line(game(ASKS_BACK), BOB.user, tried(ASKS_BACK, TURN, "xGe3"))
    assert codes(line) == ["a4b4 xe:e4e5e6e7 xe:", "xe:e3"]


def test_a_line_goes_on_behind_the_turn_with_the_answer() -> None:
    said = (TURN, "xGe3", "xd7,f6,g5,h4", "c1-c2")
    line = tried_line(game(ASKS_BACK), BOB.user, tried(ASKS_BACK, *said))
    assert codes(line) == ["a4b4 xe:e4e5e6e7 xe:", "xe:e3", "x7:d7", "c1c2"]
    typed = "if {} then {}, if {} then {}".format(*said)
    assert line == read_conditional(game(ASKS_BACK), BOB.user, typed)


def test_an_answer_that_is_missing_makes_no_line() -> None:
    assert refused(game(ASKS), BOB.user, tried(ASKS, "a4-b4;xe4,e5")).why is Why.CONDITIONAL_UNANSWERED
    assert refused(game(ASKS), BOB.user, tried(ASKS, "a4-b4")).why is Why.CONDITIONAL_UNANSWERED
    assert refused(game(ASKS), BOB.user, ()).why is Why.CONDITIONAL_UNANSWERED


def test_nothing_follows_an_answer_that_completes_the_turn() -> None:
    refusal = refused(game(ASKS), BOB.user, tried(ASKS, "a4-b4;xe4,e5", "-", "c1-c2"))
    assert (refusal.why, refusal.facts) == (Why.CONDITIONAL_SAME_PLAYER, {"answer": "-", "name": BOB.name})


def test_the_mover_who_waits_tries_what_they_have_played_first() -> None:
    playing = go_on(game(ASKS_BACK), ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    line = tried_line(playing, ANN.user, tried(ASKS_BACK, TURN, "-", "xd7,f6,g5,h4"))
    assert codes(line) == ["xe:", "x7:d7"]
    for other in (tried(ASKS_BACK, "g7-g6", "c1-c2"), tried(ASKS_BACK, "a4-b4"), ()):
        refusal = refused(playing, ANN.user, other)
        assert (refusal.why, refusal.facts) == (Why.CONDITIONAL_BEGUN, {"played": "a4-b4;xe4*,e5*,e6*,e7*"})


def test_the_owner_who_has_answered_tries_the_answer_first() -> None:
    playing = go_on(go_on(game(ASKS_BACK), ANN.user, "a4b4", "xe:e4e5e6e7", "xe:"), BOB.user, "xe:e3")
    line = tried_line(playing, BOB.user, tried(ASKS_BACK, TURN, "xGe3", "xd7,f6,g5,h4", "c1-c2"))
    assert codes(line) == ["x7:d7", "c1c2"]
    assert refused(playing, BOB.user, tried(ASKS_BACK, TURN, "-", "xd7,f6,g5,h4")).why is Why.CONDITIONAL_BEGUN


def test_two_answers_in_a_row_are_one_decision() -> None:
    """The removal between them is forced: it is White's, but nobody is asked about it."""
    begun = game(ASKS_TWICE)
    turns = tried(ASKS_TWICE, "a4-b4;xe4,e5,e6", "xGe3", "xGh5")
    line = tried_line(begun, BOB.user, turns)
    assert codes(line) == ["a4b4 xe:e4e5e6 xe:", "xe:e3 xh:h2h3h4 xh:h5"]
    assert line == read_conditional(begun, BOB.user, "if a4-b4;xe4,e5,e6 then xGe3 xGh5")
    reached = position_after_part(ASKS_TWICE, line[0])
    assert reached
    after = position_after_part(reached, line[1])
    assert after
    assert after.mover is Colour.BLACK
    done = perform(perform(begun, ANN.user, line[0]).game, BOB.user, line[1])
    assert done.turn
    assert done.turn.text == "a4-b4;xGe3*,e4*,e5*,e6*;xh2*,h3*,h4*,Gh5*"


def test_the_first_of_two_answers_is_no_line() -> None:
    begun = game(ASKS_TWICE)
    turns = tried(ASKS_TWICE, "a4-b4;xe4,e5,e6", "xGe3")
    assert refused(begun, BOB.user, turns).why is Why.CONDITIONAL_UNANSWERED
    with pytest.raises(Refused) as caught:
        read_conditional(begun, BOB.user, "if a4-b4;xe4,e5,e6 then xGe3")
    assert caught.value.why is Why.CONDITIONAL_UNANSWERED


def test_turns_of_the_official_versions_are_lines_as_they_are() -> None:
    begun = game(None, BASIC)
    turns = tried(begun.position, "c2", "g2")
    assert tried_line(begun, BOB.user, turns) == turns
    assert refused(begun, ANN.user, turns).why is Why.OWN_TURN
    assert refused(begun, BOB.user, turns[:1]).why is Why.CONDITIONAL_UNANSWERED
    deep = tried(begun.position, *"c2 g2 b3 h3 c6 g6 b4 h4 d2 f2 d7".split())
    assert refused(begun, BOB.user, deep).why is Why.CONDITIONAL_TOO_DEEP
