from dataclasses import replace
from io import BytesIO
from math import hypot

import pytest
from PIL import Image, ImageChops

from gipfbot.rules.actions import PUSHES
from gipfbot.rules.geometry import DOTS, SPOTS
from gipfbot.rules.pieces import Colour, Kind, Piece, Reason, Result
from gipfbot.rules.position import start
from gipfbot.rules.rulesets import STANDARD, TOURNAMENT
from render import CLASSIC, Ghost, Marks, Picture, compose_image, png
from render.layout import layout_for
from render.theme import parse_rgb, theme_palette
from tests.render.golden import ALL, PICTURES, PLAYERS, position

Box = tuple[int, int, int, int]
NONE = Marks()
EMPTY = Picture(start(TOURNAMENT), PLAYERS, "")
START = Picture(start(STANDARD), PLAYERS, "")


def picture(white: str = "", black: str = "", marks: Marks = NONE) -> Picture:
    return Picture(position(white, black), PLAYERS, "", marks)


def colour_at(drawn: Picture, point: str, up: float = 0, size: int = 800) -> tuple[int, ...]:
    """Return the colour at a point, or some units above it."""
    place = layout_for(size)
    x, y = place.point[point]
    pixel = compose_image(drawn, size).convert("RGB").getpixel((x, y - round(up * place.unit)))
    assert isinstance(pixel, tuple)
    return pixel


def changed(one: Picture, other: Picture, size: int = 800) -> Box | None:
    """Return the box in which two pictures differ, or None."""
    return ImageChops.difference(
        compose_image(one, size).convert("RGB"), compose_image(other, size).convert("RGB")
    ).getbbox()


def near(box: Box | None, *points: str, units: float = 0.75) -> bool:
    """Return whether a box is not empty and lies within some units of the points."""
    if box is None:
        return False
    place = layout_for(800)
    reach = units * place.unit
    across, down = [place.point[point][0] for point in points], [place.point[point][1] for point in points]
    return (
        min(across) - reach <= box[0]
        and min(down) - reach <= box[1]
        and box[2] <= max(across) + reach
        and box[3] <= max(down) + reach
    )


@pytest.mark.parametrize("drawn", PICTURES.values(), ids=PICTURES)
def test_the_same_description_gives_the_same_bytes(drawn: Picture) -> None:
    before = png(drawn, size=500)
    for other in PICTURES.values():
        png(other, size=500)
    assert png(drawn, size=500) == before


def test_the_caches_do_not_change_a_picture() -> None:
    """Nothing is drawn onto a cached picture: the empty board stays empty."""
    before = png(EMPTY)
    png(PICTURES["removed"])
    assert png(EMPTY) == before


@pytest.mark.parametrize("size", [200, 201, 355, 400, 800, 2000])
def test_a_picture_is_as_wide_as_asked_for(size: int) -> None:
    image = Image.open(BytesIO(png(PICTURES["removed"], size=size)))
    assert image.format == "PNG"
    assert image.mode == "P"
    assert image.width == size
    assert 1.15 < image.height / image.width < 1.25


@pytest.mark.parametrize("name", ALL)
def test_a_file_holds_exactly_what_is_drawn(name: str) -> None:
    """Its parts are whole, and it has the pixels and the palette that Pillow would write."""
    image, written = compose_image(ALL[name], 333), BytesIO()
    image.save(written, "PNG")
    file = png(ALL[name], size=333)
    Image.open(BytesIO(file)).verify()
    ours, theirs = (Image.open(BytesIO(each)) for each in (file, written.getvalue()))
    assert (ours.tobytes(), ours.getpalette()) == (theirs.tobytes(), theirs.getpalette())
    assert len(file) < len(written.getvalue())


@pytest.mark.parametrize("size", [-1, 0, 199, 2001])
def test_other_sizes_are_refused_with_the_range(size: int) -> None:
    with pytest.raises(ValueError, match=f"200 to 2000 pixels wide, not {size}"):
        png(START, size=size)


def test_white_sits_below_and_a_is_on_the_left() -> None:
    """R1.1: White sees the columns from left to right. Numbers count upwards from White, with e1 at the bottom."""
    point = layout_for(800).point
    assert point["e1"][1] == max(y for _, y in point.values())
    assert point["e9"][1] == min(y for _, y in point.values())
    assert point["a1"][0] < point["e1"][0] < point["i1"][0]
    assert point["a1"][1] > point["a5"][1]
    assert point["a1"][1] == point["i1"][1]
    assert point["e1"][0] == point["e9"][0] == 400


@pytest.mark.parametrize("size", [200, 333, 400, 800, 1999])
def test_every_point_and_every_name_is_inside(size: int) -> None:
    place = layout_for(size)
    for x, y in (*place.point.values(), *place.label.values()):
        assert 0.25 * place.unit < x < size - 0.25 * place.unit
        assert 0.25 * place.unit < y < place.height - place.band


def test_every_dot_has_its_name_outside_the_board() -> None:
    place = layout_for(800)
    image = compose_image(EMPTY).convert("RGB")
    assert place.label.keys() == {*DOTS}
    for x, y in place.label.values():
        colours = image.crop((x - 15, y - 12, x + 15, y + 12)).getcolors()
        assert colours is not None
        assert parse_rgb(CLASSIC.label) in [colour for _, colour in colours]


@pytest.mark.parametrize("spot", SPOTS)
def test_a_piece_stands_on_its_spot_and_changes_nothing_else(spot: str) -> None:
    one, two = picture(f"{spot}"), picture("", f"{spot}")
    assert colour_at(one, spot) == parse_rgb(CLASSIC.piece[0])
    assert colour_at(two, spot) == parse_rgb(CLASSIC.piece[1])
    corners = layout_for(800).px(0.9)  # the middle part of the picture, without the reserves
    difference = ImageChops.difference(compose_image(one).convert("RGB"), compose_image(two).convert("RGB"))
    box = difference.crop((0, corners, 800, layout_for(800).height - corners - layout_for(800).band)).getbbox()
    assert box is not None
    assert near((box[0], box[1] + corners, box[2], box[3] + corners), spot, units=0.42)


def test_standard_starts_with_white_on_e2_and_black_on_e8() -> None:
    """R2.1: these are GIPF-pieces. The inside of their ring shows the colour."""
    assert colour_at(START, "e2", up=0.07 + 0.14) == parse_rgb(CLASSIC.piece[0])
    assert colour_at(START, "e8", up=0.07 + 0.14) == parse_rgb(CLASSIC.piece[1])
    assert colour_at(START, "e5") == parse_rgb(CLASSIC.line)


@pytest.mark.parametrize("colour", Colour)
def test_a_gipf_piece_differs_in_outline_and_in_its_middle(colour: Colour) -> None:
    sides = [("e4", ""), ("Ge4", "")] if colour is Colour.WHITE else [("", "e4"), ("", "Ge4")]
    basic, gipf = (picture(*side) for side in sides)
    assert colour_at(basic, "e4", up=-0.44) == colour_at(picture(), "e4", up=-0.44)
    assert colour_at(gipf, "e4", up=-0.44) != colour_at(picture(), "e4", up=-0.44)
    assert colour_at(gipf, "e4", up=0.07) == parse_rgb(CLASSIC.sign[colour])


def test_adjacent_pieces_do_not_hide_each_other() -> None:
    both = compose_image(picture("e4", "e5 d4 f4 d3 f3 e3")).convert("RGB")
    alone = compose_image(picture("e4")).convert("RGB")
    x, y = layout_for(800).point["e4"]
    reach = layout_for(800).px(0.28)
    box = (x - reach, y - reach, x + reach, y + reach)
    assert both.crop(box).tobytes() == alone.crop(box).tobytes()


PUSH = PUSHES["e1", "e2", Kind.BASIC]
WAYS = (PUSHES["d1", "d2", Kind.BASIC], PUSHES["d1", "e2", Kind.BASIC])
MARKS = {
    "push": (Marks(act=PUSH), ("e1", "e2")),
    "moved": (Marks(moved=("e4",)), ("e4",)),
    "choice": (Marks(choices=(PUSH,)), ("e1", "e2")),
    "choice of a GIPF-piece": (Marks(choices=(PUSHES["a4", "b4", Kind.GIPF],)), ("a4", "b4")),
    "ghost": (Marks(ghosts=(Ghost("c3", Piece(Colour.WHITE, Kind.BASIC)),)), ("c3",)),
    "ghost on a piece": (Marks(ghosts=(Ghost("e4", Piece(Colour.BLACK, Kind.GIPF)),)), ("e4",)),
    "row": (Marks(rows=(("A", ("c2", "c3", "c4", "c5")),)), ("c2", "c5")),
    "number": (Marks(numbers=(("e4", 1),)), ("e4",)),
}


@pytest.mark.parametrize(("marks", "points"), MARKS.values(), ids=MARKS)
def test_a_mark_changes_the_picture_where_it_stands(marks: Marks, points: tuple[str, ...]) -> None:
    assert near(changed(picture("e4"), picture("e4", marks=marks)), *points, units=0.95)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Marks(act=PUSH), Marks(choices=(PUSH,))),
        (Marks(choices=(PUSH,)), Marks(choices=(PUSHES["e1", "e2", Kind.GIPF],))),
        (Marks(choices=(PUSHES["d1", "d2", Kind.BASIC],)), Marks(choices=(PUSHES["d1", "e2", Kind.BASIC],))),
        (Marks(choices=WAYS[:1]), Marks(choices=WAYS)),
        *(
            (
                Marks(ghosts=(Ghost(spot, Piece(Colour.BLACK, Kind.BASIC)),)),
                Marks(ghosts=(Ghost(spot, piece, captured),)),
            )
            for spot in ("c3", "e4")
            for piece, captured in (
                (Piece(Colour.BLACK, Kind.BASIC), True),
                (Piece(Colour.BLACK, Kind.GIPF), False),
                (Piece(Colour.WHITE, Kind.BASIC), False),
            )
        ),
        (Marks(numbers=(("e4", 1),)), Marks(numbers=(("e4", 2),))),
        (Marks(rows=(("A", ("c2", "c3", "c4", "c5")),)), Marks(rows=(("B", ("c2", "c3", "c4", "c5")),))),
    ],
)
def test_different_marks_look_different(one: Marks, other: Marks) -> None:
    assert changed(picture("e4", marks=one), picture("e4", marks=other)) is not None


def test_letters_of_rows_with_one_start_stand_apart() -> None:
    """The second letter stands at the other end of its row."""
    row = ("e4", "e5", "e6", "e7")
    like_a, like_b = (chr(ord(letter) + len(CLASSIC.rows)) for letter in "AB")  # letters of the same colours
    both = picture(marks=Marks(rows=(("A", row), ("B", row))))
    assert near(changed(both, picture(marks=Marks(rows=((like_a, row), ("B", row))))), "e4", units=0.9)
    assert near(changed(both, picture(marks=Marks(rows=(("A", row), (like_b, row))))), "e7", units=0.9)


ROW = ("c2", "c3", "c4", "c5")
CAPTURED = Marks(ghosts=(Ghost("c6", Piece(Colour.BLACK, Kind.BASIC), captured=True),))


@pytest.mark.parametrize(
    ("white", "marks", "hidden"),
    [
        ("", replace(CAPTURED, act=PUSHES["c1", "c2", Kind.BASIC]), ("c1", "c2", "c6")),
        ("c6", Marks(act=PUSHES["c1", "c2", Kind.BASIC]), ("c1", "c2", "c6")),
        ("b2 b3 b4 b5", replace(CAPTURED, act=PUSHES["c1", "c2", Kind.BASIC]), ("b3", "c1", "c2", "c6")),
    ],
)
def test_the_letter_of_a_row_hides_no_piece_and_no_arrow(white: str, marks: Marks, hidden: tuple[str, ...]) -> None:
    """Above all not the captured piece beside the row, which the letter explains. Only the letter differs."""
    one, other = (picture(white, marks=replace(marks, rows=((letter, ROW),))) for letter in ("", "A"))
    box = changed(one, other)
    assert box
    place = layout_for(800)
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    assert all(
        hypot(middle[0] - x, middle[1] - y) > 0.6 * place.unit for x, y in (place.point[point] for point in hidden)
    )


def test_a_mark_at_an_unknown_point_is_refused() -> None:
    with pytest.raises(KeyError):
        png(picture(marks=Marks(numbers=(("k9", 1),))))


def test_the_player_to_move_and_the_result_are_visible() -> None:
    white, black = start(STANDARD), start(STANDARD)._replace(mover=Colour.BLACK)
    drawn = [white, black, white._replace(pushed=True), *(white._replace(result=result) for result in RESULTS)]
    assert len({png(Picture(one, PLAYERS)) for one in drawn}) == len(drawn)


RESULTS = [
    *(
        Result(colour, reason)
        for colour in Colour
        for reason in (Reason.GIPF, Reason.RESERVE, Reason.TIME, Reason.RESIGN)
    ),
    Result(None, Reason.REPETITION),
    Result(None, Reason.AGREEMENT),
]


def test_reserves_and_captured_pieces_are_visible() -> None:
    white = start(STANDARD)
    drawn = [white._replace(reserve=(mine, 12), captured=(0, lost)) for mine in range(19) for lost in (0, 1, 2, 18)]
    assert len({png(Picture(one, PLAYERS), size=200) for one in drawn}) == len(drawn)


def test_all_spots_of_the_empty_board_look_alike() -> None:
    for size in (200, 400, 799, 800, 1333):
        place = layout_for(size)
        image = compose_image(EMPTY, size).convert("RGB")
        reach = place.px(0.4)
        middles = [place.point[spot] for spot in SPOTS]
        views = {image.crop((x - reach, y - reach, x + reach, y + reach)).tobytes() for x, y in middles}
        assert len(views) == 1


def test_the_palette_has_at_most_256_colours() -> None:
    assert len(theme_palette(CLASSIC).colours) <= 256


def test_picture_without_a_caption_has_no_empty_band() -> None:
    """The rest of it is the same."""
    captioned = compose_image(Picture(start(STANDARD), ("Ann", "Bob"), caption="#a7"), 400)
    bare = compose_image(Picture(start(STANDARD), ("Ann", "Bob")), 400)
    assert (captioned.height - bare.height, bare.width) == (layout_for(400).band, captioned.width)
    assert captioned.crop((0, 0, *bare.size)).tobytes() == bare.tobytes()
