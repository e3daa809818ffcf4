"""The clock of a game: flags, graces, late turns and credited time (R6.4, FAQ 11)."""

from dataclasses import replace

import pytest

from gipfbot.match import (
    Clock,
    Game,
    Performed,
    ReminderWish,
    Status,
    Terms,
    advance_clock,
    apply_time,
    cancel_game,
    credit_game_clock,
    days_per_turn,
    loses_on_time,
    new_game,
    pause_game_clock,
    perform,
    read_typed_turn,
    remind_at,
    resign_game,
    resume_game_clock,
    start_game_clock,
)
from gipfbot.rules import BASIC, Colour, Reason, Result
from tests.match.helpers import SEATS
from tests.support.people import ANN, BOB
from tests.support.times import DAY, HOUR

from .helpers import CHOICE, game

TERMS = Terms(days_per_turn(1), grace=12 * HOUR)
WINS = "standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0"

MONDAY = 4 * DAY + 100 * 7 * DAY


def timed(line: str | None = None, terms: Terms = TERMS) -> Game:
    """Return a game whose clock runs from 0."""
    return start_game_clock(replace(game(line), terms=terms), 0)


def typed(playing: Game, by: int, text: str, now: int) -> Performed:
    """Return what a turn typed at a moment leads to."""
    return advance_clock(perform(playing, by, read_typed_turn(playing, by, text)), now)


def test_a_flag_falls_after_the_last_second() -> None:
    begin = timed()
    assert apply_time(begin, DAY) is begin
    assert apply_time(begin, DAY + 1).clock == Clock((DAY, DAY), DAY + 1 + 12 * HOUR, None, True)


def test_a_flag_changes_no_version_so_an_open_desk_plays() -> None:
    assert apply_time(timed(), DAY + 1).version == timed().version


def test_after_the_grace_the_game_is_lost() -> None:
    late = apply_time(apply_time(timed(), DAY + 1), 2 * DAY)
    assert (late.status, late.position.result, late.clock) == (Status.OVER, Result(Colour.BLACK, Reason.TIME), None)
    assert apply_time(late, 9 * DAY) is late


def test_only_a_complete_turn_in_grace_without_a_win_loses() -> None:
    """Not a turn that wins, nor part of a turn, nor any turn while the flag stands."""

    def gives(line: str | None, text: str, *, flagged: bool = True) -> bool:
        begin = timed(line)
        playing = apply_time(begin, DAY + 1) if flagged else begin
        return loses_on_time(perform(playing, ANN.user, read_typed_turn(playing, ANN.user, text)))

    assert gives(None, "e1-e3")
    assert not gives(None, "e1-e3", flagged=False)
    assert not gives(WINS, "xd2,d3,d4,d5,Gd6")
    assert gives(WINS, "xd2,d3,d4,d5;c2")
    assert not gives(WINS, "xd2,d3,d4,d5")


@pytest.mark.parametrize("now", [DAY + 1, DAY + HOUR])
def test_faq_11_a_turn_in_grace_without_a_win_loses(now: int) -> None:
    done = typed(apply_time(timed(), DAY + 1), ANN.user, "e1-e3", now)
    assert done.turn
    assert done.game.turn_number == 1
    assert done.game.position.result == Result(Colour.BLACK, Reason.TIME)


def test_faq_11_a_turn_in_grace_that_wins_has_won() -> None:
    done = typed(apply_time(timed(WINS), DAY + 1), ANN.user, "xd2,d3,d4,d5,Gd6", DAY + 2)
    assert (done.game.position.result, done.game.clock) == (Result(Colour.WHITE, Reason.GIPF), None)


def test_no_action_moves_no_clock() -> None:
    nothing = perform(timed(), ANN.user, ())
    assert advance_clock(nothing, HOUR) is nothing


def test_an_unfinished_turn_moves_no_clock() -> None:
    begin = timed(CHOICE)
    half = typed(begin, ANN.user, "b1-b5", HOUR)
    assert half.turn is None
    assert half.game.clock == begin.clock


def test_the_turn_moves_the_clock_on() -> None:
    assert typed(timed(), ANN.user, "e1-e3", HOUR).game.clock == Clock((DAY, DAY), HOUR + DAY)


def test_without_a_time_control_there_is_no_clock() -> None:
    playing = timed(terms=Terms())
    assert playing.clock is None
    assert apply_time(playing, 1000 * DAY) is playing
    assert credit_game_clock(playing, Colour.WHITE, 0, DAY).clock is None
    assert typed(playing, ANN.user, "e1-e3", 5).game.clock is None


def test_a_game_that_is_over_has_no_clock() -> None:
    for ended in (resign_game(timed(), BOB.user), cancel_game(timed(), ANN.user)):
        assert ended.clock is None
        assert apply_time(ended, 1000 * DAY) is ended


def test_credit_counts_for_this_turn_only() -> None:
    back = credit_game_clock(timed(), Colour.WHITE, HOUR, 3 * HOUR)
    assert back.clock == Clock((DAY, DAY), DAY + 2 * HOUR, credited=2 * HOUR)
    assert typed(back, ANN.user, "e1-e3", 4 * HOUR).game.clock == Clock((DAY, DAY), 4 * HOUR + DAY)


def test_a_paused_clock_goes_on_with_what_was_left() -> None:
    begin = timed()
    still = pause_game_clock(begin, 6 * HOUR)
    assert still.clock == Clock((DAY, DAY), None, 18 * HOUR)
    assert resume_game_clock(still, 9 * DAY).clock == Clock((DAY, DAY), 9 * DAY + 18 * HOUR)


def test_an_overdue_clock_is_not_paused() -> None:
    begin = timed()
    assert pause_game_clock(begin, DAY).clock == Clock((DAY, DAY), None, 0)
    assert pause_game_clock(begin, DAY + 1) is begin


def test_a_game_without_a_clock_has_none_to_pause() -> None:
    untimed = game()
    assert pause_game_clock(untimed, 0) is untimed
    assert resume_game_clock(untimed, 0).clock is None


def timed_game(days: int = 4, since: int = MONDAY, *, weekends: bool = True) -> Game:
    """Return a game that begins then."""
    return start_game_clock(new_game(1, BASIC, SEATS, Terms(days_per_turn(days), weekends)), since)


@pytest.mark.parametrize(
    ("wish", "after"),
    [
        (ReminderWish(25), 3 * DAY),
        (ReminderWish(50), 2 * DAY),
        (ReminderWish(10), 4 * DAY - 4 * DAY // 10),
        (ReminderWish(hours=12), 4 * DAY - 12 * HOUR),
        (ReminderWish(hours=48), 2 * DAY),
        (ReminderWish(hours=1000), 2 * DAY),
    ],
)
def test_a_reminder_comes_at_its_share_or_hours(wish: ReminderWish, after: int) -> None:
    assert remind_at(timed_game(), wish) == MONDAY + after


def test_a_weekend_left_out_is_no_part_of_the_share() -> None:
    """Of four days from Wednesday on, the last one is the Tuesday after."""
    wednesday = MONDAY + 2 * DAY
    assert remind_at(timed_game(since=wednesday, weekends=False), ReminderWish(25)) == wednesday + 5 * DAY
    assert (
        remind_at(timed_game(since=wednesday, weekends=False), ReminderWish(hours=30))
        == wednesday + 6 * DAY - 30 * HOUR
    )


def test_credit_puts_a_reminder_off_as_much() -> None:
    assert (
        remind_at(credit_game_clock(timed_game(), Colour.WHITE, MONDAY, MONDAY + DAY), ReminderWish(25))
        == MONDAY + 4 * DAY
    )


def test_paused_and_flagged_players_are_not_reminded() -> None:
    running = timed_game()
    assert running.clock
    for clock in (None, Clock((1, 1), paused_left=5), replace(running.clock, flagged=True)):
        assert remind_at(replace(running, clock=clock), ReminderWish(25)) is None
