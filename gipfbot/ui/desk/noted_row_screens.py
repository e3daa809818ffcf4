"""The screens of the desk that Overboard adds: noted rows, their ends, GIPF-pieces given up, and passing (R8.3-R8.5).

Each answer is a button of its own, since a row has few of them: at most two runs at its ends, and at most three
GIPF-pieces.
"""

from dataclasses import replace

from gipfbot.match import Game
from gipfbot.rules import Kind, Position, Remove, Stage
from gipfbot.rules.pending import Question, RowChoice
from gipfbot.ui.desk import noted_row_texts
from gipfbot.ui.kit.components import Button, button_rows
from gipfbot.ui.kit.pictures import ROW_LETTERS
from render import Picture

from .screens import Screen, marked_picture


def noted_row_screen(game: Game, asked: Question) -> Screen:
    """Return the screen that asks about noted rows. Does not check that there are any."""
    if asked.stage is None:
        return _order_screen(game, asked)
    (row,), position = asked.rows, game.current
    if asked.stage is Stage.ENDS:
        text = noted_row_texts.ends_text(position, row)
        labels = [noted_row_texts.ends_label(row, way.spots) for way in row.ways]
    else:
        text = noted_row_texts.give_up_text(position, row)
        labels = [noted_row_texts.give_up_label(row, way.spots, loses=_loses(position, way)) for way in row.ways]
    answers = zip(labels, row.ways, strict=True)
    buttons = [Button(label, _way_action(row, way), _way_style(way)) for label, way in answers]
    return Screen(text, _rows_picture(game, (row,)), tuple(button_rows(buttons)))


def _order_screen(game: Game, asked: Question) -> Screen:
    """Return the screen that asks which row is resolved next."""
    buttons = [
        Button(noted_row_texts.row_label(letter, row), _way_action(row, row.ways[0]), "primary")
        for letter, row in zip(ROW_LETTERS, asked.rows, strict=False)
    ]
    return Screen(noted_row_texts.WHICH_ROW, _rows_picture(game, asked.rows), tuple(button_rows(buttons)))


def _rows_picture(game: Game, rows: tuple[RowChoice, ...]) -> Picture:
    picture = marked_picture(game, noted_row_texts.ROWS_CAPTION)
    lettered = tuple((letter, row.core) for letter, row in zip(ROW_LETTERS, rows, strict=False))
    return replace(picture, marks=replace(picture.marks, rows=lettered))


def _way_action(row: RowChoice, way: Remove) -> str:
    return f"done:{row.line.code}:{''.join(spot for spot in way.spots if spot not in row.must)}"


def _way_style(way: Remove) -> str:
    return "danger" if way.taken else "success"


def _loses(position: Position, way: Remove) -> bool:
    """Return whether a removal takes the decider's last GIPF-pieces."""
    own = {spot for spot, piece in position.pieces().items() if piece == (position.decider, Kind.GIPF, ())}
    return bool(own) and own <= {*way.spots}


def pass_screen(game: Game) -> Screen:
    """Return the screen of a player who can only pass (R8.5)."""
    buttons = (Button(noted_row_texts.PASS_LABEL, "pass:-", "primary"),)
    return Screen(noted_row_texts.PASS_TEXT, marked_picture(game, noted_row_texts.PASS_CAPTION), (buttons,))
