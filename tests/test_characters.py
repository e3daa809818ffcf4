from itertools import pairwise

import pytest

from gipfbot.characters import cut_text, keep_signs, may_cut, searchable
from gipfbot.notation.errors import ParseError, excerpt
from gipfbot.rules.sentences import Sentence
from gipfbot.ui.kit.texts import escape_text, quote_text, shorten_text
from tests.support.characters import CLUSTERS, JOINED_LETTERS, WHOLE_EMOJI


@pytest.mark.parametrize("whole", CLUSTERS)
def test_no_cut_goes_through_a_character(whole: str) -> None:
    text = f"a{whole}{whole}z"
    assert {cut_text(text, most) for most in range(len(text) + 1)} == {"", "a", f"a{whole}", f"a{whole}{whole}", text}


def test_flags_are_cut_in_pairs() -> None:
    flags = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7\U0001f1ee\U0001f1f9"
    assert [at for at in range(len(flags) + 1) if may_cut(flags, at)] == [0, 2, 4, 6]
    assert [at for at in range(len(flags) + 2) if may_cut(f"a{flags}", at)] == [0, 1, 3, 5, 7]


@pytest.mark.parametrize("text", ["ann", "Zoë", "田中さん", "한국", "דנה", "Владимир", "★ann★", "\U0001f3b2\U0001f600"])
def test_a_cut_may_go_between_all_other_characters(text: str) -> None:
    assert all(may_cut(text, at) for at in range(len(text) + 1))


@pytest.mark.parametrize("text", ["", "a", "\u200d" * 9, "\u0301" * 9, "\U0001f1e9" * 9, "\u094d" * 9])
@pytest.mark.parametrize("most", [0, 1, 5, 9, 99])
def test_a_cut_text_begins_the_text(text: str, most: int) -> None:
    assert text.startswith(cut_text(text, most))
    assert len(cut_text(text, most)) <= most


@pytest.mark.parametrize("whole", [*WHOLE_EMOJI, *JOINED_LETTERS])
def test_signs_are_kept_inside_of_whole_characters_only(whole: str) -> None:
    assert keep_signs(f"\u200d{whole}\u200b", str.isprintable) == whole
    assert keep_signs(f"\u200d{whole}\u200b", str.isprintable, "?") == f"?{whole}?"


@pytest.mark.parametrize("whole", CLUSTERS)
@pytest.mark.parametrize("before", range(4))
def test_texts_for_people_are_cut_at_whole_characters(whole: str, before: int) -> None:
    text = "a" * before + whole * 9
    ends = ["a" * before + whole * count for count in range(9)]
    for most in range(before + 1, len(text)):
        assert shorten_text(text, most).removesuffix("…") in ends
        assert excerpt(text, length=most).removesuffix("…") in ends
        assert quote_text(text, most).strip("`").removesuffix("…") in ["?", *ends]


@pytest.mark.parametrize("whole", [*WHOLE_EMOJI, *JOINED_LETTERS])
def test_escaped_names_keep_emoji_whole(whole: str) -> None:
    assert escape_text(f"A_{whole}").removeprefix("A\\_").removeprefix("\\") == whole


def test_only_the_star_of_a_keycap_is_escaped() -> None:
    """It would begin italics. A number sign begins a heading only before a space."""
    assert escape_text("#\ufe0f\u20e3 # *\ufe0f\u20e3") == "#\ufe0f\u20e3 \\# \\*\ufe0f\u20e3"


def test_a_cut_leaves_no_backslash_that_escapes_the_rest() -> None:
    assert shorten_text(escape_text("a*b"), 3) == "a…"


def test_a_place_in_a_text_is_shown_with_whole_characters() -> None:
    """What stands around the fault is cut on both sides."""
    family = WHOLE_EMOJI[0]
    for before in range(6):
        shown = ParseError(
            Sentence("a turn"), family * 9 + "a" * before + "?" + family * 9, 9 * len(family) + before
        ).caret
        left, right = shown.splitlines()[0].split("?")
        assert set(left.strip("…a").split(family)) == set(right.strip("…").split(family)) == {""}


def test_boundaries_are_those_of_unicode() -> None:
    """The joined examples of Unicode's own list, as far as names have them."""
    told = ["e\u0301", "\u1112\u1161\u11ab", "\u0e01\u0e33", "\u0915\u094d\u0937\u093f", *WHOLE_EMOJI]
    text = "".join(told)
    assert [text[start:end] for start, end in pairwise(at for at in range(len(text) + 1) if may_cut(text, at))] == told


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("José", "Jose\u0301"),
        ("Jose\u0301", "josé"),
        ("José", "jose"),
        ("İlker", "ilk"),
        ("IŞIK", "\u0131ş\u0131k"),
        ("Iş\u0131k", "isik"),
        ("Łukasz", "luk"),
        ("Weiß", "WEISS"),
        ("ΟΔΥΣΣΕΥΣ", "Οδυσσεύς"),
        ("\U0001d4d0\U0001d4f7\U0001d4f7\U0001d4ea \U0001f338", "anna"),
        ("\uff21\uff4e\uff4e", "Ann"),
        ("Йод", "и\u0306\u043eд"),
        ("한글", "\u1112\u1161\u11ab"),
        ("100%_x", "%_X"),
    ],
)
def test_names_are_found_as_people_type_them(name: str, typed: str) -> None:
    assert searchable(typed) in searchable(f"#a1 vs {name}")


@pytest.mark.parametrize(("name", "typed"), [("100%_x", "%x"), ("100%_x", "1_0"), ("Ann", "Bob"), ("\U0001f98a", "a")])
def test_other_texts_find_no_name(name: str, typed: str) -> None:
    assert searchable(typed) not in searchable(name)
