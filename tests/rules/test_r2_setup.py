"""Section 2: versions and set-up."""

import pytest

from gipfbot.rules import BASIC, PRESETS, STANDARD, TOURNAMENT, Colour, Kind, Ruleset, legal, start
from tests.rules.helpers import WHITE, black, board, pushes, total, white


@pytest.mark.parametrize(
    ("rules", "pieces", "reserve", "of_white", "of_black"),
    [
        (BASIC, 15, 12, "b5,e2,h5", "b2,e8,h2"),
        (STANDARD, 18, 12, "Gb5,Ge2,Gh5", "Gb2,Ge8,Gh2"),
        (TOURNAMENT, 18, 18, "", ""),
    ],
)
def test_r2_versions(rules: Ruleset, pieces: int, reserve: int, of_white: str, of_black: str) -> None:
    """Each version starts with its pieces, its reserve and its set-up, and White begins."""
    position = start(rules)
    assert position.mover is WHITE
    assert (white(position), black(position)) == (of_white, of_black)
    assert position.reserve == (reserve, reserve)
    assert position.captured == (0, 0)
    assert [total(position, colour) for colour in Colour] == [pieces, pieces]
    assert (position.pushed, position.dealt, position.result) == (False, 0, None)


def test_r2_the_presets_are_the_three_versions() -> None:
    """The three official versions have presets under their names."""
    assert [PRESETS[name] for name in ("basic", "standard", "tournament")] == [BASIC, STANDARD, TOURNAMENT]


@pytest.mark.parametrize(("rules", "kinds"), [(BASIC, {""}), (STANDARD, {""}), (TOURNAMENT, {"G"})])
def test_r2_the_first_piece_of_each_version(rules: Ruleset, kinds: set[str]) -> None:
    """Only in the Tournament version players bring in GIPF-pieces. All 42 entries are free."""
    position = start(rules)
    assert {written[0] == "G" for written in pushes(position)} == {kind == "G" for kind in kinds}
    assert len(legal(position)) == 42


def test_r2_1_corners() -> None:
    """White has the corners b5 e2 h5 and Black b2 e8 h2."""
    for rules in (BASIC, STANDARD):
        owners = {spot: piece.owner.letter for spot, piece in start(rules).pieces().items()}
        assert owners == {"b5": "w", "e2": "w", "h5": "w", "b2": "b", "e8": "b", "h2": "b"}


def test_r2_1_a_gipf_piece_is_two_pieces() -> None:
    """A GIPF-piece is made of two basic pieces of its owner."""
    position = board("tournament w", "W=Gb5,c2", "B=Ge8,Gh2,d2")
    assert position.reserve == (15, 13)
    assert position.pieces()["b5"].kind is Kind.GIPF
    assert position.pieces()["c2"].kind is Kind.BASIC
