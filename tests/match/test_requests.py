"""Taking back a turn: who may ask for which, what becomes of the request, and how the game stands after it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from gipfbot.match import (
    Game,
    GameRequest,
    Refused,
    RequestKind,
    RequestState,
    Status,
    Terms,
    Why,
    agree_draw,
    apply_time,
    cancel_game,
    check_claim_win,
    days_per_turn,
    make_request,
    request_state,
    resign_game,
    restart_game_clock,
    settle_request,
    start_game_clock,
    take_back,
    win_by_claim,
)
from gipfbot.rules import BASIC, STANDARD, Action, Colour, Reason, Result, start
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, EVE
from tests.support.times import DAY, MONTH, NOW

from .helpers import CHOICE, game, typed

Played = list[Game]

DRAWABLE = replace(STANDARD, agreed_draw=True)
OFFERED = GameRequest(8, RequestKind.DRAW, 7, ANN.user, 1, 0, None)

request_takeback = partial(make_request, RequestKind.TAKEBACK)
offer_draw = partial(make_request, RequestKind.DRAW)


@pytest.fixture
def played() -> Played:
    """Return the states of a game, by the number of turns played."""
    games = [game(ruleset=BASIC)]
    for number, text in enumerate(TURNS):
        games.append(typed(games[-1], BOB.user if number % 2 else ANN.user, text))
    return games


def actions(games: Played) -> list[Sequence[Action]]:
    return [each.last.actions for each in games if each.last]


def why(refused: pytest.ExceptionInfo[Refused]) -> Why:
    return refused.value.why


@pytest.mark.parametrize(
    ("number", "by", "turn"),
    [(1, ANN.user, 1), (2, ANN.user, 1), (2, BOB.user, 2), (3, ANN.user, 3), (3, BOB.user, 2), (5, BOB.user, 4)],
)
def test_a_takeback_takes_back_ones_last_turn_and_all_later(played: Played, number: int, by: int, turn: int) -> None:
    """The game is then as it was before that turn. Only its version and its turn serial differ."""
    now_is = played[number]
    request = request_takeback(now_is, by, (), NOW)
    assert (request.turn_number, request.turn_serial, request.expires_at) == (turn, number, NOW + 7 * DAY)
    assert request.turns == ()
    accepted = settle_request(request, now_is, ANN.user + BOB.user - by, RequestState.ACCEPTED, NOW)
    assert accepted == replace(request, state=RequestState.ACCEPTED)
    back = take_back(now_is, accepted.turn_number, actions(played[: number + 1]))
    before = played[turn - 1]
    assert back == replace(before, version=now_is.version + 1, taken_back=number - turn + 1)
    assert back.turn_serial > now_is.turn_serial
    assert typed(back, by, TURNS[turn - 1]).turn_serial > back.turn_serial


@pytest.mark.parametrize(("number", "by"), [(0, ANN.user), (0, BOB.user), (1, BOB.user)])
def test_a_player_without_a_turn_has_nothing_to_take_back(played: Played, number: int, by: int) -> None:
    with pytest.raises(Refused) as refused:
        request_takeback(played[number], by, (), NOW)
    assert why(refused) is Why.NOTHING_TO_TAKE_BACK


def test_only_players_of_a_running_game_may_ask(played: Played) -> None:
    with pytest.raises(Refused) as refused:
        request_takeback(played[3], EVE.user, (), NOW)
    assert why(refused) is Why.NOT_A_PLAYER
    with pytest.raises(Refused) as refused:
        request_takeback(resign_game(played[3], ANN.user), BOB.user, (), NOW)
    assert why(refused) is Why.OVER


def test_a_takeback_drops_the_draft() -> None:
    half = replace(typed(game(CHOICE), ANN.user, "b1-b5"), turn_number=1)
    assert half.draft
    assert take_back(half, 1, ()).draft == ()


def test_an_open_request_is_answered_first(played: Played) -> None:
    """Also if both ask at the same time: the second is told of the first."""
    request = replace(request_takeback(played[3], ANN.user, (), NOW), id=4)
    for by, reason in ((ANN.user, Why.REQUEST_OPEN), (BOB.user, Why.REQUEST_TO_ANSWER)):
        with pytest.raises(Refused) as refused:
            request_takeback(played[3], by, [request], NOW)
        assert (why(refused), refused.value.facts) == (reason, {"kind": request.kind, "request": 4})
    assert request_takeback(played[3], ANN.user, [request], NOW + 7 * DAY).turn_number == 3


def test_an_open_request_comes_before_nothing_to_take_back(played: Played) -> None:
    request = replace(request_takeback(played[1], ANN.user, (), NOW), id=4)
    with pytest.raises(Refused) as refused:
        request_takeback(played[1], BOB.user, [request], NOW)
    assert (why(refused), refused.value.facts) == (
        Why.REQUEST_TO_ANSWER,
        {"kind": request.kind, "request": 4},
    )


@pytest.mark.parametrize("state", [RequestState.DECLINED, RequestState.WITHDRAWN])
def test_a_declined_request_is_not_repeated_for_the_same_turn(played: Played, state: RequestState) -> None:
    """Not even if the opponent has played since. It may be made for another turn, and once the turn is played anew."""
    settled = replace(request_takeback(played[3], ANN.user, (), NOW), state=state)
    for number in (3, 4):
        with pytest.raises(Refused) as refused:
            request_takeback(played[number], ANN.user, [settled], NOW)
        assert (why(refused), refused.value.facts) == (Why.REQUEST_AGAIN, {"kind": settled.kind, "state": state})
    assert request_takeback(played[3], BOB.user, [settled], NOW).turn_number == 2
    assert request_takeback(played[5], ANN.user, [settled], NOW).turn_number == 5
    back = GameRequest(9, RequestKind.TAKEBACK, 7, BOB.user, 2, 4, NOW, RequestState.ACCEPTED)
    assert request_takeback(played[3], ANN.user, [settled, back], NOW).turn_number == 3
    later = replace(back, turn_number=4)
    with pytest.raises(Refused):
        request_takeback(played[3], ANN.user, [settled, later], NOW)


@pytest.mark.parametrize("state", [RequestState.EXPIRED, RequestState.ACCEPTED])
def test_an_expired_request_can_be_made_again(played: Played, state: RequestState) -> None:
    earlier = replace(request_takeback(played[3], ANN.user, (), NOW), state=state)
    assert request_takeback(played[3], ANN.user, [earlier], NOW).state is RequestState.OPEN


def test_a_turn_the_end_and_time_make_a_request_expire(played: Played) -> None:
    request = request_takeback(played[3], ANN.user, (), NOW)
    assert request_state(request, played[3], NOW + 7 * DAY - 1) is RequestState.OPEN
    assert request_state(request, played[3], NOW + 7 * DAY) is RequestState.EXPIRED
    assert request_state(request, played[4], NOW) is RequestState.EXPIRED
    assert request_state(request, resign_game(played[3], ANN.user), NOW) is RequestState.EXPIRED
    assert request_state(replace(request, state=RequestState.DECLINED), played[4], NOW) is RequestState.DECLINED


def test_an_expired_request_stays_expired(played: Played) -> None:
    """Even if takebacks lead to the turn number of that time."""
    request = request_takeback(played[3], ANN.user, (), NOW)
    other = request_takeback(played[4], BOB.user, (), NOW)
    back = take_back(played[4], other.turn_number, actions(played[:5]))
    assert back.turn_number == played[3].turn_number
    assert request_state(request, back, NOW) is RequestState.EXPIRED


def test_the_receiver_answers_and_the_asker_withdraws(played: Played) -> None:
    at, request = played[3], request_takeback(played[3], ANN.user, (), NOW)
    for by, state in ((BOB, RequestState.DECLINED), (ANN, RequestState.WITHDRAWN)):
        assert settle_request(request, at, by.user, state, NOW).state is state
    for reason, by, state in (
        (Why.REQUEST_OWN, ANN, RequestState.ACCEPTED),
        (Why.REQUEST_OWN, ANN, RequestState.DECLINED),
        (Why.REQUEST_NOT_YOURS, BOB, RequestState.WITHDRAWN),
        (Why.NOT_A_PLAYER, EVE, RequestState.ACCEPTED),
        (Why.NOT_A_PLAYER, EVE, RequestState.WITHDRAWN),
    ):
        with pytest.raises(Refused) as refused:
            settle_request(request, at, by.user, state, NOW)
        assert why(refused) is reason


@pytest.mark.parametrize(
    "state", [RequestState.ACCEPTED, RequestState.DECLINED, RequestState.WITHDRAWN, RequestState.EXPIRED]
)
def test_a_settled_request_cannot_be_answered(played: Played, state: RequestState) -> None:
    request = replace(request_takeback(played[3], ANN.user, (), NOW), state=state)
    for by, answer in ((BOB, RequestState.ACCEPTED), (BOB, RequestState.DECLINED), (ANN, RequestState.WITHDRAWN)):
        with pytest.raises(Refused) as refused:
            settle_request(request, played[3], by.user, answer, NOW)
        assert (why(refused), refused.value.facts) == (Why.REQUEST_CLOSED, {"kind": request.kind, "state": state})


def test_r6_4_nothing_is_taken_back_once_flagged(played: Played) -> None:
    """The turn then due decides the game. An open request expires."""
    timed = start_game_clock(replace(played[3], terms=Terms(days_per_turn(1))), NOW)
    request = request_takeback(timed, ANN.user, (), NOW)
    late = apply_time(timed, NOW + DAY + 1)
    assert request_state(request, timed, NOW + DAY + 1) is RequestState.OPEN, "only a pass lets a flag fall"
    assert request_state(request, late, NOW + DAY + 1) is RequestState.EXPIRED
    for by in (ANN.user, BOB.user):
        with pytest.raises(Refused) as refused:
            request_takeback(late, by, (), NOW)
        assert why(refused) is Why.TAKEBACK_TOO_LATE


def test_the_clock_restarts_with_the_given_bank(played: Played) -> None:
    timed = start_game_clock(replace(played[0], terms=Terms(days_per_turn(1))), NOW, bank=(DAY, 2 * DAY))
    black = replace(timed, position=played[1].position)
    for at, time in ((timed, DAY), (black, 2 * DAY)):
        again = restart_game_clock(at, NOW + 100, None).clock
        assert again
        assert (again.bank, again.deadline, again.paused_left) == ((DAY, 2 * DAY), NOW + 100 + time, None)
        stands = restart_game_clock(at, NOW + 100, None, paused=True).clock
        assert stands
        assert (stands.deadline, stands.paused_left) == (None, time)
        before = restart_game_clock(at, NOW + 100, (3 * DAY, 3 * DAY)).clock
        assert before
        assert (before.bank, before.deadline) == ((3 * DAY, 3 * DAY), NOW + 100 + 3 * DAY)
    assert restart_game_clock(played[0], NOW, None).clock is None


def test_a_turn_that_was_played_anew_may_be_asked_back_again(played: Played) -> None:
    """The player's request for the turn was declined before it was taken back."""
    request = request_takeback(played[3], ANN.user, (), NOW)
    declined, accepted = (replace(request, state=state) for state in (RequestState.DECLINED, RequestState.ACCEPTED))
    assert request_takeback(played[3], ANN.user, [declined, accepted], NOW) == request
    with pytest.raises(Refused) as refused:
        request_takeback(played[3], ANN.user, [accepted, declined], NOW)
    assert why(refused) is Why.REQUEST_AGAIN


@pytest.fixture
def playing() -> Game:
    """Return a game whose rules know a draw."""
    return game(start(DRAWABLE))


def refused(error: pytest.ExceptionInfo[Refused]) -> Why:
    return error.value.why


@pytest.mark.parametrize("by", [ANN.user, BOB.user])
def test_either_player_offers_a_draw_at_any_turn(playing: Game, by: int) -> None:
    offer = offer_draw(playing, by, [], NOW)
    assert offer == replace(OFFERED, id=0, by=by)
    assert request_state(offer, playing, NOW + 999 * DAY) is RequestState.OPEN


def test_r6_3_official_versions_know_no_draw() -> None:
    with pytest.raises(Refused) as error:
        offer_draw(game(ruleset=BASIC), ANN.user, [], NOW)
    assert refused(error) is Why.NO_DRAWS


def test_accepted_offer_ends_the_game_as_a_draw(playing: Game) -> None:
    settled = settle_request(OFFERED, playing, BOB.user, RequestState.ACCEPTED, NOW)
    assert settled == replace(OFFERED, state=RequestState.ACCEPTED)
    after = agree_draw(playing)
    assert (after.status, after.position.result) == (Status.OVER, Result(None, Reason.AGREEMENT))
    assert after.version == playing.version + 1


@pytest.mark.parametrize(("by", "state"), [(BOB.user, RequestState.DECLINED), (ANN.user, RequestState.WITHDRAWN)])
def test_declined_or_withdrawn_offer_is_closed(playing: Game, by: int, state: RequestState) -> None:
    settled = settle_request(OFFERED, playing, by, state, NOW)
    assert request_state(settled, playing, NOW) is state


@pytest.mark.parametrize(
    ("by", "state", "why"),
    [
        (ANN.user, RequestState.ACCEPTED, Why.REQUEST_OWN),
        (ANN.user, RequestState.DECLINED, Why.REQUEST_OWN),
        (BOB.user, RequestState.WITHDRAWN, Why.REQUEST_NOT_YOURS),
        (EVE.user, RequestState.ACCEPTED, Why.NOT_A_PLAYER),
    ],
)
def test_only_the_right_player_answers_an_offer(playing: Game, by: int, state: RequestState, why: Why) -> None:
    with pytest.raises(Refused) as error:
        settle_request(OFFERED, playing, by, state, NOW)
    assert refused(error) is why


def test_offer_ends_when_somebody_plays(playing: Game) -> None:
    after = typed(playing, ANN.user, "e1-e3")
    assert request_state(OFFERED, after, NOW) is RequestState.EXPIRED
    with pytest.raises(Refused) as error:
        settle_request(OFFERED, after, BOB.user, RequestState.ACCEPTED, NOW)
    assert refused(error) is Why.REQUEST_CLOSED
    assert offer_draw(after, ANN.user, [OFFERED], NOW).turn_serial == 1


def test_offer_ends_with_the_game(playing: Game) -> None:
    over = resign_game(playing, BOB.user)
    assert request_state(OFFERED, over, NOW) is RequestState.EXPIRED
    with pytest.raises(Refused) as error:
        settle_request(OFFERED, over, BOB.user, RequestState.ACCEPTED, NOW)
    assert refused(error) is Why.OVER


@pytest.mark.parametrize(
    ("by", "state", "why"),
    [
        (ANN.user, RequestState.OPEN, Why.REQUEST_OPEN),
        (BOB.user, RequestState.OPEN, Why.REQUEST_TO_ANSWER),
        (ANN.user, RequestState.DECLINED, Why.REQUEST_AGAIN),
        (ANN.user, RequestState.WITHDRAWN, Why.REQUEST_AGAIN),
    ],
)
def test_player_offers_a_draw_once_a_turn(playing: Game, by: int, state: RequestState, why: Why) -> None:
    with pytest.raises(Refused) as error:
        offer_draw(playing, by, [replace(OFFERED, state=state)], NOW)
    assert refused(error) is why


def test_offer_may_be_repeated_after_a_takeback_or_by_the_other_player(playing: Game) -> None:
    """The turn that is played anew has the same number."""
    declined = replace(OFFERED, state=RequestState.DECLINED)
    back = GameRequest(9, RequestKind.TAKEBACK, 7, ANN.user, 1, 1, NOW, RequestState.ACCEPTED)
    again = take_back(typed(playing, ANN.user, "e1-e3"), 1, ())
    assert offer_draw(again, ANN.user, [declined, back], NOW).turn_serial == 2
    assert offer_draw(playing, BOB.user, [declined], NOW).by == BOB.user


def test_requests_of_two_kinds_do_not_hinder_each_other(playing: Game) -> None:
    after = typed(playing, ANN.user, "e1-e3")
    offer = offer_draw(after, ANN.user, [], NOW)
    takeback = request_takeback(after, ANN.user, [offer], NOW)
    assert takeback.turn_number == 1
    declined = replace(offer, turn_number=1, state=RequestState.DECLINED)
    assert request_takeback(after, ANN.user, [declined], NOW).turn_number == 1
    assert offer_draw(after, BOB.user, [takeback], NOW).kind is RequestKind.DRAW


def test_open_draw_offer_outlives_the_flag(playing: Game) -> None:
    """Unlike a takeback, an agreed draw changes no turn that decides the game (R6.4)."""
    timed = start_game_clock(replace(playing, terms=Terms(days_per_turn(1))), NOW)
    late = apply_time(timed, NOW + DAY + 1)
    assert request_state(OFFERED, late, NOW + DAY + 1) is RequestState.OPEN
    assert offer_draw(late, BOB.user, [], NOW).state is RequestState.OPEN


def test_the_waiting_player_may_claim_after_thirty_days() -> None:
    check_claim_win(game(), BOB.user, NOW, NOW + MONTH)
    with pytest.raises(Refused) as refused:
        check_claim_win(game(), BOB.user, NOW, NOW + MONTH - 1)
    assert (refused.value.why, refused.value.facts) == (Why.CLAIM_WIN_TOO_EARLY, {"at": NOW + MONTH})


@pytest.mark.parametrize(
    ("playing", "by", "why"),
    [
        (game(), ANN.user, Why.OWN_TURN),
        (game(), EVE.user, Why.NOT_A_PLAYER),
        (cancel_game(game(), ANN.user), BOB.user, Why.OVER),
        (replace(game(), terms=Terms(days_per_turn(3))), BOB.user, Why.CLAIM_WIN_TIMED),
    ],
)
def test_nobody_else_may_claim_and_no_other_game(playing: object, by: int, why: Why) -> None:
    with pytest.raises(Refused) as refused:
        check_claim_win(playing, by, NOW, NOW + MONTH)  # type: ignore[arg-type]
    assert refused.value.why is why


def test_a_claim_wins_on_time_or_cancels() -> None:
    one = typed(game(ruleset=BASIC), ANN.user, "c2")
    two = typed(one, BOB.user, "g2")
    assert win_by_claim(one, ANN.user).status is Status.CANCELLED
    assert win_by_claim(two, BOB.user).position.result == Result(Colour.BLACK, Reason.TIME)
    assert win_by_claim(two, BOB.user).status is Status.OVER
    with pytest.raises(Refused):
        win_by_claim(win_by_claim(two, BOB.user), BOB.user)
