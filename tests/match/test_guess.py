"""Guesses of the next turn: how they are read, and what they are worth."""

from dataclasses import replace

import pytest

from gipfbot.match import Game, Refused, Why, new_game, perform, read_typed_turn, resign_game
from gipfbot.match.guess import guess_points, read_guess
from gipfbot.notation import IllegalTurn, NotationError, parse_position, parse_turn, turn_text
from gipfbot.rules import PUSHES, STANDARD, Kind, Remove, play
from tests.support.games import OPENING
from tests.support.people import ANN, BOB, CARA


def game_after(*texts: str) -> Game:
    """Return a game of Ann and Bob after these turns."""
    game = new_game(1, STANDARD, (ANN, BOB))
    for text in texts:
        assert game.asked is not None
        by = game.seats[game.asked].user
        game = perform(game, by, read_typed_turn(game, by, text)).game
    return game


FIFTH = game_after(*OPENING[:4])  # the next turn of OPENING leaves a choice


def points(guess: str, played: str, game: Game = FIFTH) -> int:
    """Return the points of a guess if another turn is played."""
    return guess_points(game.position, read_guess(game, CARA.user, guess), parse_turn(game.position, played))


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        ("b6-b4;xb2,b3,Gb4,b5", 3),
        ("b6-b4;xb5,Gb4,b3,b2", 3),
        ("b6-b4;xb2,b3,b5", 1),
        ("b6-b4", 1),
        ("f2", 0),
    ],
)
def test_exact_turn_brings_three_points_and_the_same_push_one(guess: str, expected: int) -> None:
    assert points(guess, "b6-b4;xb2,b3,Gb4,b5") == expected


def test_the_order_of_removals_makes_no_other_turn() -> None:
    """Before the push and after it. What is removed before the push is not what is removed after it."""
    push, one, other = PUSHES["b6", "b5", Kind.BASIC], Remove(0, 0b11), Remove(3, 0b1100)
    assert guess_points(FIFTH.position, [one, other, push], [other, one, push]) == 3
    assert guess_points(FIFTH.position, [push, one, other], [push, other, one]) == 3
    assert guess_points(FIFTH.position, [one, push, other], [other, push, one]) == 1


def test_push_alone_is_exact_if_nothing_else_happens() -> None:
    assert points("f2", "f2") == 3
    assert guess_points(FIFTH.position, (), parse_turn(FIFTH.position, "f2")) == 0


@pytest.mark.parametrize(("dot", "played"), [("i5", "i4"), ("i4", "i5")])
def test_a_vacant_spot_is_the_same_turn_from_either_dot(dot: str, played: str) -> None:
    """A press names the dot. A typed guess names the spot, which is read as a push from one of them."""
    position = parse_position("basic w W=e5 B=e8 reserve=14-14 captured=0-0")
    game = replace(FIFTH, ruleset=position.rules, position=position)
    turns = {name: (PUSHES[name, "h5", Kind.BASIC],) for name in ("i4", "i5")}
    assert guess_points(game.position, turns[dot], turns[played]) == 3
    assert guess_points(game.position, read_guess(game, CARA.user, "h5"), turns[played]) == 3


def test_the_same_push_from_another_dot_brings_a_point() -> None:
    """The board right after the push is the same, and other pieces come off then."""
    position = parse_position("standard w W=c5,Gd5,e5 B=Ge8 reserve=14-16 captured=0-0")
    ways = [PUSHES[dot, "b5", Kind.BASIC] for dot in ("a4", "a5")]
    assert play(position, ways[0]) == play(position, ways[1])
    keeps, takes = (parse_turn(position, text) for text in ("b5;xb5,c5,e5", "b5;xb5,c5,Gd5,e5"))
    for one, other in (ways, ways[::-1]):
        assert guess_points(position, [one, *keeps[1:]], [other, *takes[1:]]) == 1
        assert guess_points(position, [one, *keeps[1:]], [other, *keeps[1:]]) == 3


def test_a_pushed_piece_makes_dots_matter() -> None:
    """The spot is occupied, so a push from one dot moves other pieces than one from the other."""
    position = parse_position("basic w W=h5 B=e8 reserve=14-14 captured=0-0")
    turns = [(PUSHES[dot, "h5", Kind.BASIC],) for dot in ("i4", "i5")]
    assert guess_points(position, *turns) == 0


def test_draft_of_the_player_has_no_influence() -> None:
    """A guess of the whole turn is read although its push is already made, and another push is as good."""
    begun = perform(FIFTH, ANN.user, read_typed_turn(FIFTH, ANN.user, "b6-b4")).game
    assert begun.draft
    for guess in ("b6-b4;xb2,b3,Gb4,b5", "f2"):
        assert read_guess(begun, CARA.user, guess) == read_guess(FIFTH, CARA.user, guess)
    with pytest.raises(NotationError):
        read_guess(begun, CARA.user, "xb2,b3,Gb4,b5")


def test_forced_removals_belong_to_the_guess() -> None:
    """A player is not asked about them, so nobody has to type them."""
    position = parse_position("basic w W=b2,b3,b5 B=e8 reserve=12-14 captured=0-0")
    game = replace(FIFTH, ruleset=position.rules, position=position)
    (whole,) = {turn_text(position, read_guess(game, CARA.user, text)) for text in ("a3-b4", "a3-b4;xb2,b3,b4,b5")}
    assert whole == "b4;xb2,b3,b4,b5"


@pytest.mark.parametrize("user", [ANN.user, BOB.user])
def test_players_do_not_guess_in_their_own_game(user: int) -> None:
    with pytest.raises(Refused) as refusal:
        read_guess(FIFTH, user, "f2")
    assert refusal.value.why is Why.GUESSES_OWN_GAME


def test_nobody_guesses_in_a_game_that_is_over() -> None:
    with pytest.raises(Refused) as refusal:
        read_guess(resign_game(FIFTH, ANN.user), CARA.user, "f2")
    assert refusal.value.why is Why.WATCHED_OVER


def test_impossible_turn_is_refused() -> None:
    with pytest.raises(IllegalTurn):
        read_guess(FIFTH, CARA.user, "a1-b2;xe5")
