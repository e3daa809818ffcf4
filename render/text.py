"""Text in pictures: which characters the font has, how wide a text is, and how to make it fit."""

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont, features

from gipfbot.rules import ByColour, Colour

from .sprites import Canvas, Shape, mask_shape

FONTS = Path(__file__).parent / "fonts"
BASIC_LAYOUT, SHAPED_LAYOUT = ImageFont.Layout.BASIC, ImageFont.Layout.RAQM
ELLIPSIS = "…"
CAPITAL = 0.727  # the height of a capital letter or a digit, as a part of the font size
LONGEST = 300  # no picture has room for more characters, so the rest is ignored


class Face(NamedTuple):
    """A bundled font and its text layout. Only names use the shaped layout (Raqm), which not every machine has."""

    file: str
    layout: ImageFont.Layout = BASIC_LAYOUT


PLAIN, STRONG = Face("Inter-Medium.otf"), Face("Inter-SemiBold.otf")
NAMES = Face(STRONG.file, SHAPED_LAYOUT if features.check("raqm") else BASIC_LAYOUT)


@lru_cache(maxsize=256)
def load_font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """Return a bundled font. Raises OSError if its file cannot be read."""
    return ImageFont.truetype(FONTS / face.file, size, layout_engine=face.layout)


@lru_cache(maxsize=4096)
def can_draw(character: str) -> bool:
    """Return whether the bundled font can draw a character. False for controls and combining marks."""
    if character == " ":
        return True
    if unicodedata.category(character)[0] in "CM":
        return False
    glyph, missing = (bytes(load_font(PLAIN, 32).getmask(sign)) for sign in (character, "\uffff"))
    return glyph != missing and bool(glyph)


@lru_cache(maxsize=1024)
def clean_text(text: str) -> str | None:
    """Return a text without marks, symbols and controls that cannot be drawn, and without double spaces.

    None if a letter or a digit cannot be drawn, or if nothing is left.
    """
    kept = []
    for character in unicodedata.normalize("NFKC", text[:LONGEST]):
        if character.isspace():
            kept.append(" ")
        elif can_draw(character):
            kept.append(character)
        elif unicodedata.category(character)[0] in "LN":
            return None
    return " ".join("".join(kept).split()) or None


def shown_name(name: str, colour: Colour) -> str:
    """Return a player's name as pictures show it: cleaned, or White or Black if the font cannot draw it."""
    return clean_text(name) or str(colour)


def shown_caption(caption: str, players: ByColour[str]) -> str:
    """Return a caption as pictures show it: without characters that the font cannot draw.

    A name that cannot be drawn is replaced by White or Black.
    """
    for colour in Colour:
        if players[colour] and clean_text(players[colour]) is None:
            caption = caption.replace(players[colour], str(colour))
    return clean_text(caption) or "".join(character for character in caption[:LONGEST] if can_draw(character))


def text_width(text: str, face: Face, size: int) -> int:
    """Return the width of a text in pixels."""
    return round(load_font(face, size).getlength(text))


@lru_cache(maxsize=1024)
def shorten_to_width(text: str, face: Face, size: int, room: int) -> str:
    """Return a text that fits into `room` pixels: the whole, or its beginning and an ellipsis."""
    if text_width(text, face, size) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + ELLIPSIS, face, size) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


def wrap_text(text: str, face: Face, size: int, room: int, lines: int) -> list[str]:
    """Return a text in at most `lines` lines of `room` pixels, broken at spaces. The last line may be shortened."""
    words = text.split()
    broken: list[str] = []
    while words and len(broken) < lines - 1:
        count = len(words)
        while count > 1 and text_width(" ".join(words[:count]), face, size) > room:
            count -= 1
        broken.append(shorten_to_width(" ".join(words[:count]), face, size, room))
        words = words[count:]
    return broken + [shorten_to_width(" ".join(words), face, size, room)] * bool(words)


@lru_cache(maxsize=1024)
def text_shape(text: str, face: Face, size: int) -> Shape:
    """Return a text as a shape. The origin is the left end of the baseline."""
    letters = load_font(face, size)
    left, top, right, bottom = (round(edge) for edge in letters.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left + 2), max(1, bottom - top + 2)))
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, 255, letters, anchor="ls")
    return mask_shape(mask, left - 1, top - 1)


def draw_text(canvas: Canvas, text: str, face: Face, size: int, colour: str, left: int, middle: int) -> None:
    """Draw a line of text. `middle` is at half the height of its capital letters."""
    canvas.stamp(text_shape(text, face, size), colour, (left, middle + round(CAPITAL * size / 2)))
