from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from render import png
from tests.render.golden import ALL, FOLDER, SIZE, SIZES
from tests.support.paths import HOUSE

FAILED = HOUSE / "build" / "pictures"
TOLERANCE = 0.05  # mean difference of a colour value; one more piece makes about 0.7, a number on a piece 0.15


def keep(name: str, **images: Image.Image) -> None:
    FAILED.mkdir(parents=True, exist_ok=True)
    for what, image in images.items():
        image.save(FAILED / f"{name}-{what}.png")


@pytest.mark.parametrize("name", ALL)
def test_a_picture_looks_as_before(name: str) -> None:
    """If it differs, build/pictures gets the new picture, the old picture and the difference."""
    now = Image.open(BytesIO(png(ALL[name], size=SIZES.get(name, SIZE))))
    golden = Image.open(FOLDER / f"{name}.png")
    if (now.mode, now.size) != (golden.mode, golden.size):
        keep(name, now=now, was=golden)
    assert (now.mode, now.size) == (golden.mode, golden.size), f"{name}: see {FAILED}"
    difference = ImageChops.difference(now.convert("RGB"), golden.convert("RGB"))
    mean = sum(ImageStat.Stat(difference).mean) / 3
    if mean > TOLERANCE:
        keep(name, now=now, was=golden, difference=difference)
    assert mean <= TOLERANCE, f"{name}: see {FAILED}"


def test_every_golden_picture_is_still_drawn() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == ALL.keys()
