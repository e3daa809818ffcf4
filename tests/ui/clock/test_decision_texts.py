"""What players read while a decision in an Overboard turn is the opponent's (R8.4): it is called a decision."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    UNTIMED,
    Clock,
    Game,
    Refused,
    Terms,
    advance_clock,
    apply_time,
    new_game,
    perform,
    start_game_clock,
)
from gipfbot.match.conditionals import check_waiting
from gipfbot.notation import OFFICIAL, parse_action_code
from gipfbot.rules import OVERBOARD, Colour
from gipfbot.service.delivery.board_message import new_board_message, pack_board, unpack_board
from gipfbot.ui.board import public_board
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.clock.reminder_texts import digest_text
from gipfbot.ui.delivery.venues import undeliverable_board_text
from gipfbot.ui.kit.refusal_texts import refusal_text
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests.request_texts import claim_warning_text
from gipfbot.values import GameBrief
from tests.rules.boards_of_overboard import ASKS_BACK, OUT_OF_TURN
from tests.support.people import ANN, BOB, HOME
from tests.support.terms import BANK, PER_TURN
from tests.support.times import DAY, NOW, WEEK


def asked_ann(terms: Terms = PER_TURN) -> Game:
    """Return a game in which Bob, Black, has pushed now, so that Ann is asked about her GIPF-pieces."""
    begun = replace(new_game(1, OVERBOARD, (ANN, BOB), terms), position=OUT_OF_TURN)
    codes = [parse_action_code(code) for code in ("a4b4", "xe:")]
    return advance_clock(perform(start_game_clock(begun, NOW), BOB.user, codes), NOW).game


def goes_on() -> Game:
    """Return a game in which Bob, Black, has answered in the turn of Ann, who goes on."""
    game = start_game_clock(replace(new_game(1, OVERBOARD, (ANN, BOB), PER_TURN), position=ASKS_BACK), NOW)
    for by, codes in ((ANN, ("a4b4", "xe:e4e5e6e7", "xe:")), (BOB, ("xe:",))):
        game = advance_clock(perform(game, by.user, [parse_action_code(code) for code in codes]), NOW).game
    return game


ASKED = asked_ann()
LATE = apply_time(ASKED, NOW + 4 * DAY)


def test_reminders_and_nudges_speak_of_a_decision() -> None:
    now = NOW + 2 * DAY
    first, due = reminder_texts.reminder_text(ASKED, OFFICIAL, None, now).splitlines()
    assert first.startswith("Your decision in #a1 vs Bob: 1 day left · Bob played a4 → b4")
    assert due == f"Your decision is due <t:{NOW + 3 * DAY}:R>."
    channel = reminder_texts.channel_reminder_text(ASKED, ANN.user, now)
    assert channel.startswith(f"<@{ANN.user}> your decision in #a1 vs Bob: 1 day left")
    nudge = reminder_texts.nudge_text(ASKED, ANN.user)
    assert nudge.startswith(f"<@{ANN.user}> Bob is waiting for your decision in #a1 · due <t:")


@pytest.mark.parametrize("own", [True, False], ids=["after the answer", "within the turn"])
def test_after_an_answer_a_turn_is_called_a_turn(own: bool) -> None:
    answered = advance_clock(perform(ASKED, ANN.user, [parse_action_code("xe:")]), NOW).game if own else goes_on()
    assert "Your turn in #a1 vs Bob" in reminder_texts.reminder_text(answered, OFFICIAL, None, NOW)


def test_late_owners_read_that_an_answer_loses() -> None:
    board = public_board.board_message_text(new_board_message(LATE)).splitlines()[0]
    assert board == f"<@{ANN.user}> your time is over: any answer loses the game now · #a1 vs Bob"
    said = "Your time is over: any answer loses the game now."
    assert said in reminder_texts.reminder_text(LATE, OFFICIAL, None, NOW + 4 * DAY)
    assert said in game_texts.desk_heading(LATE, ANN.user)
    assert said in undeliverable_board_text(LATE)
    assert "your time is over: any answer loses the game now" in reminder_texts.nudge_text(LATE, ANN.user)


def test_the_direct_message_for_a_board_and_the_claim_ask_for_a_decision() -> None:
    assert undeliverable_board_text(ASKED).startswith("It's your decision in #a1 vs Bob · due <t:")
    warning = claim_warning_text(asked_ann(UNTIMED), NOW + WEEK).splitlines()
    assert warning[0].startswith("Bob has claimed #a1: decide in their turn by <t:")
    assert warning[1].startswith("You haven't decided for 30 days. If you do, the claim ends; otherwise ")


def test_the_digest_lists_a_decision() -> None:
    users, names = (ANN.user, BOB.user), ("Ann", "Bob")
    brief = GameBrief(1, "overboard", users, names, HOME, Colour.WHITE, 0, NOW, False, NOW + DAY, answering=True)
    first, line = digest_text([brief], ANN.user, {}, NOW).splitlines()
    assert first == "Your decision in #a1 vs Bob: 1 day left"
    assert line.endswith(f" · decision due <t:{NOW + DAY}:R>")


def test_refusals_name_the_decision() -> None:
    with pytest.raises(Refused) as caught:
        perform(ASKED, BOB.user, [parse_action_code("xe:")])
    assert refusal_text(caught.value) == "**#a1** is waiting for Ann's decision in your turn."
    with pytest.raises(Refused) as caught:
        check_waiting(ASKED, ANN.user)
    assert refusal_text(caught.value) == "It's your decision: **/move** makes it."


def test_a_board_says_that_an_answer_was_a_conditional_turn() -> None:
    """Of the part that asks, and of the answer after which the mover goes on."""
    asks = replace(new_board_message(ASKED), was_conditional=True)
    assert public_board.board_message_text(asks).splitlines()[0].endswith(" (planned)")
    back = replace(new_board_message(goes_on()), was_conditional=True)
    said = f"<@{ANN.user}> your turn goes on · #a1 vs Bob · Bob has decided (planned)"
    assert public_board.board_message_text(back).splitlines()[0] == said


# ── A flagged mover, whose turn waits for the decision (R6.4) ──


def flagged_asks(terms: Terms = PER_TURN) -> Game:
    """Return a game in which Bob, who is Black, has pushed in grace, so that Ann is asked."""
    begun = replace(new_game(1, OVERBOARD, (ANN, BOB), terms), position=OUT_OF_TURN)
    begun = replace(begun, clock=Clock((3 * DAY, 3 * DAY), deadline=NOW - 1))
    codes = [parse_action_code(code) for code in ("a4b4", "xe:")]
    return advance_clock(perform(apply_time(begun, NOW), BOB.user, codes), NOW).game


@pytest.mark.parametrize("terms", [PER_TURN, BANK], ids=["days per turn", "bank"])
def test_the_owner_reads_that_the_movers_time_is_over(terms: Terms) -> None:
    board = unpack_board(1, pack_board(new_board_message(flagged_asks(terms))))
    said = public_board.waiting_player_bank_text(board)
    assert said == "Bob's time is over: they lose unless this turn wins."
    assert public_board.board_message_text(board).startswith(f"<@{ANN.user}> your decision · #a1 vs Bob")


def test_an_owner_in_grace_reads_to_answer_in_a_flagged_movers_turn() -> None:
    late = apply_time(flagged_asks(), NOW + 4 * DAY)
    said = "our time is over: answer before your grace ends, or you lose"
    assert said in public_board.board_message_text(new_board_message(late)).splitlines()[0]
    assert said in game_texts.desk_heading(late, ANN.user)
    assert said in reminder_texts.nudge_text(late, ANN.user)
