"""What people see as one character: emoji of several signs, letters with their marks. No cut goes through them.

And what they take for the same letters when they search.
"""

import re
import unicodedata
from collections.abc import Callable

_PICTURE = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)  # fmt: skip
_LOOK = "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]?"  # as text, in colour, or a colour of skin
_VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"  # they join consonants in scripts of India
_SIGNS = re.compile(
    "("
    "[#*0-9]\ufe0f?\u20e3"  # a keycap
    "|\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f"  # the flag of a region
    f"|{_PICTURE}{_LOOK}(?:\u200d{_PICTURE}{_LOOK})*"  # families, professions, hearts
    "|(?<=[\u0620-\u06ff])\u200c(?=[\u0620-\u06ff])"  # keeps letters apart in Persian and its like
    f"|(?<=[{_VIRAMAS}])[\u200c\u200d]"
    ")|.",
    re.DOTALL,
)
_FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))  # two of these letters are the flag of a country
# What belongs to the sign before it, besides marks: joiners, colours of skin, names of regions, vowels of Thai and Lao,
# and the rest of a Korean syllable that is written in parts.
_JOINED = re.compile("[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u0e33\u0eb3\u1160-\u11ff\ud7b0-\ud7fb]")

_NOT_DECOMPOSED = str.maketrans("ıłøđ", "ilod")  # letters whose marks Unicode does not take apart


def searchable(text: str) -> str:
    """Return a text as a search compares it: without case, accents and fancy letters. So `ilker` finds `İlker`."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(sign for sign in folded if not unicodedata.combining(sign)).translate(_NOT_DECOMPOSED)


def keep_signs(text: str, is_kept: Callable[[str], bool], instead: str = "") -> str:
    """Return a text in which `instead` replaces each sign that is not kept. Emoji and joined letters stay whole."""
    return _SIGNS.sub(lambda found: found[0] if found[1] or is_kept(found[0]) else instead, text)


def may_cut(text: str, at: int) -> bool:
    """Return whether a cut before the offset `at` leaves whole what people see as one character.

    It approximates the grapheme clusters of Unicode (UAX 29).
    """
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if unicodedata.category(after)[0] == "M" or _JOINED.match(after):
        return False
    if before == "\u200d" or before in _VIRAMAS:
        return after.isspace()
    return after not in _FLAGS or (at - len(text[:at].rstrip(_FLAGS))) % 2 == 0


def cut_text(text: str, most: int) -> str:
    """Return the beginning of a text: at most `most` signs, and only whole characters."""
    end = min(most, len(text))
    while not may_cut(text, end):
        end -= 1
    return text[:end]
