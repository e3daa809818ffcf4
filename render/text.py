"""Text in pictures: which font has which characters, how wide a text is, and how to make it fit."""

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont, features

from gipfbot.characters import cut_text
from gipfbot.rules import ByColour, Colour

from .sprites import Canvas, Shape, mask_shape
from .wording import ENGLISH, Words, colour_name

SCRIPTS = """Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam
    Myanmar Oriya Sinhala Tamil Telugu Thaana Thai""".split()
FONTS = Path(__file__).parent / "fonts"
BASIC_LAYOUT, SHAPED_LAYOUT = ImageFont.Layout.BASIC, ImageFont.Layout.RAQM
ELLIPSIS = "…"
CAPITAL = 0.727  # the height of a capital letter or a digit, as a part of the font size
# All but vowels of Thai and Lao and single letters of Korean: NFKC would take them apart into what no font draws well.
_NORMALISED = re.compile("[^\u0e33\u0eb3\u3131-\u318e]+")
_LOOKS = re.compile("[\ufe00-\ufe0f\u20e3\U000e0100-\U000e01ef]")  # choose how a sign looks, such as an emoji in colour
JOINERS = "\u200c\u200d"  # they part or join letters, and are not seen
RIGHT_TO_LEFT = "R", "AL"  # as Unicode calls the letters
PARTING = " .,:;·–-("  # stands between names
LONGEST = 300  # no picture has room for more characters, so the rest is ignored


class Face(NamedTuple):
    """A bundled font and its text layout. Only names use the shaped layout (Raqm), which not every machine has."""

    file: str
    layout: ImageFont.Layout = BASIC_LAYOUT


SHAPED = SHAPED_LAYOUT if features.check("raqm") else BASIC_LAYOUT
PLAIN, STRONG = Face("Inter-Medium.otf"), Face("Inter-SemiBold.otf")
NAMES = Face(STRONG.file, SHAPED)
# The fonts of other scripts, for the characters that a face lacks.
OTHERS = tuple(
    Face(f"NotoSans{script}", SHAPED) for script in ("CJK-Bold.otf", *(f"{each}-Bold.ttf" for each in SCRIPTS))
)


@lru_cache(maxsize=256)
def load_font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """Return a bundled font. Raises OSError if its file cannot be read."""
    return ImageFont.truetype(FONTS / face.file, size, layout_engine=face.layout)


@lru_cache(maxsize=4096)
def can_draw(character: str, face: Face = PLAIN) -> bool:
    """Return whether a font draws a character right. False for controls.

    Without the shaped layout, also False for combining marks, and for letters that are written from right to left.
    """
    kind, is_shaped = unicodedata.category(character)[0], face.layout is SHAPED_LAYOUT
    if character == " ":
        return True
    if kind == "C":
        return character in JOINERS and is_shaped and face in OTHERS
    if not is_shaped and (kind == "M" or unicodedata.bidirectional(character) in RIGHT_TO_LEFT):
        return False
    glyph, missing = (bytes(load_font(Face(face.file), 32).getmask(sign)) for sign in (character, "\uffff"))
    return glyph != missing and bool(glyph)


def _face_of(sign: str, before: Face, face: Face) -> Face | None:
    """Return the font for a sign in a text in `face`. `before` is that of the sign before it. None if no font has it.

    A mark stays with its letter, and whatever is no letter with what stands before it.
    """
    kind = unicodedata.category(sign)[0]
    faces = (before,) if kind in "MC" else (face, *OTHERS) if kind == "L" else (before, face, *OTHERS)
    return next((each for each in faces if can_draw(sign, each)), None)


@lru_cache(maxsize=1024)
def clean_text(text: str) -> str | None:
    """Return a text without marks, symbols and controls that cannot be drawn, and without double spaces.

    None if a letter or a digit cannot be drawn, or a mark outside the alphabets of Europe, or if nothing is left.
    """
    kept, before = [], PLAIN
    for sign in _NORMALISED.sub(lambda part: unicodedata.normalize("NFKC", part[0]), _LOOKS.sub("", text[:LONGEST])):
        kind, face = unicodedata.category(sign)[0], _face_of(" " if sign.isspace() else sign, before, PLAIN)
        if face:
            kept.append(" " if sign.isspace() else sign)
            before = face
        elif kind in "LN" or (kind == "M" and before in OTHERS):
            return None
    return " ".join("".join(kept).split()) or None


@lru_cache(maxsize=1024)
def _runs(text: str, face: Face) -> list[tuple[str, Face]]:
    """Return the parts of a text, each with its font. What no font has stays in `face`, as a box.

    What parts two names goes with the text after it: at the end of an Arabic name, it would be drawn before the name.
    """
    runs = [("", face)]
    for sign in text:
        part, before = runs[-1]
        own = _face_of(sign, before, face) or face
        if own == before:
            runs[-1] = part + sign, own
        else:
            kept = part.rstrip(PARTING) if before in OTHERS else part
            runs[-1:] = [(kept, before), (part[len(kept) :] + sign, own)]
    return [run for run in runs if run[0]]


def shown_name(name: str, colour: Colour, words: Words = ENGLISH) -> str:
    """Return a player's name as pictures show it: cleaned, or White or Black if no font can draw it."""
    return clean_text(name) or colour_name(colour, words)


def shown_caption(caption: str, players: ByColour[str], words: Words = ENGLISH) -> str:
    """Return a caption as pictures show it: without characters that no font can draw.

    A name that cannot be drawn is replaced by White or Black.
    """
    for colour in Colour:
        if players[colour] and clean_text(players[colour]) is None:
            caption = caption.replace(players[colour], colour_name(colour, words))
    return clean_text(caption) or "".join(character for character in caption[:LONGEST] if can_draw(character))


@lru_cache(maxsize=1024)
def text_width(text: str, face: Face, size: int) -> int:
    """Return the width of a text in pixels."""
    return sum(round(load_font(own, size).getlength(part)) for part, own in _runs(text, face))


@lru_cache(maxsize=1024)
def shorten_to_width(text: str, face: Face, size: int, room: int) -> str:
    """Return a text that fits into `room` pixels: the whole, or its beginning and an ellipsis.

    The ellipsis is on the left if the text goes from right to left.
    """
    if text_width(text, face, size) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + ELLIPSIS, face, size) <= room:
            low = middle
        else:
            high = middle - 1
    begin = cut_text(text, low).rstrip()
    turned = begin and unicodedata.bidirectional(begin[0]) in RIGHT_TO_LEFT and len(_runs(begin, face)) == 1
    return ELLIPSIS + begin if turned else begin + ELLIPSIS


def fit_name(name: str, size: int, smallest: int, room: int) -> tuple[str, int]:
    """Return a name and a font size from `size` down to `smallest` in which it fits into `room` pixels.

    A name that is too long for all of them is shortened.
    """
    fitting = (each for each in range(size, smallest, -1) if text_width(name, NAMES, each) <= room)
    if chosen := next(fitting, None):
        return name, chosen
    return shorten_to_width(name, NAMES, smallest, room), smallest


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
    """Return a text in one font as a shape. The origin is the left end of the baseline."""
    letters = load_font(face, size)
    left, top, right, bottom = (round(edge) for edge in letters.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left + 2), max(1, bottom - top + 2)))
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, 255, letters, anchor="ls")
    return mask_shape(mask, left - 1, top - 1)


def draw_text(canvas: Canvas, text: str, face: Face, size: int, colour: str, left: int, middle: int) -> None:
    """Draw a line of text. `middle` is at half the height of its capital letters."""
    for part, own in _runs(text, face):
        canvas.stamp(text_shape(part, own, size), colour, (left, middle + round(CAPITAL * size / 2)))
        left += text_width(part, own, size)
