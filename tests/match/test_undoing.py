"""Taking back a turn: who may ask for which, what becomes of the request, and how the game stands after it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gipfbot.match import (
    Game,
    Refused,
    State,
    Terms,
    Undo,
    Why,
    accept_undo,
    ask_undo,
    begun,
    begun_anew,
    days_per_turn,
    decline_undo,
    looked_at,
    resign,
    state_of,
    withdraw_undo,
)
from gipfbot.rules import BASIC, Action

from .helpers import ANN, BOB, CHOICE, EVE, game, typed

NOW, DAY = 1_800_000_000, 24 * 3600
TURNS = ("c2", "g2", "d2", "f2", "b3")
Played = list[Game]


@pytest.fixture
def played() -> Played:
    """A game after each number of turns."""
    games = [game(ruleset=BASIC)]
    for number, text in enumerate(TURNS):
        games.append(typed(games[-1], BOB if number % 2 else ANN, text))
    return games


def actions(games: Played) -> list[Sequence[Action]]:
    return [each.last.actions for each in games if each.last]


def why(refused: pytest.ExceptionInfo[Refused]) -> Why:
    return refused.value.why


@pytest.mark.parametrize(
    ("number", "by", "turn"), [(1, ANN, 1), (2, ANN, 1), (2, BOB, 2), (3, ANN, 3), (3, BOB, 2), (5, BOB, 4)]
)
def test_asked_for_is_ones_own_last_turn_and_what_came_after_it_goes_back_too(
    played: Played, number: int, by: int, turn: int
) -> None:
    """The game is then as it was before that turn, only its version and its serial tell the difference."""
    now_is = played[number]
    offer = ask_undo(now_is, by, (), NOW)
    assert (offer.turn, offer.serial, offer.expires_at) == (turn, number, NOW + 7 * DAY)
    accepted, back = accept_undo(offer, now_is, ANN + BOB - by, actions(played[: number + 1]), NOW)
    assert accepted.state is State.ACCEPTED
    before = played[turn - 1]
    assert back == replace(before, version=now_is.version + 1, undone=number - turn + 1)
    assert back.serial > now_is.serial
    assert typed(back, by, TURNS[turn - 1]).serial > back.serial


@pytest.mark.parametrize(("number", "by"), [(0, ANN), (0, BOB), (1, BOB)])
def test_who_has_not_played_has_nothing_to_take_back(played: Played, number: int, by: int) -> None:
    with pytest.raises(Refused) as refused:
        ask_undo(played[number], by, (), NOW)
    assert why(refused) is Why.NOTHING_TO_UNDO


def test_only_players_of_a_running_game_ask(played: Played) -> None:
    with pytest.raises(Refused) as refused:
        ask_undo(played[3], EVE, (), NOW)
    assert why(refused) is Why.NOT_A_PLAYER
    with pytest.raises(Refused) as refused:
        ask_undo(resign(played[3], ANN), BOB, (), NOW)
    assert why(refused) is Why.OVER


def test_the_draft_of_an_unfinished_turn_goes_with_it() -> None:
    half = replace(typed(game(CHOICE), ANN, "b1-b5"), number=1)
    assert half.draft
    _, back = accept_undo(Undo(1, 7, BOB, 1, half.serial, NOW + 1), half, ANN, (), NOW)
    assert back.draft == ()


def test_an_open_request_is_answered_first(played: Played) -> None:
    """Also when both ask at the same time: the second is told of the first."""
    offer = replace(ask_undo(played[3], ANN, (), NOW), id=4)
    for by, reason in ((ANN, Why.UNDO_ASKED), (BOB, Why.UNDO_TO_ANSWER)):
        with pytest.raises(Refused) as refused:
            ask_undo(played[3], by, [offer], NOW)
        assert (why(refused), refused.value.facts) == (reason, {"offer": 4})
    assert ask_undo(played[3], ANN, [offer], offer.expires_at).turn == 3


def test_who_has_nothing_to_take_back_himself_is_shown_what_he_is_asked(played: Played) -> None:
    offer = replace(ask_undo(played[1], ANN, (), NOW), id=4)
    with pytest.raises(Refused) as refused:
        ask_undo(played[1], BOB, [offer], NOW)
    assert (why(refused), refused.value.facts) == (Why.UNDO_TO_ANSWER, {"offer": 4})


@pytest.mark.parametrize("state", [State.DECLINED, State.WITHDRAWN])
def test_after_a_refusal_he_asks_no_more_for_the_same_turn(played: Played, state: State) -> None:
    """Nor when the opponent has answered it meanwhile; but for another turn, and after it was played anew."""
    settled = replace(ask_undo(played[3], ANN, (), NOW), state=state)
    for number in (3, 4):
        with pytest.raises(Refused) as refused:
            ask_undo(played[number], ANN, [settled], NOW)
        assert (why(refused), refused.value.facts) == (Why.UNDO_AGAIN, {"state": state})
    assert ask_undo(played[3], BOB, [settled], NOW).turn == 2
    assert ask_undo(played[5], ANN, [settled], NOW).turn == 5
    back = Undo(9, 7, BOB, 2, 4, NOW, State.ACCEPTED)
    assert ask_undo(played[3], ANN, [settled, back], NOW).turn == 3
    later = replace(back, turn=4)
    with pytest.raises(Refused):
        ask_undo(played[3], ANN, [settled, later], NOW)


@pytest.mark.parametrize("state", [State.EXPIRED, State.ACCEPTED])
def test_what_was_not_refused_can_be_asked_again(played: Played, state: State) -> None:
    earlier = replace(ask_undo(played[3], ANN, (), NOW), state=state)
    assert ask_undo(played[3], ANN, [earlier], NOW).state is State.OPEN


def test_a_turn_the_end_and_time_end_a_request(played: Played) -> None:
    offer = ask_undo(played[3], ANN, (), NOW)
    assert state_of(offer, played[3], offer.expires_at - 1) is State.OPEN
    assert state_of(offer, played[3], offer.expires_at) is State.EXPIRED
    assert state_of(offer, played[4], NOW) is State.EXPIRED
    assert state_of(offer, resign(played[3], ANN), NOW) is State.EXPIRED
    assert state_of(replace(offer, state=State.DECLINED), played[4], NOW) is State.DECLINED


def test_a_request_never_comes_to_life_again(played: Played) -> None:
    """Not when turns are taken back until as many are played as when it was made."""
    offer = ask_undo(played[3], ANN, (), NOW)
    other = ask_undo(played[4], BOB, (), NOW)
    _, back = accept_undo(other, played[4], ANN, actions(played[:5]), NOW)
    assert back.number == played[3].number
    assert state_of(offer, back, NOW) is State.EXPIRED


def test_each_answer_is_for_one_of_the_two(played: Played) -> None:
    at, offer = played[3], ask_undo(played[3], ANN, (), NOW)
    assert decline_undo(offer, at, BOB, NOW).state is State.DECLINED
    assert withdraw_undo(offer, at, ANN, NOW).state is State.WITHDRAWN
    turns = actions(played[:4])
    for reason, by, answer in (
        (Why.UNDO_OWN, ANN, lambda by: accept_undo(offer, at, by, turns, NOW)),
        (Why.UNDO_OWN, ANN, lambda by: decline_undo(offer, at, by, NOW)),
        (Why.UNDO_NOT_YOURS, BOB, lambda by: withdraw_undo(offer, at, by, NOW)),
        (Why.NOT_A_PLAYER, EVE, lambda by: accept_undo(offer, at, by, turns, NOW)),
        (Why.NOT_A_PLAYER, EVE, lambda by: withdraw_undo(offer, at, by, NOW)),
    ):
        with pytest.raises(Refused) as refused:
            answer(by)
        assert why(refused) is reason


@pytest.mark.parametrize("state", [State.ACCEPTED, State.DECLINED, State.WITHDRAWN, State.EXPIRED])
def test_a_settled_request_takes_no_answer(played: Played, state: State) -> None:
    offer = replace(ask_undo(played[3], ANN, (), NOW), state=state)
    for answer in (
        lambda: accept_undo(offer, played[3], BOB, actions(played[:4]), NOW),
        lambda: decline_undo(offer, played[3], BOB, NOW),
        lambda: withdraw_undo(offer, played[3], ANN, NOW),
    ):
        with pytest.raises(Refused) as refused:
            answer()
        assert (why(refused), refused.value.facts) == (Why.UNDO_CLOSED, {"state": state})


def test_r6_4_once_a_flag_has_fallen_nothing_is_taken_back(played: Played) -> None:
    """The turn then due decides the game; a request that was open lapses."""
    timed = begun(replace(played[3], terms=Terms(days_per_turn(1))), NOW)
    offer = ask_undo(timed, ANN, (), NOW)
    late = looked_at(timed, NOW + DAY + 1)
    assert state_of(offer, timed, NOW + DAY + 1) is State.OPEN, "only a look lets a flag fall"
    assert state_of(offer, late, NOW + DAY + 1) is State.EXPIRED
    for by in (ANN, BOB):
        with pytest.raises(Refused) as refused:
            ask_undo(late, by, (), NOW)
        assert why(refused) is Why.UNDO_TOO_LATE


def test_the_clock_begins_anew_with_what_is_saved(played: Played) -> None:
    timed = begun(replace(played[0], terms=Terms(days_per_turn(1))), NOW, saved=(DAY, 2 * DAY))
    black = replace(timed, position=played[1].position)
    for at, time in ((timed, DAY), (black, 2 * DAY)):
        again = begun_anew(at, NOW + 100, None).clock
        assert again
        assert (again.saved, again.deadline, again.left) == ((DAY, 2 * DAY), NOW + 100 + time, None)
        stands = begun_anew(at, NOW + 100, None, paused=True).clock
        assert stands
        assert (stands.deadline, stands.left) == (None, time)
        before = begun_anew(at, NOW + 100, (3 * DAY, 3 * DAY)).clock
        assert before
        assert (before.saved, before.deadline) == ((3 * DAY, 3 * DAY), NOW + 100 + 3 * DAY)
    assert begun_anew(played[0], NOW, None).clock is None
