"""The designer's FAQ, as far as the engine decides it. The match decides FAQ 5 (taking back) and 7 (repetition)."""

from gipfbot.rules import TOURNAMENT, Reason, Result, legal, start
from tests.rules.helpers import BLACK, WHITE, action, after, black, board, choices, pushes, text, white


def test_faq_1_the_remover_decides_about_a_gipf_piece() -> None:
    """White's push makes a row of Black's with a GIPF-piece in it. Black decides, although White made the row."""
    position = after(board("standard w", "W=b2,Gh5", "B=b3,c4,Gd4,e4"), "b1-b2")
    assert position.mover is BLACK
    assert choices(position) == {"4: b4 c4 e4", "4: b4 c4 d4 e4"}


def test_faq_2_taking_is_compulsory() -> None:
    """Nothing else is legal while a row with a basic piece stands."""
    position = board("standard w", "W=e2,e3,e4,e5,Gh5", "B=Gb2")
    assert [*choices(position)] == ["e: e2 e3 e4 e5"]
    assert len(legal(position)) == 1


def test_faq_3_more_gipf_pieces_after_one_was_removed() -> None:
    """With 4 GIPF-pieces in a row and no basic piece played, one is removed. More GIPF-pieces may still come."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2", opening="wb"), "e: e3")
    assert "Gb6-b5" in pushes(position)


def test_faq_4_the_player_who_caused_it_goes_first() -> None:
    """White made both rows and removes their own first. They can neither pass nor let Black go first."""
    position = after(board("standard w", "W=b2,c2,d2,Gf2", "B=b3,c3,d3,e2,Gh2"), "e1-e2")
    assert position.mover is WHITE
    assert [text(done) for done in legal(position)] == ["2: b2 c2 d2 e2"]


def test_faq_4_the_remover_can_capture_the_gipf_piece() -> None:
    """Black removes their row of 4 basic pieces. They may capture the White GIPF-piece that extends it, or leave it."""
    position = after(board("standard w", "W=b2,c2,d2,Gf2", "B=b3,c3,d3,e2,Gh2"), "e1-e2", "2: b2 c2 d2 e2")
    assert choices(position) == {"3: b3 c3 d3 e3", "3: b3 c3 d3 e3 f2"}
    assert after(position, "3: b3 c3 d3 e3 f2").result == Result(BLACK, Reason.GIPF)
    assert white(after(position, "3: b3 c3 d3 e3")) == "Gf2"


def test_faq_6_nine_is_no_maximum() -> None:
    """A player who has brought in 9 GIPF-pieces and got one back may bring in a tenth."""
    position = board("tournament w", "W=Gb2,Gb3,Gb4,Gb5,Ge2,Gf7,Gh3,Gd7,Gc6", "B=Ge8", opening="w")
    position = after(position, "b: b2", "Gh1-h2", "d1-d2")
    assert white(position) == "Gb3,Gb4,Gb5,Gc6,Gd7,Ge2,Gf7,Gh2,Gh3"


def test_faq_8_a_row_of_gipf_pieces_left_standing() -> None:
    """While the row is intact, any of its pieces may be removed in a later turn, before or after the push."""
    position = after(board("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", opening="w"), "Ge1-e2", "pass", "h1-h2")
    assert {"e: e2", "e: e3 e4", "e: e2 e3 e4 e5"} <= choices(position)
    later = after(position, "b6-b5")
    assert {"e: e2", "e: e3 e4", "e: e2 e3 e4 e5", "pass"} <= choices(later)


def test_faq_8_only_while_the_row_is_intact() -> None:
    """If the opponent breaks the row there is nothing to remove any more."""
    broken = after(board("tournament b", "W=Gc4,Gd4,Ge4,Gf3", "B=Gc2,Gc3"), "c1-c2")
    assert (white(broken), black(broken)) == ("Gc5,Gd4,Ge4,Gf3", "c2,Gc3,Gc4")
    assert choices(broken) == set()


def test_faq_9_a_gipf_piece_left_stays_in_the_step() -> None:
    """The GIPF-piece left in the first of two rows that do not meet may not be removed with the second."""
    position = after(board("standard w", "W=b2,b3,b4,Gb5,g2,g3,g4,Gg5", "B=Ge8"), "b: b2 b3 b4")
    assert choices(position) == {"g: g2 g3 g4", "g: g2 g3 g4 g5"}
    assert choices(after(position, "g: g2 g3 g4 g5")) == set()


def test_faq_10_both_last_gipf_pieces() -> None:
    """The player who removes both players' last GIPF-pieces wins, before the push and after it."""
    position = after(board("standard w", "W=e2,e3,e4,Ge5", "B=Ge6"), "e: e2 e3 e4 e5 e6")
    assert position.result == Result(WHITE, Reason.GIPF)
    position = after(board("standard b", "W=Ge5", "B=e2,e3,Ge4"), "e1-e2", "e: e2 e3 e4 e5 e6")
    assert position.result == Result(BLACK, Reason.GIPF)


def test_faq_11_a_finished_turn_has_won() -> None:
    """A turn wins if it takes the last GIPF-piece, or leaves the opponent no piece to play."""
    position = after(board("standard w", "W=e2,e3,e4,Gb5", "B=Ge5"), "e1-e2", "e: e2 e3 e4 e5 e6")
    assert position.result == Result(WHITE, Reason.GIPF)
    played_last = after(board("standard b", "W=Gb5", "B=Ge8", captured="0-15"), "e1-e2")
    assert (played_last.reserve[BLACK], played_last.result) == (0, None)
    assert after(played_last, "h1-h2").result == Result(WHITE, Reason.RESERVE)


def test_faq_12_a_basic_piece_may_not_come_first() -> None:
    """The first piece must be a GIPF-piece. A basic piece is refused, and the same player is still to move."""
    position = start(TOURNAMENT)
    assert action("e1-e2") not in legal(position)
    assert action("Ge1-e2") in legal(position)
    position = after(position, "Ge1-e2")
    assert action("e9-e8") not in legal(position)
