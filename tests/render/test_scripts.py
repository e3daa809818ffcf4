"""Names in all scripts of the world that people are likely to write: which are drawn, and how."""

from collections.abc import Iterator

import pytest
from PIL import features

from gipfbot.characters import may_cut
from gipfbot.rules.pieces import Colour
from render import LeaderboardCard, LeaderboardRow, png, text
from render.text import (
    BASIC_LAYOUT,
    FONTS,
    NAMES,
    OTHERS,
    PLAIN,
    SHAPED_LAYOUT,
    Face,
    clean_text,
    load_font,
    shorten_to_width,
    shown_caption,
    shown_name,
    text_width,
)

PLAIN_NAMES = {
    "Armenian": "Արամ",
    "Chinese, simplified": "张伟国",
    "Chinese, traditional": "陳麗華",
    "Cyrillic": "Владимир",
    "Georgian": "გიორგი",
    "Greek": "Ελένη",
    "Japanese": "田中さくらケンジー",
    "Korean": "김민수",
    "Vietnamese": "Nguyễn Thị Hương",
}
SHAPED_NAMES = {
    "Arabic": "محمد عبد الله",
    "Bengali": "রহিমা",
    "Devanagari": "प्रिया शर्मा",
    "Gujarati": "હાર્દિક",
    "Gurmukhi": "ਗੁਰਪ੍ਰੀਤ",
    "Hebrew": "דנה",
    "Hebrew with points": "שָׁלוֹם",
    "Kannada": "ಕನ್ನಡ ಪ್ರಿಯಾ",
    "Malayalam": "മലയാളം",
    "Persian": "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "Sinhala": "ශ\u0dca\u200dරී",
    "Tamil": "தமிழ்செல்வி",
    "Telugu": "తెలుగు",
    "Thai": "สมชาย น้ำ",
    "Urdu": "فاطمہ",
}
ALL_NAMES = {**PLAIN_NAMES, **SHAPED_NAMES}
UNKNOWN = "\U00013080\U00013153"  # hieroglyphs, which no font here has
IS_SHAPED = bool(features.check("raqm"))
DRAWN_NAMES = [*(ALL_NAMES if IS_SHAPED else PLAIN_NAMES).values()]
BESIDE = ("\u2764\ufe0f", "1\ufe0f\u20e3", "\U0001f468\u200d\U0001f467", "\U0001f1e9\U0001f1ea")
SIZE = 24


@pytest.fixture
def unshaped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without the library that shapes text."""
    caches = text.can_draw, text.clean_text, text._runs, text.shorten_to_width
    monkeypatch.setattr(text, "OTHERS", tuple(Face(face.file) for face in OTHERS))
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def card(name: str, place: int = 3) -> LeaderboardCard:
    return LeaderboardCard("Standard", "1 player", (LeaderboardRow(place, name, 1500, 60, 9, 4),))


@pytest.mark.parametrize("name", PLAIN_NAMES.values(), ids=PLAIN_NAMES)
def test_names_of_other_scripts_are_drawn(name: str) -> None:
    assert clean_text(name) == name
    assert png(card(name)) != png(card("Player 3"))


@pytest.mark.parametrize("name", SHAPED_NAMES.values(), ids=SHAPED_NAMES)
def test_names_that_need_shaping_are_drawn_if_it_is_there(name: str) -> None:
    assert clean_text(name) == (name if IS_SHAPED else None)
    assert (png(card(name)) != png(card("Player 3"))) == IS_SHAPED


@pytest.mark.parametrize("name", DRAWN_NAMES)
@pytest.mark.parametrize("beside", BESIDE)
def test_emoji_beside_a_name_do_not_hide_it(name: str, beside: str) -> None:
    """What chooses how an emoji looks is no mark of a letter."""
    assert (clean_text(f"{name} {beside}") or "").startswith(name)
    assert (clean_text(f"{beside} {name}") or "").endswith(name)


@pytest.mark.parametrize(
    "name",
    ["\u5c71\ufa11", "\U00020bb7\u91ce", "\u314b\u314b\u314b", "\u0e99\u0ec9\u0eb3", "\u3105\u3106"],
    ids=["Yamazaki", "Yoshino", "Korean laughter", "water in Lao", "Bopomofo"],
)
def test_letters_that_have_a_plainer_form_are_drawn_as_written(name: str) -> None:
    assert clean_text(name) == (name if IS_SHAPED or name < "\u0e99" or name > "\u0eff" else None)


def test_what_chooses_the_look_of_a_letter_is_left_out() -> None:
    assert clean_text("\u8fbb\U000e0100") == "\u8fbb"


@pytest.mark.usefixtures("unshaped")
def test_without_shaping_no_name_is_drawn_wrong() -> None:
    assert {clean_text(name) for name in SHAPED_NAMES.values()} == {None}
    assert [clean_text(name) for name in PLAIN_NAMES.values()] == [*PLAIN_NAMES.values()]
    assert shown_name(SHAPED_NAMES["Arabic"], Colour.BLACK) == "Black"
    assert shown_caption(f"7. {SHAPED_NAMES['Thai']}: c2", (SHAPED_NAMES["Thai"], "Bob")) == "7. White: c2"


@pytest.mark.parametrize("name", [UNKNOWN, f"Ann {UNKNOWN}", "\U0001f3b2", "\u200d", "\u0301"])
def test_the_place_stands_for_a_name_that_no_font_has(name: str) -> None:
    assert png(card(name, 3)) == png(card("Player 3", 3))
    assert png(card(name, 12)) == png(card("Player 12", 12))


def test_names_of_two_scripts_are_drawn_part_by_part() -> None:
    assert clean_text("Ann 田中 Владимир") == "Ann 田中 Владимир"
    whole, parts = (
        text_width("Ann 田中 Bob", NAMES, SIZE),
        [text_width(part, NAMES, SIZE) for part in ("Ann ", "田中", " Bob")],
    )
    assert whole == sum(parts)


def test_what_parts_two_names_is_drawn_between_them() -> None:
    """At the end of an Arabic name, a space would stand before the name, and a bracket would turn round."""
    arabic = SHAPED_NAMES["Arabic"] if IS_SHAPED else "田中"
    parts = text._runs(f"{arabic} (White) – {arabic} (Black)", PLAIN)
    assert [part for part, _ in parts] == [arabic, " (White) – ", arabic, " (Black)"]


@pytest.mark.parametrize("name", ALL_NAMES.values(), ids=ALL_NAMES)
@pytest.mark.parametrize("room", range(20, 90, 7))
def test_shortened_names_fit_and_keep_their_letters_whole(name: str, room: int) -> None:
    clean = clean_text(name) or "Player"
    short = shorten_to_width(clean, NAMES, SIZE, room)
    assert text_width(short, NAMES, SIZE) <= room
    begin = short.strip("…")
    assert clean.startswith(begin)
    assert may_cut(clean, len(begin))


def test_the_ellipsis_is_where_a_name_goes_on() -> None:
    long = [clean_text(name * 9) or "" for name in (SHAPED_NAMES["Arabic"], SHAPED_NAMES["Hebrew"], "田中", "Ann")]
    short = [shorten_to_width(name, NAMES, SIZE, 90) for name in long if name]
    assert [name.startswith("…") for name in short] == [*[True] * 2 * IS_SHAPED, False, False]


def test_letters_are_joined_and_turned_as_their_scripts_want() -> None:
    """Arabic letters change where they are joined, and Hebrew goes from right to left."""
    for name, turned, is_same in (("אב", "בא", True), ("محمد", "دمحم", False)):
        for _, face in text._runs(name, NAMES):
            drawn, alone = load_font(face, SIZE).getmask(name), load_font(Face(face.file), SIZE).getmask(turned)
            assert (bytes(drawn) == bytes(alone)) == (is_same or not IS_SHAPED), name


def test_texts_of_the_program_need_no_other_font() -> None:
    told = "abcdefghiGx0123456789*-–;:,.…?!'’()[]×·→#±"
    assert {face for face in (PLAIN, NAMES) for _, own in text._runs(told, face) if own != face} == set()


def test_each_font_of_another_script_is_there() -> None:
    assert {face.file for face in OTHERS} < {path.name for path in FONTS.iterdir()}
    assert {face.layout for face in OTHERS} == {SHAPED_LAYOUT if IS_SHAPED else BASIC_LAYOUT}
