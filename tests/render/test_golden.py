from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from render import png
from tests.render.golden import FOLDER, PICTURES, SIZE, SIZES

FAILED = Path(__file__).parents[2] / "build" / "pictures"
TOLERANCE = 0.05  # mean difference of a colour value; one more piece makes about 0.7, a number on a piece 0.15


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_as_it_did(name: str) -> None:
    """What differs is kept in build/pictures: the picture as it is now, and the difference."""
    now = Image.open(BytesIO(png(PICTURES[name], size=SIZES.get(name, SIZE))))
    golden = Image.open(FOLDER / f"{name}.png")
    assert (now.mode, now.size) == (golden.mode, golden.size)
    difference = ImageChops.difference(now.convert("RGB"), golden.convert("RGB"))
    mean = sum(ImageStat.Stat(difference).mean) / 3
    if mean > TOLERANCE:
        FAILED.mkdir(parents=True, exist_ok=True)
        now.save(FAILED / f"{name}.png")
        difference.save(FAILED / f"{name}-difference.png")
    assert mean <= TOLERANCE, f"{name}: see {FAILED}"


def test_every_golden_picture_is_still_drawn() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == PICTURES.keys()
