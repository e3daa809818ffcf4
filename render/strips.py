"""Draw the players in the corners that the board leaves free, and the caption below."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from PIL import Image

from gipfbot.rules import Colour, Kind, Position

from .layout import SMALLEST_TEXT, Layout, layout_for
from .picture import Picture
from .piece_sprites import RADIUS, piece_layers, potential_layers
from .sprites import Canvas, disc_shape, pill_shape
from .text import NAMES, PLAIN, STRONG, draw_text, fit_name, shown_caption, shown_name, text_width, wrap_text
from .theme import Theme, theme_palette
from .wording import Words, mark
from .words import player_status, potentials_left

NAME = 0.4  # font sizes, in units
SMALL = CAPTION = SMALLEST_TEXT
EDGE = 0.24  # units from the edge of the picture to the texts in its corners
FIRST, SECOND = 0.4, 0.94  # units from the edge to the middle of the outer and of the inner line
THIRD = 1.44  # units from the edge to the middle of the potentials, which have room beside the board
KIND_PITCH = 0.76  # units from one kind of potentials to the next
KINDS_WIDE = 1.8  # units in which all kinds have room, between the edge and the name of a dot
POTENTIAL = 0.21  # the radius of a little potential, in units
TOKEN = 0.4  # the scale of the little pieces
PITCH = 0.15  # units from one little piece to the next


class Strip(NamedTuple):
    """The heights of a player's lines, in pixels from the top.

    `first` is the middle of the outer line, `second` of the inner line, and `third` of the potentials.
    """

    colour: Colour
    first: int
    second: int
    third: int


def draw_players(canvas: Canvas, place: Layout, theme: Theme, picture: Picture, words: Words) -> None:
    """Draw both players: names on the left, pieces on the right. The player whose side is shown is below."""
    bottom = place.height - place.band
    lines = place.px(FIRST), place.px(SECOND), place.px(THIRD)
    below = Colour.BLACK if picture.flipped else Colour.WHITE
    for strip in (Strip(below, *(bottom - line for line in lines)), Strip(below.other, *lines)):
        _draw_name(canvas, place, theme, strip, shown_name(picture.players[strip.colour], strip.colour, words))
        if not picture.cancelled:
            _draw_status(canvas, place, theme, strip, picture.position, words)
        _draw_reserve(canvas, place, theme, strip, picture.position.reserve[strip.colour])
        captured = words.say(mark("captured"))
        _draw_captures(canvas, place, theme, strip, picture.position.captured[strip.colour.other], captured)
        _draw_potentials(canvas, place, theme, strip, potentials_left(picture.position, strip.colour))


def draw_caption(canvas: Canvas, place: Layout, theme: Theme, picture: Picture, words: Words) -> None:
    """Draw the caption in its band: in one line or two. It is shortened if it is still too long."""
    text = shown_caption(picture.caption, picture.players, words)
    if not text:
        return
    edge = place.px(EDGE)
    room, size = place.width - 2 * edge, place.px(CAPTION)
    lines = [text]
    if text_width(text, PLAIN, size) > room:
        lines = wrap_text(text, PLAIN, size, room, 2)
    pitch = place.px(0.36)
    middle = place.height - place.band / 2 - pitch * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        draw_text(canvas, line, PLAIN, size, theme.text, edge, round(middle + number * pitch))


def _draw_name(canvas: Canvas, place: Layout, theme: Theme, strip: Strip, name: str) -> None:
    radius = place.px(RADIUS * 0.55)
    left, size = place.px(EDGE), place.px(NAME)
    for form, ink in piece_layers(Kind.BASIC, strip.colour, theme, place.unit, 0.55):
        canvas.stamp(form, ink, (left + radius, strip.first))
    start = left + 2 * radius + place.px(0.14)
    room = place.width // 2 - place.px(0.45) - start
    shown, letters = fit_name(name, size, place.px(SMALLEST_TEXT), room)
    draw_text(canvas, shown, NAMES, letters, theme.text, start, strip.first)


def _draw_status(canvas: Canvas, place: Layout, theme: Theme, strip: Strip, position: Position, words: Words) -> None:
    text = player_status(position, strip.colour, words, short=True)
    if not text:
        return
    size, left = place.px(SMALL), place.px(EDGE)
    if strip.colour is (position.result.winner if position.result else position.decider):
        radius = place.px(0.23)
        length = text_width(text, STRONG, size)
        canvas.stamp(pill_shape(length, radius), theme.accent, (left + radius, strip.second))
        draw_text(canvas, text, STRONG, size, theme.on_badge, left + radius, strip.second)
    else:
        draw_text(canvas, text, PLAIN, size, theme.faint, left, strip.second)


def _draw_reserve(canvas: Canvas, place: Layout, theme: Theme, strip: Strip, count: int) -> None:
    left = _draw_number(canvas, place, theme, count, NAME, strip.first)
    if count:
        _draw_fan(canvas, _piece_fan(strip.colour, count, PITCH, place.width, theme), left, strip.first)


def _draw_captures(canvas: Canvas, place: Layout, theme: Theme, strip: Strip, count: int, captured: str) -> None:
    if count:
        left = _draw_number(canvas, place, theme, count, SMALL, strip.second)
        pitch = min(PITCH, 0.3 / count)
        left = _draw_fan(canvas, _piece_fan(strip.colour.other, count, pitch, place.width, theme), left, strip.second)
        size = place.px(SMALL)
        start = left - place.px(0.1) - text_width(captured, PLAIN, size)
        draw_text(canvas, captured, PLAIN, size, theme.faint, start, strip.second)


def _draw_potentials(
    canvas: Canvas, place: Layout, theme: Theme, strip: Strip, counts: Sequence[tuple[str, int]]
) -> None:
    """Draw how many potentials a player can still bring in: for each kind its outline and a number."""
    size, pitch = place.px(SMALL), min(KIND_PITCH, KINDS_WIDE / max(1, len(counts)))
    for before, (letter, count) in enumerate(reversed(counts)):
        right = place.width - place.px(EDGE) - round(before * pitch * place.unit)
        left = right - text_width(str(count), STRONG, size)
        draw_text(canvas, str(count), STRONG, size, theme.text, left, strip.third)
        for form, ink in potential_layers(Kind(letter), strip.colour, theme, POTENTIAL * place.unit):
            canvas.stamp(form, ink, (left - place.px(1.25 * POTENTIAL), strip.third))


def _draw_number(canvas: Canvas, place: Layout, theme: Theme, count: int, letters: float, y: int) -> int:
    """Draw a number at the right edge. Return the left end of its field, which always has room for two digits."""
    size, right = place.px(letters), place.width - place.px(EDGE)
    draw_text(canvas, str(count), STRONG, size, theme.text, right - text_width(str(count), STRONG, size), y)
    return right - text_width("00", STRONG, size) - place.px(0.1)


def _draw_fan(canvas: Canvas, fan: Image.Image, right: int, y: int) -> int:
    canvas.image.paste(fan, (right - fan.width, y - fan.height // 2))
    return right - fan.width


@lru_cache(maxsize=256)
def _piece_fan(colour: Colour, count: int, pitch: float, size: int, theme: Theme) -> Image.Image:
    """Return an image of `count` little pieces that overlap, each lying on the one to its left."""
    unit = layout_for(size).unit
    radius, gap = RADIUS * TOKEN * unit, max(1.0, 0.022 * unit)
    reach = ceil(radius + gap)
    step = round(pitch * unit)  # equal steps compress well
    canvas = Canvas.blank(2 * reach + (count - 1) * step, 2 * reach, theme_palette(theme), theme.card)
    for number in range(count):
        at = reach + number * step, reach
        canvas.stamp(disc_shape(radius + gap), theme.card, at)
        for form, ink in piece_layers(Kind.BASIC, colour, theme, unit, TOKEN):
            canvas.stamp(form, ink, at)
    return canvas.image
