from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops

from gipfbot.rules.rulesets import PRESETS
from gipfbot.ui.board.public_board import game_picture
from render import CLASSIC, THEMES, ResultCard, Theme, alt_text, compose_image, film as films, text_board
from render.film import FIRST, LARGEST, LAST, MOTION, WIDTH, film_parts
from render.replay import Replay, ReplayTurn
from tests.bench.samples import random_match

RATINGS = (1500, 1512), (1466, 1454)
Ended = tuple[ResultCard, Replay]


def whole_film(card: ResultCard, turns: Replay, theme: Theme = CLASSIC) -> bytes:
    return b"".join(film_parts(card, turns, theme))


def ended(ruleset: str, seed: int, turns: int = 3) -> Ended:
    """Return the card of a random game, and its last turns."""
    games = list(random_match(Random(seed), PRESETS[ruleset]))[-turns - 1 :]
    boards = [game_picture(game) for game in games]
    last = (game.last for game in games[1:])
    shown = tuple(ReplayTurn(done.actions, after) for done, after in zip(last, boards[1:], strict=True) if done)
    return ResultCard(boards[-1], games[-1].turn_number, RATINGS), Replay(boards[0], shown)


@pytest.fixture(scope="module")
def ends() -> list[Ended]:
    return [ended(name, seed) for name in PRESETS for seed in range(4)]


def images(data: bytes) -> Iterator[tuple[Image.Image, int]]:
    """Yield the images of a GIF, each with its time in hundredths of a second."""
    file = Image.open(BytesIO(data))
    for number in range(getattr(file, "n_frames", 1)):
        file.seek(number)
        yield file.convert("RGB"), file.info["duration"] // 10


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(one, other).getbbox() is None


def test_film_begins_and_stops_on_the_result(ends: list[Ended]) -> None:
    """It is played once. The result shows the changes of ratings; people who see only one image see the result."""
    card, turns = ends[0]
    data = whole_film(card, turns)
    (first, stands), *_, (last, stops) = images(data)
    assert same(first, compose_image(card, WIDTH).convert("RGB"))
    assert same(last, first)
    assert (stands, stops) == (FIRST, LAST)
    assert b"NETSCAPE" not in data


def test_motion_takes_at_most_four_seconds(ends: list[Ended]) -> None:
    for card, turns in ends:
        _, *moving, _ = images(whole_film(card, turns))
        assert 0 < sum(time for _, time in moving) <= MOTION == 400
        assert min(time for _, time in moving) >= 2, "shorter times are shown as a tenth of a second"


def test_film_has_a_limit_in_bytes_and_images(ends: list[Ended]) -> None:
    for (card, turns), theme in zip(ends * 2, [*THEMES.values()] * len(ends), strict=False):
        data = whole_film(card, turns, theme)
        assert len(data) <= LARGEST == 150_000
        assert len(list(images(data))) <= films.MOST_IMAGES + 2


@pytest.mark.parametrize("limit", ["LARGEST", "MOST_IMAGES"])
def test_film_beyond_a_limit_keeps_the_boards(ends: list[Ended], limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Motion gives way: the board before the turns, those between them and the result stay."""
    monkeypatch.setattr(films, limit, 1)
    card, turns = ends[0]
    _, first, *between, _ = images(whole_film(card, turns))
    assert len(between) == 2
    top = compose_image(card, WIDTH).height - compose_image(turns.first, WIDTH).height
    assert same(first[0].crop((0, top, *first[0].size)), compose_image(turns.first, WIDTH).convert("RGB"))


def test_film_of_one_turn(ends: list[Ended]) -> None:
    card, turns = ended("standard", 1, turns=1)
    assert len(list(images(whole_film(card, turns)))) > 3


def test_each_image_is_a_part(ends: list[Ended]) -> None:
    """So boards can be drawn in between. Only the last part has bytes."""
    card, turns = ends[0]
    *parts, whole = film_parts(card, turns, CLASSIC)
    assert not any(parts)
    assert len(parts) >= len(list(images(whole)))
    assert whole == whole_film(card, turns)


def test_changes_of_ratings_are_said_in_words(ends: list[Ended]) -> None:
    """The change of somebody off the leaderboards is neither drawn nor said."""
    card = replace(ends[0][0], ratings=RATINGS)
    one = replace(card, ratings=(None, RATINGS[1]))
    none = replace(card, ratings=(None, None))
    assert "Ratings: White 1512 (+12), Black 1454 (-12)." in alt_text(card)
    assert "Ratings: Black 1454 (-12)." in alt_text(one)
    assert "Ratings: Black 1454 (-12)." in text_board(one)
    assert "Ratings" not in alt_text(none)
    drawn = [compose_image(each).tobytes() for each in (card, one, none)]
    assert len({*drawn}) == 3
