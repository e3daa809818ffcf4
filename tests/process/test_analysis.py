"""The bot is killed while it makes an analysis: it goes on where it was, and tells it once."""

from tests.standin import StandIn
from tests.standin.interaction import eventually

from .killing import AFTER_POST, Kill
from .running import OWED, WAKEFUL, Bot
from .table import Table

# What the program runs before its start: it searches little, and soon.
QUICK = f"""{WAKEFUL}
from gipfbot.service.records import analyses as making
making.ANALYSIS_LEVEL = making.ANALYSIS_LEVEL._replace(nodes=300, slow_nodes=30)
"""
# It kills itself when it has saved some positions, or before it commits the next one.
DYING = """
import os, signal
from gipfbot.service.records import analyses as making
from gipfbot.store import analyses
save, search, left = analyses.save_found, making.AnalysisWork.search_next, {positions}

async def save_found(*given):
    await save(*given)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

async def search_next(self, wish):
    global left
    owed = await search(self, wish)
    left -= owed is not None
    if left == 0 and not {within}:
        os.kill(os.getpid(), signal.SIGKILL)
    return owed

analyses.save_found, making.AnalysisWork.search_next = save_found, search_next
"""
ANALYSIS = "SELECT state, places FROM analyses"
FOUND = "SELECT found FROM analyses"
ASKERS = "SELECT count(*) FROM analysis_askers"
PLAYED_TURNS = 5


async def dies(bot: Bot) -> None:
    """Wait until the bot has killed itself."""
    await eventually(lambda: bot.exit_code is not None, "the kill")
    await bot.kill()


async def test_killed_three_times_an_analysis_is_finished_and_told_once(
    bot: Bot, discord: StandIn, table: Table
) -> None:
    await bot.start()
    await table.play(*range(3, PLAYED_TURNS + 1))
    asked = await (await discord.slash(table.ann, table.channel, "gipf resign")).answered()
    await discord.press(table.ann, asked.messages[0], "Resign")
    await discord.wait_for(lambda: " wins #a1" in table.channel.last().content, what="the end")
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the last board")
    await bot.kill()
    letters = discord.dm(table.ann).messages
    before = len(letters)

    await bot.start(QUICK + DYING.format(positions=2, within=False))
    await discord.slash(table.ann, table.channel, "gipf-learn analyse", game="#a1")
    await dies(bot)
    assert bot.rows(ANALYSIS) == [("running", 3)]  # the start of the game counts as one
    found = bot.rows(FOUND)

    await bot.launch(QUICK + DYING.format(positions=0, within=True))
    await dies(bot)
    assert bot.rows(FOUND) == found  # neither lost nor begun anew

    await bot.launch(QUICK + Kill(3, AFTER_POST).changes())
    await dies(bot)
    assert bot.rows(ANALYSIS) == [("done", PLAYED_TURNS + 1)]
    assert bot.rows(OWED) == [1]
    assert len(letters) == before + 1

    await bot.start(WAKEFUL)
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the message to be found again")
    assert len(letters) == before + 1
    assert "#a1" in letters[-1].content
    assert bot.rows(ASKERS) == [0]
    shown = await (await discord.slash(table.ann, table.channel, "gipf-learn analyse", game="#a1")).answered()
    assert "White, Ann:" in shown.text
