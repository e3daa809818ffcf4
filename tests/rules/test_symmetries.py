"""The symmetries of the board, and those of the starts."""

from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, start
from gipfbot.rules.symmetries import SYMMETRIES, start_symmetries
from tests.rules import helpers


def test_there_are_the_twelve_of_the_rules() -> None:
    assert [dict(symmetry) for symmetry in SYMMETRIES] == list(helpers.SYMMETRIES)
    assert len({tuple(symmetry.values()) for symmetry in SYMMETRIES}) == 12


def test_a_start_keeps_its_pieces() -> None:
    for ruleset, number in ((BASIC, 6), (STANDARD, 6), (OVERBOARD, 6), (TOURNAMENT, 12)):
        position = start(ruleset)
        kept = [helpers.image(position, dict(symmetry)) for symmetry in start_symmetries(ruleset.setup)]
        assert kept == [position] * number


def test_colours_and_kinds_are_told_apart() -> None:
    """White's corners go to Black's by a sixth of a turn; that is no symmetry of the start."""
    assert len(start_symmetries((("b5", "e2", "h5"), ()))) == 6
    assert len(start_symmetries((("b5", "e2", "h5", "b2", "e8", "h2"), ()))) == 12
    assert len(start_symmetries((("Gb5", "e2", "h5"), ()))) == 2
