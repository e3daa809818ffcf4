"""Draw several small boards in one picture, each below its label."""

from .board import draw_board
from .ink import Canvas
from .layout import check_size, layout_for
from .palette import theme_palette
from .picture import Picture, SmallBoards
from .text import NAMES, clean_text, draw_text, shorten_to_width
from .theme import Theme

LABEL = 0.86  # the height of the strip with the label, in units of a small board
LETTERS, EDGE = 0.62, 0.3  # the font size of the label, and the room at its left, in units


def draw_small_boards(shown: SmallBoards, size: int, theme: Theme) -> Canvas:
    """Return the canvas of several boards, `size` pixels wide. Raises as `png` does.

    One board has the whole width, up to four boards stand in two columns, more in three.
    """
    check_size(size)
    columns = 1 if len(shown.boards) == 1 else 2 if len(shown.boards) <= 4 else 3
    cell = size // columns
    place = layout_for(cell)
    strip, board = place.px(LABEL), place.height - place.band
    rows = -(-len(shown.boards) // columns)
    canvas = Canvas.blank(size, rows * (strip + board), theme_palette(theme), theme.card)
    for number, (label, picture) in enumerate(shown.boards):
        left, top = number % columns * cell, number // columns * (strip + board)
        _draw_label(canvas, label, cell, theme, (left, top))
        canvas.image.paste(_bare_board(picture, cell, board, theme).image, (left, top + strip))
    return canvas


def _draw_label(canvas: Canvas, label: str, cell: int, theme: Theme, corner: tuple[int, int]) -> None:
    """Draw a label. If the font cannot draw all of it, only its first word is drawn."""
    place, (left, top) = layout_for(cell), corner
    strip, letters = place.px(LABEL), place.px(LETTERS)
    canvas.image.paste(canvas.palette.index(theme.band), (left, top, left + cell, top + strip))
    said = shorten_to_width(
        clean_text(label) or label.split(" ", maxsplit=1)[0], NAMES, letters, cell - 2 * place.px(EDGE)
    )
    draw_text(canvas, said, NAMES, letters, theme.text, left + place.px(EDGE), top + strip // 2)


def _bare_board(picture: Picture, cell: int, height: int, theme: Theme) -> Canvas:
    """Return the canvas of a board without the band below it."""
    canvas = draw_board(picture, cell, theme)
    return Canvas(canvas.image.crop((0, 0, cell, height)), canvas.palette)
