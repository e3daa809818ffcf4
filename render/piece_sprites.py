"""The layers of pieces and the outlines of potentials. All kinds differ in shape, not just in colour.

An outline is a function of a pen, a radius and an inset, both in pixels. It fills the area more than `inset` inside the
outline; a negative inset extends beyond it. The letter is drawn on top, so a potential is recognised by two shapes.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import cos, pi, sin

from gipfbot.rules import Colour, Kind, Piece

from .sprites import Pen, Shape, disc_shape, ring_shape
from .text import STRONG, text_shape
from .theme import Theme

Outline = Callable[[Pen, float, float], Pen]

RADIUS = 0.4  # the radius of a piece, in units
HALO = 0.47  # the outer radius of the ring around a moved piece
LIFT = 0.075  # how far the upper half of a GIPF-piece is shifted up, and its lower half down
OUTLINE = 0.04  # the width of a piece's outline
LOADED, USED = 0.31, 0.37  # the radius of a potential on a basic piece, and on its own
LETTER, USED_LETTER = 0.4, 0.46  # the font sizes of their letters
RIMS, RIM_STEP = 2, 0.045  # the pieces of a stack that are seen below its top, and half the distance between them
CHIP, USED_CHIP, CHIP_LETTER = 0.19, 0.205, 0.28  # the radius of a chip, and the font size of its letter
CHIP_STEP, CHIP_DOWN = 0.33, 0.34  # from one chip to the next, and from the middle of the spot
CHIPS = 3  # at most in a stack
Layer = tuple[Shape, str]  # a shape and its colour


def notched_disc(pen: Pen, radius: float, inset: float) -> Pen:
    """Fill a disc with six notches at its edge, as the PÜNCT-potential has them."""
    pen.disc(radius - inset)
    notch = max(0.25, 0.23 * radius + inset)
    for turn in range(6):
        angle = (turn + 0.5) * pi / 3
        pen.disc(notch, (radius * cos(angle), radius * sin(angle)), clear=True)
    return pen


def rounded_square(pen: Pen, radius: float, inset: float) -> Pen:
    """Fill a square with round corners."""
    side, corner = 0.87 * radius - inset, max(0.5, 0.2 * radius - inset)
    reach = side - corner
    return pen.rounded([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], corner)


def rounded_hexagon(pen: Pen, radius: float, inset: float) -> Pen:
    """Fill a hexagon with round corners."""
    corner = max(0.5, 0.15 * radius - inset)
    reach = radius - 1.15 * inset - corner
    angles = [turn * pi / 3 for turn in range(6)]
    return pen.rounded([(reach * cos(angle), reach * sin(angle)) for angle in angles], corner)


OUTLINES: dict[str, Outline] = {"Z": rounded_square, "P": notched_disc}


def potential_shape(kind: Kind, radius: float, inset: float = 0) -> Shape:
    """Return the shape of a potential, loaded or used. Its radius and its inset are in pixels."""
    return _outline_shape(potential_outline(kind), radius, inset)


def potential_outline(kind: Kind) -> Outline:
    """Return the outline of a potential, loaded or used."""
    return OUTLINES.get(kind.upper(), rounded_hexagon)


@lru_cache(maxsize=256)
def _outline_shape(outline: Outline, radius: float, inset: float) -> Shape:
    return outline(Pen(radius + max(0.0, -inset)), radius, inset).shape()


@lru_cache(maxsize=256)
def faded_potential(outline: Outline, radius: float, inset: float) -> Shape:
    """Return the faint shape of a removed potential."""
    return outline(Pen(radius), radius, inset).shape(0.45)


@lru_cache(maxsize=256)
def dashed_potential(outline: Outline, radius: float, thickness: float) -> Shape:
    """Return the broken outline of a removed potential."""
    pen = outline(Pen(radius), radius, 0).without(outline(Pen(radius), radius, thickness))
    for across, down in ((1.0, 0.0), (0.5, 0.866), (0.5, -0.866)):
        reach = 1.3 * radius
        pen.stroke((-across * reach, -down * reach), (across * reach, down * reach), 0.25 * radius, clear=True)
    return pen.shape()


@lru_cache(maxsize=256)
def letter_shape(letter: str, size: int, down: int = 0) -> Shape:
    """Return a letter around the origin, or `down` pixels below it. `size` is the font size in pixels."""
    form = text_shape(letter, STRONG, size)
    width, height = form.degrees[0][1].size
    return form._replace(left=-(width // 2), top=down - height // 2)


def piece_layers(kind: Kind, owner: Colour, theme: Theme, unit: float, scale: float = 1) -> Iterator[Layer]:
    """Yield the layers of a piece, the lowest first. The origin is the middle of the spot.

    A GIPF-piece is drawn as two stacked pieces, the upper one with a ring and a dot. A loaded piece is a basic piece
    with a potential on it, filled with the colour of signs. A used potential stands alone, and only its small letter
    has that colour. So all kinds differ even without colours.
    """
    if kind is Kind.GIPF:
        yield from _gipf_layers(owner, theme, unit * scale)
        return
    yield from _blank_layers(kind, owner, theme, unit * scale)
    if kind.loaded:
        yield from potential_layers(kind, owner, theme, LOADED * unit * scale)
    elif kind.used:
        yield letter_shape(kind, round(USED_LETTER * unit * scale)), theme.sign[owner]


def _gipf_layers(owner: Colour, theme: Theme, unit: float) -> Iterator[Layer]:
    radius, outline, lift = RADIUS * unit, max(1.2, OUTLINE * unit), LIFT * unit
    body, edge, shade, sign = (side[owner] for side in (theme.piece, theme.edge, theme.shade, theme.sign))
    yield disc_shape(radius, lift), edge
    yield disc_shape(radius - outline, lift), shade
    yield disc_shape(radius, -lift), edge
    yield disc_shape(radius - outline, -lift), body
    yield ring_shape(radius * 0.6, radius * 0.17, -lift), sign
    yield disc_shape(radius * 0.23, -lift), sign


def _blank_layers(kind: Kind, owner: Colour, theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of a disc, or of a used potential, without a sign."""
    outline, edge, body = max(1.2, OUTLINE * unit), theme.edge[owner], theme.piece[owner]
    if kind.used:
        yield potential_shape(kind, USED * unit), edge
        yield potential_shape(kind, USED * unit, outline), body
    else:
        yield disc_shape(RADIUS * unit), edge
        yield disc_shape(RADIUS * unit - outline), body


def potential_layers(kind: Kind, owner: Colour, theme: Theme, radius: float) -> Iterator[Layer]:
    """Yield the layers of a potential that is not used yet. Its radius is in pixels."""
    yield potential_shape(kind, radius), theme.sign[owner]
    yield letter_shape(kind, round(LETTER / LOADED * radius)), theme.piece[owner]


def standing_layers(piece: Piece, moved: bool, theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of a piece on the board, the lowest first. A moved piece has a ring.

    A stack is higher. Chips in front of it, from left to right, show the pieces under its top.
    """
    rims = piece.under[:RIMS]
    step, top = round(2 * RIM_STEP * unit), -round(RIM_STEP * unit * len(rims))
    first = top + (round(LIFT * unit) if rims and piece.kind is Kind.GIPF else 0)
    pile = [(below, first + step * number) for number, below in enumerate(rims, 1)]
    if moved:
        for one, down in ((piece, top), *pile):
            yield from _moved_down([(_halo_shape(one.kind, unit), theme.accent)], down)
    for below, down in reversed(pile):
        yield from _moved_down(_blank_layers(below.kind, below.owner, theme, unit), down)
    yield from _moved_down(piece_layers(piece.kind, piece.owner, theme, unit), top)
    if piece.under:
        yield from _chip_row(piece.under, theme, unit)


def _halo_shape(kind: Kind, unit: float) -> Shape:
    """Return the shape behind a moved piece, whose edge is seen as a ring."""
    return potential_shape(kind, USED * unit, (RADIUS - HALO) * unit) if kind.used else disc_shape(HALO * unit)


def _moved_down(layers: Iterable[Layer], down: int) -> Iterator[Layer]:
    return ((form._replace(top=form.top + down), colour) for form, colour in layers)


def _chip_row(pieces: tuple[Piece, ...], theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of the chips of a stack. If there are too many, the last one says how many more there are."""
    shown = pieces if len(pieces) <= CHIPS else pieces[: CHIPS - 1]
    chips = [chip_layers(piece, theme, unit) for piece in shown]
    if shown != pieces:
        chips.append(_count_layers(len(pieces) - len(shown), theme, unit))
    step, down = round(CHIP_STEP * unit), round(CHIP_DOWN * unit)
    for number, layers in reversed([*enumerate(chips)]):
        across = round((number - (len(chips) - 1) / 2) * step)
        for form, colour in layers:
            yield form._replace(left=form.left + across, top=form.top + down), colour


def chip_layers(piece: Piece, theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of a little piece around the origin: a disc with a sign, or a used potential."""
    kind, outline, gap = piece.kind, max(1.0, 0.03 * unit), max(1.0, 0.035 * unit)
    radius = (USED_CHIP if kind.used else CHIP) * unit
    body, edge, sign = theme.piece[piece.owner], theme.edge[piece.owner], theme.sign[piece.owner]
    if kind.used:
        yield potential_shape(kind, radius, -gap), theme.card
        yield potential_shape(kind, radius), edge
        yield potential_shape(kind, radius, outline), body
    else:
        yield disc_shape(radius + gap), theme.card
        yield disc_shape(radius), edge
        yield disc_shape(radius - outline), body
    yield from _chip_sign(kind, sign, unit)


def _chip_sign(kind: Kind, sign: str, unit: float) -> Iterator[Layer]:
    if kind is Kind.GIPF:
        yield ring_shape(CHIP * 0.58 * unit, CHIP * 0.2 * unit), sign
        yield disc_shape(CHIP * 0.24 * unit), sign
    elif kind.loaded or kind.used:
        yield letter_shape(kind, round(CHIP_LETTER * unit)), sign


def _count_layers(count: int, theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of a chip that says how many more pieces there are."""
    yield disc_shape((CHIP + 0.035) * unit), theme.on_badge
    yield disc_shape(CHIP * unit), theme.badge
    yield letter_shape(f"+{count}", round(0.22 * unit)), theme.on_badge


# ── Removed pieces ──


def ghost_layers(piece: Piece, theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of a removed piece on its vacant spot, the lowest first."""
    body, edge, sign, kind = theme.piece[piece.owner], theme.edge[piece.owner], theme.sign[piece.owner], piece.kind
    outline = potential_outline(kind)
    if kind.used:
        yield faded_potential(outline, USED * unit, OUTLINE * unit), body
        yield dashed_potential(outline, USED * unit, max(1.5, 0.055 * unit)), edge
        yield letter_shape(kind, round(USED_LETTER * unit)), sign
        return
    yield veil_shape(unit), body
    yield dashed_outline(unit), edge
    if kind is Kind.GIPF:
        yield faded_sign_shape(unit), sign
    elif kind.loaded:
        yield faded_potential(outline, LOADED * unit, 0), sign
        yield letter_shape(kind, round(LETTER * unit)), body


def little_layers(piece: Piece, theme: Theme, unit: float) -> Iterator[Layer]:
    """Yield the layers of a removed piece beside the piece that now stands on its spot."""
    if piece.kind.loaded or piece.kind.used:
        return chip_layers(piece, theme, unit)
    return piece_layers(piece.kind, piece.owner, theme, unit, 0.45)


@lru_cache(maxsize=256)
def dashed_outline(unit: float) -> Shape:
    """Return the broken outline of a removed piece."""
    pen = Pen(unit).ring((RADIUS - OUTLINE) * unit, max(1.5, 0.055 * unit))
    for across, down in ((0, 1), (0.866, 0.5), (0.866, -0.5)):
        pen.stroke((-across * unit, -down * unit), (across * unit, down * unit), 0.1 * unit, clear=True)
    return pen.shape()


@lru_cache(maxsize=256)
def faded_sign_shape(unit: float) -> Shape:
    """Return the faint ring drawn on a removed GIPF-piece."""
    return Pen(unit).ring(RADIUS * 0.6 * unit, RADIUS * 0.17 * unit).shape(0.75)


@lru_cache(maxsize=256)
def veil_shape(unit: float) -> Shape:
    """Return the faint disc of a removed piece."""
    return Pen(unit).disc((RADIUS - OUTLINE) * unit).shape(0.45)
