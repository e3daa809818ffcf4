"""Films are seen on the page, although the demo brings no library for films."""

import sys
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator
from simcord.preview._media import _process_media

from gipfbot.ui.play import game_texts

from .driver import Visitor
from .table import challenge

TYPE = "image => fetch(image.src).then(answer => answer.blob()).then(film => film.type)"


def test_a_film_needs_no_other_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a GIF, which the page looks at with Pillow."""
    monkeypatch.setitem(sys.modules, "av", None)
    film = BytesIO()
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    first.save(film, "GIF", save_all=True, append_images=[second])
    found = _process_media(film.getvalue(), None)
    assert (found.content_type, found.frames, found.normalized) == ("image/gif", 2, film.getvalue())


@pytest.mark.browser
@pytest.mark.shares_demo
def test_replays_and_results_move_on_the_page(visitor: Visitor) -> None:
    game = challenge(visitor, "Basic")
    for name, turn in (("Ann", "c2"), ("Bob", "g2")):
        visitor.look_as(name)
        visitor.slash("move", notation=turn, game=game)
    visitor.slash("gipf resign", game=game)
    visitor.press(visitor.private(), game_texts.RESIGN_LABEL)
    assert is_film(visitor, visitor.public)
    visitor.press(visitor.public, "Replay")
    assert is_film(visitor, visitor.private(f"Replay of {game}"))
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def is_film(visitor: Visitor, message: Locator) -> bool:
    """Return whether the picture of a message moves."""
    assert visitor.picture(message)
    shown = message.locator("img.attachment-image, img.gallery-image")
    return bool(shown.evaluate(TYPE) == "image/gif")
