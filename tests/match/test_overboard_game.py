"""A game of Overboard between two people: the opponent is asked inside a turn, and their clock runs (R8.4)."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    Clock,
    Game,
    Performed,
    Refused,
    RequestKind,
    Status,
    Terms,
    Why,
    advance_clock,
    apply_time,
    loses_on_time,
    make_request,
    perform,
    read_typed_turn,
    remind_at,
    start_game_clock,
    take_back,
    win_by_claim,
)
from gipfbot.match.game_clock import ReminderWish, is_turn_last
from gipfbot.notation import IllegalTurn, action_code, parse_action_code
from gipfbot.rules import OVERBOARD, Colour, Position, Reason, Result
from tests.rules.boards_of_overboard import ASKS_TWICE, table_at
from tests.support.people import ANN, BOB
from tests.support.terms import BANK, PER_TURN
from tests.support.times import DAY, HOUR

from .helpers import game

# White's push from a4 completes Black's row e3-e6, in which two GIPF-pieces of Black's stand. White's e2 is beside it.
ASKS_BLACK = table_at("w W=e2,Gb2,Gc2 B=d4,Ge3,e5,Ge6,Gh5")
# Black's rows e3-e7 and e7-h4 share e7. White's d7 is at the end of the second one.
GOES_ON = table_at("w W=e2,d7,Gb2,Gc2 B=d4,Ge3,e5,e6,e7,f6,g5,h4,Gh5")
LAST_PIECES = table_at("w W=e2,Gb2 B=d4,Ge3,e5,Ge6")


def play_codes(playing: Game, by: int, *codes: str) -> Performed:
    return perform(playing, by, [parse_action_code(code) for code in codes])


def asked_black(position: Position = ASKS_BLACK, terms: Terms = BANK, now: int = DAY) -> Game:
    """Return a game in which White has pushed at a moment, so that Black is asked. The clock ran from 0."""
    begin = start_game_clock(replace(game(position, OVERBOARD), terms=terms), 0)
    return advance_clock(play_codes(begin, ANN.user, "a4b4", "xe:"), now).game


def test_the_game_waits_for_the_owner_inside_the_movers_turn() -> None:
    playing = asked_black()
    assert (playing.position.mover, playing.asked) == (Colour.WHITE, Colour.BLACK)
    assert [action_code(action) for action in playing.draft] == ["a4b4", "xe:e4e5", "xe:"]
    assert playing.turn_number == 0


def test_an_owner_who_never_answers_loses_to_a_claim() -> None:
    asked = replace(asked_black(), turn_number=4)
    assert win_by_claim(asked, ANN.user).position.result == Result(Colour.WHITE, Reason.TIME)


def test_what_is_public_ends_with_the_last_hand_over() -> None:
    """Black is asked about two rows one after the other. Their first answer stays secret until they have given both."""
    begun = game(ASKS_TWICE, OVERBOARD)
    assert play_codes(begun, ANN.user, "a4b4").game.public_actions == ()
    handed = play_codes(begun, ANN.user, "a4b4", "xe:e4e5e6", "xe:e2").game
    assert handed.asked is Colour.BLACK
    assert handed.public_actions == handed.draft
    half = play_codes(handed, BOB.user, "xe:e3").game
    assert (half.asked, len(half.draft)) == (Colour.BLACK, len(handed.draft) + 2)
    assert half.public_actions == handed.draft


def test_each_hand_over_inside_a_turn_is_counted() -> None:
    begin = game(GOES_ON, OVERBOARD)
    assert (begin.hand_overs, begin.handed_over) == (0, False)
    asked = play_codes(begin, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:").game
    assert (asked.hand_overs, asked.handed_over) == (1, True)
    back = play_codes(asked, BOB.user, "xe:").game
    assert (back.hand_overs, back.handed_over) == (2, True)


@pytest.mark.parametrize("code", ["xe:", "xe:e3"])
def test_the_mover_cannot_answer_for_the_owner(code: str) -> None:
    with pytest.raises(Refused) as caught:
        play_codes(asked_black(), ANN.user, code)
    assert caught.value.why is Why.NOT_YOUR_TURN
    with pytest.raises(Refused) as caught:
        play_codes(game(ASKS_BLACK, OVERBOARD), ANN.user, "a4b4", "xe:", code)
    assert caught.value.why is Why.ILLEGAL


def test_the_owner_cannot_play_on_for_the_mover() -> None:
    begin = game(GOES_ON, OVERBOARD)
    playing = play_codes(begin, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:").game
    with pytest.raises(Refused) as caught:
        play_codes(playing, BOB.user, "xe:", "x7:d7")
    assert caught.value.why is Why.ILLEGAL
    back = play_codes(playing, BOB.user, "xe:").game
    assert [action_code(action) for action in back.draft][-2:] == ["xe:", "x7:f6g5h4"]
    assert back.asked is Colour.WHITE
    assert play_codes(back, ANN.user, "x7:d7").turn


def test_the_owners_answer_completes_the_movers_turn() -> None:
    performed = play_codes(asked_black(), BOB.user, "xe:e3")
    assert performed.turn
    assert (performed.decided, performed.turn.colour, performed.turn.text) == (
        Colour.BLACK, Colour.WHITE, "a4-b4;xGe3*,e4*,e5*",
    )  # fmt: skip
    assert (performed.game.turn_number, performed.game.draft, performed.game.asked) == (1, (), Colour.BLACK)


def test_after_an_answer_the_mover_goes_on_or_the_owner_is_asked_again() -> None:
    begin = play_codes(game(ASKS_TWICE, OVERBOARD), ANN.user, "a4b4").game
    assert begin.asked is Colour.WHITE
    row = play_codes(begin, ANN.user, "xe:e4e5e6", "xe:").game
    assert row.asked is Colour.BLACK
    again = play_codes(row, BOB.user, "xe:").game
    assert [action_code(action) for action in again.draft][-1] == "xh:h2h3h4"
    assert again.asked is Colour.BLACK
    assert play_codes(again, BOB.user, "xh:h5").turn


def test_an_answer_that_gives_up_the_last_gipf_piece_loses_at_once() -> None:
    playing = asked_black(LAST_PIECES)
    performed = play_codes(playing, BOB.user, "xe:e3e6")
    assert performed.game.status is Status.OVER
    assert performed.game.position.result == Result(Colour.WHITE, Reason.GIPF)


def test_a_typed_turn_and_a_typed_answer() -> None:
    playing = game(ASKS_BLACK, OVERBOARD)
    playing = perform(playing, ANN.user, read_typed_turn(playing, ANN.user, "a4-b4;xe2,e4,e5")).game
    assert playing.asked is Colour.BLACK
    with pytest.raises(Refused):
        read_typed_turn(playing, ANN.user, "xGe3*")
    with pytest.raises(IllegalTurn):
        read_typed_turn(playing, BOB.user, "xe4")
    performed = perform(playing, BOB.user, read_typed_turn(playing, BOB.user, "-"))
    assert performed.turn
    assert performed.turn.text == "a4-b4;xe2,e4*,e5*"


def test_a_takeback_takes_back_a_turn_with_all_its_answers() -> None:
    first = play_codes(asked_black(), BOB.user, "xe:e3")
    assert first.turn
    request = make_request(RequestKind.TAKEBACK, first.game, ANN.user, (), 0)
    before = take_back(first.game, request.turn_number, [first.turn.actions])
    assert (before.turn_number, before.draft, before.asked) == (0, (), Colour.WHITE)


# --- The clock ----------------------------------------------------------------------------------------------------


def test_the_owners_clock_runs_and_the_movers_stands() -> None:
    assert asked_black().clock == Clock((9 * DAY, 10 * DAY), deadline=11 * DAY)


def test_a_turn_that_an_answer_completes_earns_its_player_the_increment() -> None:
    position = table_at("w W=Ge4,d4,Gb2 B=Gb5,h2,h3,h4,Gh5,e2,e6,e7")
    begin = start_game_clock(replace(game(position, OVERBOARD), terms=BANK), 0)
    row = advance_clock(play_codes(begin, ANN.user, "c7c6"), DAY).game
    assert row.asked is Colour.BLACK
    assert row.clock == Clock((9 * DAY, 10 * DAY), deadline=11 * DAY)
    done = advance_clock(play_codes(row, BOB.user, "xh:"), 3 * DAY).game
    assert done.clock == Clock((10 * DAY, 8 * DAY), deadline=11 * DAY)


def test_an_answer_earns_no_increment_but_days_per_turn_are_whole_again() -> None:
    performed = play_codes(asked_black(), BOB.user, "xe:")
    assert advance_clock(performed, 4 * DAY).game.clock == Clock((10 * DAY, 7 * DAY), deadline=11 * DAY)
    performed = play_codes(asked_black(terms=PER_TURN), BOB.user, "xe:")
    assert advance_clock(performed, 2 * DAY).game.clock == Clock((3 * DAY, 3 * DAY), deadline=5 * DAY)


def test_inside_the_turn_the_movers_clock_goes_on_with_what_was_left() -> None:
    begin = start_game_clock(replace(game(GOES_ON, OVERBOARD), terms=BANK), 0)
    row = advance_clock(play_codes(begin, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:"), DAY).game
    assert row.clock == Clock((9 * DAY, 10 * DAY), deadline=11 * DAY)
    back = advance_clock(play_codes(row, BOB.user, "xe:"), 3 * DAY).game
    assert back.clock == Clock((9 * DAY, 8 * DAY), deadline=12 * DAY)
    done = advance_clock(play_codes(back, ANN.user, "x7:"), 4 * DAY).game
    assert done.clock == Clock((9 * DAY, 8 * DAY), deadline=12 * DAY)


def test_the_owner_is_flagged_and_loses_with_an_answer_in_grace() -> None:
    late = apply_time(asked_black(), 11 * DAY + 1)
    assert late.clock
    assert late.clock.flagged
    answer = play_codes(late, BOB.user, "xe:")
    assert loses_on_time(answer)
    assert advance_clock(answer, 11 * DAY + 2).game.position.result == Result(Colour.WHITE, Reason.TIME)


def test_the_owner_loses_when_the_grace_is_over() -> None:
    late = apply_time(apply_time(asked_black(), 11 * DAY + 1), 12 * DAY)
    assert late.position.result == Result(Colour.WHITE, Reason.TIME)


# --- A flagged mover (R6.4): the turn is over when all its rows are resolved ----------------------------------------

FLAG = 10 * DAY + 1
ON_TIME, BY_GIPF = Result(Colour.BLACK, Reason.TIME), Result(Colour.WHITE, Reason.GIPF)


def flagged_asks(position: Position = ASKS_BLACK, codes: str = "a4b4 xe:") -> Game:
    """Return a game in which White was flagged, has pushed after 5 of 12 hours of grace, and asks Black."""
    late = apply_time(start_game_clock(replace(game(position, OVERBOARD), terms=BANK), 0), FLAG)
    push = play_codes(late, ANN.user, *codes.split())
    assert not loses_on_time(push)
    return advance_clock(push, FLAG + 5 * HOUR).game


def answered(playing: Game, code: str, hours: int) -> Game:
    return advance_clock(play_codes(playing, BOB.user, code), FLAG + hours * HOUR).game


def test_the_turn_of_a_flagged_mover_waits_for_the_owner_whose_clock_runs() -> None:
    playing = flagged_asks()
    assert (playing.status, playing.asked) == (Status.RUNNING, Colour.BLACK)
    assert playing.clock == Clock((-7 * HOUR, 10 * DAY), deadline=FLAG + 5 * HOUR + 10 * DAY)
    assert [playing.clock.held_grace(colour) for colour in Colour] == [7 * HOUR, 0]


def test_a_flagged_mover_wins_by_an_answer_that_ends_the_game() -> None:
    assert answered(flagged_asks(LAST_PIECES), "xe:e3e6", 40).position.result == BY_GIPF


@pytest.mark.parametrize("code", ["xe:", "xe:e3"])
def test_a_flagged_mover_loses_when_an_answer_completes_the_turn(code: str) -> None:
    playing = flagged_asks()
    assert not loses_on_time(play_codes(playing, BOB.user, code))
    assert answered(playing, code, 40).position.result == ON_TIME


def test_the_grace_goes_on_with_what_was_left_after_an_answer() -> None:
    """The owner has taken longer than the whole grace. A vacation does not pause grace."""
    answer = play_codes(flagged_asks(GOES_ON, "a4b4 xe:e4e5e6e7 xe:"), BOB.user, "xe:")
    back = advance_clock(answer, FLAG + 40 * HOUR, paused=True).game
    assert (back.asked, back.status) == (Colour.WHITE, Status.RUNNING)
    assert back.clock == Clock((0, 10 * DAY - 35 * HOUR), deadline=FLAG + 47 * HOUR, flagged=True)
    assert apply_time(back, FLAG + 47 * HOUR) is back
    assert apply_time(back, FLAG + 47 * HOUR + 1).position.result == ON_TIME
    done = play_codes(back, ANN.user, "x7:d7")
    assert loses_on_time(done)
    assert advance_clock(done, FLAG + 41 * HOUR).game.position.result == ON_TIME


def test_a_second_hand_over_holds_the_grace_again() -> None:
    """White is asked between two questions to Black, and wins by the second answer."""
    twice = table_at("w W=e2,d7,Gb2,Gc2 B=d4,Ge3,e5,e6,f6,g5,Gh4,e7")
    playing = flagged_asks(twice, "a4b4 xe:e4e5e6e7 xe:")
    back = answered(playing, "xe:e3", 20)
    assert back.asked is Colour.WHITE
    again = advance_clock(play_codes(back, ANN.user, "x7:"), FLAG + 22 * HOUR).game
    assert again.clock
    assert (again.asked, again.clock.held_grace(Colour.WHITE)) == (Colour.BLACK, 5 * HOUR)
    assert answered(again, "x7:h4", 30).position.result == BY_GIPF
    assert answered(again, "x7:", 30).position.result == ON_TIME


def test_of_two_flagged_players_the_owner_only_has_to_answer_in_grace() -> None:
    """The mover was flagged first."""
    over = FLAG + 5 * HOUR + 10 * DAY + 1
    late = apply_time(flagged_asks(), over)
    assert late.clock
    assert late.clock.flagged
    answer = play_codes(late, BOB.user, "xe:")
    assert not loses_on_time(answer)
    assert advance_clock(answer, over + HOUR).game.position.result == ON_TIME
    assert apply_time(late, over + 12 * HOUR + 1).position.result == Result(Colour.WHITE, Reason.TIME)


def test_the_last_second_of_grace_is_kept_as_one() -> None:
    late = apply_time(start_game_clock(replace(game(ASKS_BLACK, OVERBOARD), terms=BANK), 0), FLAG)
    playing = advance_clock(play_codes(late, ANN.user, "a4b4", "xe:"), FLAG + 12 * HOUR).game
    assert playing.clock
    assert playing.clock.held_grace(Colour.WHITE) == 1
    assert is_turn_last(playing)


def test_no_takeback_is_asked_for_while_a_flagged_movers_turn_waits() -> None:
    later = replace(flagged_asks(), turn_number=2)
    for by in (ANN, BOB):
        with pytest.raises(Refused) as caught:
            make_request(RequestKind.TAKEBACK, later, by.user, (), 0)
        assert caught.value.why is Why.TAKEBACK_TOO_LATE


def test_a_paused_owner_has_all_their_time() -> None:
    begin = start_game_clock(replace(game(ASKS_BLACK, OVERBOARD), terms=BANK), 0)
    playing = advance_clock(play_codes(begin, ANN.user, "a4b4", "xe:"), DAY, paused=True).game
    assert playing.clock == Clock((9 * DAY, 10 * DAY), paused_left=10 * DAY)


def test_the_reminder_is_for_the_owner() -> None:
    assert remind_at(asked_black(now=8 * DAY), ReminderWish(share=50)) == 13 * DAY


def test_a_part_of_a_turn_that_asks_nobody_else_moves_no_clock() -> None:
    begin = start_game_clock(replace(game(ASKS_TWICE, OVERBOARD), terms=BANK), 0)
    performed = play_codes(begin, ANN.user, "a4b4")
    assert advance_clock(performed, DAY) is performed
