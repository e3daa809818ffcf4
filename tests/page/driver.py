"""A visitor of the demo's page, who presses, chooses and types, and sees the result.

Every method that acts waits until the page has settled. With LONG_TESTS=1, it keeps the screen as a picture.
"""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.support.effort import LONG

PATIENCE = 300_000  # milliseconds; only a page that hangs takes as long
POLL = 50  # milliseconds between two looks: one with each frame keeps the browser drawing
READY = """() => {
    const state = window.simcordPreview;
    return state && state.ready && state.authorized && !state.pendingAction && !state.pendingQuery
        && state.awaitingRevision === null;
}"""
DONE = f"""before => {{
    const last = window.simcordPreview.lastAction;
    return ({READY})() && last && last.requestId !== before;
}}"""
LAST = "() => window.simcordPreview.lastAction"
PICTURES_LOADED = """() => [...document.querySelectorAll("img.attachment-image, img.gallery-image")]
    .every(image => image.complete && image.naturalWidth > 0)"""
COMPOSING = '() => window.simcordPreview.commandPicker.state === "composing"'
SUGGESTED = ("notation", "game", "level")  # options whose suggestions need not be taken
ANSWERED = """option => {
    const offer = window.simcordPreview.commandPicker.autocomplete;
    return offer.option !== option || offer.state !== "loading";
}"""


class Visitor:
    """A visitor, who looks at the page as one player at a time."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder, self.kept, self.presses = page, folder, 0, 0
        self.page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)

    # ── What they see ──

    @property
    def messages(self) -> Locator:
        """All messages, the newest last."""
        return self.page.locator("#channel-message-list article.channel-message")

    def private(self, said: str = "") -> Locator:
        """Return the newest private message that says this."""
        return self.messages.filter(has=self.page.locator(".message-ephemeral-note"), has_text=said).last

    @property
    def public(self) -> Locator:
        """The newest message that everybody sees."""
        return self.messages.filter(has_not=self.page.locator(".message-ephemeral-note")).last

    def buttons(self, message: Locator) -> list[str]:
        """Return the labels of a message's buttons."""
        return message.locator("button.component-button").all_inner_texts()

    def picture(self, message: Locator) -> str:
        """Return the description of a message's picture, which must be visible."""
        image = message.locator("img.attachment-image, img.gallery-image")
        expect(image).to_be_in_viewport()
        return image.get_attribute("alt") or ""

    # ── What they do ──

    def open(self, address: str) -> None:
        """Open the page."""
        self.page.goto(address)
        self.page.wait_for_function(READY, polling=POLL)
        self.keep("opened")

    def look_as(self, name: str) -> None:
        """Look at the page as another player."""
        picker = self.page.locator("#viewer-picker")
        if picker.locator("option:checked").inner_text() != name:
            self._act(lambda: picker.select_option(label=name))
            self.keep(f"as-{name}")

    def follow(self, place: str) -> None:
        """Follow a link of the header, which opens the page anew."""
        self.go(self.page.locator(".places a", has_text=place))

    def go(self, link: Locator) -> None:
        """Press what opens the page anew."""
        with self.page.expect_event("load"):
            link.click()
        self.page.wait_for_function(READY, polling=POLL)
        self.keep("elsewhere")

    def press(self, message: Locator, name: str) -> None:
        """Press a button of a message."""
        button = message.get_by_role("button", name=name, exact=True)
        self._act(button.click)
        self.presses += 1
        self.keep(f"pressed-{name}")

    def choose(self, message: Locator, option: str, *, of: str | None = None) -> None:
        """Choose from a select of a message. `of` is its name; None if it is the only one."""
        box, wanted = (
            message.get_by_role("combobox", name=of),
            self.page.locator(".preview-select.is-open [role=option]"),
        )

        def do() -> None:
            box.click()
            wanted.get_by_text(option, exact=True).click()

        self._act(do)
        self.keep(f"chose-{option}")

    def slash(self, command: str, *, taking: str = "", **options: str) -> None:
        """Type a slash command. Take a suggestion only if it fits and says `taking`."""
        self.page.wait_for_function(READY, polling=POLL)
        self._choose_command(command)
        for name, value in options.items():
            self._fill(name, value, taking)
        self.keep(f"typed-{command}")
        send = self.page.locator("#send-message")
        expect(send).to_be_in_viewport(ratio=0.99)
        self._act(send.click)
        self.keep(f"sent-{command}")

    def _choose_command(self, command: str) -> None:
        """Choose a command from the list."""
        self.page.locator("#channel-composer-input").fill(f"/{command}")
        self.page.locator(".command-entry", has=self._exactly(f"/{command}")).click()
        self.page.wait_for_function(COMPOSING, polling=POLL)

    def _fill(self, name: str, value: str, taking: str) -> None:
        field = self.page.locator(f'.command-option-input[data-option="{name}"]')
        offered = self.page.locator(".command-suggestion")
        if not field.count():
            added = offered.filter(has=self._exactly(name))
            if not added.count():
                self.page.locator(".command-ghost").click()
            added.click()
        field.fill(value)
        if name in SUGGESTED:
            self.page.wait_for_function(ANSWERED, arg=name, polling=POLL)
            if taking:
                offered.filter(has_text=re.compile(rf"^{re.escape(value)}\b.*{re.escape(taking)}")).first.click()
        elif field.get_attribute("role") == "combobox":
            offered.filter(has_text=value).first.click()

    def _exactly(self, text: str) -> Locator:
        return self.page.get_by_text(text, exact=True)

    def keep(self, what: str) -> None:
        """Wait until the page and its pictures have come; with LONG_TESTS=1, keep the screen as a picture."""
        self.kept += 1
        self.page.mouse.move(0, 0)
        self.page.wait_for_function(f"() => ({READY})() && ({PICTURES_LOADED})()", polling=POLL)
        if LONG:
            name = re.sub(r"[^\w·,;*→-]+", "-", what)
            self.page.screenshot(path=self.folder / f"{self.kept:03}-{name}.png")

    def _act(self, do: Callable[[], object]) -> None:
        """Do one thing, once, and wait for the bot's answer."""
        self.page.wait_for_function(READY, polling=POLL)
        last = self.page.evaluate(LAST)
        before = last and last["requestId"]
        do()
        self.page.wait_for_function(DONE, arg=before, polling=POLL)
        receipt = self.page.evaluate(LAST)
        assert receipt["rejected"] is False, receipt
        assert receipt["settlement"] == "settled", receipt
