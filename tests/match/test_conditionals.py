"""Lines of conditionals: what a player may leave, what is refused, when two lines part, and what fits."""

from dataclasses import replace

import pytest

from gipfbot.match import Clock, Game, Refused, Status, Turn, Why, new_game, perform, read_typed_turn
from gipfbot.match.conditionals import (
    DEEPEST_CONDITIONAL,
    ConditionalLine,
    can_coexist,
    check_conditional,
    conditional_fits,
    known_draft,
    line_after_reply,
    may_add_conditional,
    perform_conditional,
    position_after_part,
    read_conditional,
    tried_line,
)
from gipfbot.match.study import Actions, Study, perform_in_study, read_study_turn
from gipfbot.notation import JULIO974, OFFICIAL, BrokenRecord, IllegalTurn, OpenTurn, ParseError, action_code, turn_text
from gipfbot.rules import BASIC, PASS, PUSHES, Colour, Kind, Position
from gipfbot.ui.kit import refusal_texts
from gipfbot.ui.requests.conditionals import listed_line_text
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK, ASKS_TWICE
from tests.support.people import ANN, BOB, EVE

from .helpers import CHOICE, SEATS, TWO_ROWS, game, go_on, position_after

# Black's row captures White's last GIPF-piece (R6.2), if White leaves it there.
LAST_GIPF = "standard w W=Gd6,h3 B=Gb3,d2,d3,d4,d5 reserve=15-12 captured=0-0"
WINS = "xd2,d3,d4,d5,Gd6*"
FIVE_DEEP = "c2 g2 b3 h3 b4 h4 d2 f2 d7 f7"

TURN = "a4-b4;xe4,e5,e6,e7"  # White's in ASKS_BACK, before Black is asked


@pytest.fixture
def fresh() -> Game:
    return new_game(7, BASIC, SEATS)


def line(playing: Game, text: str, by: int = BOB.user) -> ConditionalLine:
    return ConditionalLine(1, by, playing.turn_number, read_conditional(playing, by, text))


def played(playing: Game, text: str, by: int = ANN.user) -> Turn:
    turn = perform(playing, by, read_typed_turn(playing, by, text)).turn
    assert turn
    return turn


def refusal(playing: Game, text: str, by: int = BOB.user) -> Why:
    with pytest.raises(Refused) as refused:
        read_conditional(playing, by, text)
    return refused.value.why


def broken(playing: Game, text: str) -> BrokenRecord:
    with pytest.raises(BrokenRecord) as fault:
        read_conditional(playing, BOB.user, text)
    return fault.value


@pytest.mark.parametrize(
    "text", ["e1-e3 e9-e7 b3 h3", "1. e1-e3 e9-e7 2. b3 h3", "12.e1-e3 12… e9-e7\n13. b3 h3", "E1 - e3 e9 b3   h3"]
)
def test_a_line_is_read_as_in_a_record(fresh: Game, text: str) -> None:
    """Numbers are forgiven, and each turn may be in either notation."""
    position, said = fresh.position, []
    for actions in read_conditional(fresh, BOB.user, text):
        said.append(turn_text(position, actions))
        position = position_after(position, actions)
    assert said == ["e1-e3", "e9-e7", "b3", "h3"]


FORMS = [
    # forms of turns that `/move` and records read, too
    "e1 e3 e9 e7 b3 h3",
    "e1e3 e9e7 b3 h3",
    "if e1 -> e3 then e9>e7, if b3 then h3",
    "e1--e3, e9\u2212e7; b3 → h3.",
    "e1\u2014e3 e9 \u2013 e7 \u2014 b3 \u2014 h3",
    "1. e1-e3! 1... e9-e7?! $2 2. b3 +/- 2… h3",
    "(1) e1-e3 (11) e9-e7 (11) (2) b3 (10) h3 (10",
    "> 1. e1-e3 {why} e9-e7 (or d7)\n> 2. b3 h3 {never closed",
    "```\ne1-e3 e9-e7\nb3 h3\n```",
    "`e1-e3` `e9-e7` nb3 h3",
    "e1\u200b-e3 e9-\ufeffe7 b3 h3",
]


@pytest.mark.parametrize("text", FORMS)
def test_a_line_is_read_in_every_form_of_turns(fresh: Game, text: str) -> None:
    position, said = fresh.position, []
    for actions in read_conditional(fresh, BOB.user, text):
        said.append(turn_text(position, actions))
        position = position_after(position, actions)
    assert said == ["e1-e3", "e9-e7", "b3", "h3"]


def test_a_number_with_dots_is_checked_in_a_line(fresh: Game) -> None:
    fault = broken(fresh, "1... e1-e3 e9-e7")
    assert (fault.turn_number, fault.code) == (1, "side")


def test_a_dot_with_two_pushes_is_not_guessed_in_a_line(fresh: Game) -> None:
    """Only readers of Julio974's notation mean the vertical push."""
    fault = broken(fresh, "c1 h3").fault
    assert isinstance(fault, OpenTurn)
    assert fault.choices == ("c2", "d2")
    first = read_conditional(fresh, BOB.user, "c1 h3", JULIO974)[0]
    assert turn_text(fresh.position, first) == "c2"
    assert turn_text(fresh.position, read_conditional(fresh, BOB.user, "c1* h3")[0]) == "d2"


def test_a_line_with_two_meanings_is_refused(fresh: Game) -> None:
    """In Julio974's notation `f1 d2` can be two turns or one push. In the official notation it is one push."""
    text = "f1 d2 i2 h3"
    with pytest.raises(BrokenRecord) as caught:
        read_conditional(fresh, BOB.user, text, JULIO974)
    fault = caught.value.fault
    assert isinstance(fault, OpenTurn)
    assert (caught.value.turn_number, caught.value.side, fault.choices) == (1, Colour.WHITE, ("f2", "f1-d2"))
    assert "two ways" in str(fault)
    assert len(read_conditional(fresh, BOB.user, text)) == 2


def test_a_line_is_read_as_it_is_listed(fresh: Game) -> None:
    read = read_conditional(fresh, BOB.user, "c2 g2 b3 h3")
    for room in (200, 20):
        said = listed_line_text(fresh, fresh.position, read, OFFICIAL, room)
        assert read_conditional(fresh, BOB.user, said.split("`")[1] if "`" in said else said) == read


def test_a_line_without_its_last_reply_is_refused(fresh: Game) -> None:
    with pytest.raises(Refused) as refused:
        read_conditional(fresh, BOB.user, "1. c2, g2; b3")
    assert refused.value.facts == {"said": ("c2", "g2", "b3")}
    assert "Understood as 3 turns: `c2`, `g2`, `b3`." in refusal_texts.refusal_text(refused.value)


def test_a_line_has_five_replies_at_most(fresh: Game) -> None:
    assert len(read_conditional(fresh, BOB.user, FIVE_DEEP)) == 2 * DEEPEST_CONDITIONAL
    for more in ("e1", "e1 e9"):
        assert refusal(fresh, f"{FIVE_DEEP} {more}") is Why.CONDITIONAL_TOO_DEEP


@pytest.mark.parametrize("text", ["", "12.", "c2", "c2 g2 b3"])
def test_a_line_that_ends_with_the_opponents_turn_is_refused(fresh: Game, text: str) -> None:
    assert refusal(fresh, text) is Why.CONDITIONAL_UNANSWERED


def test_only_the_waiting_player_may_leave_a_line(fresh: Game) -> None:
    assert refusal(fresh, "c2 g2", ANN.user) is Why.OWN_TURN
    assert refusal(fresh, "c2 g2", EVE.user) is Why.NOT_A_PLAYER
    assert refusal(replace(fresh, status=Status.OVER), "c2 g2") is Why.OVER


def test_no_line_is_accepted_once_flagged(fresh: Game) -> None:
    """In grace any turn ends the game (R6.4, FAQ 11)."""
    running = replace(fresh, clock=Clock((9, 9), deadline=9))
    assert may_add_conditional(running, BOB.user)
    late = replace(running, clock=Clock((9, 9), deadline=9, flagged=True))
    assert refusal(late, "c2 g2") is Why.CONDITIONAL_TOO_LATE
    assert not may_add_conditional(late, BOB.user)


def test_a_refusal_names_the_first_turn_that_fails() -> None:
    """It has the number of the game's turn, and the fault is the same as for a typed turn."""
    playing = game(CHOICE, number=10)
    fault = broken(playing, "c2 h4 c2 h3")
    assert (fault.turn_number, fault.fault.text) == (13, "c2")
    assert isinstance(fault.fault, IllegalTurn)
    assert fault.similar
    assert isinstance(broken(playing, "c2 moo").fault, ParseError)


def test_an_open_turn_is_refused_with_its_choices() -> None:
    fault = broken(game(CHOICE), "b1-b5 h4").fault
    assert isinstance(fault, OpenTurn)
    assert set(fault.choices) >= {"b1-b5;xb2,b3,b4", "b1-b5;xb2,b3,b4,Gb5"}


@pytest.mark.parametrize("text", ["f8-f7", "f7"])
def test_choices_do_not_depend_on_how_a_push_is_written(text: str) -> None:
    """The push fills a vacant spot and may be written as that spot. A row of four with a GIPF-piece is then due."""
    position = "standard w W=Gb5,Ge8,g6,h5 B=Gb2,Ge2,Gh2 reserve=12-12 captured=0-0"
    fault = broken(game(position), f"{text} c2").fault
    assert isinstance(fault, OpenTurn)
    assert fault.choices
    assert all("f7" in choice for choice in fault.choices)


def test_nothing_follows_a_turn_that_ends_the_game() -> None:
    playing = game(LAST_GIPF)
    assert len(read_conditional(playing, BOB.user, f"h4 {WINS}")) == 2
    assert refusal(playing, f"h4 {WINS} h5 c2") is Why.CONDITIONAL_GOES_ON


def test_the_opponents_draft_does_not_count() -> None:
    """Nobody else knows it yet."""
    playing = game(CHOICE)
    begun = perform(playing, ANN.user, read_typed_turn(playing, ANN.user, "b1")).game
    assert begun.draft
    assert read_conditional(begun, BOB.user, "c2 h4") == read_conditional(playing, BOB.user, "c2 h4")


def test_turns_tried_in_a_study_are_checked_like_typed_ones(fresh: Game) -> None:
    turns = read_conditional(fresh, BOB.user, "c2 g2")
    check_conditional(fresh, BOB.user, turns)
    for wrong, why in (
        (turns[:1], Why.CONDITIONAL_UNANSWERED),
        (turns * 6, Why.CONDITIONAL_TOO_DEEP),
        (((PASS,), *turns[1:]), Why.ILLEGAL),
    ):
        with pytest.raises(Refused) as refused:
            check_conditional(fresh, BOB.user, wrong)
        assert refused.value.why is why


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("c2 g2", "b3 g2", True),
        ("c2 g2", "c2 h3", False),
        ("c2 g2 b3 h3", "c2 g2", False),
        ("c2 g2", "c2 g2 b3 h3", False),
        ("c2 g2 b3 h3", "c2 g2 d7 h3", True),
        ("c2 g2 b3 h3", "c2 g2 b3 h4", False),
        ("c2 g2 b3 h3", "c2 h3 d7 g2", False),
    ],
)
def test_two_lines_coexist_only_if_the_opponents_turn_differs(fresh: Game, one: str, other: str, both: bool) -> None:
    assert (
        can_coexist(fresh.position, read_conditional(fresh, BOB.user, one), read_conditional(fresh, BOB.user, other))
        is both
    )


def test_a_line_fits_any_turn_to_the_same_position(fresh: Game) -> None:
    """A vacant spot may be reached from several dots: only the position counts."""
    ways = [PUSHES["a2", "b3", Kind.BASIC], PUSHES["a3", "b3", Kind.BASIC]]
    turns = [perform(fresh, ANN.user, [push]).turn for push in ways]
    assert all(turn and conditional_fits(line(fresh, "b3 g2"), turn) for turn in turns)
    assert not conditional_fits(line(fresh, "c2 g2"), played(fresh, "b3"))
    assert not conditional_fits(replace(line(fresh, "b3 g2"), turn_number=2), played(fresh, "b3"))


def test_a_reply_is_played_and_its_lines_rest_stays(fresh: Game) -> None:
    left = line(fresh, "c2 g2 b3 h3")
    after = perform(fresh, ANN.user, read_typed_turn(fresh, ANN.user, "c2")).game
    then = perform_conditional(after, [left])
    assert then
    assert then.turn
    assert (then.turn.text, then.turn.turn_number) == ("g2", 2)
    rest = line_after_reply(left, then.game)
    assert rest == replace(left, turn_number=2, turns=left.turns[2:])
    assert line_after_reply(rest, replace(then.game, turn_number=4)) is None
    assert perform_conditional(after, []) is None


def test_an_illegal_reply_is_never_played(fresh: Game) -> None:
    wrong = line(fresh, "c2 g2")
    after = perform(fresh, ANN.user, wrong.turns[0]).game
    assert perform_conditional(after, [replace(wrong, turns=(wrong.turns[0], (PASS,)))]) is None


def test_either_notation_is_read(fresh: Game) -> None:
    assert read_conditional(fresh, BOB.user, "e1 e9", JULIO974) == read_conditional(fresh, BOB.user, "e1-e3 e9-e7")


def test_a_waiting_player_knows_nothing_of_a_draft_that_begins_with_a_forced_row() -> None:
    half = perform(game(TWO_ROWS), ANN.user, read_typed_turn(game(TWO_ROWS), ANN.user, "xg2,g3,g4")).game
    assert half.draft
    assert known_draft(half, BOB.user) == ()


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
