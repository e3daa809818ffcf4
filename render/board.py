"""Draw one board, or several small ones: the empty board (cached), then pieces, marks and players."""

from collections.abc import Collection, Iterable
from functools import lru_cache

from PIL import Image

from gipfbot.rules import Piece
from gipfbot.rules.geometry import CENTRE, DOTS, LINES
from gipfbot.rules.position import covered_spots

from .layout import SMALLEST_TEXT, Layout, check_size, layout_for
from .marks import draw_marks
from .picture import Picture, SmallBoards
from .piece_sprites import standing_layers
from .sprites import Canvas, Pen
from .strips import draw_caption, draw_players
from .text import CAPITAL, NAMES, PLAIN, clean_text, draw_text, shorten_to_width, text_shape, text_width
from .theme import Theme, theme_palette
from .wording import Words

RIM = 0.26  # how far the board reaches beyond its dots, in units
DOT = 0.095  # the radius of a dot
LINE = 0.028  # the width of a line
NAME = 0.34  # the font size of the dots' names
CORNERS = ("a1", "a5", "e9", "i5", "i1", "e1")

LABEL = 0.86  # the height of the strip with the label, in units of a small board
LEAST_LABEL = 0.5  # the least height of that strip, in units of the whole picture
LETTERS, EDGE = 0.62, 0.3  # the font size of the label, and the room at its left, in units


def draw_picture(picture: Picture, size: int, theme: Theme, words: Words, hidden: Collection[str] = ()) -> Canvas:
    """Return the canvas of a picture, without the pieces on the spots in `hidden`. Raises as `png` does."""
    check_size(size)
    place = layout_for(size, picture.flipped)
    canvas = draw_board(picture, size, theme, hidden)
    draw_players(canvas, place, theme, picture, words)
    draw_caption(canvas, place, theme, picture, words)
    return canvas


def draw_board(
    picture: Picture, size: int, theme: Theme, hidden: Collection[str] = (), *, names: bool = True
) -> Canvas:
    """Return the canvas of a picture without its players and its caption. Does not check the size.

    Pieces on the spots in `hidden` are not drawn, nor are dots named without `names`: on small boards nobody could read
    that.
    """
    place = layout_for(size, picture.flipped)
    canvas = Canvas(_empty_board(size, theme, picture.flipped, names).copy(), theme_palette(theme))
    moved = set(picture.marks.moved)
    for spot, standing in _drawing_order(picture):
        if spot not in hidden:
            patch, cover = _piece_patch(standing, spot in moved, size, theme)
            x, y = place.point[spot]
            canvas.image.paste(patch, (x - patch.width // 2, y - patch.height // 2), cover)
    draw_marks(canvas, place, theme, picture)
    return canvas


def _drawing_order(picture: Picture) -> Iterable[tuple[str, Piece]]:
    """Return the pieces in the order in which they are drawn. Stacks come last, so that nothing hides their chips."""
    pieces, stacks = picture.position.pieces(), covered_spots(picture.position)
    if not stacks:
        return pieces.items()
    upwards = reversed([*pieces.items()]) if picture.flipped else pieces.items()
    return sorted(upwards, key=lambda standing: bool(standing[1].under))


@lru_cache(maxsize=128)
def _piece_patch(piece: Piece, moved: bool, size: int, theme: Theme) -> tuple[Image.Image, Image.Image]:
    """Return the image of a piece with its soft edges blended into the board, and the mask of the pixels it covers.

    All spots look alike, so one patch fits every spot.
    """
    place = layout_for(size)
    reach, (x, y) = place.px(0.6 if piece.under else 0.55), place.point[CENTRE]
    around = x - reach, y - reach, x + reach, y + reach
    canvas = Canvas(_empty_board(size, theme, flipped=False).crop(around), theme_palette(theme))
    cover = Image.new("1", canvas.image.size)
    for form, colour in standing_layers(piece, moved, theme, place.unit):
        canvas.stamp(form, colour, (reach, reach))
        for _, part in form.degrees:
            cover.paste(1, (reach + form.left, reach + form.top), part)
    return canvas.image, cover


@lru_cache(maxsize=16)
def _empty_board(size: int, theme: Theme, flipped: bool, names: bool = True) -> Image.Image:
    place = layout_for(size, flipped)
    canvas = Canvas.blank(size, place.height, theme_palette(theme), theme.card)
    band = (0, place.height - place.band, size, place.height)
    canvas.image.paste(canvas.palette.index(theme.band), band)
    _draw_surface(canvas, place, theme)
    _draw_lines(canvas, place, theme)
    if names:
        _draw_names(canvas, place, theme)
    return canvas.image


def _draw_surface(canvas: Canvas, place: Layout, theme: Theme) -> None:
    x, y = place.point[CENTRE]
    corners = [(px - x, py - y) for px, py in (place.point[corner] for corner in CORNERS)]
    pen = Pen(4.6 * place.unit).polygon(corners)
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        pen.capsule(start, end, RIM * place.unit)
    canvas.stamp(pen.shape(), theme.board, (x, y))


def _draw_lines(canvas: Canvas, place: Layout, theme: Theme) -> None:
    x, y = place.point[CENTRE]
    pen = Pen(4.6 * place.unit)
    points = {point: (px - x, py - y) for point, (px, py) in place.point.items()}
    for line in LINES:
        pen.stroke(points[line.dots[0]], points[line.dots[1]], max(1.2, LINE * place.unit))
    for dot in DOTS:
        pen.disc(DOT * place.unit, points[dot])
    canvas.stamp(pen.shape(), theme.line, (x, y))


def _draw_names(canvas: Canvas, place: Layout, theme: Theme) -> None:
    size = place.px(NAME)
    for dot, (x, y) in place.label.items():
        at = x - text_width(dot, PLAIN, size) // 2, y + round(CAPITAL * size / 2)
        canvas.stamp(text_shape(dot, PLAIN, size), theme.label, at)


def draw_small_boards(shown: SmallBoards, size: int, theme: Theme) -> Canvas:
    """Return the canvas of several boards, `size` pixels wide. Raises as `png` does.

    One board has the whole width, up to four boards stand in two columns, more in three.
    """
    check_size(size)
    columns = 1 if len(shown.boards) == 1 else 2 if len(shown.boards) <= 4 else 3
    cell = size // columns
    place = layout_for(cell)
    strip, board = max(place.px(LABEL), layout_for(size).px(LEAST_LABEL)), place.height - place.band
    rows = -(-len(shown.boards) // columns)
    canvas = Canvas.blank(size, rows * (strip + board), theme_palette(theme), theme.card)
    for number, (label, picture) in enumerate(shown.boards):
        left, top = number % columns * cell, number // columns * (strip + board)
        box = left, top, left + cell, top + strip
        _draw_label(canvas, label, max(place.px(LETTERS), layout_for(size).px(SMALLEST_TEXT)), theme, box)
        one = draw_board(picture, cell, theme, names=columns == 1)
        canvas.image.paste(one.image.crop((0, 0, cell, board)), (left, top + strip))
    return canvas


def _draw_label(canvas: Canvas, label: str, letters: int, theme: Theme, box: tuple[int, int, int, int]) -> None:
    """Draw a label into a box. If the font cannot draw all of it, only its first word is drawn."""
    left, top, right, bottom = box
    edge = round(EDGE / LETTERS * letters)
    canvas.image.paste(canvas.palette.index(theme.band), box)
    whole = clean_text(label) or label.split(" ", maxsplit=1)[0]
    said = shorten_to_width(whole, NAMES, letters, right - left - 2 * edge)
    draw_text(canvas, said, NAMES, letters, theme.text, left + edge, (top + bottom) // 2)
