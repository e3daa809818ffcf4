"""The golden pictures. After a wanted change: `python -m tests.render.golden`, then look at every one of them.

`turn` opens the README and is larger, therefore. It and `removed` are turns of recorded games as the bot posts them.
"""

from pathlib import Path

from gipfbot.notation import read_record, turn_text
from gipfbot.rules.actions import PUSHES
from gipfbot.rules.pieces import ByColor, Colour, Kind, Reason, Result
from gipfbot.rules.position import Position, build, start
from gipfbot.rules.rulesets import STANDARD
from gipfbot.service.boards import Board
from gipfbot.ui.board_texts import caption
from gipfbot.ui.pictures import board_picture
from render import Marks, Picture, png

DATA = Path(__file__).parents[1] / "data"
FOLDER = DATA / "pictures"
SIZE, SIZES = 400, {"turn": 800}
PLAYERS = ("ann", "bob")
BASIC, GIPF = Kind.BASIC, Kind.GIPF
WHITE, BLACK = Colour.WHITE, Colour.BLACK


def position(white: str, black: str, mover: Colour = WHITE, captured: ByColor[int] = (0, 0)) -> Position:
    """Return a Standard position; pieces are written as in the notation, with spaces between: `Gb5 c4`."""
    sides = [tuple((Kind(piece[:-2]), piece[-2:]) for piece in side.split()) for side in (white, black)]
    return build(STANDARD, mover, (sides[0], sides[1]), captured)


OPENING = position("Gb5 Ge2 Gh5 c6 e4", "Gb2 Ge8 Gh2 d3 f3", BLACK)
ROWS = position("Gb5 Ge2 c5 d5 e3 e4 e5 f4 Gg3", "Gb2 Ge8 Gh2 e6 h3")._replace(pushed=True)
LOST = position("Gb5 Ge2 c4 c5 d5 e5 f6 g3 f2 d3", "d4 e6 f5 e4 g4 h4", WHITE, (2, 8))


def board(file: str, number: int) -> Picture:
    """Return the board that the bot posts after this turn of a recorded game."""
    step = read_record((DATA / file).read_text(encoding="utf-8")).turns[number - 1]
    text = turn_text(step.before, step.actions)
    shown = Board(1, number, (1, 2), ("Ann", "Bob"), step.after, step.before, step.actions, text)
    return board_picture(shown, caption(shown))


PICTURES = {
    "start": Picture(start(STANDARD), PLAYERS, "Standard. White begins."),
    "push": Picture(OPENING, PLAYERS, "5. ann: b6-c6", Marks(push=PUSHES["b6", "c6", BASIC], moved=("c6",))),
    "turn": board("records/standard-16.turns", 37),
    "removed": board("games/tournament-21.txt", 21),
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
        (FOLDER / f"{name}.png").write_bytes(png(picture, size=SIZES.get(name, SIZE)))
