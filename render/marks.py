"""Draw the marks on the board: the last push, the removed pieces, and the pending choices."""

from gipfbot.rules.actions import Push
from gipfbot.rules.pieces import Colour, Kind

from .ink import Canvas
from .layout import Layout, Place
from .picture import Ghost, Picture
from .sprites import (
    arrow_shape,
    cross_shape,
    dashed_outline,
    disc_shape,
    faded_sign_shape,
    piece_layers,
    ring_shape,
    row_outline,
    veil_shape,
)
from .text import CAPITAL, STRONG, text_shape, text_width
from .theme import Theme

ROW = 0.46  # half the breadth of a row's outline, in units
BADGE = 0.2  # the radius of a badge, in units
BEYOND = 0.66  # from the last spot of a row to the badge with its letter
SMALLER = 0.75  # the scale of a piece on a dot, which leaves the dot's name visible
MOVED = 0.44  # the radius of the ring around a piece that was moved and then removed, in units
DECISIVE = 0.5  # the radius of the ring around a removed piece whose loss ended the game, in units
CORNER = 0.29  # how far a badge is to the right of and above the middle of its spot, in units


def draw_marks(canvas: Canvas, place: Layout, theme: Theme, picture: Picture) -> None:
    """Draw all marks of a picture. The rings around moved pieces are drawn with the pieces."""
    marks = picture.marks
    standing = picture.position.pieces()
    for gone in marks.ghosts:
        _draw_ghost(canvas, place, theme, gone, gone.spot in standing)
        if gone.spot in marks.moved and gone.spot not in standing:
            canvas.stamp(ring_shape(MOVED * place.unit, 0.055 * place.unit), theme.accent, place.point[gone.spot])
    for spot in marks.decisive:
        canvas.stamp(ring_shape(DECISIVE * place.unit, 0.06 * place.unit), theme.accent, place.point[spot])
    if marks.push:
        _draw_push(canvas, place, theme, marks.push)
    if marks.choices:
        _draw_piece_on_dot(canvas, place, theme, marks.choices[0], picture.position.decider)
    for push in marks.choices:
        _draw_choice(canvas, place, theme, push)
    _draw_rows(canvas, place, theme, marks.rows)
    for spot, number in marks.numbers:
        _draw_badge(canvas, place, theme, str(number), _badge_corner(place, spot), theme.badge)


def _badge_corner(place: Layout, spot: str) -> Place:
    x, y = place.point[spot]
    return x + place.px(CORNER), y - place.px(CORNER)


def _draw_ghost(canvas: Canvas, place: Layout, theme: Theme, gone: Ghost, hidden: bool) -> None:
    """Draw a removed piece faded. If another piece on its spot would hide it, draw it small at the corner."""
    at = _badge_corner(place, gone.spot) if hidden else place.point[gone.spot]
    if hidden:
        for form, colour in piece_layers(gone.piece.kind, gone.piece.owner, theme, place.unit, 0.45):
            canvas.stamp(form, colour, at)
    else:
        canvas.stamp(veil_shape(place.unit), theme.piece[gone.piece.owner], at)
        canvas.stamp(dashed_outline(place.unit), theme.edge[gone.piece.owner], at)
        if gone.piece.kind is Kind.GIPF:
            canvas.stamp(faded_sign_shape(place.unit), theme.sign[gone.piece.owner], at)
    if gone.captured:
        canvas.stamp(cross_shape(place.unit * (0.6 if hidden else 1)), theme.captured, at)


def _draw_push(canvas: Canvas, place: Layout, theme: Theme, push: Push) -> None:
    x, y = place.point[push.dot]
    to_x, to_y = place.point[push.spot]
    unit = place.unit
    form = arrow_shape(to_x - x, to_y - y, 0, 0.56 * unit, 0.1 * unit)
    canvas.stamp(disc_shape(0.15 * unit), theme.accent, (x, y))
    canvas.stamp(form, theme.accent, (x, y))


def _draw_piece_on_dot(canvas: Canvas, place: Layout, theme: Theme, push: Push, mover: Colour) -> None:
    for form, colour in piece_layers(push.kind, mover, theme, place.unit, SMALLER):
        canvas.stamp(form, colour, place.point[push.dot])


def _draw_choice(canvas: Canvas, place: Layout, theme: Theme, push: Push) -> None:
    """Draw an arrow from the piece on the dot."""
    x, y = place.point[push.dot]
    to_x, to_y = place.point[push.spot]
    unit = place.unit
    for margin, colour in ((0.03 * unit, theme.on_badge), (0, theme.accent)):
        canvas.stamp(arrow_shape(to_x - x, to_y - y, 0.2 * unit, 0.82 * unit, 0.11 * unit, margin), colour, (x, y))


def _draw_rows(canvas: Canvas, place: Layout, theme: Theme, rows: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    for letter, spots in rows:
        (x, y), (end_x, end_y) = place.point[spots[0]], place.point[spots[-1]]
        form = row_outline(end_x - x, end_y - y, ROW * place.unit, 0.075 * place.unit)
        canvas.stamp(form, _row_colour(theme, letter), (x, y))
    taken: list[Place] = []
    for letter, spots in rows:
        taken.append(_free_row_end(place, spots, taken))
        _draw_badge(canvas, place, theme, letter, taken[-1], _row_colour(theme, letter))


def _row_colour(theme: Theme, letter: str) -> str:
    return theme.rows[(ord(letter) - ord("A")) % len(theme.rows)]


def _free_row_end(place: Layout, spots: tuple[str, ...], taken: list[Place]) -> Place:
    """Return the place for a row's letter: before its first spot, or after its last if another letter is too near."""
    ends = place.towards(spots[0], spots[1], -BEYOND), place.towards(spots[-1], spots[-2], -BEYOND)
    near = any(max(abs(ends[0][0] - x), abs(ends[0][1] - y)) < 2 * BADGE * place.unit for x, y in taken)
    return ends[near]


def _draw_badge(canvas: Canvas, place: Layout, theme: Theme, text: str, at: Place, colour: str) -> None:
    size = place.px(0.3)
    canvas.stamp(disc_shape((BADGE + 0.035) * place.unit), theme.on_badge, at)
    canvas.stamp(disc_shape(BADGE * place.unit), colour, at)
    left, base = at[0] - text_width(text, STRONG, size) // 2, at[1] + round(CAPITAL * size / 2)
    canvas.stamp(text_shape(text, STRONG, size), theme.on_badge, (left, base))
