"""The demo, started as a person starts it, and a visitor who opens its page on a phone."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.process.fork_server import run_server
from tests.support.effort import LONG
from tests.support.paths import HOUSE

from .demo import PATIENT_PEOPLE, Demo, fork_demo
from .driver import Visitor

SCREENS = HOUSE / "build" / "screens"
CHROMIUM = Path("/usr/bin/chromium")
FRUGAL = "--disable-gpu", "--disable-remote-fonts"  # it draws for nobody, and the page's letters take long to load


@pytest.fixture(scope="package")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run a server that starts demos; return its socket."""
    with run_server(tmp_path_factory.mktemp("demos") / "socket", "gipfbot.demo") as address:
        yield address


@pytest.fixture(scope="module")
def shared_demo(demo_server: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Run the demo of a file's tests with the marker `shares_demo`. At the end, fail as `demo` does.

    All files could share one, but each press costs more the more messages there are.
    """
    with fork_demo(demo_server, tmp_path_factory.mktemp("demo") / "demo.txt", PATIENT_PEOPLE) as demo:
        yield demo


@pytest.fixture
def demo(request: pytest.FixtureRequest, demo_server: Path, tmp_path: Path) -> Iterator[Demo]:
    """Run a demo, unless the test shares that of others. At the end, fail if it ended badly or printed an error."""
    if request.node.get_closest_marker("shares_demo"):
        yield request.getfixturevalue("shared_demo")
        return
    with fork_demo(demo_server, tmp_path / "demo.txt") as demo:
        yield demo


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Run a browser for all tests of this folder. While it runs, no other event loop may run in this thread."""
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip(f"there is no {CHROMIUM} (Debian and Ubuntu: the package chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *(() if LONG else FRUGAL)])
        yield browser
        browser.close()


@pytest.fixture
def width(request: pytest.FixtureRequest) -> int:
    """Return the width of the screen in pixels: a phone's, unless the test sets another."""
    return int(getattr(request, "param", 390))


@pytest.fixture(scope="package")
def shared_pages() -> list[Page]:
    """Return a list for the open page of the shared demo. It is empty at first, and after a test that fails."""
    return []


@pytest.fixture
def visitor(
    request: pytest.FixtureRequest, browser: Browser, demo: Demo, width: int, shared_pages: list[Page]
) -> Iterator[Visitor]:
    """Open the demo's page. The last screen, and with LONG_TESTS=1 all, are kept under build/screens/<test>."""
    folder = SCREENS / re.sub(r"\W+", "-", request.node.name).strip("-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    size: ViewportSize = {"width": width, "height": 844}
    kept = shared_pages if request.node.get_closest_marker("shares_demo") else []
    page = kept.pop() if kept else browser.new_page(viewport=size, reduced_motion="reduce")
    visitor, failed = Visitor(page, folder), request.session.testsfailed
    try:
        visitor.open(demo.address)
        yield visitor
    finally:
        page.screenshot(path=folder / "last.png")
        if kept is shared_pages and request.session.testsfailed == failed:
            kept.append(page)
        else:
            page.close()
