"""What boards and reminders say about time: until when, what was given back, what is saved up, who has lost by it."""

from dataclasses import replace

import pytest

from gipfbot.match import TIME_CONTROLS, Clock, Game, Seat, Terms, days_per_turn, new_game, perform
from gipfbot.match.game import lose_game
from gipfbot.notation import OFFICIAL
from gipfbot.rules import BASIC, PUSHES, Colour, Kind, Reason, Result
from gipfbot.service.play.board_message import BoardMessage, new_board_message, pack_board, unpack_board
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.play import board_texts

ANN, BOB = Seat(1, "Ann"), Seat(2, "Bob")
HOUR, DAY = 3600, 24 * 3600
AT = 1_800_000_000
BACK = "I was out of reach for 2 days 5 hours: that is given back"
GIVEN = 2 * DAY + 5 * HOUR + 60
GAME = new_game(1, BASIC, (ANN, BOB), Terms(days_per_turn(3)))
SAVING = replace(GAME, terms=Terms(TIME_CONTROLS["saving"]))
CLOCK = Clock((10 * DAY, 6 * DAY), AT, credited=GIVEN)
IN_TIME = replace(GAME, clock=replace(CLOCK, credited=0))


def board(game: Game, **told: object) -> str:
    """Return the text of a game's board, as it is posted: packed and unpacked."""
    shown = replace(new_board_message(game), **told)  # type: ignore[arg-type]
    return board_texts.board_message_text(unpacked(shown))


def unpacked(shown: BoardMessage) -> BoardMessage:
    """Return a board after its way through the outbox."""
    return unpack_board(shown.game, pack_board(shown))


def played() -> Game:
    """Return the game after Ann's first turn, played late: it does not win."""
    done = perform(GAME, ANN.user, [PUSHES["b1", "c2", Kind.BASIC]])
    return lose_game(done.game, Colour.WHITE, Reason.TIME)


@pytest.mark.parametrize("fallen", [False, True])
def test_a_board_and_a_reminder_say_what_was_given_back(fallen: bool) -> None:
    """Also when the flag has fallen; nothing where nothing was."""
    game = replace(GAME, clock=replace(CLOCK, flagged=fallen))
    said = [
        board(game),
        reminder_texts.channel_reminder_text(game, 1, AT - HOUR),
        reminder_texts.reminder_text(game, OFFICIAL, None, AT),
    ]
    assert [f"; {BACK}." in text for text in said] == [True] * 3
    for given in (0, 59, -DAY):
        none = replace(game, clock=replace(CLOCK, flagged=fallen, credited=given))
        assert "reach" not in board(none) + reminder_texts.channel_reminder_text(none, 1, AT - HOUR)


def test_in_a_grace_all_that_leads_to_the_turn_says_what_it_has_to_do() -> None:
    """And how much of the grace is left; nothing of it where the time is not over."""
    game = replace(GAME, clock=replace(CLOCK, flagged=True, credited=0))
    only = "Your time is over: only a turn that wins now saves the game (R6.4)."
    letter = reminder_texts.reminder_text(game, OFFICIAL, None, AT - HOUR).splitlines()
    assert letter[0] == "Your turn in #a1 vs Bob: 1 hour of grace left"
    assert letter[1] == f"{only} You can play it until <t:{AT}:F> (<t:{AT}:R>)."
    assert reminder_texts.undeliverable_board_text(game).splitlines()[1] == only
    late = f"your time is over: only a turn that wins now saves the game · grace ends <t:{AT}:R>"
    assert reminder_texts.nudge_text(game, 1) == f"<@1> Bob waits for your turn in #a1 · {late}"
    for text in (
        reminder_texts.undeliverable_board_text(IN_TIME),
        reminder_texts.nudge_text(IN_TIME, 1),
        texts.desk_heading(IN_TIME, 1),
    ):
        assert f" · due <t:{AT}:R>" in text
        assert "only a turn" not in text


def test_a_game_that_ends_before_any_turn_has_no_number_of_turns() -> None:
    resigned = lose_game(GAME, Colour.WHITE, Reason.RESIGN)
    assert board(resigned).splitlines()[0] == "<@1> <@2> Bob (Black) wins #a1 · Ann resigned (R6.5)"


def test_the_last_board_of_a_game_lost_on_time_says_what_had_been_given_back() -> None:
    lost = lose_game(replace(GAME, clock=CLOCK), Colour.WHITE, Reason.TIME)
    had = "I was out of reach for 2 days 5 hours during that turn: that had been given back."
    assert board(lost, credited=GIVEN).splitlines()[-1] == had
    assert "reach" not in board(lost)
    assert "reach" not in board(lose_game(replace(GAME, clock=CLOCK), Colour.WHITE, Reason.RESIGN), credited=GIVEN)


def test_a_turn_that_came_late_and_did_not_win_is_told_with_the_reason() -> None:
    why = "Ann's time was over before c2 was played, and it did not win, so the game is lost on time (R6.4, FAQ 11)"
    first, turn = board(played()).splitlines()[:2]
    assert first == f"<@1> <@2> Bob (Black) wins #a1 in 1 turn · {why}"
    assert turn == "Turn 1 · Ann (White) played c2"
    assert board_texts.outcome_text(new_board_message(played())) == f"Bob (Black) won: {why}."


def test_without_such_a_turn_it_is_only_that_the_time_was_over() -> None:
    before = perform(GAME, ANN.user, [PUSHES["b1", "c2", Kind.BASIC]]).game
    first, second = board(lose_game(before, Colour.BLACK, Reason.TIME)).splitlines()[:2]
    assert first == "<@1> <@2> Ann (White) wins #a1 in 1 turn · Bob's time was over (R6.4)"
    assert "c2" not in second


def test_saved_time_is_told_of_the_player_who_waits() -> None:
    """That of the player to move runs until the deadline. Where a grace runs it matters no more."""
    assert board(replace(SAVING, clock=CLOCK)).splitlines()[-1] == "Bob has 6 days for the next turn."
    stands = replace(SAVING, clock=replace(CLOCK, deadline=None, paused_left=DAY))
    assert board(stands, vacation_until=AT).splitlines()[-1] == "Bob has 6 days for the next turn."
    for game in (replace(GAME, clock=CLOCK), replace(SAVING, clock=replace(CLOCK, flagged=True)), SAVING):
        assert "next turn" not in board(game)


def test_a_board_of_an_older_version_tells_nothing_of_it() -> None:
    packed = pack_board(new_board_message(replace(SAVING, clock=CLOCK)))
    del packed["bank"]
    assert "next turn" not in board_texts.board_message_text(unpack_board(1, packed))


@pytest.mark.parametrize(("terms", "said"), [(GAME.terms, " and each with the time they have left"), (Terms(), "")])
def test_r6_3_a_void_game_says_that_the_times_are_carried_over_where_there_are_any(terms: Terms, said: str) -> None:
    void = lose_game(replace(GAME, terms=terms), Colour.WHITE, Reason.REPETITION)
    void = replace(void, position=void.position._replace(result=Result(None, Reason.REPETITION)))
    assert board(void, followed_by=2).splitlines()[0].endswith(f"#b1 begins now, with colours swapped{said}.")
