"""Section 5: the opening of the Tournament version."""

import pytest

from gipfbot.rules import TOURNAMENT, Position, legal, play, start
from tests.rules.helpers import BLACK, WHITE, action, after, board, choices, pushes, white


def kinds(position: Position) -> set[str]:
    """Return the kinds that can be pushed in now."""
    return {"G" if push.startswith("G") else "basic" for push in pushes(position)}


def test_r5_1_the_first_piece_is_a_gipf_piece() -> None:
    """Each player's first piece must be a GIPF-piece, and it costs 2 of the reserve."""
    position = start(TOURNAMENT)
    assert kinds(position) == {"G"}
    position = after(position, "Ge1-e2")
    assert (kinds(position), position.reserve) == ({"G"}, (16, 18))
    position = after(position, "Ge9-e8")
    assert (kinds(position), position.reserve) == ({"G", "basic"}, (16, 16))


def test_r5_1_without_gipf_pieces_the_next_must_be_one() -> None:
    """A player with the right who has taken back all their GIPF-pieces must bring in a GIPF-piece."""
    position = board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", opening="wb")
    assert kinds(position) == {"G", "basic"}
    position = after(position, "e: e2 e3 e4 e5")
    assert (position.reserve[WHITE], kinds(position), position.result) == (18, {"G"}, None)


def test_r5_2_the_first_basic_piece_ends_the_right() -> None:
    """Only the player's own basic piece ends their right, and for ever."""
    position = board("tournament w", "W=Ge2,Ge3", "B=Gb2,Gh2", opening="wb")
    assert len(legal(position)) == 84
    more = after(position, "Gb6-b5")
    assert more.opening == (True, True)
    basic = after(position, "b6-b5")
    assert basic.opening == (False, True)
    assert kinds(basic) == {"G", "basic"}
    later = after(basic, "Gc7-c6")
    assert (kinds(later), later.opening) == ({"basic"}, (False, True))


def test_r5_2_nine_is_no_maximum() -> None:
    """A removed GIPF-piece can come in again, so a player may bring in a tenth (FAQ 6)."""
    position = board("tournament w", "W=Gb2,Gb3,Gb4,Gb5,Ge2,Gf7,Gh3,Gd7,Gc6", "B=Ge8", opening="wb")
    assert (position.reserve[WHITE], pushes(position)) == (0, set())
    position = after(position, "b: b2", "Gh1-h2")
    assert (position.reserve[WHITE], position.opening[WHITE], position.mover) == (0, True, BLACK)


def test_r5_3_removing_a_gipf_piece_keeps_the_right() -> None:
    """One of four GIPF-pieces in a row is taken back. More GIPF-pieces may come (FAQ 3)."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", opening="w"), "e: e3")
    assert (kinds(position), position.opening) == ({"G", "basic"}, (True, False))
    assert white(after(position, "Gh6-h5")) == "Ge2,Ge4,Ge5,Gh5"


def test_r5_3_removing_after_the_push_keeps_the_right() -> None:
    """It makes no difference whether the GIPF-piece is taken before the push or after it."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", opening="w"), "Ge1-e2", "e: e4", "h1-h2")
    assert (position.mover, kinds(position)) == (WHITE, {"G", "basic"})


def test_r5_3_a_captured_gipf_piece_keeps_the_right() -> None:
    """Only the player's own basic piece ends the right, not a capture by the opponent."""
    position = board("tournament w", "W=Ge5", "B=Gb2,h2", captured="4-0", opening="w")
    assert (position.reserve[WHITE], kinds(position)) == (12, {"G", "basic"})


def test_r5_3_one_piece_in_reserve_is_a_basic_piece() -> None:
    """A GIPF-piece needs 2 in reserve."""
    position = board("tournament w", "W=Gb2,Gb3,Gb4,Ge2,Gf7,Gh3,Gd7,Gc6", "B=Ge8", captured="1-0", opening="wb")
    assert (position.reserve[WHITE], kinds(position)) == (1, {"basic"})
    position = board("tournament w", "W=Gb2,Gb3,Gb4,Ge2,Gf7,Gh3,Gd7,Gc6", "B=Ge8", opening="wb")
    assert (position.reserve[WHITE], kinds(position)) == (2, {"G", "basic"})


@pytest.mark.parametrize("head", ["basic w", "standard w"])
def test_r5_holds_only_in_the_tournament_version(head: str) -> None:
    """In the other versions nobody brings in a GIPF-piece."""
    kind = "" if head.startswith("basic") else "G"
    position = board(head, f"W={kind}e2", f"B={kind}b2")
    assert action("Gb6-b5") not in legal(position)
    assert choices(position) == set()
    assert play(position, action("b6-b5")).opening == (False, False)
