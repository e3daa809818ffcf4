"""`python bot.py demo`: the same bot against SimCord's simulated Discord, on a page in the browser.

Nothing leaves this machine, and nothing is kept when it ends.
"""

import argparse
import asyncio
import logging
import signal
import tempfile
import webbrowser
from typing import Any

import simcord
from aiohttp import web
from simcord.preview._server import PreviewServer

from gipfbot.app import bot_of
from gipfbot.store import Store
from gipfbot.ui import texts

TICK = 2.0  # seconds between two looks at the clock
SETTLE = 30.0
# A Standard game in progress; Bob, who is to move, can make a row with GIPF-pieces in it.
OPENING = ("a2-c2", "f1-d2", "b1-b3", "i5-g5", "b6-b4;xb2,b3,Gb4,b5", "e1-e3", "f2", "i4-g6", "i2-g2")
# The page rebuilds itself when a list opens; without a height pictures collapse, and the list closes again.
STYLE = "\n.attachment-image { min-height: min(calc(100vw - 88px), 360px); max-height: 480px; }\n"


def main(argv: list[str]) -> int:
    """Run the demo until Ctrl-C or until its page ends; return 0."""
    parser = argparse.ArgumentParser(prog="python bot.py demo", description="Try the bot in a browser.")
    parser.add_argument("--port", type=int, default=0, help="the page's port (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the page's address")
    options = parser.parse_args(argv)
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(demo(options.port, not options.no_browser))
    return 0


async def demo(port: int, browse: bool) -> None:
    """Show the page until it ends or the process is told to stop."""
    _keep_pictures_tall()
    with tempfile.TemporaryDirectory() as folder:
        await _show(await Store.open(f"sqlite+aiosqlite:///{folder}/demo.sqlite3"), port, browse)


async def _show(store: Store, port: int, browse: bool) -> None:
    bot = bot_of(store)
    try:
        async with simcord.run(bot, settle_timeout=SETTLE, check_errors=False) as env:
            channel, people = await prepare(env)
            async with env.preview(channel, viewers=people, layout="channel", port=port or None) as page:
                print(page.url, flush=True)
                if browse:
                    webbrowser.open(page.url)
                await _until_stopped(env, page)
    finally:
        await bot.close()
        await store.close()


async def prepare(env: simcord.Env) -> tuple[simcord.ChannelHandle, list[simcord.MemberActor]]:
    """Return a channel with two people in it and a game in progress."""
    env.backend.bot_user.name = env.backend.bot_user.global_name = "GIPF"
    guild = env.create_guild("GIPF club")
    channel = guild.create_text_channel("gipf", topic="Games of GIPF")
    ann = guild.add_member(env.create_user("ann", global_name="Ann"))
    bob = guild.add_member(env.create_user("bob", global_name="Bob"))
    await ann.send(channel, texts.DEMO)
    await ann.slash(channel, "gipf challenge", opponent=bob, rules="standard", colour="white")
    await bob.click(channel.history(viewer=bob)[-1], label=texts.ACCEPT)
    for number, turn in enumerate(OPENING):
        await (ann, bob)[number % 2].slash(channel, "move", notation=turn)
    return channel, [ann, bob]


async def _until_stopped(env: simcord.Env, page: Any) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    tasks = [asyncio.create_task(each) for each in (stop.wait(), page.wait_closed(), _follow_real_time(env, page))]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _follow_real_time(env: simcord.Env, page: Any) -> None:
    """Let the simulation's clock run. A click that met it would leave the page stuck, so the two take turns."""
    turns, act = asyncio.Lock(), page._action

    async def action(*args: Any) -> Any:
        async with turns:
            return await act(*args)

    page._action = action
    while True:
        await asyncio.sleep(TICK)
        async with turns:
            calls = len(env.http_requests)
            await env.advance_time(TICK)
            if len(env.http_requests) > calls:
                await page.refresh()


def _keep_pictures_tall() -> None:
    original = PreviewServer._static

    async def static(self: Any, request: web.Request) -> web.Response:
        response: web.Response = await original(self, request)
        if request.path == "/preview.css":
            response.text = (response.text or "") + STYLE
        return response

    PreviewServer._static = static  # type: ignore[method-assign]
