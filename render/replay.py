"""Write a game as a GIF that never exceeds a limit in bytes.

The file is made turn by turn, and each turn has a share of the bytes. If the game is too large, pushes get fewer
images. If that is not enough, the picture becomes smaller. A sample of the turns is encoded first to choose both. A
turn that still exceeds its share gets fewer images. If even its board does not fit, the turn is left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from PIL import Image

from gipfbot.rules.actions import Action
from gipfbot.rules.changes import Event, Pushed, Removed, Used, events
from gipfbot.rules.engine import play

from . import gif
from .board import draw_picture
from .layout import SMALLEST
from .motion import motion_images
from .palette import fading_palette
from .picture import Marks, Picture
from .theme import CLASSIC, Theme

BETWEEN = (6, 4, 2, 1, 0)  # images that show a push in motion, before the image of the board
SMALLER = (600, 400, 300, SMALLEST)  # widths in pixels
SAMPLED_TURNS = 12
AHEAD = 0.1  # the part of all bytes that early turns may use beyond their shares
FIRST, LAST = 150, 400  # how long the first and the last board are shown, in hundredths of a second


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
    replay: Replay, limit: int, *, size: int = 800, theme: Theme = CLASSIC, pace: ReplayPace = REPLAY_PACES["normal"]
) -> Iterator[GifPart]:
    """Yield a GIF of at most `limit` bytes and at most `size` pixels wide, in parts. The caller may stop at any part.

    The first parts are empty: they measure what fits. Then there is one part for the first board and one for each turn.
    The last turn is always shown. The same arguments give the same bytes. Raises ValueError for a size outside 200 to
    2000, and if the limit is too small for two boards.
    """
    for width in (size, *(smaller for smaller in SMALLER if smaller < size)):
        film = _Film(replay, width, theme, pace)
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

    def __init__(self, replay: Replay, size: int, theme: Theme, pace: ReplayPace) -> None:
        self.replay, self.size, self.theme, self.pace = replay, size, theme, pace
        self.last = len(replay.turns)
        self.opening = gif.encode_opening(self._board(0), fading_palette(theme).flat, FIRST if self.last else LAST)
        self.closing = gif.encode_frame(None, self._board(self.last), LAST) if self.last else b""
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
        yield GifPart(0, self.opening + gif.END * (not self.last), self.size)
        shown, used = 0, 0
        for number in range(1, self.last + 1):
            share = room * (AHEAD + (1 - AHEAD) * number / self.last) - used
            data = self._within(share, shown, number, between)
            if number == self.last:
                data = (data or self.closing) + gif.END
            if data:
                shown, used = number, used + len(data)
            yield GifPart(number, data, self.size)

    def _room(self, limit: int) -> int:
        """Return the number of bytes left for everything between the first and the last board."""
        return limit - len(self.opening) - len(self.closing) - len(gif.END)

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
            data.append(gif.encode_frame(before, image, delay))
            before = image
        return b"".join(data)

    def _images(self, number: int, between: int) -> Iterator[tuple[Image.Image, int]]:
        """Yield the images of a turn, each with its duration. Without motion, the board is shown for the whole time."""
        stands = LAST if number == self.last else self.pace.board
        for now, event, then in self.replay.moves(number):
            time = self.pace.removal if isinstance(event, Removed) else self.pace.push
            if between:
                images = motion_images(now, event, then, between, self.size, self.theme)
                yield from zip(images, _split_time(time, len(images)), strict=True)
            else:
                stands += time
        yield self._board(number), stands

    def _board(self, number: int) -> Image.Image:
        return draw_picture(self.replay.board(number), self.size, self.theme).image


def _split_time(time: int, count: int) -> list[int]:
    """Return a duration split into `count` almost equal whole numbers."""
    return [time * (part + 1) // count - time * part // count for part in range(count)]
