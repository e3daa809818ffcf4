"""The demo for a newcomer: where it is shown, what to try first, and how it ends."""

import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.paths import HOUSE

from .demo import DEMO, HANGS_AFTER, Demo, start_demo
from .driver import Visitor

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.slow)], indirect=True)
def test_a_newcomer_can_follow_the_channels_hint(visitor: Visitor) -> None:
    welcome, board = visitor.public, visitor.messages.filter(has_text="@Ann your turn").last
    expect(welcome).to_contain_text("Try this first: you are Ann, and it is your turn. Press Move above")
    expect(welcome).to_be_in_viewport(ratio=0.99)
    expect(board.get_by_role("button", name="Move")).to_be_in_viewport(ratio=0.99)
    visitor.press(board, "Move")
    visitor.press(visitor.private(), "f8")
    visitor.press(visitor.private(), "→ f7 · row: 3 or 5 back")
    expect(visitor.private()).to_contain_text("Your row e8–h5 comes off.")
    visitor.press(visitor.private(), "Take e8")
    expect(visitor.public).to_contain_text("@Bob your turn · game #a1 vs Ann · Ann played f8 → f7 and removed a row")
    visitor.look_as("Bob")
    visitor.slash("gipf help")
    expect(visitor.private()).to_contain_text("GIPF: push a piece in from the edge.")
    visitor.slash("gipf games")
    expect(visitor.private()).to_contain_text(re.compile("#a1 vs Ann · turn began .* · you're White"))
    expect(visitor.private()).to_be_in_viewport(ratio=0.99)
    visitor.press(visitor.private(), "Move #a1")
    visitor.picture(visitor.private())
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_links_lead_to_another_channel_and_to_direct_messages(visitor: Visitor) -> None:
    """The person who looks stays the same. What is done in one place is seen in the others."""
    links = visitor.page.locator(".places a")
    assert links.all_inner_texts() == ["#gipf", "#lounge", "Ann's DMs", "Bob's DMs", "Cara's DMs"]
    visitor.look_as("Bob")
    for place, name in (("#lounge", "lounge"), ("Cara's DMs", "GIPF"), ("#gipf", "gipf")):
        visitor.follow(place)
        expect(visitor.page.locator("#channel-name")).to_have_text(name)
        expect(visitor.page.locator(".places a[aria-current]")).to_have_text(place)
        assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        visitor.slash("gipf help")
        expect(visitor.private()).to_contain_text("GIPF: push a piece in from the edge.")
    assert visitor.page.locator("#viewer-picker option:checked").inner_text() == "Cara"
    expect(visitor.private()).to_be_in_viewport(ratio=0.9)


def test_a_game_is_played_in_its_thread(visitor: Visitor) -> None:
    """The thread's bar opens it, links to messages lead there, and the header has a link to it."""
    visitor.look_as("Ann")
    visitor.slash("gipf-server settings", threads="True")
    visitor.slash("gipf challenge", opponent="Bob", colour="White for me")
    visitor.look_as("Bob")
    visitor.press(visitor.public, "Accept")
    visitor.look_as("Ann")
    bar = visitor.page.locator(".thread-summary")
    expect(bar).to_contain_text("#u1 Ann vs Bob")
    visitor.go(bar)
    expect(visitor.page.locator("#channel-name")).to_have_text("#u1 Ann vs Bob")
    expect(visitor.page.locator(".places a[aria-current]")).to_have_text("#u1 Ann vs Bob")
    visitor.slash("move", notation="i5-g5")
    expect(visitor.public).to_contain_text("@Bob your turn · game #u1 vs Ann")
    visitor.look_as("Bob")
    visitor.press(visitor.public, "Move")
    expect(visitor.private()).to_contain_text("#u1")
    visitor.follow("#gipf")
    expect(visitor.messages.filter(has=bar)).to_contain_text("This game goes on in its thread")
    visitor.slash("gipf games")
    visitor.go(visitor.private().get_by_role("link", name="#u1", exact=True))
    expect(visitor.public).to_contain_text("@Bob your turn · game #u1 vs Ann")
    expect(visitor.public).to_be_in_viewport()


def test_a_league_is_opened_and_begins(visitor: Visitor) -> None:
    """Nobody is asked for anything but the command and a press."""
    visitor.look_as("Ann")
    visitor.slash("gipf-tournament new")
    expect(visitor.public).to_contain_text("Ann opens a tournament: GIPF club (League)")
    visitor.press(visitor.private(), "Join")
    expect(visitor.private()).to_contain_text("You have joined GIPF club.")
    begun = visitor.messages.filter(has_text="Season 1 of GIPF club has begun.")
    expect(begun).to_be_visible()
    visitor.press(begun, "Standings")
    assert ". Ann (you): points 0, games 0" in visitor.picture(visitor.private())
    visitor.press(visitor.private(), "My games")
    for name in ("Dan", "Eve", "Gus"):
        expect(visitor.private()).to_contain_text(name)
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_the_demo_ends_with_its_page(visitor: Visitor, demo: Demo) -> None:
    visitor.page.get_by_text("More", exact=True).click()
    visitor.page.get_by_role("button", name="End preview session").click()
    assert demo.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_the_demo_ends_at_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    complaints = tmp_path / "stderr.txt"
    with start_demo(complaints) as demo:
        assert demo.told(number) == 0
    assert complaints.read_text() == ""


@pytest.mark.parametrize("port", ["http", *(pytest.param(port, marks=pytest.mark.slow) for port in ("-1", "65536"))])
def test_a_bad_port_is_refused_in_one_sentence(port: str) -> None:
    sentence = f"python bot.py demo: argument --port: '{port}' is not a whole number from 0 to 65535\n"
    assert refused(port) == sentence


@pytest.mark.slow
def test_a_used_port_is_refused_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refused(port) == (
            f"Port {port} cannot be used (Address already in use): name another, or none for a free one.\n"
        )


def refused(port: object) -> str:
    """Return the error of the demo for this port."""
    done = subprocess.run(
        [*DEMO, f"--port={port}"], capture_output=True, text=True, cwd=HOUSE, timeout=HANGS_AFTER, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr
