"""The bot is killed while it makes an analysis: it goes on where it was, and tells it once."""

from tests.standin import StandIn
from tests.standin.interaction import eventually

from .killing import AFTER_COMMIT, AFTER_POST, BEFORE_COMMIT, Kill, Kills
from .running import OWED, Bot
from .table import Table

QUICK = "from gipfbot.service.records import analysis_work\nanalysis_work.ANALYSIS_NODES = 300\n"
ANALYSIS = "SELECT state, places FROM analyses"
FOUND = "SELECT found FROM analyses"
ASKERS = "SELECT count(*) FROM analysis_askers"
PLAYED_TURNS = 5


async def killed(bot: Bot, kill: Kill) -> None:
    """Start the bot, and wait until it has killed itself at the planned moment."""
    process = await bot.launch(QUICK + kill.changes())
    await eventually(lambda: process.returncode is not None, f"{kill}")
    await bot.kill()
    assert Kills().note(bot.folder) == kill.moment


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

    # Asking for it takes two commits, each position one more.
    await bot.start(QUICK + Kill(1, AFTER_COMMIT, "analyses", 4).changes())
    await discord.slash(table.ann, table.channel, "gipf-learn analyse", game="#a1")
    await eventually(lambda: bot.exit_code is not None, "the first kill")
    await bot.kill()
    assert bot.rows(ANALYSIS) == [("running", 3)]
    (found,) = bot.rows(FOUND)

    await killed(bot, Kill(2, BEFORE_COMMIT, "analyses"))
    assert bot.rows(FOUND) == [found]  # neither lost nor begun anew

    await killed(bot, Kill(3, AFTER_POST))
    assert bot.rows(ANALYSIS) == [("done", PLAYED_TURNS + 1)]
    assert bot.rows(OWED) == [1]
    assert len(letters) == before + 1

    await bot.start()
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the message to be found again")
    assert len(letters) == before + 1
    assert "#a1" in letters[-1].content
    assert bot.rows(ASKERS) == [0]
    shown = await (await discord.slash(table.ann, table.channel, "gipf-learn analyse", game="#a1")).answered()
    assert "White, Ann:" in shown.text
