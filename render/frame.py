"""The parts that all cards share: a head with the title, and rows of names and values."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gipfbot.rules.pieces import Colour, Kind

from .ink import Canvas, Pen
from .layout import layout_for
from .palette import theme_palette
from .piece_sprites import RADIUS, Layer, piece_layers
from .text import NAMES, PLAIN, STRONG, draw_text, shorten_to_width, text_width, wrap_text
from .theme import Theme

HEAD = 1.28  # the height of the head, in units
EDGE = 0.24  # units from the edge of the card to its texts
TITLE, NOTE, VALUE = 0.46, 0.31, 0.29  # font sizes, in units
LINE, NEXT = 0.34, 0.46  # units from one line of a value to the next line, and to the next value
NAMES_WIDE, GAP = 1.22, 0.14  # the least width of the column of names, and the gap after the widest name
TOKEN = 0.62  # the scale of the pieces beside names


class Head(NamedTuple):
    """The head of a card: a title, and a note in the line below. Neither is shortened.

    With `name`, the title begins with that name and a piece of `colour`.
    """

    title: str
    note: str
    name: str = ""
    colour: Colour | None = None  # of the piece before the name


class Box(NamedTuple):
    """A rectangle in a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


def draw_card_frame(size: int, below: int, theme: Theme, head: Head) -> tuple[Canvas, int]:
    """Return the canvas of a card with `below` free pixels under its head, and the y coordinate of the free part."""
    place = layout_for(size)
    top = place.px(HEAD)
    canvas = Canvas.blank(size, top + below, theme_palette(theme), theme.card)
    canvas.image.paste(canvas.palette.index(theme.band), (0, 0, size, top))
    left, middle, letters = place.px(EDGE), place.px(0.47), place.px(TITLE)
    if head.name:
        left = draw_token(canvas, head.colour, theme, place.unit, left, middle)
        room = size - place.px(EDGE) - left - text_width(f" {head.title}", STRONG, letters)
        name = shorten_to_width(head.name, NAMES, letters, room)
        draw_text(canvas, name, NAMES, letters, theme.text, left, middle)
        left += text_width(name, NAMES, letters) + text_width(" ", STRONG, letters)
    draw_text(canvas, head.title, STRONG, letters, theme.text, left, middle)
    draw_text(canvas, head.note, PLAIN, place.px(NOTE), theme.faint, place.px(EDGE), place.px(0.96))
    return canvas, top


def draw_token(canvas: Canvas, colour: Colour | None, theme: Theme, unit: int, left: int, middle: int) -> int:
    """Draw the piece before a name, in both colours if `colour` is None. Return the x coordinate of the name."""
    at = left + round(RADIUS * TOKEN * unit), middle
    for form, ink in _token_layers(colour, theme, unit):
        canvas.stamp(form, ink, at)
    return left + round(2 * RADIUS * TOKEN * unit + 0.14 * unit)


def _token_layers(colour: Colour | None, theme: Theme, unit: int) -> Iterable[Layer]:
    yield from piece_layers(Kind.BASIC, Colour.BLACK if colour is None else colour, theme, unit, TOKEN)
    if colour is None:
        radius = RADIUS * TOKEN * unit
        half = Pen(radius).disc(radius - max(1.2, 0.04 * unit * TOKEN))
        half.polygon([(0, -radius), (radius, -radius), (radius, radius), (0, radius)], clear=True)
        yield half.shape(), theme.piece[Colour.WHITE]


def draw_value_rows(canvas: Canvas, theme: Theme, unit: int, box: Box, rows: Sequence[tuple[str, str]]) -> None:
    """Draw names and values in two columns. Values are wrapped, and rows that do not fit into `box` are left out."""
    size, line = round(VALUE * unit), round(LINE * unit)
    widest = max((text_width(label, PLAIN, size) for label, _ in rows), default=0)
    start = box.left + max(round(NAMES_WIDE * unit), widest + round(GAP * unit))
    middle = box.top + line // 2
    for label, value in rows:
        room = (box.bottom - middle + line // 2) // line
        if room < 1:
            return
        draw_text(canvas, label, PLAIN, size, theme.faint, box.left, middle)
        lines = wrap_text(value, PLAIN, size, box.right - start, room)
        for number, text in enumerate(lines):
            draw_text(canvas, text, PLAIN, size, theme.text, start, middle + number * line)
        middle += (len(lines) - 1) * line + round(NEXT * unit)
