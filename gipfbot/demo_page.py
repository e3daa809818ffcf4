"""The demo's page: SimCord's preview, with its faults fixed as it is served, and its clock at real time."""

import asyncio
import logging
import os
from dataclasses import replace
from typing import Any

import simcord
from aiohttp import web
from simcord.preview._media import MediaInfo, MediaWorker, _process_media
from simcord.preview._server import PreviewServer

READ_IN = {"simcord": "3.2.1"}  # the private parts that are used here
log = logging.getLogger(__name__)
TICK_SECONDS = 2.0  # seconds between two ticks of the simulation's clock

# Fixes for the page's differences from Discord. When a list opens, the page rebuilds itself: a picture without a height
# collapses, and the list closes again. Buttons stand above pictures. On a phone the typed text and the button that
# sends it are cut off, and a button that belongs beside a text stands below it. Links lead out of the simulation.
EXTRA_STYLE = """
.attachment-image, .gallery-image { max-height: 480px; object-fit: contain; }
.attachment-image:not([height]), .gallery-image:not([height]) { min-height: min(calc(1.21 * (100vw - 88px)), 480px); }
.channel-message { display: flex; flex-direction: column; }
.channel-message > .message-components { order: 1; margin-bottom: 4px; }
.channel-composer { grid-template-columns: minmax(0, 1fr); }
.command-option-input { box-sizing: content-box; }
.component-section { grid-template-columns: minmax(0, 1fr) auto; }
.markdown-link[href^="https://discord.com/"] { pointer-events: none; }
"""
# The page scrolls to new messages only if it is at its very end, and shows only the beginning of a command's answer.
SCROLL_FIXES = {
    "ui.timeline.clientHeight <= 1 ?": "ui.timeline.clientHeight <= 300 ?",
    "if (!state.ready && state.scrollIntent": "if (!state.ready || state.scrollIntent",
    "scrollIntent = snapshot.targetId": 'scrollIntent = hasNewTail ? { policy: "bottom" } : snapshot.targetId',
}


class PageUnavailable(Exception):
    """The page cannot be shown, for a reason that its user can fix."""


async def open_page(
    env: simcord.Env, channel: simcord.ChannelHandle, people: list[simcord.MemberActor], port: int
) -> simcord.Preview:
    """Open the page; it closes with the simulation. Raises PageUnavailable."""
    preview = env.preview(channel, viewers=people, layout="channel", port=port or None)
    try:
        return await preview.__aenter__()
    except simcord.SetupError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        reason = os.strerror(error.__cause__.errno or 0)
        raise PageUnavailable(
            f"Port {port} cannot be used ({reason}): name another, or none for a free one."
        ) from error


async def follow_real_time(env: simcord.Env, page: Any) -> None:
    """Keep the simulation's clock at real time. A tick and a click never run at once, or the page would hang."""
    turns, act = asyncio.Lock(), page._action

    async def action(*args: Any) -> Any:
        async with turns:
            page._advance_presentation_time()  # else "since now" reads "in 6 seconds"
            return await act(*args)

    page._action = action
    calls = len(env.http_requests)
    while True:
        await asyncio.sleep(TICK_SECONDS)
        async with turns:
            try:
                await env.advance_time(TICK_SECONDS)
                if len(env.http_requests) > calls:  # this includes posts by the house player since the last tick
                    calls = len(env.http_requests)
                    await page.refresh()
            except Exception:
                log.exception("the simulation's clock could not be moved")


def patch_preview() -> None:
    """Fix faults in SimCord's page. A version of SimCord without these faults keeps its page."""
    original = PreviewServer._static

    async def static(self: Any, request: web.Request) -> web.Response:
        response: web.Response = await original(self, request)
        if request.path == "/preview.css":
            response.text = (response.text or "") + EXTRA_STYLE
        if request.path == "/timeline.js":
            for old, new in SCROLL_FIXES.items():
                response.text = (response.text or "").replace(old, new)
        return response

    checked: dict[str, MediaInfo] = {}

    async def decode(self: Any, key: str, blob: bytes, media_time: float | None) -> MediaInfo:
        if key not in checked:
            # The bot's own pictures need no guard. "Limited" keeps the page from warning about each.
            checked[key] = replace(await asyncio.to_thread(_process_media, blob, media_time), memory_limited=True)
        return checked[key]

    PreviewServer._static = static  # type: ignore[method-assign]
    # The original starts a process for each picture, which takes seconds at each change of the viewer.
    MediaWorker._decode = decode  # type: ignore[method-assign]
