"""Section 6: the end. The match decides R6.3-R6.5; here is what it needs from the engine."""

import pytest

from gipfbot.rules import STANDARD, Colour, Position, Reason, Result, legal, play, start
from gipfbot.rules.engine import end_of_turn_result
from tests.rules.helpers import BLACK, WHITE, action, after, board, choices, pushes, white


def ended(position: Position) -> str:
    """Return how the game ended, such as `1-0 gipf`, or an empty text. Check what holds of every finished position."""
    if position.result is None:
        assert legal(position)
        return ""
    assert legal(position) == ()
    assert (position.pushed, position.dealt) == (False, 0)
    return f"{position.result.score} {position.result.by}"


# --- R6.1 -----------------------------------------------------------------------------------------------------------


def test_r6_1_playing_the_last_piece_does_not_lose() -> None:
    """The game ends only with the opponent's next turn."""
    position = after(board("basic w", "W=b2", "B=h5", captured="13-0"), "e1-e2")
    assert (position.reserve[WHITE], ended(position)) == (0, "")
    position = after(position, "e9-e8")
    assert (ended(position), position.mover) == ("0-1 reserve", WHITE)


def test_r6_1_the_same_for_black() -> None:
    """Black without a reserve loses when White's turn is complete."""
    position = after(board("basic w", "W=b2", "B=h5", captured="0-14"), "e1-e2")
    assert (ended(position), position.mover) == ("1-0 reserve", BLACK)


def test_r6_1_an_own_row_refills_an_empty_reserve() -> None:
    """A player with an empty reserve goes on if a row of their own stands."""
    position = after(board("basic w", "W=b2", "B=b3,c4,d4,e4", captured="0-11"), "b1-b2")
    assert (position.mover, position.reserve[BLACK], ended(position)) == (BLACK, 0, "")
    assert (choices(position), pushes(position)) == ({"4: b4 c4 d4 e4"}, set())
    position = after(position, "4: b4 c4 d4 e4")
    assert (position.mover, position.reserve[BLACK], len(pushes(position))) == (BLACK, 4, 42)


def test_r6_1_the_last_piece_can_refill_the_reserve() -> None:
    """The push of the last piece makes a row, which is removed after the push."""
    position = after(board("basic w", "W=e2,e3,e4", "B=h5", captured="11-0"), "e1-e2")
    assert (position.reserve[WHITE], ended(position)) == (0, "")
    position = after(position, "e: e2 e3 e4 e5", "e1-e2")
    assert (position.mover, position.reserve[WHITE], ended(position)) == (WHITE, 4, "")


def test_r6_1_a_row_of_the_opponent_does_not_help() -> None:
    """Only a row of their own saves a player with an empty reserve."""
    position = after(board("basic w", "W=b2,b3,c4,d4,e4", "B=h5", captured="0-14"), "b1-b2", "4: b4 c4 d4 e4")
    assert ended(position) == "1-0 reserve"


def test_r6_1_an_offer_of_the_opponent_does_not_help() -> None:
    """The opponent may leave a row of GIPF-pieces standing. It changes nothing."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", captured="0-16"), "h6-h5", "pass")
    assert (ended(position), position.mover) == ("1-0 reserve", BLACK)


def test_r6_1_is_tested_after_the_removal() -> None:
    """A player whose removal returns no piece has nothing to push and loses at once."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=e6,Gb2", captured="10-0")
    assert len(choices(position)) == 16
    lost = after(position, "e: e6")
    assert (ended(lost), lost.mover, lost.captured) == ("0-1 reserve", BLACK, (10, 1))
    assert len(pushes(after(position, "e: e2 e6"))) == 42


def test_r6_1_an_empty_reserve_leaves_only_the_offers() -> None:
    """The player may not push, but does not lose either while the offer is open."""
    position = after(board("tournament b", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", captured="10-0"), "h1-h2")
    assert (position.mover, ended(position), pushes(position)) == (WHITE, "", set())
    assert len(choices(position)) == 15
    assert len(pushes(after(position, "e: e5"))) == 42


def test_r6_1_an_offer_that_refills_nothing_loses() -> None:
    """Taking only the opponent's GIPF-piece of the offer leaves the reserve empty."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Ge6,Gb2", captured="10-0")
    assert ended(after(position, "e: e6")) == "0-1 reserve"
    assert ended(after(position, "e: e5 e6")) == ""


def test_r6_1_a_second_offer_keeps_the_game_going() -> None:
    """The reserve is tested only when no open row is left."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5,Gb2,Gb3,Gb4,Gb5", "B=Ge6,Gh2", captured="2-0")
    position = after(position, "e: e6")
    assert (position.mover, position.reserve[WHITE], ended(position), pushes(position)) == (WHITE, 0, "", set())
    assert len(choices(position)) == 15


def test_r6_1_offers_may_be_left_after_the_last_push() -> None:
    """After the push an offer may be left although the reserve is empty: the opponent's turn comes first."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", captured="9-0"), "h6-h5")
    assert "pass" in choices(position)
    position = after(position, "pass", "h1-h2")
    assert (position.mover, position.reserve[WHITE], ended(position)) == (WHITE, 0, "")
    assert pushes(position) == set()


# --- R6.2 -----------------------------------------------------------------------------------------------------------

DECIDED = [
    # version, white, black, opening; actions of White; how it ends
    ("standard w", "W=e2,e3,e4,e5,Gb5", "B=Ge6", "", ["e: e2 e3 e4 e5 e6"], "1-0 gipf"),  # the opponent's last
    ("standard w", "W=e2,e3,e4,e5,Gb5", "B=Ge6", "", ["e: e2 e3 e4 e5"], ""),  # left standing
    ("standard w", "W=e2,e3,e4,e5,Gb5", "B=Ge6,Gh2", "", ["e: e2 e3 e4 e5 e6"], ""),  # not their last
    ("standard w", "W=e2,e3,e4,Ge5", "B=Gb2", "", ["e: e2 e3 e4 e5"], "0-1 gipf"),  # White's own last
    ("standard w", "W=e2,e3,e4,Ge5", "B=Ge6", "", ["e: e2 e3 e4 e5 e6"], "1-0 gipf"),  # both: the remover wins
    ("standard w", "W=e2,e3,e4,Gb5", "B=Ge5", "", ["e1-e2"], ""),  # no removal, no end
    ("standard w", "W=e2,e3,Ge4", "B=Ge5", "", ["e1-e2"], ""),
    ("standard w", "W=e2,e3,e4,Gb5", "B=Ge5", "", ["e1-e2", "e: e2 e3 e4 e5 e6"], "1-0 gipf"),  # after the push
    ("standard w", "W=e2,e3,Ge4", "B=Gb2", "", ["e1-e2", "e: e2 e3 e4 e5"], "0-1 gipf"),
    ("standard w", "W=e2,e3,Ge4", "B=Ge5", "", ["e1-e2", "e: e2 e3 e4 e5 e6"], "1-0 gipf"),
    ("tournament w", "W=e2,e3,e4,e5,Gb5", "B=Ge6", "b", ["e: e2 e3 e4 e5 e6"], "1-0 gipf"),  # White's right is no help
    ("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", "wb", ["e: e2 e3 e4 e5"], ""),  # the right holds before the push
    ("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", "b", ["e: e2 e3 e4 e5"], "0-1 gipf"),  # … if White had the right
    ("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", "wb", ["Ge1-e2", "e: e2 e3 e4 e5"], "0-1 gipf"),  # not after it
    ("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", "wb", ["Ge1-e2", "e: e2 e3 e4"], ""),
    ("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=", "wb", ["e: e2 e3"], ""),  # Black has not begun
    ("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=", "w", ["e: e2 e3"], "1-0 gipf"),
    ("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Ge6", "wb", ["e: e2 e3 e4 e5 e6"], "1-0 gipf"),  # both, with the right
    ("tournament w", "W=Ge2,Ge3,Ge4", "B=Ge5", "wb", ["Ge1-e2", "e: e2 e3 e4 e5 e6"], "1-0 gipf"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "of_white", "of_black", "opening", "actions", "end"), DECIDED)
def test_r6_2_a_player_without_gipf_pieces_loses(
    head: str, of_white: str, of_black: str, opening: str, actions: list[str], end: str
) -> None:
    """If neither player has one left, the player who removed them wins."""
    assert ended(after(board(head, of_white, of_black, opening=opening), *actions)) == end


def test_r6_2_does_not_hold_in_the_basic_version() -> None:
    """In the Basic version nobody has a GIPF-piece."""
    position = after(board("basic w", "W=e2,e3,e4,e5", "B=e6"), "e: e2 e3 e4 e5 e6")
    assert (ended(position), position.mover) == ("", WHITE)


def test_r6_2_before_the_push_ends_the_turn() -> None:
    """If the removal before the push decides the game, nothing is pushed."""
    position = after(board("standard w", "W=e2,e3,e4,e5,Gb5", "B=Ge6"), "e: e2 e3 e4 e5 e6")
    assert (ended(position), position.mover) == ("1-0 gipf", BLACK)


def test_r6_2_waits_for_the_last_due_row() -> None:
    """The rule is tested only when no due row is left: a second row may take Black's last GIPF-piece as well."""
    position = board("standard w", "W=b2,b3,b4,Gb5,g2,g3,g4,g5", "B=Gg6")
    position = after(position, "b: b2 b3 b4 b5")
    assert (ended(position), choices(position)) == ("", {"g: g2 g3 g4 g5", "g: g2 g3 g4 g5 g6"})
    assert ended(after(position, "g: g2 g3 g4 g5")) == "0-1 gipf"
    assert ended(after(position, "g: g2 g3 g4 g5 g6")) == "1-0 gipf"


def test_r6_2_does_not_wait_for_offers() -> None:
    """The rule is tested once the due rows are gone, even if an offer is open."""
    offer = "Gd3,Gd4,Gd5,Gd6"
    position = board("tournament w", f"W={offer},g2,g3,g4,g5", "B=Gg6")
    assert ended(after(position, "g: g2 g3 g4 g5 g6")) == "1-0 gipf"
    assert ended(after(position, "g: g2 g3 g4 g5")) == ""
    pushed = after(board("tournament w", f"W={offer},g2,g3,g4", "B=Gg5"), "g1-g2", "g: g2 g3 g4 g5 g6")
    assert ended(pushed) == "1-0 gipf"


def test_r6_2_comes_before_r6_1() -> None:
    """A player with an empty reserve who takes the last GIPF-piece wins."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Ge6", captured="10-0")
    assert ended(after(position, "e: e6")) == "1-0 gipf"


def test_r6_2_comes_before_r6_1_for_the_next_player() -> None:
    """Black has neither a reserve nor a GIPF-piece. The reason of the loss is the GIPF-pieces."""
    position = after(board("standard w", "W=e2,e3,e4,Gb5", "B=Ge5", captured="0-16"), "e1-e2", "e: e2 e3 e4 e5 e6")
    assert ended(position) == "1-0 gipf"


def test_r6_2_a_push_alone_never_ends_the_game() -> None:
    """A GIPF-piece that is pushed stays on the board."""
    position = after(board("standard w", "W=e2,e3,Gb5", "B=Ge4"), "e1-e2")
    assert (ended(position), position.mover) == ("", BLACK)


@pytest.mark.parametrize(
    ("of_white", "of_black", "winner"), [("W=Gb5", "B=Ge8", None), ("W=Gb5", "B=e8", WHITE), ("W=b5", "B=Ge8", BLACK)]
)
def test_r6_2_the_end_of_a_turn_finds_who_has_lost(of_white: str, of_black: str, winner: Colour | None) -> None:
    expected = None if winner is None else Result(winner, Reason.GIPF)
    assert end_of_turn_result(board("standard w", of_white, of_black)) == expected


# --- R6.3, R6.4 -----------------------------------------------------------------------------------------------------


def test_r6_3_equal_positions_are_equal_values() -> None:
    """The same position at the start of a turn is one value, whatever led to it. The engine makes no game void."""
    one = after(start(STANDARD), "b1-b2", "h6-h5", "e9-e8")
    two = after(start(STANDARD), "e9-e8", "h6-h5", "b1-b2")
    assert one == two
    assert hash(one) == hash(two)
    assert one.result is None


def test_r6_3_mover_reserves_and_rights_belong_to_a_position() -> None:
    """Positions that differ in one of these are different, even if they look the same."""
    position = board("tournament w", "W=Ge2", "B=Gb2", opening="wb")
    others = [
        board("tournament b", "W=Ge2", "B=Gb2", opening="wb"),
        board("tournament w", "W=Ge2", "B=Gb2", opening="w"),
        board("tournament w", "W=Ge2", "B=Gb2", captured="2-0", opening="wb"),
        board("tournament w", "W=e2", "B=Gb2", opening="wb"),
    ]
    assert len({position, *others}) == 5


def test_r6_4_a_complete_turn_has_its_result_at_once() -> None:
    """A turn that leaves the opponent without a piece wins, even if it is finished in grace."""
    before = board("standard w", "W=Gb5", "B=Ge8", captured="0-16")
    position = play(before, action("e1-e2"))
    assert position.result is not None
    assert (position.result.winner, position.result.by) == (WHITE, Reason.RESERVE)
    assert white(position) == "Gb5,e2"


@pytest.mark.parametrize(
    ("winner", "by", "score"),
    [
        (WHITE, Reason.GIPF, "1-0"),
        (BLACK, Reason.TIME, "0-1"),
        (None, Reason.REPETITION, "void"),
        (None, Reason.AGREEMENT, "1/2-1/2"),
    ],
)
def test_the_score_of_a_result(winner: Colour | None, by: Reason, score: str) -> None:
    assert Result(winner, by).score == score
