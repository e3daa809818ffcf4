"""Write the end of a game as a short GIF: its result, the last turns in motion, and the result again.

It is played once and stops. With animations switched off people see the first image, which is the result.
"""

from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image

from gipfbot.rules.changes import Pushed, Removed, Used

from .board import draw_picture
from .cards import draw_result_card
from .layout import layout_for
from .picture import Picture, ResultCard
from .replay import BETWEEN, END, Replay, encode_frame, encode_opening, motion_images, split_time
from .theme import CLASSIC, FADES, Theme, fading_palette
from .wording import ENGLISH, Words

WIDTH = 600  # pixels: twice as many as a phone shows
LARGEST, MOST_IMAGES = 150_000, 40  # bytes, and images between the first and the last
FIRST, LAST = 150, 400  # how long the result is shown before and after the turns, in hundredths of a second
MOTION = 400  # the longest time of all turns together
PUSH, REMOVAL, BOARD = 40, 40, 60  # of a push or use, of a removal, and of a board between turns; cut if all are longer


class Step(NamedTuple):
    """A board that is shown for a time in hundredths of a second, and what leads from it to `then`, if anything."""

    now: Picture
    time: int
    event: Pushed | Used | Removed | None = None
    then: Picture | None = None


def film_parts(card: ResultCard, last_turns: Replay, theme: Theme = CLASSIC, words: Words = ENGLISH) -> Iterator[bytes]:
    """Yield a GIF of a result and the turns that led to it. Each part but the last is empty: it took time to draw.

    If there would be too many images or bytes, pushes and removals get fewer images, and at last none. The same
    arguments give the same bytes. Does not check that the turns lead to the result.
    """
    whole = draw_result_card(card, WIDTH, theme, words).image
    opening = encode_opening(whole, fading_palette(theme).flat, FIRST, repeats=False)
    yield b""
    steps = list(_steps(last_turns))
    for between in BETWEEN:
        frames = list[bytes]()
        if between and sum(_count_images(step, between) for step in steps) > MOST_IMAGES:
            continue
        for frame in _frames(whole, steps, between, theme, words):
            frames.append(frame)
            yield b""
        if len(opening) + sum(map(len, frames)) + len(END) <= LARGEST:
            break
    yield opening + b"".join(frames) + END


def _steps(replay: Replay) -> Iterator[Step]:
    """Yield what is shown: the first board, each push, use and removal, and the board after each turn but the last."""
    yield Step(replay.first, BOARD)
    for number, turn in enumerate(replay.turns, 1):
        for now, event, then in replay.moves(number):
            yield Step(now, REMOVAL if isinstance(event, Removed) else PUSH, event, then)
        if number < len(replay.turns):
            yield Step(turn.board, BOARD)


def _count_images(step: Step, between: int) -> int:
    if step.event is None or not between:
        return step.event is None
    return 1 + min(between, FADES - 1) if isinstance(step.event, Removed) else between


def _images(step: Step, between: int, theme: Theme, words: Words) -> list[Image.Image]:
    if step.event is None or step.then is None:
        return [draw_picture(step.now, WIDTH, theme, words).image]
    return motion_images(step.now, step.event, step.then, between, WIDTH, theme, words) if between else []


def _frames(whole: Image.Image, steps: list[Step], between: int, theme: Theme, words: Words) -> Iterator[bytes]:
    """Yield the frames that follow the image of the result: all steps, and the result again."""
    top = whole.height - layout_for(WIDTH).height
    before = result = whole.crop((0, top, *whole.size))
    part = min(1, MOTION / sum(step.time for step in steps))
    for step in steps:
        images = _images(step, between, theme, words)
        for image, time in zip(images, split_time(int(step.time * part), len(images)), strict=True):
            yield encode_frame(before, image, time, top)
            before = image
    yield encode_frame(before, result, LAST, top)
