"""The demo, started as a person starts it, and a visitor who opens its page on a phone."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, sync_playwright

from tests.page.demo import DEMO, Demo
from tests.support.paths import HOUSE

from .driver import Visitor

SCREENS = HOUSE / "build" / "screens"
CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """Run the demo. At the end, fail if it ended badly or printed an error."""
    complaints = tmp_path / "stderr.txt"
    with complaints.open("w") as stderr:
        process = subprocess.Popen(DEMO, stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=HOUSE)
    assert process.stdout
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), complaints.read_text()
        demo = Demo(process, address)
        yield demo
        if process.poll() is None:
            demo.told(signal.SIGINT)
        assert (process.returncode, complaints.read_text()) == (0, "")
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def width(request: pytest.FixtureRequest) -> int:
    """Return the width of the screen in pixels: a phone's, unless the test sets another."""
    return int(getattr(request, "param", 390))


@pytest.fixture
def visitor(request: pytest.FixtureRequest, demo: Demo, width: int) -> Iterator[Visitor]:
    """Open the demo's page. The screens are kept under build/screens, in a folder named after the test."""
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip(f"there is no {CHROMIUM} (Debian and Ubuntu: the package chromium)")
    folder = SCREENS / re.sub(r"\W+", "-", request.node.name).strip("-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        size: ViewportSize = {"width": width, "height": 844}
        visitor = Visitor(browser.new_page(viewport=size, reduced_motion="reduce"), folder)
        try:
            visitor.open(demo.address)
            yield visitor
        finally:
            visitor.page.screenshot(path=folder / "last.png")
            browser.close()
