"""Everybody can read every theme: with normal sight, with colour blindness, and in grey.

coloraide computes colour differences (CIEDE2000) and simulates other eyes (Brettel and Viénot).
"""

from itertools import combinations

import pytest
from coloraide import Color

from render.theme import THEMES, Palette, Theme

EYES = ("normal", "protan", "deutan", "tritan")
APART = 20
READABLE = 4.5  # the contrast that WCAG 2 asks of text

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def seen(colour: str, eyes: str) -> Color:
    """Return how a colour looks to these eyes."""
    return Color(colour) if eyes == "normal" else Color(colour).filter(eyes)


def contrast(one: str, other: str) -> float:
    return float(Color(one).contrast(Color(other), method="wcag21"))


def parts(theme: Theme) -> dict[str, str]:
    """Return the colours that a position is read from."""
    return {
        "board": theme.board,
        "White piece": theme.piece[0],
        "Black piece": theme.piece[1],
        "sign of White's GIPF-piece": theme.sign[0],
        "sign of Black's GIPF-piece": theme.sign[1],
    }


def test_there_are_five_themes_with_names_of_their_own() -> None:
    assert len({theme.name for theme in THEMES.values()}) == len(THEMES) >= 5


@every_theme
@pytest.mark.parametrize("eyes", EYES)
def test_the_colours_of_a_position_differ_for_all_eyes(theme: Theme, eyes: str) -> None:
    for (one, first), (other, second) in combinations(parts(theme).items(), 2):
        difference = seen(first, eyes).delta_e(seen(second, eyes), method="2000")
        assert difference >= APART, f"{one} and {other} look alike: {difference:.1f}"


@every_theme
def test_the_colours_of_a_position_differ_in_grey(theme: Theme) -> None:
    grey = {name: seen(colour, "grayscale").convert("lab-d65")[0] for name, colour in parts(theme).items()}
    for one, other in combinations(grey, 2):
        assert abs(grey[one] - grey[other]) >= APART, f"{one} and {other} look alike in grey"


@every_theme
def test_texts_can_be_read(theme: Theme) -> None:
    for text, ground in (
        (theme.text, theme.card),
        (theme.text, theme.band),
        (theme.faint, theme.card),
        (theme.label, theme.card),
        *((theme.on_badge, ground) for ground in (theme.accent, theme.badge, *theme.rows)),
    ):
        assert contrast(text, ground) >= READABLE, f"{text} on {ground}"


@every_theme
def test_letters_of_potentials_can_be_read(theme: Theme) -> None:
    """WCAG 2 asks of signs for a contrast of 3. Beside the reserve, their outlines stand out from the card."""
    for body, sign in zip(theme.piece, theme.sign, strict=True):
        assert contrast(body, sign) >= 3, f"{sign} on {body}"
        assert Color(sign).delta_e(Color(theme.card), method="2000") >= APART, f"{sign} on {theme.card}"


@every_theme
def test_lines_and_marks_stand_out_from_the_board(theme: Theme) -> None:
    for mark in (theme.accent, theme.line):
        difference = Color(mark).delta_e(Color(theme.board), method="2000")
        assert difference >= APART, f"{mark} on {theme.board}: {difference:.1f}"


@every_theme
def test_all_colours_and_soft_edges_fit_one_palette(theme: Theme) -> None:
    assert len(Palette(theme).colours) <= 256
