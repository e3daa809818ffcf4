"""What boards and reminders say about time: deadlines, credit, bank, and losses on time."""

from dataclasses import replace

import pytest

from gipfbot.match import TIME_CONTROLS, Clock, Game, Terms, new_game, perform
from gipfbot.match.game import lose_game
from gipfbot.notation import OFFICIAL
from gipfbot.rules import BASIC, PUSHES, Colour, Kind, Reason, Result
from gipfbot.service.delivery.board_message import BoardMessage, new_board_message, pack_board, unpack_board
from gipfbot.ui.board import public_board
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.delivery.venues import undeliverable_board_text
from gipfbot.ui.play import game_texts
from tests.support.people import ANN, BOB
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR, NOW

BACK = "2 days 5 hours added back, as the bot was offline"
GIVEN = 2 * DAY + 5 * HOUR + 60
GAME = new_game(1, BASIC, (ANN, BOB), THREE_DAYS)
SAVING_GAME = replace(GAME, terms=Terms(TIME_CONTROLS["saving"]))
CLOCK = Clock((10 * DAY, 6 * DAY), NOW, credited=GIVEN)
IN_TIME = replace(GAME, clock=replace(CLOCK, credited=0))


def board(game: Game, **told: object) -> str:
    """Return the text of a game's board after its way through the outbox."""
    shown = replace(new_board_message(game), **told)  # type: ignore[arg-type]
    return public_board.board_message_text(unpacked(shown))


def bank(shown: BoardMessage) -> str:
    """Return the sentence on the bank of the player who waits."""
    return public_board.waiting_player_bank_text(shown)


def unpacked(shown: BoardMessage) -> BoardMessage:
    """Return a board packed and unpacked, as the outbox does it."""
    return unpack_board(shown.game, pack_board(shown))


def played() -> Game:
    """Return the game after Ann's first turn, played late: it does not win."""
    done = perform(GAME, ANN.user, [PUSHES["b1", "c2", Kind.BASIC]])
    return lose_game(done.game, Colour.WHITE, Reason.TIME)


@pytest.mark.parametrize("flagged", [False, True])
def test_board_and_reminder_tell_the_credited_time(flagged: bool) -> None:
    """Also in grace. Without credit, or with less than a minute, nothing is said."""
    game = replace(GAME, clock=replace(CLOCK, flagged=flagged))
    said = [
        board(game),
        reminder_texts.channel_reminder_text(game, ANN.user, NOW - HOUR),
        reminder_texts.reminder_text(game, OFFICIAL, None, NOW),
    ]
    assert [f"; {BACK}." in text for text in said] == [True] * 3
    for given in (0, 59, -DAY):
        none = replace(game, clock=replace(CLOCK, flagged=flagged, credited=given))
        assert "offline" not in board(none) + reminder_texts.channel_reminder_text(none, ANN.user, NOW - HOUR)


def test_board_and_desk_say_that_weekends_do_not_count() -> None:
    """Only if a weekend lies before the deadline, and no longer text takes its place. The board keeps three lines."""
    note, workdays = f"due <t:{NOW}:R> (weekend added)", replace(GAME.terms, weekends=False)
    for bank, said in ((9 * DAY, True), (HOUR, False)):
        game = replace(IN_TIME, clock=Clock((bank, bank), NOW), terms=workdays)
        assert [note in text for text in (board(game), game_texts.desk_heading(game, ANN.user))] == [said] * 2
        assert len(board(game).splitlines()) <= 3
    credited = replace(IN_TIME, clock=CLOCK, terms=workdays)
    assert "weekends" not in board(credited) + board(IN_TIME) + game_texts.desk_heading(IN_TIME, ANN.user)


def test_in_grace_every_call_says_that_only_a_win_saves() -> None:
    """They also tell how much of the grace is left. In time, nothing of this is said."""
    game = replace(GAME, clock=replace(CLOCK, flagged=True, credited=0))
    only = "Your time is over: win with this turn or you lose."
    letter = reminder_texts.reminder_text(game, OFFICIAL, None, NOW - HOUR).splitlines()
    assert letter[0] == "Your turn in #a1 vs Bob: 1 hour of grace left"
    assert letter[1] == f"{only} Grace ends <t:{NOW}:R>."
    assert undeliverable_board_text(game).splitlines()[1] == only
    late = f"your time is over: win with this turn or you lose · grace ends <t:{NOW}:R>"
    assert reminder_texts.nudge_text(game, ANN.user) == f"<@{ANN.user}> Bob is waiting for your turn in #a1 · {late}"
    for text in (
        undeliverable_board_text(IN_TIME),
        reminder_texts.nudge_text(IN_TIME, ANN.user),
        game_texts.desk_heading(IN_TIME, ANN.user),
    ):
        assert f" · due <t:{NOW}:R>" in text
        assert "or you lose" not in text


def test_game_without_turns_has_no_number_of_turns() -> None:
    resigned = lose_game(GAME, Colour.WHITE, Reason.RESIGN)
    assert board(resigned).splitlines()[0] == f"<@{ANN.user}> <@{BOB.user}> Bob (Black) wins #a1 · Ann resigned"


def test_board_of_a_loss_on_time_tells_the_credited_time() -> None:
    lost = lose_game(replace(GAME, clock=CLOCK), Colour.WHITE, Reason.TIME)
    had = "The bot was offline for 2 days 5 hours during that turn. That time was added back to the clock."
    assert board(lost, credited=GIVEN).splitlines()[-1] == had
    assert "offline" not in board(lost)
    assert "offline" not in board(lose_game(replace(GAME, clock=CLOCK), Colour.WHITE, Reason.RESIGN), credited=GIVEN)


def test_loss_by_a_late_turn_is_explained() -> None:
    why = "Ann lost on time: b1 → c2 was played late and didn't win"
    first, *_, recorded = board(played()).splitlines()
    assert first == f"<@{ANN.user}> <@{BOB.user}> Bob (Black) wins #a1 in 1 turn · {why}"
    assert recorded == "-# Also written `c2`"
    assert public_board.outcome_text(new_board_message(played())) == f"Bob (Black) won: {why}."


def test_loss_without_a_late_turn_names_the_time_alone() -> None:
    before = perform(GAME, ANN.user, [PUSHES["b1", "c2", Kind.BASIC]]).game
    (first,) = board(lose_game(before, Colour.BLACK, Reason.TIME)).splitlines()
    assert first == f"<@{ANN.user}> <@{BOB.user}> Ann (White) wins #a1 in 1 turn · Bob's time was over"


def test_bank_is_told_of_the_waiting_player() -> None:
    """The bank of the player to move is in the deadline. In grace no bank is told."""
    stands = replace(SAVING_GAME, clock=replace(CLOCK, deadline=None, paused_left=DAY))
    for game in (replace(SAVING_GAME, clock=CLOCK), stands):
        assert bank(new_board_message(game)) == "Bob has 6 days for their next turn."
    for game in (replace(GAME, clock=CLOCK), replace(SAVING_GAME, clock=replace(CLOCK, flagged=True)), SAVING_GAME):
        assert bank(new_board_message(game)) == ""


def test_packed_board_without_a_bank_tells_none() -> None:
    packed = pack_board(new_board_message(replace(SAVING_GAME, clock=CLOCK)))
    del packed["bank"]
    assert bank(unpack_board(1, packed)) == ""


@pytest.mark.parametrize(("terms", "said"), [(GAME.terms, ". You each keep the time you have left"), (Terms(), "")])
def test_r6_3_void_game_says_that_times_are_carried_over(terms: Terms, said: str) -> None:
    void = lose_game(replace(GAME, terms=terms), Colour.WHITE, Reason.REPETITION)
    void = replace(void, position=void.position._replace(result=Result(None, Reason.REPETITION)))
    assert board(void, followed_by=2).splitlines()[1] == f"#b1 begins now, with colours swapped{said}."
