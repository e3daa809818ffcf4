"""The time to draw and encode a picture, compared with encoding alone, and the size of its file.

The pictures are boards and result cards, as large as the bot posts them.
"""

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import chain, islice
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple, TypeVar

from gipfbot.match import Game
from gipfbot.ui.board.public_board import game_picture
from gipfbot.ui.kit.pictures import RESULT_WIDTH
from render import Picture, ResultCard, compose_image, encode_png, png

from .figures import Counts, Figure, quantile
from .samples import random_match

SLOWER, SLOWER_THAN_RGB, KIB = 1.6, 0.5, 32  # at most
WARM = 10  # pictures drawn before measuring, so that the empty board and the pieces are cached
T = TypeVar("T")


class PictureSample(NamedTuple):
    """The processor seconds to make one picture and to encode it again in two ways, and its size in bytes."""

    whole: float
    resaved: float  # the identical image, with identical options
    resaved_rgb: float  # the same picture without a palette, with the library's options
    size: int


def picture_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the time to draw and encode a board, its ratio to encoding alone, and the sizes of boards and result cards.

    Each board shows another position.
    """
    rng = Random(1)
    games = chain.from_iterable(random_match(rng) for _ in iter(int, 1))
    pictures = list(islice(_distinct_pictures(games), WARM + counts.pictures))
    samples = [_measure_picture(picture) for picture in pictures][WARM:]
    yield Figure("picture.whole", 1000 * median(sample.whole for sample in samples), "ms")
    yield Figure("picture.saving", 1000 * median(sample.resaved for sample in samples), "ms")
    yield Figure(
        "picture.to_saving", median(sample.whole / sample.resaved for sample in samples), "times", at_most=SLOWER
    )
    to_rgb = median(sample.whole / sample.resaved_rgb for sample in samples)
    yield Figure("picture.to_saving_rgb", to_rgb, "times", at_most=SLOWER_THAN_RGB)
    yield Figure("picture.size_p95", quantile([sample.size for sample in samples], 0.95) / 1024, "KiB", at_most=KIB)
    cards = [len(png(card, size=RESULT_WIDTH)) for card in _result_cards(rng, counts.pictures)]
    yield Figure("picture.result_size_p95", quantile(cards, 0.95) / 1024, "KiB", at_most=KIB)


def _distinct_pictures(games: Iterator[Game]) -> Iterator[Picture]:
    seen = set()
    for game in games:
        if game.position not in seen:
            seen.add(game.position)
            yield game_picture(game)


def _result_cards(rng: Random, count: int) -> Iterator[ResultCard]:
    for _ in range(count):
        *_, last = random_match(rng)
        yield ResultCard(game_picture(last), last.turn_number)


def _measure_picture(picture: Picture) -> PictureSample:
    """Draw and encode a picture for the first time, with its caption. Then encode the drawn image again in two ways.

    The ways are: with the same options, and without a palette.
    """
    whole, file = _timed_call(lambda: png(picture))
    image = compose_image(picture)
    saved, again = _timed_call(lambda: encode_png(image))
    assert again == file
    full = image.convert("RGB")
    saved_rgb, _ = _timed_call(lambda: full.save(BytesIO(), "PNG"))
    return PictureSample(whole, saved, saved_rgb, len(file))


def _timed_call(work: Callable[[], T]) -> tuple[float, T]:
    begun = process_time()
    done = work()
    return process_time() - begun, done
