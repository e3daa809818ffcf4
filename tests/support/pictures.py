"""Small pictures for tests that do not check them."""

from functools import cache

import pytest

from gipfbot.ui.kit import pictures
from render import Described, Theme, Words, png
from render.layout import SMALLEST


def draw_small(patch: pytest.MonkeyPatch) -> None:
    """Make the bot draw each picture as small as possible, and each description once per run."""
    patch.setattr(pictures, "png", _small_png)


@cache
def _small_png(picture: Described, size: int, theme: Theme, words: Words) -> bytes:
    return png(picture, size=min(size, SMALLEST), theme=theme, words=words)
