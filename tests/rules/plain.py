"""An engine's position in the words of the naive program for potentials."""

from gipfbot.rules import Colour, Position
from gipfbot.rules.geometry import LINES
from tests.rules.naive_potentials import LINES as NAIVE_LINES, Plain


def plain(position: Position) -> Plain:
    """Return an engine's position in the words of the naive program."""
    letters = [letter for letter, _ in position.rules.potentials]
    codes = [line for line in LINES if position.dealt >> line.number & 1]
    return Plain(
        pieces=position.rules.pieces,
        gipf_decides=position.rules.gipf_decides,
        punct="P" in letters,
        mover=position.mover.letter,
        board={
            spot: tuple(one.owner.letter + (one.kind or ".") for one in (piece, *piece.under))
            for spot, piece in position.pieces().items()
        },
        reserve={colour.letter: position.reserve[colour] for colour in Colour},
        captured={colour.letter: position.captured[colour] for colour in Colour},
        opening={colour.letter: position.opening[colour] for colour in Colour},
        left={colour.letter: dict(zip(letters, position.left[colour], strict=True)) for colour in Colour},
        acted=position.pushed,
        dealt=frozenset(next(line for line in NAIVE_LINES if {*line} == {*code.spots}) for code in codes),
        result=f"{'wb'[position.result.winner or 0]} {position.result.by}" if position.result else "",
    )
