"""Positions and actions in a few readable words, for the tests of the rules.

A push is written dot-spot with the kind in front (`e1-e2`, `Ge1-e2`), a removal as the code of the line and the spots
cleared (`e: e2 e3 e4 e5`), and leaving the offers after the push as `pass`.
"""

from collections.abc import Iterable

from gipfbot.rules import (
    BASIC,
    PASS,
    PRESETS,
    PUSHES,
    STANDARD,
    TOURNAMENT,
    Action,
    Colour,
    Kind,
    Position,
    Push,
    Remove,
    build,
    legal,
    perft,
    play,
)
from gipfbot.rules.geometry import LINE, LINES, POINTS, axial, bits
from gipfbot.rules.position import worth

WHITE, BLACK = Colour.WHITE, Colour.BLACK
ALL = (BASIC, STANDARD, TOURNAMENT)


def pieces(text: str) -> tuple[tuple[Kind, str], ...]:
    """Return the pieces of one side: `Gb5,c2` is a GIPF-piece and a basic piece."""
    return tuple((Kind(word[:-2]), word[-2:]) for word in text.split(",") if word)


def board(head: str, white: str = "W=", black: str = "B=", captured: str = "0-0", opening: str = "") -> Position:
    """Return the position at the start of a turn, as the position line writes it: `board("standard w", "W=Gb5", "B=")`.

    Pieces that are neither on the board nor captured are in reserve. A position with wrong totals is refused.
    """
    name, mover = head.split()
    assert white.startswith("W=")
    assert black.startswith("B=")
    sides = pieces(white[2:]), pieces(black[2:])
    lost = captured.split("-")
    position = build(
        PRESETS[name],
        Colour("wb".index(mover)),
        sides,
        captured=(int(lost[0]), int(lost[1])),
        opening=("w" in opening, "b" in opening),
    )
    assert len(position.pieces()) == len(sides[0]) + len(sides[1]), "a spot is named twice"
    assert min(position.reserve) >= 0, "the totals do not add up"
    return position


def action(text: str) -> Action:
    """Return the action that a text stands for."""
    if text == "pass":
        return PASS
    if ":" in text:
        line, spots = text.split(":")
        return Remove(LINE[line].number, bits(spots.split()))
    dot, spot = text.removeprefix("G").split("-")
    return PUSHES[dot, spot, Kind.GIPF if text.startswith("G") else Kind.BASIC]


def text(done: Action) -> str:
    """Return the text of an action."""
    if isinstance(done, Push):
        return f"{done.kind}{done.dot}-{done.spot}"
    if isinstance(done, Remove):
        return f"{done.on.code}: {' '.join(done.spots)}"
    return "pass"


def after(position: Position, *texts: str) -> Position:
    """Return the position after these actions, each of which must be legal."""
    for written in texts:
        assert action(written) in legal(position), f"{written} is not legal: {choices(position) or 'over'}"
        position = play(position, action(written))
    return position


def choices(position: Position) -> set[str]:
    """Return the texts of the legal removals, and `pass` if it is legal."""
    return {text(done) for done in legal(position) if not isinstance(done, Push)}


def pushes(position: Position) -> set[str]:
    """Return the texts of the legal pushes."""
    return {text(done) for done in legal(position) if isinstance(done, Push)}


def counts(position: Position, depth: int) -> tuple[int, int, int]:
    """Return the counts A, D and C of the full turns to this depth (section 9)."""
    *_, last = perft(position, depth)
    return last.entries, last.turns, last.positions


def side(position: Position, colour: Colour) -> str:
    """Return one player's pieces on the board, by column and then by number: `Gb5,c2`."""
    return ",".join(f"{piece.kind}{spot}" for spot, piece in sorted(position.pieces().items()) if piece.owner is colour)


def white(position: Position) -> str:
    """Return White's pieces on the board."""
    return side(position, WHITE)


def black(position: Position) -> str:
    """Return Black's pieces on the board."""
    return side(position, BLACK)


def total(position: Position, colour: Colour) -> int:
    """Return the number of a player's basic pieces, on the board, in reserve and captured."""
    on_board = worth(position, position.owned[colour])
    return on_board + position.reserve[colour] + position.captured[colour]


# --- the 12 symmetries (R1.5) -------------------------------------------------------------------------------------


def _turned(x: int, y: int) -> tuple[int, int]:
    """Turn a point by a sixth about the centre (4, 4): N goes to NE, NE to SE, SE to S (R1.3)."""
    return y, y - x + 4


def _mirrored(x: int, y: int) -> tuple[int, int]:
    """Mirror a point: N and SE change places, NE stays."""
    return y, x


def _symmetries() -> tuple[dict[str, str], ...]:
    at = {axial(point): point for point in POINTS}
    maps = []
    for mirrors in (0, 1):
        for turns in range(6):
            images = {}
            for start, point in at.items():
                here = _mirrored(*start) if mirrors else start
                for _ in range(turns):
                    here = _turned(*here)
                images[point] = at[here]
            maps.append(images)
    return tuple(maps)


SYMMETRIES = _symmetries()


def image(position: Position, symmetry: dict[str, str]) -> Position:
    """Return the image of a position, also in the middle of a turn, under one of the symmetries."""

    def mapped(spots: Iterable[str]) -> int:
        return bits(symmetry[spot] for spot in spots)

    standing = position.pieces()
    dealt = [line for line in LINES if position.dealt >> line.number & 1]
    images = [next(other for other in LINES if other.mask == mapped(line.spots)) for line in dealt]
    return position._replace(
        owned=(
            mapped(spot for spot, piece in standing.items() if piece.owner is WHITE),
            mapped(spot for spot, piece in standing.items() if piece.owner is BLACK),
        ),
        gipf=mapped(spot for spot, piece in standing.items() if piece.kind is Kind.GIPF),
        dealt=sum(1 << line.number for line in images),
    )


__all__ = [
    "BLACK", "SYMMETRIES", "WHITE", "action", "after", "black", "board", "choices", "counts", "image", "pieces",
    "pushes", "side", "text", "total", "white",
]  # fmt: skip
