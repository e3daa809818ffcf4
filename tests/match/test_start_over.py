"""A turn that is started over: what nobody else has seen is taken back, and nothing else (R3.5)."""

from random import Random

import pytest

from gipfbot.match import Game, Refused, Status, Why, perform, resign_game, start_turn_over
from gipfbot.rules import OVERBOARD, Colour, legal
from tests.rules.boards_of_overboard import ASKS_BACK, ASKS_TWICE, built_table, seek_rows
from tests.support.effort import amount
from tests.support.people import ANN, BOB, EVE

from .helpers import CHOICE, OFFER, ROW_DUE, TWO_ROWS, game, go_on, typed


def refusal(playing: Game, by: int, version: int | None = None) -> Why:
    with pytest.raises(Refused) as caught:
        start_turn_over(playing, by, version)
    return caught.value.why


@pytest.mark.parametrize(
    ("line", "begun"),
    [(CHOICE, "b1b2"), (OFFER, "Ge1e2"), (TWO_ROWS, "xg:g2g3g4")],
    ids=["a push that makes a row", "a push that makes an offer", "a removal"],
)
def test_each_unfinished_part_is_taken_back(line: str, begun: str) -> None:
    playing = game(line)
    half = go_on(playing, ANN.user, begun)
    assert half.draft
    assert half.may_start_over
    over = start_turn_over(half, ANN.user, half.version)
    assert (over.draft, over.current, over.question) == ((), playing.current, playing.question)
    assert over.version == half.version + 1
    assert go_on(over, ANN.user, begun).draft == half.draft


def test_a_typed_removal_is_taken_back() -> None:
    half = typed(game(TWO_ROWS), ANN.user, "xb2,b3,b4,b5;xg2,g3,g4")
    assert half.draft
    assert start_turn_over(half, ANN.user).draft == ()


def test_there_is_nothing_to_take_back_before_anything_is_chosen() -> None:
    """A removal that leaves no choice is done for the player again, so typing it begins nothing."""
    for playing in (game(), game(ROW_DUE), typed(game(ROW_DUE), ANN.user, "xe2,e3,e4,e5")):
        assert not playing.may_start_over
        assert refusal(playing, ANN.user) is Why.NOT_POSSIBLE


def test_only_the_player_asked_starts_over_and_only_by_a_new_button() -> None:
    half = go_on(game(CHOICE), ANN.user, "b1b2")
    assert refusal(half, BOB.user) is Why.NOT_YOUR_TURN
    assert refusal(half, EVE.user) is Why.NOT_A_PLAYER
    assert refusal(half, ANN.user, half.version - 1) is Why.STALE
    over = start_turn_over(half, ANN.user)
    assert refusal(go_on(over, ANN.user, "b1b2"), ANN.user, half.version) is Why.STALE
    assert refusal(resign_game(half, ANN.user), ANN.user, half.version) is Why.OVER


def test_a_finished_turn_stands() -> None:
    after = typed(game(CHOICE), ANN.user, "b1-b5;xb2,b3,b4")
    assert after.turn_number == 1
    assert refusal(after, ANN.user) is Why.NOT_YOUR_TURN
    assert refusal(after, BOB.user) is Why.NOT_POSSIBLE


def test_the_owner_takes_back_only_their_own_answers() -> None:
    """Black has answered about one of two rows, which nobody has seen. White's push is public."""
    begun = go_on(game(ASKS_TWICE, OVERBOARD), ANN.user, "a4b4")
    assert start_turn_over(begun, ANN.user).draft == ()
    handed = go_on(begun, ANN.user, "xe:e4e5e6", "xe:e2")
    assert handed.asked is Colour.BLACK
    assert refusal(handed, ANN.user) is Why.NOT_YOUR_TURN
    assert refusal(handed, BOB.user) is Why.NOT_POSSIBLE
    half = go_on(handed, BOB.user, "xe:e3")
    over = start_turn_over(half, BOB.user, half.version)
    assert (over.draft, over.asked, over.question) == (handed.draft, Colour.BLACK, handed.question)


def test_the_mover_who_is_asked_again_has_nothing_to_take_back() -> None:
    asked = go_on(game(ASKS_BACK, OVERBOARD), ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    back = go_on(asked, BOB.user, "xe:")
    assert back.asked is Colour.WHITE
    assert refusal(back, ANN.user) is Why.NOT_POSSIBLE


def test_what_was_shown_to_the_other_stays_in_any_game_of_overboard() -> None:
    """Whatever was played when the decision last passed from one player to the other is public."""
    begun = handed = 0
    for seed in range(amount(test=20, long=1000)):
        rng = Random(seed)
        playing = game(built_table(rng), OVERBOARD)
        public = playing
        for _ in range(40):
            if playing.asked is None or playing.status is not Status.RUNNING:
                break
            chosen = seek_rows(playing.current, legal(playing.current), rng)
            done = perform(playing, playing.seats[playing.asked].user, [chosen])
            playing = done.game
            public = playing if done.decided is not None else public
            if playing.asked is None:
                break
            begun, handed = begun + playing.may_start_over, handed + public.handed_over
            assert playing.may_start_over is (playing.current != public.current)
            if playing.may_start_over:
                over = start_turn_over(playing, playing.seats[playing.asked].user, playing.version)
                assert (over.draft, over.asked, over.current) == (public.draft, playing.asked, public.current)
                playing = over if rng.random() < 0.3 else playing
    assert begun > 10 < handed
