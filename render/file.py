"""Turn a description into the bytes of an image file."""

from struct import pack

from PIL import Image
from zlib_ng.zlib_ng import compress, crc32

from .balance_plot import draw_balance_plot
from .board import draw_picture, draw_small_boards
from .cards import draw_challenge_card, draw_result_card
from .day_plot import draw_day_plot
from .layout import layout_for
from .picture import (
    BalancePlot,
    ChallengeCard,
    DayPlot,
    Described,
    LeaderboardCard,
    Picture,
    RatingPlot,
    ResultCard,
    SmallBoards,
    TournamentCard,
    WinnerCard,
)
from .rating_plot import draw_rating_plot
from .sprites import Canvas
from .tables import draw_leaderboard, draw_table, draw_winner
from .text import shown_caption
from .theme import CLASSIC, Theme
from .wording import ENGLISH, Words

LEVEL = 6  # of zlib-ng: at 5 a file is an eighth larger, and at 7 it is not smaller


def png(described: Described, *, size: int = 800, theme: Theme = CLASSIC, words: Words = ENGLISH) -> bytes:
    """Return a picture or a card as the bytes of a PNG file, `size` pixels wide. `words` say what stands on it.

    A board is about 1.22 times as high as it is wide.

    The same arguments always give the same bytes. Raises ValueError for a size outside 200 to 2000, KeyError for a mark
    at an unknown point, and OSError if a font cannot be read. Does not check that the marks fit the position.
    """
    return encode_png(compose_image(described, size, theme, words))


def encode_png(image: Image.Image) -> bytes:
    """Return a palette image (mode P) as the bytes of a PNG file. Pillow can do that too, but packs it slower."""
    header = pack(">IIBBBBB", *image.size, 8, 3, 0, 0, 0)  # 8 bits for each pixel, which is an entry of the palette
    # crop() puts a 0 before each line, which says that its pixels are unfiltered.
    lines = image.crop((-1, 0, *image.size)).tobytes()
    parts = (
        (b"IHDR", header),
        (b"PLTE", bytes(image.getpalette() or ())),
        (b"IDAT", compress(lines, LEVEL)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + kind + content + pack(">I", crc32(content, crc32(kind)))


def compose_image(described: Described, size: int = 800, theme: Theme = CLASSIC, words: Words = ENGLISH) -> Image.Image:
    """Return a picture or a card as a palette image (mode P). Raises as `png` does.

    A picture without a caption ends where the band of the caption would begin.
    """
    image = _draw_described(described, size, theme, words).finished()
    if isinstance(described, Picture) and not shown_caption(described.caption, described.players):
        return image.crop((0, 0, image.width, image.height - layout_for(size).band))
    return image


def _draw_described(described: Described, size: int, theme: Theme, words: Words) -> Canvas:
    if isinstance(described, ChallengeCard):
        return draw_challenge_card(described, size, theme, words)
    if isinstance(described, SmallBoards):
        return draw_small_boards(described, size, theme)
    if isinstance(described, ResultCard):
        return draw_result_card(described, size, theme, words)
    if isinstance(described, LeaderboardCard):
        return draw_leaderboard(described, size, theme, words)
    if isinstance(described, TournamentCard):
        return draw_table(described, size, theme, words)
    if isinstance(described, WinnerCard):
        return draw_winner(described, size, theme, words)
    if isinstance(described, RatingPlot):
        return draw_rating_plot(described, size, theme, words)
    if isinstance(described, DayPlot):
        return draw_day_plot(described, size, theme)
    if isinstance(described, BalancePlot):
        return draw_balance_plot(described, size, theme, words)
    return draw_picture(described, size, theme, words)
