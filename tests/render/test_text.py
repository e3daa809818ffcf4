import pytest
from PIL import ImageChops

from gipfbot.rules.pieces import Colour
from gipfbot.rules.position import start
from gipfbot.rules.rulesets import STANDARD
from render import Picture, compose_image, png
from render.layout import layout_for
from render.text import (
    FONTS,
    OTHERS,
    PLAIN,
    STRONG,
    can_draw,
    clean_text,
    shorten_to_width,
    shown_caption,
    shown_name,
    text_width,
    wrap_text,
)
from tests.render.names import ODD


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("bob", "bob"),
        ("  bob \n the  builder ", "bob the builder"),
        ("Zoë Ærøskøbing", "Zoë Ærøskøbing"),
        ("Zoe\u0308", "Zoë"),
        ("Z\u0300\u0301\u0300oe", "Zoe"),
        ("Владимир", "Владимир"),
        ("Ελένη", "Ελένη"),
        ("bob \U0001f3b2", "bob"),
        ("★ann★", "★ann★"),
        ("\U0001d4eb\U0001d4f8\U0001d4eb", "bob"),
        ("b\u200bo\u200db", "bob"),
        ("\u202ebob", "bob"),
        ("\ud83dbob", "bob"),
        ("田中", "田中"),
        ("ann 田中", "ann 田中"),
        ("\U00013080\U00013153", "Black"),
        ("ann \U00013080\U00013153", "Black"),
        ("\U0001f3b2", "Black"),
        ("", "Black"),
        ("\u200b", "Black"),
    ],
)
def test_characters_without_a_glyph_are_left_out(name: str, shown: str) -> None:
    assert shown_name(name, Colour.BLACK) == shown


def test_a_caption_names_undrawable_players_by_colour() -> None:
    assert (
        shown_caption("12. \U00013080\U00013153: g1-c3; x c2", ("ann", "\U00013080\U00013153"))
        == "12. Black: g1-c3; x c2"
    )
    assert shown_caption("12. ann: g1-c3", ("ann", "\U00013080\U00013153")) == "12. ann: g1-c3"
    assert shown_caption("12. \U00013080\U00013153: g1-c3", ("ann", "bob")) == "12. : g1-c3"
    assert shown_caption("", ("", "")) == ""


def test_all_characters_of_notation_and_texts_can_be_drawn() -> None:
    assert all(can_draw(character) for character in "abcdefghiGx0123456789*-–;:,.…?!'’()[]×·→#")


@pytest.mark.parametrize("text", ["ann", "annabelle the second", "W" * 200])
@pytest.mark.parametrize("room", [40, 100, 300])
def test_a_shortened_text_fits_and_ends_with_an_ellipsis(text: str, room: int) -> None:
    short = shorten_to_width(text, STRONG, 20, room)
    assert text_width(short, STRONG, 20) <= room
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


def test_a_wrapped_text_loses_nothing_that_fits() -> None:
    words = "one two three four five six"
    room = text_width("one two three four", PLAIN, 20)
    assert wrap_text(words, PLAIN, 20, room, 2) == ["one two three four", "five six"]
    assert wrap_text(words, PLAIN, 20, room, 1) == [shorten_to_width(words, PLAIN, 20, room)]
    assert wrap_text("W" * 100 + " end", PLAIN, 20, room, 2)[1] == "end"


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("size", [200, 400, 801])
def test_odd_names_and_captions_stay_in_their_places(odd: str, size: int) -> None:
    """Only the two names and the caption change, and a margin stays free."""
    position = start(STANDARD)
    plain = compose_image(Picture(position, ("", "")), size).convert("RGB")
    drawn = compose_image(Picture(position, (odd, odd), odd), size).convert("RGB")
    difference = ImageChops.difference(plain, drawn).convert("L")
    place = layout_for(size)
    unit, bottom = place.unit, place.height - place.band
    left, right = round(0.2 * unit), place.point["e1"][0] - round(0.3 * unit)
    for top, end in ((0.1 * unit, 0.68 * unit), (bottom - 0.68 * unit, bottom - 0.1 * unit)):
        difference.paste(0, (left, round(top), right, round(end)))
    difference.paste(0, (left, bottom + 1, size - left, place.height - 1))
    assert difference.getbbox() is None


def test_a_name_too_long_is_shortened_not_dropped() -> None:
    position = start(STANDARD)
    assert png(Picture(position, ("W" * 200, "bob"))) != png(Picture(position, ("", "bob")))
    assert clean_text("W" * 200) == "W" * 200


def test_the_fonts_come_with_their_licence() -> None:
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / "OFL.txt").read_text(encoding="utf-8")
    texts, fonts = {"OFL.txt", "SOURCES.txt"}, {PLAIN.file, STRONG.file, *(face.file for face in OTHERS)}
    assert {path.name for path in FONTS.iterdir()} == fonts | texts
