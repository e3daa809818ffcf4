"""The bot is killed while Discord makes a thread: the game goes on in that thread."""

import pytest

from tests.standin import StandIn
from tests.support.routes import THREADS

from .running import HURRIED, Bot
from .table import Table


@pytest.mark.slow
async def test_killed_before_hearing_of_its_thread_the_bot_uses_it(bot: Bot, discord: StandIn, table: Table) -> None:
    """Nothing is posted twice, and the next turn's board is in the thread."""
    await bot.start(HURRIED)
    terms = {"opponent": table.bob, "colour": "white", "other_terms": True}
    shown = await (await discord.slash(table.ann, table.channel, "gipf challenge", **terms)).answered()
    page = shown.messages[0]
    await discord.press(table.ann, page, "Thread of its own: off")
    await discord.wait_for(lambda: [name for name in page.custom_ids if ":thread:False" in name], what="the switch")
    await discord.press(table.ann, page, "Challenge")
    await discord.wait_for(lambda: "has been" in page.text, what="the challenge")
    gate = discord.hold("POST", THREADS, after_accepting=True)
    await discord.press(table.bob, table.channel.last(), "Accept")
    await gate.reached()
    await bot.kill()
    gate.release()
    posted = len(table.channel.messages)
    await bot.start(HURRIED)
    await discord.wait_for(lambda: bot.rows("SELECT parent FROM games")[-1], what="the game in its thread")
    thread = discord.channel(bot.rows("SELECT channel FROM games")[-1])
    played = await discord.slash(table.ann, thread, "move", notation="a2-c2")
    assert "Played" in (await played.answered()).text
    await discord.wait_for(lambda: thread.messages, what="the board in the thread")
    assert (len(table.channel.messages), len(thread.messages), thread.parent) == (posted, 1, table.channel)
