"""Draw cards in the style of the board: results and challenges."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gipfbot.rules import Colour, Kind

from .board import draw_board, draw_picture
from .layout import SMALLEST_TEXT, Layout, check_size, layout_for
from .picture import ChallengeCard, Picture, ResultCard
from .piece_sprites import RADIUS, Layer, piece_layers
from .sprites import Canvas, Pen
from .text import (
    NAMES,
    PLAIN,
    STRONG,
    clean_text,
    draw_text,
    fit_name,
    shorten_to_width,
    shown_name,
    text_width,
    wrap_text,
)
from .theme import Theme, theme_palette
from .wording import Words, colour_name, mark, ruleset_name
from .words import rating_changes, result_headline, result_reason

HEAD = 1.28  # the height of the head, in units
EDGE = 0.24  # units from the edge of the card to its texts
TITLE, NOTE, VALUE = 0.46, SMALLEST_TEXT, SMALLEST_TEXT  # font sizes, in units
LINE, NEXT = 0.38, 0.48  # units from one line of a value to the next line, and to the next value
NAMES_WIDE, GAP = 1.22, 0.14  # the least width of the column of names, and the gap after the widest name
BETWEEN = " · "  # stands between the parts of a note
TOKEN = 0.62  # the scale of the pieces beside names
CHANGES, CHANGE = 0.62, 0.36  # the height of the strip with the changes of ratings, and its font size, in units
CHANGES_APART = 4.28  # units from the left edge to the second change

BOARD = 0.4  # the width of the board on the card of a challenge, as a part of the card's width
BELOW, HIGHEST = 4.4, 7.2  # the heights of that card below its head, if its terms are short and long, in units
NAME = 0.4  # the font size of names, in units
FIRST, SECOND, TERMS = 0.5, 1.12, 1.62  # units from the head to the middle of each name, and to the terms


class Head(NamedTuple):
    """The head of a card: a title, and a note in the line below. The last parts of a long note are left out.

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
        name, smaller = fit_name(head.name, letters, place.px(SMALLEST_TEXT), room)
        draw_text(canvas, name, NAMES, smaller, theme.text, left, middle)
        left += text_width(name, NAMES, smaller) + text_width(" ", STRONG, letters)
    draw_text(canvas, head.title, STRONG, letters, theme.text, left, middle)
    note = _fitting_note(head.note, place.px(NOTE), size - 2 * place.px(EDGE))
    draw_text(canvas, note, PLAIN, place.px(NOTE), theme.faint, place.px(EDGE), place.px(0.96))
    return canvas, top


def fit_title(name: str, otherwise: str, place: Layout) -> str:
    """Return a name as the title of a card: shortened if it is too long, and `otherwise` if no font can draw it."""
    return shorten_to_width(clean_text(name) or otherwise, NAMES, place.px(TITLE), place.width - 2 * place.px(EDGE))


def _fitting_note(note: str, size: int, room: int) -> str:
    """Return a note in `room` pixels. Of its parts, which stand between dots, the last are left out if they must be."""
    parts = note.split(BETWEEN)
    while len(parts) > 1 and text_width(BETWEEN.join(parts), PLAIN, size) > room:
        parts.pop()
    return shorten_to_width(BETWEEN.join(parts), PLAIN, size, room)


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
    start, middle = box.left + _values_start(unit, rows), box.top + line // 2
    for label, value in rows:
        room = (box.bottom - middle + line // 2) // line
        if room < 1:
            return
        draw_text(canvas, label, PLAIN, size, theme.faint, box.left, middle)
        lines = wrap_text(value, PLAIN, size, box.right - start, room)
        for number, text in enumerate(lines):
            draw_text(canvas, text, PLAIN, size, theme.text, start, middle + number * line)
        middle += (len(lines) - 1) * line + round(NEXT * unit)


def _values_start(unit: int, rows: Sequence[tuple[str, str]]) -> int:
    """Return how far from the names their values begin."""
    widest = max((text_width(label, PLAIN, round(VALUE * unit)) for label, _ in rows), default=0)
    return max(round(NAMES_WIDE * unit), widest + round(GAP * unit))


def _value_rows_height(unit: int, width: int, rows: Sequence[tuple[str, str]]) -> int:
    """Return the height of names and values in which nothing is left out, in pixels."""
    size, room = round(VALUE * unit), width - _values_start(unit, rows)
    lines = sum(len(wrap_text(value, PLAIN, size, room, len(value))) for _, value in rows)
    return lines * round(LINE * unit) + len(rows) * round((NEXT - LINE) * unit)


def draw_result_card(card: ResultCard, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of a result card: who won and how, above the last board. Raises as `png` does."""
    board = draw_picture(card.picture, size, theme, words).image
    place, changes = layout_for(size), rating_changes(card)
    strip = place.px(CHANGES) if changes else 0
    canvas, top = draw_card_frame(size, strip + board.height, theme, _result_head(card, words))
    canvas.image.paste(canvas.palette.index(theme.band), (0, top, size, top + strip))
    left, middle, letters = place.px(EDGE), top + strip // 2 - place.px(0.1), place.px(CHANGE)
    for colour, change in changes.items():
        start = draw_token(canvas, colour, theme, place.unit, left, middle)
        draw_text(canvas, change, STRONG, letters, theme.text, start, middle)
        left = place.px(CHANGES_APART)
    canvas.image.paste(board, (0, top + strip))
    return canvas


def _result_head(card: ResultCard, words: Words) -> Head:
    result = card.picture.position.result
    title, note = result_headline(card.picture, words), result_reason(card, words)
    if result is None or result.winner is None:
        return Head(title, note)
    name = shown_name(card.picture.players[result.winner], result.winner, words)
    return Head(title, note, name, result.winner)


def draw_challenge_card(card: ChallengeCard, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of a challenge: both people, the terms, and the start position. Raises as `png` does."""
    check_size(size)
    place, small = layout_for(size), round(size * BOARD)
    board = draw_board(Picture(card.position, ("", "")), small, theme, names=False).image
    left, over = place.px(EDGE), place.px(TERMS) + place.px(0.1)
    needed = over + _value_rows_height(place.unit, size - small - left, card.terms)
    below = min(max(place.px(BELOW), needed), place.px(HIGHEST))
    high = layout_for(small).height - layout_for(small).band
    canvas, top = draw_card_frame(size, below, theme, Head(card.title, ruleset_name(card.position.rules.name, words)))
    canvas.image.paste(board.crop((0, 0, small, high)), (size - small, top + (below - high) // 2))
    box = Box(left, top + place.px(TERMS), size - small, top + below - place.px(0.1))
    _draw_people(canvas, theme, words, card, size, top, box)
    draw_value_rows(canvas, theme, place.unit, box, card.terms)
    return canvas


def _draw_people(
    canvas: Canvas, theme: Theme, words: Words, card: ChallengeCard, size: int, top: int, box: Box
) -> None:
    place = layout_for(size)
    sides = (card.side, card.side.other) if card.side is not None else (None, None)
    people = (card.by, mark("challenger"), FIRST), (card.to, mark("opponent"), SECOND)
    for colour, (name, role, down) in zip(sides, people, strict=True):
        middle = top + place.px(down)
        start = draw_token(canvas, colour, theme, place.unit, box.left, middle)
        shown = clean_text(name) or (words.say(role) if colour is None else colour_name(colour, words))
        shown, letters = fit_name(shown, place.px(NAME), place.px(SMALLEST_TEXT), box.right - start)
        draw_text(canvas, shown, NAMES, letters, theme.text, start, middle)
