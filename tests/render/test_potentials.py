"""Loaded pieces, used potentials and stacks: told apart by shape, marked, and drawn without a table of letters."""

from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from gipfbot.rules import Colour, Kind, Piece, legal
from gipfbot.rules.actions import Use
from gipfbot.rules.changes import Event, events
from render import CLASSIC, THEMES, Ghost, Marks, Picture, Theme, compose_image, png
from render.layout import layout_for
from render.piece_sprites import OUTLINES, notched_disc
from tests.render.golden import PLAYERS, position
from tests.rules.loaded import act, at, then

TOPS = ("", "G", "Z", "P", "S", "z", "p", "s")
STACKS = ("[G]", "G[G]", "G[GG]", "p[P]", "p[pP]", "p[ppP]", "p[pppP]", "p[ppppP]")
SHAPES = (*TOPS, *STACKS)
MARKED = (False, True)
UNMARKED = Marks()


def piece(written: str, owner: Colour = Colour.WHITE) -> Piece:
    """Return a piece as the notation writes it: `p[P]` is a used potential on a loaded piece of the opponent."""
    top, _, below = written.rstrip("]").partition("[")
    under = tuple(Piece(Colour((owner + depth) % 2), Kind(kind)) for depth, kind in enumerate(below, 1))
    return Piece(owner, Kind(top), under)


def shown(written: str, owner: Colour = Colour.WHITE, marks: Marks = UNMARKED) -> Picture:
    """Return the picture of one piece on e4."""
    one = piece(written, owner)
    board = position("e4", "") if owner is Colour.WHITE else position("", "e4")
    odd = () if written == "" else ((sum(board.owned), one),)
    gipf = sum(board.owned) if one.kind is Kind.GIPF else 0
    return Picture(board._replace(odd=odd, gipf=gipf), PLAYERS, "", marks)


def around(drawn: Picture, theme: Theme = CLASSIC, spot: str = "e4", size: int = 400) -> Image.Image:
    """Return the part of a picture around a spot."""
    place = layout_for(size)
    (x, y), reach = place.point[spot], place.px(0.62)
    return compose_image(drawn, size, theme).convert("RGB").crop((x - reach, y - reach, x + reach, y + reach))


def share_changed(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ clearly."""
    changed = ImageChops.difference(one, other).convert("L").point([255 * (value > 60) for value in range(256)])
    return ImageStat.Stat(changed).mean[0] / 255


def two_tone(theme: Theme) -> Theme:
    """Return a theme in which both players have the same two colours, so that only shapes are seen."""
    body, sign = theme.piece[0], theme.edge[0]
    flat = replace(theme, piece=(body, body), shade=(body, body), edge=(sign, sign), sign=(sign, sign))
    return replace(flat, card=body, badge=sign, on_badge=body)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_all_kinds_and_stacks_differ_in_shape(theme: Theme) -> None:
    """Without colours, at 400 pixels, some 3 % of the pixels around a spot differ: more than 100."""
    seen = {written: around(shown(written), two_tone(theme)) for written in SHAPES}
    for one, other in combinations(seen, 2):
        assert share_changed(seen[one], seen[other]) > (0.03 if one in TOPS or other in TOPS else 0.006), (one, other)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("written", SHAPES)
def test_the_owner_of_every_kind_is_seen(theme: Theme, written: str) -> None:
    white, black = (around(shown(written, owner), theme) for owner in Colour)
    assert share_changed(white, black) > 0.15


@pytest.mark.parametrize("written", SHAPES)
@pytest.mark.parametrize("moved", MARKED)
def test_a_piece_stays_on_its_spot(written: str, moved: bool) -> None:
    """Nothing outside of the spot's surroundings changes."""
    marks = Marks(moved=("e4",)) if moved else Marks()
    empty = replace(shown("", marks=marks), position=position("", ""))
    place = layout_for(400)
    (x, y), reach = place.point["e4"], place.px(0.62)
    difference = ImageChops.difference(
        *(compose_image(one, 400).convert("RGB") for one in (shown(written, marks=marks), empty))
    )
    difference.paste((0, 0, 0), (x - reach, y - reach, x + reach, y + reach))
    difference.paste((0, 0, 0), (0, 0, 400, place.px(1.2)))  # the reserves
    difference.paste((0, 0, 0), (0, place.height - place.band - place.px(1.2), 400, place.height))
    assert difference.getbbox() is None


@pytest.mark.parametrize("size", [200, 201, 333, 2000])
def test_all_kinds_and_stacks_can_be_drawn_in_all_sizes(size: int) -> None:
    """Even in the smallest picture, loaded pieces, used potentials and stacks differ."""
    seen = {around(shown(written, marks=Marks(moved=("e4",))), size=size).tobytes() for written in SHAPES}
    assert len(seen) == len(SHAPES)


@pytest.mark.parametrize("written", SHAPES)
def test_a_moved_piece_has_a_ring(written: str) -> None:
    plain, moved = (around(shown(written, marks=marks)) for marks in (Marks(), Marks(moved=("e4",))))
    assert share_changed(plain, moved) > 0.02


def test_a_letter_without_an_outline_is_drawn_as_its_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row of the table gives it an outline of its own."""
    pictures = [around(shown(letter)) for letter in "QR"]
    assert share_changed(*pictures) > 0.01
    monkeypatch.setitem(OUTLINES, "T", notched_disc)
    assert share_changed(around(shown("T")), pictures[0]) > 0.05


@pytest.mark.parametrize("flipped", MARKED)
def test_nothing_hides_what_lies_in_a_stack(flipped: bool) -> None:
    """The chips look the same whatever stands around them."""
    kinds = ("G", "G[GG]", "P", "p[pP]")
    below = "e5" if flipped else "e3"
    place = layout_for(400, flipped)
    x, y = place.point["e4"]
    chips = (x - place.px(0.3), y + place.px(0.2), x + place.px(0.3), y + place.px(0.5))
    seen = set()
    for kind in kinds:
        top, _, under = kind.partition("[")
        line = f"standard+P6 w W=Gb5,Gh5,Ge4[GG],{top}{below}{'[' * bool(under)}{under} B=Gb2"
        seen.add(compose_image(Picture(at(line), PLAYERS, flipped=flipped), 400).crop(chips).tobytes())
    assert len(seen) == 1


# ── Marks ──

JUMP = "standard+Z3P3 w W=Gb5,Zb3,Pe3 B=c3,d3,Ge4,h3"


def marks_of(line: str, *texts: str) -> Picture:
    """Return the picture after these actions, with their marks."""
    here, told = at(line), list[Event]()
    for text in texts:
        after = then(here, text)
        told += events(here, act(text), after)
        here = after
    return Picture(here, PLAYERS, "", Marks.of_turn(told))


def use(written: str) -> Use:
    found = act(written)
    assert isinstance(found, Use)
    return found


def test_a_use_is_marked_by_its_arc_and_its_target() -> None:
    after = marks_of("standard+Z3 w W=Gb5,Zb3 B=c3,d3,Ge8", "Zb3>e3")
    assert after.marks == Marks(act=use("Zb3>e3"), moved=("e3",))
    without = replace(after, marks=replace(after.marks, act=None))
    for spot in ("b3", "c3"):
        assert share_changed(around(after, spot=spot), around(without, spot=spot)) > 0.01, spot


def test_an_arc_leaves_the_straight_line() -> None:
    """So it is unlike the arrow of a push, and does not hide the pieces that are jumped over."""
    board = at(JUMP)
    plain, bent = (Picture(board, PLAYERS, "", marks) for marks in (UNMARKED, Marks(act=use("Zb3>f2"))))
    changed = ImageChops.difference(*(compose_image(one, 400).convert("RGB") for one in (plain, bent)))
    place = layout_for(400)
    for spot in ("c3", "d3"):
        x, y = place.point[spot]
        assert changed.crop((x - 4, y - 4, x + 4, y + 4)).getbbox() is None, spot
    assert changed.crop((place.point["c3"][0], 0, place.point["d3"][0], 484)).getbbox() is not None


def test_the_uses_to_choose_from_have_an_arc_each() -> None:
    board = at(JUMP)
    uses = tuple(one for one in legal(board) if isinstance(one, Use))
    assert {use.spot for use in uses} == {"b3", "e3"}
    drawn = [png(Picture(board, PLAYERS, "", Marks(choices=chosen)), size=400) for chosen in ((), uses[:1], uses)]
    assert len({*drawn}) == 3


def test_one_arc_stands_for_one_and_for_two_pieces_put_down() -> None:
    board = at(JUMP)
    both = tuple(one for one in legal(board) if isinstance(one, Use) and one.put)
    assert [one.put for one in both] == [1, 2]
    assert png(Picture(board, PLAYERS, "", Marks(choices=both))) == png(
        Picture(board, PLAYERS, "", Marks(choices=both[:1]))
    )


@pytest.mark.parametrize("standing", MARKED)
def test_removed_pieces_of_all_kinds_look_different(standing: bool) -> None:
    """Each is drawn on its vacant spot, or small beside the piece that stands there now."""
    board = position("e4" * standing, "")
    ghosts = [Ghost("e4", piece(kind, owner), captured) for kind in TOPS for owner in Colour for captured in MARKED]
    drawn = {around(Picture(board, PLAYERS, "", Marks(ghosts=(ghost,)))).tobytes() for ghost in ghosts}
    assert len(drawn) == len(ghosts)


def test_two_pieces_removed_from_one_spot_are_both_seen() -> None:
    top, freed = Ghost("e4", piece("p")), Ghost("e4", piece("P", Colour.BLACK), captured=True)
    board = position("", "")
    drawn = [
        around(Picture(board, PLAYERS, "", Marks(ghosts=ghosts))).tobytes()
        for ghosts in ((top,), (freed,), (top, freed), (freed, top), (top, freed, freed), (freed, freed, freed))
    ]
    assert len({*drawn}) == len(drawn)


def test_three_pieces_removed_from_one_spot_are_all_seen() -> None:
    """The two upper ones stand at different corners, so neither hides the other."""
    upper, lower = (Ghost("e4", piece("P", owner)) for owner in Colour)
    drawn = {
        around(Picture(position("", ""), PLAYERS, "", Marks(ghosts=(highest, upper, lower)))).tobytes()
        for highest in (upper, lower)
    }
    assert len(drawn) == 2


def test_freed_pieces_and_a_covered_last_gipf_piece_are_marked() -> None:
    freed = marks_of("standard+P3 w W=Gb5,e2,e3,pe4[P],e5 B=Ge8", "e: e2 e3 e4 e5").marks
    assert freed.freed == (("e4", Piece(Colour.BLACK, Kind("P"))),)
    assert Ghost("e4", Piece(Colour.WHITE, Kind("p"))) in freed.ghosts
    assert marks_of("standard+P3 w W=Gb5,Pd3 B=Gd4", "Pd3>d4+1").marks.decisive == ("d4",)


# ── Potentials left ──


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_potentials_left_are_seen_beside_the_reserve(theme: Theme) -> None:
    """Every number of every kind gives another picture, and names, however long, change nothing there."""
    board = at("standard+Z6P6 w W=Gb5 B=Ge8")
    parts = set()
    for left in ((0, 0), (1, 0), (0, 1), (5, 6), (6, 5), (6, 6)):
        shown = board._replace(left=(left, (0, 0)))
        drawn = [corner(Picture(shown, names), theme) for names in (PLAYERS, ("W" * 200, "W" * 200))]
        assert drawn[0] == drawn[1]
        parts.add(drawn[0])
    assert len(parts) == 6


def corner(drawn: Picture, theme: Theme) -> bytes:
    """Return the right part of the lower strip, where the reserve is."""
    place = layout_for(400)
    box = (place.point["e1"][0] + place.px(0.3), place.point["g1"][1], 400, place.height - place.band)
    return compose_image(drawn, 400, theme).crop(box).tobytes()


@pytest.mark.parametrize("flipped", MARKED)
@pytest.mark.parametrize("size", [200, 400, 800])
@pytest.mark.parametrize("agreed", ["Z6", "Z6P6", "Z6P6S6"])
def test_the_potentials_left_hide_no_name_of_a_dot(flipped: bool, size: int, agreed: str) -> None:
    kinds = tuple((letter, 6) for letter in agreed[::2])
    board = at("standard+Z6P6 w W=Gb5 B=Ge8")
    counts = (6,) * len(kinds)
    full = board._replace(rules=replace(board.rules, potentials=kinds), left=(counts, counts))
    drawn = [compose_image(Picture(one, PLAYERS, flipped=flipped), size).convert("RGB") for one in (board, full)]
    difference = ImageChops.difference(*drawn)
    assert difference.getbbox() is not None
    place = layout_for(size, flipped)
    for dot, (x, y) in place.label.items():
        reach, down = place.px(0.24), place.px(0.13)
        assert difference.crop((x - reach, y - down, x + reach, y + down)).getbbox() is None, dot
