"""Draw a number for each of several days: a head, and a bar for each day."""

from .cards import EDGE, Head, draw_card_frame
from .layout import SMALLEST_TEXT, Layout, check_size, layout_for
from .picture import DayPlot
from .sprites import Canvas
from .text import PLAIN, draw_text, text_width
from .theme import Theme

PLOT, FOOT = 2.6, 0.6  # heights, in units
ABOVE, BELOW = 0.4, 2.5  # units from the top of the plot to the top of the highest bar, and to the feet of all
LEFT, RIGHT, SCALE_RIGHT = EDGE, 7.28, 8.32  # units from the left edge to the ends of the bars, and of their scale
SMALL = SMALLEST_TEXT  # font size, in units
FILLED = 0.72  # the part of a day's width that its bar takes


def draw_day_plot(plot: DayPlot, size: int, theme: Theme) -> Canvas:
    """Return the canvas of a number for each day. Raises as `png` does."""
    check_size(size)
    place = layout_for(size)
    below = place.px(PLOT) + place.px(FOOT)
    canvas, top = draw_card_frame(size, below, theme, Head(plot.title, plot.note))
    highest = max(1, *(number for _, number in plot.days))
    for number, down in ((highest, ABOVE), (0, BELOW)):
        _draw_scale_line(canvas, place, theme, str(number), top + place.px(down))
    for at, (_, number) in enumerate(plot.days):
        _draw_bar(canvas, place, theme, at / len(plot.days), number / highest, len(plot.days), top)
    _draw_ends(canvas, place, theme, plot, top + place.px(PLOT) + place.px(0.2))
    return canvas


def _draw_scale_line(canvas: Canvas, place: Layout, theme: Theme, text: str, middle: int) -> None:
    box = place.px(LEFT), middle, place.px(RIGHT), middle + place.px(0.02)
    canvas.image.paste(canvas.palette.index(theme.band), box)
    left = place.px(SCALE_RIGHT) - text_width(text, PLAIN, place.px(SMALL))
    draw_text(canvas, text, PLAIN, place.px(SMALL), theme.faint, left, middle)


def _draw_bar(canvas: Canvas, place: Layout, theme: Theme, along: float, share: float, days: int, top: int) -> None:
    """Draw the bar of a day. A number that is not 0 has at least one pixel."""
    if not share:
        return
    left = place.px(LEFT + (RIGHT - LEFT) * along)
    foot, height = top + place.px(BELOW), place.px((BELOW - ABOVE) * share)
    box = left, foot - height, left + place.px((RIGHT - LEFT) / days * FILLED), foot
    canvas.image.paste(canvas.palette.index(theme.accent), box)


def _draw_ends(canvas: Canvas, place: Layout, theme: Theme, plot: DayPlot, middle: int) -> None:
    """Write the first and the last day below their bars."""
    size, last = place.px(SMALL), plot.days[-1][0]
    draw_text(canvas, plot.days[0][0], PLAIN, size, theme.faint, place.px(LEFT), middle)
    left = place.px(RIGHT) - text_width(last, PLAIN, size)
    draw_text(canvas, last, PLAIN, size, theme.faint, left, middle)
