"""The motion in a replay: pushed pieces slide, potentials jump, and removed pieces fade."""

from collections.abc import Iterable, Iterator

from PIL import Image

from gipfbot.rules.changes import Pushed, Removed, Used
from gipfbot.rules.pieces import Kind, Piece

from .board import draw_picture
from .ink import Canvas
from .jumps import jump_place
from .layout import layout_for
from .palette import FADES, fading_palette
from .picture import Picture
from .piece_sprites import standing_layers
from .theme import Theme

AROUND = 0.6  # how far a piece and its marks reach from the middle of the spot, in units


def motion_images(
    now: Picture, event: Pushed | Used | Removed, then: Picture, count: int, size: int, theme: Theme
) -> list[Image.Image]:
    """Return the images that lead from the board `now` to the board `then`. No image shows `then` itself.

    A push or a use has `count` images. A removal has an image of `now`, and at most two images of the fading pieces.
    The images hold entries of `fading_palette` (mode L).
    """
    if isinstance(event, Pushed):
        return list(_slide_images(now, event, count, size, theme))
    if isinstance(event, Used):
        return list(_jump_images(now, event, count, size, theme))
    place = layout_for(size, now.flipped)
    reach, gone = place.px(AROUND), [place.point[spot] for spot, _ in (*event.returned, *event.captured)]
    boxes = [(x - reach, y - reach, x + reach, y + reach) for x, y in gone]
    before, after = draw_picture(now, size, theme).image, draw_picture(then, size, theme).image
    return [before, *_fade_images(before, after, boxes, min(count, FADES - 1), theme)]


def _slide_images(picture: Picture, pushed: Pushed, count: int, size: int, theme: Theme) -> Iterator[Image.Image]:
    """Yield `count` images of a push.

    The first shows the new piece on its dot. The last shows all pieces just before they arrive.
    """
    place = layout_for(size, picture.flipped)
    standing, entering = picture.position.pieces(), Piece(pushed.by, pushed.push.kind)
    still = draw_picture(picture, size, theme, [start for start, _ in pushed.moved])
    for number in range(count):
        canvas = Canvas(still.image.copy(), still.palette)
        for start, end in pushed.moved:
            piece, at = standing.get(start, entering), place.towards(start, end, _ease_part(number / count))
            for form, colour in standing_layers(piece, True, theme, place.unit):
                canvas.stamp(form, colour, at)
        yield canvas.image


def _jump_images(picture: Picture, used: Used, count: int, size: int, theme: Theme) -> Iterator[Image.Image]:
    """Yield `count` images of a use: the potential leaves its basic piece, and jumps along its arc."""
    place, use = layout_for(size, picture.flipped), used.use
    (x, y), (to_x, to_y) = place.point[use.spot], place.point[use.target]
    still = draw_picture(picture, size, theme, [use.spot])
    left, jumping = Piece(used.by, Kind.BASIC), Piece(used.by, Kind(use.kind.lower()))
    for form, colour in standing_layers(left, False, theme, place.unit):
        still.stamp(form, colour, (x, y))
    for number in range(count):
        canvas = Canvas(still.image.copy(), still.palette)
        across, down = jump_place(to_x - x, to_y - y, place.unit, _ease_part(number / count))
        for form, colour in standing_layers(jumping, True, theme, place.unit):
            canvas.stamp(form, colour, (round(x + across), round(y + down)))
        yield canvas.image


def _ease_part(part: float) -> float:
    """Return the share of a motion that is done after a share of its time, both from 0 to 1.

    The motion starts and stops gently.
    """
    return part * part * (3 - 2 * part)


def _fade_images(
    before: Image.Image, after: Image.Image, boxes: Iterable[tuple[int, int, int, int]], count: int, theme: Theme
) -> Iterator[Image.Image]:
    """Yield `count` images that fade `before` into `after` inside the boxes."""
    for number in range(count):
        image, step = before.copy(), FADES - 1 - number
        for box in boxes:
            image.paste(_blend_images(before.crop(box), after.crop(box), step, theme), box)
        yield image


def _blend_images(above: Image.Image, below: Image.Image, step: int, theme: Theme) -> Image.Image:
    """Return `above` drawn over `below`, at `step` of FADES."""
    mixed = below.copy()
    for _, entry in below.getcolors(256) or ():
        assert isinstance(entry, int)
        here = [255 * (value == entry) for value in range(256)]
        mixed.paste(above.point(fading_palette(theme).through(entry, step)), (0, 0), below.point(here, "1"))
    return mixed
