"""On the demo page, the bot plays with its real engine, and nobody waits for it."""

import asyncio
import errno
import tempfile

import pytest
import simcord
from simcord.builders import UserHandle

from gipfbot.app import create_bot
from gipfbot.demo import SETTLE, DemoEngine, prepare_channel, serve_demo
from gipfbot.demo_page import TICK_SECONDS, PageUnavailable
from gipfbot.store import Store
from tests.support.times import HANGS
from tests.ui.table import Desk


@pytest.mark.usefixtures("small_pictures")
async def test_bot_plays_on_the_demo_page_while_others_go_on(store: Store) -> None:
    engine = DemoEngine()
    bot = create_bot(store, engine=engine)
    async with simcord.run(bot, settle_timeout=SETTLE) as env:
        engine.env = env
        channel, (ann, *_), _ = await prepare_channel(env, bot)
        opponent = UserHandle(env, env.backend.bot_user)
        asked = {"opponent": opponent, "colour": "black", "rules": "basic"}
        desk = Desk(ann, await ann.slash(channel, "gipf challenge", **asked))
        await desk.press("6 · Skilled")
        assert "GIPF Skilled is thinking" in desk.text
        async with asyncio.timeout(HANGS):
            while "GIPF Skilled is thinking" in desk.text:
                await asyncio.sleep(0.1)
                await env.advance_time(TICK_SECONDS)
        assert "GIPF Skilled played" in desk.text
    await bot.close()
    await engine.worker.close()


async def test_no_place_for_its_files_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", fail)
    with pytest.raises(PageUnavailable) as refusal:
        await serve_demo(0, browse=False)
    assert str(refusal.value) == (
        "There is no place for the demo's files (No usable temporary directory found in ['/tmp']): "
        "set TMPDIR to a folder that can be written."
    )


async def test_manager_can_let_open_challenges_mention_a_role(store: Store) -> None:
    """Without typing: the role is there, and Ann may choose it."""
    bot = create_bot(store)
    async with simcord.run(bot, check_errors=False) as env:
        channel, (ann, *_), _ = await prepare_channel(env, bot)
        role = ann.guild.roles["players"]
        await ann.slash(channel, "gipf-server settings", seekers=role)
        assert (await bot.app.servers.settings(bot.guilds[0].id)).seekers == role.id
    await bot.close()
