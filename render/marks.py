"""Draw the marks on the board: the last push, the jump of a potential, removed pieces, and pending choices."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot, inf

from gipfbot.rules import Colour, Push, Use

from .layout import Layout, Place
from .picture import Ghost, Picture
from .piece_sprites import ghost_layers, little_layers, piece_layers
from .sprites import Canvas, Pen, PenPoint, Shape, arrow_shape, cross_shape, disc_shape, ring_shape, row_outline
from .text import CAPITAL, STRONG, text_shape, text_width
from .theme import Theme

BULGE = 0.42  # how far the arc is from the straight line, in units; the pieces of the next line are not reached
TO = 0.44  # where the arrow ends, in units from the middle of the spot
STEPS = 64  # the arc is drawn with so many straight lines

ROW = 0.46  # half the breadth of a row's outline, in units
BADGE = 0.2  # the radius of a badge, in units
BEYOND = 0.66  # from the last spot of a row to the badge with its letter
BESIDE, BETWEEN = 0.64, 0.577  # from a spot of a row to a badge beside it, and to one between three pieces
CLEAR = 0.62  # from the middle of a badge to that of a piece which it does not hide
SMALLER = 0.75  # the scale of a piece on a dot, which leaves the dot's name visible
MOVED = 0.44  # the radius of the ring around a piece that was moved and then removed, in units
DECISIVE = 0.5  # the radius of the ring around a removed piece whose loss ended the game, in units
CORNER = 0.29  # how far a badge is to the right of and above the middle of its spot, in units


def jump_place(across: float, down: float, unit: float, part: float) -> PenPoint:
    """Return where a potential is after a part of its jump, from 0 to 1, relative to where it jumps from.

    `across` and `down` are the pixels to where it jumps to. The arc is above the straight line, or left of it.
    """
    length = hypot(across, down)
    x, y = down / length, -across / length
    if y > 0.01 or (abs(y) <= 0.01 and x > 0):
        x, y = -x, -y
    aside = 4 * min(BULGE * unit, 0.34 * length) * part * (1 - part)
    return across * part + x * aside, down * part + y * aside


@lru_cache(maxsize=256)
def jump_arrow(across: int, down: int, unit: int, start: float, margin: float = 0) -> Shape:
    """Return the arrow of a jump that begins `start` pixels from the origin. `margin` makes it larger on every side.

    All lengths are in pixels.
    """
    way = [jump_place(across, down, unit, step / STEPS) for step in range(STEPS + 1)]
    way = [at for at in way if hypot(*at) >= start and _away(at, across, down) >= TO * unit]
    tip, thickness = way[-1], 0.085 * unit
    shaft = [at for at in way if hypot(at[0] - tip[0], at[1] - tip[1]) >= 2.2 * thickness]
    pen = Pen(abs(across) + unit, abs(down) + unit)
    for one, other in pairwise(shaft):
        pen.capsule(one, other, thickness / 2 + margin)
    return pen.polygon(_head_corners(shaft[-1], tip, 1.75 * thickness, margin)).shape()


def _away(at: PenPoint, across: float, down: float) -> float:
    return hypot(at[0] - across, at[1] - down)


def _head_corners(neck: PenPoint, tip: PenPoint, wing: float, margin: float) -> list[PenPoint]:
    length = hypot(tip[0] - neck[0], tip[1] - neck[1])
    x, y = (tip[0] - neck[0]) / length, (tip[1] - neck[1]) / length
    wide, back = wing + 1.9 * margin, (neck[0] - x * margin, neck[1] - y * margin)
    end = tip[0] + 1.7 * margin * x, tip[1] + 1.7 * margin * y
    return [end, (back[0] - y * wide, back[1] + x * wide), (back[0] + y * wide, back[1] - x * wide)]


def draw_marks(canvas: Canvas, place: Layout, theme: Theme, picture: Picture) -> None:
    """Draw all marks of a picture. The rings around moved pieces are drawn with the pieces."""
    marks = picture.marks
    _draw_ghosts(canvas, place, theme, picture)
    for spot in marks.decisive:
        canvas.stamp(ring_shape(DECISIVE * place.unit, 0.06 * place.unit), theme.accent, place.point[spot])
    if isinstance(marks.act, Push):
        _draw_push(canvas, place, theme, marks.act)
    elif marks.act:
        _draw_jump(canvas, place, theme, marks.act)
    _draw_choices(canvas, place, theme, picture)
    _draw_rows(canvas, place, theme, picture)
    for spot, number in marks.numbers:
        _draw_badge(canvas, place, theme, str(number), _badge_corner(place, spot), theme.badge)


def _badge_corner(place: Layout, spot: str, side: int = 1) -> Place:
    """Return the place of a badge: to the right of the middle of a spot, or to the left if `side` is -1."""
    x, y = place.point[spot]
    return x + side * place.px(CORNER), y - place.px(CORNER)


def _draw_ghosts(canvas: Canvas, place: Layout, theme: Theme, picture: Picture) -> None:
    """Draw the removed pieces. One that something else hides on its spot is drawn small at a corner."""
    marks, standing = picture.marks, picture.position.pieces()
    for number, gone in enumerate(marks.ghosts):
        above = sum(other.spot == gone.spot for other in marks.ghosts[:number])
        if gone.spot in standing or any(other.spot == gone.spot for other in marks.ghosts[number + 1 :]):
            _draw_little_ghost(canvas, place, theme, gone, -1 if above % 2 else 1)
            continue
        _draw_ghost(canvas, place, theme, gone)
        if gone.spot in marks.moved:
            canvas.stamp(ring_shape(MOVED * place.unit, 0.055 * place.unit), theme.accent, place.point[gone.spot])


def _draw_ghost(canvas: Canvas, place: Layout, theme: Theme, gone: Ghost) -> None:
    at = place.point[gone.spot]
    for form, colour in ghost_layers(gone.piece, theme, place.unit):
        canvas.stamp(form, colour, at)
    if gone.captured:
        canvas.stamp(cross_shape(place.unit), theme.captured, at)


def _draw_little_ghost(canvas: Canvas, place: Layout, theme: Theme, gone: Ghost, side: int) -> None:
    at = _badge_corner(place, gone.spot, side)
    for form, colour in little_layers(gone.piece, theme, place.unit):
        canvas.stamp(form, colour, at)
    if gone.captured:
        canvas.stamp(cross_shape(place.unit * 0.6), theme.captured, at)


def _draw_push(canvas: Canvas, place: Layout, theme: Theme, push: Push) -> None:
    x, y = place.point[push.dot]
    to_x, to_y = place.point[push.spot]
    unit = place.unit
    form = arrow_shape(to_x - x, to_y - y, 0, 0.56 * unit, 0.1 * unit)
    canvas.stamp(disc_shape(0.15 * unit), theme.accent, (x, y))
    canvas.stamp(form, theme.accent, (x, y))


def _draw_jump(canvas: Canvas, place: Layout, theme: Theme, use: Use) -> None:
    """Draw the arc of the last use, from the basic piece that the potential has left."""
    (x, y), (to_x, to_y) = place.point[use.spot], place.point[use.target]
    canvas.stamp(disc_shape(0.13 * place.unit), theme.accent, (x, y))
    canvas.stamp(jump_arrow(to_x - x, to_y - y, place.unit, 0.1 * place.unit), theme.accent, (x, y))


def _draw_choices(canvas: Canvas, place: Layout, theme: Theme, picture: Picture) -> None:
    """Draw the piece on a dot with an arrow for each push, and an arc for each use."""
    choices = picture.marks.choices
    pushes = [act for act in choices if isinstance(act, Push)]
    if pushes:
        _draw_piece_on_dot(canvas, place, theme, pushes[0], picture.position.decider)
    for push in pushes:
        _draw_choice(canvas, place, theme, push)
    uses = {(act.at, act.to): act for act in choices if isinstance(act, Use)}
    for spot in {use.spot: None for use in uses.values()}:
        canvas.stamp(ring_shape(MOVED * place.unit, 0.055 * place.unit), theme.accent, place.point[spot])
    for use in uses.values():
        (x, y), (to_x, to_y) = place.point[use.spot], place.point[use.target]
        for margin, colour in ((0.03 * place.unit, theme.on_badge), (0, theme.accent)):
            canvas.stamp(jump_arrow(to_x - x, to_y - y, place.unit, 0.36 * place.unit, margin), colour, (x, y))


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


def _draw_rows(canvas: Canvas, place: Layout, theme: Theme, picture: Picture) -> None:
    rows = picture.marks.rows
    for letter, spots in rows:
        (x, y), (end_x, end_y) = place.point[spots[0]], place.point[spots[-1]]
        form = row_outline(end_x - x, end_y - y, ROW * place.unit, 0.075 * place.unit)
        canvas.stamp(form, _row_colour(theme, letter), (x, y))
    taken = [*_busy_places(place, picture)] if any(letter for letter, _ in rows) else []
    for letter, spots in (row for row in rows if row[0]):
        taken.append(_free_place(place, spots, taken))
        _draw_badge(canvas, place, theme, letter, taken[-1], _row_colour(theme, letter))


def _row_colour(theme: Theme, letter: str) -> str:
    return theme.rows[(ord(letter or "A") - ord("A")) % len(theme.rows)]


def _busy_places(place: Layout, picture: Picture) -> Iterator[Place]:
    """Yield the places of all pieces, also of removed ones, and of the arrow of the last push."""
    marks = picture.marks
    yield from (place.point[spot] for spot in picture.position.pieces())
    yield from (place.point[gone.spot] for gone in marks.ghosts)
    if isinstance(marks.act, Push):
        yield from (place.towards(marks.act.dot, marks.act.spot, part) for part in (0, 0.4))


def _free_place(place: Layout, spots: tuple[str, ...], taken: Sequence[Place]) -> Place:
    """Return the place for a row's letter: beyond one of its ends, or else beside it, where it hides nothing.

    If everything is taken, it is as far as possible from what it would hide.
    """
    ends = place.towards(spots[0], spots[1], -BEYOND), place.towards(spots[-1], spots[-2], -BEYOND)
    (x, y), (to_x, to_y) = place.point[spots[0]], place.point[spots[1]]
    beside = [
        (round(at[0] + (to_y - y) * way), round(at[1] - (to_x - x) * way))
        for reach in (BESIDE, BETWEEN)
        for at in (place.point[spot] for spot in spots)
        for way in (reach, -reach)
    ]
    ways = [(min((hypot(at[0] - x, at[1] - y) for x, y in taken), default=inf), at) for at in (*ends, *beside)]
    return next((at for room, at in ways if room >= CLEAR * place.unit), max(ways)[1])


def _draw_badge(canvas: Canvas, place: Layout, theme: Theme, text: str, at: Place, colour: str) -> None:
    size = place.px(0.3)
    canvas.stamp(disc_shape((BADGE + 0.035) * place.unit), theme.on_badge, at)
    canvas.stamp(disc_shape(BADGE * place.unit), colour, at)
    left, base = at[0] - text_width(text, STRONG, size) // 2, at[1] + round(CAPITAL * size / 2)
    canvas.stamp(text_shape(text, STRONG, size), theme.on_badge, (left, base))
