"""The demo, started as a person starts it, and a visitor who opens its page on a phone."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.process.fork_server import run_server
from tests.support.paths import HOUSE

from .demo import Demo, fork_demo
from .driver import Visitor

SCREENS = HOUSE / "build" / "screens"
CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="package")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run a server that starts demos; return its socket."""
    with run_server(tmp_path_factory.mktemp("demos") / "socket", "gipfbot.demo") as address:
        yield address


@pytest.fixture
def demo(demo_server: Path, tmp_path: Path) -> Iterator[Demo]:
    """Run the demo. At the end, fail if it ended badly or printed an error."""
    with fork_demo(demo_server, tmp_path / "demo.txt") as demo:
        yield demo


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Run a browser for all tests of this folder. While it runs, no other event loop may run in this thread."""
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip(f"there is no {CHROMIUM} (Debian and Ubuntu: the package chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def width(request: pytest.FixtureRequest) -> int:
    """Return the width of the screen in pixels: a phone's, unless the test sets another."""
    return int(getattr(request, "param", 390))


@pytest.fixture
def visitor(request: pytest.FixtureRequest, browser: Browser, demo: Demo, width: int) -> Iterator[Visitor]:
    """Open the demo's page. The last screen, and with LONG_TESTS=1 all, are kept under build/screens/<test>."""
    folder = SCREENS / re.sub(r"\W+", "-", request.node.name).strip("-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    size: ViewportSize = {"width": width, "height": 844}
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    visitor = Visitor(page, folder)
    try:
        visitor.open(demo.address)
        yield visitor
    finally:
        page.screenshot(path=folder / "last.png")
        page.close()
