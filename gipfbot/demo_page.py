"""The demo's page: SimCord's preview, with its faults fixed as it is served, and its clock at real time."""

import asyncio
import html
import logging
import os
import secrets
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import discord
import simcord
from aiohttp import web
from simcord import interactions
from simcord.components import walk_components
from simcord.preview._media import MediaInfo, MediaWorker, _process_media
from simcord.preview._server import PreviewServer

READ_IN = {"simcord": "3.2.1"}  # the private parts that are used here
log = logging.getLogger(__name__)
ENGLISH = discord.Locale.american_english.value  # what SimCord sends for everybody
# Discord's code of the language in which the page is looked at. The people use it in that language, and so do servers.
VIEWED_IN = ContextVar("viewed_in", default=ENGLISH)
TICK_SECONDS = 2.0  # seconds between two ticks of the simulation's clock

# Fixes for the page's differences from Discord. When a list opens, the page rebuilds itself: a picture without a height
# collapses, and the list closes again. Buttons stand above pictures. On a phone the typed text and the button that
# sends it are cut off, and a button that belongs beside a text stands below it. Only links
# to its own channels stay in the simulation.
EXTRA_STYLE = """
.attachment-image, .gallery-image { max-height: 480px; object-fit: contain; }
.attachment-image:not([height]), .gallery-image:not([height]) { min-height: min(calc(1.21 * (100vw - 88px)), 480px); }
.channel-message { display: flex; flex-direction: column; }
.channel-message > .message-components { order: 1; margin-bottom: 4px; }
.channel-composer { grid-template-columns: minmax(0, 1fr); }
.command-option-input { box-sizing: content-box; }
.component-section { grid-template-columns: minmax(0, 1fr) auto; }
.markdown-link[href^="https://discord.com/"]:not([href*="/channels/"]) { pointer-events: none; }
.thread-summary { cursor: pointer; text-decoration: underline; }
.places { display: flex; flex: 1 1 100%; gap: 6px; overflow-x: auto; scrollbar-width: none; }
.places a { padding: 2px 6px; border-radius: 6px; color: inherit; font-size: 12px; }
.places a { text-decoration: none; white-space: nowrap; }
.places a[aria-current] { background: #404249; font-weight: 600; }
@media (max-width: 760px) { .preview-shell { --toolbar-height: 138px; } }
"""
# The page scrolls to new messages only if it is at its very end, and shows only the beginning of a command's answer.
SCROLL_FIXES = {
    "ui.timeline.clientHeight <= 1 ?": "ui.timeline.clientHeight <= 300 ?",
    "if (!state.ready && state.scrollIntent": "if (!state.ready || state.scrollIntent",
    "scrollIntent = snapshot.targetId": 'scrollIntent = hasNewTail ? { policy: "bottom" } : snapshot.targetId',
}
# The page drops what is pressed while another action is on its way. The last such press waits instead, and says which
# drawing of the page it was made on. A second press of the same control is no press: Discord takes none either.
HELD_PRESS = """
  let held = null;
  function hold(kind, extra, metadata) {
    if (pending?.kind === kind && pending.controlKey === (extra.control_key || null)) return;
    held = { kind, extra, metadata: { ...metadata, seen: context.observedRevision || context.publishedRevision },
      scope: `${context.viewerId}:${context.contextGeneration}` };
  }
"""
PRESS_HELD = """if (held) {
      const { kind, extra, metadata, scope } = held;
      held = null;
      if (scope === `${context.viewerId}:${context.contextGeneration}`) {
        void perform(kind, extra, null, metadata); return;
      }
    }
    """
PRESS_FIXES = {
    "  let busyDeferred = false;": "  let busyDeferred = false;" + HELD_PRESS,
    "if (pageAction(kind)) pageIntent(kind, extra); return; }": (
        "if (pageAction(kind)) pageIntent(kind, extra); else if (!uncertain) hold(kind, extra, metadata); return; }"
    ),
    "awaitingRevision > context.publishedRevision) return;": (
        "awaitingRevision > context.publishedRevision) { hold(kind, extra, metadata); return; }"
    ),
    "published_revision: context.observedRevision": "published_revision: metadata?.seen || context.observedRevision",
    "const next = queries.entries().next().value;": PRESS_HELD + "const next = queries.entries().next().value;",
    "if (receipt.uncertain) return": (
        'if (receipt.diagnostics?.some((item) => item.code === "stale-revision"))'
        ' return "That has just changed: look again.";\n      if (receipt.uncertain) return'
    ),
}
# The header's links lead to the other pages, and so do a thread's bar and the links to messages. A page opens as seen
# by the person of the last one. The part of its address after the dot is the channel's id.
END_OF_HEADER = """</header>
      <div class="preview-workspace\""""
HANDLERS = ("_pages", "_delete_page", "_state", "_commands", "_action_result", "_action", "_asset")
LINKS = """
const [secret, here] = hash.split(".");
for (const link of document.querySelectorAll(".places a")) {
  link.hash = `${secret}.${link.dataset.place}`;
  if (link.dataset.place === here) link.setAttribute("aria-current", "page");
}
function showMessage() {
  const wanted = sessionStorage.getItem("message");
  const shown = wanted && document.querySelector(`[data-message-id="${wanted}"]`);
  if (!shown) return;
  sessionStorage.removeItem("message");
  setTimeout(() => shown.scrollIntoView({ block: "start" }), 100);
}
addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="https://discord.com/channels/"]');
  const thread = event.target.closest(".thread-summary")?.dataset.thread;
  if (!link && !thread) return;
  event.preventDefault();
  const [place, message] = thread ? [thread] : new URL(link.href).pathname.split("/").slice(3);
  sessionStorage.setItem("message", message || "");
  if (place === here) showMessage(); else location.hash = `${secret}.${place}`;
}, true);
new MutationObserver(showMessage).observe(ui.messageList, { childList: true });
"""
LINK_FIXES = {
    '"/api/pages", "POST", {}': '"/api/pages", "POST", { viewer_id: sessionStorage.getItem("viewer") }',
    "state.viewerId = nextViewer;": (
        'state.viewerId = nextViewer;\n  if (nextViewer) sessionStorage.setItem("viewer", nextViewer);'
    ),
}
# A button that is drawn anew between the finger's way down and up is not pressed: a redraw waits for the finger.
FINGER = """
let pressing = false, lifted;
addEventListener("pointerdown", () => { clearTimeout(lifted); pressing = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => { lifted = setTimeout(() => { pressing = false; }, 50); }, true);
}
"""
FINGER_FIXES = {
    "    const completingQuery": "    if (pressing) return false;\n    const completingQuery",
    "\nbootstrap();": FINGER + LINKS + "\nbootstrap();",
}
# A choice from a list is refused while another action is on its way.
LIST_FIXES = {
    "if (state.pendingAction || state.blocked) {": "if (dropdown.modal && (state.pendingAction || state.blocked)) {",
}
THREAD_FIXES = {
    "  if (thread.archived) summary": "  summary.dataset.thread = thread.id;\n  if (thread.archived) summary",
}
FIXES = {
    "/messages.js": THREAD_FIXES,
    "/timeline.js": SCROLL_FIXES,
    "/actions.js": PRESS_FIXES,
    "/app.js": FINGER_FIXES | LINK_FIXES,
    "/select-drafts.js": LIST_FIXES,
}


class PageUnavailable(Exception):
    """The page cannot be shown, for a reason that its user can fix."""


class Pages:
    """The demo's pages: the channels', each person's direct messages, and those of threads. One server has them all."""

    def __init__(self, env: simcord.Env, port: int) -> None:
        self.env, self.port, self.secret = env, port, secrets.token_urlsafe(32)
        self.channels, self.people = list[simcord.ChannelHandle](), list[Any]()
        self.labels = dict[str, str]()  # by the id of a place, in the order of the header's links
        self.all = dict[str, Any]()  # by capability
        self.turns = asyncio.Lock()  # no two actions run at once, on whatever pages

    async def open_all(self, channel: simcord.ChannelHandle, people: list[simcord.MemberActor]) -> None:
        """Open the channel's page, and those its header links to: a second channel's, and the direct messages.

        They close with the simulation. Raises PageUnavailable.
        """
        assert channel.guild
        self.channels = [channel, channel.guild.create_text_channel("lounge", topic="A second channel")]
        self.people = people
        await self.env.settle()
        for each in self.channels:
            await self._open(f"#{each.name}", each, people)
        for person in people:
            await self._open(f"{person.user.global_name}'s DMs", person.user.dm_channel, [person.user])

    async def _open(self, label: str, place: Any, viewers: list[Any]) -> None:
        self.env._preview = None  # SimCord knows one page at a time
        page: Any = self.env.preview(place, viewers=viewers, layout="channel", port=self.port or None)
        page.capability = f"{self.secret}.{place.id}"
        if self.all:
            page._server.port, page._server.start = self.first._server.port, _share_server
        await _enter(page, self.port)
        _open_at_the_end(page)
        _take_turns(self.env, page, self.turns)
        page._server.pages = self
        self.labels[str(place.id)], self.all[page.capability] = label, page
        if page is not self.first:
            page.close = self.first.close  # the end of one page is the end of the demo

    @property
    def first(self) -> Any:
        """The page with which the demo begins and ends."""
        return next(iter(self.all.values()))

    def threads(self) -> dict[str, simcord.ChannelHandle]:
        """Return the threads of the channels, by capability."""
        found = [thread for channel in self.channels for thread in channel.threads]
        return {f"{self.secret}.{thread.id}": thread for thread in found}

    async def find(self, capability: str) -> Any:
        """Return the page of this capability; None if there is none. A thread's is opened when first asked for."""
        if capability not in self.all and capability in self.threads():
            async with self.turns:
                if capability not in self.all:
                    thread = self.threads()[capability]
                    await self._open(thread.name or "thread", thread, self.people)
        return self.all.get(capability)

    def links(self) -> str:
        """Return the header's links."""
        threads = {str(thread.id): thread.name or "thread" for thread in self.threads().values()}
        labels = {**self.labels, **threads}.items()
        return "".join(f'<a href="/" data-place="{place}">{html.escape(label)}</a>' for place, label in labels)


async def _share_server() -> None:
    """Start no server: that of the first page serves all pages."""


async def _enter(page: Any, port: int) -> None:
    try:
        await page.__aenter__()
    except simcord.SetupError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        reason = os.strerror(error.__cause__.errno or 0)
        raise PageUnavailable(
            f"Port {port} cannot be used ({reason}): name another, or none for a free one."
        ) from error


def _open_at_the_end(page: Any) -> None:
    """Let a page open at its newest message, as seen by the person of the last page, if they may see this one."""
    open_page, known = page._open_page, {str(viewer.id) for viewer in page.viewers}

    def open_newest(viewer: Any = None, target: Any = None) -> Any:
        page._python.window_end_id = None
        page._python.target_id = page._initial_target(page.viewers[0], page.channel.id)
        return open_page(viewer if viewer in known else None, target)

    page._open_page = open_newest


async def follow_real_time(env: simcord.Env, pages: Pages) -> None:
    """Keep the simulation's clock at real time. A tick and a click never run at once, or the page would hang."""
    calls = len(env.http_requests)
    while True:
        await asyncio.sleep(TICK_SECONDS)
        async with pages.turns:
            try:
                await env.advance_time(TICK_SECONDS)
                if len(env.http_requests) > calls:  # this includes posts by the house player since the last tick
                    calls = len(env.http_requests)
                    for page in pages.all.values():
                        if len(page._pages) > 1:  # somebody looks at it
                            await page.refresh()
            except Exception:
                log.exception("the simulation's clock could not be moved")


def _take_turns(env: simcord.Env, page: Any, turns: asyncio.Lock) -> None:
    """Let no two actions run at once, on whatever pages."""
    act, controls = page._action, Controls(page)

    async def action(context: str, body: Any) -> Any:
        async with turns:
            env._preview = page
            page._advance_presentation_time()  # else "since now" reads "in 6 seconds"
            return await act(context, controls.redate(context, body))

    page._action = action


class Controls:
    """The buttons and lists of a preview's pages, each with the revision since which it is as it is.

    SimCord refuses all that is pressed on a page that has been drawn anew meanwhile, if only for another message.
    """

    def __init__(self, preview: Any) -> None:
        self.preview, self.publish = preview, preview._publish
        self.since: dict[str, dict[str, tuple[Any, int]]] = {}  # by page
        preview._publish = self._publish_and_note

    def _publish_and_note(self, page: Any, **how: Any) -> None:
        self.publish(page, **how)
        before = self.since.get(page.id, {})
        messages = page.snapshot["messages"].values()
        shown = [each for message in messages for each in walk_components(message["components"])]
        self.since[page.id] = {
            key: before[key] if key in before and before[key][0] == each else (each, page.revision)
            for each in shown
            if (key := each.get("control_key"))
        }

    def redate(self, context: str, body: Any) -> Any:
        """Return an action as made on the newest drawing of its page, if it means the same there.

        A button and a list must have stood there since the drawing that was pressed, until now: the page is drawn anew
        first, because somebody else's action may have changed it. All else names what it is about: a command its
        version, a form its opening, an edit its message. It changes no action's number, so nothing that was carried out
        is carried out again.
        """
        page = self.preview._pages.get(context)
        if not page or not isinstance(body, dict) or not isinstance(seen := body.get("published_revision"), int):
            return body
        if body.get("kind") in {"click", "select"}:
            self.preview._publish(page, reason="refresh")
            _, first = self.since.get(page.id, {}).get(body.get("control_key", ""), (None, seen + 1))
            if first > seen:
                return body
        return body | {"published_revision": page.revision}


def discord_locale(accepted: str) -> str:
    """Return Discord's code of the language that a browser asks for first, such as `de` for `de-AT,de;q=0.9`."""
    first = accepted.partition(",")[0].partition(";")[0].strip()
    known = {locale.value for locale in discord.Locale}
    return next((code for code in (first, first.partition("-")[0]) if code in known), ENGLISH)


def _send_the_viewers_language() -> None:
    """Let each interaction carry the language in which the page is looked at."""
    make_payload = interactions.base_payload

    def base_payload(*args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = make_payload(*args, **kwargs)
        return record, payload | {name: VIEWED_IN.get() for name in ("locale", "guild_locale") if name in payload}

    interactions.base_payload = base_payload


def patch_preview() -> None:
    """Fix faults in SimCord's page. A version of SimCord without these faults keeps its page."""
    original = PreviewServer._static

    async def static(self: Any, request: web.Request) -> web.Response:
        response: web.Response = await original(self, request)
        if request.path == "/preview.css":
            response.text = (response.text or "") + EXTRA_STYLE
        if request.path == "/":
            links = f'<nav class="places">{self.pages.links()}</nav>'
            response.text = (response.text or "").replace(END_OF_HEADER, f"{links}{END_OF_HEADER}")
        for old, new in FIXES.get(request.path, {}).items():
            response.text = (response.text or "").replace(old, new)
        return response

    checked: dict[str, MediaInfo] = {}

    async def decode(self: Any, key: str, blob: bytes, media_time: float | None) -> MediaInfo:
        if key not in checked:
            # The bot's own pictures need no guard. "Limited" keeps the page from warning about each.
            checked[key] = replace(await asyncio.to_thread(_process_media, blob, media_time), memory_limited=True)
        return checked[key]

    def at_its_place(handle: Any) -> Any:
        async def find_and_handle(self: Any, request: web.Request) -> Any:
            VIEWED_IN.set(discord_locale(request.headers.get("Accept-Language", "")))
            page = await self.pages.find(request.headers.get("X-Simcord-Capability", ""))
            return await handle(page._server if page else self, request)

        return find_and_handle

    _send_the_viewers_language()
    for name in HANDLERS:
        setattr(PreviewServer, name, at_its_place(getattr(PreviewServer, name)))
    PreviewServer._static = static  # type: ignore[method-assign]
    # The original starts a process for each picture, which takes seconds at each change of the viewer.
    MediaWorker._decode = decode  # type: ignore[method-assign]
