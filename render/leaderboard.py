"""Draw leaderboards: a head, and a row for each player."""

from .frame import EDGE, Head, draw_card_frame
from .ink import Canvas
from .layout import Layout, check_size, layout_for
from .picture import LeaderboardCard, LeaderboardRow
from .text import NAMES, PLAIN, STRONG, Face, clean_text, draw_text, shorten_to_width, text_width
from .theme import Theme

ROW, HEADINGS, DIVIDER, FOOT = 0.56, 0.58, 0.44, 0.14  # heights, in units
TEXT, SMALL = 0.27, 0.22  # font sizes, in units
NAME_LEFT, NAME_RIGHT = 1.15, 3.25  # units from the left edge
# The right ends of the columns of numbers, in units from the left edge.
COLUMNS = {"": 1.0, "Rating": 4.05, "±": 4.66, "Games": 5.5, "Won": 6.18, "In a row": 7.16, "Last": 8.32}
NAMELESS = "Player"  # stands for a name that the font cannot draw
PROVISIONAL = "Provisional"


def draw_leaderboard(card: LeaderboardCard, size: int, theme: Theme) -> Canvas:
    """Return the canvas of a leaderboard. Provisional players stand below a line. Raises as `png` does."""
    check_size(size)
    place = layout_for(size)
    divided = any(row.provisional for row in card.rows)
    height = HEADINGS + ROW * len(card.rows) + DIVIDER * divided + FOOT
    canvas, top = draw_card_frame(size, place.px(height), theme, Head(card.title, card.note))
    _draw_headings(canvas, place, theme, top + place.px(HEADINGS / 2))
    down = HEADINGS
    for row in card.rows:
        if divided and row.provisional:
            _draw_divider(canvas, place, theme, top + place.px(down))
            down, divided = down + DIVIDER, False
        _draw_row(canvas, place, theme, row, top + place.px(down))
        down += ROW
    return canvas


def _draw_headings(canvas: Canvas, place: Layout, theme: Theme, middle: int) -> None:
    size = place.px(SMALL)
    draw_text(canvas, "Player", PLAIN, size, theme.faint, place.px(NAME_LEFT), middle)
    for heading, right in COLUMNS.items():
        if heading:
            _draw_right(canvas, heading, PLAIN, size, theme.faint, (place.px(right), middle))


def _draw_divider(canvas: Canvas, place: Layout, theme: Theme, top: int) -> None:
    left, right = place.px(EDGE), place.width - place.px(EDGE)
    middle, size = top + place.px(DIVIDER / 2), place.px(SMALL)
    start = left + text_width(PROVISIONAL, PLAIN, size) + place.px(0.14)
    draw_text(canvas, PROVISIONAL, PLAIN, size, theme.faint, left, middle)
    thick = place.px(0.02)
    canvas.image.paste(canvas.palette.index(theme.faint), (start, middle, right, middle + thick))


def _draw_row(canvas: Canvas, place: Layout, theme: Theme, row: LeaderboardRow, top: int) -> None:
    middle, size = top + place.px(ROW / 2), place.px(TEXT)
    if row.own:
        canvas.image.paste(canvas.palette.index(theme.band), (0, top, place.width, top + place.px(ROW)))
    left, right = place.px(NAME_LEFT), place.px(NAME_RIGHT)
    name = shorten_to_width(clean_text(row.name) or NAMELESS, NAMES, size, right - left)
    draw_text(canvas, name, NAMES, size, theme.text, left, middle)
    values = row.place, row.rating, row.deviation, row.games, row.wins, row.won_in_a_row, row.last
    for value, (heading, across) in zip(values, COLUMNS.items(), strict=True):
        face, colour = (STRONG, theme.text) if heading == "Rating" else (PLAIN, theme.faint)
        _draw_right(canvas, str(value), face, size, colour, (place.px(across), middle))


def _draw_right(canvas: Canvas, text: str, face: Face, size: int, colour: str, end: tuple[int, int]) -> None:
    """Draw a line of text that ends at a place."""
    draw_text(canvas, text, face, size, colour, end[0] - text_width(text, face, size), end[1])
