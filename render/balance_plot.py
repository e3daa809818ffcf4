"""Draw the balance of a game: a head, and a line over its turns. It is above the middle while White stands better."""

from itertools import pairwise

from gipfbot.rules import Colour

from .cards import EDGE, NOTE, Head, draw_card_frame
from .layout import SMALLEST_TEXT, Layout, check_size, layout_for
from .picture import BalancePlot
from .sprites import Canvas, Pen, PenPoint
from .text import PLAIN, STRONG, draw_text, shorten_to_width, shown_name, text_width
from .theme import Theme
from .wording import Words, colour_name, mark

PLOT, FOOT = 3.9, 0.6  # heights, in units
MIDDLE, HALF = 1.95, 1.4  # units from the top of the plot to its middle, and from there to the ends of its scale
LEFT, RIGHT, SCALE_RIGHT = EDGE, 7.5, 8.32  # units from the left edge to the ends of the line, and of its scale
SMALL, SIGN = SMALLEST_TEXT, 0.34  # font sizes, in units
STROKE, DOT = 0.035, 0.085  # half of the line's width, and the radius of a mark, in units
APART = 0.34  # units between a mark and its sign
SCALES = (3, 5)  # pieces at the ends of the scale; a larger balance is drawn there
PIECE = 100  # hundredths of a piece


def draw_balance_plot(plot: BalancePlot, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of the balance of a game. Raises as `png` does."""
    check_size(size)
    place = layout_for(size)
    white, black = (shown_name(name, colour, words) for name, colour in zip(plot.names, Colour, strict=True))
    note = _players_text(white, black, words, place.px(NOTE), size - 2 * place.px(EDGE))
    canvas, top = draw_card_frame(size, place.px(PLOT) + place.px(FOOT), theme, Head(plot.title, note))
    scale = balance_scale(plot.balance)
    _draw_scale(canvas, place, theme, words, scale, top)
    points = [_place_of(at, plot, scale, place) for at in range(len(plot.balance))]
    _fill_sides(canvas, place, theme, points, top)
    _draw_line(canvas, place, theme, points, top)
    _draw_marks(canvas, place, theme, plot, points, top)
    _draw_ends(canvas, place, theme, words, plot, top + place.px(PLOT) + place.px(0.15))
    return canvas


def _players_text(white: str, black: str, words: Words, size: int, room: int) -> str:
    """Return who plays, in `room` pixels. Names that are too long are shortened, the longer one first."""
    sentence = mark("{white} (White) – {black} (Black)")
    for_names = room - text_width(words.say(sentence, white="", black=""), PLAIN, size)
    rooms = (max(for_names // 2, for_names - text_width(other, PLAIN, size)) for other in (black, white))
    white, black = (shorten_to_width(name, PLAIN, size, each) for name, each in zip((white, black), rooms, strict=True))
    return words.say(sentence, white=white, black=black)


def balance_scale(balance: tuple[int, ...]) -> int:
    """Return the pieces at the ends of the scale. The balance of a decided game may exceed them."""
    within = [abs(value) for value in balance if abs(value) <= SCALES[-1] * PIECE]
    return next(scale for scale in SCALES if max(within, default=0) <= scale * PIECE)


def _place_of(at: int, plot: BalancePlot, scale: int, place: Layout) -> PenPoint:
    """Return the place of a balance, from the upper left corner of the plot."""
    along, up = at / max(1, len(plot.balance) - 1), plot.balance[at] / (scale * PIECE)
    return place.px(LEFT + (RIGHT - LEFT) * along), place.px(MIDDLE - HALF * max(-1, min(1, up)))


def _draw_scale(canvas: Canvas, place: Layout, theme: Theme, words: Words, scale: int, top: int) -> None:
    """Draw the lines at the ends and the middle of the scale, with their labels."""
    for text, down in ((f"+{scale}", MIDDLE - HALF), ("0", MIDDLE), (f"+{scale}", MIDDLE + HALF)):
        middle = top + place.px(down)
        box = place.px(LEFT), middle, place.px(RIGHT), middle + place.px(0.02)
        canvas.image.paste(canvas.palette.index(theme.band), box)
        left = place.px(SCALE_RIGHT) - text_width(text, PLAIN, place.px(SMALL))
        draw_text(canvas, text, PLAIN, place.px(SMALL), theme.faint, left, middle)
    for colour, down in ((Colour.WHITE, MIDDLE - HALF + 0.24), (Colour.BLACK, MIDDLE + HALF - 0.2)):
        draw_text(
            canvas,
            colour_name(colour, words),
            PLAIN,
            place.px(SMALL),
            theme.faint,
            place.px(LEFT),
            top + place.px(down),
        )


def _fill_sides(canvas: Canvas, place: Layout, theme: Theme, points: list[PenPoint], top: int) -> None:
    """Fill the area between the line and the middle with the colour of the player who stands better."""
    middle = place.px(MIDDLE)
    for colour, better in ((Colour.WHITE, min), (Colour.BLACK, max)):
        pen = Pen(place.px(RIGHT) + place.px(DOT), place.px(PLOT))
        for start, end in pairwise(_with_crossings(points, middle)):
            if better(start[1], end[1], middle) != middle:
                pen.polygon([(start[0], middle), start, end, (end[0], middle)])
        canvas.stamp(pen.shape(), theme.piece[colour], (0, top))


def _with_crossings(points: list[PenPoint], middle: float) -> list[PenPoint]:
    """Return the points of a line, and where it crosses the middle."""
    found = points[:1]
    for (left, high), (right, low) in pairwise(points):
        if (high - middle) * (low - middle) < 0:
            found.append((left + (right - left) * (middle - high) / (low - high), middle))
        found.append((right, low))
    return found


def _draw_line(canvas: Canvas, place: Layout, theme: Theme, points: list[PenPoint], top: int) -> None:
    pen = Pen(place.px(RIGHT) + place.px(DOT), place.px(PLOT))
    for start, end in pairwise(points):
        pen.capsule(start, end, STROKE * place.unit)
    canvas.stamp(pen.shape(), theme.accent, (0, top))


def _draw_marks(
    canvas: Canvas, place: Layout, theme: Theme, plot: BalancePlot, points: list[PenPoint], top: int
) -> None:
    """Draw a dot for each marked turn, and its sign where there is room beside the sign before.

    A sign stands on the outer side, where no black is filled in.
    """
    pen, free = Pen(place.px(RIGHT) + place.px(2 * DOT), place.px(PLOT)), 0.0
    for each in plot.marks:
        pen.disc(DOT * place.unit, points[each.place])
    canvas.stamp(pen.shape(), theme.accent, (0, top))
    for each in plot.marks:
        across, down = points[each.place]
        size = place.px(SIGN)
        width = text_width(each.sign, STRONG, size)
        above = down < place.px(MIDDLE)
        left = min(round(across - width / 2), place.px(RIGHT) - width)
        if left >= free:
            middle = top + round(down) + (-place.px(APART) if above else place.px(APART))
            draw_text(canvas, each.sign, STRONG, size, theme.text, left, middle)
            free = left + width + place.px(0.06)


def _draw_ends(canvas: Canvas, place: Layout, theme: Theme, words: Words, plot: BalancePlot, middle: int) -> None:
    """Write the numbers of the first and the last turn below the line."""
    size, last = place.px(SMALL), str(len(plot.balance) // 2)
    draw_text(canvas, words.say(mark("Turn 1")), PLAIN, size, theme.faint, place.px(LEFT), middle)
    left = place.px(RIGHT) - text_width(last, PLAIN, size)
    draw_text(canvas, last, PLAIN, size, theme.faint, left, middle)
