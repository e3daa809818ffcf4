"""The golden pictures. After a wanted change: `python -m tests.render.golden`, then look at every one of them."""

from pathlib import Path

from gipfbot.rules.actions import PUSHES
from gipfbot.rules.pieces import ByColor, Colour, Kind, Piece, Reason, Result
from gipfbot.rules.position import Position, build, start
from gipfbot.rules.rulesets import STANDARD
from render import Ghost, Marks, Picture, png

FOLDER = Path(__file__).parents[1] / "data" / "pictures"
SIZE = 400
PLAYERS = ("ann", "bob")
BASIC, GIPF = Kind.BASIC, Kind.GIPF
WHITE, BLACK = Colour.WHITE, Colour.BLACK


def position(white: str, black: str, mover: Colour = WHITE, captured: ByColor[int] = (0, 0)) -> Position:
    """Return a Standard position; pieces are written as in the notation, with spaces between: `Gb5 c4`."""
    sides = [tuple((Kind(piece[:-2]), piece[-2:]) for piece in side.split()) for side in (white, black)]
    return build(STANDARD, mover, (sides[0], sides[1]), captured)


OPENING = position("Gb5 Ge2 Gh5 c6 e4", "Gb2 Ge8 Gh2 d3 f3", BLACK)
LATE = position("Gb5 Ge2 Gh5 e4 c2", "Gb2 Ge8 Gh2 f5", BLACK, (1, 4))
ROWS = position("Gb5 Ge2 c5 d5 e3 e4 e5 f4 Gg3", "Gb2 Ge8 Gh2 e6 h3")._replace(pushed=True)
LOST = position("Gb5 Ge2 c4 c5 d5 e5 f6 g3 f2 d3", "d4 e6 f5 e4 g4 h4", WHITE, (2, 8))

GHOSTS = (
    Ghost("c2", Piece(BLACK, BASIC), captured=True),
    *(Ghost(spot, Piece(WHITE, BASIC)) for spot in ("c3", "c4", "c5")),
    Ghost("c6", Piece(BLACK, BASIC), captured=True),
    Ghost("d4", Piece(BLACK, GIPF), captured=True),
    Ghost("e5", Piece(WHITE, GIPF)),
)
PICTURES = {
    "start": Picture(start(STANDARD), PLAYERS, "Standard. White begins."),
    "push": Picture(OPENING, PLAYERS, "5. ann: b6-c6", Marks(push=PUSHES["b6", "c6", BASIC], moved=("c6",))),
    "removed": Picture(
        LATE,
        PLAYERS,
        "12. ann: removed c3 c4 c5 Ge5, captured c6 Gd4, then b1-c2 and captured c2 on the way",
        Marks(push=PUSHES["b1", "c2", BASIC], moved=("c2",), ghosts=GHOSTS),
    ),
    "rows": Picture(
        ROWS,
        PLAYERS,
        "Which row goes first?",
        Marks(
            rows=(("A", ("e2", "e3", "e4", "e5", "e6")), ("B", ("b5", "c5", "d5", "e5", "f4", "g3", "h2"))),
            numbers=(("e2", 1), ("g3", 2)),
        ),
    ),
    "preview": Picture(OPENING, PLAYERS, "Push e9-e8?", Marks(preview=PUSHES["e9", "e8", GIPF])),
    "end": Picture(LOST._replace(result=Result(WHITE, Reason.GIPF)), PLAYERS, "31. ann: g1-g2. White wins."),
}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in PICTURES.items():
        (FOLDER / f"{name}.png").write_bytes(png(picture, size=SIZE))
