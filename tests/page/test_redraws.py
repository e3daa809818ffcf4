"""A press on the demo's page counts, although the page has been drawn anew meanwhile, and counts once."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from gipfbot.demo_page import FIXES

from .demo import Demo
from .driver import DONE, LAST, POLL, READY, Visitor

pytestmark = pytest.mark.browser
ANSWERED = "before => window.simcordPreview.lastAction?.requestId !== before"


@pytest.fixture
def elsewhere(browser: Browser, demo: Demo) -> Iterator[Page]:
    """Open the page once more. What is done there draws both anew."""
    page = browser.new_page(reduced_motion="reduce")
    page.goto(demo.address)
    page.wait_for_function(READY, polling=POLL)
    yield page
    page.close()


@contextmanager
def outdated(page: Page) -> Iterator[None]:
    """Let a page see nothing new. What it asked for before is answered first."""
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/state")):
        page.route("**/api/state", lambda route: route.abort())
    yield
    page.unroute("**/api/state")


def last_answer(page: Page, before: Any) -> Any:
    """Wait for the answer to what was done after `before`; return it."""
    page.wait_for_function(DONE, arg=before and before["requestId"], polling=POLL)
    return page.evaluate(LAST)


def say(page: Page, text: str) -> None:
    """Write a message into the channel."""
    before = page.evaluate(LAST)
    page.locator("#channel-composer-input").fill(text)
    page.locator("#send-message").click()
    assert not last_answer(page, before)["rejected"]


def button(message: Locator, name: str) -> Locator:
    return message.get_by_role("button", name=name, exact=True)


def board(visitor: Visitor) -> Locator:
    return visitor.messages.filter(has_text="@Ann your turn").last


def desks(visitor: Visitor) -> Locator:
    return visitor.messages.filter(has=visitor.page.locator(".message-ephemeral-note"), has_text="#a1 vs Bob")


def test_a_press_on_an_outdated_page_counts_once(visitor: Visitor, elsewhere: Page) -> None:
    page, before = visitor.page, visitor.page.evaluate(LAST)
    with outdated(page):
        say(elsewhere, "hello")
        button(board(visitor), "Move").click()
        page.wait_for_function(ANSWERED, arg=before and before["requestId"])
    assert not last_answer(page, before)["rejected"]
    expect(visitor.messages.filter(has_text="hello")).to_have_count(1)
    expect(desks(visitor)).to_have_count(1)


def test_a_press_of_what_has_changed_is_refused(visitor: Visitor, elsewhere: Page) -> None:
    """The desk has other buttons meanwhile, and the press must not go to the one that stands there now."""
    visitor.press(board(visitor), "Move")
    page, desk = visitor.page, desks(visitor).last
    there = elsewhere.locator("article.channel-message", has_text="#a1 vs Bob").last
    expect(button(there, "f8")).to_be_visible()
    before, before_there = page.evaluate(LAST), elsewhere.evaluate(LAST)
    with outdated(page):
        button(there, "f8").click()
        assert not last_answer(elsewhere, before_there)["rejected"]
        button(desk, "a1").click()
        page.wait_for_function(
            "before => window.simcordPreview.lastAction.requestId !== before", arg=before["requestId"]
        )
    assert last_answer(page, before)["rejected"]
    expect(page.locator("#action-status")).to_have_text("That has just changed: look again.")
    expect(button(desk, "→ f7 · row: 3 or 5 back")).to_be_visible()


def test_presses_while_another_is_on_its_way_wait(visitor: Visitor) -> None:
    """A second press of the same button is none."""
    page, waiting = visitor.page, list[Route]()
    answers = list[Any]()
    page.on("response", lambda response: answers.append(response) if response.url.endswith("/api/action") else None)

    def wait(route: Route) -> None:
        if waiting:
            route.continue_()
        waiting.append(route)

    page.route("**/api/action", wait)
    move, more = button(board(visitor), "Move"), button(board(visitor), "More…")
    move.click()
    page.wait_for_function("() => window.simcordPreview.pendingAction")
    move.click(force=True)
    more.click(force=True)
    waiting[0].continue_()
    expect(visitor.private("#a1")).to_be_visible()
    expect(visitor.messages.filter(has=page.locator(".message-ephemeral-note"))).to_have_count(2)
    page.wait_for_function(READY, polling=POLL)
    assert [answer.json()["rejected"] for answer in answers] == [False, False]


def test_a_redraw_waits_for_the_finger(visitor: Visitor, elsewhere: Page) -> None:
    """The button under the finger is drawn anew only after the press."""
    page, before = visitor.page, visitor.page.evaluate(LAST)
    button(board(visitor), "Move").hover()
    page.mouse.down()
    say(elsewhere, "hello")
    with page.expect_response("**/api/state"):
        pass
    with page.expect_response("**/api/state"):
        pass
    assert "hello" not in page.locator("#channel-message-list").inner_text()
    page.mouse.up()
    assert not last_answer(page, before)["rejected"]
    expect(desks(visitor)).to_have_count(1)
    expect(visitor.messages.filter(has_text="hello")).to_have_count(1)


@pytest.mark.parametrize("path", FIXES)
def test_each_fix_finds_what_it_mends(path: str) -> None:
    source = files("simcord.preview").joinpath("static" + path).read_text(encoding="utf-8")
    assert {old: source.count(old) for old in FIXES[path]} == dict.fromkeys(FIXES[path], 1)
