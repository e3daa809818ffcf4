"""Replays, decoded: what their frames show and for how long, and that they keep their limits."""

from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import islice, pairwise
from random import Random
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops, ImageSequence

from gipfbot.match import position_after
from gipfbot.notation import read_record
from gipfbot.rules import STANDARD, Colour, Push, Reason, Remove, Result, play, start
from gipfbot.ui.kit.pictures import describe_actions
from render import CLASSIC, THEMES, Marks, Picture, Theme, compose_image
from render.layout import layout_for
from render.replay import BETWEEN, FIRST, LAST, REPLAY_PACES, GifPart, Replay, ReplayTurn, _Film, gif_file, replay_parts
from render.theme import FadingPalette, parse_rgb, theme_palette
from tests.bench.samples import lasting_game
from tests.render.golden import PLAYERS
from tests.rules.loaded import act, at
from tests.support.paths import DATA

ROOM = 10 * 1024 * 1024
PACE = REPLAY_PACES["normal"]


class Frame(NamedTuple):
    image: Image.Image  # as people see it, in full colour
    time: int  # hundredths of a second


@cache
def recorded() -> Replay:
    """Return a game with removals before and after pushes, and captures."""
    record = read_record((DATA / "records/standard-16.turns").read_text(encoding="utf-8"))
    turns = tuple(
        ReplayTurn(
            step.actions,
            Picture(step.after, PLAYERS, step.text, Marks.of_turn(describe_actions(step.before, step.actions))),
        )
        for step in record.turns
    )
    return Replay(Picture(record.turns[0].before, PLAYERS, "The start"), turns)


@cache
def lasting(count: int) -> Replay:
    position, turns = start(STANDARD), list[ReplayTurn]()
    for number, actions in enumerate(islice(lasting_game(Random(4)), count), 1):
        marks = Marks.of_turn(describe_actions(position, actions))
        position = position_after(position, actions)
        turns.append(ReplayTurn(actions, Picture(position, PLAYERS, f"Turn {number}", marks)))
    return Replay(Picture(start(STANDARD), PLAYERS), tuple(turns))


def cut(replay: Replay, first: int, last: int) -> Replay:
    return Replay(replay.board(first - 1), replay.turns[first - 1 : last])


def seen(file: bytes) -> list[Frame]:
    with Image.open(BytesIO(file)) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0, "it stops"
        return [Frame(frame.convert("RGB"), frame.info["duration"] // 10) for frame in ImageSequence.Iterator(film)]


def alike(frame: Frame, picture: Picture, size: int) -> bool:
    other = compose_image(picture, size).convert("RGB")
    if not picture.caption:  # the frames of a film keep the band of the caption, so that all have one size
        frame = frame._replace(image=frame.image.crop((0, 0, *other.size)))
    return frame.image.size == other.size and ImageChops.difference(frame.image, other).getbbox() is None


def boards(frames: list[Frame], replay: Replay, size: int) -> list[int]:
    """Return the numbers of the turns whose boards are shown, in order. Each is searched after the one before."""
    wanted = iter(enumerate([replay.first, *(turn.board for turn in replay.turns)]))
    return [
        next((number for number, picture in wanted if alike(frame, picture, size)), -1)
        for frame in frames
        if frame.time >= PACE.board
    ]


# ── What the frames show ──


def test_every_board_looks_as_in_a_single_picture() -> None:
    replay = cut(recorded(), 46, 53)
    frames = seen(gif_file(replay, ROOM, size=220))
    assert boards(frames, replay, 220) == [*range(9)]
    assert alike(frames[0], replay.first, 220)
    assert alike(frames[-1], replay.turns[-1].board, 220)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_frames_have_the_colours_of_the_theme(theme: Theme) -> None:
    replay = cut(recorded(), 8, 9)
    frames = seen(gif_file(replay, ROOM, size=200, theme=theme))
    for frame, picture in ((frames[0], replay.first), (frames[-1], replay.turns[-1].board)):
        other = compose_image(picture, 200, theme).convert("RGB")
        assert ImageChops.difference(frame.image, other).getbbox() is None


@pytest.mark.parametrize("flipped", [False, True])
def test_a_piece_slides_from_its_dot_to_its_spot(flipped: bool) -> None:
    """White pushes h1-h3. Both pieces go one step along the column, and never back."""
    first, turn = recorded().first, recorded().turns[0]
    replay = Replay(replace(first, flipped=flipped), (turn._replace(board=replace(turn.board, flipped=flipped)),))
    frames = seen(gif_file(replay, ROOM))[1:-1]
    assert [frame.time for frame in frames] == [PACE.push // BETWEEN[0]] * BETWEEN[0]
    point = layout_for(800, flipped).point
    (x, start_y), (_, end_y) = point["h1"], point["h2"]
    places = [middle(frame.image, x, parse_rgb(CLASSIC.piece[0]), near=(start_y, end_y)) for frame in frames]
    assert abs(places[0] - start_y) <= 2
    way = [abs(place - start_y) for place in places]
    assert way == sorted(set(way)), "it rests, or goes back"
    assert 0.8 * abs(end_y - start_y) < way[-1] < abs(end_y - start_y)
    black = [extent(frame.image, x, parse_rgb(CLASSIC.piece[1])) for frame in frames]
    assert max(black) <= black[0] + 2, "a piece is left behind"


@pytest.mark.parametrize("flipped", [False, True])
def test_a_potential_jumps_along_its_arc(flipped: bool) -> None:
    """It leaves its basic piece at once, passes beside the pieces between, and comes nearer with each image."""
    before, use = at("standard+Z3 w W=Gb5,Zd3 B=d4,d5,Ge8"), act("Zd3>d6")
    board = Picture(play(before, use), PLAYERS, flipped=flipped)
    replay = Replay(Picture(before, PLAYERS, flipped=flipped), (ReplayTurn((use,), board),))
    first, *frames = seen(gif_file(replay, ROOM))[:-1]
    assert [frame.time for frame in frames] == [PACE.push // BETWEEN[0]] * BETWEEN[0]
    place = layout_for(800, flipped)
    (x, start_y), (_, end_y), reach = place.point["d3"], place.point["d6"], place.px(0.5)
    middles = []
    for frame in frames[1:]:
        changed = ImageChops.difference(first.image, frame.image)
        changed.paste((0, 0, 0), (x - reach, start_y - reach, x + reach, start_y + reach))
        box = changed.getbbox()
        assert box is not None
        middles.append(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    way = [abs(end_y - y) for _, y in middles]
    assert way == sorted(set(way), reverse=True), "it rests, or goes back"
    assert max(abs(across - x) for across, _ in middles) > place.px(0.3)


def extent(image: Image.Image, x: int, colour: tuple[int, int, int]) -> int:
    """Return the number of pixels with this colour in a column of pixels."""
    return sum(image.getpixel((x, y)) == colour for y in range(image.height))


def middle(image: Image.Image, x: int, colour: tuple[int, int, int], near: tuple[int, int]) -> float:
    """Return the middle of the pixels with this colour in a column of pixels, near these places."""
    reach = 40
    rows = range(min(near) - reach, max(near) + reach)
    found = [y for y in rows if image.getpixel((x, y)) == colour]
    return (found[0] + found[-1]) / 2


def test_a_removed_piece_fades_into_its_ghost() -> None:
    """It fades step by step. Only the removed pieces change before the row is gone."""
    replay = cut(recorded(), 8, 8)
    frames = seen(gif_file(replay, ROOM))
    *_, stands, two, one, gone = frames
    assert [frame.time for frame in (stands, two, one)] == [PACE.removal // 3] * 3
    x, y = layout_for(800).point["c6"]
    shades = [sum(pixel(frame.image, x + 12, y + 5)) for frame in (stands, two, one, gone)]
    assert shades == sorted(set(shades)), "a black piece becomes lighter with each frame"
    box = ImageChops.difference(stands.image, two.image).getbbox()
    assert box is not None
    spots = [layout_for(800).point[spot] for spot in ("b5", "c6", "d7", "e8")]
    reach = layout_for(800).px(0.55)
    assert box[0] >= min(x for x, _ in spots) - reach
    assert box[2] <= max(x for x, _ in spots) + reach
    assert box[1] >= min(y for _, y in spots) - reach
    assert box[3] <= max(y for _, y in spots) + reach


def pixel(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    found = image.getpixel((x, y))
    assert isinstance(found, tuple)
    return found


def test_a_row_at_the_start_fades_before_the_push() -> None:
    """Turn 53 of the record takes c3, c4 and c6, then pushes h2. No piece lies on the dot while they fade."""
    turn = recorded().turns[52]
    assert [type(action) for action in turn.actions] == [Remove, Push, Remove]
    replay = cut(recorded(), 53, 53)
    happened = [type(event).__name__ for _, event, _ in replay.moves(1)]
    assert happened == ["Removed", "Pushed", "Removed"]
    _, stands, two, *_ = seen(gif_file(replay, ROOM))
    x, y = layout_for(800).point["h1"]
    assert pixel(stands.image, x, y) == pixel(two.image, x, y) == parse_rgb(CLASSIC.line)


def test_reserves_and_turn_change_with_the_push() -> None:
    """The strips of the first board are shown until the piece stands, then those of the next board."""
    replay = cut(recorded(), 1, 1)
    frames = seen(gif_file(replay, ROOM, size=400))
    place = layout_for(400)
    strip = (0, place.height - place.band - place.px(1.2), place.px(1.6), place.height - place.band)
    strips = [frame.image.crop(strip).tobytes() for frame in frames]
    assert len(set(strips[:-1])) == 1
    assert strips[-1] != strips[0]


# ── How long a replay takes ──


@pytest.mark.parametrize("pace", REPLAY_PACES)
@pytest.mark.parametrize("limit", [ROOM, 40_000])
def test_the_length_follows_the_pace_not_the_frames(pace: str, limit: int) -> None:
    replay = cut(recorded(), 51, 54)
    actions = [action for turn in replay.turns for action in turn.actions]
    time = REPLAY_PACES[pace]
    pushes, removals = (sum(isinstance(action, kind) for action in actions) for kind in (Push, Remove))
    frames = seen(gif_file(replay, limit, size=400, pace=time))
    assert (len(frames) == 5) == (limit != ROOM), "the small limit is to leave the boards alone"
    whole = FIRST + LAST + 3 * time.board + pushes * time.push + removals * time.removal
    assert sum(frame.time for frame in frames) == whole


def test_a_game_without_turns_is_one_board() -> None:
    replay = Replay(recorded().first, ())
    (frame,) = seen(gif_file(replay, ROOM, size=300))
    assert alike(frame, replay.first, 300)


def test_a_resigned_game_ends_with_its_last_board() -> None:
    (turn,) = cut(recorded(), 1, 1).turns
    ended = turn.board.position._replace(result=Result(Colour.WHITE, Reason.RESIGN))
    replay = Replay(recorded().first, (turn._replace(board=replace(turn.board, position=ended)),))
    frames = seen(gif_file(replay, ROOM, size=300))
    assert len(frames) == 2 + BETWEEN[0]
    assert alike(frames[-1], replay.turns[0].board, 300)


# ── How large a replay is ──


@pytest.mark.parametrize(("turns", "limit"), [pytest.param(400, 60_000, marks=pytest.mark.slow), (58, 18_000)])
def test_a_game_of_any_length_keeps_the_limit(turns: int, limit: int) -> None:
    """Most of the limit is used, and boards from the whole game are shown."""
    replay = lasting(turns)
    made = [*replay_parts(replay, limit, size=200)]
    file = b"".join(part.data for part in made)
    assert 0.7 * limit < len(file) <= limit
    frames, width = seen(file), made[-1].width
    assert alike(frames[0], replay.first, width)
    assert alike(frames[-1], replay.turns[-1].board, width)
    shown = boards(frames, replay, width)
    assert shown == [0, *(part.turn for part in made if part.turn and part.data)]
    assert max(after - before for before, after in pairwise(shown)) <= 3 * turns / len(shown)


@pytest.mark.slow
def test_motion_is_given_up_before_size_before_turns() -> None:
    """A smaller limit shows less. Each is given up only after the one before it."""
    replay, shown = cut(recorded(), 46, 53), list[tuple[int, int, int]]()
    for limit in (ROOM, 100_000, 70_000, 50_000, 30_000, 20_000):
        made = [*replay_parts(replay, limit, size=400)]
        file = b"".join(part.data for part in made)
        assert len(file) <= limit
        shown.append((-sum(part.turn > 0 and not part.data for part in made), made[-1].width, len(seen(file))))
    assert shown == sorted(set(shown), reverse=True)
    assert (0, 400, 9) in shown, "all motion is given up before the size"
    assert [width for passed, width, _ in shown if passed] == [200], "the size is given up before any turn"


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "all_shown"), [(150_000, True), (60_000, False)])
def test_a_misjudged_sample_is_corrected_later(limit: int, all_shown: bool) -> None:
    """With far too much motion, motion goes first. The frames after a turn that is left out still fit."""
    film = _Film(recorded(), 200, CLASSIC, PACE)
    assert len([*film.look()]) == 12
    made = [*film.parts(limit, BETWEEN[0])]
    file = b"".join(part.data for part in made)
    assert len(file) <= limit
    assert all(part.data for part in made) == all_shown
    assert boards(seen(file), recorded(), 200) == [part.turn for part in made if part.data]


def test_the_named_smallest_limit_is_enough() -> None:
    replay = cut(recorded(), 1, 3)
    with pytest.raises(ValueError, match=r"at least \d+ bytes, more than 1000") as refusal:
        gif_file(replay, 1000, size=250)
    least = int(str(refusal.value).split(" bytes")[0].split()[-1])
    frames = seen(gif_file(replay, least, size=250))
    assert boards(frames, replay, 200) == [0, 3]
    with pytest.raises(ValueError, match="at least"):
        gif_file(replay, least - 1, size=250)


@pytest.mark.parametrize("size", [199, 2001])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="200 to 2000"):
        gif_file(cut(recorded(), 1, 1), ROOM, size=size)


def test_only_changed_pixels_are_written() -> None:
    """A push and its slide take fewer bytes than the whole board."""
    made = [part for part in replay_parts(cut(recorded(), 1, 3), ROOM) if part.data]
    for part in made[1:]:
        assert len(part.data) < len(made[0].data)


# ── How a replay is made ──


def test_the_same_description_gives_the_same_bytes() -> None:
    replay = cut(recorded(), 43, 46)
    before = gif_file(replay, ROOM, size=300)
    gif_file(cut(recorded(), 1, 3), 30_000, size=300, theme=THEMES["night"])
    assert gif_file(replay, ROOM, size=300) == before


def test_each_turn_has_a_part_and_making_can_stop() -> None:
    replay = cut(recorded(), 1, 20)
    made = [*replay_parts(replay, ROOM, size=200)]
    looks = [part for part in made if not part.data]
    assert made[: len(looks)] == looks == [GifPart(0, b"", 200)] * 12
    assert [part.turn for part in made[len(looks) :]] == [*range(21)]
    begun = replay_parts(replay, ROOM, size=200)
    assert [next(begun) for _ in range(20)] == made[:20]
    assert [*replay_parts(replay, ROOM, size=200)] == made


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_palette_of_replays_extends_that_of_pictures(theme: Theme) -> None:
    """One entry stays free, for transparent pixels."""
    own, more = theme_palette(theme).colours, FadingPalette(theme).colours
    assert more[: len(own)] == own
    assert len(own) < len(more) <= 255
    assert FadingPalette(theme).through(own.index(parse_rgb(theme.board)), 1)[
        own.index(parse_rgb(theme.board))
    ] == own.index(parse_rgb(theme.board))
