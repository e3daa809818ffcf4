"""Conditional turns in Overboard: answers to questions inside a turn, and what follows them (R8.4)."""

from dataclasses import replace

import pytest

from gipfbot.match import Clock, Game, Refused, Status, Why, new_game, perform
from gipfbot.match.conditionals import (
    DEEPEST_CONDITIONAL,
    ConditionalLine,
    can_coexist,
    check_conditional,
    check_waiting,
    conditional_fits,
    conditional_fits_draft,
    is_line_current,
    is_line_due,
    known_draft,
    line_after_reply,
    line_fits,
    perform_conditional,
    read_conditional,
)
from gipfbot.notation import BrokenRecord, action_code, parse_action_code, split_conditional
from gipfbot.rules import OVERBOARD, Colour, legal
from tests.rules import boards_of_overboard as boards
from tests.support.people import ANN, BOB
from tests.support.times import DAY

from .helpers import game, go_on

# White's push from a4 completes Black's row e3-e6, in which two GIPF-pieces of Black's stand.
ASKS = game(boards.ASKS, OVERBOARD)
# After Black's answer White is asked again: White's d7 is at the end of Black's second row.
ASKS_BACK = game(boards.ASKS_BACK, OVERBOARD)


def codes(turns: tuple[tuple[object, ...], ...]) -> list[str]:
    return [" ".join(action_code(action) for action in actions) for actions in turns]  # type: ignore[arg-type]


def as_line(playing: Game, by: int, text: str) -> ConditionalLine:
    turns = read_conditional(playing, by, text)
    check_conditional(playing, by, turns)
    return ConditionalLine(1, by, playing.turn_number, turns, len(known_draft(playing, by)))


@pytest.mark.parametrize("text", ["if a4-b4;xe4,e5 then xGe3", "a4-b4;xe4,e5 → xGe3", "if a4-b4;xe4*,e5* then xGe3*"])
def test_a_conditional_turn_answers_a_question(text: str) -> None:
    line = as_line(ASKS, BOB.user, text)
    assert codes(line.turns) == ["a4b4 xe:e4e5 xe:", "xe:e3"]
    playing = go_on(ASKS, ANN.user, "a4b4", "xe:")
    assert conditional_fits_draft(line, playing)
    performed = perform_conditional(playing, [line])
    assert performed
    assert performed.turn
    assert performed.turn.text == "a4-b4;xGe3*,e4*,e5*"


def test_a_dash_is_the_answer_none() -> None:
    line = as_line(ASKS, BOB.user, "if a4-b4;xe4,e5 then -")
    assert codes(line.turns)[1] == "xe:"


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("if a4-b4 then -", ["a4-b4", "-"]),
        ("if - then c1-c2, if d1-d2 then -", ["-", "c1-c2", "d1-d2", "-"]),
        ("a4-b4, - , c1-c2", ["a4-b4", "-", "c1-c2"]),
        ("e1 - e2 then c1 – c2", ["e1-e2", "c1-c2"]),
    ],
)
def test_a_dash_alone_is_told_from_the_dash_of_a_push(text: str, turns: list[str]) -> None:
    assert split_conditional(text, answers=True) == turns


def test_a_line_goes_on_behind_an_answer() -> None:
    line = as_line(ASKS_BACK, BOB.user, "if a4-b4;xe4,e5,e6,e7 then xGe3, if xd7,f6,g5,h4 then c1-c2")
    assert codes(line.turns) == ["a4b4 xe:e4e5e6e7 xe:", "xe:e3", "x7:d7", "c1c2"]
    playing = go_on(ASKS_BACK, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    performed = perform_conditional(playing, [line])
    assert performed
    rest = line_after_reply(line, performed.game)
    assert rest
    assert (rest.turn_number, rest.drafted, codes(rest.turns)) == (0, 5, ["x7:d7", "c1c2"])
    done = perform(performed.game, ANN.user, [parse_action_code("x7:d7")])
    assert done.turn
    assert conditional_fits(rest, done.turn)
    assert line_after_reply(rest, perform(done.game, BOB.user, rest.turns[1]).game) is None


def test_the_mover_enters_lines_while_the_opponent_is_asked() -> None:
    playing = go_on(ASKS_BACK, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    assert len(known_draft(playing, ANN.user)) == 3
    line = as_line(playing, ANN.user, "if - then xd7,f6,g5,h4")
    assert codes(line.turns) == ["xe:", "x7:d7"]
    answered_game = go_on(playing, BOB.user, "xe:")
    assert conditional_fits_draft(line, answered_game)
    assert not conditional_fits_draft(line, go_on(playing, BOB.user, "xe:e3"))


def test_a_line_that_begins_inside_a_turn_fits_no_other_place() -> None:
    playing = go_on(ASKS_BACK, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    line = as_line(playing, ANN.user, "if - then xd7,f6,g5,h4")
    done = perform(go_on(playing, BOB.user, "xe:"), ANN.user, [parse_action_code("x7:")])
    assert done.turn
    assert not conditional_fits(replace(line, drafted=0), done.turn)
    assert can_coexist(ASKS_BACK.position, line.turns, line.turns)


def test_a_line_is_current_until_its_owner_is_asked() -> None:
    line = as_line(ASKS, BOB.user, "if a4-b4;xe4,e5 then xGe3")
    assert is_line_current(line, ASKS)
    assert not is_line_current(replace(line, turn_number=1), ASKS)
    assert not is_line_current(replace(line, drafted=1), ASKS)
    assert not is_line_current(line, go_on(ASKS, ANN.user, "a4b4", "xe:"))
    assert not is_line_current(line, replace(ASKS, status=Status.OVER))


def test_a_line_is_due_where_it_begins_and_fits_where_it_leads() -> None:
    line = as_line(ASKS, BOB.user, "if a4-b4;xe4,e5 then xGe3")
    for ends, fits in (("xe:", True), ("xe:e2", False)):
        performed = perform(ASKS, ANN.user, [parse_action_code("a4b4"), parse_action_code(ends)])
        assert is_line_due(line, performed)
        assert line_fits(line, performed) is fits
        assert not is_line_due(replace(line, turn_number=1), performed)
        assert not is_line_due(replace(line, drafted=1), performed)


def test_a_line_of_whole_turns_is_due_once_the_turn_is_played() -> None:
    line = as_line(ASKS, BOB.user, "if c1-c2 then d1-d2")
    for code, fits in (("c1c2", True), ("g7g6", False)):
        performed = perform(ASKS, ANN.user, [parse_action_code(code)])
        assert performed.turn
        assert is_line_due(line, performed)
        assert line_fits(line, performed) is fits
        assert not is_line_due(replace(line, turn_number=1), performed)


def test_an_unfinished_draft_stays_unknown_to_the_waiting_player() -> None:
    playing = go_on(ASKS_BACK, ANN.user, "a4b4")
    assert known_draft(playing, BOB.user) == ()
    turns = read_conditional(playing, BOB.user, "if g7-g6 then c1-c2")
    assert codes(turns) == ["g7g6", "c1c2"]
    check_conditional(playing, BOB.user, turns)


def test_a_line_that_does_not_fit_does_not_play() -> None:
    line = as_line(ASKS, BOB.user, "if a4-b4;xe4,e5 then xGe3")
    other = go_on(ASKS, ANN.user, "a4b4", "xe:e2")
    assert not conditional_fits_draft(line, other)
    fitting = go_on(ASKS, ANN.user, "a4b4", "xe:")
    assert not conditional_fits_draft(replace(line, turn_number=2), fitting)
    assert not conditional_fits_draft(replace(line, user=ANN.user), fitting)


def test_an_answer_by_the_wrong_player_is_refused() -> None:
    turns = read_conditional(ASKS, BOB.user, "if a4-b4;xe4,e5 then xGe3")
    whole = (*turns[0], *turns[1])
    with pytest.raises(Refused) as caught:
        check_conditional(ASKS, BOB.user, (whole, turns[1]))
    assert caught.value.why is Why.ILLEGAL


def test_a_reply_to_oneself_is_refused() -> None:
    """Black's answer completes White's turn, so Black is to play again."""
    turns = read_conditional(ASKS, BOB.user, "if a4-b4;xe4,e5 then xGe3")
    with pytest.raises(Refused) as caught:
        check_conditional(ASKS, BOB.user, (*turns, *turns))
    assert caught.value.why is Why.ILLEGAL


def test_what_a_line_leaves_open_is_an_error_that_names_who_decides() -> None:
    with pytest.raises(BrokenRecord) as caught:
        read_conditional(ASKS, BOB.user, "if a4-b4 then xGe3")
    assert str(Colour.WHITE) in str(caught.value)


def test_two_lines_may_differ_in_the_opponents_part_only() -> None:
    first, second, third = (
        read_conditional(ASKS, BOB.user, text)
        for text in ("a4-b4;xe4,e5 → xGe3", "a4-b4;xe4,e5 → -", "a4-b4;xe2,e4,e5 → -")
    )
    assert not can_coexist(ASKS.position, first, second)
    assert can_coexist(ASKS.position, first, third)


# ── A flagged player (R6.4) ──


def flagged(playing: Game) -> Game:
    """Return the game with the player flagged who has to decide."""
    return replace(playing, clock=Clock((DAY, DAY), deadline=DAY, flagged=True))


def test_a_question_in_a_flagged_movers_turn_is_answered_and_nothing_follows() -> None:
    line = as_line(flagged(ASKS), BOB.user, "if a4-b4;xe4,e5 then xGe3")
    for text in ("if c1-c2 then d1-d2", "if a4-b4;xe4,e5 then xGe3, if c1-c2 then d1-d2"):
        with pytest.raises(Refused) as caught:
            read_conditional(flagged(ASKS), BOB.user, text)
        assert caught.value.why is Why.CONDITIONAL_TOO_LATE
    turns = read_conditional(ASKS, BOB.user, "if c1-c2 then d1-d2")
    with pytest.raises(Refused) as caught:
        check_conditional(flagged(ASKS), BOB.user, turns)
    assert caught.value.why is Why.CONDITIONAL_TOO_LATE
    check_conditional(flagged(ASKS), BOB.user, line.turns)


def test_nobody_waits_with_a_line_for_a_flagged_owner() -> None:
    playing = go_on(ASKS_BACK, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    with pytest.raises(Refused) as caught:
        check_waiting(flagged(playing), ANN.user)
    assert caught.value.why is Why.CONDITIONAL_TOO_LATE


def test_a_line_is_read_no_further_than_it_may_go() -> None:
    """A long text would take seconds to read."""
    begun = playing = new_game(1, OVERBOARD, (ANN, BOB))
    texts = list[str]()
    while len(texts) <= 2 * DEEPEST_CONDITIONAL:
        done = perform(playing, _asked(playing), [next(iter(legal(playing.current)))])
        playing = done.game
        texts += [done.turn.text] if done.turn else []
    with pytest.raises(Refused) as refused:
        read_conditional(begun, BOB.user, " ".join([*texts, "no turn"]))
    assert refused.value.why is Why.CONDITIONAL_TOO_DEEP


def _asked(playing: Game) -> int:
    assert playing.asked is not None
    return playing.seats[playing.asked].user
