"""Draw the ratings of a player by month: a head, and a strip with a line for each pool."""

from itertools import pairwise

from .cards import EDGE, Head, draw_card_frame, fit_title
from .layout import SMALLEST_TEXT, Layout, check_size, layout_for
from .picture import RatingLine, RatingPlot
from .sprites import Canvas, Pen, PenPoint
from .text import PLAIN, STRONG, draw_text, text_width
from .theme import Theme
from .wording import Words, mark

STRIP, FOOT = 1.4, 0.6  # heights, in units
ABOVE, BELOW = 0.3, 1.1  # units from the top of a strip to its highest and its lowest rating
LEFT, RIGHT, SCALE_RIGHT = 2.5, 7.28, 8.32  # units from the left edge to the ends of the lines, and of their scale
TITLE, VALUE, SMALL = 0.34, SMALLEST_TEXT, SMALLEST_TEXT  # font sizes, in units
STROKE, DOT = 0.035, 0.075  # half of a line's width, and the radius of a dot, in units
LEAST_SPAN, ROUNDED_TO = 100, 50  # rating points between the ends of a scale
NAMELESS = mark("Player")  # stands for a name that the font cannot draw


def draw_rating_plot(plot: RatingPlot, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of the ratings of a player. Raises as `png` does."""
    check_size(size)
    place = layout_for(size)
    name = fit_title(plot.name, words.say(NAMELESS), place)
    below = place.px(STRIP) * len(plot.lines) + place.px(FOOT)
    canvas, top = draw_card_frame(size, below, theme, Head(name, plot.note))
    for number, line in enumerate(plot.lines):
        _draw_strip(canvas, place, theme, plot, line, top + number * place.px(STRIP))
    _draw_months(canvas, place, theme, plot, top + len(plot.lines) * place.px(STRIP) + place.px(0.2))
    return canvas


def _draw_strip(canvas: Canvas, place: Layout, theme: Theme, plot: RatingPlot, line: RatingLine, top: int) -> None:
    """Draw the ratings in one pool: their names at the left, the scale at the right, and the line between them."""
    left, low_high = place.px(EDGE), rating_scale([rating for _, rating in line.points])
    draw_text(canvas, line.title, STRONG, place.px(TITLE), theme.text, left, top + place.px(0.48))
    draw_text(canvas, line.note, PLAIN, place.px(VALUE), theme.faint, left, top + place.px(0.95))
    for rating, down in zip(low_high, (BELOW, ABOVE), strict=True):
        middle, text = top + place.px(down), str(rating)
        box = place.px(LEFT), middle, place.px(RIGHT), middle + place.px(0.02)
        canvas.image.paste(canvas.palette.index(theme.band), box)
        width = text_width(text, PLAIN, place.px(SMALL))
        draw_text(canvas, text, PLAIN, place.px(SMALL), theme.faint, place.px(SCALE_RIGHT) - width, middle)
    _draw_line(canvas, place, theme, [_place_of(point, plot.months, low_high, place) for point in line.points], top)


def _draw_line(canvas: Canvas, place: Layout, theme: Theme, points: list[PenPoint], top: int) -> None:
    pen = Pen(place.px(RIGHT) + place.px(DOT), place.px(STRIP))
    for start, end in pairwise(points):
        pen.capsule(start, end, STROKE * place.unit)
    for point in points:
        pen.disc(DOT * place.unit, point)
    canvas.stamp(pen.shape(), theme.accent, (0, top))


def _place_of(point: tuple[int, int], months: tuple[int, int], low_high: tuple[int, int], place: Layout) -> PenPoint:
    """Return the place of a rating, from the upper left corner of its strip. A single month is at the right."""
    (month, rating), (first, last), (low, high) = point, months, low_high
    along = (month - first) / (last - first) if last > first else 1
    across, up = LEFT + (RIGHT - LEFT) * along, (rating - low) / (high - low)
    return place.px(across), place.px(BELOW - (BELOW - ABOVE) * up)


def _draw_months(canvas: Canvas, place: Layout, theme: Theme, plot: RatingPlot, middle: int) -> None:
    """Write the first and the last month below the strips; only one if they are the same."""
    size, right = place.px(SMALL), place.px(RIGHT)
    if plot.months[0] < plot.months[1]:
        draw_text(canvas, plot.month_names[0], PLAIN, size, theme.faint, place.px(LEFT), middle)
    last = plot.month_names[1]
    draw_text(canvas, last, PLAIN, size, theme.faint, right - text_width(last, PLAIN, size), middle)


def rating_scale(values: list[int]) -> tuple[int, int]:
    """Return round numbers below and above these ratings, at least 100 apart."""
    low = min(values) // ROUNDED_TO * ROUNDED_TO
    return low, max(low + LEAST_SPAN, -(-max(values) // ROUNDED_TO) * ROUNDED_TO)
