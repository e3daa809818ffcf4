"""Pictures: a description goes in, PNG bytes come out. Sees `gipfbot.rules` only, and keeps nothing but drawings."""

from .board import compose, encode, png
from .picture import Ghost, Marks, Picture
from .theme import CLASSIC, THEMES, Theme
from .words import alt_text

__all__ = ["CLASSIC", "THEMES", "Ghost", "Marks", "Picture", "Theme", "alt_text", "compose", "encode", "png"]
