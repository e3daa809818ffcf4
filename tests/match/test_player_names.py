"""Names without signs that reorder, hide or stretch the text around them."""

import pytest

from gipfbot.match.player_names import LONGEST_NAME, NAMELESS, clean_name, drop_controls


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ann", "Ann"),
        ("Zoë Müller-Østergård", "Zoë Müller-Østergård"),
        ("Анна 李", "Анна 李"),
        ("דנה", "דנה"),
        ("Ann\u202e nnA", "Ann nnA"),
        ("\u2066Ann\u2069\u200b\u200d\ufeff", "Ann"),
        ("Ann\nBob\r\x1b[31m\x00", "Ann Bob [31m"),
        ("  Ann \u3000 Lee ", "Ann Lee"),
        ("\u3164\u2800\u115f", NAMELESS),
        ("\u200b", NAMELESS),
        ("", NAMELESS),
        ("A" + "\u0301" * 40, "A" + "\u0301" * 3),
        ("x" * 200, "x" * LONGEST_NAME),
    ],
)
def test_name_is_cleaned(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned
    assert clean_name(cleaned) == cleaned


def test_text_keeps_its_lines_without_controls() -> None:
    assert drop_controls("one\n\ttwo\x1b[0m\u202e") == "one\n\ttwo[0m"
