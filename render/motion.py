"""What moves in a replay: pieces that are pushed slide, pieces that are removed fade."""

from collections.abc import Iterable, Iterator

from PIL import Image

from gipfbot.rules.changes import Pushed, Removed
from gipfbot.rules.pieces import Piece

from .board import draw_picture, marked_piece_layers
from .ink import Canvas
from .layout import layout_for
from .palette import FADES, fading_palette
from .picture import Picture
from .theme import Theme

AROUND = 0.55  # how far a piece with all its marks reaches from its spot, in units


def motion_images(
    now: Picture, event: Pushed | Removed, then: Picture, count: int, size: int, theme: Theme
) -> list[Image.Image]:
    """Return the images between two boards: `count` for a push, fewer for a removal.

    They hold entries of `fading_palette` (mode L). Of the two boards only the one before a removal is among them.
    """
    if isinstance(event, Pushed):
        return list(_slide_images(now, event, count, size, theme))
    place = layout_for(size, now.flipped)
    reach, gone = place.px(AROUND), [place.point[spot] for spot, _ in (*event.returned, *event.captured)]
    boxes = [(x - reach, y - reach, x + reach, y + reach) for x, y in gone]
    before, after = draw_picture(now, size, theme).image, draw_picture(then, size, theme).image
    return [before, *_fade_images(before, after, boxes, min(count, FADES - 1), theme)]


def _slide_images(picture: Picture, pushed: Pushed, count: int, size: int, theme: Theme) -> Iterator[Image.Image]:
    """Yield that many images of a push, from the piece on its dot to just before all pieces have arrived."""
    place = layout_for(size, picture.flipped)
    standing, entering = picture.position.pieces(), Piece(pushed.by, pushed.push.kind)
    still = draw_picture(picture, size, theme, [start for start, _ in pushed.moved])
    for number in range(count):
        canvas = Canvas(still.image.copy(), still.palette)
        for start, end in pushed.moved:
            piece, at = standing.get(start, entering), place.towards(start, end, _ease_part(number / count))
            for form, colour in marked_piece_layers(piece.kind, piece.owner, True, theme, place.unit):
                canvas.stamp(form, colour, at)
        yield canvas.image


def _ease_part(part: float) -> float:
    """Return how far something has come after a part of its time. It starts and stops gently."""
    return part * part * (3 - 2 * part)


def _fade_images(
    before: Image.Image, after: Image.Image, boxes: Iterable[tuple[int, int, int, int]], count: int, theme: Theme
) -> Iterator[Image.Image]:
    """Yield that many images that fade one image into the other inside these boxes."""
    for number in range(count):
        image, step = before.copy(), FADES - 1 - number
        for box in boxes:
            image.paste(_blend_images(before.crop(box), after.crop(box), step, theme), box)
        yield image


def _blend_images(above: Image.Image, below: Image.Image, step: int, theme: Theme) -> Image.Image:
    """Return one image covering another to a degree."""
    mixed = below.copy()
    for _, entry in below.getcolors(256) or ():
        assert isinstance(entry, int)
        here = [255 * (value == entry) for value in range(256)]
        mixed.paste(above.point(fading_palette(theme).through(entry, step)), (0, 0), below.point(here, "1"))
    return mixed
