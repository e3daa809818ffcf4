"""Pictures: a description goes in, PNG bytes come out. Sees `gipfbot.rules` only, and keeps nothing but drawings."""

from .file import compose_image, encode_png, png
from .picture import Described, Ghost, Invitation, Marks, Picture, ResultCard
from .plain_board import text_board
from .theme import CLASSIC, THEMES, Theme
from .words import alt_text

__all__ = [
    "CLASSIC",
    "THEMES",
    "Described",
    "Ghost",
    "Invitation",
    "Marks",
    "Picture",
    "ResultCard",
    "Theme",
    "alt_text",
    "compose_image",
    "encode_png",
    "png",
    "text_board",
]
