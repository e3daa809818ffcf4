"""Write a game as a GIF that never exceeds a limit in bytes.

The file is made turn by turn, and each turn has a share of the bytes. If the game is too large, pushes get fewer
images. If that is not enough, the picture becomes smaller. A sample of the turns is encoded first to choose both. A
turn that still exceeds its share gets fewer images. If even its board does not fit, the turn is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from gipfbot.rules import Action, Kind, Piece, play
from gipfbot.rules.changes import Event, Pushed, Removed, Used, events

from .board import draw_picture
from .layout import SMALLEST, layout_for
from .marks import jump_place
from .picture import Marks, Picture
from .piece_sprites import standing_layers
from .sprites import Canvas
from .theme import CLASSIC, FADES, Theme, fading_palette
from .wording import ENGLISH, Words

TRANSPARENT = 255  # the palette entry that shows the frame before
END = b";"
_FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_SAME = [255, *bytes(255)]

AROUND = 0.6  # how far a piece and its marks reach from the middle of the spot, in units

BETWEEN = (6, 4, 2, 1, 0)  # images that show a push in motion, before the image of the board
SMALLER = (600, 400, 300, SMALLEST)  # widths in pixels
SAMPLED_TURNS = 12
AHEAD = 0.1  # the part of all bytes that early turns may use beyond their shares
FIRST, LAST = 150, 400  # how long the first and the last board are shown, in hundredths of a second


def encode_opening(image: Image.Image, colours: bytes, delay: int, *, repeats: bool = True) -> bytes:
    """Return the beginning of a GIF that shows `image` first. It repeats for ever, or stops at its last image.

    `colours` holds the palette as bytes: red, green, blue, red, and so on.
    """
    size = image.width.to_bytes(2, "little") + image.height.to_bytes(2, "little")
    table = colours.ljust(3 * 256, b"\0")
    return b"GIF89a" + size + b"\xf7\0\0" + table + _FOR_EVER * repeats + encode_frame(None, image, delay)


def encode_frame(before: Image.Image | None, image: Image.Image, delay: int, top: int = 0) -> bytes:
    """Return a GIF frame that is shown for `delay` hundredths of a second, `top` pixels below the top.

    Only the changes from the frame `before` are written. If `before` is None, the whole image is written. The images
    hold palette entries (mode L), none of them TRANSPARENT.
    """
    if before is None:
        return _encode_block(image, (0, top), delay)
    changed = ImageChops.difference(before, image)
    box = changed.getbbox() or (0, 0, 1, 1)
    cut = image.crop(box)
    cut.paste(TRANSPARENT, (0, 0), changed.crop(box).point(_SAME, "1"))
    return _encode_block(cut, (box[0], box[1] + top), delay)


def _encode_block(image: Image.Image, at: tuple[int, int], delay: int) -> bytes:
    keep = 1  # the next frame is drawn on top of this one
    return b"".join(GifImagePlugin.getdata(image, at, duration=10 * delay, disposal=keep, transparency=TRANSPARENT))


def motion_images(
    now: Picture, event: Pushed | Used | Removed, then: Picture, count: int, size: int, theme: Theme, words: Words
) -> list[Image.Image]:
    """Return the images that lead from the board `now` to the board `then`. No image shows `then` itself.

    A push or a use has `count` images. A removal has an image of `now`, and at most two images of the fading pieces.
    The images hold entries of `fading_palette` (mode L).
    """
    if isinstance(event, Pushed):
        return list(_slide_images(now, event, count, size, theme, words))
    if isinstance(event, Used):
        return list(_jump_images(now, event, count, size, theme, words))
    place = layout_for(size, now.flipped)
    reach, gone = place.px(AROUND), [place.point[spot] for spot, _ in (*event.returned, *event.captured)]
    boxes = [(x - reach, y - reach, x + reach, y + reach) for x, y in gone]
    before, after = draw_picture(now, size, theme, words).image, draw_picture(then, size, theme, words).image
    return [before, *_fade_images(before, after, boxes, min(count, FADES - 1), theme)]


def _slide_images(
    picture: Picture, pushed: Pushed, count: int, size: int, theme: Theme, words: Words
) -> Iterator[Image.Image]:
    """Yield `count` images of a push.

    The first shows the new piece on its dot. The last shows all pieces just before they arrive.
    """
    place = layout_for(size, picture.flipped)
    standing, entering = picture.position.pieces(), Piece(pushed.by, pushed.push.kind)
    still = draw_picture(picture, size, theme, words, [start for start, _ in pushed.moved])
    for number in range(count):
        canvas = Canvas(still.image.copy(), still.palette)
        for start, end in pushed.moved:
            piece, at = standing.get(start, entering), place.towards(start, end, _ease_part(number / count))
            for form, colour in standing_layers(piece, True, theme, place.unit):
                canvas.stamp(form, colour, at)
        yield canvas.image


def _jump_images(
    picture: Picture, used: Used, count: int, size: int, theme: Theme, words: Words
) -> Iterator[Image.Image]:
    """Yield `count` images of a use: the potential leaves its basic piece, and jumps along its arc."""
    place, use = layout_for(size, picture.flipped), used.use
    (x, y), (to_x, to_y) = place.point[use.spot], place.point[use.target]
    still = draw_picture(picture, size, theme, words, [use.spot])
    left, jumping = Piece(used.by, Kind.BASIC), Piece(used.by, Kind(use.kind.lower()))
    for form, colour in standing_layers(left, False, theme, place.unit):
        still.stamp(form, colour, (x, y))
    for number in range(count):
        canvas = Canvas(still.image.copy(), still.palette)
        across, down = jump_place(to_x - x, to_y - y, place.unit, _ease_part(number / count))
        for form, colour in standing_layers(jumping, True, theme, place.unit):
            canvas.stamp(form, colour, (round(x + across), round(y + down)))
        yield canvas.image


def _ease_part(part: float) -> float:
    """Return the share of a motion that is done after a share of its time, both from 0 to 1.

    The motion starts and stops gently.
    """
    return part * part * (3 - 2 * part)


def _fade_images(
    before: Image.Image, after: Image.Image, boxes: Iterable[tuple[int, int, int, int]], count: int, theme: Theme
) -> Iterator[Image.Image]:
    """Yield `count` images that fade `before` into `after` inside the boxes."""
    for number in range(count):
        image, step = before.copy(), FADES - 1 - number
        for box in boxes:
            image.paste(_blend_images(before.crop(box), after.crop(box), step, theme), box)
        yield image


def _blend_images(above: Image.Image, below: Image.Image, step: int, theme: Theme) -> Image.Image:
    """Return `above` drawn over `below`, at `step` of FADES."""
    mixed = below.copy()
    for _, entry in below.getcolors(256) or ():
        assert isinstance(entry, int)
        here = [255 * (value == entry) for value in range(256)]
        mixed.paste(above.point(fading_palette(theme).through(entry, step)), (0, 0), below.point(here, "1"))
    return mixed


class ReplayPace(NamedTuple):
    """The durations of a replay, in hundredths of a second."""

    push: int
    removal: int  # the removal of one row
    board: int  # the pause after each turn


REPLAY_PACES = {"slow": ReplayPace(54, 90, 220), "normal": ReplayPace(36, 60, 120), "fast": ReplayPace(24, 30, 45)}


class ReplayTurn(NamedTuple):
    """The actions of a turn, and the picture of the board after it."""

    actions: tuple[Action, ...]
    board: Picture


@dataclass(frozen=True)
class Replay:
    """A game or a part of it, to be shown in motion. Does not check that each turn leads to its board."""

    first: Picture
    turns: tuple[ReplayTurn, ...]

    def board(self, number: int) -> Picture:
        """Return the board after `number` turns."""
        return self.turns[number - 1].board if number else self.first

    def moves(self, number: int) -> Iterator[tuple[Picture, Pushed | Used | Removed, Picture]]:
        """Yield the pushes, uses and removals of turn `number` (from 1), each with the boards before and after it."""
        actions, board = self.turns[number - 1]
        position, told = self.board(number - 1).position._replace(result=None), list[Event]()
        for action in actions:
            after = play(position, action)
            now = replace(board, position=position, marks=Marks.of_turn(told), cancelled=False)
            told += (happened := events(position, action, after))
            then = replace(now, position=after, marks=Marks.of_turn(told))
            yield from ((now, event, then) for event in happened if isinstance(event, Pushed | Used | Removed))
            position = after


class GifPart(NamedTuple):
    """A part of a GIF file: the images of one turn. Turn 0 is the first board.

    `data` is empty if the turn is left out, or if the part only reports progress.
    """

    turn: int
    data: bytes
    width: int


def replay_parts(
    replay: Replay,
    limit: int,
    *,
    size: int = 800,
    theme: Theme = CLASSIC,
    pace: ReplayPace = REPLAY_PACES["normal"],
    words: Words = ENGLISH,
) -> Iterator[GifPart]:
    """Yield a GIF of at most `limit` bytes and at most `size` pixels wide, in parts. The caller may stop at any part.

    The first parts are empty: they measure what fits. Then there is one part for the first board and one for each turn.
    The last turn is always shown. The same arguments give the same bytes. Raises ValueError for a size outside 200 to
    2000, and if the limit is too small for two boards.
    """
    for width in (size, *(smaller for smaller in SMALLER if smaller < size)):
        film = _Film(replay, width, theme, pace, words)
        for _ in film.look():
            yield GifPart(0, b"", width)
        between = film.affordable(limit)
        if between is not None:
            break
    yield from film.parts(limit, between or 0)


def gif_file(
    replay: Replay, limit: int, *, size: int = 800, theme: Theme = CLASSIC, pace: ReplayPace = REPLAY_PACES["normal"]
) -> bytes:
    """Return the complete GIF that `replay_parts` yields in parts."""
    return b"".join(part.data for part in replay_parts(replay, limit, size=size, theme=theme, pace=pace))


class _Film:
    """A replay drawn at one width."""

    def __init__(self, replay: Replay, size: int, theme: Theme, pace: ReplayPace, words: Words = ENGLISH) -> None:
        self.replay, self.size, self.theme, self.pace, self.words = replay, size, theme, pace, words
        self.last = len(replay.turns)
        self.opening = encode_opening(self._board(0), fading_palette(theme).flat, FIRST if self.last else LAST)
        self.closing = encode_frame(None, self._board(self.last), LAST) if self.last else b""
        self._whole: dict[tuple[int, int, int], bytes] = {}  # the turns of the sample with all images of motion
        self._plain: list[int] = []  # the sizes in bytes of these turns without motion

    def look(self) -> Iterator[int]:
        """Encode a sample of turns, spread evenly over the game. Yield their numbers."""
        spread = (
            {1 + (2 * part + 1) * self.last // (2 * SAMPLED_TURNS) for part in range(SAMPLED_TURNS)}
            if self.last
            else set()
        )
        for number in sorted(spread):
            before = self._board(number - 1)
            self._plain.append(len(self._encoded(before, number, 0)))
            self._whole[number - 1, number, BETWEEN[0]] = self._encoded(before, number, BETWEEN[0])
            yield number

    def affordable(self, limit: int) -> int | None:
        """Return how many images of motion per push seem to fit. None if not even the boards fit."""
        room = (1 - AHEAD) * self._room(limit)
        if not self.last:
            return 0 if room >= 0 else None
        plain, whole = fmean(self._plain), fmean(map(len, self._whole.values()))
        costs = {between: plain + (whole - plain) * between / BETWEEN[0] for between in BETWEEN}
        return next((between for between, cost in costs.items() if self.last * cost <= room), None)

    def parts(self, limit: int, between: int) -> Iterator[GifPart]:
        """Yield the parts of the file. Raises ValueError if the first and the last board do not fit."""
        room = self._room(limit)
        if room < 0:
            raise ValueError(f"a replay has at least {limit - room} bytes, more than {limit}")
        yield GifPart(0, self.opening + END * (not self.last), self.size)
        shown, used = 0, 0
        for number in range(1, self.last + 1):
            share = room * (AHEAD + (1 - AHEAD) * number / self.last) - used
            data = self._within(share, shown, number, between)
            if number == self.last:
                data = (data or self.closing) + END
            if data:
                shown, used = number, used + len(data)
            yield GifPart(number, data, self.size)

    def _room(self, limit: int) -> int:
        """Return the number of bytes left for everything between the first and the last board."""
        return limit - len(self.opening) - len(self.closing) - len(END)

    def _within(self, room: float, shown: int, number: int, between: int) -> bytes:
        """Return the encoded images of turn `number`, fewer if necessary. Empty if even its board does not fit.

        The result has at most `room` bytes. The images follow the board of turn `shown`.
        """
        before = self._board(shown)
        for fewer in BETWEEN[BETWEEN.index(between) :]:
            data = self._whole.get((shown, number, fewer)) or self._encoded(before, number, fewer)
            if len(data) <= room:
                return data
        return b""

    def _encoded(self, before: Image.Image, number: int, between: int) -> bytes:
        data = []
        for image, delay in self._images(number, between):
            data.append(encode_frame(before, image, delay))
            before = image
        return b"".join(data)

    def _images(self, number: int, between: int) -> Iterator[tuple[Image.Image, int]]:
        """Yield the images of a turn, each with its duration. Without motion, the board is shown for the whole time."""
        stands = LAST if number == self.last else self.pace.board
        for now, event, then in self.replay.moves(number):
            time = self.pace.removal if isinstance(event, Removed) else self.pace.push
            if between:
                images = motion_images(now, event, then, between, self.size, self.theme, self.words)
                yield from zip(images, split_time(time, len(images)), strict=True)
            else:
                stands += time
        yield self._board(number), stands

    def _board(self, number: int) -> Image.Image:
        return draw_picture(self.replay.board(number), self.size, self.theme, self.words).image


def split_time(time: int, count: int) -> list[int]:
    """Return a duration split into `count` almost equal whole numbers."""
    return [time * (part + 1) // count - time * part // count for part in range(count)]
