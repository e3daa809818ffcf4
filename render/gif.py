"""Encode a GIF frame by frame. Only the part of a frame that differs from the one before is written."""

from PIL import GifImagePlugin, Image, ImageChops

TRANSPARENT = 255  # the palette entry that shows the frame before
END = b";"
_FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_SAME = [255, *bytes(255)]


def encode_opening(image: Image.Image, colours: bytes, delay: int) -> bytes:
    """Return the beginning of a GIF that shows `image` first and repeats for ever.

    `colours` holds the palette as bytes: red, green, blue, red, ….
    """
    size = image.width.to_bytes(2, "little") + image.height.to_bytes(2, "little")
    table = colours.ljust(3 * 256, b"\0")
    return b"GIF89a" + size + b"\xf7\0\0" + table + _FOR_EVER + encode_frame(None, image, delay)


def encode_frame(before: Image.Image | None, image: Image.Image, delay: int) -> bytes:
    """Return a GIF frame that is shown for `delay` hundredths of a second.

    Only the changes from the frame `before` are written. If `before` is None, the whole image is written. The images
    hold palette entries (mode L), none of them TRANSPARENT.
    """
    if before is None:
        return _encode_block(image, (0, 0), delay)
    changed = ImageChops.difference(before, image)
    box = changed.getbbox() or (0, 0, 1, 1)
    cut = image.crop(box)
    cut.paste(TRANSPARENT, (0, 0), changed.crop(box).point(_SAME, "1"))
    return _encode_block(cut, box[:2], delay)


def _encode_block(image: Image.Image, at: tuple[int, int], delay: int) -> bytes:
    keep = 1  # the next frame is drawn on top of this one
    return b"".join(GifImagePlugin.getdata(image, at, duration=10 * delay, disposal=keep, transparency=TRANSPARENT))
